/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// What a judge said about one content: scores beside the text.

import { html, useMemo, useState } from '../lib/base.js';
import { get } from '../lib/api.js';
import { checkText } from '../lib/checks.js';
import { pieces, units } from '../lib/passages.js';
import { t, word, score as shown, language, number, spoken,
         time } from '../lib/i18n.js';
import { Between, Load, Note, ScoreBar, level, useData } from '../lib/ui.js';

// Reasons and shapes of records that this version of the console has no words
// for are shown as they are.
const plain = value => typeof value === 'string' ? value
    : value?.message ?? value?.reason ?? JSON.stringify(value);

// What a text was judged beside, by its names in the metadata.
export const BESIDE = ['question', 'source', 'reference'];

export function Beside({ metadata }) {
    const there = BESIDE.filter(name => typeof metadata?.[name] === 'string'
                                        && metadata[name].trim());

    return there.length > 0 && html`<dl class="about">${there.map(name => html`
        <div key=${name}><dt>${t(name)}</dt><dd>${metadata[name]}</dd></div>`)}
        </dl>`;
}

export function Result({ evaluation, text, judge, metadata }) {
    const [at, setAt] = useState(-1);
    const criteria = evaluation.criteria_scores ?? [];
    const parts = useMemo(() => text == null ? null : pieces(text, criteria),
                          [text, evaluation]);

    if (evaluation.status === 'failed') {
        return html`<${Failed} evaluation=${evaluation} />
            <${Unjudged} evaluation=${evaluation} />`;
    }
    if (evaluation.status !== 'completed') {
        return html`<${Note}>${t(evaluation.waiting_for
            ? `waiting_for_${evaluation.waiting_for}` : 'being_judged')}
        </${Note}>`;
    }

    return html`<div class=${parts ? 'result split' : 'result'}>
        <div class="scores">
            <${Overall} evaluation=${evaluation} />
            <ul class="criteria">
                ${criteria.map((item, i) => html`<${Criterion} key=${i}
                    evaluation=${evaluation.evaluation_id}
                    item=${item} lit=${at === i} quotes=${parts?.some(
                        ([, marks]) => marks.includes(i))}
                    thresholds=${judge?.criteria.find(c =>
                        c.criterion_id === item.criterion_id)?.thresholds}
                    onPoint=${on => setAt(on ? i : -1)} />`)}
            </ul>
            <${Turns} evaluation=${evaluation} text=${text} />
            <${Unjudged} evaluation=${evaluation} />
            <${Words} evaluation=${evaluation} />
            <${Record} evaluation=${evaluation} own=${metadata?.id} />
        </div>
        ${parts && html`<div class="beside"><${Beside} metadata=${metadata} />
            <${Passages} parts=${parts} at=${at} setAt=${setAt}
                criteria=${criteria} /></div>`}
    </div>`;
}

// The answers of a conversation, each with its score; weak are those with a
// flag or a score at the bottom.
function Turns({ evaluation: e, text }) {
    if (!e.turns?.length) {
        return null;
    }
    const weak = turn => turn.flags.length > 0 || turn.overall_score != null
        && ['poor', 'below'].includes(level(turn.overall_score));
    const said = turn => text.slice(units(text, turn.start),
                                    units(text, turn.end));
    return html`<div class="words"><h3>${e.answers > e.turns.length
            ? t('turns_last', { n: e.turns.length, all: e.answers })
            : t('turns')}</h3>
        <ol class="criteria turns">${e.turns.map(turn => html`
            <li key=${turn.start} class=${weak(turn) ? 'weak' : ''}>
                <p class="line"><span>messages[${turn.index}]</span>
                    ${weak(turn) && html`<strong>${t('turn_faulty')}</strong>`}
                    <b class="score">${shown(turn.overall_score)}</b></p>
                ${text != null && html`<p>${said(turn)}</p>`}
            </li>`)}</ol></div>`;
}

