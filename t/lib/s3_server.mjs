// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause

// A bucket "judge" on a port of 127.0.0.1, in a folder, by s3rver, which checks
// signatures; S3RVER is its key and its secret.  What it lacks of uploads in
// parts, to list and to abort them, is added here, behind those checks.
// Prints the port, and ends with its standard input.  What it does is set by
// /-/MODE:
//
//   ok      all is well            down    connections are closed
//   slow    no answer              skew    the clocks differ
//   moved   301 to another region  region  400, it is another one
//   failed  500 to all             unread  500 to who reads files
//   html    200, and no XML        cut     files break off in the middle
//   rotate  another key: NEW, NEWSECRET; the first one holds no longer
//   count   how many requests there were, by method
//   events  notifications go to the address in X-Url, with Authorization
//
//   node s3_server.mjs NODE_MODULES FOLDER

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(process.argv[2] + '/');
const uploads = `${process.argv[3]}/judge/._S3rver_uploads`;
const xml = text => `<?xml version="1.0" encoding="UTF-8"?>\n${text}`;
const error = (code, more = '') =>
    xml(`<Error><Code>${code}</Code>${more}</Error>`);

const parts = id => readdirSync(`${uploads}/${id}`)
    .filter(name => /^\d+$/.test(name)).sort((a, b) => a - b)
    .map(name => `<Part><PartNumber>${name}</PartNumber><ETag>&quot;`
         + readFileSync(`${uploads}/${id}/${name}.md5`) + '&quot;</ETag>'
         + `<Size>${statSync(`${uploads}/${id}/${name}`).size}</Size></Part>`);

const parted = async (context, next) => {
    const { uploadId } = context.query;
    let all = [];

    try {
        all = readdirSync(uploads);
    } catch {}

    if (!/^(?:GET|DELETE)$/.test(context.method)
        || uploadId === undefined)
    {
        return next();
    }

    context.type = 'application/xml';

    if (!all.includes(uploadId)) {
        context.status = 404;
        context.body = error('NoSuchUpload');
    } else if (context.method === 'GET') {
        context.body = xml(`<ListPartsResult>${parts(uploadId).join('')}`
                           + '</ListPartsResult>');
    } else {
        rmSync(`${uploads}/${uploadId}`, { recursive: true });
        context.status = 204;
    }
};

const checks = require.resolve(
    '@20minutes/s3rver/lib/middleware/authentication');
const check = require(checks);
require.cache[checks].exports = () => {
    const signed = check();
    return (context, next) => signed(context, () => parted(context, next));
};

const S3rver = require('@20minutes/s3rver');
const account = require('@20minutes/s3rver/lib/models/account')
    .DUMMY_ACCOUNT;

const s3 = new S3rver({ directory: process.argv[3], silent: true,
                        configureBuckets: [{ name: 'judge' }] });
await s3.configureBuckets();

const serve = s3.callback();
const count = {};
let mode = 'ok';
let events;

s3.on('event', event => {
    if (events) {
        fetch(events.url, {
            method: 'POST', body: JSON.stringify(event),
            headers: { 'Content-Type': 'application/json',
                       Authorization: events.secret },
        }).catch(() => {});
    }
});

const wrong = {
    skew: [403, error('RequestTimeTooSkewed')],
    moved: [301, error('PermanentRedirect',
                       '<Endpoint>s3.eu-west-9.example</Endpoint>')],
    region: [400, error('AuthorizationHeaderMalformed',
                        '<Region>eu-west-9</Region>')],
    failed: [500, error('InternalError\n2026/01/01 [emerg] forged')],
    html: [200, '<html><title>Welcome</title></html>'],
};

const control = (request, response, what) => {
    if (what === 'count') {
        response.end(JSON.stringify(count));
        return;
    }

    if (what === 'events') {
        events = { url: request.headers['x-url'],
                   secret: request.headers.authorization };
    } else if (what === 'rotate') {
        account.createKeyPair('NEW', 'NEWSECRET');
        account.revokeAccessKey('S3RVER');
    } else {
        mode = what;
    }

    response.end(mode);
};

const server = createServer((request, response) => {
    const [, what] = request.url.match(/^\/-\/(\w+)$/) ?? [];
    const reads = request.method === 'GET' && !/list-type/.test(request.url);

    if (what) {
        control(request, response, what);
        return;
    }

    count[request.method] = (count[request.method] ?? 0) + 1;

    if (mode === 'down') {
        request.socket.destroy();
    } else if (wrong[mode]) {
        const [status, body] = wrong[mode];
        response.writeHead(status, { 'Content-Type': 'application/xml' });
        response.end(request.method === 'HEAD' ? '' : body);
    } else if (mode === 'unread' && reads) {
        response.writeHead(500);
        response.end(error('InternalError'));
    } else if (mode === 'cut' && reads) {
        response.writeHead(200, { 'Content-Type': 'text/plain',
                                  'Content-Length': 1000 });
        response.write('The beginning');
        setTimeout(() => request.socket.destroy(), 50);
    } else if (mode !== 'slow') {
        serve(request, response);
    }
});

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.resume().on('end', () => process.exit());
