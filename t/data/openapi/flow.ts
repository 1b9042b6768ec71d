// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause

// The whole of what a client does, in TypeScript, by a client that is made of
// docs/openapi.yaml: what the description gets wrong does not compile, or
// fails.  Prints what came of it.

import createClient from 'openapi-fetch';
import type { paths } from './api';

const [ baseUrl, key ] = process.argv.slice(2);
const client = createClient<paths>({
    baseUrl, headers: { 'X-API-Key': key, Prefer: 'handling=strict' } });

// The data of an answer, which must be one of the described successes.

function data<T>(what: string,
                 answer: { data?: T; error?: unknown; response: Response }): T {
    if (answer.data === undefined)
        throw new Error(`${what}: ${answer.response.status} `
                        + JSON.stringify(answer.error));
    return answer.data;
}

async function until<T>(read: () => Promise<T>, ended: (v: T) => boolean) {
    for (;;) {
        const value = await read();
        if (ended(value)) return value;
        await new Promise(resolve => setTimeout(resolve, 100));
    }
}

async function flow() {
    const judge = data('judge', await client.POST('/v1/judges', { body: {
        name: 'Letters', description: 'How well a letter is written.',
        content_type: 'text',
        criteria: [ { name: 'Spelling', description: 'Correct.' },
                    { name: 'Grammar', description: 'Correct grammar.',
                      weight: 2 } ] } }));

    const content = data('content', await client.POST('/content', { body: {
        name: 'Notice', file_type: 'text',
        text_content: 'Dear neighbours, the lift is mended. Thank you.',
        metadata: { floor: 3, tags: [ 'lift' ], by: { name: 'Ann' } } } }));

    const kept = data('metadata', await client.GET('/content/{content_id}', {
        params: { path: { content_id: content.id } } })).metadata;

    const made = data('evaluation', await client.POST('/evaluations/single', {
        body: { judge_id: judge.judge_id, content_id: content.id } }));
    const evaluation = await until(
        async () => data('evaluation', await client.GET(
            '/evaluations/{evaluation_id}',
            { params: { path: { evaluation_id: made.evaluation_id } } })),
        e => e.status !== 'processing');

    const batch = data('batch', await client.POST('/batches/evaluate', { body: {
        name: 'Letters', judge_ids: [ judge.id ],
        content_items: Array.from({ length: 12 }, (_, i) => ({
            name: `Letter ${i}`, metadata: { i },
            text_content: `This is letter ${i}. It has ${i + 2} words. `
                          + 'They are short. '.repeat(i + 1) })) } }));
    const ended = await until(
        async () => data('batch', await client.GET('/batches/{batch_id}',
            { params: { path: { batch_id: batch.batch_id } } })),
        b => b.status === 'completed' || b.status === 'failed');

    const stream = data('events', await client.GET(
        '/batches/{batch_id}/events', {
            params: { path: { batch_id: batch.batch_id } },
            parseAs: 'text' }));
    const told = new Set(stream.match(/^event: \w+$/gm) ?? []);

    const place = data('place', await client.POST(
        '/v1/evaluations/presigned-upload', { body: {
            name: 'Uploaded', file_type: 'text', judge_id: judge.id,
            metadata: { shelf: 7 } } }));
    const put = await fetch(place.upload_url, { method: place.method,
        headers: place.headers, body: 'Dear neighbours, it rains.' });
    const uploaded = await until(
        async () => data('upload', await client.GET(
            '/v1/evaluations/results/{job_id}',
            { params: { path: { job_id: place.job_id! } } })),
        job => job.status !== 'processing');

    data('webhooks', await client.PUT('/config/webhooks', { body: {
        url: 'https://hooks.example/in', events: null } }));
    data('test', await client.POST('/config/webhooks/test', { body: {} }));
    const hook = data('delivery', await client.GET('/webhooks/deliveries', {
        params: { query: { limit: 1 } } })).deliveries[0];
    const event = data('event', await client.GET(
        '/webhooks/deliveries/{delivery_id}',
        { params: { path: { delivery_id: hook.id } } })).body;

    const list = data('results', await client.GET('/evaluations', {
        params: { query: { batch_id: batch.id, limit: 200 } } })).evaluations;

    for (const [ i, e ] of [ evaluation, ...list ].entries())
        data('feedback', await client.POST('/feedback/evaluation/{evaluation_id}',
            { params: { path: { evaluation_id: e.id } },
              body: { type: 'correction', content: { corrected_scores: {
                  [judge.criteria[0].criterion_id]: 30 + i * 5 } } } }));

    const job = data('job', await client.POST('/training/jobs', { body: {
        judge_id: judge.id, training_type: 'incremental',
        training_config: { minimum_feedback_count: 5 } } }));
    data('execution', await client.POST('/training/jobs/{job_id}/execute', {
        params: { path: { job_id: job.job_id } }, body: {} }));
    const trained = await until(
        async () => data('job', await client.GET('/training/jobs/{job_id}',
            { params: { path: { job_id: job.id } } })),
        j => [ 'completed', 'failed', 'cancelled' ].includes(j.status));

    const refused = await client.GET('/content/{content_id}', {
        params: { path: { content_id: 'cnt_00000000000000000000000000' } } });

    return {
        judge: judge.id === judge.judge_id, version: judge.version_number,
        evaluation: evaluation.status,
        scores: evaluation.criteria_scores?.length,
        batch: ended.status, results: list.length,
        floor: kept?.floor, told: [ ...told ].sort(), put: put.status,
        uploaded: uploaded.status, event: event?.data.message !== undefined,
        trained: trained.status, refused: refused.error?.detail,
    };
}

flow().then(came => console.log(JSON.stringify(came)))
      .catch(error => { console.log(String(error)); process.exit(1); });
