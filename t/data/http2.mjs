// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause
//
// Requests of HTTP/2, all at once on one connection:
//
//   node http2.mjs PORT
//
// reads lines {"requests": [{":path":"/", …}, …], "body", "apart"}, and prints for each a line
// [{"status", "headers", "body"}, …] in their order.  apart: a frame that holds nothing ends the body.

import http2 from 'node:http2';
import readline from 'node:readline';

const ask = (session, headers, body, apart) => new Promise((yes, no) => {
    const stream = session.request(headers, { endStream: body === undefined });
    const answer = { body: '' };
    stream.setEncoding('latin1');
    stream.on('response', got => {
        answer.status = got[':status'];
        delete got.date;
        answer.headers = got;
    });
    stream.on('data', piece => { answer.body += piece; });
    stream.on('error', no);
    stream.on('end', () => yes(answer));
    if (apart) {
        stream.write(body, () => stream.end());
    } else if (body !== undefined) {
        stream.end(body);
    }
});

for await (const line of readline.createInterface({ input: process.stdin })) {
    const { requests, body, apart } = JSON.parse(line);
    const session = http2.connect(`http://127.0.0.1:${process.argv[2]}`);

    console.log(JSON.stringify(await Promise.all(
        requests.map(headers => ask(session, headers, body, apart)))));
    session.close();
}
