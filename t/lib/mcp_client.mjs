// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause

// What an application does with the official client of the Model Context
// Protocol, which holds results to the schemas of their tools: a line for each
// thing that came about, for t/mcp.t.
//
//   node mcp_client.mjs MODULES URL KEY

const [ modules, url, key ] = process.argv.slice(2);
const sdk = `${modules}/@modelcontextprotocol/sdk/dist/esm`;
const { Client } = await import(`${sdk}/client/index.js`);
const { StreamableHTTPClientTransport } =
    await import(`${sdk}/client/streamableHttp.js`);
const { LATEST_PROTOCOL_VERSION } = await import(`${sdk}/types.js`);

const say = (what, value) =>
    process.stdout.write(`${what}: ${JSON.stringify(value)}\n`);

const connect = async (bearer) => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { Authorization: `Bearer ${bearer}` } } });
    transport.onerror = e => say('error', e.message.slice(0, 40));
    await client.connect(transport);
    return [ client, transport ];
};

const [ client, transport ] = await connect(key);

say('server', client.getServerVersion().name);
say('newest revision',
    transport.protocolVersion === LATEST_PROTOCOL_VERSION);
say('session', transport.sessionId ?? null);
say('capabilities', Object.keys(client.getServerCapabilities()).sort());
await client.ping();

const { tools } = await client.listTools();
tools.forEach(t => say('tool', t.name));
say('schemas of all', tools.every(t => t.inputSchema && t.outputSchema));

const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    if (result.isError) {
        return { isError: true, text: result.content[0].text };
    }
    say(`the text of ${name} is its result`,
        result.content[0].text === JSON.stringify(result.structuredContent));
    return result.structuredContent;
};

const judge = await call('create_judge', {
    name: 'Notices', description: 'Notices in a house.', criteria: [
        { name: 'Spelling', description: 'Correct spelling and punctuation.' },
        { name: 'Length', description: 'At most 40 words.', weight: 2 } ] });
say('judged by', judge.criteria.map(c => c.judged_by));
const judges = await call('list_judges', {});
say('it is listed', judges.judges.some(j => j.judge_id === judge.judge_id));

const good = 'Dear neighbours, the lift is mended since Monday. Thank you for'
    + ' your patience.';
const bad = 'Deer neighbors teh lifft is mendet sins Munday. Thx for yuor'
    + ' paitence. ' + 'And so on. '.repeat(20);
const result = await call('judge_text', { judge_id: judge.judge_id,
                                          text_content: good });
say('status', result.status);
say('score', result.overall_score > 50);
const both = await call('compare_texts', { judge_id: judge.judge_id,
                                           first: bad, second: good });
say('better', both.better);
say('difference', both.difference > 0 && Math.abs(both.difference
    - Math.abs(both.first.overall_score - both.second.overall_score)) < 0.01);

const id = result.evaluation_id;
const why = await call('explain_score', { evaluation_id: id });
say('explained', why.criteria.map(c => c.name));
const made = await call('correct', { evaluation_id: id,
    corrected_scores: { [judge.criteria[0].criterion_id]: 70 },
    explanation: 'The commas.' });
say('corrected', made.content.corrected_scores[judge.criteria[0].criterion_id]);

const wrong = await call('judge_text', { judge_id: 'jdg_none',
                                         text_content: good });
say('a wrong judge', wrong);
await client.callTool({ name: 'none', arguments: {} })
    .catch(e => say('no such tool', e.code));

let cursor, pages = [];
do {
    const page = await client.listResources(cursor ? { cursor } : {});
    pages.push(...page.resources.map(r => r.uri));
    cursor = page.nextCursor;
} while (cursor);
say('resources', [ `judge://judges/${judge.judge_id}`, `judge://results/${id}`]
    .map(uri => pages.filter(p => p === uri).length));
const { resourceTemplates } = await client.listResourceTemplates();
say('templates', resourceTemplates.map(t => t.uriTemplate));
const read = await client.readResource({ uri: `judge://results/${id}` });
say('read', JSON.parse(read.contents[0].text).evaluation_id === id);
await client.readResource({ uri: 'judge://judges/none' })
    .catch(e => say('no such resource', e.code));

const { prompts } = await client.listPrompts();
say('prompts', prompts.map(p => p.name));
const prompt = await client.getPrompt({ name: 'write_rubric',
                                        arguments: { texts: 'letters' } });
say('prompt', /judged: letters\n/.test(prompt.messages[0].content.text));
await client.getPrompt({ name: 'improve_rubric', arguments: {} })
    .catch(e => say('no argument', e.code));

await client.close();
await connect('jdgk_none').catch(e => say('no key', /API key/.test(e.message)));
