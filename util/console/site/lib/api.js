/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// The service over HTTP.  The key stays in this tab's session storage and
// goes out in a header, never in an address.  Where nginx knows who is logged
// in (judge_login), no key is needed: the browser sends its cookies.

const base = new URL('../../', import.meta.url);
const listeners = new Set();

export const address = base.href.replace(/\/$/, '');

export const key = () => sessionStorage.getItem('judge.key') || '';

export function setKey(value, why) {
    if (value) {
        sessionStorage.setItem('judge.key', value);
    } else {
        sessionStorage.removeItem('judge.key');
        me = null;
    }
    known.clear();
    listeners.forEach(f => f(why));
}

// Who makes the requests and what they may do, as /people/me says; null: it is
// not known, or nobody is.
let me = null;

export const whoami = () => me;

export async function enter(wanted) {
    try {
        me = await get('people/me', wanted === undefined ? {} : { key: wanted });
    } catch (error) {
        me = null;
        throw error;
    }
    return me;
}

// Whether a permission is there; what is not, is not offered.
export const may = right => !me || right === undefined
    || me.permissions.some(p => p === '*' || p === right);

// What the places of the console take, the first that fits.
const NEEDS = [
    [/^judges\/new/, 'judges:write'], [/^judges/, 'judges:read'],
    [/^try/, 'evaluations:write'],
    [/^(batches|comparisons)\/new/, 'evaluations:write'],
    [/^queues\/new/, 'judges:write'], [/^queues\/\w+\/work/, 'feedback:write'],
    [/^correct\/./, 'feedback:write'], [/^(correct|queues)/, 'feedback:read'],
    [/^training\/new/, 'training:write'], [/^training/, 'training:read'],
    [/^settings\/people/, 'people:read'], [/^settings\/audit/, 'audit:read'],
    [/^settings\/(webhooks|models)/, 'config:read'],
    [/^settings\/(keys|usage)/, 'keys:read'],
    [/^(evaluations|batches|compare|comparisons|ranking|blocked)/,
     'evaluations:read'],
];

