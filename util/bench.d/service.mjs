// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause

/*
 * What a team would write instead, with care, for util/bench peers: the
 * storing part of the service (an evaluation is asked for, read, listed) by
 * fastify and better-sqlite3.
 *
 *   node util/bench.d/service.mjs DIR PORT WORKERS
 *
 * One process per worker.  Statements are prepared, keys are cached, bodies go
 * by a compiled schema, and answers are stored as they are sent.  As durable as
 * the module: in WAL mode with synchronous=FULL, and an answer is sent after
 * the commit of its row; what comes while a commit runs is committed together.
 */

import cluster from 'node:cluster';
import { createHash, randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import Fastify from 'fastify';

const [ dir, port, workers ] = process.argv.slice(2);
const KEY = 'bench-key';

function open() {
    const db = new Database(`${dir}/service.db`, { timeout: 10000 });
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    return db;
}

if (cluster.isPrimary) {
    const db = open();
    db.exec(`
        CREATE TABLE api_keys (hash BLOB PRIMARY KEY, organization INTEGER);
        CREATE TABLE judges (id TEXT PRIMARY KEY, organization INTEGER,
                             version INTEGER);
        CREATE TABLE contents (id TEXT PRIMARY KEY, organization INTEGER);
        CREATE TABLE evaluations (
            seq INTEGER PRIMARY KEY, id TEXT UNIQUE, organization INTEGER,
            judge TEXT, content TEXT, status TEXT, answer TEXT);
        CREATE INDEX newest ON evaluations (organization, seq);
        INSERT INTO judges VALUES ('jdg_1', 1, 1);
        INSERT INTO contents VALUES ('cnt_1', 1);`);
    db.prepare('INSERT INTO api_keys VALUES (?, 1)')
      .run(createHash('sha256').update(KEY).digest());
    const done = db.prepare(
        `INSERT INTO evaluations VALUES
         (?, ?, 1, 'jdg_1', 'cnt_1', 'completed', ?)`);
    for (let i = 1; i <= 25; i++) done.run(i, `evl_${i}`, process.env.RESULT);
    db.close();
    for (let i = 0; i < Number(workers); i++) cluster.fork();
} else {
    serve();
}

function serve() {
    const db = open();
    const app = Fastify();
    const keys = new Map();

    const key = db.prepare('SELECT organization FROM api_keys WHERE hash = ?');
    const judge = db.prepare(
        'SELECT version FROM judges WHERE id = ? AND organization = ?');
    const content = db.prepare(
        'SELECT 1 FROM contents WHERE id = ? AND organization = ?');
    const insert = db.prepare(
        `INSERT INTO evaluations (id, organization, judge, content, status,
         answer) VALUES (?, ?, ?, ?, 'processing', ?)`);
    const find = db.prepare(
        'SELECT answer FROM evaluations WHERE id = ? AND organization = ?');
    const list = db.prepare(
        `SELECT answer FROM evaluations WHERE organization = ?
         ORDER BY seq DESC LIMIT 25`).pluck();

    app.addHook('onRequest', async (request, reply) => {
        const secret = request.headers['x-api-key'] ?? '';
        let organization = keys.get(secret);
        if (organization === undefined) {
            organization = key.get(createHash('sha256').update(secret)
                                   .digest())?.organization;
            if (organization === undefined)
                return reply.code(401).send({ detail: 'unknown key' });
            keys.set(secret, organization);
        }
        request.organization = organization;
    });

    function create({ judge_id, content_id }, organization) {
        const version = judge.get(judge_id, organization)?.version;
        if (!version || !content.get(content_id, organization)) return null;
        const id = 'evl_' + randomBytes(13).toString('hex');
        const answer = JSON.stringify({
            evaluation_id: id, judge_id, content_id, version,
            status: 'processing', created_at: new Date().toISOString() });
        insert.run(id, organization, judge_id, content_id, answer);
        return answer;
    }

    // Creates that wait for the next commit.
    let waiting = [];
    const commit = db.transaction(group => group.map(
        each => create(each.body, each.organization)));

    function flush() {
        const group = waiting;
        waiting = [];
        try {
            const answers = commit.immediate(group);
            group.forEach((each, i) => each.resolve(answers[i]));
        } catch (error) {
            group.forEach(each => each.reject(error));
        }
    }

    const body = {
        type: 'object', required: [ 'judge_id', 'content_id' ],
        properties: { judge_id: { type: 'string', maxLength: 64 },
                      content_id: { type: 'string', maxLength: 64 } } };

    app.post('/evaluations/single', { schema: { body } },
             async (request, reply) => {
        const answer = await new Promise((resolve, reject) => {
            if (waiting.length === 0) setImmediate(flush);
            waiting.push({ body: request.body, resolve, reject,
                           organization: request.organization });
        });
        if (!answer)
            return reply.code(404).send({ detail: 'no such judge or content' });
        reply.code(202).type('application/json');
        return answer;
    });

    app.get('/evaluations/:id', async (request, reply) => {
        const row = find.get(request.params.id, request.organization);
        if (!row)
            return reply.code(404).send({ detail: 'no such evaluation' });
        reply.type('application/json');
        return row.answer;
    });

    app.get('/evaluations', async (request, reply) => {
        reply.type('application/json');
        return `{"evaluations":[${list.all(request.organization)}]}`;
    });

    app.listen({ port: Number(port), host: '127.0.0.1' });
}
