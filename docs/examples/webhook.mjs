// Takes webhooks and believes none that is not signed by the service.
//
//     . run/env && node docs/examples/webhook.mjs 9000

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = Buffer.from(
    process.env.JUDGE_WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');

// Whether it was signed with our secret in the last five minutes.
function genuine(headers, body) {
    const stamp = headers['webhook-timestamp'] ?? '';
    if (!/^\d+$/.test(stamp) || Math.abs(Date.now() / 1000 - stamp) > 300)
        return false;
    const expected = Buffer.from('v1,' + createHmac('sha256', secret)
        .update(`${headers['webhook-id']}.${stamp}.`).update(body)
        .digest('base64'));
    return (headers['webhook-signature'] ?? '').split(' ')
        .map(s => Buffer.from(s))
        .some(s => s.length === expected.length && timingSafeEqual(s, expected));
}

createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const good = genuine(request.headers, body);

    response.writeHead(good ? 204 : 401).end();     // answer first, work later
    if (good) {
        const event = JSON.parse(body);
        console.log(event.type, event.id);
    }
}).listen(Number(process.argv[2]), '127.0.0.1');
