/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Which text is the better one, by a judge and by people; and which system
// writes the better ones.

import { html, useEffect, useState } from '../lib/base.js';
import { call, get, judges, post, query } from '../lib/api.js';
import { t, number, percent, score as shown, time, word }
    from '../lib/i18n.js';
import { Badge, Card, Choice, Empty, Field, Go, Load, May, Note, Page, Problem,
         ScoreBar, Stat, Sure, Tabs, useAction, useData, usePages,
         useUnsaved } from '../lib/ui.js';
import { namesOf } from './evaluations.js';

const FEWEST = 2, MOST = 16;           // candidates
const AGAIN = 2000;                    // ms until what goes on is read again

export const ListTabs = ({ at }) => html`<${Tabs} at=${at} items=${[
    ['batches', '#/batches', t('place_batches')],
    ['comparisons', '#/comparisons', t('comparisons')]]} />`;

export function Comparisons() {
    const list = useData(judges);
    const page = usePages((cursor, signal) =>
        get('comparisons' + query({ limit: 25, cursor }), { signal }), []);
    const named = namesOf(list.data ?? []);
    const links = c => c.judge_ids.length === 1
        ? html`<a href=${`#/comparisons/${c.id}`}>${c.name}</a>`
        : html`${c.name} ${c.judge_ids.map(id => html`<a key=${id}
            href=${`#/comparisons/${c.id}?judge=${id}`}>${named[id] ?? id}
            </a> `)}`;

    return html`<${Page} title=${t('comparisons')}
        lead=${t('comparisons_lead')} actions=${html`<${Go} class="button main"
            href="#/comparisons/new">${t('new_comparison')}</${Go}>`}>
        <${ListTabs} at="comparisons" />
        <${Load} of=${page}>${data => data.comparisons.length
            ? html`<div class="scroll" tabindex="0"><table class="list"><thead><tr>
                <th>${t('name')}</th><th>${t('status')}</th>
                <th>${t('candidates')}</th><th class="n">${t('items')}</th>
                <th>${t('when')}</th></tr></thead>
            <tbody>${data.comparisons.map(c => html`<tr key=${c.id}>
                <td>${links(c)}</td>
                <td><${Badge} kind="status" value=${c.status} /></td>
                <td>${c.candidates.join(', ')}</td>
                <td class="n">${number(c.total_evaluations
                    / c.candidates.length / c.judge_ids.length)}</td>
                <td>${time(c.created_at)}</td></tr>`)}</tbody></table></div>
            ${page.pager}`
            : html`<${Empty} title=${t('no_comparisons')}
                href="#/comparisons/new" action=${t('new_comparison')}>
                ${t('comparisons_lead')}</${Empty}>`}
        </${Load}></${Page}>`;
}

// --- A new one ---------------------------------------------------------------

const letter = at => String.fromCharCode(65 + at);

export function NewComparison() {
    const list = useData(judges);

    return html`<${Page} title=${t('new_comparison')}
        lead=${t('comparisons_lead')}
        back=${['#/comparisons', t('comparisons')]}>
        <${Load} of=${list}>${all => all.some(j => j.content_type === 'text')
            ? html`<${Form}
                all=${all.filter(j => j.content_type === 'text')} />`
            : html`<p>${t('no_judges_do')} <${Go} href="#/judges/new">
                ${t('new_judge')}</${Go}></p>`}</${Load}></${Page}>`;
}

