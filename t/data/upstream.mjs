// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause
//
// Answers as servers of language models give them:
//
//   node upstream.mjs PORT
//
//   /chat, /responses, /messages      one JSON object
//   /…/stream                         the same as events, piece by piece
//   /text?n=N   N sentences           /gzip, /deflate, /br: compressed
//   /zstd       which is only said of it
//   /members    gzip of "Nothing." and, behind its end, of the text
//   /charset/C  the text in UTF-32 (C: utf-32), or with such a name
//   /ranged     the text, or all of it as a part when the request has a Range;
//               /ranged/always: so in any case; /ranged/parts: as several
//   /bytes?n=N  the text; then N bytes in a chunk each, and a wait for /go
//   /bomb       16 MB in 14 bytes     /flood?n=N: events of 1 KB without text
//   /flooded    how many of these were sent
//   /binary, /image, /empty, /none    /status/N
//   /echo       the header X-Score and the body
//   /cut        breaks off, /cut-stream within a stream
//   /late       the text, when it is let go
//   /waits      how many of them do
//   /go         lets it, and streams that wait after the word "wait", go on
//   /raw        the bytes of the header X-Raw, in base64, head and all
//   /left       how many streams were left by their clients
// also below /v1.  The text is that of the request's last user message, or of X-Text.

import http from 'node:http';
import zlib from 'node:zlib';

const said = (body, req) => {
    try {
        return JSON.parse(body).messages.at(-1).content;
    } catch {
        return req.headers['x-text']
               ?? 'The committee met on Monday and agreed on a plan.';
    }
};

const whole = {
    chat: text => ({ choices: [{ index: 0, message: {
        role: 'assistant', content: text } }] }),
    responses: text => ({ output: [{ type: 'message', content: [{
        type: 'output_text', text }] }] }),
    messages: text => ({ type: 'message', content: [{ type: 'text', text }] }),
};

const event = {
    chat: delta => `data: ${JSON.stringify({ choices: [{
        index: 0, delta: { content: delta } }] })}\n\n`,
    responses: delta => 'event: response.output_text.delta\ndata: '
        + `${JSON.stringify({ type: 'response.output_text.delta', delta })}\n\n`,
    messages: delta => 'event: content_block_delta\ndata: '
        + `${JSON.stringify({ type: 'content_block_delta', index: 0,
                              delta: { type: 'text_delta', text: delta } })}\n\n`,
};

const last = {
    chat: 'data: [DONE]\n\n',
    responses: 'data: {"type":"response.completed"}\n\n',
    messages: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
};

const codings = {
    gzip: zlib.gzipSync, deflate: zlib.deflateSync,
    br: zlib.brotliCompressSync, zstd: Buffer.from,
    bomb: () => zlib.brotliCompressSync(Buffer.alloc(1 << 24, 32), { params: {
        [zlib.constants.BROTLI_PARAM_LGWIN]: 24 } }),
};

// In chunks of one byte, which nobody would send one by one.

function bytes(res, text, n) {
    res.writeHead(200, { 'Content-Type': 'text/plain' });
    res.write(text);
    res.socket.write('1\r\nx\r\n'.repeat(n), () => {
        waiting.push(() => res.end());
    });
}

const waiting = [];
let left = 0;
let flooded = 0;

function flood(res, n) {
    const pad = `data: ${JSON.stringify({ choices: [], pad: 'x'.repeat(1000) })}\n\n`;
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const next = () => {
        while (n-- > 0) {
            flooded++;
            if (!res.write(pad)) {
                return res.once('drain', next);
            }
        }
        res.end(last.chat);
    };
    next();
}

function stream(res, kind, text, cut) {
    const words = text.split(/(?<= )/);
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    res.on('close', () => { left += !res.writableEnded && !cut; });
    const next = () => {
        if (words.length) {
            const word = words.shift();
            res.write(event[kind](word));
            if (word === 'wait ') {
                waiting.push(next);
            } else {
                setTimeout(next, 2);
            }
        } else if (cut) {
            res.destroy();
        } else {
            res.end(last[kind]);
        }
    };
    next();
}

