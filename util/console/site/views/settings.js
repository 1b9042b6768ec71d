/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Keys, webhooks and what was delivered, usage.

import { html, useState } from '../lib/base.js';
import { call, get, mayGo, post, put, query } from '../lib/api.js';
import { t, number, time } from '../lib/i18n.js';
import { Badge, Card, Change, Empty, Field, Load, May, Note, Page, Problem,
         Sure, Tabs, useAction, useData, usePages,
         useUnsaved } from '../lib/ui.js';
import { Models } from './settings_models.js';
import { Audit, People } from './settings_people.js';

export const everyTab = ['people', 'keys', 'webhooks', 'models', 'usage', 'audit'];

export const settingsTabs = () =>
    everyTab.filter(name => mayGo(`settings/${name}`));

export function Settings({ tab = mayGo('settings/keys') ? 'keys'
                           : settingsTabs()[0] }) {
    const View = { people: People, keys: Keys, webhooks: Webhooks,
                   models: Models, usage: Usage, audit: Audit }[tab] ?? Keys;

    return html`<${Page} wide title=${t('place_settings')}>
        <${Tabs} at=${tab} items=${settingsTabs().map(name =>
            [name, `#/settings/${name}`, t(`tab_${name}`)])} />
        <${View} Once=${Once} /></${Page}>`;
}

// --- Keys --------------------------------------------------------------------

const KINDS = ['judges', 'content', 'evaluations', 'feedback', 'training',
               'config', 'keys'];
const RIGHTS = [...KINDS.flatMap(k => [`${k}:read`, `${k}:write`]), 'llm:use',
                'references:write', 'work:claim', 'people:read',
                'people:write', 'audit:read'];

// A secret that is shown this once.
const Once = ({ text, children }) => html`<div class="note good" role="status">
    <p><strong>${children}</strong></p>
    <p class="line start"><code class="secret">${text}</code>
        <button type="button" onClick=${() =>
            navigator.clipboard?.writeText(text)}>${t('copy')}</button></p></div>`;

function Keys() {
    const page = usePages((cursor, signal) =>
        get('api-keys' + query({ limit: 50, cursor }), { signal }), []);
    const [made, setMade] = useState(null);
    const change = useAction(async (id, status) => {
        await (status ? call('PATCH', `api-keys/${id}`, { json: { status } })
                      : call('DELETE', `api-keys/${id}`));
        page.reload();
    });

    return html`<${Problem} error=${change.error} />
        ${made && html`<${Once} text=${made.api_key}>${t('key_once')}</${Once}>`}
        <${Card} title=${t('tab_keys')}><${Load} of=${page}>${data => html`
            <div class="scroll" tabindex="0"><table class="list"><thead><tr>
                <th>${t('name')}</th><th>${t('may')}</th><th>${t('status')}</th>
                <th>${t('last_used')}</th><th>${t('expires')}</th>
                <th><span class="hidden">${t('actions')}</span></th></tr></thead>
            <tbody>${data.api_keys.map(k => html`<tr key=${k.api_key_id}>
                <td>${k.name}</td>
                <td class="quiet">${k.permissions.includes('*') ? t('may_all')
                    : k.permissions.join(', ')}</td>
                <td><${Badge} kind="status" value=${k.status} /></td>
                <td>${time(k.usage_stats?.last_used)}</td>
                <td>${k.expires_at ? time(k.expires_at) : t('never')}</td>
                <td class="line start"><${May} to="keys:write">
                    ${k.status !== 'expired' && html`
                    <button type="button" disabled=${change.busy}
                        onClick=${() => change.act(k.api_key_id,
                            k.status === 'active' ? 'suspended' : 'active')}>
                        ${k.status === 'active' ? t('suspend') : t('activate')}
                        <span class="hidden"> ${k.name}</span></button>`}
                    <${Sure} question=${t('delete_key_sure')} busy=${change.busy}
                        onSure=${() => change.act(k.api_key_id)}>${t('delete')}
                        <span class="hidden"> ${k.name}</span></${Sure}>
                    </${May}></td></tr>`)}</tbody></table></div>${page.pager}`}</${Load}></${Card}>
        <${May} to="keys:write"><${NewKey} onMade=${key => {
            setMade(key);
            page.reload();
        }} /></${May}>`;
}

function NewKey({ onMade }) {
    const [name, setName] = useState('');
    const [all, setAll] = useState(false);
    const [rights, setRights] = useState(new Set(
        ['judges:read', 'content:write', 'content:read', 'evaluations:write',
         'evaluations:read']));
    const [until, setUntil] = useState('');
    const make = useAction(async () => {
        onMade(await post('api-keys', { name: name.trim(),
            permissions: all ? ['*'] : [...rights],
            ...until && { expires_at: new Date(until).toISOString() } }));
        setName('');
    });

    return html`<${Card} title=${t('new_key')}><form onSubmit=${e => {
            e.preventDefault();
            make.act();
        }}>
        <div class="fields">
            <${Field} label=${t('name')} hint=${t('key_name_hint')}>${id => html`
                <input id=${id} required maxlength="200" value=${name}
                    onInput=${e => setName(e.currentTarget.value)} />`}</${Field}>
            <${Field} label=${t('expires')} hint=${t('expires_hint')}>${id => html`
                <input id=${id} type="date" value=${until}
                    onInput=${e => setUntil(e.currentTarget.value)} />`}</${Field}>
        </div>
        <fieldset><legend>${t('may')}</legend>
            <label><input type="checkbox" checked=${all}
                onChange=${e => setAll(e.currentTarget.checked)} />
                ${' '}${t('may_all')}</label>
            ${!all && html`<div class="rights">${RIGHTS.map(r => html`
                <label key=${r}><input type="checkbox" checked=${rights.has(r)}
                    onChange=${() => {
                        const next = new Set(rights);
                        next.delete(r) || next.add(r);
                        setRights(next);
                    }} /> <code>${r}</code></label>`)}</div>`}</fieldset>
        <${Problem} error=${make.error} />
        <p><button class="main" disabled=${make.busy || !name.trim()
            || !all && !rights.size}>${t('make_key')}</button></p>
    </form></${Card}>`;
}

// --- Webhooks ----------------------------------------------------------------

const EVENTS = ['evaluation.completed', 'evaluation.failed',
    'evaluation.requested', 'batch.started', 'batch.progress', 'batch.completed',
    'batch.failed', 'content.ready', 'content.error', 'feedback.processed',
    'training.started', 'training.progress', 'training.completed',
    'training.failed', 'training.cancelled', 'judge.version_created',
    'judge.ready', 'judge.drift', 'judge.alert'];

function Webhooks() {
    const page = useData(signal => get('config/webhooks', { signal }));
    const [saved, setSaved] = useState(false);

    return html`${saved && html`<${Note} kind="good">${t('saved')}</${Note}>`}
        <${Load} of=${page}>${config => html`
        <${WebhookForm} key=${config.updated_at} config=${config}
            onSaved=${() => {
                setSaved(true);
                page.reload();
            }} />`}</${Load}><${Deliveries} />`;
}

const sortedText = set => set && [...set].sort().join();

function WebhookForm({ config, onSaved }) {
    const [url, setUrl] = useState(config.url ?? '');
    const [enabled, setEnabled] = useState(config.enabled);
    const [events, setEvents] = useState(new Set(config.events));
    const [done, setDone] = useState('');
    const [secret, setSecret] = useState('');

    useUnsaved(url !== (config.url ?? '') || enabled !== config.enabled
               || sortedText(events) !== sortedText(config.events));
    const save = useAction(async () => {
        await put('config/webhooks', { enabled,
                                       events: events && [...events],
                                       ...url.trim() && { url: url.trim() } });
        onSaved();
    });
    const test = useAction(async () => {
        await post('config/webhooks/test', {});
        setDone(t('test_sent'));
    });
    const rotate = useAction(async () => {
        const answer = await post('config/webhooks/rotate-secret', {});
        setSecret(answer.secret ?? answer.webhook_secret ?? '');
    });

    return html`<${Card} title=${t('tab_webhooks')}>
        <p class="quiet">${t('webhooks_lead')}</p>
        ${secret && html`<${Once} text=${secret}>${t('secret_once')}</${Once}>`}
        ${done && html`<${Note} kind="good">${done}</${Note}>`}
        <form onSubmit=${e => { e.preventDefault(); save.act(); }}>
            <${Change} to="config:write">
            <${Field} wide label=${t('address')} hint=${t('address_hint')}>
                ${id => html`<input id=${id} type="url" value=${url}
                    placeholder="https://" onInput=${e =>
                        setUrl(e.currentTarget.value)} />`}</${Field}>
            <p><label><input type="checkbox" checked=${enabled} onChange=${e =>
                setEnabled(e.currentTarget.checked)} />
                ${' '}${t('webhooks_on')}</label></p>
            <details><summary>${t('which_events')} (${events
                    ? events.size : t('events_usual')})</summary>
                <p><label><input type="checkbox" checked=${!events}
                    onChange=${() => setEvents(events ? null
                        : new Set(config.events))} />
                    ${' '}${t('events_default')}</label></p>
                ${events && html`<div class="rights">${EVENTS.map(name => html`<label key=${name}>
                    <input type="checkbox" checked=${events.has(name)}
                        onChange=${() => {
                            const next = new Set(events);
                            next.delete(name) || next.add(name);
                            setEvents(next);
                        }} /> <code>${name}</code></label>`)}</div>`}</details>
            <${Problem} error=${save.error ?? test.error ?? rotate.error} />
            <${May} to="config:write"><p class="line start">
                <button class="main" disabled=${save.busy}>
                ${t('save')}</button>
                <button type="button" disabled=${test.busy || !config.enabled}
                    onClick=${test.act}>${t('send_test')}</button>
                <${Sure} question=${t('rotate_sure')} busy=${rotate.busy}
                    onSure=${rotate.act}>${t('rotate')}</${Sure}></p>
            </${May}></${Change}></form></${Card}>`;
}

function Deliveries() {
    const page = usePages((cursor, signal) =>
        get('webhooks/deliveries' + query({ limit: 25, cursor }), { signal }), []);
    const [shown, setShown] = useState(null);
    const look = useAction(async id => setShown(shown?.id === id ? null
        : await get(`webhooks/deliveries/${id}`)));
    const again = useAction(async id => {
        await post(`webhooks/deliveries/${id}/redeliver`, {});
        page.reload();
    });

    return html`<${Card} title=${t('deliveries')} aside=${html`
            <button type="button" onClick=${page.reload}>${t('refresh')}
                </button>`}>
        <${Problem} error=${look.error ?? again.error} />
        <${Load} of=${page}>${data => data.deliveries.length ? html`
            <div class="scroll" tabindex="0"><table class="list"><thead><tr>
                <th>${t('event')}</th><th>${t('status')}</th>
                <th class="n">${t('attempts')}</th><th>${t('answer')}</th>
                <th>${t('when')}</th>
                <th><span class="hidden">${t('actions')}</span></th></tr></thead>
            <tbody>${data.deliveries.map(d => html`<tr key=${d.id}>
                <td><code>${d.type}</code></td>
                <td><${Badge} kind="status" value=${d.status} /></td>
                <td class="n">${d.attempts}</td>
                <td class="quiet">${d.response_status ?? d.last_error ?? ''}</td>
                <td>${time(d.last_attempt_at ?? d.created_at)}</td>
                <td class="line start"><button type="button"
                        aria-expanded=${shown?.id === d.id}
                        onClick=${() => look.act(d.id)}>${t('look')}</button>
                    <${May} to="config:write"><button type="button"
                        disabled=${again.busy}
                        onClick=${() => again.act(d.id)}>${t('send_again')}
                        </button></${May}></td></tr>`)}</tbody></table></div>
            ${page.pager}
            ${shown && html`<pre tabindex="0">${
                JSON.stringify(shown, null, 2)}</pre>`}`
            : html`<${Empty} title=${t('no_deliveries')}>
                ${t('no_deliveries_do')}</${Empty}>`}</${Load}></${Card}>`;
}

// --- Usage -------------------------------------------------------------------

function Usage() {
    const page = usePages((cursor, signal) =>
        get('api-keys' + query({ limit: 50, cursor }), { signal }), []);

    return html`<${Card} title=${t('usage_month')}><${Load} of=${page}>${data => {
        const used = data.api_keys.map(k => ({ ...k, ...k.usage_stats }));
        const most = Math.max(1, ...used.map(k => k.requests_this_month ?? 0));

        return html`<div class="scroll" tabindex="0"><table class="list"><thead><tr>
            <th>${t('key')}</th><th class="n">${t('requests')}</th>
            <th aria-hidden="true"></th>
            <th class="n">${t('place_evaluations')}</th>
            <th>${t('last_used')}</th></tr></thead>
        <tbody>${used.map(k => html`<tr key=${k.api_key_id}><td>${k.name}</td>
            <td class="n">${number(k.requests_this_month)}</td>
            <td class="grow" aria-hidden="true"><div class="bar">
                <div class="fill" style=${{ width: `${
                    (k.requests_this_month ?? 0) / most * 100}%` }}></div></div></td>
            <td class="n">${number(k.evaluations_this_month)}</td>
            <td>${time(k.last_used)}</td></tr>`)}</tbody></table></div>
        ${page.pager}`;
    }}</${Load}></${Card}>`;
}
