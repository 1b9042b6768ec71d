/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Criteria that people read otherwise than the judge, and a clearer wording.

import { html } from '../lib/base.js';
import { get, may, post, put } from '../lib/api.js';
import { t, number, time } from '../lib/i18n.js';
import { Card, Load, May, Note, Problem, useAction,
         useData } from '../lib/ui.js';

// `asked`: what of a criterion a request takes.
export function Suggestions({ judge, asked, onChange }) {
    const id = judge.judge_id;
    const page = useData(async signal => {
        const { suggestions } = await get(`judges/${id}/suggestions?limit=1`,
                                          { signal });
        const [last] = suggestions;
        return { last: last && await get(
            `judges/${id}/suggestions/${last.suggestion_id}`, { signal }) };
    }, [id, judge.version_number]);
    const find = useAction(async () => {
        await post(`judges/${id}/suggestions`, {}, { wait: 60 });
        page.reload();
    });
    const make = useAction(async ({ criterion_id, after }) => {
        await put(`judges/${id}`, { criteria: judge.criteria.map(c => asked(
                c.criterion_id === criterion_id ? { ...c, description: after }
                                                : c)) },
            { lenient: true, headers: {
                'If-Match': `"${judge.version_number}"` } });
        onChange();
    });

    return html`<${Card} title=${t('wordings')}>
        <p class="quiet">${t('wordings_lead')}</p>
        <${Load} of=${page}>${({ last }) => html`${last && html`
            <${Found} of=${last} judge=${judge} make=${make} />`}
            <${Problem} error=${find.error ?? make.error} />
            <p>${last && !last.completed_at
                ? html`<button type="button" onClick=${page.reload}>
                    ${t('look_again')}</button>`
                : may('training:write') && html`<button type="button"
                    disabled=${find.busy}
                    onClick=${find.act}>${find.busy ? t('one_moment')
                        : t('wordings_find')}</button>`}</p>`}</${Load}>
    </${Card}>`;
}

function Found({ of, judge, make }) {
    const differ = (of.criteria ?? []).filter(c => c.differs);

    if (!of.completed_at) {
        return html`<p>${t('wordings_wait')}</p>`;
    }

    return html`<p class="quiet">${t('version')} ${of.judge_version},
            ${' '}${time(of.completed_at)}</p>
        ${of.error ? html`<${Note} kind="bad">${of.error.message}</${Note}>`
          : html`<div lang="en">${of.sentences.map((s, i) =>
                html`<p key=${i}>${s}</p>`)}</div>`}
        ${of.suggestion && html`<${Wording} of=${of} judge=${judge}
            make=${make} />`}
        ${differ.map(c => html`<${Texts} key=${c.criterion_id} of=${c} />`)}`;
}

// Both wordings side by side, and how they did.
function Wording({ of, judge, make }) {
    const { suggestion: s, trial } = of;

    return html`<div class="scroll" tabindex="0"><table class="list diff"><thead><tr>
            <th>${s.name}</th><th>${t('wording_now')}</th>
            <th>${t('wording_new')}</th></tr></thead>
        <tbody><tr><td>${t('description')}</td><td><del>${s.before}</del></td>
            <td><ins>${s.after}</ins></td></tr>
        <tr><td>${t('points_from_people', { n: trial.texts })}</td>
            <td>${number(trial.distance_before, 1)}</td>
            <td>${number(trial.distance_after, 1)}</td></tr></tbody></table></div>
        ${of.judge_version === judge.version_number && may('judges:write')
            && html`<p><button
            type="button" class="main" disabled=${make.busy}
            onClick=${() => make.act(s)}>${t('make_version')}</button></p>`}`;
}

// The texts that show a difference most.
const Texts = ({ of }) => html`<h3>${t('read_otherwise', { name: of.name })}</h3>
    <div class="scroll" tabindex="0"><table class="list"><thead><tr><th>${t('content')}</th>
        <th class="n">${t('judge')}</th><th class="n">${t('people')}</th>
        <th>${t('what_people_wrote')}</th></tr></thead>
    <tbody>${of.texts.map(x => html`<tr key=${x.evaluation_id}>
        <td><a href=${`#/evaluations/${x.evaluation_id}`}>
            ${x.content_name ?? x.evaluation_id}</a></td>
        <td class="n">${number(x.judge_score)}</td>
        <td class="n">${number(x.people_score)}</td>
        <td>${(x.comments ?? []).map((said, i) => html`<div key=${i}>${said}</div>`)}
        </td></tr>`)}</tbody></table></div>`;
