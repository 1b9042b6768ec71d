// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause

// Sends answers made by chance of pieces that clients take differently, each
// with the word that is not wanted, through locations of nginx, and reads what
// passes with the clients of OpenAI and Anthropic, a parser of event streams,
// and JSON.parse.  Prints a line of JSON for each that has the word, and at
// last how often each has it where nothing guards.
//
//   node clients.mjs PACKAGES URL SEED CASES JUDGE ORGANIZATION

import { createRequire } from 'node:module';
import zlib from 'node:zlib';

const [packages, url, seed, cases, judge, organization]
    = process.argv.slice(2);
const require = createRequire(packages + '/');
const openai = require('openai/core/streaming').Stream;
const anthropic = require('@anthropic-ai/sdk/core/streaming').Stream;
const { createParser } = require('eventsource-parser');

console.error = () => {};              // the clients say what they can't read

// --- Chance -----------------------------------------------------------------

let state = Number(seed) >>> 0;

function random() {                    // mulberry32
    state = state + 0x6d2b79f5 | 0;
    let t = Math.imul(state ^ state >>> 15, 1 | state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
}

const one = (...from) => from[Math.floor(random() * from.length)];
const most = (usual, ...others) => random() < 0.75 ? usual : one(...others);

// --- Answers ----------------------------------------------------------------

// A member with the word, as JSON; now and then of a shape that few expect.

function member(name) {
    const value = most('"casino"', '"\\u0063asino"', '"cas\\u0000ino"',
                       '["casino"]', '{"text":"casino"}', '"casino\\ud800"',
                       '"ca\\/sino"', '"c\tasino"', "'casino'", '{"casino":1}');
    return most(`"${name}":${value}`, `"${name}":"x","${name}":${value}`,
                `"${name}":${value},"${name}":"x"`, `"other":${value}`,
                `"${name.replace(/./, c => '\\u00'
                    + c.charCodeAt(0).toString(16))}":${value}`,
                `"${name}\\u0000":${value}`, `"${name.toUpperCase()}":${value}`,
                `${name}:${value}`);
}

const shapes = {
    chat: [
        () => `{"choices":[{"index":${one(0, 0, 0, 1, 7, -1, '"0"')},"delta":{${
            member(one('content', 'content', 'content', 'refusal',
                       'reasoning_content', 'reasoning', 'annotations'))}}}]}`,
        () => `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,`
            + `"function":{${member('arguments')}}}]}}]}`,
        () => `{"choices":[{"index":0,${member(one('text', 'message'))}}]}`,
    ],
    responses: [
        () => `{"type":"${one('response.output_text.delta',
            'response.output_text.delta', 'response.refusal.delta',
            'response.reasoning_summary_text.delta', 'response.new.delta',
            'response.function_call_arguments.delta', 'other')}",${
            member('delta')}}`,
        () => `{"type":"${one('response.output_text.done',
            'response.content_part.done')}",${member(one('text', 'part'))}}`,
        () => `{"type":"response.output_item.done","item":{"content":[{`
            + `"type":"output_text",${member('text')}}]}}`,
    ],
    messages: [
        () => `{"type":"content_block_delta","index":${one(0, 0, 1)},"delta":{`
            + one(`"type":"text_delta",${member('text')}`,
                  `"type":"thinking_delta",${member('thinking')}`,
                  `"type":"input_json_delta",${member('partial_json')}`,
                  `"type":"new_delta",${member('new')}`) + '}}',
        () => `{"type":"content_block_start","index":0,"content_block":{`
            + `"type":"text",${member('text')}}}`,
        () => `{"type":"message_start","message":{"content":[{"type":"text",${
            member('text')}}]}}`,
    ],
};

const fine = {
    chat: '{"choices":[{"index":0,"delta":{"content":"Hello, and so on. "}}]}',
    responses: '{"type":"response.output_text.delta","delta":"Hello, all. "}',
    messages: '{"type":"content_block_delta","index":0,"delta":{'
        + '"type":"text_delta","text":"Hello, and so on. "}}',
};

const last = {
    chat: '[DONE]',
    responses: '{"type":"response.completed"}',
    messages: '{"type":"message_stop"}',
};

function event(kind, data) {
    const type = /"type":"([\w.]+)"/.exec(data)?.[1] ?? 'message';
    const end = most('\n', '\r\n', '\r', '\n\r');
    const usual = kind === 'messages' ? [`event: ${type}`, `data: ${data}`]
                                      : [`data: ${data}`];
    const lines = most(usual, [`data: ${data}`], [`data:${data}`], [`data:  ${data}`],
        [`event: ${type}`, `data: ${data}`], [`data : ${data}`], [data],
        [`id: 1`, `data: ${data}`], [`data: ${data}`, `event: ${type}`],
        [': said', `data: ${data}`], [`Data: ${data}`], [`event: error`,
        `data: ${data}`], [`event: thread.x`, `data: ${data}`],
        [`data: ${data.slice(0, 9)}`, `data: ${data.slice(9)}`],
        [`data: ${data}`, 'data'], [`\ufeffdata: ${data}`], ['data:',
        `data: ${data}`], [`retry: 5`, `data: ${data}`]);
    return lines.join(end) + end + most(end, '', end + end, '\n', '\0' + end);
}

// The word may come in two pieces, of which each is a delta.

function events() {
    const kind = one('chat', 'responses', 'messages');
    const all = [event(kind, fine[kind])];
    const bad = one(...shapes[kind])();

    if (random() < 0.25 && bad.includes('casino')) {
        all.push(event(kind, bad.replace('casino', 'cas')),
                 event(kind, bad.replace('casino', 'ino')));
    } else {
        all.push(event(kind, bad));
    }

    const ends = event(kind, most(last[kind], '[DONE]', '[DONE] ', '[done]',
                                  last[one('chat', 'responses', 'messages')]));
    all.splice(most(all.length, 1, 0), 0, ends);
    if (random() < 0.08) {
        all.push(event(one('chat', 'responses', 'messages'),
                       one(...shapes[one('chat', 'responses', 'messages')])()));
    }
    return ['text/event-stream', most('', '\ufeff', '\n\n') + all.join('')];
}

function object() {
    const name = one('choices', 'choices', 'output', 'content', 'candidates',
                     'answer', 'error');
    const inner = {
        choices: () => `[{"index":0,"message":{${member(one('content',
            'refusal', 'reasoning_content', 'tool_calls', 'audio'))}}}]`,
        output: () => `[{"type":"${one('message', 'reasoning', 'new')}",`
            + `"content":[{"type":"output_text",${member('text')}}]}]`,
        content: () => one(`[{"type":"${one('text', 'thinking', 'new')}",${
            member(one('text', 'thinking', 'input'))}}]`, '"casino"'),
        candidates: () => `[{"content":{"parts":[{${member('text')}}]}}]`,
        answer: () => '"casino"',
        error: () => `{${member('message')}}`,
    }[name]();
    const body = `"${name}":${inner}`;
    return ['application/json', most(`{${body}}`,
        `{"choices":[],${body}}`, `{${body},"choices":[]}`, `\ufeff{${body}}`,
        `[{${body}}]`, `{${body}} `, `{${body}}{}`, ` {${body}}`, `{${body},}`,
        `{"a":{${body}}}`)];
}

const words = () => ['text/plain', most('casino', 'cas\0ino', 'casino\0',
    '\ufeff casino', 'c\0a\0s\0i\0n\0o\0 casino', 'casino' + '\0x'.repeat(20))];

// The whole answer, head and all.

function answer() {
    let [type, body] = one(events, events, events, object, words)();
    const kind = most(type, `${type}; charset=utf-8`, `${type}; charset=utf-16`,
        type.toUpperCase(), 'text/plain', 'application/json', `${type}, text/x`,
        'text/event-stream', 'application/x-ndjson', `${type};`, `text/html`);
    let bytes = Buffer.from(body);
    const head = [`Content-Type: ${kind}`];

    if (random() < 0.15) {
        const how = one('gzip', 'deflate', 'br', 'identity', 'gzip, gzip',
                        'x-gzip', 'none');
        head.push(`Content-Encoding: ${how}`);
        bytes = one(zlib.gzipSync(bytes), zlib.deflateSync(bytes), bytes,
                    zlib.brotliCompressSync(bytes), Buffer.concat([
                        zlib.gzipSync('Hello '), zlib.gzipSync(bytes)]),
                    zlib.gzipSync(zlib.gzipSync(bytes)),
                    zlib.deflateRawSync(bytes));
    }

    head.push('Connection: close', `Content-Length: ${bytes.length}`);
    return Buffer.concat([Buffer.from(
        `HTTP/1.1 200 OK\r\n${head.join('\r\n')}\r\n\r\n`), bytes]);
}

// --- Reading ----------------------------------------------------------------

// What is no text: a client shows it to nobody.
const names = new Set(['id', 'model', 'object', 'role', 'type', 'index',
                       'finish_reason', 'signature', 'detail']);

// Adds the strings of a value; those of a delta to what came there before.

function collect(value, place, found) {
    if (typeof value === 'string') {
        const at = place.includes('.delta') ? place : `${place} ${found.size}`;
        found.set(at, (found.get(at) ?? '') + value);
    } else if (value && typeof value === 'object') {
        for (const [name, part] of Object.entries(value)) {
            if (!names.has(name)) {
                collect(part, `${place}.${name}`, found);
            }
        }
    }
}

const has = found => [...found.values()].some(s => s.includes('casino'));

async function streamed(stream, bytes) {
    const found = new Map();
    try {
        const response = new Response(bytes);
        for await (const value of stream.fromSSEResponse(
            response, new AbortController()))
        {
            collect(value, '', found);
        }
    } catch { /* what was read by then counts */ }
    return has(found);
}

const readers = {
    openai: (type, bytes) => /event-stream/i.test(type)
        && streamed(openai, bytes),
    anthropic: (type, bytes) => /event-stream/i.test(type)
        && streamed(anthropic, bytes),
    parser: (type, bytes) => {
        const found = new Map();
        const feed = createParser({ onEvent: ({ data }) => {
            try {
                collect(JSON.parse(data), '', found);
            } catch { /* no JSON */ }
        } });
        if (/event-stream/i.test(type)) {
            feed.feed(new TextDecoder().decode(bytes));
        }
        return has(found);
    },
    json: (type, bytes) => {
        const found = new Map();
        try {
            if (/json/i.test(type)) {
                collect(JSON.parse(new TextDecoder().decode(bytes)), '', found);
            }
        } catch { /* no JSON */ }
        return has(found);
    },
    text: (type, bytes) => /^text\/(?!event)/i.test(type)
        && new TextDecoder().decode(bytes).includes('casino'),
};

async function get(path, raw) {
    const response = await fetch(`${url}/${path}/raw`, { headers: {
        'X-Raw': raw.toString('base64'), 'X-Judge': judge,
        'X-Org': organization } });
    let bytes = Buffer.alloc(0);
    try {
        bytes = Buffer.from(await response.arrayBuffer());
    } catch { /* it broke off, or can't be decompressed */ }
    return [response.status, response.headers.get('content-type') ?? '',
            bytes];
}

const counts = { open: {}, passed: {}, refused: {} };
const count = (what, name) => {
    counts[what][name] = (counts[what][name] ?? 0) + 1;
};

for (let n = 0; n < Number(cases); n++) {
    const raw = answer();

    for (const path of ['open', 'guard', 'window', 'found']) {
        const [status, type, bytes] = await get(path, raw);

        count(status === 200 ? 'passed' : 'refused', path);
        if (status !== 200) {
            continue;
        }

        for (const [name, reads] of Object.entries(readers)) {
            if (!await reads(type, bytes)) {
                continue;
            }
            if (path === 'open') {
                count('open', name);
            } else {
                console.log(JSON.stringify({ reader: name, path,
                    answer: raw.toString('latin1') }));
            }
        }
    }
}

console.log(JSON.stringify(counts));
