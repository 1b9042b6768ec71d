/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Strings by name, in the language of the browser or the one chosen.  English
// is there where another language lacks one; those of which there is a .po
// file are only loaded where they are read.

import en from '../strings/en.js';
import de from '../strings/de.js';

export const languages = { en, de, es: { language_name: 'Español' },
    fr: { language_name: 'Français' }, pt: { language_name: 'Português' } };

async function load(name) {
    if (!languages[name].language) {
        languages[name] = (await import(`../strings/${name}.js`)).default;
    }
}

const known = name => languages[name] ? name : null;

export let language = known(localStorage.getItem('judge.language'))
    ?? known((navigator.language || 'en').slice(0, 2)) ?? 'en';

await load(language).catch(() => { language = 'en'; });

export async function setLanguage(name) {
    await load(known(name) ?? 'en');
    language = known(name) ?? 'en';
    localStorage.setItem('judge.language', language);
    document.documentElement.lang = language;
}

document.documentElement.lang = language;

// Numbers and times as the reader's region writes them.
const region = () => navigator.language?.startsWith(language)
    ? navigator.language : language;

// t('n_items', { n: 3 }): {n} in the string is replaced; of 'one|many' the
// first is for n = 1.
export function t(name, values = {}) {
    let text = languages[language][name] ?? en[name] ?? name;

    if ('n' in values && text.includes('|')) {
        text = text.split('|')[values.n === 1 ? 0 : 1];
    }

    return text.replace(/\{(\w+)\}/g, (all, key) => values[key] ?? all);
}

export const has = name => name in en;

// A word of the interface, such as a status, where there is one for it.
export const word = (kind, value) =>
    has(`${kind}_${value}`) ? t(`${kind}_${value}`) : String(value ?? '');

// The service says why in English sentences; those called said_ are patterns
// of them.
const patterns = Object.entries(en).filter(([name]) => name.startsWith('said_'))
    .map(([name, text]) => [name, new RegExp(`^${text
        .replace(/[.+?]/g, '\\$&')
        .replace(/\{(\w+)\}/g, '(?<$1>.+?)')}$`)]);
const aspect = called => t(Object.keys(en).find(name =>
    name.startsWith('aspect_') && en[name] === called) ?? called);

function translated(sentence) {
    for (const [name, pattern] of patterns) {
        const found = pattern.exec(sentence);
        if (found) {
            const values = { ...found.groups };
            return t(name, values.aspect
                ? { ...values, aspect: aspect(values.aspect) } : values);
        }
    }
    return sentence;
}

export const spoken = text => language === 'en' ? text : text
    ?.replace(/, so (the language model judges it\.)$/, '. So $1')
    .match(/.+?\.(?= [A-Z]|$)/g)
    ?.map(one => translated(one.trim())).join(' ') ?? text;

export const number = (value, digits = 0) => value == null ? '–'
    : Number(value).toLocaleString(region(), {
        minimumFractionDigits: digits, maximumFractionDigits: digits });

export const score = value => number(value, 0);

export const percent = value => value == null ? '–'
    : Number(value).toLocaleString(region(), { style: 'percent' });

export function time(value) {
    if (!value) {
        return '–';
    }

    const date = new Date(value), now = new Date();
    const today = date.toDateString() === now.toDateString();

    return date.toLocaleString(region(), today
        ? { hour: '2-digit', minute: '2-digit' }
        : { day: 'numeric', month: 'short', year:
              date.getFullYear() === now.getFullYear() ? undefined : 'numeric',
            hour: '2-digit', minute: '2-digit' });
}

// For an axis of times that lie so many seconds apart.
export const clock = (value, step) => new Date(value).toLocaleString(region(),
    step >= 86400 ? { day: 'numeric', month: 'short' }
    : { hour: '2-digit', minute: '2-digit',
        second: step < 60 ? '2-digit' : undefined });
