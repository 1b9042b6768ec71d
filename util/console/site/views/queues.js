/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Annotation queues: results that so many people look at, each unseen by the
// others; how far they are, who did what, and how well people agree.

import { html, useRef, useState } from '../lib/base.js';
import { call, get, judges, may, post, query, whoami } from '../lib/api.js';
import { t, number, time } from '../lib/i18n.js';
import { Card, Choice, Empty, Field, Go, Load, May, Note, Page, Problem, Stat,
         Sure, useAction, useData, usePages } from '../lib/ui.js';
import { CorrectTabs, Sheet, item } from './correct.js';
import { namesOf } from './evaluations.js';

// Of few, because each is asked who did what.
const SHOWN = 10;

async function queues(cursor, signal) {
    const list = await get('annotation-queues' + query({ limit: SHOWN, cursor }),
                           { signal });
    return { ...list, queues: await Promise.all(list.annotation_queues.map(q =>
        get(`annotation-queues/${q.queue_id}`, { signal }))) };
}

const called = p => p.name ?? t('removed_person');

const Far = ({ q }) => html`<progress max=${q.items} value=${q.done}
    aria-label=${q.name}></progress> ${t('n_of_m', { n: number(q.done),
                                                     m: number(q.items) })}`;

export function Queues() {
    const page = usePages(queues, []);
    const named = namesOf(useData(judges).data ?? []);

    return html`<${Page} title=${t('queues')} lead=${t('queues_lead')}
        actions=${html`<${Go} class="button main" href="#/queues/new">
            ${t('new_queue')}</${Go}>`}>
        <${CorrectTabs} at="queues" />
        <${Load} of=${page}>${({ queues: list }) => list.length ? html`
            <div class="scroll" tabindex="0"><table class="list"><thead><tr>
                <th>${t('name')}</th><th>${t('judge')}</th><th>${t('done')}</th>
                <th>${t('tab_people')}</th><th>${t('when')}</th></tr></thead>
            <tbody>${list.map(q => html`<tr key=${q.queue_id}>
                <td><a href=${`#/queues/${q.queue_id}`}>${q.name}</a></td>
                <td>${named[q.judge_id]
                    ?? html`<i>${t('deleted_judge')}</i>`}</td>
                <td><${Far} q=${q} /></td>
                <td class="wide">${q.people.length
                    ? q.people.map(p => html`<div key=${p.person_id}>
                        ${t('person_did', { name: called(p), done: number(p.done),
                            open: number(p.open), left: number(p.left) })}</div>`)
                    : html`<span class="quiet">${t('nobody_yet')}</span>`}</td>
                <td>${time(q.created_at)}</td></tr>`)}</tbody></table></div>
            ${page.pager}`
            : html`<${Empty} title=${t('no_queues')} href="#/queues/new"
                action=${t('new_queue')}>${t('no_queues_do')}</${Empty}>`}
        </${Load}></${Page}>`;
}

// --- A new one ---------------------------------------------------------------

export function NewQueue() {
    const list = useData(judges);

    return html`<${Page} title=${t('new_queue')} lead=${t('queues_lead')}
        back=${['#/queues', t('queues')]}>
        <${Load} of=${list}>${all => all.length
            ? html`<${Form} all=${all} />`
            : html`<${Empty} title=${t('no_judges')} href="#/judges/new"
                action=${t('make_first_judge')}>${t('no_judges_do')}</${Empty}>`}
        </${Load}></${Page}>`;
}

function Form({ all }) {
    const [one, setOne] = useState({ name: '', judge_id: all[0].judge_id,
        batch_id: '', sampling: 'random', items: 50, people: 2 });
    const set = values => setOne(old => ({ ...old, ...values }));
    const batches = useData(signal => get('batches?limit=100', { signal })).data;
    const make = useAction(async () => {
        const { batch_id, ...rest } = one;
        const made = await post('annotation-queues', { ...rest,
            name: one.name.trim(), items: Number(one.items),
            people: Number(one.people), ...batch_id && { batch_id } });
        location.hash = `#/queues/${made.queue_id}`;
    });
    const input = (name, label, more, hint) => html`<${Field} label=${t(label)}
        hint=${hint && t(hint)}>${id => html`<input id=${id} required ...${more}
            value=${one[name]} onInput=${e =>
                set({ [name]: e.currentTarget.value })} />`}</${Field}>`;
    const choice = (name, label, options) => html`<${Field} label=${t(label)}>
        ${id => html`<${Choice} id=${id} value=${one[name]} options=${options}
            onChange=${v => set({ [name]: v })} />`}</${Field}>`;

    return html`<${Card}><form onSubmit=${e => {
            e.preventDefault();
            make.act();
        }}><div class="fields">
            ${input('name', 'name', { maxlength: 200 })}
            <${Field} label=${t('judge')}>${id => html`<${Choice} id=${id}
                value=${one.judge_id} options=${all.map(j =>
                    [j.judge_id, j.name])}
                onChange=${v => set({ judge_id: v, batch_id: '' })} />`}</${Field}>
            ${choice('batch_id', 'queue_from', [['', t('queue_from_all')],
                ...(batches?.batches ?? []).filter(b =>
                    b.judge_ids.includes(one.judge_id)).map(b => [b.id, b.name])])}
            ${choice('sampling', 'queue_sampling', ['random', 'review'].map(s =>
                [s, t(`sampling_${s}`)]))}
            ${input('items', 'queue_items', { type: 'number', min: 1, max: 1000 })}
            ${input('people', 'queue_people', { type: 'number', min: 1, max: 10 },
                    'queue_people_hint')}</div>
        <${Problem} error=${make.error} />
        <p><button class="main" disabled=${make.busy || !one.name.trim()}>
            ${t('make_queue')}</button></p></form></${Card}>`;
}

