/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// The frame around all views: the way to them, the key, the language.

import { html, render, useEffect, useRef, useState } from './lib/base.js';
import { enter, get, key, mayGo, onKey, setKey, whoami }
    from './lib/api.js';
import { t, language, languages, setLanguage } from './lib/i18n.js';
import { Page, Problem, isUnsaved, mayLeave } from './lib/ui.js';
import { Batch, Batches, NewBatch } from './views/batches.js';
import { Blocked } from './views/blocked.js';
import { Compare } from './views/compare.js';
import { Comparison, Comparisons, NewComparison, Ranking }
    from './views/comparisons.js';
import { Correct, CorrectJudge } from './views/correct.js';
import { Evaluation, Evaluations } from './views/evaluations.js';
import { Judge, Judges, judgeTabs } from './views/judges.js';
import { Overview } from './views/overview.js';
import { Run } from './views/runs.js';
import { NewQueue, Queue, Queues, Work } from './views/queues.js';
import { Settings, everyTab, settingsTabs } from './views/settings.js';
import { SignIn } from './views/signin.js';
import { Job, Jobs, NewJob } from './views/training.js';
import { Try } from './views/try.js';

// The first that fits counts; words with a colon are handed on by that name,
// a tab where it is one of those named.
const ROUTES = [
    ['', Overview],
    ['judges', Judges],
    ['judges/:id', Judge],
    ['judges/:id/:tab', Judge, judgeTabs],
    ['try', Try],
    ['evaluations', Evaluations],
    ['evaluations/:id', Evaluation],
    ['blocked', Blocked],
    ['batches', Batches],
    ['batches/new', NewBatch],
    ['batches/:id', Batch],
    ['compare', Compare],
    ['comparisons', Comparisons],
    ['comparisons/new', NewComparison],
    ['comparisons/:id', Comparison],
    ['ranking/:id', Ranking],
    ['correct', Correct],
    ['correct/:id', CorrectJudge],
    ['queues', Queues],
    ['queues/new', NewQueue],
    ['queues/:id', Queue],
    ['queues/:id/work', Work],
    ['training', Jobs],
    ['training/new', NewJob],
    ['training/:id', Job],
    ['openai-runs/:eval/:run', Run],
    ['settings', Settings],
    ['settings/:tab', Settings, everyTab],
];

// An identifier or the name of a tab.
const WORD = /^[\w-]+$/;

const PLACES = ['', 'judges', 'try', 'evaluations', 'batches', 'correct',
                'training', 'settings'];

// Which of them a view belongs to that is none by itself.
const UNDER = { blocked: 'evaluations', compare: 'batches', queues: 'correct',
                comparisons: 'batches', ranking: 'batches' };

