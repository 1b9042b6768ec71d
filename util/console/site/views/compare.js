/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Two judges, or two versions of one, on the same items.

import { html, useMemo, useState } from '../lib/base.js';
import { get, judges, post } from '../lib/api.js';
import { t, number, score as shown } from '../lib/i18n.js';
import { Scatter } from '../lib/charts.js';
import { Card, Choice, ContentName, Empty, Field, Load, Note, Page, Problem,
         Rows, Stat, useAction, useData } from '../lib/ui.js';
import { results } from './batches.js';
import { namesOf } from './evaluations.js';

export function Compare({ query }) {
    const a = query.get('a'), b = query.get('b') ?? a;
    const lists = useData(signal => Promise.all([
        get('batches?limit=100', { signal }), judges(signal)]));

    return html`<${Page} wide title=${t('compare')} lead=${t('compare_lead')}
        back=${a ? [`#/batches/${a}`, t('the_batch')]
                 : ['#/batches', t('place_batches')]}>
        <${Load} of=${lists}>${([{ batches }, all]) => batches.length
            ? html`<${Pair} batches=${batches} all=${all}
                first=${[a ?? batches[0].id, b ?? batches[0].id]} />`
            : html`<${Empty} title=${t('no_batches')} href="#/batches/new"
                action=${t('new_batch')}>${t('no_batches_do')}</${Empty}>`}
        </${Load}></${Page}>`;
}

// What was judged by one judge in one version, as a choice.
function sides(rows, named, batch) {
    const found = new Map();

    for (const r of rows) {
        const id = `${r.judge} ${r.version ?? ''}`;
        if (!found.has(id)) {
            found.set(id, { name: `${named[r.judge] ?? r.judge}${r.version
                ? `, ${t('version_n', { number: r.version })}` : ''}`,
                rows: new Map(), judge: r.judge, batch });
        }
        if (r.overall !== null) {
            found.get(id).rows.set(r.content, r);
        }
    }
    return found;
}

function Pair({ batches, all, first }) {
    const [ids, setIds] = useState(first);
    const named = namesOf(all);
    const page = useData(signal => Promise.all([...new Set(ids)]
        .map(id => results(id, signal))), ids);

    return html`<div class="filters">${[0, 1].map(side => html`
            <${Field} key=${side} label=${t(side ? 'second_batch'
                                                 : 'first_batch')}>
                ${fid => html`<${Choice} id=${fid} value=${ids[side]}
                    options=${batches.map(b => [b.id, b.name])}
                    onChange=${id => setIds(ids.map((old, at) =>
                        at === side ? id : old))} />`}</${Field}>`)}</div>
        <${Load} of=${page}>${found => html`<${Both} key=${ids.join()}
            a=${sides(found[0], named, ids[0])} all=${all} batches=${batches}
            b=${sides(found[found.length - 1], named, ids[1])} ids=${ids} />`}
        </${Load}>`;
}

function Both({ a, b, ids, all, batches }) {
    const same = ids[0] === ids[1];
    const [one, setOne] = useState([...a.keys()][0]);
    const [two, setTwo] = useState([...b.keys()][same ? 1 : 0]
                                   ?? [...b.keys()][0]);
    const left = a.get(one), right = b.get(two);
    const rows = useMemo(() => left && right ? [...left.rows.values()]
        .filter(r => right.rows.has(r.content))
        .map(r => ({ ...r, other: right.rows.get(r.content),
                     gap: right.rows.get(r.content).overall - r.overall }))
        .sort((x, y) => Math.abs(y.gap) - Math.abs(x.gap)) : [], [left, right]);

    return html`<div class="filters">
            <${Field} label=${t('on_the_left')}>${id => html`<${Choice} id=${id}
                value=${one} onChange=${setOne} options=${[...a].map(([k, v]) =>
                    [k, v.name])} />`}</${Field}>
            <${Field} label=${t('on_the_right')}>${id => html`<${Choice} id=${id}
                value=${two} onChange=${setTwo} options=${[...b].map(([k, v]) =>
                    [k, v.name])} />`}</${Field}>
        </div>
        <${Again} batch=${batches.find(x => x.id === ids[0])} all=${all} />
        ${same && one === two ? html`<${Note}>${t('same_twice')}</${Note}>`
          : rows.length ? html`<${Compared} rows=${rows} left=${left}
              right=${right} />`
          : html`<${Note}>${t('nothing_common')}</${Note}>`}`;
}

// The same items once more, by whichever judge in its present version.
function Again({ batch, all }) {
    const [id, setId] = useState(all[0]?.judge_id);
    const run = useAction(async () => {
        const whole = await get(`batches/${batch.id}`);
        const judge = all.find(j => j.judge_id === id);
        const made = await post('batches/evaluate', {
            name: `${batch.name} · ${judge.name} ${judge.version_number}`
                .slice(0, 200), judge_ids: [id],
            content_items: whole.content_ids.map(content_id => ({ content_id })) });

        location.hash = `#/batches/${made.batch_id}`;
    });

    return batch && all.length ? html`<details><summary>${t('judge_same_again')}
        </summary><p class="quiet">${t('judge_same_again_do')}</p>
        <${Problem} error=${run.error} />
        <div class="filters"><${Field} label=${t('judge')}>${fid => html`
            <${Choice} id=${fid} value=${id} onChange=${setId}
                options=${all.map(j => [j.judge_id, j.name])} />`}</${Field}>
            <button type="button" disabled=${run.busy} onClick=${run.act}>
                ${t('run_batch')}</button></div></details>` : null;
}

function Compared({ rows, left, right }) {
    const mean = rows.reduce((sum, r) => sum + r.gap, 0) / rows.length;
    const off = rows.reduce((sum, r) => sum + Math.abs(r.gap), 0) / rows.length;

    return html`<div class="stats">
            <${Stat} label=${t('same_items')} value=${number(rows.length)} />
            <${Stat} label=${t('right_is_higher')} value=${number(mean, 1)}
                note=${t('points')} />
            <${Stat} label=${t('apart')} value=${number(off, 1)}
                note=${t('points')} />
        </div>
        <${Card} title=${t('each_item')}><${Scatter} label=${t('each_item')}
            across=${left.name} up=${right.name}
            points=${rows.map(r => [r.overall, r.other.overall])} /></${Card}>
        <${Card} title=${t('biggest_differences')}>
            <${Rows} rows=${rows} label=${t('biggest_differences')} head=${html`
                <span role="columnheader">${t('content')}</span>
                <span role="columnheader" class="n">${t('left')}</span>
                <span role="columnheader" class="n">${t('right')}</span>
                <span role="columnheader" class="n">±</span>`}>
                ${r => html`<span role="cell"><a href=${`#/evaluations/${r.id}`}>
                        <${ContentName} id=${r.content} /></a></span>
                    <span role="cell" class="n">${shown(r.overall)}</span>
                    <span role="cell" class="n"><a
                        href=${`#/evaluations/${r.other.id}`}>
                        ${shown(r.other.overall)}</a></span>
                    <span role="cell" class="n">${r.gap > 0 ? '+' : ''}${
                        number(r.gap, 0)}</span>`}</${Rows}></${Card}>`;
}
