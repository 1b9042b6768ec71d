/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// The results of a batch as a table: with what came with each row, to be
// searched, filtered and sorted by every column.

import { html, useEffect, useMemo, useState } from '../lib/base.js';
import { objects } from '../lib/api.js';
import { t, word, number, score as shown } from '../lib/i18n.js';
import { Histogram } from '../lib/charts.js';
import { Asked } from '../lib/costs.js';
import { Card, Choice, Field, Load, Note, Rows, useData } from '../lib/ui.js';
import { Matrix } from './matrix.js';
import { BESIDE } from './result.js';

const KEPT = 20000;                    // rows that are kept to be sorted
const MORE = 8;                        // columns of the row that are shown
const BARS = 12;                       // criteria whose scores are drawn

// Metadata that is no column of its own.
const OWN = ['id', 'system', 'preferred', 'messages'];

const plain = value => typeof value === 'string' ? value
    : value === undefined ? '' : JSON.stringify(value);

// Of an evaluation only what the table shows is kept.
const compact = e => {
    const about = e.content?.metadata ?? {};

    return {
        id: e.evaluation_id, content: e.content_id, judge: e.judge_id,
        name: e.content?.name, excerpt: e.content?.excerpt ?? '',
        own: plain(about.id), system: about.system,
        preferred: about.preferred,
        more: Object.fromEntries(Object.entries(about)
            .filter(([key]) => !OWN.includes(key))
            .map(([key, value]) => [key, plain(value).slice(0, 300)])),
        status: e.status, bare: e.error?.code === 'NOT_JUDGED',
        error: e.error?.message, overall: e.overall_score ?? null,
        scores: Object.fromEntries((e.criteria_scores ?? []).map(c =>
            [c.name, c.score])), review: e.needs_review,
        part: e.coverage !== undefined && e.coverage < 1,
        asked: e.provenance?.engine === 'llm' || !!e.decided_by?.model,
        model: e.provenance?.fallback_model ?? e.provenance?.model,
        tokens: e.provenance?.tokens_used ?? 0 };
};

async function results(id, signal) {
    const rows = [];

    for await (const e of objects(`batches/${id}/results?format=jsonl`
                                  + '&contents=true', { signal }))
    {
        rows.push(compact(e));
        if (rows.length >= KEPT) {
            break;
        }
    }
    return rows;
}

export function Table({ batch, named }) {
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
        <${Asked} rows=${rows} />
        ${rows.some(r => r.system) && html`<${Matrix} rows=${rows}
            batch=${batch.id} named=${named} />`}
        <${ResultTable} rows=${rows} named=${named} />`}</${Load}>`;
}

// --- Columns -----------------------------------------------------------------

// The columns behind the name: those of the row, then the scores.
function columnsOf(rows, several, named) {
    const criteria = [...new Set(rows.flatMap(r => Object.keys(r.scores)))];
    const there = new Set(rows.flatMap(r => Object.keys(r.more)));
    const more = [...BESIDE.filter(name => there.delete(name)), ...there];
    const text = (key, label, of) => ({ key, label, of, text: true });

    return [
        ...rows.some(r => r.own) ? [text(':id', t('field_id'), r => r.own)] : [],
        ...rows.some(r => r.system)
            ? [text(':system', t('system'), r => r.system ?? '')] : [],
        ...several ? [text(':judge', t('judge'), r => named[r.judge] ?? '')] : [],
        ...more.slice(0, MORE).map(name => text(`:${name}`,
            BESIDE.includes(name) ? t(name) : word('field', name), r => r.more[name] ?? '')),
        { key: '', label: t('overall'), of: r => r.overall },
        ...criteria.map(name => ({ key: name, label: name,
                                   of: r => r.scores[name] ?? null })),
    ];
}

const lacks = value => value === null || value === '';

// Texts by their numbers where they have some; what is missing is last.
function compare(a, b, sign) {
    if (lacks(a) || lacks(b)) {
        return lacks(a) - lacks(b);
    }
    return sign * (typeof a === 'number' ? a - b
        : a.localeCompare(b, undefined, { numeric: true }));
}

const FITS = {
    '': () => true,
    review: r => r.review,
    part: r => r.part,
    failed: r => r.status === 'failed' && !r.bare,
    unjudged: r => r.bare,
    processing: r => r.status === 'processing',
    completed: r => r.status === 'completed',
};

const has = (row, words) => {
    const text = [row.name, row.own, row.system, row.excerpt,
                  ...Object.values(row.more)].join('\n').toLowerCase();
    return words.every(w => text.includes(w));
};

// --- The table ---------------------------------------------------------------

const Head = ({ columns, by, order, onSort }) => html`
    <span role="columnheader">${t('content')}</span>
    ${columns.map(c => html`<span role="columnheader" key=${c.key}
        class=${c.text ? '' : 'n'} aria-sort=${by !== c.key
            || order === 'as_given' ? 'none'
            : order === 'lowest' ? 'ascending' : 'descending'}>
        <button type="button" class="plain" title=${c.label}
            onClick=${() => onSort(c.key)}>${c.label}</button></span>`)}`;

