/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// A batch with a text of each system for every item, as a matrix: an item a
// row, a system a column.

import { html, useMemo, useState } from '../lib/base.js';
import { t, number, percent, score as shown } from '../lib/i18n.js';
import { query } from '../lib/api.js';
import { Card, Choice, Field, Rows } from '../lib/ui.js';

const HEIGHT = 96;                     // px of a row

// Results come in the order of the items: an item ends where one of its
// systems comes again.
function itemsOf(rows) {
    const items = [];
    let last = {};

    for (const row of rows) {
        if (!items.length || last[row.system]) {
            last = {};
            items.push(last);
        }
        last[row.system] = row;
    }
    return items;
}

const about = item => {
    const { name, more } = Object.values(item)[0];
    return [name, more.question ?? more.source ?? ''];
};

// The systems with the highest score of an item, if it has two of them.
function winners(item, of) {
    const scores = Object.entries(item).map(([system, row]) => [system, of(row)])
        .filter(([, v]) => v != null);
    const most = Math.max(...scores.map(([, v]) => v));

    return scores.length < 2 ? []
        : scores.filter(([, v]) => most - v < 0.005).map(([system]) => system);
}

// Of each system its mean, and the share of the items in which nothing is
// better than it; several that are equal share an item.
function totals(items, systems, of) {
    const won = items.map(item => winners(item, of)).filter(w => w.length);

    return systems.map(system => {
        const scores = items.map(item => item[system] && of(item[system]))
            .filter(v => v != null);
        return { system,
            mean: scores.length ? scores.reduce((a, b) => a + b, 0)
                                  / scores.length : null,
            best: won.length ? won.reduce((sum, w) => sum
                + (w.includes(system) ? 1 / w.length : 0), 0) / won.length
                : null };
    });
}

const Cell = ({ row, of, best, liked }) => html`<span role="cell"
    class=${best ? 'cell best' : 'cell'}>${row ? html`
        <a href=${`#/evaluations/${row.id}`}><b>${row.status === 'completed'
            ? shown(of(row)) : t(`status_${row.bare ? 'unjudged' : row.status}`)}
            </b></a>
        ${best && html` <span class="badge good">${t('best')}</span>`}
        ${liked && html` <span class="badge">${t('people')}</span>`}
        <span class="quiet clip">${row.excerpt}</span>` : '–'}</span>`;

export function Matrix({ batch, rows, named }) {
    const judges = useMemo(() => [...new Set(rows.map(r => r.judge))], [rows]);
    const systems = useMemo(() =>
        [...new Set(rows.map(r => r.system))].filter(Boolean), [rows]);
    const criteria = useMemo(() =>
        [...new Set(rows.flatMap(r => Object.keys(r.scores)))], [rows]);
    const [judge, setJudge] = useState('');
    const [by, setBy] = useState('');
    const of = row => by ? row.scores[by] ?? null : row.overall;
    const chosen = judges.includes(judge) ? judge : judges[0];
    const items = useMemo(() => itemsOf(rows.filter(r =>
        r.system && r.judge === chosen)), [rows, chosen]);

    return html`<${Card} title=${t('matrix')} aside=${html`<a
            href=${`#/ranking/${batch}${query({ judge: chosen })}`}>
            ${t('ranking')}</a>`}>
        <p class="quiet">${t('matrix_lead')}</p>
        <div class="filters">
            <${Field} label=${t('score_of')}>${id => html`<${Choice} id=${id}
                value=${by} onChange=${setBy} options=${[['', t('overall')],
                    ...criteria.map(c => [c, c])]} />`}</${Field}>
            ${judges.length > 1 && html`<${Field} label=${t('judge')}>
                ${id => html`<${Choice} id=${id} value=${chosen}
                    onChange=${setJudge} options=${judges.map(j =>
                        [j, named[j] ?? j])} />`}</${Field}>`}
        </div>
        <${Rows} rows=${items} label=${t('matrix')} height=${HEIGHT}
            className="matrix" width=${`${12 + 13 * systems.length}rem`}
            head=${html`<span role="columnheader" class="cell">${t('item')}</span>
                ${totals(items, systems, of).map(s => html`
                    <span role="columnheader" key=${s.system} class="cell">
                        <b>${s.system}</b> <span class="clip">${t('matrix_head', {
                            mean: number(s.mean, 1),
                            best: percent(s.best) })}</span></span>`)}`}>
            ${item => {
                const [name, asks] = about(item);
                const best = winners(item, of);
                const liked = Object.values(item)[0].preferred;
                return html`<span role="cell" class="cell">${name}
                        <span class="quiet clip">${asks}</span></span>
                    ${systems.map(s => html`<${Cell} key=${s} row=${item[s]}
                        of=${of} best=${best.length === 1 && best[0] === s}
                        liked=${liked === s} />`)}`;
            }}</${Rows}></${Card}>`;
}
