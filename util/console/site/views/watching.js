/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Whether a judge's scores still mean what they did: what people would give,
// drift, and another version beside the one in use.

import { html, useState } from '../lib/base.js';
import { call, get, may, post, put, query } from '../lib/api.js';
import { t, number, percent, word } from '../lib/i18n.js';
import { Shares } from '../lib/charts.js';
import { Badge, Card, Choice, Field, Go, Load, May, Note, Problem, Stat, Sure,
         useAction, useData } from '../lib/ui.js';

export function Watching({ judge, onChange }) {
    return html`<${Estimate} id=${judge.judge_id} />
        <${Drift} id=${judge.judge_id} />
        <${Alerts} judge=${judge} />
        <${Canary} judge=${judge} onChange=${onChange} />`;
}

const span = (low, high, digits = 1) => low == null ? ''
    : `${number(low, digits)} – ${number(high, digits)}`;

// What the service says is English, whatever the console speaks.
const Said = ({ sentences }) => html`<div lang="en">${sentences.map((s, i) =>
    html`<p key=${i}>${s}</p>`)}</div>`;

// --- What people would give --------------------------------------------------

function Estimate({ id }) {
    const page = useData(signal => get(`judges/${id}/estimate`, { signal }), [id]);

    return html`<${Card} title=${t('would_give')}><${Load} of=${page}>${e => html`
        <p class="quiet">${t('would_give_lead', { n: number(e.evaluations),
            corrected: number(e.overall.corrections) })}</p>
        ${e.overall.low == null
            ? html`<p>${t('would_give_few')}${' '}
                <${Go} href=${`#/correct/${id}`}>${t('place_correct')}</${Go}></p>`
            : html`<div class="stats">
                <${Stat} label=${t('judge_mean')}
                    value=${number(e.overall.given_mean, 1)} />
                <${Stat} label=${t('people_mean')}
                    value=${number(e.overall.human_mean, 1)}
                    note=${t('between', { low: number(e.overall.low, 1),
                                          high: number(e.overall.high, 1) })} />
            </div>
            <p class="quiet">${t(e.overall.holds ? 'would_give_random'
                                                 : 'would_give_unsure')}</p>`}`}
    </${Load}></${Card}>`;
}

// --- Drift -------------------------------------------------------------------

const WINDOWS = { '6h': '7d', '1d': '7d', '7d': '28d' };

function Drift({ id }) {
    const [window, setWindow] = useState('1d');
    const [route, setRoute] = useState('');
    const page = useData(signal => get(`judges/${id}/drift`
        + query({ window, reference: WINDOWS[window], route }), { signal }),
        [id, window, route]);

    return html`<${Card} title=${t('drift')}>
        <p class="quiet">${t('drift_lead')}</p>
        <${Load} of=${page}>${d => html`
            <div class="filters long">
                <${Field} label=${t('drift_window')}>${fid => html`
                    <${Choice} id=${fid} value=${window} onChange=${setWindow}
                        options=${Object.keys(WINDOWS).map(w =>
                            [w, t(`window_${w}`)])} />`}</${Field}>
                ${d.routes.length > 0 && html`<${Field} label=${t('route')}>
                    ${fid => html`<${Choice} id=${fid} value=${route}
                        onChange=${setRoute} options=${[['', t('all')],
                            ...d.routes.map(r => [r.route, r.route])]} />`}
                </${Field}>`}</div>
            ${d.overall.psi != null && html`<p><${Badge} kind="drift"
                value=${d.verdict} /></p>`}
            <${Said} sentences=${d.sentences} />
            ${d.window.evaluations > 0 && html`
                <${Shares} label=${t('drift')} now=${d.overall.counts}
                    before=${d.overall.reference_counts}
                    names=${[t('drift_now', { n: d.window.evaluations }),
                             t('drift_before', { n: d.reference.evaluations })]} />
                <${Measured} of=${d} />`}`}
        </${Load}></${Card}>`;
}

function Measured({ of }) {
    return html`<div class="scroll" tabindex="0"><table class="list"><thead><tr>
        <th>${t('criterion')}</th><th class="n">${t('before')}</th>
        <th class="n">${t('now')}</th><th class="n">${t('psi')}</th>
        <th class="n">${t('ks')}</th><th>${t('verdict')}</th></tr></thead>
        <tbody>${[{ name: t('overall'), ...of.overall }, ...of.criteria]
            .map((c, i) => html`<tr key=${i}><td>${c.name}</td>
                <td class="n">${number(c.reference_mean, 1)}</td>
                <td class="n">${number(c.mean, 1)}</td>
                <td class="n">${number(c.psi, 2)}</td>
                <td class="n">${number(c.ks, 2)}</td>
                <td>${c.psi != null && html`<${Badge} kind="drift"
                    value=${c.verdict} />`}</td></tr>`)}
        </tbody></table></div>`;
}