function Form({ all }) {
    const [judge, setJudge] = useState(all[0].judge_id);
    const [source, setSource] = useState('');
    const [texts, setTexts] = useState(['', '']);
    const [gone, setGone] = useState(false);
    const given = texts.filter(text => text.trim());
    const run = useAction(async () => {
        const made = await post('comparisons', {
            judge_id: judge, ...source.trim() && { source },
            candidates: texts.map((text_content, at) =>
                ({ id: letter(at), text_content }))
                .filter(c => c.text_content.trim()) });

        setGone(true);
        location.hash = `#/comparisons/${made.id}`;
    });

    useUnsaved(!gone && (given.length > 0 || source.trim() !== ''));

    return html`<${Card}>
        <${Field} label=${t('judge')}>${id => html`<${Choice} id=${id}
            value=${judge} onChange=${setJudge}
            options=${all.map(j => [j.judge_id, j.name])} />`}</${Field}>
        <${Field} label=${t('answered_source')}>${id => html`<textarea
            id=${id} rows="2" value=${source} onInput=${e =>
                setSource(e.currentTarget.value)}></textarea>`}</${Field}>
        ${texts.map((text, at) => html`<${Field} key=${at}
            label=${t('candidate_n', { name: letter(at) })}>
            ${id => html`<textarea id=${id} rows="5" value=${text}
                onInput=${e => setTexts(texts.map((old, i) =>
                    i === at ? e.currentTarget.value : old))}>
                </textarea>`}</${Field}>`)}
        <${Problem} error=${run.error} />
        <p class="line start">
            <button type="button" class="main" onClick=${run.act}
                disabled=${run.busy || given.length < FEWEST}>
                ${run.busy ? t('sending') : t('compare')}</button>
            <button type="button" disabled=${texts.length === MOST}
                onClick=${() => setTexts([...texts, ''])}>
                ${t('another_text')}</button></p></${Card}>`;
}

// --- One ---------------------------------------------------------------------

const chance = p => p === undefined ? '' : percent(p);
const points = d => d === undefined ? '–' : number(d, 1);

// Who is the best, or why nobody is.
const verdict = c => c.verdict === 'decided'
    ? t('is_better', { name: c.winner })
    : `${t(`verdict_${c.verdict}`)}: ${word('why', c.reason)}`;

