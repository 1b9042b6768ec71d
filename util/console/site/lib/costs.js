/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// What language models were asked, and what that costs by the prices of the
// settings.

import { html } from './base.js';
import { get, may } from './api.js';
import { t, number, percent } from './i18n.js';
import { Stat, useData } from './ui.js';

const MILLION = 1000000;
const SAMPLE = 50;                     // results that tell what one takes

// A price is that of a million tokens; null: it is not known.
export const cost = (tokens, price) =>
    price == null ? null : tokens * price / MILLION;

export const money = value => value == null ? '–'
    : number(value, value && value < 0.1 ? 4 : 2);

// The settings of models; who may not read them has none.
async function settings(signal) {
    const none = { config: {}, models: [] };

    return may('config:read')
        ? get('config/llm', { signal }).catch(() => none) : none;
}

export const useModels = () => useData(settings);

// How many of these results a model was asked for, and what that took.
export function Asked({ rows }) {
    const page = useModels();
    const done = rows.filter(r => r.status === 'completed');
    const asked = done.filter(r => r.asked);

    if (!asked.length) {
        return null;
    }
    const prices = page.data?.config.prices ?? {};
    const tokens = asked.reduce((sum, r) => sum + r.tokens, 0);
    const paid = asked.every(r => prices[r.model] != null || !r.tokens)
        ? asked.reduce((sum, r) => sum + cost(r.tokens, prices[r.model] ?? 0), 0)
        : null;

    return html`<div class="stats">
        <${Stat} label=${t('model_needed')}
            value=${percent(asked.length / done.length)}
            note=${t('model_needed_note', { n: asked.length })} />
        <${Stat} label=${t('tokens')} value=${number(tokens)} />
        <${Stat} label=${t('cost')} value=${money(paid)}
            note=${paid === null ? t('no_price') : null} />
    </div>`;
}

const CHARACTERS = 4;                  // of a token, roughly
const WORDS = 900;                     // tokens of rules and answer, roughly

// What one more result of a judge takes, as those before did, or by the length
// of the texts; { model, tokens } of one, or null where no model is asked.
async function usual(judge, { items, characters }, signal) {
    const { evaluations } = await get(`evaluations?judge_id=${judge.judge_id}`
        + `&status=completed&limit=${SAMPLE}`, { signal });
    const asked = evaluations.map(e => e.provenance ?? {})
        .filter(p => p.tokens_used > 0);

    if (asked.length) {
        return { model: asked[0].fallback_model ?? asked[0].model,
                 tokens: asked.reduce((sum, p) => sum + p.tokens_used, 0)
                         / evaluations.length };
    }
    return judge.criteria.some(c => c.judged_by === 'model')
        ? { model: judge.model, tokens: characters / items / CHARACTERS + WORDS }
        : null;
}

// What models would take for a table, and cost by the prices that are known;
// null: none would be asked.
export async function expected(judges, found, signal) {
    const [{ config }, ...each] = await Promise.all([
        settings(signal),
        ...judges.map(judge => usual(judge, found, signal))]);
    const asked = each.filter(Boolean).map(one => ({
        tokens: one.tokens * found.items,
        price: config.prices?.[one.model ?? config.default_model] }));

    return asked.length ? {
        tokens: Math.round(asked.reduce((sum, a) => sum + a.tokens, 0)),
        cost: asked.every(a => a.price != null)
            ? asked.reduce((sum, a) => sum + cost(a.tokens, a.price), 0) : null
    } : null;
}