function route() {
    const [path, search] = location.hash.replace(/^#\/?/, '').split('?');
    const parts = path.split('/').filter(Boolean);

    for (const [pattern, View, tabs] of ROUTES) {
        const wanted = pattern.split('/').filter(Boolean);
        const values = {};

        if (wanted.length === parts.length && wanted.every((name, i) =>
                name[0] === ':' ? WORD.test(values[name.slice(1)] = parts[i])
                                : name === parts[i])
            && (tabs?.includes(values.tab) ?? true))
        {
            return { View, values, path,
                     place: UNDER[parts[0]] ?? parts[0] ?? '',
                     query: new URLSearchParams(search) };
        }
    }
    return { path, place: null };
}

function Nowhere() {
    return html`<${Page} title=${t('nowhere')}>
        <p><a href="#/">${t('nowhere_do')}</a></p></${Page}>`;
}

const Closed = () => html`<${Page} title=${t('closed')}>
    <p>${t('closed_do')}</p><p><a href="#/">${t('nowhere_do')}</a></p></${Page}>`;

// Where there is something for whoever is here.
const places = () => PLACES.filter(name => name === 'settings'
    ? settingsTabs().length : mayGo(name));

// While the service is away, asks for it, and says when it is back.
function useService() {
    const [error, setError] = useState(null);

    useEffect(() => {
        let timer, gone = false;
        const look = async () => {
            let wrong = null;
            try {
                await get('healthz', { key: '' });
            } catch (e) {
                wrong = e.passing ? e : null;
            }
            if (!gone) {
                setError(wrong);
                timer = setTimeout(look, wrong ? 2000 : 15000);
            }
        };
        look();
        return () => { gone = true; clearTimeout(timer); };
    }, []);

    return error;
}

function App() {
    const [at, setAt] = useState(route);
    const [who, setWho] = useState({ key: key(), asked: false });
    const [, setTongue] = useState(language);
    const [menu, setMenu] = useState(false);
    const away = useService();

    const place = useRef(location.hash);

    useEffect(() => {
        const move = () => {
            if (location.hash === place.current) {
                return;
            }
            if (!mayLeave()) {
                history.pushState(null, '', place.current || '#/');
                return;
            }
            place.current = location.hash;
            setAt(route());
            setMenu(false);
            scrollTo(0, 0);
        };
        addEventListener('hashchange', move);
        // Where a key was refused, what was not saved waits for another one.
        const end = onKey(why => setWho({ key: key(), me: whoami(), why,
            asked: true, keep: /refused|ended/.test(why) && isUnsaved() }));
        return () => { removeEventListener('hashchange', move); end(); };
    }, []);

    // Who is here is asked once more when the service is back.
    const look = () => enter().catch(error => ({ error })).then(({ error }) =>
        setWho(old => ({ ...old, key: key(), me: whoami(), asked: true, error })));
    useEffect(() => {
        if (!who.me) {
            look();
        }
    }, [!away]);

    const tongue = html`<label class="tongue"><span class="hidden">
        ${t('language')}</span><select value=${language} onChange=${async e => {
            const name = e.currentTarget.value;
            await setLanguage(name);
            setTongue(name);
        }}>${Object.entries(languages).map(([name, strings]) => html`
            <option key=${name} value=${name} selected=${name === language}
                lang=${name}>${strings.language_name}</option>`)}
        </select></label>`;

    const View = !at.View ? Nowhere : mayGo(at.path) ? at.View : Closed;
    const here = who.key || who.me;
    const person = who.me?.person;

    // A page that waited behind the signing in is not begun anew.
    useEffect(() => {
        if (here) {
            document.querySelector('main h1')?.focus({ preventScroll: true });
        }
    }, [!here]);

    if (!who.asked) {
        return html`<main class="signin"><p role="status">${t('loading')}</p>
            </main>`;
    }
    return html`${!here && html`<${SignIn} why=${who.why} away=${away}
            said=${who.error} onAgain=${look} tongue=${tongue} />`}
        ${(here || who.keep) && html`<div class="frame" hidden=${!here}>
        <a class="skip" href="#main" onClick=${e => {
            e.preventDefault();
            document.querySelector('h1')?.focus();
        }}>${t('skip')}</a>
        <header class="side">
            <a class="brand" href="#/"><img src="icon.svg" alt="" width="24"
                height="24" />${t('product')}</a>
            <button type="button" class="menu" aria-expanded=${menu}
                aria-controls="places" onClick=${() => setMenu(!menu)}>
                ${t('menu')}</button>
            <div id="places" class=${menu ? 'open' : ''}>
                <nav aria-label=${t('places')}>
                    ${places().map(name => html`<a key=${name} href=${`#/${name}`}
                        aria-current=${at.place === name ? 'page' : null}>
                        ${t(`place_${name || 'overview'}`)}</a>`)}
                </nav>
                <div class="foot">
                    ${person && html`<p class="who">${person.name}
                        <span>${t(`role_${person.role}`)}</span></p>`}
                    <a href="reference/">${t('place_reference')}</a>
                    ${tongue}
                    ${who.key && html`<button type="button" class="plain"
                        onClick=${() => mayLeave() && setKey('', 'left')}>
                        ${t('sign_out')}</button>`}
                </div>
            </div>
        </header>
        <main id="main">
            ${away && html`<div class="away"><${Problem} error=${away} /></div>`}
            <${View} key=${at.path} ...${at.values} query=${at.query} />
        </main>
    </div>`}`;
}

render(html`<${App} />`, document.getElementById('app'));