export function Comparison({ id, query: given }) {
    const item = Number(given.get('item')) || 0;
    const judge_id = given.get('judge') ?? '';
    const page = useData(signal => get(`comparisons/${id}`
        + query({ item, judge_id }), { signal }), [id, item, judge_id]);
    const remove = useAction(async () => {
        await call('DELETE', `comparisons/${id}`);
        location.hash = '#/comparisons';
    });
    const at = n => `#/comparisons/${id}${query({ item: n,
                                                  judge: judge_id })}`;

    useEffect(() => {
        const timer = page.data?.status === 'processing'
            && setTimeout(page.reload, AGAIN);

        return () => clearTimeout(timer);
    }, [page.data]);

    return html`<${Load} of=${page} place="batches">${c => html`
        <${Page} wide title=${c.name} lead=${verdict(c.overall)}
            back=${['#/comparisons', t('comparisons')]}
            actions=${c.items > 1 && html`<a class="button"
                href=${`#/ranking/${id}${query({ judge: judge_id })}`}>
                ${t('ranking')}</a>`}>
            <${Problem} error=${remove.error} />
            ${c.status === 'processing' && html`<${Note}>${t('comparing')}
                </${Note}>`}
            ${c.items > 1 && html`<nav class="pager" aria-label=${t('items')}>
                <a class="button" href=${at(Math.max(item - 1, 0))}>←</a>
                <span>${number(c.item + 1)} / ${number(c.items)}</span>
                <a class="button" href=${at(Math.min(item + 1, c.items - 1))}>
                    →</a></nav>`}
            <${Sides} c=${c} />
            <${Verdicts} c=${c} />
            <${Preferences} c=${c} judge=${judge_id} onSaid=${page.reload} />
            <${May} to="evaluations:write"><p class="end"><${Sure}
                question=${t('delete_comparison_sure')}
                busy=${remove.busy} onSure=${remove.act}>
                ${t('delete_comparison')}</${Sure}></p></${May}>
        </${Page}>`}</${Load}>`;
}

// The texts beside each other.
const Sides = ({ c }) => html`<div class="sides">
    ${c.candidates.map((one, at) => html`<${Side} key=${one.content_id}
        one=${one} figures=${c.overall.candidates[at]}
        best=${c.overall.winner === one.id} />`)}</div>`;

function Side({ one, figures, best }) {
    const { data, error } = useData(signal =>
        get(`content/${one.content_id}`, { signal }), [one.content_id]);

    return html`<section class=${best ? 'card best' : 'card'}>
        <header><h2>${one.id}</h2>
            ${best && html`<div><span class="badge good">${t('better')}</span>
                </div>`}</header>
        <p>${one.status === 'completed'
            ? html`<a href=${`#/evaluations/${one.evaluation_id}`}>
                <b class="score">${shown(figures.score)}</b></a>`
            : html`<${Badge} kind="status" value=${one.status} />`}
            ${figures.probability !== undefined && html` <span class="quiet">
                ${t('best_by', { p: percent(figures.probability) })}
                </span>`}</p>
        <div class="text" tabindex="0" role="group"
            aria-label=${t('text_of', { name: one.id })}>
            ${data?.text_content ?? (error ? t('no_content') : '…')}</div>
        </section>`;
}

// In how many of the pairs that a model was asked for the order decided.
function bias(c, criterion_id) {
    const told = (c.pairs?.asked ?? []).flatMap(p => p.criteria)
        .filter(x => !criterion_id || x.criterion_id === criterion_id);
    const differ = told.filter(x => x.position_bias).length;

    return told.length ? `${number(differ)} / ${number(told.length)}` : '';
}

const Verdicts = ({ c }) => html`<${Card} title=${t('by_criterion')}>
    <div class="scroll" tabindex="0" role="group"
        aria-label=${t('by_criterion')}><table class="list"><thead><tr>
        <th>${t('criterion')}</th><th>${t('verdict')}</th>
        <th class="n">${t('by_points')}</th><th class="n">${t('how_sure')}</th>
        <th>${t('compared_by')}</th>
        ${c.pairs && html`<th class="n">${t('position_bias')}</th>`}
        ${c.candidates.map(one => html`<th class="n name" key=${one.id}>
            ${one.id}</th>`)}</tr></thead><tbody>${[{ ...c.overall, name: t('overall') },
                               ...c.criteria].map(row => html`
        <tr key=${row.criterion_id ?? ''}><td>${row.name}</td>
            <td class="wide">${verdict(row)}</td>
            <td class="n">${points(row.difference)}</td>
            <td class="n">${chance(row.probability)}</td>
            <td>${word('compared', row.compared_by)}</td>
            ${c.pairs && html`<td class="n">${row.compared_by === 'pairs'
                ? bias(c, row.criterion_id) : ''}</td>`}
            ${row.candidates.map(one => html`<td class="n" key=${one.id}>
                ${shown(one.score)}</td>`)}</tr>`)}</tbody></table></div>
    ${c.pairs && html`<p class="quiet">${t('pairs_asked', {
        n: c.pairs.calls, most: number(c.pairs.max_calls) })}</p>`}
    </${Card}>`;

// What people say, and a place to say it.
function Preferences({ c, judge, onSaid }) {
    const [by, setBy] = useState('');
    const [comment, setComment] = useState('');
    const say = useAction(async winner => {
        await post(`comparisons/${c.id}/feedback`, {
            feedback_type: 'preference', winner, item: c.item,
            ...by && { criterion_id: by }, ...judge && { judge_id: judge },
            ...comment.trim() && { comment: comment.trim() } });
        setComment('');
        onSaid();
    });
    const called = id => id ? c.criteria.find(x => x.criterion_id === id)?.name
        ?? '' : t('overall');

    return html`<${Card} title=${t('people_prefer')}>
        ${c.preferences.length > 0 && html`<ul class="said">
            ${c.preferences.map((p, i) => html`<li key=${i}>
                <b>${p.winner ?? t('neither')}</b>${' '}
                <span class="quiet">${called(p.criterion_id)} ·
                    ${' '}${p.person ?? ''} ${time(p.submitted_at)}</span>
                ${p.comment && html`<div>${p.comment}</div>`}</li>`)}</ul>`}
        <${May} to="feedback:write"><div class="filters">
            <${Field} label=${t('which_is_better')}>${id => html`
                <${Choice} id=${id} value=${by} onChange=${setBy}
                    options=${[['', t('overall')], ...c.criteria.map(x =>
                        [x.criterion_id, x.name])]} />`}</${Field}>
            <${Field} label=${t('feedback_comment')}>${id => html`<input id=${id}
                value=${comment} maxlength="2000" onInput=${e =>
                    setComment(e.currentTarget.value)} />`}</${Field}>
        </div>
        <${Problem} error=${say.error} />
        <p class="line start">${[...c.candidates.map(one => one.id), null]
            .map(id => html`<button type="button" key=${id ?? ''}
                disabled=${say.busy} onClick=${() => say.act(id)}>
                ${id ?? t('neither')}</button>`)}</p></${May}></${Card}>`;
}

// --- A ranking ---------------------------------------------------------------

export function Ranking({ id, query: given }) {
    const judge_id = given.get('judge') ?? '';
    const [by, setBy] = useState('');
    const page = useData(signal => get(`batches/${id}/ranking`
        + query({ judge_id }), { signal }), [id, judge_id]);

    return html`<${Load} of=${page} place="batches">${r => html`
        <${Page} wide title=${t('ranking')} lead=${r.name}
            back=${[`#/comparisons/${id}${query({ judge: judge_id })}`,
                    t('item_by_item')]}>
            ${r.pairs?.status === 'processing' && html`<${Note}>
                ${t('comparing')}</${Note}>`}
            ${!r.complete && html`<${Note}>${t('first_ranked')}</${Note}>`}
            <div class="filters"><${Field} label=${t('by')}>${fid => html`
                <${Choice} id=${fid} value=${by} onChange=${setBy}
                    options=${[['', t('overall')], ...r.criteria.map(x =>
                        [x.criterion_id, x.name])]} />`}</${Field}></div>
            <${Ranked} of=${r.criteria.find(x => x.criterion_id === by)
                            ?? r.overall} />
        </${Page}>`}</${Load}>`;
}

// How many of 100 texts beat one of a system of mean strength.
const wins = strength => strength === undefined ? undefined
    : 100 / (1 + Math.exp(-strength));

const Ranked = ({ of }) => html`<div class="stats">
        <${Stat} label=${t('items')} value=${number(of.items)}
            note=${word('compared', of.compared_by)} />
        ${of.position_bias !== undefined && html`<${Stat}
            label=${t('position_bias')}
            value=${percent(of.position_bias)} />`}
        ${of.people?.agreement !== undefined && html`<${Stat}
            label=${t('as_people_prefer')} value=${percent(of.people.agreement)}
            note=${t('longer_preferred', {
                p: percent(of.people.longer) })} />`}</div>
    <${Card} title=${t('systems')}><div class="scroll" tabindex="0"
        role="group" aria-label=${t('systems')}><table class="list">
        <thead><tr><th>${t('system')}</th><th class="grow" colspan="2">
            ${t('wins_of_100')}</th><th class="n">${t('wins')}</th>
            <th class="n">${t('ties')}</th><th class="n">${t('losses')}</th>
            <th class="n">${t('strongest_in')}</th></tr></thead>
        <tbody>${of.systems.map(s => html`<tr key=${s.id}><td>${s.id}</td>
            <td><${ScoreBar} name=${s.id} score=${wins(s.strength)}
                interval=${s.low === undefined ? null
                    : { low: wins(s.low), high: wins(s.high) }} /></td>
            <td class="n"><b>${shown(wins(s.strength))}</b>
                ${s.low !== undefined && html` <span class="quiet between">
                    ${t('from_to', { low: shown(wins(s.low)),
                                     high: shown(wins(s.high)) })}</span>`}</td>
            <td class="n">${number(s.wins)}</td>
            <td class="n">${number(s.ties)}</td>
            <td class="n">${number(s.losses)}</td>
            <td class="n">${chance(s.best)}</td></tr>`)}</tbody>
        </table></div></${Card}>
    <${Card} title=${t('pair_by_pair')}><div class="scroll"
        tabindex="0" role="group" aria-label=${t('pair_by_pair')}>
        <table class="list"><thead><tr><th>${t('system')}</th>
            <th>${t('against')}</th><th class="n">${t('wins')}</th>
            <th class="n">${t('ties')}</th><th class="n">${t('losses')}</th>
            </tr></thead><tbody>${of.pairs.map(p => html`
            <tr key=${`${p.id} ${p.against}`}><td>${p.id}</td>
                <td>${p.against}</td><td class="n">${number(p.wins)}</td>
                <td class="n">${number(p.ties)}</td>
                <td class="n">${number(p.losses)}</td></tr>`)}
        </tbody></table></div></${Card}>`;
