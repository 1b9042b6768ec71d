/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// People correct what judges said: by the keyboard, one item after another.

import { html, useEffect, useLayoutEffect, useRef, useState }
    from '../lib/base.js';
import { call, get, judges, may, patch, post, query } from '../lib/api.js';
import { t, number, score as shown, time } from '../lib/i18n.js';
import { Lines } from '../lib/charts.js';
import { Card, Empty, Load, Note, Page, Problem, Stat, Sure, Tabs, useAction,
         useData, useUnsaved } from '../lib/ui.js';
import { pieces } from '../lib/passages.js';
import { Beside, Why, bare } from './result.js';

export const CorrectTabs = ({ at }) => html`<${Tabs} at=${at} items=${[
    ['correct', '#/correct', t('by_judge')],
    ['queues', '#/queues', t('queues')]]} />`;

export function Correct() {
    const list = useData(judges);

    return html`<${Page} title=${t('place_correct')} lead=${t('correct_lead')}>
        <${CorrectTabs} at="correct" />
        <${Load} of=${list}>${all => all.length ? html`<ul class="cards">
            ${all.map(j => html`<li class="card" key=${j.judge_id}>
                <h2>${may('feedback:write') ? html`<a
                    href=${`#/correct/${j.judge_id}`}>${j.name}</a>` : j.name}</h2>
                <p class="quiet">${j.description}</p></li>`)}</ul>`
            : html`<${Empty} title=${t('no_judges')} href="#/judges/new"
                action=${t('make_first_judge')}>${t('no_judges_do')}</${Empty}>`}
        </${Load}></${Page}>`;
}

// What needs a person comes from the service where it tells, which also counts
// it; `rest` are older results, and those that could not be judged, of which
// nobody has said anything.  Some are fetched at a time.
async function* queue(judge, first, seen, signal) {
    if (first) {
        seen.add(first);
        yield first;
    }
    yield* review(judge, seen, signal);
}

async function* rest(judge, seen, signal) {
    yield* newest(judge, 'completed', seen, signal);
    yield* newest(judge, 'failed', seen, signal);
}

async function* review(judge, seen, signal) {
    let cursor;

    do {
        let page;
        try {
            page = await get(`judges/${judge}/review` + query({ limit: 25,
                                                                cursor }),
                             { signal });
        } catch (error) {
            if (error.kind === 'gone' || error.kind === 'request') {
                return;
            }
            throw error;
        }
        const rows = page.items ?? page.evaluations ?? page.review ?? [];

        for (const { evaluation_id: id } of rows) {
            if (id && !seen.has(id)) {
                seen.add(id);
                yield id;
            }
        }
        cursor = page.next_cursor;
    } while (cursor);
}

async function* newest(judge, status, seen, signal) {
    let cursor;

    do {
        const page = await get('evaluations' + query({ judge_id: judge,
            status, limit: 50, cursor }), { signal });

        for (const e of page.evaluations) {
            const id = e.evaluation_id;

            if (seen.has(id) || status === 'failed' && !bare(e)) {
                continue;
            }
            const said = await get(`feedback/evaluation/${id}?limit=1`,
                                   { signal });
            if (!said.total_feedback_count) {
                yield id;
            }
        }
        cursor = page.next_cursor;
    } while (cursor);
}

// What this page can change: a correction, or that the scores are right.
export const corrects = entry => entry.type === 'correction'
    || entry.type === 'approval' && entry.content.approved;

// With what was said about it, by a person if one is named: the entry that is
// asked for, or the newest.
export async function item(id, signal, entry, person) {
    const evaluation = await get(`evaluations/${id}`, { signal });
    const [content, feedback] = await Promise.all([
        get(`content/${evaluation.content_id}`, { signal }).catch(() => null),
        get(`feedback/evaluation/${id}?limit=50`, { signal })
            .catch(() => null)]);
    const entries = (feedback?.feedback_entries ?? []).filter(corrects)
        .filter(e => !person || e.submitted_by_person === person);

    return { evaluation, content, said: entries.find(e =>
        e.feedback_id === entry) ?? entries[0] };
}

