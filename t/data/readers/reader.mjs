// Copyright (C) The Judge Authors
// SPDX-License-Identifier: BSD-2-Clause

// Express with its own parsers and multer: what it reads in a body (see
// readers.py).  Arguments: the folder of the packages, the port.

import { createRequire } from 'node:module';

const [folder, port] = process.argv.slice(2);
const require = createRequire(folder + '/');
const express = require('express');
const multer = require('multer');

function strings(value, names) {
    if (typeof value === 'string') {
        return [value];
    }
    return value && typeof value === 'object'
        ? Object.entries(value).flatMap(([k, v]) => [
            ...(names && !Array.isArray(value) ? [k] : []), ...strings(v, names)]) : [];
}

const app = express();
app.use(express.json({ strict: false, type: ['application/json', '+json'] }));
app.use(express.urlencoded({ extended: true }));
app.use(express.text({ type: 'text/*' }));
app.use(multer({ storage: multer.memoryStorage() }).any());
app.post(/.*/, (request, response) => {
    const body = typeof request.body === 'string'
        ? { text: request.body } : request.body ?? {};
    const files = (request.files ?? []).map(
        file => [file.fieldname, file.buffer.toString('latin1')]);
    const names = Boolean(request.is(['application/json', '+json']));
    response.json({
        text: [...strings(body.text, names),
               ...files.filter(([name]) => name === 'text').map(f => f[1])],
        all: [...strings(body, names), ...files.map(f => f[1])] });
});
app.use((error, request, response, next) => {
    response.status(400).json({ text: [], all: [] });
});
app.listen(port, '127.0.0.1');
