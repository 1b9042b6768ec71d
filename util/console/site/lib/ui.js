/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// The parts that views are built of.

import { html, useEffect, useId, useLayoutEffect, useMemo, useRef, useState }
    from './base.js';
import { contentHead, may, mayGo } from './api.js';
import { t, word, score as shown, number, has } from './i18n.js';

// --- Data --------------------------------------------------------------------

// Loads when deps change; what may pass by itself is tried again by itself.
export function useData(load, deps = []) {
    const [state, setState] = useState({ loading: true });
    const [turn, setTurn] = useState(0);

    useEffect(() => {
        const ended = new AbortController();
        let timer;

        setState(s => ({ ...s, loading: true }));
        load(ended.signal).then(
            data => !ended.signal.aborted && setState({ data }),
            error => {
                if (ended.signal.aborted) {
                    return;
                }
                setState(s => ({ data: s.data, error }));
                if (error.passing) {
                    timer = setTimeout(() => setTurn(n => n + 1), 3000);
                }
            });

        return () => {
            clearTimeout(timer);
            ended.abort();
        };
    }, [...deps, turn]);

    return { ...state, reload: () => setTurn(n => n + 1) };
}

// Something that a press of a button does: busy while it goes on.
export function useAction(run) {
    const [state, setState] = useState({});
    const act = async (...args) => {
        setState({ busy: true });
        try {
            const result = await run(...args);
            setState({});
            return result;
        } catch (error) {
            setState({ error: Object.assign(error, { acted: true }) });
            if (!('kind' in error)) {
                console.error(error);
            }
            return undefined;
        }
    };

    return { ...state, act, clear: () => setState({}) };
}

// A whole view has its place as the title until its own is known.
export function Load({ of, place, children }) {
    if (of.data === undefined) {
        const body = of.error
            ? html`<${Problem} error=${of.error} again=${of.reload} />`
            : html`<p class="quiet" role="status">${t('loading')}</p>`;

        return place ? html`<${Page} title=${t(`place_${place}`)}
            back=${[`#/${place}`, t(`place_${place}`)]}>${body}</${Page}>` : body;
    }
    return html`${of.error && html`<${Problem} error=${of.error}
        again=${of.reload} />`}${children(of.data)}`;
}

// What went wrong, and what to do about it.
export function Problem({ error, again }) {
    if (!error) {
        return null;
    }
    const kind = has(`error_${error.kind}`) ? error.kind : 'request';
    return html`<div class="note bad" role="alert" tabindex="-1">
        <p><strong>${t(`error_${kind}`)}</strong> ${
            error.acted && error.passing ? t('error_acted_do')
            : t(`error_${kind}_do`)}</p>
        ${error.detail ? html`<p class="quiet">${t('error_said')}
            ${' '}<q lang="en">${error.detail}</q></p>`
          : error.kind ? null : html`<p class="quiet">${String(error)}</p>`}
        ${again && html`<p><button type="button" onClick=${again}>
            ${t('try_again')}</button></p>`}
    </div>`;
}

// --- Frames ------------------------------------------------------------------

export function Page({ title, lead, back, actions, wide, children }) {
    const heading = useRef();

    useEffect(() => {
        document.title = `${title} · ${t('product')}`;
    }, [title]);
    useEffect(() => heading.current?.focus({ preventScroll: true }), []);

    return html`<div class=${wide ? 'page wide' : 'page'}>
        ${back && html`<p class="back"><a href=${back[0]}>← ${back[1]}</a></p>`}
        <header class="top">
            <div><h1 tabindex="-1" ref=${heading}>${title}</h1>
                ${lead && html`<p class="lead">${lead}</p>`}</div>
            ${actions && html`<div class="actions">${actions}</div>`}
        </header>
        ${children}
    </div>`;
}

export const Card = ({ title, aside, children, id, className }) => html`
    <section class=${'card ' + (className || '')} id=${id}>
        ${(title || aside) && html`<header>
            <h2 tabindex="-1">${title}</h2>${aside && html`<div>${aside}</div>`}</header>`}
        ${children}
    </section>`;

// What needs a permission is offered to who has it; so is the way to a place.
export const May = ({ to, children }) => may(to) ? children : null;

export const Go = ({ href, children, ...more }) => mayGo(href)
    ? html`<a href=${href} ...${more}>${children}</a>` : null;

// A form that is only read where the permission to change it is not there.
export const Change = ({ to, children }) => html`
    <fieldset class="bare" disabled=${!may(to)}>${children}</fieldset>`;

export const Empty = ({ title, children, href, action }) => html`
    <div class="empty">
        <h2>${title}</h2>
        <p>${children}</p>
        ${href && mayGo(href) && html`<p><a class="button main" href=${href}>${action}</a></p>`}
    </div>`;

