/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Batches: a table of texts in, scores out, followed while they come.

import { html, useEffect, useMemo, useState } from '../lib/base.js';
import { ApiError, call, follow, get, judges, may, open, post,
         query } from '../lib/api.js';
import { t, word, number, score as shown, time } from '../lib/i18n.js';
import { Badge, Card, Choice, Drop, Empty, Field, Go, Load, May, Note, Page,
         Problem, Stat, Sure, download, useAction, useData, usePages,
         useUnsaved } from '../lib/ui.js';
import { Table } from './batch_table.js';
import { expected, money } from '../lib/costs.js';
import { ListTabs } from './comparisons.js';
import { namesOf } from './evaluations.js';

export function Batches() {
    const page = usePages((cursor, signal) =>
        get('batches' + query({ limit: 25, cursor }), { signal }), []);

    return html`<${Page} title=${t('place_batches')} lead=${t('batches_lead')}
        actions=${html`<${Go} class="button main" href="#/batches/new">
            ${t('new_batch')}</${Go}>`}>
        <${ListTabs} at="batches" />
        <${Load} of=${page}>${data => data.batches.length
            ? html`<div class="scroll" tabindex="0"><table class="list"><thead><tr>
                <th>${t('name')}</th><th>${t('status')}</th>
                <th class="n">${t('items')}</th><th class="n">${t('mean_score')}</th>
                <th>${t('when')}</th></tr></thead>
            <tbody>${data.batches.map(b => html`<tr key=${b.id}>
                <td><a href=${`#/batches/${b.id}`}>${b.name}</a></td>
                <td><${Badge} kind="status" value=${b.status} />
                    ${b.status === 'evaluating' && ` ${number(
                        b.progress_percentage)} %`}</td>
                <td class="n">${number(b.total_evaluations)}</td>
                <td class="n">${shown(b.results_summary?.average_score)}</td>
                <td>${time(b.created_at)}</td></tr>`)}</tbody></table></div>
            ${page.pager}`
            : html`<${Empty} title=${t('no_batches')} href="#/batches/new"
                action=${t('new_batch')}>${t('no_batches_do')}</${Empty}>`}
        </${Load}></${Page}>`;
}

// --- A new one ---------------------------------------------------------------

// What the service finds out by itself, and what else a column may be.
const FOUND = ['content', 'title', 'description', 'category', 'id', 'metadata'];
const FIELDS = [...FOUND, 'question', 'source', 'reference', 'system',
                'preferred'];
const SEVERAL = ['metadata', 'system'];  // more than one column may be these
const SAMPLE = 200000;                 // bytes that are looked at
const PAUSE = 600;                     // ms before a mapping is tried

export function NewBatch() {
    const [table, setTable] = useState(null);
    const look = useAction(async file => {
        setTable(null);
        let sample = await file.slice(0, SAMPLE).text();
        if (/\.(?:xlsx?|ods|numbers)$/i.test(file.name)
            || sample.startsWith('PK\x03\x04'))
        {
            throw new ApiError('table');
        }
        if (file.size > SAMPLE) {
            sample = sample.slice(0, sample.lastIndexOf('\n') + 1);
        }
        setTable({ file, found: await post('llm/detect-csv-columns', {
            csv_sample: sample, expected_fields: FOUND }) });
    });

    return html`<${Page} wide title=${t('new_batch')} lead=${t('new_batch_lead')}
        back=${['#/batches', t('place_batches')]}>
        <${Card}><${Drop} onFile=${look.act} label=${t('choose_table')}
            accept=".csv,.tsv,.txt,text/csv">
            <p>${table ? html`<b>${table.file.name}</b>` : t('drop_table')}</p>
        </${Drop}></${Card}>
        <${Problem} error=${look.error} />
        ${look.busy && html`<p role="status" class="quiet">${t('reading')}</p>`}
        ${table && html`<${Mapping} key=${table.file.name + table.file.size}
            ...${table} />`}
    </${Page}>`;
}

function Mapping({ file, found }) {
    const columns = useMemo(() => {
        const known = found.detected_columns.map(c => ({
            name: c.csv_column_name, index: c.csv_column_index,
            field: c.mapped_field, samples: c.sample_values,
            sure: c.confidence }));
        const left = found.unmapped_columns.map(name => ({ name, field: '',
                                                           samples: [] }));
        return [...known, ...left];
    }, [found]);
    const [fields, setFields] = useState(columns.map(c => c.field));
    const [name, setName] = useState(file.name.replace(/\.\w+$/, ''));
    const [chosen, setChosen] = useState(new Set());
    const [gone, setGone] = useState(false);         // it is a batch by now
    const list = useData(judges);
    const quality = found.data_quality_insights;

    // A column's name, or its number where names are not unique or can't
    // stand in a list.
    const called = (column, i) => !column.name || column.name.includes(',')
            || columns.filter(c => c.name === column.name).length > 1
        ? `#${(column.index ?? i) + 1}` : column.name;
    const of = field => columns.map((c, i) => fields[i] === field
        && called(c, i)).filter(Boolean);
    const one = Object.fromEntries(FIELDS.filter(f => !SEVERAL.includes(f))
        .map(f => [f, of(f)[0]]));
    const asked = { name: name.trim(), judge_ids: [...chosen].join(','), ...one,
                    metadata: of('metadata').join(','),
                    systems: of('system').join(',') };

    const run = useAction(async () => {
        const batch = await call('POST', 'batches/import' + query({ ...asked,
            empty: 'fail' }), { body: file, type: 'text/csv' });

        setGone(true);
        location.hash = `#/batches/${batch.batch_id}`;
    });
    const twice = FIELDS.filter(f => !SEVERAL.includes(f) && of(f).length > 1);
    const missing = of('system').length === 1 ? t('which_systems')
        : !of('content').length && !of('system').length ? t('which_column')
        : of('content').length && of('system').length ? t('not_both')
        : twice.length ? t('only_one', { field: t(`field_${twice[0]}`) })
        : !chosen.size ? t('which_judge') : !name.trim() ? t('which_name') : '';

    useUnsaved(!gone && (chosen.size > 0 || fields.some((f, i) =>
        f !== columns[i].field)));

    // A live region only tells of what comes into it.
    const [said, say] = useState('');
    useEffect(() => say(`${t('columns')}: ${columns.length}. ${t('columns_lead',
        { n: number(quality.estimated_rows) })}`), []);

    return html`<${Card} title=${t('columns')}>
        <p class="quiet" role="status">${said}</p>
        <div class="scroll" tabindex="0"><table class="list"><thead><tr><th>${t('column')}</th>
            <th>${t('used_as')}</th><th>${t('first_values')}</th></tr></thead>
        <tbody>${columns.map((c, i) => html`<tr key=${i}>
            <td>${c.name || html`<i>${i + 1}</i>`}</td>
            <td><${Choice} id=${`column-${i}`} value=${fields[i]}
                options=${[['', t('not_used')], ...FIELDS.map(f =>
                    [f, t(`field_${f}`)])]}
                onChange=${v => setFields(fields.map((f, at) =>
                    at === i ? v : f))} />
                <label class="hidden" for=${`column-${i}`}>
                    ${t('used_as')}: ${c.name}</label></td>
            <td class="quiet">${c.samples.slice(0, 2).map(s =>
                cut(s, 80)).join(' · ')}</td>
            </tr>`)}</tbody></table></div>
        ${quality.recommendations.map((text, i) => html`
            <p class="quiet" lang="en" key=${i}>${text}</p>`)}
    </${Card}>
    <${Preview} records=${found.import_preview.sample_records} />
    <${Card} title=${t('judged_by_which')}>
        <${Load} of=${list}>${all => all.filter(j => j.content_type === 'text')
            .length ? html`<ul class="picks">${all
                .filter(j => j.content_type === 'text').map(j => html`
                <li key=${j.judge_id}><label><input type="checkbox"
                    checked=${chosen.has(j.judge_id)} onChange=${() => {
                        const next = new Set(chosen);
                        next.delete(j.judge_id) || next.add(j.judge_id);
                        setChosen(next);
                    }} /> ${j.name}</label></li>`)}</ul>`
            : html`<p>${t('no_judges_do')} <${Go} href="#/judges/new">
                ${t('new_judge')}</${Go}></p>`}</${Load}>
        <${Field} label=${t('batch_name')}>${id => html`<input id=${id}
            value=${name} maxlength="200"
            onInput=${e => setName(e.currentTarget.value)} />`}</${Field}>
        ${!missing && html`<${Tried} file=${file} asked=${asked}
            judges=${(list.data ?? []).filter(j => chosen.has(j.judge_id))} />`}
        <${Problem} error=${run.error} />
        <p class="line start"><button type="button" class="main" onClick=${run.act}
            disabled=${run.busy || !!missing}>${run.busy ? t('sending')
                : t('run_batch')}</button>
            <span class="quiet">${missing}</span></p>
    </${Card}>`;
}

// What the table would become: faults and empty cells are found before it is
// judged, and what language models would cost.
function Tried({ file, asked, judges: chosen }) {
    const key = JSON.stringify({ ...asked, name: '' });
    const page = useData(async signal => {
        await new Promise(done => setTimeout(done, PAUSE));
        if (signal.aborted) {
            return null;
        }
        const found = await call('POST', 'batches/import' + query({ ...asked,
            check: true }), { body: file, type: 'text/csv', signal });
        return { found, costs: await expected(chosen, found, signal) };
    }, [file, key]);

    return html`<div aria-live="polite"><${Load} of=${page}>${data => data && html`
        <p>${t('n_items', { n: data.found.items })}
        ${' '}${data.costs === null ? t('no_model_asked')
            : t('would_cost', { tokens: number(data.costs.tokens),
                                cost: money(data.costs.cost) })}</p>
        ${data.found.empty > 0 && html`<${Note} kind="bad">${t('n_empty',
            { n: data.found.empty, rows: data.found.empty_rows.join(', ')
                + (data.found.empty > data.found.empty_rows.length ? ' …' : '')
            })}</${Note}>`}`}</${Load}></div>`;
}

const cut = (text, most) =>
    text.length > most ? `${text.slice(0, most)}…` : text;

const Preview = ({ records }) => records.length ? html`
    <${Card} title=${t('preview')}><ul class="preview">
        ${records.slice(0, 3).map((r, i) => html`<li key=${i}>
            <b>${r.title ?? `${t('row')} ${i + 2}`}</b>
            <p>${cut(r.content ?? '', 300)}</p></li>`)}
    </ul></${Card}>` : null;

// --- One ---------------------------------------------------------------------

export function Batch({ id }) {
    const page = useData(signal => get(`batches/${id}`, { signal }), [id]);
    const list = useData(judges);
    const remove = useAction(async () => {
        await call('DELETE', `batches/${id}`);
        location.hash = '#/batches';
    });
    const again = useAction(async () => {
        await post(`batches/${id}/retry`, {});
        page.reload();
    });
    const start = useAction(async () => {
        await post(`batches/${id}/start`, {});
        page.reload();
    });
    const save = useAction(async format => {
        const answer = await open('GET', `batches/${id}/results?format=${format}`);
        download(`${page.data.name}.${format}`, await answer.blob());
    });

    return html`<${Load} of=${page} place="batches">${batch => html`
        <${Page} wide title=${batch.name} lead=${batch.description}
            back=${['#/batches', t('place_batches')]} actions=${[
                batch.status === 'created' && may('evaluations:write')
                    && html`<button type="button"
                    class="main" key="s" disabled=${start.busy}
                    onClick=${start.act}>${t('start')}</button>`,
                batch.failed_evaluations > 0 && may('evaluations:write')
                    && html`<button type="button"
                    key="a" disabled=${again.busy} onClick=${again.act}>
                    ${t('retry_failed')}</button>`,
                html`<a class="button" key="c" href=${`#/compare?a=${id}`}>
                    ${t('compare')}</a>`,
                html`<span key="e" class="group">${['csv', 'json', 'jsonl'].map(f =>
                    html`<button type="button" key=${f} disabled=${save.busy}
                        aria-label=${`${t('export')}: ${f}`}
                        onClick=${() => save.act(f)}>${f.toUpperCase()}
                        </button>`)}</span>`]}>
            <${Problem} error=${remove.error ?? again.error ?? save.error
                ?? start.error} />
            ${batch.error && html`<div class="note bad" lang="en">
                ${batch.error.message}</div>`}
            <${Progress} key=${batch.status} batch=${batch}
                onDone=${page.reload} />
            <${Table} batch=${batch} named=${namesOf(list.data ?? [])} />
            <${May} to="evaluations:write"><p class="end">
                <${Sure} question=${t('delete_batch_sure')}
                busy=${remove.busy} onSure=${remove.act}>
                ${t('delete_batch')}</${Sure}></p></${May}>
        </${Page}>`}</${Load}>`;
}

function Progress({ batch, onDone }) {
    const [now, setNow] = useState(batch);
    const [link, setLink] = useState('live');
    const [error, setError] = useState(null);

    useEffect(() => {
        if (batch.status !== 'evaluating') {
            return undefined;
        }
        const stop = new AbortController();

        follow(`batches/${batch.id}/events`, stop.signal, (name, data) => {
            if (name === 'progress' || name === 'done') {
                setNow(old => ({ ...old, ...data }));
            }
            if (name === 'done') {
                onDone();
            }
        }, setLink).catch(setError);

        return () => stop.abort();
    }, [batch.id, batch.status]);

    const done = now.completed_evaluations + now.failed_evaluations;

    return html`<div class="stats">
        <${Stat} label=${t('status')} value=${word('status', now.status)}
            note=${link === 'live' ? null : t('cut_off')} />
        <${Stat} label=${t('judged')} value=${`${number(done)} / ${
            number(now.total_evaluations)}`} note=${now.failed_evaluations
            ? t('n_failed', { n: now.failed_evaluations }) : null} />
        <${Stat} label=${t('mean_score')}
            value=${shown(now.results_summary?.average_score)} />
    </div>
    ${now.status === 'evaluating' && html`<progress max="100"
        aria-label=${t('judged')} value=${now.progress_percentage}></progress>`}
    <${Problem} error=${error} />`;
}
