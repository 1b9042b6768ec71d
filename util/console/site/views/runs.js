/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// A run of OpenAI's Evals: what has passed, by grader and item by item.  Its
// address is the report_url of the run.

import { html, useEffect, useState } from '../lib/base.js';
import { get, query } from '../lib/api.js';
import { t, number, time } from '../lib/i18n.js';
import { Badge, Card, Choice, Field, Load, Page, Stat, useData, usePages }
    from '../lib/ui.js';

const PAUSE = 2000;                    // ms until a run that goes on is read
const PAGE = 25;
const STATUSES = ['', 'pass', 'fail', 'error'];

const shown = value => typeof value === 'string' ? value
    : JSON.stringify(value);

function Result({ of }) {
    return html`<li><${Badge} kind="outcome" value=${of.error ? 'error'
            : of.passed ? 'pass' : 'fail'} /> ${of.name}: ${number(of.score, 2)}
        ${[of.label, of.reason, of.error].filter(Boolean).map((text, i) => html`
            <span key=${i} class="quiet"> ${text}</span>`)}</li>`;
}

function Item({ of }) {
    const output = of.sample?.output?.map(m => shown(m.content)).join('\n');

    return html`<tr>
        <td class="n">${number(of.datasource_item_id + 1)}</td>
        <td><${Badge} kind="outcome" value=${of.status} /></td>
        <td>${Object.entries(of.datasource_item ?? {}).map(([name, value]) =>
            html`<p key=${name}><b>${name}</b> ${shown(value)}</p>`)}</td>
        <td>${output}${of.sample?.error && html`
            <p class="quiet">${of.sample.error.message}</p>`}</td>
        <td><ul>${of.results.map((r, i) => html`
            <${Result} key=${i} of=${r} />`)}</ul></td></tr>`;
}

export function Run({ eval: evaluated, run }) {
    const path = `openai/v1/evals/${evaluated}/runs/${run}`;
    const [status, setStatus] = useState('');
    const data = useData(signal => get(path, { signal }), [path]);
    const done = data.data?.result_counts;
    const goes = ['queued', 'in_progress'].includes(data.data?.status);
    // Items appear as they end, until there is more than one page of them.
    const ended = done ? done.passed + done.failed + done.errored : 0;
    const items = usePages(async (after, signal) => {
        const page = await get(`${path}/output_items` + query({ limit: PAGE,
            after, status }), { signal });
        return { rows: page.data,
                 next_cursor: page.has_more ? page.last_id : '' };
    }, [path, status, data.data?.status, Math.min(ended, PAGE)]);

    useEffect(() => {
        const timer = goes && setTimeout(data.reload, PAUSE);
        return () => clearTimeout(timer);
    }, [data.data]);

    return html`<${Load} of=${data}>${of => html`
        <${Page} wide title=${of.name || t('run')} lead=${html`
            <${Badge} kind="status" value=${of.status} /> ${of.model}
            ${' '}${time(new Date(of.created_at * 1000).toISOString())}
            ${of.error?.message && html`<br />${of.error.message}`}`}>
        <div class="stats">
            <${Stat} label=${t('items')} value=${number(done.total)} />
            <${Stat} label=${t('outcome_pass')} value=${number(done.passed)} />
            <${Stat} label=${t('outcome_fail')} value=${number(done.failed)} />
            <${Stat} label=${t('outcome_error')} value=${number(done.errored)} />
        </div>
        <${Card} title=${t('graders')}>
            <div class="scroll" tabindex="0"><table class="list"><thead><tr>
                <th>${t('name')}</th><th class="n">${t('outcome_pass')}</th>
                <th class="n">${t('outcome_fail')}</th></tr></thead>
            <tbody>${of.per_testing_criteria_results.map((c, i) => html`
                <tr key=${i}><td>${c.testing_criteria}</td>
                <td class="n">${number(c.passed)}</td>
                <td class="n">${number(c.failed)}</td></tr>`)}
            </tbody></table></div></${Card}>
        <${Card} title=${t('items')}>
            <${Field} label=${t('status')}>${id => html`<${Choice} id=${id}
                value=${status} onChange=${setStatus}
                options=${STATUSES.map(s => [s, t(s ? `outcome_${s}` : 'all')])}
                />`}</${Field}>
            <${Load} of=${items}>${page => html`<div class="scroll" tabindex="0">
                <table class="list"><thead><tr><th class="n">#</th>
                    <th>${t('status')}</th><th>${t('item')}</th>
                    <th>${t('output')}</th><th>${t('graders')}</th></tr></thead>
                <tbody>${page.rows.map(item => html`
                    <${Item} key=${item.id} of=${item} />`)}</tbody></table></div>
                ${items.pager}`}</${Load}>
        </${Card}></${Page}>`}</${Load}>`;
}