export const mayGo = href => may(NEEDS.find(([place]) =>
    place.test(href.replace(/^#\//, '')))?.[1]);

// Calls f when somebody signs in or out; the answer ends that.
export function onKey(f) {
    listeners.add(f);
    return () => listeners.delete(f);
}

// kind: offline (no answer), key (401), right (403), gone (404), fault (500
// and more), busy (429), request (all else).
export class ApiError extends Error {
    constructor(kind, detail, status = 0) {
        super(detail || kind);
        Object.assign(this, { kind, detail, status });
    }

    // Whether it may pass by itself.
    get passing() { return ['offline', 'fault', 'busy'].includes(this.kind); }
}

function kindOf(status) {
    return { 401: 'key', 403: 'right', 404: 'gone', 429: 'busy' }[status]
        ?? (status >= 500 ? 'fault' : 'request');
}

async function refused(response, withKey) {
    const text = await response.text().catch(() => '');
    let detail = '';

    try {
        const said = JSON.parse(text);
        detail = said.detail ?? said.error?.message;
    } catch { /* what a proxy answers is no JSON */ }

    if (response.status === 401 && withKey !== null
        && (withKey ? withKey === key() : me))
    {
        setKey('', withKey ? 'refused' : 'ended');
    }

    return new ApiError(kindOf(response.status), detail, response.status);
}

// Identifiers in paths may be out of the address bar, which anybody can write
// a link to: with dots and slashes of their own they would take the key
// elsewhere.
const PATH = /^\/?[\w-]+(\.json)?(\/([\w-]|%(?!2e)[\da-f]{2})*)*(\?[^#]*)?$/i;

// Options: json or body with type; wait (seconds), signal, headers, key;
// lenient: what the service would rather refuse is done, with a warning.
export async function open(method, path, options = {}) {
    if (!PATH.test(path)) {
        throw new ApiError('gone', '', 404);
    }

    const headers = { ...options.headers };
    const prefer = [];
    const sent = options.key ?? key();
    let body = options.body;

    if (sent) {
        headers['X-API-Key'] = sent;
    }
    if (options.json !== undefined) {
        body = JSON.stringify(options.json);
        headers['Content-Type'] = 'application/json';
        if (!options.lenient) {
            prefer.push('handling=strict');
        }
    } else if (options.type) {
        headers['Content-Type'] = options.type;
    }
    if (options.wait) {
        prefer.push(`wait=${options.wait}`);
    }
    if (prefer.length) {
        headers.Prefer = prefer.join(', ');
    }

    let response;

    try {
        response = await fetch(new URL(path.replace(/^\//, ''), base), {
            method, headers, body, signal: options.signal,
            credentials: 'same-origin', cache: 'no-store' });
    } catch (error) {
        if (error.name === 'AbortError') {
            throw error;
        }
        throw new ApiError('offline');
    }

    if (!response.ok) {
        throw await refused(response, 'key' in options ? null : sent);
    }
    return response;
}

export async function call(method, path, options) {
    const response = await open(method, path, options);
    const text = await response.text();

    return text && /json/.test(response.headers.get('Content-Type'))
        ? JSON.parse(text) : text;
}

export const get = (path, options) => call('GET', path, options);
export const post = (path, json, options) =>
    call('POST', path, { json, ...options });
export const put = (path, json, options) =>
    call('PUT', path, { json, ...options });
export const patch = (path, json) => call('PATCH', path, { json });

export const query = values => {
    const set = Object.entries(values)
        .filter(([, v]) => v !== undefined && v !== null && v !== '');
    return set.length ? '?' + new URLSearchParams(set) : '';
};

// The lines of an answer, one by one.
async function* lines(response) {
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    let rest = '';

    try {
        for (;;) {
            const { value, done } = await reader.read();
            rest += decoder.decode(value, { stream: !done });
            const parts = rest.split('\n');
            rest = parts.pop();
            yield* parts;
            if (done) {
                if (rest) {
                    yield rest;
                }
                return;
            }
        }
    } finally {
        reader.cancel().catch(() => {});
    }
}

// Objects of JSON Lines, as they come.
export async function* objects(path, options) {
    for await (const line of lines(await open('GET', path, options))) {
        if (line.trim()) {
            yield JSON.parse(line);
        }
    }
}

const pause = (ms, signal) => new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
    });
});

// Server-sent events with the key in a header, which EventSource can't send.
// Comes back after a cut with the number of the last event; ends with `done`.
export async function follow(path, signal, onEvent, onState = () => {}) {
    let last = '';

    while (!signal.aborted) {
        try {
            const response = await open('GET', path, { signal,
                headers: last ? { 'Last-Event-ID': last } : {} });
            let name = '', data = '', id = last;

            onState('live');
            for await (const raw of lines(response)) {
                const line = raw.replace(/\r$/, '');

                if (line.startsWith('id:')) {
                    id = line.slice(3).trim();
                } else if (line.startsWith('event:')) {
                    name = line.slice(6).trim();
                } else if (line.startsWith('data:')) {
                    data += line.slice(5).trim();
                } else if (line === '' && data) {
                    last = id;         // what was cut off is sent again
                    onEvent(name, JSON.parse(data));
                    if (name === 'done') {
                        return;
                    }
                    name = data = '';
                }
            }
        } catch (error) {
            if (signal.aborted) {
                return;
            }
            if (error instanceof ApiError && !error.passing) {
                throw error;
            }
        }
        onState('waiting');
        await pause(2000, signal);
    }
}

// An evaluation that has ended, or null when it was given up.
export async function ended(id, signal, onRead = () => {}) {
    while (!signal.aborted) {
        const evaluation = await get(`evaluations/${id}`, { signal });

        onRead(evaluation);
        if (evaluation.status !== 'processing') {
            return evaluation;
        }
        await pause(1000, signal);
    }
    return null;
}

// Names of contents, of which lists tell identifiers only; a bounded memory.
const EXCERPT = 200;                   // characters
const known = new Map();

// Its name, and the beginning of its text.
export function contentHead(id) {
    if (!known.has(id)) {
        if (known.size >= 1000) {
            known.delete(known.keys().next().value);
        }
        known.set(id, get(`content/${id}`)
            .then(content => ({ name: content.name,
                excerpt: (content.text_content ?? '').slice(0, EXCERPT) }))
            .catch(() => {
                known.delete(id);
                return { name: '' };
            }));
    }
    return known.get(id);
}

// All judges: one that is left out would look deleted beside what it has made.
export async function judges(signal) {
    const all = [];
    let cursor;

    do {
        const page = await get('v1/judges' + query({ limit: 200, cursor }),
                               { signal });
        all.push(...page.judges);
        cursor = page.next_cursor;
    } while (cursor);

    return all;
}

export const newestFirst = (a, b) => a < b ? 1 : a > b ? -1 : 0;