function answer(req, res, body) {
    const url = new URL(req.url, 'http://localhost');
    const [, kind, way] = url.pathname.replace(/^\/v1/, '').split('/');
    const text = said(body, req);
    const send = (type, bytes, headers = {}) => {
        res.writeHead(200, { 'Content-Type': type,
                             'Content-Length': bytes.length, ...headers });
        res.end(bytes);
    };

    if (whole[kind]) {
        return way === 'stream' ? stream(res, kind, text)
               : send('application/json',
                      Buffer.from(JSON.stringify(whole[kind](text))));
    }

    if (codings[kind]) {
        return send('text/plain', codings[kind](text),
                    { 'Content-Encoding': kind === 'bomb' ? 'br' : kind });
    }

    switch (kind) {
    case 'members':
        return send('text/plain', Buffer.concat([
            zlib.gzipSync('Nothing. '), zlib.gzipSync(text) ]),
            { 'Content-Encoding': 'gzip' });
    case 'charset':
        return send(`text/plain; charset=${way}`, way !== 'utf-32'
            ? Buffer.from(text) : Buffer.concat([ Buffer.from([255, 254, 0, 0]),
                ...[...text].map(c => Buffer.from([c.charCodeAt(), 0, 0, 0]))
            ]));
    case 'ranged':
        res.statusCode = way || req.headers.range ? 206 : 200;
        res.setHeader('Content-Type', way === 'parts'
                      ? 'multipart/byteranges; boundary=b' : 'text/plain');
        return res.end(way === 'parts'
            ? `--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--b--\r\n`
            : `${text}${JSON.stringify([req.headers['if-range'] ?? null])}`);
    case 'raw':
        return req.socket.end(Buffer.from(req.headers['x-raw'], 'base64'));
    case 'bytes':
        return bytes(res, text, Number(url.searchParams.get('n')));
    case 'waits':
        return send('text/plain', Buffer.from(String(waiting.length)));
    case 'text':
        return send('text/plain; charset=utf-8', Buffer.from(
            `${text}\n`.repeat(Number(url.searchParams.get('n') ?? 1))));
    case 'binary':
        return send('text/plain', Buffer.from('\x7fELF\0\x01\x02\0\0\0'));
    case 'image':
        return send('image/png', Buffer.from('\x89PNG'));
    case 'broken':
        return send('application/json', Buffer.from('{"choices":['));
    case 'empty':
        return send('text/plain', Buffer.from(''));
    case 'none':
        res.writeHead(204);
        return res.end();
    case 'status':
        res.writeHead(Number(way), { 'Content-Type': 'text/plain' });
        return res.end(text);
    case 'echo':
        return send('text/plain', Buffer.from(
            `${req.headers['x-score'] ?? ''}|${body}`));
    case 'heads':
        return send('application/json', Buffer.from(JSON.stringify(
            Object.fromEntries(['content-type', 'content-encoding',
                                'content-length', 'transfer-encoding']
                .map(name => [name, req.headers[name] ?? null])))));
    case 'cut':
        res.writeHead(200, { 'Content-Type': 'text/plain',
                             'Content-Length': 1000 });
        res.write(text);
        return setTimeout(() => res.destroy(), 20);
    case 'late':
        return waiting.push(() => send('text/plain', Buffer.from(`${text}\n`)));
    case 'go':
        waiting.splice(0).forEach(next => next());
        return send('text/plain', Buffer.from(''));
    case 'flood':
        return flood(res, Number(url.searchParams.get('n')));
    case 'flooded':
        return send('text/plain', Buffer.from(String(flooded)));
    case 'left':
        return send('text/plain', Buffer.from(String(left)));
    case 'cut-stream':
        return stream(res, 'chat', text, true);
    case 'accel':
        res.writeHead(200, { 'X-Accel-Redirect': '/inner/text' });
        return res.end();
    default:
        res.writeHead(404, { 'Content-Type': 'text/plain' });
        res.end('nothing');
    }
}

// It does not close a connection just when nginx sends on it.

http.createServer({ keepAliveTimeout: 3600_000 }, (req, res) => {
    const pieces = [];
    req.on('data', piece => pieces.push(piece));
    req.on('end', () => answer(req, res, Buffer.concat(pieces).toString()));
}).listen(Number(process.argv[2]), '127.0.0.1');
