// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause

// What an application does with OpenAI's client of Evals and files: a line for
// each thing that came about, for t/openai_evals.t.
//
//   node openai_client.mjs MODULES URL KEY

const [ modules, baseURL, apiKey ] = process.argv.slice(2);
const { default: OpenAI, toFile } =
    await import(`${modules}/openai/index.mjs`);

const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const say = (what, value) =>
    process.stdout.write(`${what}: ${JSON.stringify(value)}\n`);
const all = async (pages) => {
    const rows = [];
    for await (const row of pages) { rows.push(row); }
    return rows;
};
const ended = async (run) => {
    for (let i = 0; i < 200; i++) {
        run = await client.evals.runs.retrieve(run.id,
                                               { eval_id: run.eval_id });
        if (run.status !== 'queued' && run.status !== 'in_progress') { break; }
        await new Promise(done => setTimeout(done, 100));
    }
    return run;
};

const made = await client.evals.create({
    name: 'Tickets',
    data_source_config: { type: 'custom', include_sample_schema: true,
        item_schema: { type: 'object', required: [ 'ticket', 'label' ],
            properties: { ticket: { type: 'string' },
                          label: { type: 'string' } } } },
    testing_criteria: [ { type: 'string_check', name: 'Label', operation: 'eq',
        input: '{{ sample.output_text }}', reference: '{{ item.label }}' } ] });
say('eval', made.object);
say('retrieved', (await client.evals.retrieve(made.id)).name);
say('updated', (await client.evals.update(made.id,
    { name: 'IT tickets' })).name);
say('listed', (await all(client.evals.list({ limit: 1, order: 'asc' })))
    .filter(e => e.id === made.id).length);

const items = [
    { item: { ticket: 'My screen is dark', label: 'Hardware' },
      sample: { output_text: 'Hardware' } },
    { item: { ticket: 'I forgot my password', label: 'Account' },
      sample: { output_text: 'Hardware' } } ];
const file = await client.files.create({ purpose: 'evals',
    file: await toFile(Buffer.from(items.map(i => JSON.stringify(i))
                                        .join('\n')), 'tickets.jsonl') });
say('file', [ file.object, file.filename, file.purpose ]);
say('file retrieved', (await client.files.retrieve(file.id)).bytes
    === file.bytes);
say('file listed', (await all(client.files.list({ purpose: 'evals' })))
    .some(f => f.id === file.id));
say('file content', (await (await client.files.content(file.id)).text())
    .split('\n').length);

const source = { type: 'jsonl', source: { type: 'file_id', id: file.id } };
const first = await ended(await client.evals.runs.create(made.id,
    { name: 'First', data_source: source }));
say('run', [ first.object, first.status ]);
say('counts', first.result_counts);
say('criteria', first.per_testing_criteria_results);
say('runs listed', (await all(client.evals.runs.list(made.id,
    { status: 'completed' }))).length);
const outputs = await all(client.evals.runs.outputItems.list(first.id,
    { eval_id: made.id, limit: 1 }));
say('outputs', outputs.map(o => o.status));
const one = await client.evals.runs.outputItems.retrieve(outputs[1].id,
    { eval_id: made.id, run_id: first.id });
say('one', [ one.object, one.datasource_item.ticket, one.results[0].passed ]);

const sampled = await ended(await client.evals.runs.create(made.id, {
    data_source: { type: 'completions', model: 'm',
        source: { type: 'file_content', content: [ { item:
            { ticket: 'the capital of France', label: 'Paris' } } ] },
        input_messages: { type: 'template', template: [ { role: 'user',
            content: 'Name {{ item.ticket }}.' } ] } } }));
say('sampled', [ sampled.status, sampled.result_counts.passed,
                 sampled.per_model_usage[0].model_name ]);

say('canceled', (await client.evals.runs.cancel(first.id,
    { eval_id: made.id })).status);
await client.evals.runs.create(made.id, { data_source: { type: 'completions',
    model: 'none', source: source.source } })
    .catch(e => say('no such model', [ e.status, e.param, e.type ]));
await client.evals.retrieve('eval_none')
    .catch(e => say('no such eval', [ e.constructor.name, e.code ]));
await new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 }).evals.list()
    .catch(e => say('no key', [ e.constructor.name, e.code ]));

say('run deleted', (await client.evals.runs.delete(first.id,
    { eval_id: made.id })).deleted);
say('file deleted', (await client.files.delete(file.id)).deleted);
say('eval deleted', (await client.evals.delete(made.id)).deleted);
