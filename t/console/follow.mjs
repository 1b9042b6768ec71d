// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause

// A stream of events that breaks off within its last event, for follow() of
// the console's lib/api.js, whose path is the argument.  Prints what it tells.

import { pathToFileURL } from 'node:url';

globalThis.sessionStorage = { getItem: () => 'a key' };

const first = 'id: 1\nevent: progress\ndata: {"at":1}\n\n';
const last = 'id: 1-done\nevent: done\ndata: {"at":2}\n\n';
const asked = [];

globalThis.fetch = async (url, { headers }) => {
    const from = headers['Last-Event-ID'] ?? '';

    asked.push(from);
    // As the service does, once the end was received.
    return from === '1-done' ? new Response(null, { status: 204 })
        : new Response(from === '1' ? last
                       : first + last.slice(0, last.indexOf('data')));
};

const { follow } = await import(pathToFileURL(process.argv[2]));
const told = [];

await follow('batches/bat_1/events', AbortSignal.timeout(7000),
             (name, { at }) => told.push(`${name} ${at}`));
console.log(`${asked.join(', ')}: ${told.join(', ')}`);
