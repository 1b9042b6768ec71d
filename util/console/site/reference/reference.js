/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// The service's own description (OpenAPI) as a page, with a form to try each
// of its addresses.

import { html, render, useMemo, useState } from '../lib/base.js';
import { address, enter, get, key, open, query, whoami } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { Card, Choice, Field, Load, Page, Problem, useAction, useData }
    from '../lib/ui.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const DEEPEST = 6;                     // fields within fields

// --- What the description says -------------------------------------------------

function resolve(doc, value) {
    for (let n = 0; value?.$ref && n < 20; n++) {
        value = value.$ref.replace(/^#\//, '').split('/')
            .reduce((at, name) => at?.[name.replace(/~1/g, '/')
                                           .replace(/~0/g, '~')], doc);
    }
    return value ?? {};
}

// All operations, by tag in the order of the description.
function operations(doc) {
    const tags = new Map(doc.tags.map(tag => [tag.name, { ...tag, list: [] }]));

    for (const [path, item] of Object.entries(doc.paths)) {
        for (const method of METHODS.filter(m => item[m])) {
            const operation = item[method];
            tags.get(operation.tags[0]).list.push({ ...operation, path, method,
                parameters: [...item.parameters ?? [],
                             ...operation.parameters ?? []]
                    .map(p => resolve(doc, p)) });
        }
    }
    for (const tag of tags.values()) {
        tag.list.sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1
            : METHODS.indexOf(a.method) - METHODS.indexOf(b.method));
    }
    return [...tags.values()];
}

const kind = s => [
    s.const !== undefined ? JSON.stringify(s.const)
        : s.enum ? s.enum.map(v => JSON.stringify(v)).join(' | ')
        : [].concat(s.type ?? (s.properties ? 'object' : [])).join(' | '),
    s.format, s.pattern && `/${s.pattern}/`,
    s.minimum !== undefined && `≥ ${s.minimum}`,
    s.maximum !== undefined && `≤ ${s.maximum}`,
    s.minLength !== undefined && `≥ ${s.minLength}`,
    s.maxLength !== undefined && `≤ ${s.maxLength}`,
    s.maxItems !== undefined && `≤ ${s.maxItems}`,
    s.default !== undefined && `= ${JSON.stringify(s.default)}`,
].filter(Boolean).join(', ');

