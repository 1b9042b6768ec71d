/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Batches: a table of texts in, scores out, followed while they come.

import { html, useEffect, useMemo, useState } from '../lib/base.js';
import { call, follow, get, judges, objects, open, post, query }
    from '../lib/api.js';
import { t, word, number, score as shown, time } from '../lib/i18n.js';
import { Histogram } from '../lib/charts.js';
import { Badge, Card, Choice, ContentExcerpt, ContentName, Drop, Empty, Field, Load, Note, Page,
         Problem, Rows, Stat, Sure, download, useAction, useData, usePages }
    from '../lib/ui.js';
import { namesOf } from './evaluations.js';

export function Batches() {
    const page = usePages((cursor, signal) =>
        get('batches' + query({ limit: 25, cursor }), { signal }), []);

    return html`<${Page} title=${t('place_batches')} lead=${t('batches_lead')}
        actions=${html`<a class="button main" href="#/batches/new">
            ${t('new_batch')}</a>`}>
        <${Load} of=${page}>${data => data.batches.length
            ? html`<div class="scroll"><table class="list"><thead><tr>
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

const FIELDS = ['content', 'title', 'description', 'category', 'id', 'metadata'];
const SAMPLE = 200000;                 // bytes that are looked at

export function NewBatch() {
    const [table, setTable] = useState(null);
    const look = useAction(async file => {
        let sample = await file.slice(0, SAMPLE).text();
        if (file.size > SAMPLE) {
            sample = sample.slice(0, sample.lastIndexOf('\n') + 1);
        }
        setTable({ file, found: await post('llm/detect-csv-columns', {
            csv_sample: sample, expected_fields: FIELDS }) });
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
    const list = useData(judges);
    const quality = found.data_quality_insights;

    // A column's name, or its number where names are not unique or empty.
    const called = column => column.index !== undefined && (!column.name
            || columns.filter(c => c.name === column.name).length > 1)
        ? `#${column.index + 1}` : column.name;
    const of = field => columns.filter((c, i) => fields[i] === field).map(called);

    const run = useAction(async () => {
        const one = Object.fromEntries(FIELDS.filter(f => f !== 'metadata')
            .map(f => [f, of(f)[0]]));
        const batch = await call('POST', 'batches/import' + query({
            name: name.trim(), judge_ids: [...chosen].join(','), ...one,
            metadata: of('metadata').join(',') }),
            { body: file, type: 'text/csv' });

        location.hash = `#/batches/${batch.batch_id}`;
    });
    const twice = FIELDS.slice(0, -1).filter(f => of(f).length > 1);
    const missing = !of('content').length ? t('which_column')
        : twice.length ? t('only_one', { field: t(`field_${twice[0]}`) })
        : !chosen.size ? t('which_judge') : !name.trim() ? t('which_name') : '';

    return html`<${Card} title=${t('columns')}>
        <p class="quiet">${t('columns_lead', {
            n: number(quality.estimated_rows) })}</p>
        <div class="scroll"><table class="list"><thead><tr><th>${t('column')}</th>
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
            <p class="quiet" key=${i}>${text}</p>`)}
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
            : html`<p>${t('no_judges_do')} <a href="#/judges/new">
                ${t('new_judge')}</a></p>`}</${Load}>
        <${Field} label=${t('batch_name')}>${id => html`<input id=${id}
            value=${name} maxlength="200"
            onInput=${e => setName(e.currentTarget.value)} />`}</${Field}>
        <${Problem} error=${run.error} />
        <p class="line start"><button type="button" class="main" onClick=${run.act}
            disabled=${run.busy || !!missing}>${run.busy ? t('sending')
                : t('run_batch')}</button>
            <span class="quiet">${missing}</span></p>
    </${Card}>`;
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

const KEPT = 20000;                    // rows that are kept to be sorted
const COLUMNS = 4;                     // criteria with a column of their own

// Of an evaluation only what the table shows is kept.
const compact = e => ({
    id: e.evaluation_id, content: e.content_id, judge: e.judge_id,
    version: e.judge_version ?? e.provenance?.judge_version, status: e.status, overall: e.overall_score ?? null,
    scores: Object.fromEntries((e.criteria_scores ?? []).map(c =>
        [c.name, c.score])), review: e.needs_review,
    part: e.coverage !== undefined && e.coverage < 1 });

async function results(id, signal) {
    const rows = [];

    for await (const e of objects(`batches/${id}/results?format=jsonl`,
                                  { signal }))
    {
        rows.push(compact(e));
        if (rows.length >= KEPT) {
            break;
        }
    }
    return rows;
}

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
                batch.status === 'created' && html`<button type="button"
                    class="main" key="s" disabled=${start.busy}
                    onClick=${start.act}>${t('start')}</button>`,
                batch.failed_evaluations > 0 && html`<button type="button"
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
            ${batch.error && html`<div class="note bad">
                ${batch.error.message}</div>`}
            <${Progress} key=${batch.status} batch=${batch}
                onDone=${page.reload} />
            <${Table} batch=${batch} named=${namesOf(list.data ?? [])} />
            <p class="end"><${Sure} question=${t('delete_batch_sure')}
                busy=${remove.busy} onSure=${remove.act}>
                ${t('delete_batch')}</${Sure}></p>
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

function Table({ batch, named }) {
    const [tick, setTick] = useState(0);
    const page = useData(signal => results(batch.id, signal),
                         [batch.id, batch.status, tick]);

    // While it runs, the rows are read anew now and then.
    useEffect(() => {
        if (batch.status !== 'evaluating') {
            return undefined;
        }
        const timer = setInterval(() => setTick(n => n + 1),
            batch.total_evaluations > 2000 ? 15000 : 4000);
        return () => clearInterval(timer);
    }, [batch.status]);

    return html`<${Load} of=${page}>${rows => html`
        ${rows.length >= KEPT && html`<${Note}>${t('first_rows',
            { n: number(KEPT) })}</${Note}>`}
        <${ResultTable} rows=${rows} named=${named} />`}</${Load}>`;
}

function ResultTable({ rows, named }) {
    const criteria = useMemo(() =>
        [...new Set(rows.flatMap(r => Object.keys(r.scores)))].slice(0, 12),
        [rows]);
    const ids = useMemo(() => [...new Set(rows.map(r => r.judge))], [rows]);
    const [order, setOrder] = useState('as_given');
    const [by, setBy] = useState('');
    const [judge, setJudge] = useState('');
    const [below, setBelow] = useState(100);
    const [status, setStatus] = useState('');
    const of = (row, name) => name ? row.scores[name] ?? null : row.overall;
    const columns = ['', ...criteria.slice(0, COLUMNS)];
    const has = { '': () => true, review: r => r.review, part: r => r.part };

    const found = useMemo(() => {
        const kept = rows.filter(r => (!judge || r.judge === judge)
            && (has[status] ?? (row => row.status === status))(r)
            && (below >= 100 || of(r, by) !== null && of(r, by) <= below));
        const sign = order === 'lowest' ? 1 : -1;

        return order === 'as_given' ? kept : [...kept].sort((a, b) =>
            sign * ((of(a, by) ?? 101 * sign) - (of(b, by) ?? 101 * sign)));
    }, [rows, order, by, judge, below, status]);
    const scored = found.filter(r => r.status === 'completed');

    return html`<${Card} title=${t('how_scores_lie')}>
        <div class="histograms">${['', ...criteria].map(name => html`
            <button type="button" key=${name} aria-pressed=${by === name}
                onClick=${() => setBy(name)}>
                <span>${name || t('overall')}</span>
                <${Histogram} label=${name || t('overall')} values=${scored
                    .map(r => of(r, name)).filter(v => v != null)} /></button>`)}
        </div></${Card}>
    <${Card} title=${t('items')} aside=${html`<span class="quiet">
            ${number(found.length)} / ${number(rows.length)}</span>`}>
        <div class="filters">
            <${Field} label=${t('order')}>${id => html`<${Choice} id=${id}
                value=${order} onChange=${setOrder} options=${['as_given', 'lowest',
                    'highest'].map(o => [o, t(o)])} />`}</${Field}>
            <${Field} label=${t('by')}>${id => html`<${Choice} id=${id}
                value=${by} onChange=${setBy} options=${[['', t('overall')],
                    ...criteria.map(c => [c, c])]} />`}</${Field}>
            ${ids.length > 1 && html`<${Field} label=${t('judge')}>${id => html`
                <${Choice} id=${id} value=${judge} onChange=${setJudge}
                    options=${[['', t('all')], ...ids.map(i =>
                        [i, named[i] ?? i])]} />`}</${Field}>`}
            <${Field} label=${t('status')}>${id => html`<${Choice} id=${id}
                value=${status} onChange=${setStatus} options=${[['', t('all')],
                    ...['processing', 'completed', 'failed', 'review', 'part']
                        .map(s => [s, t(`status_${s}`)])]} />`}</${Field}>
            <${Field} label=${t('at_most', { n: below })}>${id => html`
                <input id=${id} type="range" min="0" max="100" value=${below}
                    onInput=${e => setBelow(Number(e.currentTarget.value))} />`}
            </${Field}>
        </div>
        ${found.length ? html`<${Rows} rows=${found} label=${t('items')}
            head=${html`<span role="columnheader">${t('content')}</span>
                ${ids.length > 1 && html`<span role="columnheader">${t('judge')}
                    </span>`}
                ${columns.map(name => html`<span role="columnheader" key=${name}
                    class="n" aria-sort=${by !== name || order === 'as_given'
                        ? 'none' : order === 'lowest' ? 'ascending'
                                                      : 'descending'}>
                    <button type="button" class="plain"
                        title=${name || t('overall')} onClick=${() => {
                            setBy(name);
                            setOrder(by === name && order === 'lowest'
                                     ? 'highest' : 'lowest');
                        }}>${name || t('overall')}</button></span>`)}`}>
            ${row => html`<span role="cell"><a
                    href=${`#/evaluations/${row.id}`}>
                    <${ContentName} id=${row.content} /></a>
                    ${row.review && html` <span class="badge review">
                        ${t('look_at_it')}</span>`}
                    <${ContentExcerpt} id=${row.content} /></span>
                ${ids.length > 1 && html`<span role="cell">
                    ${named[row.judge] ?? ''}</span>`}
                <span role="cell" class="n">${row.status === 'completed'
                    ? html`<b>${shown(row.overall)}</b>`
                    : word('status', row.status)}</span>
                ${columns.slice(1).map(name => html`<span role="cell"
                    key=${name} class="n">${shown(row.scores[name])}</span>`)}`}
        </${Rows}>` : html`<p class="quiet">${t('nothing_fits')}</p>`}
    </${Card}>`;
}

