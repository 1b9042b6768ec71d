/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Which language models an organization asks, what they cost, how much of its
// budget is left, and a call to see what a model does.

import { html, useRef, useState } from '../lib/base.js';
import { get, post, put } from '../lib/api.js';
import { cost, money } from '../lib/costs.js';
import { t, number } from '../lib/i18n.js';
import { Card, Change, Choice, Field, Load, May, Note, Problem, Stat,
         useAction, useData, useUnsaved } from '../lib/ui.js';

const NUMBERS = ['max_tokens', 'temperature'];
const RATES = ['requests_per_minute', 'tokens_per_minute'];
const MOST = 8;                        // fallback models

export function Models() {
    const page = useData(signal => get('config/llm', { signal }));
    const [saved, setSaved] = useState(false);

    return html`${saved && html`<${Note} kind="good">${t('saved')}</${Note}>`}
        <${Load} of=${page}>${({ config, models, budget }) => html`
            ${budget && html`<${Budget} left=${budget}
                limits=${config.rate_limits} />`}
            <${ModelForm} key=${JSON.stringify(config)} config=${config}
                models=${models} onSaved=${() => {
                    setSaved(true);
                    page.reload();
                }} />
            <${May} to="llm:use"><${Test} prices=${config.prices ?? {}}
                models=${models.filter(name => name !== 'builtin')} />
            </${May}>`}</${Load}>`;
}

// What is used of this minute.
const Budget = ({ left, limits }) => html`<div class="stats">
    ${[['requests_left', 'requests_per_minute', 'requests_used'],
       ['tokens_left', 'tokens_per_minute', 'tokens_used']]
        .filter(([name]) => name in left).map(([name, limit, label]) => html`
        <${Stat} key=${name} label=${t(label)} value=${`${number(Math.max(0,
            limits[limit] - left[name]))} / ${number(limits[limit])}`}
            note=${t('this_minute')} />`)}
</div>`;

// In their order: each is asked when those before it have failed.
function Fallbacks({ chosen, names, onChange }) {
    const left = names.filter(name => !chosen.includes(name));

    return html`<${Field} label=${t('llm_fallback_models')}
        hint=${t('llm_fallback_models_hint')}>${id => html`
            ${chosen.length > 0 && html`<ol>${chosen.map(name => html`
                <li key=${name}>${name}${' '}<button type="button" class="plain"
                    onClick=${() => onChange(chosen.filter(n => n !== name))}>
                    ${t('remove')}<span class="hidden"> ${name}</span>
                    </button></li>`)}</ol>`}
            <${Choice} id=${id} value="" disabled=${!left.length
                    || chosen.length >= MOST}
                onChange=${name => name && onChange([...chosen, name])}
                options=${[['', t('add_model')], ...left.map(name =>
                    [name, name])]} />`}</${Field}>`;
}

