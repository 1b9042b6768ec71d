/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Two judges, or two versions of one, on the same items.

import { html, useState } from '../lib/base.js';
import { get, judges, may, post, query } from '../lib/api.js';
import { t, number, percent, score as shown, word } from '../lib/i18n.js';
import { Scatter } from '../lib/charts.js';
import { Badge, Card, Choice, ContentExcerpt, ContentName, Empty, Field, Load,
         Note, Page, Problem, Rows, Stat, useAction, useData }
    from '../lib/ui.js';
import { namesOf } from './evaluations.js';

const LIKELY = 10;                     // batches that are looked at for a pair

export function Compare({ query: given }) {
    const a = given.get('a'), b = given.get('b');
    const lists = useData(async signal => {
        const [{ batches }, all] = await Promise.all([
            get('batches?limit=100', { signal }), judges(signal)]);
        for (const id of [a, b]) {
            if (id && !batches.some(x => x.id === id)) {
                batches.push(await get(`batches/${id}`, { signal }));
            }
        }
        return { batches, all, pair: !batches.length || a && b ? [a, b]
            : await partner(a ?? batches[0].id, batches, signal) };
    }, [a, b]);

    return html`<${Page} wide title=${t('compare')} lead=${t('compare_lead')}
        back=${a ? [`#/batches/${a}`, t('the_batch')]
                 : ['#/batches', t('place_batches')]}>
        <${Load} of=${lists}>${({ batches, all, pair }) => batches.length
            ? html`<${Pair} key=${pair.join()} batches=${batches} all=${all}
                first=${pair} />`
            : html`<${Empty} title=${t('no_batches')} href="#/batches/new"
                action=${t('new_batch')}>${t('no_batches_do')}</${Empty}>`}
        </${Load}></${Page}>`;
}

// With the batch that shares most contents with it, the earlier one first; a
// batch of several judges that shares none is compared with itself.
async function partner(id, batches, signal) {
    const own = await get(`batches/${id}`, { signal });
    const contents = new Set(own.content_ids);
    let best = own.judge_ids.length > 1 ? own : null, most = 0;

    for (const other of batches.filter(x => x.id !== id
        && ['completed', 'failed'].includes(x.status)).slice(0, LIKELY))
    {
        const { content_ids } = await get(`batches/${other.id}`, { signal });
        const n = content_ids.filter(c => contents.has(c)).length;
        if (n > most || !best) {
            [best, most] = [other, n];
        }
    }
    return [own, best ?? own].sort((x, y) =>
        x.created_at < y.created_at ? -1 : 1).map(x => x.id);
}

function Pair({ batches, all, first }) {
    const [ids, setIds] = useState(first);
    const [chosen, setChosen] = useState(['', '']);
    const named = namesOf(all);
    const two = ids.map(id => batches.find(x => x.id === id));
    const same = ids[0] === ids[1];
    const by = two.map((batch, side) => chosen[side]
        || batch.judge_ids[same && side ? batch.judge_ids.length - 1 : 0]);
    const set = (list, side, value) => list.map((old, at) =>
        at === side ? value : old);

    return html`<div class="filters">${[0, 1].map(side => html`
            <${Field} key=${side} label=${t(side ? 'second_batch'
                                                 : 'first_batch')}>
                ${fid => html`<${Choice} id=${fid} value=${ids[side]}
                    options=${batches.map(b => [b.id, b.name])}
                    onChange=${id => { setIds(set(ids, side, id));
                                       setChosen(set(chosen, side, '')); }} />`}
            </${Field}>
            ${two[side].judge_ids.length > 1 && html`<${Field}
                label=${t(side ? 'on_the_right' : 'on_the_left')}>
                ${fid => html`<${Choice} id=${fid} value=${by[side]}
                    options=${two[side].judge_ids.map(j => [j, named[j] ?? j])}
                    onChange=${j => setChosen(set(by, side, j))} />`}
            </${Field}>`}`)}</div>
        <${Again} batch=${two[0]} all=${all} />
        ${same && by[0] === by[1]
            ? html`<${Note}>${t('same_twice')}</${Note}>`
            : html`<${Difference} key=${[...ids, ...by].join()} ids=${ids}
                by=${by} named=${named} />`}`;
}

function Difference({ ids, by, named }) {
    const page = useData(signal => get(`batches/${ids[1]}/difference` + query({
        against: ids[0], judge_id: by[1], against_judge_id: by[0],
        limit: 1000 }), { signal }), [...ids, ...by]);

    return html`<${Load} of=${page}>${d => d.matched
        ? html`<${Compared} d=${d} named=${named} />`
        : html`<${Note}>${t('nothing_common')}</${Note}>`}</${Load}>`;
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

    return batch && all.length && may('evaluations:write') ? html`<details><summary>${t('judge_same_again')}
        </summary><p class="quiet">${t('judge_same_again_do')}</p>
        <${Problem} error=${run.error} />
        <div class="filters"><${Field} label=${t('judge')}>${fid => html`
            <${Choice} id=${fid} value=${id} onChange=${setId}
                options=${all.map(j => [j.judge_id, j.name])} />`}</${Field}>
            <button type="button" disabled=${run.busy} onClick=${run.act}>
                ${t('run_batch')}</button></div></details>` : null;
}

const signed = value => value === undefined ? '–'
    : `${value > 0 ? '+' : ''}${number(value, 1)}`;
const between = d => d.low === undefined ? null
    : t('from_to', { low: signed(d.low), high: signed(d.high) });
const chance = p => p < 0.01 ? `< ${percent(0.01)}` : percent(p);

function Compared({ d, named }) {
    const name = side => `${named[side.judge_id] ?? side.judge_id}, ${
        t('version_n', { number: side.version_number })}`;
    const { batch, against } = d.overall.not_judged;
    const pairs = d.items.filter(i => i.difference !== undefined);

    return html`${d.engines_differ && html`<${Note}>${t('engines_differ')}
            </${Note}>`}
        ${!d.complete && html`<${Note}>${t('first_compared')}</${Note}>`}
        ${batch + against > 0 && html`<${Note}>${t('pairs_not_judged',
            { first: number(against), second: number(batch) })}</${Note}>`}
        <div class="stats">
            <${Stat} label=${t('same_items')} value=${number(d.overall.items)} />
            <${Stat} label=${t('right_is_higher')}
                value=${signed(d.overall.difference)} note=${between(d.overall)} />
            <${Stat} label=${t('verdict')}
                value=${word('second_is', d.overall.verdict)}
                note=${t('chance', { p: chance(d.overall.p) })} />
        </div>
        <p class="quiet">${t('left')}: ${name(d.against)} ·${' '}
            ${t('right')}: ${name(d.batch)}</p>
        <${Card} title=${t('by_criterion')}><div class="scroll" tabindex="0">
            <table class="list"><thead><tr><th>${t('criterion')}</th>
            <th class="n">${t('left')}</th><th class="n">${t('right')}</th>
            <th class="n">${t('right_is_higher')}</th>
            <th class="n">${t('share_better')}</th>
            <th class="n">${t('share_worse')}</th><th>${t('verdict')}</th>
            </tr></thead><tbody>${[{ ...d.overall, name: t('overall') },
                                   ...d.criteria].map(c => html`
            <tr key=${c.criterion_id ?? ''}><td>${c.name}</td>
                <td class="n">${shown(c.against_mean)}</td>
                <td class="n">${shown(c.mean)}</td>
                <td class="n">${signed(c.difference)}
                    <span class="quiet"> ${between(c)}</span></td>
                <td class="n">${percent(c.better)}</td>
                <td class="n">${percent(c.worse)}</td>
                <td>${c.items > 0 && html`<${Badge} kind="second_is"
                    value=${c.verdict} />`}</td>
            </tr>`)}</tbody></table></div></${Card}>
        <${Card} title=${t('each_item')}><${Scatter} label=${t('each_item')}
            across=${name(d.against)} up=${name(d.batch)}
            points=${pairs.map(r => [r.against.score, r.batch.score])} /></${Card}>
        <${Biggest} items=${d.items} names=${[name(d.against), name(d.batch)]}
            />`;
}

// The items that differ most, and of one of them both texts beside each other.
function Biggest({ items, names }) {
    const [at, setAt] = useState(items[0]);

    return html`<${Card} title=${t('biggest_differences')}>
            <${Rows} rows=${items} label=${t('biggest_differences')}
                width="31rem" most=${264} head=${html`
                <span role="columnheader">${t('content')}</span>
                <span role="columnheader" class="n">${t('left')}</span>
                <span role="columnheader" class="n">${t('right')}</span>
                <span role="columnheader" class="n">±</span>
                <span role="columnheader"><span class="hidden">
                    ${t('actions')}</span></span>`}>
                ${r => html`<span role="cell"><a
                        href=${`#/evaluations/${r.batch.evaluation_id}`}>
                        <${ContentName} id=${r.batch.content_id} /></a>
                        <${ContentExcerpt} id=${r.batch.content_id} /></span>
                    ${[r.against, r.batch].map((e, i) => html`
                        <span role="cell" class="n" key=${i}><a
                            href=${`#/evaluations/${e.evaluation_id}`}>
                            ${shown(e.score)}</a></span>`)}
                    <span role="cell" class="n">${r.difference > 0 ? '+' : ''}${
                        shown(r.difference)}</span>
                    <span role="cell"><button type="button"
                        aria-pressed=${r === at} onClick=${() => setAt(r)}>
                        ${t('texts')}</button></span>`}</${Rows}></${Card}>
        ${at && html`<${Beside} key=${at.batch.evaluation_id} item=${at}
            names=${names} />`}`;
}

const both = (item, signal) => Promise.all([item.against, item.batch].map(
    async side => {
        const [evaluation, content] = await Promise.all([
            get(`evaluations/${side.evaluation_id}`, { signal }),
            get(`content/${side.content_id}`, { signal }).catch(() => null)]);
        return { evaluation, content };
    }));

// The criteria of both sides by their names, in the order of the first.
const scoresOf = pages => [...new Set(pages.flatMap(p =>
    (p.evaluation.criteria_scores ?? []).map(c => c.name)))].map(name =>
    [name, ...pages.map(p => p.evaluation.criteria_scores?.find(c =>
        c.name === name))]);

function Beside({ item, names }) {
    const page = useData(signal => both(item, signal), []);

    return html`<${Card} title=${t('texts_beside')}><${Load} of=${page}>
        ${pages => html`<div class="pair-texts">${pages.map((p, i) => html`
            <section key=${i}><h3>${names[i]} <b class="score">${shown(
                    p.evaluation.overall_score)}</b></h3>
                <p class="quiet">${p.content?.name ?? t('no_content')}</p>
                <div class="text" tabindex="0" role="region"
                    aria-label=${`${t('the_text')}: ${names[i]}`}>${
                    p.content?.text_content ?? t('no_text')}</div>
            </section>`)}</div>
        <div class="scroll" tabindex="0"><table class="list"><thead><tr>
            <th>${t('criterion')}</th>${names.map((name, i) => html`
                <th key=${i}>${name}</th>`)}</tr></thead>
            <tbody>${scoresOf(pages).map(([name, ...sides]) => html`
                <tr key=${name}><td>${name}</td>${sides.map((c, i) => html`
                    <td key=${i}><b class="score">${shown(c?.score)}</b>
                        ${' '}${c?.feedback}</td>`)}</tr>`)}</tbody>
            </table></div>`}</${Load}></${Card}>`;
}