// --- Alerts ------------------------------------------------------------------

const DRIFTS = ['none', 'some', 'strong'];
const METRICS = ['mean', 'share_below', 'not_judged', 'drift'];

function Alerts({ judge }) {
    const page = useData(signal => get(`judges/${judge.judge_id}/alerts`,
                                       { signal }), [judge.judge_id]);
    const name = id => judge.criteria.find(c => c.criterion_id === id)?.name
        ?? t('overall');
    const value = (a, v) => a.metric === 'mean' ? number(v, 1)
        : a.metric === 'drift' ? word('drift', DRIFTS[v]) : percent(v);
    const rule = a => t(`alert_${a.metric}`, {
        below: number(a.below), threshold: value(a, a.threshold) });

    const save = useAction(async alerts => {
        await put(`judges/${judge.judge_id}/alerts`,
                  { alerts: alerts.map(ruleOf) });
        page.reload();
    });

    return html`<${Load} of=${page}>${({ alerts }) => html`
        <${Card} title=${t('alerts')}><p class="quiet">${t('alerts_lead')}</p>
        ${alerts.length > 0 && html`<div class="scroll" tabindex="0">
        <table class="list"><thead><tr><th>${t('name')}</th>
        <th>${t('criterion')}</th><th>${t('alert_when')}</th>
        <th class="n">${t('now')}</th><th>${t('status')}</th><td></td></tr></thead>
        <tbody>${alerts.map(a => html`<tr key=${a.name}><td>${a.name}</td>
            <td>${name(a.criterion_id)}</td>
            <td>${rule(a)}</td>
            <td class="n">${value(a, a.value)}</td>
            <td><${Badge} kind="alert" value=${a.state} /></td>
            <td class="end"><${May} to="judges:write"><button type="button" class="plain"
                disabled=${save.busy} aria-label=${t('alert_remove',
                    { name: a.name })} onClick=${() => save.act(
                        alerts.filter(other => other !== a))}>
                ${t('remove')}</button></${May}></td></tr>`)}
        </tbody></table></div>`}
        <${May} to="judges:write"><${NewAlert} judge=${judge} busy=${save.busy}
            key=${alerts.length}
            onAdd=${added => save.act([...alerts, added])} /></${May}>
        <${Problem} error=${save.error} /></${Card}>`}</${Load}>`;
}

// What of an alert is its rule; the rest is how it stands.
const ruleOf = a => Object.fromEntries(['name', 'metric', 'criterion_id',
    'below', 'threshold', 'clear_at', 'window']
    .filter(part => a[part] !== undefined && a[part] !== null
                    && !(a.metric === 'drift' && /^(threshold|clear_at)$/
                         .test(part))).map(part => [part, a[part]]));

// Shares are written in percent.
function NewAlert({ judge, busy, onAdd }) {
    const [rule, setRule] = useState({ name: '', metric: 'mean', threshold: 60,
                                       below: 40, window: '24h' });
    const set = values => setRule({ ...rule, ...values });
    const share = rule.metric !== 'mean';
    const input = (name, label, more) => html`<${Field} label=${t(label)}>
        ${id => html`<input id=${id} required value=${rule[name]} ...${more}
            onInput=${e => set({ [name]: e.currentTarget.value })} />`}
        </${Field}>`;
    const choice = (name, label, options, onChange) => html`
        <${Field} label=${t(label)}>${id => html`<${Choice} id=${id}
            value=${rule[name] ?? ''} options=${options}
            onChange=${onChange ?? (v => set({ [name]: v }))} />`}</${Field}>`;
    const add = () => onAdd({ name: rule.name.trim(), metric: rule.metric,
        window: rule.window,
        ...rule.criterion_id && { criterion_id: rule.criterion_id },
        ...rule.metric === 'share_below' && { below: Number(rule.below) },
        ...rule.metric !== 'drift' && { threshold:
            Number(rule.threshold) / (share ? 100 : 1) } });

    return html`<details><summary>${t('alert_new')}</summary>
        <form onSubmit=${e => { e.preventDefault(); add(); }}>
        <div class="fields">${input('name', 'name', { maxlength: 100 })}
            ${choice('metric', 'alert_metric', METRICS.map(m =>
                [m, t(`alert_metric_${m}`)]), v => set({ metric: v,
                    threshold: v === 'mean' ? 60 : 20 }))}
            ${choice('criterion_id', 'criterion', [['', t('overall')],
                ...judge.criteria.map(c => [c.criterion_id, c.name])])}
            ${choice('window', 'alert_window', ['6h', '24h', '7d'].map(w =>
                [w, t(`span_${w}`)]))}
            ${rule.metric === 'share_below' && input('below', 'alert_below',
                { type: 'number', min: 5, max: 100, step: 5 })}
            ${rule.metric !== 'drift' && input('threshold', share
                ? 'alert_share' : 'alert_least', { type: 'number', min: 0,
                                                   max: 100, step: 'any' })}
        </div><p><button disabled=${busy || !rule.name.trim()}>
            ${t('alert_add')}</button></p></form></details>`;
}

