/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// What helps with a first judge: templates, their sample texts, and a language
// model for what the built-in engine does not understand.

import { html, useState } from '../lib/base.js';
import { get, may, put } from '../lib/api.js';
import { language, t } from '../lib/i18n.js';
import { Card, Choice, Field, Load, Note, Problem, useAction,
         useData } from '../lib/ui.js';
import { BESIDE } from './result.js';

// In the language of the reader; they are only loaded where they are shown.
const templates = async () =>
    (await import(`../templates/${language}.js`)).default;

// What a judge takes of a template; undefined: there is no such one.
export async function fromTemplate(index) {
    const { name, description, criteria } = (await templates())[index] ?? {};

    return name && { name, description, criteria: criteria.map(
        ([called, asks, weight]) => ({ name: called, description: asks,
                                       weight })) };
}

export function Templates({ at }) {
    const page = useData(templates, [language]);

    return html`<${Card} title=${t('templates')}>
        <p class="quiet">${t('templates_lead')}</p>
        <${Load} of=${page}>${list => html`<p class="line start">
            ${list.map(({ name }, i) => html`<a key=${name} class="button"
                aria-current=${String(i) === at ? 'true' : null}
                href=${`#/judges/new?template=${i}`}>${name}</a>`)}</p>`}</${Load}>
    </${Card}>`;
}

const GRADES = ['sample_good', 'sample_middling', 'sample_poor'];

// The texts of a template, from the best to the worst.
export function Samples({ of, busy, onPick }) {
    const page = useData(templates, [language]);

    return html`<${Load} of=${page}>${list => list[of] ? html`
        <p class="line start"><span class="quiet">${t('sample_texts')}</span>
            ${list[of].samples.map((text, i) => html`<button key=${i}
                type="button" disabled=${busy} onClick=${() =>
                    onPick(text, BESIDE.reduce((beside, name) => ({ ...beside,
                        ...list[of][name] && { [name]: list[of][name] } }), {}))}>
                ${t(GRADES[i])}</button>`)}</p>` : null}</${Load}>`;
}

// Criteria that nothing judges: says why, and lets the organization take one
// of the models that nginx.conf routes.
export function Understanding({ names, onChosen }) {
    const page = useData(async signal =>
        may('config:read') ? get('config/llm', { signal }) : {});
    const [chosen, setChosen] = useState('');
    const choose = useAction(async (config, model) => {
        await put('config/llm', { ...config, default_model: model });
        onChosen();
    });

    return html`<${Note}>${t('engine_counts')}
        ${' '}${t('not_understood', { names: names.join(', ') })}
        ${may('config:write') && html`<${Load} of=${page}>${
            ({ config, models = [] }) => {
            const routed = models.filter(name => name !== 'builtin');
            const model = chosen || routed[0];

            return routed.length ? html`<div class="filters">
                <${Field} label=${t('model')}>${id => html`<${Choice} id=${id}
                    value=${model} onChange=${setChosen}
                    options=${routed.map(name => [name, name])} />`}</${Field}>
                <button type="button" disabled=${choose.busy}
                    onClick=${() => choose.act(config, model)}>
                    ${t('take_model')}</button></div>
                <p class="quiet">${t('take_model_note')}</p>
                <${Problem} error=${choose.error} />`
              : html` ${t('no_models')}`;
        }}</${Load}>`}</${Note}>`;
}