const Cell = ({ row, column: c }) => c.text
    ? html`<span role="cell" title=${c.of(row)}>${c.of(row)}</span>`
    : html`<span role="cell" class="n">${c.key !== '' ? shown(c.of(row))
        : row.status === 'completed' ? html`<b>${shown(row.overall)}</b>`
        : html`<span class=${`badge ${row.status}`}>${row.bare
            ? t('status_unjudged') : word('status', row.status)}</span>`}</span>`;

function ResultTable({ rows, named }) {
    const ids = useMemo(() => [...new Set(rows.map(r => r.judge))], [rows]);
    const columns = useMemo(() => columnsOf(rows, ids.length > 1, named),
                            [rows, named]);
    const scores = columns.filter(c => !c.text);
    const [order, setOrder] = useState('as_given');
    const [by, setBy] = useState('');
    const [judge, setJudge] = useState('');
    const [words, setWords] = useState('');
    const [below, setBelow] = useState('');
    const [status, setStatus] = useState('');
    const chosen = columns.find(c => c.key === by) ?? scores[0];
    const judged = chosen.text ? scores[0] : chosen;

    const found = useMemo(() => {
        const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
        const kept = rows.filter(r => (!judge || r.judge === judge)
            && FITS[status](r) && has(r, wanted)
            && (below === '' || !lacks(judged.of(r))
                                && judged.of(r) < Number(below)));
        const sign = order === 'lowest' ? 1 : -1;

        return order === 'as_given' ? kept : [...kept].sort((a, b) =>
            compare(chosen.of(a), chosen.of(b), sign));
    }, [rows, columns, order, by, judge, words, below, status]);
    const scored = found.filter(r => r.status === 'completed');
    const sort = key => {
        setBy(key);
        setOrder(by === key && order === 'lowest' ? 'highest' : 'lowest');
    };
    const texts = columns.length - scores.length;

    return html`<${Card} title=${t('how_scores_lie')}>
        <div class="histograms">${scores.slice(0, BARS).map(c => html`
            <button type="button" key=${c.key} aria-pressed=${by === c.key}
                onClick=${() => setBy(c.key)}>
                <span>${c.label}</span>
                <${Histogram} label=${c.label} values=${scored.map(c.of)
                    .filter(v => v != null)} /></button>`)}
        </div></${Card}>
    <${Card} title=${t('items')} aside=${html`<span class="quiet"
            role="status">${number(found.length)} / ${number(rows.length)}
            </span>`}>
        <div class="filters">
            <${Field} label=${t('search')}>${id => html`<input id=${id}
                type="search" value=${words} onInput=${e =>
                    setWords(e.currentTarget.value)} />`}</${Field}>
            <${Field} label=${t('status')}>${id => html`<${Choice} id=${id}
                value=${status} onChange=${setStatus} options=${[['', t('all')],
                    ...['processing', 'completed', 'failed', 'unjudged',
                        'review', 'part'].map(s => [s, t(`status_${s}`)])]} />`}
            </${Field}>
            <${Field} label=${t('score_below')}>${id => html`<input id=${id}
                type="number" min="0" max="100" value=${below}
                placeholder=${judged.label} onInput=${e =>
                    setBelow(e.currentTarget.value)} />`}</${Field}>
            <${Field} label=${t('order')}>${id => html`<${Choice} id=${id}
                value=${order} onChange=${setOrder} options=${['as_given', 'lowest',
                    'highest'].map(o => [o, t(o)])} />`}</${Field}>
            <${Field} label=${t('by')}>${id => html`<${Choice} id=${id}
                value=${by} onChange=${setBy} options=${columns.map(c =>
                    [c.key, c.label])} />`}</${Field}>
            ${ids.length > 1 && html`<${Field} label=${t('judge')}>${id => html`
                <${Choice} id=${id} value=${judge} onChange=${setJudge}
                    options=${[['', t('all')], ...ids.map(i =>
                        [i, named[i] ?? i])]} />`}</${Field}>`}
        </div>
        ${found.length ? html`<${Rows} rows=${found} label=${t('items')}
            width=${`${17 + 8 * texts + 6.5 * scores.length}rem`}
            head=${html`<${Head} columns=${columns} by=${by} order=${order}
                onSort=${sort} />`}>
            ${row => html`<span role="cell"><a
                    href=${`#/evaluations/${row.id}`}>
                    ${row.name ?? html`<i>${t('no_content')}</i>`}</a>
                    ${row.review && html` <span class="badge review">
                        ${t('look_at_it')}</span>`}
                    ${' '}<span class="quiet">${row.status === 'failed'
                        && row.error || row.excerpt}</span></span>
                ${columns.map(c => html`<${Cell} key=${c.key} row=${row}
                    column=${c} />`)}`}
        </${Rows}>` : html`<p class="quiet">${t('nothing_fits')}</p>`}
    </${Card}>`;
}
