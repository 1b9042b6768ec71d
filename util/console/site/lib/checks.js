/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// What checks are called, and what those want that one can add here.

import { t, has, percent } from './i18n.js';

// n: a number, s: a text, l: several, '': nothing.
export const CHECKS = {
    max_words: 'n', min_words: 'n', max_sentences: 'n', min_sentences: 'n',
    max_paragraphs: 'n', min_paragraphs: 'n', max_lines: 'n', min_lines: 'n',
    max_characters: 'n', min_characters: 'n', contains: 's', not_contains: 's', contains_all: 'l',
    contains_any: 'l', contains_none: 'l', starts_with: 's', ends_with: 's',
    equals: 's', regex: 's', has_list: '', has_numbered_list: '',
    has_heading: '', has_table: '', has_code: '', has_link: '', has_email: '',
    has_phone: '', has_number: '', has_price: '', has_date: '', has_time: '',
    has_quotation: '', has_question: '', has_name: '', has_thanks: '',
    has_apology: '', formal_address: '', informal_address: '', json: '', xml: '',
    yaml: '', facts_in_source: '', no_refusal: '', no_profanity: '',
    no_personal_data: '', no_link: '', no_emoji: '', no_exclamation: '',
    tool_called: 'l', tool_not_called: 'l', tool_order: 'l', no_repeated_calls: 'n',
    max_steps: 'n', max_latency_ms: 'n', max_tokens: 'n' };

export const valueOf = (type, text) => CHECKS[type] === 'n' ? Number(text)
    : CHECKS[type] === 's' ? text
    : CHECKS[type] === 'l' ? text.split(',').map(s => s.trim()).filter(Boolean)
    : undefined;

export function checkName(type) {
    if (has(`check_${type}`)) {
        return t(`check_${type}`);
    }
    const [, way, thing] = /^(has|no)_(.+)$/.exec(type) ?? [];
    return thing && has(`thing_${thing}`)
        ? t(`check_${way}`, { thing: t(`thing_${thing}`) })
        : type.replaceAll('_', ' ');
}

const plain = value => typeof value === 'string' ? `“${value}”`
    : Array.isArray(value) ? value.map(plain).join(', ')
    : value?.at_least !== undefined ? `≥ ${percent(value.at_least)}${
        value.text ? ` ${plain(value.text)}` : ''}`
    : typeof value === 'object' ? JSON.stringify(value) : String(value);

export const checkText = check => checkName(check.type)
    + (check.value === undefined ? '' : ` ${plain(check.value)}`);