// --- One ---------------------------------------------------------------------

export function Queue({ id }) {
    const page = useData(signal => get(`annotation-queues/${id}`, { signal }),
                         [id]);
    const remove = useAction(async () => {
        await call('DELETE', `annotation-queues/${id}`);
        location.hash = '#/queues';
    });
    const work = q => may('feedback:write') && q.remaining > 0;

    return html`<${Load} of=${page} place="correct">${q => html`
        <${Page} title=${q.name} back=${['#/queues', t('queues')]}
            lead=${t(`sampling_${q.sampling}`)} actions=${work(q) && html`
                <a class="button main" href=${`#/queues/${id}/work`}>
                    ${t('queue_work')}</a>`}>
            <div class="stats">
                <${Stat} label=${t('done')} value=${t('n_of_m', {
                    n: number(q.done), m: number(q.items) })} />
                <${Stat} label=${t('queue_people')}
                    value=${number(q.people_per_item)} />
                ${q.remaining != null && html`<${Stat}
                    label=${t('left_for_you')} value=${number(q.remaining)} />`}
            </div>
            ${q.remaining == null && may('feedback:write') && html`
                <${Note}>${t('queue_needs_person')}</${Note}>`}
            <${Card} title=${t('tab_people')}>${q.people.length ? html`
                <div class="scroll" tabindex="0"><table class="list"><thead><tr>
                    <th>${t('name')}</th><th class="n">${t('done')}</th>
                    <th class="n">${t('queue_open')}</th>
                    <th class="n">${t('queue_left')}</th></tr></thead>
                <tbody>${q.people.map(p => html`<tr key=${p.person_id}>
                    <td>${called(p)}</td><td class="n">${number(p.done)}</td>
                    <td class="n">${number(p.open)}</td>
                    <td class="n">${number(p.left)}</td></tr>`)}</tbody>
                </table></div>`
              : html`<p class="quiet">${t('nobody_yet')}</p>`}</${Card}>
            ${q.people_per_item > 1 && html`<${Agreement} id=${id} />`}
            <${Problem} error=${remove.error} />
            <${May} to="judges:write"><p class="end"><${Sure} busy=${remove.busy}
                question=${t('delete_queue_sure')} onSure=${remove.act}>
                ${t('delete_queue')}</${Sure}></p></${May}>
        </${Page}>`}</${Load}>`;
}

const measured = m => m && html`<b>${number(m.value, 1)}</b>${m.low != null
    ? html`<span class="quiet"> (${number(m.low, 1)} – ${number(m.high, 1)})
        </span>` : ''}`;

function Agreement({ id }) {
    const page = useData(signal => get(`annotation-queues/${id}/agreement`,
        { signal }).catch(error => {
        if (error.kind === 'gone') {   // the judge was deleted
            return { criteria: [] };
        }
        throw error;
    }), [id]);
    const known = data => data.criteria.filter(c => c.rmse);

    return html`<${Card} title=${t('queue_agreement')}>
        <p class="quiet">${t('queue_agreement_lead')}</p>
        <${Load} of=${page}>${data => known(data).length ? html`
            <div class="scroll" tabindex="0"><table class="list"><thead><tr>
                <th>${t('criterion')}</th><th class="n">${t('items')}</th>
                <th class="n">${t('points_apart')}</th>
                <th class="n">${t('alpha')}</th></tr></thead>
            <tbody>${known(data).map(c => html`<tr key=${c.criterion_id}>
                <td>${c.name}</td><td class="n">${number(c.items)}</td>
                <td class="n">${measured(c.rmse)}</td>
                <td class="n">${number(c.krippendorff_alpha?.value, 2)}</td>
                </tr>`)}</tbody></table></div>
            <p class="quiet">${t('alpha_note')}</p>`
          : html`<p>${t('queue_agreement_none')}</p>`}</${Load}></${Card}>`;
}

// --- Working through one -----------------------------------------------------

// Nobody sees here what others have said, whatever the role.
export function Work({ id }) {
    const queue = useData(signal => get(`annotation-queues/${id}`, { signal }),
                          [id]);
    const trail = useRef([]);          // what has been shown
    const [at, setAt] = useState(0);
    const [turn, setTurn] = useState(0);
    const [done, setDone] = useState({ n: 0 });
    const me = whoami()?.person?.person_id;

    const current = useData(async signal => {
        if (trail.current.length <= at) {
            const given = await post(`annotation-queues/${id}/next`, undefined,
                                     { signal });
            if (!given) {
                return null;
            }
            trail.current.push(given.evaluation_id);
        }
        return item(trail.current[at], signal, null, me);
    }, [at, turn]);
    const leave = useAction(evaluation_id =>
        post(`annotation-queues/${id}/leave`, { evaluation_id }));

    const moved = (by, text) => {
        setDone(old => ({ n: old.n + 1, text }));
        setAt(n => Math.max(0, n + by));
        queue.reload();
    };
    const next = async (one, made, what) => {
        const now = one.evaluation.evaluation_id;

        // Whoever skips leaves it to others, but for what is done already.
        if (!made && !one.said) {
            await leave.act(now);
        }
        moved(1, what ?? '');
    };

    return html`<${Load} of=${queue} place="correct">${q => html`
        <${Page} wide title=${q.name} back=${[`#/queues/${id}`, t('queue')]}
            lead=${html`<span class="keys">${t('queue_keys')}</span>`}>
            <div class="stats"><${Stat} label=${t('left_for_you')}
                value=${number(q.remaining)} /></div>
            <p role="status"><span key=${done.n}>${done.text}</span></p>
            <${Problem} error=${leave.error} />
            <${Load} of=${current}>${one => one
                ? html`<${Sheet} ...${one} at=${at} skip="leave_to_others"
                    waits=${current.loading || leave.busy}
                    key=${[one.evaluation.evaluation_id,
                           one.said?.feedback_id].join()}
                    onBack=${() => moved(-1, '')}
                    onNext=${(made, what) => next(one, made, what)}
                    onWithdrawn=${what => {
                        setTurn(n => n + 1);
                        moved(0, what);
                    }} />`
                : html`<${Empty} title=${t('queue_empty')}
                    href=${`#/queues/${id}`} action=${t('queue')}>
                    ${t('queue_empty_do')}</${Empty}>
                    ${at > 0 && html`<p><button type="button"
                        onClick=${() => moved(-1, '')}>
                        ${t('previous_item')}</button></p>`}`}</${Load}>
        </${Page}>`}</${Load}>`;
}
