// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause
//
// Clients that listen to the events of a batch while its items end:
//
//   node listen.mjs PORT KEY N PATH     each line of its input is a callback
//                                       that ends one: {body, signature}
//
// Prints how many ms passed from sending a callback to its answer, and from
// there to the event at each client, at most, which may have come before:
// [answer's median, median, p99, longest].

import net from 'node:net';
import http from 'node:http';
import { createInterface } from 'node:readline';

const [port, key, n, path] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const answers = [], arrivals = [];
let came = [];
let began = 0, answered = 0, item = 0, missing = 0, all = () => {};

function heard(pattern) {
    missing = Number(n);
    return new Promise(resolve => { all = resolve; }).then(() => pattern);
}

for (let i = 0; i < Number(n); i++) {
    const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(
        `GET ${path} HTTP/1.0\r\nX-API-Key: ${key}\r\n\r\n`));
    let text = '', at = 0;
    socket.on('data', data => {
        const now = performance.now();
        text += data.toString('latin1');
        const wanted = item ? `id: ${item}\nevent: item` : 'event: progress';
        if (at <= item && text.includes(wanted)) {
            at = item + 1;
            text = '';
            if (item) {
                came.push(now);
            }
            if (--missing === 0) {
                all();
            }
        }
    }).on('close', () => { console.error('cut off'); process.exit(1); });
}

function post({ body, signature }) {
    return new Promise((resolve, reject) => {
        http.request({ port, host: '127.0.0.1', agent, method: 'POST',
            path: '/api/video-evaluations/callback', headers: {
                'Content-Type': 'application/json',
                'Content-Length': Buffer.byteLength(body),
                'X-Webhook-Signature': signature } }, res => {
            answered = performance.now();
            res.resume().on('end', () => res.statusCode === 200 ? resolve()
                            : reject(new Error(`${res.statusCode}`)));
        }).on('error', reject).end(body);
    });
}

const part = (list, p) => list.sort((a, b) => a - b)
                              [Math.ceil(p * list.length) - 1];

await heard();
for await (const line of createInterface({ input: process.stdin })) {
    await new Promise(resolve => setTimeout(resolve, 100));
    const arrived = heard();
    item++;
    began = performance.now();
    await Promise.all([post(JSON.parse(line)), arrived]);
    answers.push(answered - began);
    came.forEach(at => arrivals.push(Math.max(0, at - answered)));
    came = [];
}
console.log(JSON.stringify([part(answers, 0.5), part(arrivals, 0.5),
                            part(arrivals, 0.99), part(arrivals, 1)]));
process.exit();