// The criteria without a score, and why they have none.
function Unjudged({ evaluation: e }) {
    if (!e.not_judged?.length) {
        return null;
    }
    return html`<div class="words unjudged"><h3>${t('not_judged')}</h3>
        ${e.coverage > 0 && html`<p class="quiet">${t('coverage',
            { n: number(e.coverage * 100) })}</p>`}
        <ul class="criteria">${e.not_judged.map(c => html`
            <li key=${c.criterion_id}><h4>${c.name}</h4><p>${c.reason}</p>
                <${Checks} checks=${c.checks} /></li>`)}</ul>
        <p class="quiet">${t('not_judged_do')}</p></div>`;
}

export const bare = e => e.status === 'failed'
    && e.error?.code === 'NOT_JUDGED';

// Why a person should look at it.
export const Why = ({ evaluation: e }) => e.needs_review && html`
    <p class="review">${t('needs_review')}${(e.review_reasons ?? []).map(reason =>
        html` <span key=${reason}>${word('reason', reason)}</span>`)}</p>`;

function Overall({ evaluation: e }) {
    return html`<div class="overall">
        <b>${shown(e.overall_score)}</b><div>
            <p class="lead">${word('level', level(e.overall_score))}
                ${' '}<${Between} interval=${e.interval ?? e.score_interval} /></p>
            ${e.summary && html`<p>${e.summary}</p>`}
            <${Why} evaluation=${e} />
        </div></div>`;
}

function Criterion({ evaluation, item, thresholds, lit, quotes, onPoint }) {
    return html`<li class=${lit ? 'lit' : ''}
        onMouseEnter=${() => onPoint(true)} onMouseLeave=${() => onPoint(false)}>
        <div class="line"><h3>${item.name}</h3>
            ${!item.decided && html`<${Between} interval=${item.interval} />`}
            <b class="score">${shown(item.score)}</b></div>
        ${item.score != null && html`<${ScoreBar} name=${item.name}
            score=${item.score} thresholds=${thresholds}
            interval=${item.decided ? null : item.interval} former=${item.raw_score} />`}
        ${item.feedback && html`<p>${item.feedback}
            ${quotes && html` <button type="button" class="plain"
                onFocus=${() => onPoint(true)} onBlur=${() => onPoint(false)}
                onClick=${() => document.querySelector('mark.on')
                    ?.scrollIntoView({ block: 'center', behavior: 'smooth' })}>
                ${t('show_in_text')}</button>`}</p>`}
        <${Checks} checks=${item.checks} />
        ${item.judged_by && html`<p class="quiet by">
            ${word('by', item.judged_by)}</p>`}
        <${Measures} measures=${item.measures} />
        <${Trace} evaluation=${evaluation} id=${item.criterion_id} />
    </li>`;
}

// What the score went through, asked for once somebody looks.
function Trace({ evaluation, id }) {
    const [open, setOpen] = useState(false);

    return html`<details class="trace"
        onToggle=${e => e.currentTarget.open && setOpen(true)}>
        <summary>${t('why_score')}</summary>
        ${open && html`<${Stages} evaluation=${evaluation} id=${id} />`}
    </details>`;
}

function Stages({ evaluation, id }) {
    const explained = useData(signal =>
        get(`evaluations/${evaluation}/explanation`, { signal }), [evaluation]);

    return html`<${Load} of=${explained}>${({ criteria }) => {
        const one = criteria.find(c => c.criterion_id === id);
        return html`<div class="scroll" tabindex="0"><table><thead><tr>
            <th>${t('stage')}</th><th class="n">${t('stage_in')}</th>
            <th class="n">${t('stage_out')}</th><th>${t('stage_reason')}</th>
            </tr></thead><tbody>${(one?.stages ?? []).map((s, i) => html`
            <tr key=${i}><td>${word('stage', s.stage)}</td>
                <td class="n">${number(s.before, 1)}</td>
                <td class="n">${number(s.after, 1)}</td>
                <td>${spoken(s.reason)}</td></tr>`)}
            </tbody></table></div>`;
    }}</${Load}>`;
}

