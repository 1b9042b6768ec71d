/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Try a judge on one text or file.

import { html, useEffect, useRef, useState } from '../lib/base.js';
import { ended, get, judges, open, post } from '../lib/api.js';
import { t, word } from '../lib/i18n.js';
import { Card, Choice, Drop, Empty, Field, Load, Note, Page, Problem,
         useAction, useData, useUnsaved } from '../lib/ui.js';
import { BESIDE, Result } from './result.js';
import { Samples } from './templates.js';

const MOST = 1000000;                  // characters of a text

const titled = text => text.trim().split('\n')[0].slice(0, 60) || t('a_text');

export function Try({ query }) {
    const list = useData(judges);

    return html`<${Page} wide title=${t('place_try')} lead=${t('try_lead')}>
        ${query.get('saved') && html`<${Note} kind="good">
            ${t('saved_judge')}</${Note}>`}
        <${Load} of=${list}>${all => all.length
            ? html`<${Desk} judges=${all} first=${query.get('judge')}
                template=${query.get('template')} />`
            : html`<${Empty} title=${t('no_judges')} href="#/judges/new"
                action=${t('make_first_judge')}>${t('no_judges_do')}</${Empty}>`}
        </${Load}></${Page}>`;
}

function Desk({ judges: all, first, template }) {
    const [id, setId] = useState(all.some(j => j.judge_id === first)
        ? first : all[0].judge_id);
    const [text, setText] = useState('');
    const [about, setAbout] = useState({});      // by the names of BESIDE
    const [shown, setShown] = useState(null);
    const stop = useRef(new AbortController());
    const judge = all.find(j => j.judge_id === id);
    const isText = judge.content_type === 'text';
    const [judged, setJudged] = useState('');

    useUnsaved(isText && text.trim() !== '' && text !== judged);

    useEffect(() => () => stop.current.abort(), []);

    const start = () => {
        stop.current.abort();
        stop.current = new AbortController();
        return stop.current.signal;
    };
    const wait = async (evaluation, words, signal, metadata) => {
        const shows = { text: words, judge, metadata };

        setShown({ evaluation, ...shows });
        if (evaluation.status === 'processing') {
            await ended(evaluation.evaluation_id, signal, e =>
                signal.aborted || setShown({ evaluation: e, ...shows }));
        }
    };

    const run = useAction(async (words, name, beside = about) => {
        const metadata = Object.fromEntries(Object.entries(beside)
            .filter(([, value]) => value.trim()));
        const signal = start();
        const content = await post('content', {
            name: name ?? titled(words), file_type: 'text', text_content: words,
            ...Object.keys(metadata).length && { metadata } });
        setJudged(words);

        await wait(await post('evaluations/single',
            { content_id: content.id, judge_id: id, priority: 'high' },
            { wait: 20, signal }), words, signal, metadata);
    });

    const upload = useAction(async file => {
        const signal = start();
        const place = await post('v1/evaluations/presigned-upload', {
            name: file.name, file_type: judge.content_type, size: file.size,
            file_extension: file.name.split('.').pop().toLowerCase(),
            judge_id: id, priority: 'high' });

        // Below this service, by whatever name the address calls it.
        await open(place.method, place.upload_url.replace(/^.*?\/uploads\//,
            'uploads/'), { headers: place.headers, body: file, signal, key: '' });
        await wait(await get(`evaluations/${place.job_id}`), null, signal);
    });

    const take = async file => {
        if (!isText) {
            upload.act(file);
            return;
        }
        const words = (await file.text()).slice(0, MOST);
        setText(words);
        run.act(words, file.name);
    };
    const busy = run.busy || upload.busy;

    // One reads on there; the button can't keep the focus while it is busy.
    const answer = useRef();
    const came = shown?.evaluation.evaluation_id;
    const problem = run.error ?? upload.error;
    useEffect(() => {
        answer.current.querySelector('[role=alert], h2')?.focus();
    }, [came, problem]);

    return html`<div class="filters">
            <${Field} label=${t('judge')}>${fid => html`<${Choice} id=${fid}
                value=${id} onChange=${setId} options=${all.map(j =>
                    [j.judge_id, j.name])} />`}</${Field}>
        </div>
        <${Card}>
            ${isText && template !== null && id === first && html`
                <${Samples} of=${template} busy=${busy} onPick=${(words, beside) => {
                    setText(words);
                    setAbout(beside);
                    run.act(words, undefined, beside);
                }} />`}
            <${Drop} onFile=${take} label=${t('choose_file')}
                accept=${isText ? 'text/*,.txt,.md,.csv,.json'
                                : `${judge.content_type}/*`}>
                ${isText ? html`<${Field} label=${t('text_to_judge')}
                    hint=${t('text_to_judge_hint')}>${fid => html`
                    <textarea id=${fid} rows="8" maxlength=${MOST}
                        placeholder=${t('paste_here')} value=${text}
                        onInput=${e => setText(e.currentTarget.value)}
                        onKeyDown=${e => e.key === 'Enter' && (e.ctrlKey
                            || e.metaKey) && text.trim() && run.act(text)}
                        onPaste=${e => {
                            const words = e.clipboardData.getData('text');
                            if (!text && words.trim().length > 20) {
                                e.preventDefault();
                                setText(words.slice(0, MOST));
                                run.act(words.slice(0, MOST));
                            }
                        }}></textarea>`}</${Field}>`
                : html`<p>${t('drop_file', { type:
                      word('type', judge.content_type) })}</p>`}
            </${Drop}>
            ${isText && html`<details open=${BESIDE.some(name => about[name])}>
                <summary>${t('has_beside')}</summary>
                ${BESIDE.map(name => html`<${Field} key=${name} label=${t(name)}
                    hint=${t(`${name}_hint`)}>
                    ${fid => html`<textarea id=${fid} value=${about[name] ?? ''}
                        rows=${name === 'question' ? 2 : 4}
                        onInput=${e => setAbout({ ...about,
                            [name]: e.currentTarget.value })}>
                        </textarea>`}</${Field}>`)}</details>
                <p class="line start"><button type="button" class="main"
                    disabled=${busy || !text.trim()}
                    onClick=${() => run.act(text)}>${busy ? t('judging')
                        : t('judge_it')}</button>
                    <span class="quiet">${t('judge_it_hint')}</span></p>`}
        </${Card}>
        <div ref=${answer}>
            <${Problem} error=${problem} again=${problem?.passing && text
                ? () => run.act(text) : null} />
            ${!isText && shown?.evaluation.status === 'processing' && html`
                <${Note}>${t('worker_needed')}</${Note}>`}
            ${shown && html`<${Card} title=${t('result')}
                aside=${html`<a href=${`#/evaluations/${
                    shown.evaluation.evaluation_id}`}>${t('keep_link')}</a>`}>
                <${Result} ...${shown} /></${Card}>`}
        </div>`;
}
