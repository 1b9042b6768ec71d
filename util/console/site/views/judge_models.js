/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Which language models a judge asks: the organization's, none, one of those
// that nginx.conf routes, or several of them as a panel.

import { html } from '../lib/base.js';
import { get } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { Choice, Field, Load, useData } from '../lib/ui.js';

const TAKES = ['mean', 'median', 'majority', 'weighted'];
const FEWEST = 2, MOST = 7;                // models of a panel

// What a judge has of this, and what of it is sent when it was changed: either
// member ends the other, and an empty one ends itself.
export const askedOf = judge => ({
    ...judge?.model && { model: judge.model },
    ...judge?.panel && { panel: judge.panel } });

export const askedFor = (judge, { model, panel }) => panel ? { panel }
    : model ? { model }
    : { ...judge?.model && { model: '' }, ...judge?.panel && { panel: {} } };

export const complete = ({ panel }) =>
    !panel || panel.models.length >= FEWEST && panel.models.length <= MOST;

function Panel({ panel, routed, onChange }) {
    const names = [...new Set([...routed, ...panel.models])];
    const take = (name, on) => onChange({ ...panel, models: names.filter(n =>
        n === name ? on : panel.models.includes(n)) });

    return html`<fieldset><legend>${t('panel_models')}</legend>
            <p class="quiet">${t('panel_models_hint')}</p>
            <ul class="picks">${names.map(name => html`<li key=${name}><label>
                <input type="checkbox" checked=${panel.models.includes(name)}
                    onChange=${e => take(name, e.currentTarget.checked)} />
                ${' '}${name}</label></li>`)}</ul></fieldset>
        <div class="fields"><${Field} label=${t('panel_take')}>${id => html`
            <${Choice} id=${id} value=${panel.take ?? 'mean'} onChange=${v =>
                onChange({ ...panel, take: v })}
                options=${TAKES.map(v => [v, t(`take_${v}`)])} />`}</${Field}>
        <${Field} label=${t('panel_agree')} hint=${t('panel_agree_hint')}>
            ${id => html`<input id=${id} type="number" min="0" max="100"
                step="any" value=${panel.agree_within ?? 20} onInput=${e =>
                    onChange({ ...panel, agree_within:
                        Number(e.currentTarget.value) })} />`}</${Field}></div>`;
}

export function JudgeModels({ value, onChange }) {
    const page = useData(signal => get('config/llm', { signal }));
    const { model, panel } = value;

    return html`<${Load} of=${page}>${({ config, models = [] }) => {
        const routed = models.filter(name => name !== 'builtin');
        const named = [...new Set([...routed, ...model ? [model] : []])]
            .filter(name => name !== 'builtin');

        return (named.length > 0 || panel) && html`
            <details open=${!!(model || panel)}>
            <summary>${t('tab_models')}</summary>
            <div class="fields"><${Field} label=${t('judge_model')}
                hint=${t('judge_model_hint')}>${id => html`<${Choice} id=${id}
                value=${panel ? 'panel' : model ?? ''} onChange=${chosen =>
                    onChange(chosen === 'panel'
                        ? { panel: { models: routed.slice(0, FEWEST) } }
                        : chosen ? { model: chosen } : {})}
                options=${[['', t('model_of_settings',
                              { name: config.default_model ?? 'builtin' })],
                           ['builtin', t('model_builtin')],
                           ...named.map(name => [name, name]),
                           ...routed.length >= FEWEST || panel
                               ? [['panel', t('model_panel')]] : []]} />`}
            </${Field}></div>
            ${panel && html`<${Panel} panel=${panel} routed=${routed}
                onChange=${changed => onChange({ panel: changed })} />`}
            </details>`;
    }}</${Load}>`;
}