const Checks = ({ checks }) => checks?.length ? html`<ul class="checks">
    ${checks.map((c, i) => html`<li key=${i} class=${c.result}>
        <span class="sign" aria-hidden="true">${c.result === 'met' ? '✓'
            : c.result === 'not_met' ? '✗'
            : c.result === 'budget' ? '?' : '~'}</span>
        ${checkText(c)}: ${t(`check_result_${c.result}`)}</li>`)}
    </ul>` : null;

// A count has no decimals.
const measured = value => number(value, Number.isInteger(value) ? 0 : 2);

function Measures({ measures }) {
    if (!measures?.length) {
        return null;
    }
    return html`<details><summary>${t('measures')}</summary>
        <div class="scroll" tabindex="0"><table><thead><tr><th>${t('measure')}</th>
            <th class="n">${t('value')}</th><th class="n">${t('typical')}</th>
            <th>${t('effect')}</th></tr></thead><tbody>
            ${measures.map((m, i) => html`<tr key=${i}><td>${m.name}</td>
                <td class="n">${measured(m.value)} ${m.unit}</td>
                <td class="n">${m.typical && `${measured(m.typical.low)} – ${
                    measured(m.typical.high)}`}</td>
                <td>${word('direction', m.direction)}</td></tr>`)}
        </tbody></table></div></details>`;
}

function Words({ evaluation: e }) {
    return html`<div class="words">
        ${['strengths', 'weaknesses', 'suggestions'].map(kind =>
            e[kind]?.length ? html`<div key=${kind}><h3>${t(kind)}</h3><ul>
                ${e[kind].map((text, i) => html`<li key=${i}>${plain(text)}</li>`)}
            </ul></div>` : null)}</div>`;
}

function languageName(code) {
    try {
        return code && code !== 'unknown' ? new Intl.DisplayNames([language],
            { type: 'language' }).of(code) : null;
    } catch {
        return code;
    }
}

// Who decided, when, by what.
function Record({ evaluation: e, own }) {
    const p = { ...e.provenance, ...e.decided_by };
    const rows = [
        [t('judged_at'), time(e.evaluated_at)],
        [t('judge_version'), e.judge_version],
        [t('decided_by'), p.model ?? e.engine],
        [t('why'), p.why],
        [t('models_failed'), p.models_failed?.map(m =>
            `${m.model}: ${m.message}`).join('; ')],
        [t('references_useless'), p.reference_errors?.map(m => m.reason)
            .join('; ')],
        [t('text_language'), languageName(e.language)],
        [t('before_learning'), p.raw_overall_score != null
            ? shown(p.raw_overall_score) : null],
        [t('tokens'), p.tokens_used ? number(p.tokens_used) : null],
        [t('field_id'), own],
        [t('evaluation'), e.evaluation_id],
    ].filter(([, value]) => value != null && value !== '');

    return html`<details class="record"><summary>${t('record')}</summary>
        <dl class="pairs">${rows.map(([name, value]) => html`
            <div key=${name}><dt>${name}</dt><dd>${plain(value)}</dd></div>`)}
        </dl></details>`;
}

function Passages({ parts, at, setAt, criteria }) {
    return html`<div class="text" tabindex="0" role="region"
        aria-label=${t('the_text')}>
        ${parts.map(([text, marks], i) => marks.length
            ? html`<mark key=${i} class=${marks.includes(at) ? 'on' : ''}
                title=${marks.map(m => criteria[m].name).join(', ')}
                onMouseEnter=${() => setAt(marks[0])}
                onMouseLeave=${() => setAt(-1)}>${text}</mark>`
            : text)}
    </div>`;
}

export function Failed({ evaluation: e }) {
    if (bare(e)) {
        return html`<div class="note bad"><p><strong>${t('none_judged')}</strong>
            </p></div>`;
    }
    return html`<div class="note bad"><p><strong>${t('failed')}</strong>
        ${' '}${t('failed_do')}</p>
        ${e.error && html`<p class="quiet">${t('error_said')}
            ${' '}<q lang="en">${e.error.message}</q> (${e.error.code})</p>`}</div>`;
}

