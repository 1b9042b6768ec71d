// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause
//
// Requests of HTTP/2, all at once on one connection:
//
//   node http2.mjs PORT '[{":path":"/", …}, …]' [BODY [apart]]
//
// apart: a frame that holds nothing ends the body.  It prints [{"status", "headers", "body"}, …] in their order.

import http2 from 'node:http2';

const [port, requests, body, apart] = process.argv.slice(2);
const session = http2.connect(`http://127.0.0.1:${port}`);

const answers = JSON.parse(requests).map(headers => new Promise((yes, no) => {
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
}));

console.log(JSON.stringify(await Promise.all(answers)));
session.close();