function ModelForm({ config, models, onSaved }) {
    const limits = config.rate_limits ?? {};
    const first = useRef({
        default_model: config.default_model ?? 'builtin',
        fallback_models: config.fallback_models ?? [],
        prices: config.prices ?? {},
        ...Object.fromEntries(NUMBERS.map(n => [n, config[n] ?? ''])),
        ...Object.fromEntries(RATES.map(n => [n, limits[n] ?? ''])) });
    const [values, setValues] = useState(first.current);
    const set = (name, value) => setValues({ ...values, [name]: value });
    const names = [...new Set([...models, values.default_model])];
    const priced = [...new Set([...names, ...Object.keys(values.prices)])]
        .filter(name => name !== 'builtin');

    useUnsaved(JSON.stringify(values) !== JSON.stringify(first.current));

    const save = useAction(async () => {
        const numbers = list => Object.fromEntries(list
            .filter(n => values[n] !== '').map(n => [n, Number(values[n])]));
        const rates = numbers(RATES);

        await put('config/llm', { default_model: values.default_model,
            fallback_models: values.fallback_models, ...numbers(NUMBERS),
            prices: Object.fromEntries(Object.entries(values.prices)
                .filter(([, price]) => price !== '')
                .map(([name, price]) => [name, Number(price)])),
            ...Object.keys(rates).length && { rate_limits: rates } });
        first.current = values;
        onSaved();
    });
    const input = (name, more) => html`<${Field} label=${t(`llm_${name}`)}
        hint=${t(`llm_${name}_hint`)}>${id => html`<input id=${id} type="number"
            ...${more} value=${values[name]} onInput=${e =>
                set(name, e.currentTarget.value)} />`}</${Field}>`;
    const whole = { min: 1, step: 1 };

    return html`<${Card} title=${t('tab_models')}>
        <p class="quiet">${t('models_lead')}</p>
        <form onSubmit=${e => { e.preventDefault(); save.act(); }}>
            <${Change} to="config:write"><div class="fields"><${Field} label=${t('llm_default_model')}
                    hint=${t('llm_default_model_hint')}>${id => html`
                    <${Choice} id=${id} value=${values.default_model}
                        onChange=${v => set('default_model', v)}
                        options=${names.map(name => [name, name])} />`}</${Field}>
                <${Fallbacks} chosen=${values.fallback_models}
                    names=${names.filter(n => n !== values.default_model)}
                    onChange=${list => set('fallback_models', list)} />
                ${input('max_tokens', whole)}
                ${input('temperature', { min: 0, max: 2, step: 'any' })}
                ${input('requests_per_minute', whole)}
                ${input('tokens_per_minute', whole)}</div>
            ${priced.length > 0 && html`<fieldset><legend>${t('prices')}</legend>
                <p class="quiet">${t('prices_hint')}</p>
                <div class="fields">${priced.map(name => html`
                    <${Field} key=${name} label=${name}>${id => html`
                    <input id=${id} type="number" min="0" max="1000000"
                        step="any" value=${values.prices[name] ?? ''}
                        onInput=${e => set('prices', { ...values.prices,
                            [name]: e.currentTarget.value })} />`}</${Field}>`)}
                </div></fieldset>`}
            <${Problem} error=${save.error} />
            <${May} to="config:write"><p><button class="main"
                disabled=${save.busy}>${t('save')}</button></p></${May}>
        </${Change}></form></${Card}>`;
}

// One question to one model.
function Test({ models, prices }) {
    const [model, setModel] = useState(models[0]);
    const [said, setSaid] = useState(null);
    const test = useAction(async () => {
        setSaid(null);
        setSaid(await post('llm/test', { model }));
    });

    return html`<${Card} title=${t('test_model')}>${models.length ? html`
        <p class="quiet">${t('test_model_lead')}</p>
        <div class="filters"><${Field} label=${t('model')}>${id => html`
            <${Choice} id=${id} value=${model} onChange=${setModel}
                options=${models.map(name => [name, name])} />`}</${Field}>
            <button type="button" disabled=${test.busy} onClick=${test.act}>
                ${test.busy ? t('one_moment') : t('test_it')}</button></div>
        <${Problem} error=${test.error} />
        <div aria-live="polite">${said && html`
            <div class="stats">
                <${Stat} label=${said.model} value=${t(said.usable
                    ? 'model_usable' : 'model_unusable')} />
                <${Stat} label=${t('time_taken')}
                    value=${t('seconds', { n: number(said.duration_ms / 1000,
                                                     1) })} />
                <${Stat} label=${t('tokens')} value=${number(said.tokens_used)} />
                <${Stat} label=${t('cost')} value=${money(cost(
                        said.tokens_used, prices[said.model]))}
                    note=${prices[said.model] == null ? t('no_price') : null} />
            </div>
            ${said.error && html`<${Note} kind="bad"><span lang="en">${said.error.message}
                </span> (${said.error.code})</${Note}>`}
            <p class="quiet">${t('test_asked')} <q>${said.question}</q></p>
            ${said.answer && html`<pre tabindex="0">${said.answer}</pre>`}`}</div>`
      : html`<p class="quiet">${t('no_models')}</p>`}</${Card}>`;
}
