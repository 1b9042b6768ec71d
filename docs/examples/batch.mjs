// Judges files, shows how far it is, and lists them, the best first.
//
//     . run/env && node docs/examples/batch.mjs JUDGE_ID FILE...

import { readFile } from 'node:fs/promises';

function fail(why) {
    console.error(why);
    process.exit(1);
}

async function request(path, body) {
    const answer = await fetch(process.env.JUDGE_URL + path, {
        method: body ? 'POST' : 'GET', body: body && JSON.stringify(body),
        headers: { 'X-API-Key': process.env.JUDGE_API_KEY,
                   'Content-Type': 'application/json' } });
    if (!answer.ok) fail(`${path}: ${(await answer.json()).detail}`);
    return answer;
}

// The name and the data of each server-sent event.
async function* events(path) {
    const { body } = await request(path);
    let text = '';
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
        const whole = (text + piece).split('\n\n');
        text = whole.pop();
        for (const event of whole) {
            const name = /^event: (.*)$/m.exec(event)?.[1];
            const data = /^data: (.*)$/m.exec(event)?.[1];
            if (data) yield [ name, JSON.parse(data) ];
        }
    }
}

const [ judge, ...files ] = process.argv.slice(2);
if (!files.length) fail('node batch.mjs JUDGE_ID FILE...');

const batch = await (await request('/batches/evaluate', {
    name: 'Files', judge_ids: [ judge ],
    content_items: await Promise.all(files.map(async name => (
        { name, text_content: await readFile(name, 'utf8') }))) })).json();

for await (const [ name, data ] of events(`/batches/${batch.batch_id}/events`)) {
    if (name === 'progress') console.error(`${data.progress_percentage} %`);
    if (name === 'done') break;
}

// In the order of the files.
const lines = await (await request(
    `/batches/${batch.batch_id}/results?format=jsonl`)).text();
lines.trim().split('\n')
    .map((line, i) => [ JSON.parse(line).overall_score ?? 0, files[i] ])
    .sort(([ a ], [ b ]) => b - a)
    .forEach(([ score, file ]) => console.log(score.toFixed(1), file));
