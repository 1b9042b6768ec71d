// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause
//
// Streams of events as a language model sends them, many at a time:
//
//   node streams.mjs serve PORT         a word each two seconds, until the
//                                       client leaves
//   node streams.mjs read PORT N PATH   N clients; says how many read when
//                                       they do, and ends with its input

import http from 'node:http';

const [what, port, n, path] = process.argv.slice(2);
const word = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {
    content: 'The committee agreed. ' } }] })}\n\n`;

if (what === 'serve') {
    http.createServer((req, res) => {
        res.writeHead(200, { 'Content-Type': 'text/event-stream' });
        res.write(word);
        const timer = setInterval(() => res.write(word), 2000);
        res.on('close', () => clearInterval(timer));
    }).listen({ port: Number(port), host: '127.0.0.1', backlog: 4096 });

} else {
    const agent = new http.Agent({ maxSockets: Infinity });
    let begun = 0, reading = 0, failed = 0;
    const more = () => {
        if (begun < Number(n)) {
            begun++;
            http.get({ port, host: '127.0.0.1', path, agent }, res => {
                res.once('data', () => {
                    reading++;
                    more();
                    if (reading + failed === Number(n)) {
                        console.log(reading);
                    }
                });
                res.on('data', () => {}).on('error', () => {});
            }).on('error', () => { failed++; more(); });
        }
    };
    for (let i = 0; i < 50; i++) {
        more();
    }
    process.stdin.on('end', () => process.exit()).resume();
}