export const Note = ({ kind = '', children }) => html`
    <div class=${`note ${kind}`} role="status">${children}</div>`;

export const Badge = ({ kind, value }) => html`
    <span class=${`badge ${value}`}>${word(kind, value)}</span>`;

export function Field({ label, hint, wide, children }) {
    const id = useId();
    return html`<div class=${wide ? 'field wide' : 'field'}>
        <label for=${id}>${label}</label>
        ${children(id)}
        ${hint && html`<p class="hint">${hint}</p>`}
    </div>`;
}

// A button that asks once more before it does what can't be undone.  The focus
// goes to the answer that changes nothing, and then back to the button.
export function Sure({ onSure, busy, children, question }) {
    const [asked, ask] = useState(null);             // null: never yet
    const place = useRef();
    const label = useId();

    useEffect(() => {
        if (asked !== null) {
            place.current?.querySelector('button:last-of-type').focus();
        }
    }, [asked]);

    return html`<span ref=${place} class=${asked ? 'sure' : null}
        role=${asked ? 'group' : null} aria-labelledby=${asked ? label : null}>
        ${asked ? html`<span id=${label}>${question}</span>${' '}
            <button type="button" class="danger" disabled=${busy}
                onClick=${() => { ask(false); onSure(); }}>${t('yes')}</button>
            ${' '}<button type="button" onClick=${() => ask(false)}>
                ${t('no')}</button>`
        : html`<button type="button" class="plain danger" disabled=${busy}
            onClick=${() => ask(true)}>${children}</button>`}</span>`;
}

// A bar of links to views beside each other.
export const Tabs = ({ items, at }) => html`<nav class="tabs">
    ${items.map(([name, href, text]) => html`<a key=${name} href=${href}
        aria-current=${name === at ? 'page' : null}>${text}</a>`)}</nav>`;

// Pages of a list replace each other: memory does not grow with the list.
export function usePages(load, deps) {
    const [trail, setTrail] = useState(['']);
    const cursor = trail[trail.length - 1];
    const data = useData(signal => load(cursor, signal), [...deps, cursor]);

    useEffect(() => setTrail(['']), deps);

    const next = data.data?.next_cursor;
    const pager = (trail.length > 1 || next) && html`<nav class="pager"
        aria-label=${t('pages')}>
        <button type="button" disabled=${trail.length < 2}
            onClick=${() => setTrail(trail.slice(0, -1))}>← ${t('newer')}</button>
        <button type="button" disabled=${!next}
            onClick=${() => setTrail([...trail, next])}>${t('older')} →</button>
    </nav>`;

    return { ...data, pager };
}

export function useContent(id) {
    const [head, setHead] = useState();

    useEffect(() => {
        let current = true;
        setHead(undefined);
        contentHead(id).then(value => current && setHead(value));
        return () => { current = false; };
    }, [id]);

    return head;
}

export function ContentName({ id }) {
    const head = useContent(id);

    return head ? head.name || html`<i>${t('no_content')}</i>` : '…';
}

export function ContentExcerpt({ id }) {
    const excerpt = useContent(id)?.excerpt;

    return excerpt && html` <span class="quiet">${excerpt}</span>`;
}

// Only what is in view is in the document, whatever the number of rows.
// `width`: of all columns, which are scrolled where there is less room.
export function Rows({ rows, height = 44, label, head, children, most = 480,
                       width, className = '' }) {
    const [top, setTop] = useState(0);
    const box = useRef();
    const first = Math.max(0, Math.floor(top / height) - 5);
    const last = Math.min(rows.length, first + Math.ceil(most / height) + 10);

    useLayoutEffect(() => {
        if (box.current) {
            box.current.scrollTop = 0;
        }
        setTop(0);
    }, [rows]);

    return html`<div class="scroll" tabindex="0"><div class=${`rows ${className}`}
        role="table" aria-label=${label} aria-rowcount=${rows.length + 1}
        style=${{ minWidth: width }}>
        <div class="row head" role="row" aria-rowindex="1">${head}</div>
        <div class="window" role="rowgroup" ref=${box} tabindex="0"
            style=${{ maxHeight: `${most}px` }}
            onScroll=${e => setTop(e.currentTarget.scrollTop)}>
            <div role="presentation"
                style=${{ height: `${rows.length * height}px` }}>
                ${rows.slice(first, last).map((row, i) => html`
                    <div class="row" role="row" key=${first + i}
                        aria-rowindex=${first + i + 2}
                        style=${{ top: `${(first + i) * height}px`,
                                  height: `${height}px` }}>
                        ${children(row)}</div>`)}
            </div>
        </div>
    </div></div>`;
}

