/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// The way in: a key, and why one is asked for again.

import { html, useEffect, useId, useRef, useState } from '../lib/base.js';
import { enter as entered, setKey } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { Field, Note, Problem, useAction } from '../lib/ui.js';

// Whoever nginx says is logged in, but nobody here knows.
const unknown = error => error?.kind === 'key' && /login/.test(error.detail);

export function SignIn({ why, away, said, onAgain, tongue }) {
    const [text, setText] = useState('');
    const enter = useAction(async () => {
        const wanted = text.trim();

        await entered(wanted);
        setKey(wanted);
    });
    const input = useRef();
    const wrong = useId();

    // The button that was pressed could not keep the focus while it was busy.
    useEffect(() => {
        if (enter.error) {
            input.current.focus();
        }
    }, [enter.error]);

    return html`<main class="signin">
        <form class="card" onSubmit=${e => { e.preventDefault(); enter.act(); }}>
            <p class="brand"><img src="icon.svg" alt="" width="28" height="28" />
                ${t('product')}</p>
            <h1>${t('sign_in')}</h1>
            <p>${t('sign_in_lead')}</p>
            ${why === 'refused' && html`<${Note} kind="bad">
                ${t('key_refused')}</${Note}>`}
            ${why === 'ended' && html`<${Note} kind="bad">
                ${t('login_ended')}${' '}<button type="button"
                    onClick=${onAgain}>${t('try_again')}</button></${Note}>`}
            ${unknown(said) && html`<${Note} kind="bad">
                ${t('login_unknown')}</${Note}>`}
            ${why === 'left' && html`<${Note}>${t('signed_out')}</${Note}>`}
            <div id=${wrong}><${Problem} error=${away ?? (unknown(enter.error) ? null
                : enter.error?.kind === 'key' ? { kind: 'wrong_key' }
                : enter.error)} /></div>
            <${Field} label=${t('your_key')} hint=${t('your_key_hint')}>
                ${id => html`<input id=${id} type="password" required
                    ref=${input} aria-describedby=${wrong}
                    aria-invalid=${enter.error?.kind === 'key'}
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
