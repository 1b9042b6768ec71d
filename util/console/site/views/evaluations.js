/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Evaluations: the list, and one of them.

import { html, useState } from '../lib/base.js';
import { call, ended, get, judges, may, post, query } from '../lib/api.js';
import { t, time } from '../lib/i18n.js';
import { Badge, Card, Choice, ContentName, Empty, Field, Go, Load, May, Page,
         Problem, Score, Sure, useAction, useData,
         usePages } from '../lib/ui.js';
import { corrects } from './correct.js';
import { Result, bare } from './result.js';

export const EvaluationTable = ({ rows, named = {} }) => html`
    <div class="scroll" tabindex="0"><table class="list">
        <thead><tr><th>${t('content')}</th><th>${t('judge')}</th>
            <th>${t('status')}</th><th class="n">${t('score')}</th>
            <th>${t('when')}</th></tr></thead>
        <tbody>${rows.map(e => html`<tr key=${e.evaluation_id}>
            <td><a href=${`#/evaluations/${e.evaluation_id}`}>
                <${ContentName} id=${e.content_id} /></a></td>
            <td>${named[e.judge_id] ?? html`<i>${t('deleted_judge')}</i>`}</td>
            <td><${Badge} kind="status" value=${e.status} />
                ${e.needs_review && html` <span class="badge review">
                    ${t('look_at_it')}</span>`}</td>
            <td class="n"><${Score} value=${e.overall_score} /></td>
            <td>${time(e.evaluated_at ?? e.created_at)}</td></tr>`)}
        </tbody></table></div>`;

export const namesOf = list =>
    Object.fromEntries(list.map(j => [j.judge_id, j.name]));

export function Evaluations({ query: given }) {
    const [judge, setJudge] = useState(given.get('judge') ?? '');
    const [status, setStatus] = useState(given.get('status') ?? '');
    const list = useData(judges);
    const page = usePages((cursor, signal) => get('evaluations' + query({
        limit: 25, cursor, judge_id: judge, ...status === 'review'
            ? { needs_review: true } : { status } }), { signal }),
        [judge, status]);

    return html`<${Page} title=${t('place_evaluations')}
        lead=${t('evaluations_lead')} actions=${html`<a class="button"
            href="#/blocked">${t('place_blocked')}</a>`}>
        <div class="filters">
            <${Field} label=${t('judge')}>${id => html`<${Choice} id=${id}
                value=${judge} onChange=${setJudge} options=${[['', t('all')],
                    ...(list.data ?? []).map(j => [j.judge_id, j.name])]} />`}
            </${Field}>
            <${Field} label=${t('status')}>${id => html`<${Choice} id=${id}
                value=${status} onChange=${setStatus} options=${['', 'processing',
                    'completed', 'review', 'failed'].map(s =>
                        [s, s ? t(`status_${s}`) : t('all')])} />`}</${Field}>
        </div>
        <${Load} of=${page}>${data => data.evaluations.length
            ? html`<${EvaluationTable} rows=${data.evaluations}
                named=${namesOf(list.data ?? [])} />${page.pager}`
            : html`<${Empty} title=${t('no_evaluations')} href="#/try"
                action=${t('place_try')}>${t('no_evaluations_do')}</${Empty}>`}
        </${Load}>
    </${Page}>`;
}

async function whole(id, signal) {
    const evaluation = await get(`evaluations/${id}`, { signal });
    const missing = () => null;
    const [content, judge, feedback] = await Promise.all([
        get(`content/${evaluation.content_id}`, { signal }).catch(missing),
        get(`v1/judges/${evaluation.judge_id}`
            + query({ version: evaluation.judge_version }), { signal })
            .catch(missing),
        get(`feedback/evaluation/${id}?limit=50`, { signal }).catch(missing)]);

    return { evaluation, content, judge, feedback };
}

export function Evaluation({ id }) {
    const page = useData(async signal => {
        const all = await whole(id, signal);
        if (all.evaluation.status === 'processing') {
            ended(id, signal).then(e => e && page.reload(), () => {});
        }
        return all;
    }, [id]);
    const [gone, setGone] = useState(false);
    const again = useAction(async () => {
        await post(`evaluations/${id}/retry`, {});
        page.reload();
    });

    return html`<${Load} of=${page} place="evaluations">
        ${({ evaluation: e, content, judge, feedback }) => html`
        <${Page} wide title=${content?.name ?? t('no_content')}
            back=${['#/evaluations', t('place_evaluations')]}
            lead=${judge && html`${t('judged_by')} <a
                href=${`#/judges/${judge.judge_id}`}>${judge.name}</a>`}
            actions=${[
                e.status === 'failed' && may('evaluations:write') && html`<button type="button" key="again"
                    disabled=${again.busy} onClick=${again.act}>
                    ${t('judge_again')}</button>`,
                (e.status === 'completed' || bare(e)) && judge && html`<${Go} class="button"
                    key="correct" href=${`#/correct/${e.judge_id}?first=${id}`}>
                    ${t('correct_it')}</${Go}>`]}>
            <${Problem} error=${again.error} />
            <h2 class="hidden">${t('result')}</h2>
            <${Result} evaluation=${e} text=${content?.text_content}
                judge=${judge} metadata=${content?.metadata} />
            ${feedback?.total_feedback_count > 0 && html`
                <${Said} feedback=${feedback} evaluation=${e}
                    onGone=${() => {
                        setGone(true);
                        page.reload();
                    }} />`}
            <p role="status">${gone && t('withdrawn')}</p>
        </${Page}>`}
    </${Load}>`;
}

function Said({ feedback, evaluation, onGone }) {
    const withdraw = useAction(async id => {
        await call('DELETE', `feedback/${id}`);
        onGone();
    });
    const named = Object.fromEntries([...evaluation.criteria_scores ?? [],
        ...evaluation.not_judged ?? []].map(c => [c.criterion_id, c.name]));

    return html`<${Card} title=${t('people_said')}>
        <${Problem} error=${withdraw.error} />
        <ul class="said">${feedback.feedback_entries.map(entry => html`
            <li key=${entry.feedback_id}>
                <b>${t(`feedback_${entry.type}`)}</b>
                <span class="quiet"> ${[entry.submitted_by_person,
                    time(entry.submitted_at)].filter(Boolean).join(', ')}
                    ${entry.updated_at && ` · ${t('changed_at', {
                        when: time(entry.updated_at) })}`}</span>
                ${entry.content.corrected_scores && html`<p>
                    ${Object.entries(entry.content.corrected_scores).map(
                        ([id, value]) => html`<span class="pair" key=${id}>
                            ${named[id] ?? id} <b>${value}</b></span>`)}</p>`}
                ${(entry.content.comment || entry.content.explanation) && html`
                    <p>${entry.content.comment ?? entry.content.explanation}</p>`}
                <${May} to="feedback:write"><p class="line start">
                    ${corrects(entry) && html`<a class="button"
                    href=${`#/correct/${evaluation.judge_id}?first=${
                        evaluation.evaluation_id}&entry=${entry.feedback_id}`}>
                    ${t('change')}</a>`}
                    <${Sure} busy=${withdraw.busy} question=${t('withdraw_sure')}
                        onSure=${() => withdraw.act(entry.feedback_id)}>
                        ${t('withdraw')}</${Sure}></p></${May}>
            </li>`)}</ul>
    </${Card}>`;
}