// --- Another version beside the one in use -----------------------------------

function Canary({ judge, onChange }) {
    const id = judge.judge_id;
    const page = useData(async signal => {
        const canary = await get(`judges/${id}/canary?if_any=true`, { signal });

        return canary ? { canary } : await get(`judges/${id}/versions`, { signal });
    }, [judge.version_number]);

    return html`<${Card} title=${t('canary')}>
        <p class="quiet">${t('canary_lead')}</p>
        <${Load} of=${page}>${({ canary, versions }) => canary
            ? html`<${Running} canary=${canary} onChange=${() => {
                page.reload();
                onChange();
            }} />`
            : !may('judges:write') ? html`<p>${t('canary_no')}</p>`
            : html`<${Begin} id=${id} onBegun=${page.reload}
                versions=${versions.filter(v => !v.is_active)
                                   .map(v => String(v.version_number))} />`}
        </${Load}></${Card}>`;
}

function Begin({ id, versions, onBegun }) {
    const [version, setVersion] = useState(versions[0]);
    const [share, setShare] = useState('0.1');
    const begin = useAction(async () => {
        await post(`judges/${id}/canary`, { version: Number(version),
                                            share: Number(share) });
        onBegun();
    });

    return versions.length === 0 ? html`<p>${t('canary_none')}</p>`
        : html`<div class="filters">
            <${Field} label=${t('version')}>${fid => html`<${Choice} id=${fid}
                value=${version} onChange=${setVersion}
                options=${versions.map(n => [n, n])} />`}</${Field}>
            <${Field} label=${t('canary_share')}>${fid => html`<${Choice}
                id=${fid} value=${share} onChange=${setShare}
                options=${['0.01', '0.05', '0.1', '0.25', '0.5', '1'].map(n =>
                    [n, percent(n)])} />`}</${Field}>
            <button type="button" disabled=${begin.busy} onClick=${begin.act}>
                ${t('canary_begin')}</button></div>
            <${Problem} error=${begin.error} />`;
}

function Running({ canary, onChange }) {
    const path = `judges/${canary.judge_id}/canary`;
    const promote = useAction(async () => {
        await post(`${path}/promote`, {});
        onChange();
    });
    const drop = useAction(async () => {
        await call('DELETE', path);
        onChange();
    });
    const both = [{ name: t('overall'), ...canary.overall }, ...canary.criteria];

    return html`
        <p><${Badge} kind="canary" value=${canary.status} />${' '}
            ${t('canary_runs', { version: canary.version,
                active: canary.active_version, share: percent(canary.share),
                n: canary.evaluations })}</p>
        <${Said} sentences=${canary.sentences} />
        ${canary.evaluations > 0 && html`<div class="scroll" tabindex="0"><table class="list">
            <thead><tr><th>${t('criterion')}</th>
                <th class="n">${t('version')} ${canary.active_version}</th>
                <th class="n">${t('version')} ${canary.version}</th>
                <th class="n">${t('difference')}</th>
                <th class="n">${t('likely')}</th></tr></thead>
            <tbody>${both.map((c, i) => html`<tr key=${i}><td>${c.name}</td>
                <td class="n">${number(c.active_mean, 1)}</td>
                <td class="n">${number(c.canary_mean, 1)}</td>
                <td class="n">${number(c.difference, 1)}</td>
                <td class="n">${span(c.low, c.high)}</td></tr>`)}</tbody>
            </table></div>`}
        ${canary.status === 'stale' && html`<${Note}>${t('canary_is_stale')}</${Note}>`}
        <${Problem} error=${promote.error ?? drop.error} />
        <${May} to="judges:write"><p class="line start">
            ${canary.status !== 'stale' && html`
                <button type="button" class="main" disabled=${promote.busy}
                    onClick=${promote.act}>${t('deploy',
                        { number: canary.version })}
                </button>`}
            <${Sure} busy=${drop.busy} onSure=${drop.act}
                question=${t('canary_drop_sure')}>${t('canary_drop')}</${Sure}></p></${May}>`;
}
