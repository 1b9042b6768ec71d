/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// The way in: a key, and why one is asked for again.

import { html, useState } from '../lib/base.js';
import { get, setKey } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { Field, Note, Problem, useAction } from '../lib/ui.js';

export function SignIn({ why, away, tongue }) {
    const [text, setText] = useState('');
    const enter = useAction(async () => {
        const wanted = text.trim();

        try {
            await get('v1/judges?limit=1', { key: wanted });
        } catch (error) {
            // A key without the right to read judges is a key.
            if (error.kind !== 'right') {
                throw error;
            }
        }
        setKey(wanted);
    });

    return html`<main class="signin">
        <form class="card" onSubmit=${e => { e.preventDefault(); enter.act(); }}>
            <p class="brand"><img src="icon.svg" alt="" width="28" height="28" />
                ${t('product')}</p>
            <h1>${t('sign_in')}</h1>
            <p>${t('sign_in_lead')}</p>
            ${why === 'refused' && html`<${Note} kind="bad">
                ${t('key_refused')}</${Note}>`}
            ${why === 'left' && html`<${Note}>${t('signed_out')}</${Note}>`}
            <${Problem} error=${away ?? (enter.error?.kind === 'key'
                ? { kind: 'wrong_key' } : enter.error)} />
            <${Field} label=${t('your_key')} hint=${t('your_key_hint')}>
                ${id => html`<input id=${id} type="password" required
                    autocomplete="off" spellcheck=${false} value=${text}
                    onInput=${e => setText(e.currentTarget.value)} />`}
            </${Field}>
            <p><button class="main" disabled=${enter.busy}>
                ${enter.busy ? t('one_moment') : t('sign_in')}</button></p>
            <details><summary>${t('no_key')}</summary><p>${t('no_key_do')}</p>
                <pre>judge --store=… key create</pre></details>
            ${tongue}
        </form>
    </main>`;
}
