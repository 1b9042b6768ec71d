/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// People of the organization with their roles, and who changed what.

import { html, useState } from '../lib/base.js';
import { call, get, may, patch, post, query } from '../lib/api.js';
import { t, time } from '../lib/i18n.js';
import { Card, Empty, Field, Load, May, Problem, Sure, useAction, useData,
         usePages } from '../lib/ui.js';

const ROLES = ['owner', 'editor', 'annotator', 'viewer'];

const Role = ({ id, value, label, onPick, busy }) => html`<select id=${id}
    aria-label=${label} disabled=${busy} value=${value} onChange=${e =>
        onPick(e.currentTarget.value)}>${ROLES.map(role => html`
    <option key=${role} value=${role} selected=${role === value}>
        ${t(`role_${role}`)}</option>`)}</select>`;

export function People({ Once }) {
    const page = usePages((cursor, signal) =>
        get('people' + query({ limit: 50, cursor }), { signal }), []);
    const [made, setMade] = useState(null);
    const change = useAction(async (id, role) => {
        try {
            await (role ? patch(`people/${id}`, { role })
                        : call('DELETE', `people/${id}`));
        } finally {
            page.reload();
        }
    });

    return html`<${Problem} error=${change.error} />
        ${made?.api_key && html`<${Once} text=${made.api_key}>
            ${t('key_once')}</${Once}>`}
        <${Card} title=${t('tab_people')}><${Load} of=${page}>${data =>
            data.people.length ? html`<div class="scroll" tabindex="0"><table class="list">
            <thead><tr><th>${t('name')}</th><th>${t('mail_address')}</th>
                <th>${t('role')}</th><th>${t('login')}</th>
                <th><span class="hidden">${t('actions')}</span></th></tr></thead>
            <tbody>${data.people.map(p => html`<tr key=${p.person_id}>
                <td>${p.name}</td><td>${p.address}</td>
                <td>${may('people:write') ? html`<${Role} value=${p.role}
                    busy=${change.busy} label=${t('role_of', { name: p.name })}
                    onPick=${role => change.act(p.person_id, role)} />`
                    : t(`role_${p.role}`)}</td>
                <td>${p.login ?? t('by_key')}</td>
                <td><${May} to="people:write"><${Sure}
                    question=${t('remove_person_sure')}
                    busy=${change.busy} onSure=${() =>
                        change.act(p.person_id)}>${t('remove')}
                    <span class="hidden"> ${p.name}</span></${Sure}></${May}></td>
                </tr>`)}</tbody></table></div>${page.pager}`
            : html`<${Empty} title=${t('no_people')}>${t('no_people_do')}
                </${Empty}>`}</${Load}></${Card}>
        <${May} to="people:write"><${NewPerson} onMade=${one => {
            setMade(one);
            page.reload();
        }} /></${May}>`;
}

function NewPerson({ onMade }) {
    const none = { name: '', address: '', role: 'annotator', login: '' };
    const [one, setOne] = useState(none);
    const set = values => setOne(old => ({ ...old, ...values }));
    const make = useAction(async () => {
        const { login, ...rest } = one;
        onMade(await post('people', { ...rest, ...login && { login } }));
        setOne(none);
    });
    const text = (name, more) => id => html`<input id=${id} ...${more}
        value=${one[name]} onInput=${e =>
            set({ [name]: e.currentTarget.value })} />`;

    return html`<${Card} title=${t('new_person')}><form onSubmit=${e => {
            e.preventDefault();
            make.act();
        }}><div class="fields">
            <${Field} label=${t('name')}>${text('name',
                { required: true, maxlength: 200 })}</${Field}>
            <${Field} label=${t('mail_address')}>${text('address',
                { required: true, type: 'email', maxlength: 320 })}</${Field}>
            <${Field} label=${t('role')} hint=${t(`role_${one.role}_may`)}>${id =>
                html`<${Role} id=${id} value=${one.role}
                    onPick=${role => set({ role })} />`}</${Field}>
            <${Field} label=${t('login')} hint=${t('login_hint')}>${text('login',
                { maxlength: 320 })}</${Field}></div>
        <${Problem} error=${make.error} />
        <p><button class="main" disabled=${make.busy || !one.name.trim()
            || !one.address.trim()}>${t('make_person')}</button></p>
    </form></${Card}>`;
}

// For the eye: without the places of identifiers in a path.
const plain = name => name.replace(/\/\{\w+\}/g, '').replaceAll('_', ' ');

export function Audit() {
    const [object, setObject] = useState('');
    const page = usePages((cursor, signal) =>
        get('audit' + query({ limit: 50, cursor, object: object.trim() }),
            { signal }), [object]);
    const names = useData(async signal => Object.fromEntries(
        (await get('people?limit=200', { signal })).people.map(p =>
            [p.person_id, p.name]))).data ?? {};

    return html`<${Card} title=${t('tab_audit')}>
        <div class="fields"><${Field} label=${t('audit_object')}
            hint=${t('audit_object_hint')}>${id => html`<input id=${id}
                maxlength="200" value=${object} onInput=${e =>
                    setObject(e.currentTarget.value)} />`}</${Field}></div>
        <${Load} of=${page}>${data => data.entries.length ? html`
            <div class="scroll" tabindex="0"><table class="list"><thead><tr>
                <th>${t('audit_when')}</th><th>${t('audit_who')}</th>
                <th>${t('audit_action')}</th><th>${t('audit_object')}</th>
                <th>${t('audit_values')}</th></tr></thead>
            <tbody>${data.entries.map(e => html`<tr key=${e.entry_id}>
                <td>${time(e.at)}</td>
                <td>${names[e.changed_by_person] ?? e.changed_by_person
                    ?? e.changed_by}</td>
                <td><code>${plain(e.action)}</code></td>
                <td>${e.object[0] === '/' ? plain(e.object) : e.object}</td>
                <td class="quiet">${e.fields?.map(name => name in e.values
                    ? `${plain(name)}: ${[].concat(e.values[name]).join(', ')}`
                    : plain(name)).join('; ')}</td>
                </tr>`)}</tbody></table></div>${page.pager}`
            : html`<${Empty} title=${t('no_audit')} />`}</${Load}></${Card}>`;
}