// --- Scores ------------------------------------------------------------------

// As the words of the feedback, where a criterion does not say otherwise; of
// the score as it is shown, rounded.
export function level(score, thresholds) {
    const bounds = { excellent: 85, good: 70, fair: 50, poor: 30, ...thresholds };
    return ['excellent', 'good', 'fair', 'poor']
        .find(name => Math.round(score) >= bounds[name]) ?? 'below';
}

// A bar from 0 to 100 with ticks at the thresholds and, where it is known, how
// sure the score is.
export function ScoreBar({ name, score, thresholds, interval, former }) {
    const ticks = Object.entries(thresholds ?? {});
    const at = value => `${Math.min(100, Math.max(0, value))}%`;
    const text = `${name}: ${t('n_of_100', { n: shown(score) })}`
        + (interval ? `, ${t('between', { low: shown(interval.low),
                                          high: shown(interval.high) })}` : '');

    return html`<div class="bar" role="img" aria-label=${text}>
        <div class="fill" style=${{ width: at(score ?? 0) }}></div>
        ${interval && html`<div class="interval" style=${{
            left: at(interval.low), width: at(interval.high - interval.low) }}>
            </div>`}
        ${ticks.map(([name, value]) => html`<i key=${name} class="tick"
            title=${`${word('level', name)}: ${value}`}
            style=${{ left: at(value) }}></i>`)}
        ${former != null && html`<i class="former" style=${{ left: at(former) }}
            title=${t('given', { n: shown(former) })}></i>`}
    </div>`;
}

export const Score = ({ value }) => html`<b class="score">${shown(value)}</b>`;

export const Between = ({ interval }) => interval ? html`
    <span class="quiet between">${t('between', {
        low: shown(interval.low), high: shown(interval.high) })}</span>` : null;

export const Stat = ({ label, value, note, href }) => {
    const body = html`<dt>${label}</dt><dd>${value}</dd>
        ${note && html`<dd class="quiet">${note}</dd>`}`;
    return html`<dl class="stat">${body}${href && mayGo(href) && html`
        <dd><a href=${href}>${t('look')}<span class="hidden"> ${label}</span>
        </a></dd>`}</dl>`;
};

// --- Choosing ----------------------------------------------------------------

export const Choice = ({ id, value, onChange, options, disabled }) => html`
    <select id=${id} value=${value} disabled=${disabled}
        onChange=${e => onChange(e.currentTarget.value)}>
        ${options.map(([name, text]) => html`<option key=${name} value=${name}
            selected=${name === value}>${text}</option>`)}
    </select>`;

// A place to drop a file onto, which is a button for the keyboard, too.
export function Drop({ accept, onFile, children, label }) {
    const input = useRef();
    const [over, setOver] = useState(false);
    const take = files => files?.length && onFile(files[0]);

    return html`<div class=${over ? 'drop over' : 'drop'}
        onDragOver=${e => { e.preventDefault(); setOver(true); }}
        onDragLeave=${() => setOver(false)}
        onDrop=${e => {
            e.preventDefault();
            setOver(false);
            take(e.dataTransfer.files);
        }}>
        ${children}
        <p class="pick"><button type="button" onClick=${() => input.current.click()}>
            ${label}</button></p>
        <input type="file" ref=${input} accept=${accept} class="hidden"
            tabindex="-1" aria-label=${label}
            onChange=${e => { take(e.currentTarget.files);
                              e.currentTarget.value = ''; }} />
    </div>`;
}

export function download(name, blob) {
    const link = document.createElement('a');

    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// What was not saved, by the parts of the page that have it.
const unsavedParts = new Set();

export const isUnsaved = () => unsavedParts.size > 0;

// Whether the page may be left; asks where something was not saved.
export const mayLeave = () => !isUnsaved() || confirm(t('leave_unsaved'));

// Asks before what was not saved is left: by a link, the history or another
// key (the frame looks at mayLeave() then), or by closing the tab.
export function useUnsaved(unsaved) {
    useLayoutEffect(() => {
        if (!unsaved) {
            return undefined;
        }
        const part = {};
        const close = e => e.preventDefault();

        unsavedParts.add(part);
        addEventListener('beforeunload', close);
        return () => {
            unsavedParts.delete(part);
            removeEventListener('beforeunload', close);
        };
    }, [unsaved]);
}

// A part of the page that follows a setting of others without a reload.

export const usePrevious = value => {
    const ref = useRef();
    const former = ref.current;
    useEffect(() => { ref.current = value; });
    return former;
};

export { useMemo, number };
