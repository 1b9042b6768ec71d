/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// What guards blocked lately, and what they only masked or tagged.

import { html, useState } from '../lib/base.js';
import { get, query } from '../lib/api.js';
import { t, number, time, word } from '../lib/i18n.js';
import { Badge, Choice, Empty, Field, Load, Page, useData } from '../lib/ui.js';

const ACTIONS = ['block', 'mask', 'tag'];

export function Blocked() {
    const [action, setAction] = useState('');
    const page = useData(signal => get('traffic/blocked' + query({
        limit: 100, action }), { signal }), [action]);

    return html`<${Page} title=${t('place_blocked')} lead=${t('blocked_lead')}
        back=${['#/evaluations', t('place_evaluations')]}>
        <div class="filters"><${Field} label=${t('guard_did')}>${id => html`
            <${Choice} id=${id} value=${action} onChange=${setAction}
                options=${['', ...ACTIONS].map(a =>
                    [a, a ? word('guard', a) : t('all')])} />`}</${Field}>
            <button type="button" onClick=${page.reload}>${t('refresh')}
                </button></div>
        <${Load} of=${page}>${({ blocked }) => blocked.length
            ? html`<div class="scroll" tabindex="0"><table class="list"><thead><tr>
                <th>${t('when')}</th><th>${t('guard_did')}</th>
                <th>${t('guard_where')}</th><th>${t('guard_why')}</th>
                <th class="n">${t('score')}</th></tr></thead>
                <tbody>${blocked.map(b => html`<${Row} key=${b.blocked_id}
                    ...${b} />`)}</tbody></table></div>`
            : html`<${Empty} title=${t('no_blocked')}>${t('no_blocked_do')}
                </${Empty}>`}</${Load}></${Page}>`;
}

// Texts are there only where nginx.conf keeps them.
const Row = b => html`<tr>
    <td>${time(b.at)}<br /><code class="quiet">${b.blocked_id}</code></td>
    <td><${Badge} kind="guard" value=${b.action} />${' '}
        <span class="quiet">${word('guard', b.of)}</span></td>
    <td><code>${b.location}</code><br />
        <span class="quiet">${b.method} ${b.path}</span></td>
    <td>${b.rule}: ${word('guard', b.reason)}
        ${b.text != null && html`<details><summary>${t('guard_text')}</summary>
            <pre tabindex="0">${b.text}${b.text_cut ? '…' : ''}</pre>
            </details>`}</td>
    <td class="n">${b.overall_score != null && html`
        <a href=${`#/evaluations/${b.evaluation_id}`}>
            ${number(b.overall_score, 1)}</a>
        <span class="quiet"> / ${number(b.minimum)}</span>`}</td></tr>`;