export function CorrectJudge({ id, query: given }) {
    const judge = useData(signal => get(`v1/judges/${id}`, { signal }), [id]);
    const source = useRef(), seen = useRef(new Set()), stop = useRef();
    const trail = useRef([]);          // what has been shown
    const [at, setAt] = useState(0);
    const [turn, setTurn] = useState(0);
    const [more, setMore] = useState(false);
    const [gaps, setGaps] = useState({});
    const [done, setDone] = useState({ n: 0 });    // what is said of the last act

    if (!source.current) {
        stop.current = new AbortController();
        source.current = queue(id, given.get('first'), seen.current,
                               stop.current.signal);
    }
    useEffect(() => () => stop.current.abort(), []);

    // A queue that broke begins anew.
    const current = useData(async signal => {
        try {
            while (trail.current.length <= at) {
                const { value } = await source.current.next();
                if (!value) {
                    return null;
                }
                trail.current.push(value);
            }
            return await item(trail.current[at], signal, given.get('entry'));
        } catch (error) {
            source.current = (more ? rest : queue)(id,
                ...more ? [] : [null], seen.current, stop.current.signal);
            throw error;
        }
    }, [at, turn]);

    const goOn = () => {
        source.current = rest(id, seen.current, stop.current.signal);
        setMore(true);
        setTurn(n => n + 1);
    };
    const back = () => setAt(n => Math.max(0, n - 1));
    const say = text => setDone(old => ({ n: old.n + 1, text }));
    const keep = (one, made) => setGaps(old => ({ ...old,
        [one.evaluation.evaluation_id]: made }));
    const scored = Object.values(gaps).flat().slice(-500);

    return html`<${Load} of=${judge} place="correct">${j => html`
        <${Page} wide title=${t('correct_judge', { name: j.name })}
            back=${['#/correct', t('place_correct')]}
            lead=${html`<span class="keys">${t('correct_keys')}</span>`}>
            <${Growing} id=${id} gaps=${scored} done=${done.n} />
            <p role="status"><span key=${done.n}>${done.text}</span></p>
            <${Load} of=${current}>${one => one
                ? html`<${Sheet} ...${one} at=${at} waits=${current.loading}
                    key=${[one.evaluation.evaluation_id,
                           one.said?.feedback_id].join()} onBack=${back}
                    onNext=${(made, what) => {
                        if (made) {
                            keep(one, made);
                        }
                        say(what);
                        setAt(n => n + 1);
                    }}
                    onWithdrawn=${what => {
                        keep(one, []);
                        say(what);
                        setTurn(n => n + 1);
                    }} />`
                : html`<${Empty} title=${t('all_corrected')}
                    href=${`#/training/new?judge=${id}`} action=${t('train')}>
                    ${t('all_corrected_do')}</${Empty}>
                    <p class="line start">
                    ${at > 0 && html`<button type="button" onClick=${back}>
                        ${t('previous_item')}</button>`}
                    ${!more && html`<button type="button" onClick=${goOn}>
                        ${t('look_further')}</button>`}</p>`}</${Load}>
        </${Page}>`}</${Load}>`;
}

// Agreement as it grows: of this sitting, and of all that people said.
function Growing({ id, gaps, done }) {
    const all = useData(signal => get(`judges/${id}/agreement`, { signal }),
                        [done]);
    const left = useData(signal => get(`judges/${id}/review?limit=1`,
                                       { signal }), [done]);
    const a = all.data;
    const means = gaps.map((_, i) => {
        const last = gaps.slice(Math.max(0, i - 9), i + 1);
        return last.reduce((sum, g) => sum + g, 0) / last.length;
    });

    return html`<div class="growing"><div class="stats">
        <${Stat} label=${t('left_over')} value=${number(left.data?.waiting)}
            note=${t('without_feedback')} />
        <${Stat} label=${t('corrected_so_far')} value=${number(a?.evaluations)}
            note=${t('items')} />
        <${Stat} label=${t('points_off')} note=${t('points_off_note')}
            value=${number(a?.mean?.rmse?.value ?? a?.overall?.rmse?.value, 1)} />
        </div>
        ${gaps.length > 3 && html`<${Lines} height=${100}
            label=${t('sitting_chart')} xs=${means.map((_, i) => i + 1)}
            series=${[[t('points_off'), means]]} y=${{ range: (u, low, high) =>
                [0, Math.max(20, high)] }} />`}</div>`;
}

// Whoever speaks to the machine, or presses keys by chance, can do without
// single keys; the browser remembers it.
const OFF = 'judge.keys_off';
const keysOff = () => localStorage.getItem(OFF) !== null;

const LETTERS = 'abcdefghijklmnoqrtuvwxyz';

export function Sheet({ evaluation: e, content, said, at: place, waits,
                        skip = 'skip_item', onBack, onNext, onWithdrawn })
{
    const criteria = [...e.criteria_scores ?? [], ...e.not_judged ?? []];
    const [{ at, scores }, setSheet] = useState(() => ({ at: 0,
        scores: criteria.map(c =>
            said?.content.corrected_scores?.[c.criterion_id] ?? c.score) }));
    const now = useRef({ at, scores });
    const [off, setOff] = useState(keysOff);
    const turn = e => {
        setOff(!e.currentTarget.checked);
        e.currentTarget.checked ? localStorage.removeItem(OFF)
                                : localStorage.setItem(OFF, '1');
    };
    const [why, setWhy] = useState(said?.content.explanation
                                   ?? said?.content.comment ?? '');
    const first = useRef({ scores, why });
    const changed = why !== first.current.why
        || scores.some((v, i) => v !== first.current.scores[i]);
    const name = content?.name ?? t('no_content');
    const text = content?.text_content;

    useUnsaved(changed);
    const leave = go => (!changed || confirm(t('leave_unsaved'))) && go();

    // Keys may come faster than the sheet is drawn: what they change is kept
    // where the next one finds it.
    const change = values => setSheet(
        now.current = { ...now.current, ...values });
    const set = (i, value) => change({
        scores: now.current.scores.map((v, k) => k === i ? value : v) });
    const setAt = i => change({
        at: Math.max(0, Math.min(i, criteria.length - 1)) });

    const send = useAction(async () => {
        const { scores } = now.current;
        const moved = criteria.filter((c, i) => scores[i] !== c.score);
        const reason = (why.trim() || said) && why.trim();
        const [type, content] = moved.length
            ? ['correction', {
                corrected_scores: Object.fromEntries(criteria.map((c, i) =>
                    [c.criterion_id, scores[i]]).filter(([, v]) => v != null)),
                ...reason != null && { explanation: reason } }]
            : ['approval', { approved: true,
                ...reason != null && { comment: reason } }];

        // An entry keeps its type: another one takes the place of it.
        if (said?.type === type) {
            await patch(`feedback/${said.feedback_id}`, { content });
        } else {
            await post(`feedback/evaluation/${e.evaluation_id}`,
                       { type, content });
            if (said) {
                await call('DELETE', `feedback/${said.feedback_id}`);
            }
        }
        onNext(criteria.flatMap((c, i) => c.score == null ? []
            : [Math.abs(scores[i] - c.score)]), t('saved_item', { name }));
    });
    const withdraw = useAction(async () => {
        await call('DELETE', `feedback/${said.feedback_id}`);
        onWithdrawn(t('withdrawn_item', { name }));
    });
    const busy = send.busy || withdraw.busy || waits;

    // 1 to 9 are 10 to 90, 0 is 100; a letter or the arrows choose.
    const press = event => {
        if (event.ctrlKey || event.metaKey || event.altKey || busy
            || /^(TEXTAREA|SELECT)$/.test(event.target.tagName)
            || event.target.tagName === 'INPUT'
               && !/^(range|checkbox)$/.test(event.target.type)
            || off && event.key.length === 1)
        {
            return;
        }
        const letter = LETTERS.indexOf(event.key);
        const { at } = now.current;

        if (/^\d$/.test(event.key)) {
            set(at, event.key === '0' ? 100 : Number(event.key) * 10);
            setAt(at + 1);
        } else if (event.key === 'Enter'
                   && now.current.scores.some(v => v != null)
                   && !/^(BUTTON|A)$/.test(event.target.tagName)) {
            send.act();
        } else if (event.key === 's') {
            leave(onNext);
        } else if (event.key === 'p') {
            leave(onBack);
        } else if (event.key === 'ArrowDown' && event.target.type !== 'range') {
            setAt(at + 1);
        } else if (event.key === 'ArrowUp' && event.target.type !== 'range') {
            setAt(at - 1);
        } else if (letter >= 0 && letter < criteria.length) {
            setAt(letter);
        } else {
            return;
        }
        event.preventDefault();
    };

    // From when the sheet is seen on: what is pressed at once counts, too.
    useLayoutEffect(() => {
        addEventListener('keydown', press);
        return () => removeEventListener('keydown', press);
    });

    return html`<div class="result split">
        <div class="scores"><${Card} title=${name}
            aside=${html`<a href=${`#/evaluations/${e.evaluation_id}`}>
                ${t('whole_result')}</a>`}>
            <${Why} evaluation=${e} />
            ${said && html`<${Note}>
                ${t(`feedback_${said.type}`)}, ${time(said.updated_at
                                                      ?? said.submitted_at)}
                ${' '}<${Sure} onSure=${withdraw.act} busy=${busy}
                    question=${t('withdraw_sure')}>${t('withdraw')}</${Sure}>
            </${Note}>`}
            <ol class="sheet">${criteria.map((c, i) => html`
                <li key=${i} class=${i === at ? 'lit' : ''}
                    onClick=${() => setAt(i)}>
                    <div class="line"><label for=${`score-${i}`}>
                        <kbd>${LETTERS[i]}</kbd> ${c.name}</label>
                        <span><span class="quiet">${c.score == null
                            ? t('judge_gave_none')
                            : t('judge_gave', { n: shown(c.score) })}</span>
                        ${' '}<output for=${`score-${i}`}>${shown(scores[i])}
                            </output></span></div>
                    <input id=${`score-${i}`} type="range" min="0" max="100"
                        value=${scores[i] ?? 50} onFocus=${() => setAt(i)}
                        onInput=${ev => set(i, Number(ev.currentTarget.value))} />
                    ${i === at && html`<p class="quiet">
                        ${c.feedback ?? c.reason}</p>`}</li>`)}</ol>
            <details open=${!!said && why !== ''}><summary>${t('say_why')}</summary>
                <textarea rows="2" maxlength="5000" aria-label=${t('say_why')}
                    value=${why} onInput=${ev =>
                        setWhy(ev.currentTarget.value)}></textarea></details>
            <${Problem} error=${send.error ?? withdraw.error} />
            <p class="line start"><button type="button" class="main"
                disabled=${busy || !scores.some(v => v != null)}
                onClick=${send.act}>
                ${criteria.some((c, i) => scores[i] !== c.score)
                    ? t('send_correction') : t('approve')}</button>
                <button type="button" disabled=${busy} onClick=${() => leave(onNext)}>
                    ${t(skip)}</button>
                <button type="button" disabled=${busy || !place}
                    onClick=${() => leave(onBack)}>
                    ${t('previous_item')}</button></p>
            <p class="keys"><label><input type="checkbox" checked=${!off}
                onChange=${turn} /> ${t('use_keys')}</label></p>
        </${Card}></div>
        <div class="beside"><${Beside} metadata=${content?.metadata} />
        <div class="text" tabindex="0" role="region" aria-label=${t('the_text')}>
            ${text == null ? html`<i>${t('no_text')}</i>`
              : pieces(text, criteria).map(([part, marks], i) => marks.length
                ? html`<mark key=${i} class=${marks.includes(at) ? 'on' : ''}>
                    ${part}</mark>` : part)}
        </div></div></div>`;
}
