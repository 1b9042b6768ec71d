/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// The first page: how the service is, what was judged, what needs a person.

import { html, useEffect, useState } from '../lib/base.js';
import { get, judges, mayGo } from '../lib/api.js';
import { t, number } from '../lib/i18n.js';
import { Lines } from '../lib/charts.js';
import { Card, Go, Load, Page, Stat, useData } from '../lib/ui.js';
import { EvaluationTable, namesOf } from './evaluations.js';

// Of the newest judges: what nobody has said anything about.
const unseen = (list, signal) => Promise.all(list.slice(0, 5).map(judge =>
    get(`judges/${judge.judge_id}/review?limit=1`, { signal }).then(
        ({ waiting: n }) => ({ judge, n }), () => ({ judge, n: 0 }))));

async function overview(signal) {
    const none = name => error => {
        if (error.kind === 'right') {
            return { [name]: [], closed: true };
        }
        throw error;
    };
    const ready = get('readyz', { signal }).then(() => true, error => {
        if (error.kind === 'fault') {
            return error.detail || false;
        }
        throw error;
    });

    const [list, latest, failed, batches, waiting, state] = await Promise.all([
        judges(signal).catch(() => []),
        get('evaluations?limit=100', { signal }).catch(none('evaluations')),
        get('evaluations?limit=5&status=failed', { signal })
            .catch(none('evaluations')),
        get('batches?limit=5&status=evaluating', { signal })
            .catch(none('batches')),
        get('evaluations?limit=100&status=processing', { signal })
            .catch(none('evaluations')), ready]);

    const review = await unseen(list, signal);

    return { list, review, latest: latest.evaluations, failed: failed.evaluations,
             batches: batches.batches, waiting, state };
}

export function Overview() {
    const [turn, setTurn] = useState(0);
    const data = useData(overview, [turn]);

    useEffect(() => {
        const timer = setInterval(() =>
            document.hidden || setTurn(n => n + 1), 10000);
        return () => clearInterval(timer);
    }, []);

    return html`<${Page} title=${t('place_overview')}>
        <${Load} of=${data}>${d => d.list.length || d.latest.length
            ? html`<${Numbers} ...${d} /><${Needs} ...${d} /><${Latest} ...${d} />`
            : html`<${FirstSteps} />`}</${Load}>
    </${Page}>`;
}

const FirstSteps = () => html`<div class="empty">
    <h2>${t('welcome')}</h2><p>${t('welcome_lead')}</p>
    <ol class="steps">${[1, 2, 3].map(n => html`<li key=${n}>
        <h3>${t(`step_${n}`)}</h3><p>${t(`step_${n}_text`)}</p></li>`)}</ol>
    <p><${Go} class="button main" href="#/judges/new">${t('make_first_judge')}</${Go}></p>
</div>`;

function Numbers({ latest, waiting, state, list }) {
    const n = waiting.closed ? null : waiting.evaluations.length;
    const done = latest.filter(e => e.status === 'completed');
    const mean = done.length
        ? done.reduce((sum, e) => sum + e.overall_score, 0) / done.length : null;

    return html`<div class="stats">
        <${Stat} label=${t('service')} value=${state === true ? t('works')
            : t('in_trouble')} note=${state === true ? t('works_note')
                                                     : state || null} />
        <${Stat} label=${t('waiting')} value=${number(n)
                                                + (waiting.next_cursor ? '+' : '')}
            note=${n ? t('waiting_some') : n === 0 ? t('waiting_none')
                                                   : t('waiting_closed')} />
        <${Stat} label=${t('mean_score')} value=${number(mean, 0)}
            note=${done.length ? t('of_last', { n: done.length })
                               : t('nothing_yet')} />
        <${Stat} label=${t('place_judges')} value=${number(list.length)}
            href="#/judges" />
    </div>`;
}

function Needs({ failed, batches, list, review }) {
    const learning = list.filter(j => j.trained?.state === 'features_changed');
    const items = [
        ...(failed.length ? [['#/evaluations?status=failed',
                              t('n_failed', { n: failed.length })]] : []),
        ...learning.map(j => [`#/training/new?judge=${j.judge_id}`,
                              t('train_again', { name: j.name })]),
        ...batches.map(b => [`#/batches/${b.id}`,
            t('batch_runs', { name: b.name,
                              n: Math.round(b.progress_percentage) })]),
        ...review.filter(r => r.n).map(({ judge, n }) =>
            [`#/correct/${judge.judge_id}`,
             t('n_unseen', { name: judge.name, n })])]
        .filter(([href]) => mayGo(href));

    return html`<${Card} title=${t('needs_person')}>
        ${items.length ? html`<ul class="tasks">${items.map(([href, text]) => html`
            <li key=${href + text}><a href=${href}>${text}</a></li>`)}</ul>`
          : html`<p class="quiet">${t('needs_nobody')}
            ${' '}<${Go} href="#/correct">${t('correct_anyway')}</${Go}></p>`}
    </${Card}>`;
}

function Latest({ latest, list }) {
    const done = latest.filter(e => e.status === 'completed').reverse();

    return html`
        ${done.length > 1 && html`<${Card} title=${t('scores_over_time')}>
            <${Lines} label=${t('scores_over_time')} time points height=${180}
                xs=${done.map(e => Date.parse(e.evaluated_at) / 1000)}
                y=${{ range: [0, 100] }}
                series=${[[t('score'), done.map(e => e.overall_score)]]} />
        </${Card}>`}
        ${latest.length > 0 && html`<${Card} title=${t('latest')}
            aside=${html`<a href="#/evaluations">${t('all')}</a>`}>
            <${EvaluationTable} rows=${latest.slice(0, 8)}
                named=${namesOf(list)} />
        </${Card}>`}`;
}

