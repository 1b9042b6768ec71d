/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// People correct what judges said: by the keyboard, one item after another.

import { html, useEffect, useRef, useState } from '../lib/base.js';
import { get, judges, post, query } from '../lib/api.js';
import { t, number, score as shown } from '../lib/i18n.js';
import { Lines } from '../lib/charts.js';
import { Card, Empty, Load, Page, Problem, Stat, useAction, useData }
    from '../lib/ui.js';
import { pieces } from '../lib/passages.js';
import { Why, bare } from './result.js';

export function Correct() {
    const list = useData(judges);

    return html`<${Page} title=${t('place_correct')} lead=${t('correct_lead')}>
        <${Load} of=${list}>${all => all.length ? html`<ul class="cards">
            ${all.map(j => html`<li class="card" key=${j.judge_id}>
                <h2><a href=${`#/correct/${j.judge_id}`}>${j.name}</a></h2>
                <p class="quiet">${j.description}</p></li>`)}</ul>`
            : html`<${Empty} title=${t('no_judges')} href="#/judges/new"
                action=${t('make_first_judge')}>${t('no_judges_do')}</${Empty}>`}
        </${Load}></${Page}>`;
}

// What needs a person comes from the service where it tells; else the newest
// that nobody has said anything about.  Some are fetched at a time.
async function* queue(judge, first, signal) {
    const seen = new Set();

    if (first) {
        seen.add(first);
        yield first;
    }
    yield* review(judge, seen, signal);
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

async function item(id, signal) {
    const evaluation = await get(`evaluations/${id}`, { signal });
    const content = await get(`content/${evaluation.content_id}`, { signal })
        .catch(() => null);
    return { evaluation, content };
}

export function CorrectJudge({ id, query: given }) {
    const judge = useData(signal => get(`v1/judges/${id}`, { signal }), [id]);
    const source = useRef();
    const [turn, setTurn] = useState(0);
    const [gaps, setGaps] = useState([]);
    const stop = useRef();

    if (!source.current) {
        stop.current = new AbortController();
        source.current = queue(id, given.get('first'), stop.current.signal);
    }
    useEffect(() => () => stop.current.abort(), []);

    // A queue that broke begins anew.
    const current = useData(async signal => {
        try {
            const { value } = await source.current.next();
            return value ? await item(value, signal) : null;
        } catch (error) {
            source.current = queue(id, null, stop.current.signal);
            throw error;
        }
    }, [turn]);

    return html`<${Load} of=${judge} place="correct">${j => html`
        <${Page} wide title=${t('correct_judge', { name: j.name })}
            back=${['#/correct', t('place_correct')]}
            lead=${html`<span class="keys">${t('correct_keys')}</span>`}>
            <${Growing} id=${id} gaps=${gaps} />
            <${Load} of=${current}>${one => one
                ? html`<${Sheet} key=${one.evaluation.evaluation_id} ...${one}
                    onNext=${made => {
                        if (made) {
                            setGaps(old => [...old, ...made].slice(-500));
                        }
                        setTurn(n => n + 1);
                    }} />`
                : html`<${Empty} title=${t('all_corrected')}
                    href=${`#/training/new?judge=${id}`} action=${t('train')}>
                    ${t('all_corrected_do')}</${Empty}>`}</${Load}>
        </${Page}>`}</${Load}>`;
}

// Agreement as it grows: of this sitting, and of all that people said.
function Growing({ id, gaps }) {
    const all = useData(signal => get(`judges/${id}/agreement`, { signal }),
                        [gaps.length]);
    const a = all.data;
    const means = gaps.map((_, i) => {
        const last = gaps.slice(Math.max(0, i - 9), i + 1);
        return last.reduce((sum, g) => sum + g, 0) / last.length;
    });

    return html`<div class="growing"><div class="stats">
        <${Stat} label=${t('this_sitting')} value=${number(gaps.length)}
            note=${t('scores_seen')} />
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

const LETTERS = 'abcdefghijklmopqrtuvwxyz';

function Sheet({ evaluation: e, content, onNext }) {
    const criteria = [...e.criteria_scores ?? [], ...e.not_judged ?? []];
    const [{ at, scores }, setSheet] = useState(() =>
        ({ at: 0, scores: criteria.map(c => c.score) }));
    const now = useRef({ at, scores });
    const [why, setWhy] = useState('');
    const text = content?.text_content;

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
        const changed = criteria.filter((c, i) => scores[i] !== c.score);

        await post(`feedback/evaluation/${e.evaluation_id}`, changed.length
            ? { type: 'correction', content: {
                corrected_scores: Object.fromEntries(criteria.map((c, i) =>
                    [c.criterion_id, scores[i]]).filter(([, v]) => v != null)),
                ...why.trim() && { explanation: why.trim() } } }
            : { type: 'approval', content: { approved: true,
                ...why.trim() && { comment: why.trim() } } });
        onNext(criteria.flatMap((c, i) => c.score == null ? []
            : [Math.abs(scores[i] - c.score)]));
    });

    // 1 to 9 are 10 to 90, 0 is 100; a letter or the arrows choose.
    const press = event => {
        if (event.ctrlKey || event.metaKey || event.altKey || send.busy
            || /^(TEXTAREA|SELECT)$/.test(event.target.tagName)
            || event.target.tagName === 'INPUT' && event.target.type !== 'range')
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
            onNext();
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

    useEffect(() => {
        addEventListener('keydown', press);
        return () => removeEventListener('keydown', press);
    });

    return html`<div class="result split">
        <div class="scores"><${Card} title=${content?.name ?? t('no_content')}
            aside=${html`<a href=${`#/evaluations/${e.evaluation_id}`}>
                ${t('whole_result')}</a>`}>
            <${Why} evaluation=${e} />
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
            <details><summary>${t('say_why')}</summary>
                <textarea rows="2" maxlength="5000" aria-label=${t('say_why')}
                    value=${why} onInput=${ev =>
                        setWhy(ev.currentTarget.value)}></textarea></details>
            <${Problem} error=${send.error} />
            <p class="line start"><button type="button" class="main"
                disabled=${send.busy || !scores.some(v => v != null)}
                onClick=${send.act}>
                ${criteria.some((c, i) => scores[i] !== c.score)
                    ? t('send_correction') : t('approve')}</button>
                <button type="button" onClick=${() => onNext()}>
                    ${t('skip_item')}</button></p>
        </${Card}></div>
        <div class="text" tabindex="0" role="region" aria-label=${t('the_text')}>
            ${text == null ? html`<i>${t('no_text')}</i>`
              : pieces(text, criteria).map(([part, marks], i) => marks.length
                ? html`<mark key=${i} class=${marks.includes(at) ? 'on' : ''}>
                    ${part}</mark>` : part)}
        </div></div>`;
}
