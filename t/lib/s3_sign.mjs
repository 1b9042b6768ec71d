// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause

// Prints 200 requests, the same each time, and the address that the presigner
// of the SDK of AWS makes of each: a line for build/t/unit/t_s3, a tab, the
// address.
//
//   node s3_sign.mjs NODE_MODULES

import { createRequire } from 'node:module';

const require = createRequire(process.argv[2] + '/');
const s3 = require('@aws-sdk/client-s3');
const { getSignedUrl } = require('@aws-sdk/s3-request-presigner');

let state = 7;
const below = n => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % n;
};
const one = list => list[below(list.length)];
const text = (alphabet, n) => Array.from({ length: n },
                                         () => one(alphabet)).join('');

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const odd = [...'abc 019-_.~!*\'()+&=?#%@:;,$<>[]{}|\\^`"/\täöß漢字🦜é\u0301'];
const keys = [
    'a', 'a/b/c.txt', 'a//b', 'x/./y', 'x/../y', 'end/', '~a~', 'a+b c',
    '100%', 'a%2Fb', 'é/ü', '漢字/🦜.png', '"quoted"', 'a?b=c&d', '#',
];

for (let i = 0; i < 200; i++) {
    const virtual = below(2) === 1;
    const scheme = one(['http', 'https']);
    const port = one(['', '', ':9000', ':8443']);
    const authority = one(['s3.eu-central-1.amazonaws.com', 'localhost',
                           'files.example.org']) + port;
    const bucket = text(letters, 3 + below(20));
    const region = one(['us-east-1', 'eu-central-1', 'garage', 'x-1']);
    const Key = i < keys.length ? keys[i]
                                : text(letters, 1) + text(odd, below(40));
    const credentials = {
        accessKeyId: text(letters, 1 + below(30)),
        secretAccessKey: text([...letters, '/', '+', '='], 1 + below(60)),
        ...(below(3) ? {} : { sessionToken: text([...letters, '/', '+', '='],
                                                 1 + below(900)) }),
    };
    const client = new s3.S3Client({
        endpoint: `${scheme}://${authority}`, region, credentials,
        forcePathStyle: !virtual,
        requestChecksumCalculation: 'WHEN_REQUIRED',
    });
    const of = { Bucket: bucket, Key };
    const ResponseContentType = one(['text/plain; charset=utf-8', 'a/b+c',
                                     'application/octet-stream']);
    const [method, command] = one([
        () => ['PUT', new s3.PutObjectCommand(
            { ...of, ContentType: one(['text/plain', 'video/mp4']) })],
        () => ['GET', new s3.GetObjectCommand(of)],
        () => ['GET', new s3.GetObjectCommand(
            { ...of, ResponseContentType,
              ResponseContentDisposition: 'attachment; filename="é.txt"' })],
        () => ['HEAD', new s3.HeadObjectCommand(of)],
        () => ['DELETE', new s3.DeleteObjectCommand(of)],
        () => ['POST', new s3.CreateMultipartUploadCommand(of)],
        () => ['PUT', new s3.UploadPartCommand(
            { ...of, PartNumber: 1 + below(1000), UploadId: text(odd, 9) })],
    ])();
    const seconds = 1000000000 + below(1000000000);
    const expiresIn = 1 + below(604800);
    const url = await getSignedUrl(client, command, {
        expiresIn, signingDate: new Date(seconds * 1000) });

    // What the request itself has in its query.
    const own = new Set(['Algorithm', 'Credential', 'Date', 'Expires',
                         'SignedHeaders', 'Signature', 'Security-Token']
                        .map(name => `X-Amz-${name}`));
    const params = url.slice(url.indexOf('?') + 1).split('&')
        .map(pair => pair.split('=').map(decodeURIComponent))
        .filter(([name]) => !own.has(name));
    const hex = s => s === undefined ? '-' : Buffer.from(s).toString('hex');

    console.log([method, virtual ? 1 : 0, seconds, expiresIn,
                 ...[scheme, authority, region, bucket, Key,
                     credentials.accessKeyId, credentials.secretAccessKey,
                     credentials.sessionToken,
                     ...params.flat()].map(hex)].join(' ') + '\t' + url);
}