// Paragraphs, lists and `code` of a description; all else is text.
const inline = line => line.split(/(`[^`]+`)/).map((part, i) =>
    i % 2 ? html`<code key=${i}>${part.slice(1, -1)}</code>` : part);

function Prose({ text }) {
    return (text ?? '').split(/\n{2,}/).filter(Boolean).map((block, i) =>
        /^\* /.test(block)
            ? html`<ul key=${i}>${block.split(/^\* /m).filter(Boolean).map((item, k) =>
                html`<li key=${k}>${inline(item)}</li>`)}</ul>`
            : html`<p key=${i}>${inline(block)}</p>`);
}

// Fields are made when they are looked at: types contain each other.
function Fold({ name, about, children }) {
    const [open_, setOpen] = useState(false);

    return html`<details onToggle=${e => setOpen(e.currentTarget.open)}>
        <summary>${name}${about && html`<span class="quiet"> ${about}</span>`}
        </summary>${open_ && children()}</details>`;
}

function Schema({ doc, schema, depth = 0 }) {
    const s = resolve(doc, schema);
    const choices = s.oneOf ?? s.anyOf;
    const inner = value => html`<${Schema} doc=${doc} schema=${value}
        depth=${depth + 1} />`;

    if (depth > DEEPEST) {
        return html`<p class="quiet">…</p>`;
    }
    return html`
        ${s.allOf?.map((part, i) => html`<div key=${i}>${inner(part)}</div>`)}
        ${choices?.map((part, i) => html`<div key=${i}>${i + 1}. ${inner(part)}
            </div>`)}
        ${s.items && html`<div><span class="quiet">[ … ]</span>
            ${inner(s.items)}</div>`}
        ${s.properties && html`<ul class="schema">
            ${Object.entries(s.properties).map(([name, value]) => {
                const v = resolve(doc, value);
                const deep = v.properties || v.items || v.allOf || v.oneOf
                    || v.anyOf;
                const about = `${kind(v)}${s.required?.includes(name)
                    ? ` · ${t('required')}` : ''}`;
                return html`<li key=${name}>${deep
                    ? html`<${Fold} name=${html`<code>${name}</code>`}
                        about=${about}>${() => inner(v)}</${Fold}>`
                    : html`<code>${name}</code>
                        <span class="quiet">${about}</span>`}
                    ${v.description && html`<${Prose} text=${v.description} />`}
                    </li>`;
            })}</ul>`}
        ${!s.properties && !s.items && !s.allOf && !choices && html`
            <p><code>${kind(s) || '…'}</code></p>`}`;
}

// --- Identifiers ---------------------------------------------------------------

// Where the newest of each kind is listed: the examples of the description
// exist nowhere.  Each is asked for once.
const NEWEST = {
    jdg: ['v1/judges?limit=1', page => page.judges[0].judge_id],
    evl: ['evaluations?limit=1', page => page.evaluations[0].evaluation_id],
    cnt: ['evaluations?limit=1', page => page.evaluations[0].content_id],
    bat: ['batches?limit=1', page => page.batches[0].id],
};
const KIND = { judge_id: 'jdg', evaluation_id: 'evl', content_id: 'cnt',
               batch_id: 'bat' };
const pages = {};

const newest = async kind => {
    const [path, of] = NEWEST[kind];

    try {
        return of(await (pages[path] ??= get(path)));
    } catch {
        delete pages[path];
        return null;                   // there is none, or it may not be seen
    }
};

async function ownIdentifiers() {
    const kinds = Object.keys(NEWEST);
    const found = key() || whoami() ? await Promise.all(kinds.map(newest)) : [];

    return Object.fromEntries(kinds.map((k, i) => [k, found[i]])
                                   .filter(([, id]) => id));
}

const withOwn = (text, own) => text.replace(/\b([a-z]{3})_[0-9A-Z]{26}\b/g,
    (all, kind) => own[kind] ?? all);

// --- A body --------------------------------------------------------------------

// All members of an object, those of its parts too; of one that may have
// several forms only what all of them may have is known.
function membersOf(doc, schema) {
    const s = resolve(doc, schema);
    const parts = (s.allOf ?? []).map(part => membersOf(doc, part));

    return { open: (s.oneOf ?? s.anyOf ?? []).some(form =>
                 Object.keys(form).some(name => name !== 'required'))
                   || parts.some(p => p.open),
        all: Object.assign({}, s.properties, ...parts.map(p => p.all)),
        required: [...s.required ?? [], ...parts.flatMap(p => p.required)] };
}

function sample(doc, schema) {
    const s = resolve(doc, schema);
    const first = s.example ?? s.examples?.[0] ?? s.default ?? s.const
        ?? s.enum?.[0];
    const type = [].concat(s.type ?? (s.properties ? 'object' : 'string'))[0];

    return first !== undefined ? first
        : ({ object: {}, array: [], integer: s.minimum ?? 1,
             number: s.minimum ?? 1, boolean: true }[type] ?? '');
}

// What is wrong with a body before it is sent, and the members it might have.
function BodyHelp({ doc, schema, body, onChange }) {
    const { all, required, open: several } = useMemo(() =>
        membersOf(doc, schema), [schema]);
    let value, why;

    try {
        value = JSON.parse(body);
    } catch (error) {
        why = error.message;
    }
    if (why) {
        return html`<p class="fault" role="status">${t('body_bad', { why })}</p>`;
    }
    if (!value || typeof value !== 'object' || Array.isArray(value)) {
        return null;
    }
    const missing = required.filter(name => !(name in value));
    const unknown = several ? []
        : Object.keys(value).filter(name => !(name in all));
    const put = next => onChange(JSON.stringify(next, null, 2));

    return html`<div role="status">
            ${missing.length > 0 && html`<p class="fault">${t('body_missing',
                { names: missing.join(', ') })}</p>`}
            ${unknown.length > 0 && Object.keys(all).length > 0 && html`
                <p class="fault">${t('body_unknown',
                    { names: unknown.join(', ') })}</p>`}</div>
        <p class="line start"><button type="button" onClick=${() => put(value)}>
            ${t('body_format')}</button>
        ${Object.keys(all).some(name => !(name in value)) && html`
            <label>${t('body_add')} <select value="" onChange=${e => {
                const name = e.currentTarget.value;
                if (name) {
                    put({ ...value, [name]: sample(doc, all[name]) });
                }
            }}><option value=""></option>${Object.keys(all)
                .filter(name => !(name in value)).map(name => html`
                <option key=${name} value=${name}>${name}${required.includes(name)
                    ? ` · ${t('required')}` : ''}</option>`)}</select></label>`}
        </p>`;
}

// --- Trying --------------------------------------------------------------------

const exampleOf = (doc, media) => {
    const first = Object.values(media?.examples ?? {})[0];
    return media?.example ?? resolve(doc, first).value;
};

const shownExample = value => value === undefined ? ''
    : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

const quoted = text => `'${text.replaceAll("'", `'\\''`)}'`;

// The same request on a command line; the key stays in the environment.
const asCurl = (o, path, headers, body) =>
    [`curl -X ${o.method.toUpperCase()} ${quoted(address + path)}`,
     ...o.security?.length === 0 ? [] : ['-H "X-API-Key: $JUDGE_API_KEY"'],
     ...Object.entries(headers).map(h => `-H ${quoted(h.join(': '))}`),
     ...body ? [`--data-raw ${quoted(body)}`] : []].join(' \\\n    ');

function TryIt(props) {
    const page = useData(ownIdentifiers);

    return html`<${Load} of=${page}>${own => html`<${Trial} ...${props}
        own=${own} />`}</${Load}>`;
}

function Trial({ doc, operation: o, own }) {
    const request = resolve(doc, o.requestBody);
    const types = Object.keys(request.content ?? {});
    const [type, setType] = useState(types[0]);
    const media = request.content?.[type];
    const given = o.parameters.filter(p => p.in !== 'cookie');
    const exists = p => p.in === 'path' ? own[KIND[p.name]] : undefined;
    // What only reads is filled in; what changes something is chosen by hand.
    const [values, setValues] = useState(() => o.method !== 'get' ? {}
        : Object.fromEntries(given.filter(exists).map(p => [p.name, exists(p)])));
    const bodyOf = name => withOwn(shownExample(exampleOf(doc,
                                   request.content?.[name])), own);
    const [body, setBody] = useState(() => bodyOf(types[0]));
    const [answer, setAnswer] = useState(null);

    const of = where => given.filter(p => p.in === where);

    const pick = where => Object.fromEntries(of(where)
        .filter(p => values[p.name]).map(p => [p.name, values[p.name]]));
    const path = o.path.replace(/\{(\w+)\}/g, (all, name) =>
        values[name] ? encodeURIComponent(values[name]) : all)
        + query(pick('query'));
    const headers = pick('header');

    const send = useAction(async () => {
        const started = performance.now();
        let response;

        setAnswer(null);
        try {
            response = await open(o.method.toUpperCase(),
                path, { headers, ...types.length && body && { body, type } });
        } catch (error) {
            if (!error.status) {
                throw error;
            }
            setAnswer({ status: error.status, text: error.detail,
                        took: performance.now() - started });
            return;
        }
        const text = (await response.text()).slice(0, 200000);
        let pretty = text;
        try {
            pretty = JSON.stringify(JSON.parse(text), null, 2);
        } catch { /* not JSON */ }
        setAnswer({ status: response.status, text: pretty,
                    took: performance.now() - started });
    });

    return html`<form onSubmit=${e => { e.preventDefault(); send.act(); }}>
        ${!key() && !whoami() && o.security?.length !== 0 && html`<p class="quiet">
            ${t('no_key_here')} <a href="../">${t('to_console')}</a></p>`}
        ${o.method !== 'get' && html`<p class="quiet">${t('this_changes')}</p>`}
        <div class="fields">${given.map(p => html`<${Field} key=${p.in + p.name}
            label=${p.name} hint=${p.description && inline(p.description)}>${id => html`<input id=${id}
                required=${p.required} value=${values[p.name] ?? ''}
                placeholder=${exists(p) ?? p.example ?? ''} onInput=${e => setValues({
                    ...values, [p.name]: e.currentTarget.value })} />`}
            </${Field}>`)}</div>
        ${types.length > 1 && html`<${Field} label="Content-Type">${id => html`
            <${Choice} id=${id} value=${type} onChange=${chosen => {
                setType(chosen);
                setBody(bodyOf(chosen));
            }} options=${types.map(v => [v, v])} />`}</${Field}>`}
        ${types.length > 0 && html`<${Field} wide label=${t('body')}>${id => html`
            <textarea id=${id} rows=${Math.min(14, body.split('\n').length + 1)}
                spellcheck=${false} value=${body} onInput=${e =>
                    setBody(e.currentTarget.value)}></textarea>`}</${Field}>
            ${/json$/.test(type) && html`<${BodyHelp} doc=${doc} body=${body}
                schema=${media.schema} onChange=${setBody} />`}`}
        <${Problem} error=${send.error} />
        <p><button class="main" disabled=${send.busy}>${t('send')}</button></p>
        <${Fold} name="curl">${() => html`<pre tabindex="0">${asCurl(o, path,
            types.length && body ? { ...headers, 'Content-Type': type } : headers,
            types.length ? body : '')}</pre>`}</${Fold}>
        <div aria-live="polite">${answer && html`<p><b>${answer.status}</b>
            <span class="quiet"> ${Math.round(answer.took)} ms</span></p>
            ${answer.text && html`<pre tabindex="0">${answer.text}</pre>`}`}</div>
    </form>`;
}

// --- The page ------------------------------------------------------------------

function Operation({ doc, operation: o }) {
    const request = resolve(doc, o.requestBody);
    const rights = [...new Set((o.security ?? []).flatMap(s =>
        Object.values(s).flat()))];

    return html`
        <${Prose} text=${o.description} />
        ${rights.length > 0 && html`<p>${t('needs_right')}: ${rights.map(r =>
            html`<code key=${r}>${r}</code> `)}</p>`}
        ${Object.entries(request.content ?? {}).map(([type, media]) => html`
            <${Fold} key=${type} name=${t('body')} about=${type}>${() => html`
                <${Schema} doc=${doc} schema=${media.schema} />`}</${Fold}>`)}
        <${Fold} name=${t('answers')}>${() => html`<ul class="schema">
            ${Object.entries(o.responses).map(([status, value]) => {
                const r = resolve(doc, value);
                return html`<li key=${status}><b>${status}</b>
                    <${Prose} text=${r.description} />
                    ${Object.entries(r.content ?? {}).map(([type, media]) => html`
                        <${Fold} key=${type} name=${t('fields')} about=${type}>
                            ${() => html`<${Schema} doc=${doc}
                                schema=${media.schema} />
                                ${exampleOf(doc, media) !== undefined && html`
                                <p>${t('example')}</p><pre tabindex="0">${
                                    shownExample(exampleOf(doc, media))}</pre>`}`}
                        </${Fold}>`)}</li>`;
            })}</ul>`}</${Fold}>
        <${Fold} name=${t('try_call')}>${() => html`
            <${TryIt} doc=${doc} operation=${o} />`}</${Fold}>`;
}

function Entry({ doc, operation: o }) {
    const [open_, setOpen] = useState(location.hash === `#${o.operationId}`);

    return html`<details class="card operation" id=${o.operationId}
        open=${open_} onToggle=${e => setOpen(e.currentTarget.open)}>
        <summary><span class="method">${o.method.toUpperCase()}</span>
            <code class="path">${o.path}</code>
            <span class="quiet">${o.summary}</span></summary>
        ${open_ && html`<div><${Operation} doc=${doc} operation=${o} /></div>`}
    </details>`;
}

function Reference({ doc }) {
    const tags = useMemo(() => operations(doc), [doc]);
    const [words, setWords] = useState('');
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = o => wanted.every(w =>
        `${o.method} ${o.path} ${o.summary}`.toLowerCase().includes(w));
    const shown = tags.map(tag => ({ ...tag, list: tag.list.filter(fits) }))
        .filter(tag => tag.list.length);

    return html`<${Card}><${Prose} text=${doc.info.description} />
            <p><a href="../../openapi.json">openapi.json</a>
                <span class="quiet"> ${doc.info.version} · ${address}</span></p>
        </${Card}>
        <${Field} label=${t('find')}>${id => html`<input id=${id} type="search"
            value=${words} onInput=${e => setWords(e.currentTarget.value)} />`}
        </${Field}>
        ${shown.map(tag => html`<section key=${tag.name}><h2>${tag.name}</h2>
            <p class="quiet">${tag.description}</p>
            ${tag.list.map(o => html`<${Entry} key=${o.operationId} doc=${doc}
                operation=${o} />`)}</section>`)}
        ${!shown.length && html`<p class="quiet">${t('nothing_found')}</p>`}`;
}

function App() {
    const doc = useData(async signal => {
        await enter().catch(() => null);
        return get('openapi.json', { signal, key: '' });
    });

    return html`<main id="main"><${Page} title=${t('api_reference')}
        lead=${t('reference_lead')} back=${['../', t('to_console')]}>
        <${Load} of=${doc}>${value => html`<${Reference} doc=${value} />`}</${Load}>
    </${Page}></main>`;
}

render(html`<${App} />`, document.getElementById('app'));
