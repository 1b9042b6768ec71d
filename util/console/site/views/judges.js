/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Judges: criteria in plain words, versions, agreement with people, watching.

import { html, useEffect, useId, useRef, useState } from '../lib/base.js';
import { call, get, may, post, put } from '../lib/api.js';
import { CHECKS, checkName, checkText, valueOf } from '../lib/checks.js';
import { t, word, number, spoken, time } from '../lib/i18n.js';
import { Badge, Card, Change, Choice, Empty, Field, Go, Load, May, Note, Page,
         Problem, Sure, Tabs, useAction, useData, usePages,
         useUnsaved } from '../lib/ui.js';
import { JudgeModels, askedFor, askedOf, complete } from './judge_models.js';
import { Suggestions } from './suggestions.js';
import { Templates, Understanding, fromTemplate } from './templates.js';
import { Watching } from './watching.js';

export function Judges() {
    const page = usePages((cursor, signal) => get(
        `v1/judges?limit=25${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        { signal }), []);

    return html`<${Page} title=${t('place_judges')} lead=${t('judges_lead')}
        actions=${html`<${Go} class="button main" href="#/judges/new">
            ${t('new_judge')}</${Go}>`}>
        <${Load} of=${page}>${data => data.judges.length
            ? html`<ul class="cards">${data.judges.map(j => html`
                <li class="card" key=${j.judge_id}>
                    <h2><a href=${`#/judges/${j.judge_id}`}>${j.name}</a></h2>
                    <p class="quiet">${j.description}</p>
                    <p class="chips">${j.criteria.slice(0, 8).map(c => html`
                        <span key=${c.criterion_id}>${c.name}</span>`)}</p>
                    <p class="quiet line"><span>${word('type', j.content_type)} ·
                        ${' '}${t('version_n', { number: j.version_number })}</span>
                        ${j.status !== 'ready' && html`<${Badge} kind="status"
                            value=${j.status} />`}
                        <${Go} href=${`#/try?judge=${j.judge_id}`}>${t('try_it')}
                            <span class="hidden"> ${j.name}</span></${Go}></p>
                </li>`)}</ul>${page.pager}`
            : html`<${Empty} title=${t('no_judges')} href="#/judges/new"
                action=${t('make_first_judge')}>${t('no_judges_do')}</${Empty}>`}
        </${Load}>
    </${Page}>`;
}

export const judgeTabs = ['criteria', 'versions', 'agreement', 'watching'];

export function Judge({ id, tab = 'criteria', query }) {
    return id === 'new'
        ? html`<${New} key=${query.get('template')}
            template=${query.get('template')} />`
        : html`<${Known} id=${id} tab=${tab} query=${query} />`;
}

function New({ template }) {
    const page = useData(async () =>
        template === null ? {} : fromTemplate(template));
    const tried = template === null ? '' : `&template=${template}`;

    return html`<${Page} wide title=${t('new_judge')}
        back=${['#/judges', t('place_judges')]} lead=${t('new_judge_lead')}>
        <${Templates} at=${template} />
        <${Load} of=${page}>${begun => html`<${Editor} begun=${begun}
            onSaved=${saved => {
                location.hash = `#/try?judge=${saved.judge_id}&saved=1${tried}`;
            }} />`}</${Load}></${Page}>`;
}

function Known({ id, tab, query }) {
    const page = useData(signal => get(`v1/judges/${id}`, { signal }), [id]);
    const [saved, setSaved] = useState('');
    const remove = useAction(async () => {
        await call('DELETE', `judges/${id}`);
        location.hash = '#/judges';
    });

    return html`<${Load} of=${page} place="judges">${judge => html`
        <${Page} wide title=${judge.name} back=${['#/judges', t('place_judges')]}
            lead=${judge.description} actions=${[
                html`<${Go} class="button main" key="try"
                    href=${`#/try?judge=${id}`}>${t('try_it')}</${Go}>`,
                html`<${Go} class="button" key="correct"
                    href=${`#/correct/${id}`}>${t('place_correct')}</${Go}>`,
                html`<${Go} class="button" key="train"
                    href=${`#/training/new?judge=${id}`}>${t('train')}</${Go}>`]}>
            <${Tabs} at=${tab} items=${judgeTabs.map(name =>
                [name, `#/judges/${id}/${name}`, t(`tab_${name}`)])} />
            ${judge.reference_errors && html`<${Note} kind="bad">
                ${t('references_useless')}: ${judge.reference_errors.map(e =>
                    `${e.uri}: ${e.reason}`).join('; ')}</${Note}>`}
            ${saved && html`<${Note} kind="good">${saved}</${Note}>`}
            ${tab === 'criteria' && html`
                <${Editor} key=${judge.version_number} judge=${judge}
                    onSaved=${answer => {
                        setSaved(t('saved_version',
                                   { number: answer.version_number }));
                        page.reload();
                    }} />
                <${Problem} error=${remove.error} />
                <${May} to="judges:write"><p class="end">
                    <${Sure} busy=${remove.busy} onSure=${remove.act}
                    question=${t('delete_judge_sure')}>
                    ${t('delete_judge')}</${Sure}></p></${May}>`}
            ${tab === 'versions' && html`<${Versions} judge=${judge}
                query=${query} onChange=${page.reload} />`}
            ${tab === 'agreement' && html`<${AgreementTab} judge=${judge} />
                <${May} to="training:read"><${Suggestions} judge=${judge}
                    asked=${asked} onChange=${page.reload} /></${May}>`}
            ${tab === 'watching' && html`<${Watching} judge=${judge}
                onChange=${page.reload} />`}
        </${Page}>`}</${Load}>`;
}

// --- Criteria ----------------------------------------------------------------

const fresh = () => ({ name: '', description: '', weight: 1 });

// What parse-criteria answers, as what a judge takes; `read` is how each was
// read, by which one sees whether somebody has edited it since.
function suggested(parsed) {
    const least = Math.min(...parsed.map(c => c.suggested_weight)
                                    .filter(w => w > 0));
    return parsed.map(c => ({
        name: c.name, description: c.description,
        weight: Number.isFinite(least)
            ? Math.round(c.suggested_weight / least * 4) / 4 : 1,
        ...c.suggested_thresholds && { thresholds: c.suggested_thresholds },
        ...c.examples?.length && { examples: c.examples },
        ...c.checks?.length && { checks: c.checks } }))
        .map(c => ({ ...c, read: c }));
}

const COMMON = ['criterion_id', 'name', 'description', 'weight', 'thresholds',
                'examples', 'checks', 'judge_by'];

// What an answer adds and a request does not take, stays behind.
const asked = c => Object.fromEntries(COMMON
    .filter(name => c[name] !== undefined).map(name => [name, c[name]]));

const edited = c => !c.read
    || JSON.stringify(asked(c)) !== JSON.stringify(asked(c.read));

// What was edited by hand, or removed, stays so when the text is read again.
function joined(list, parsed, removed) {
    const kept = [];
    const next = parsed.filter(p => !removed.includes(p.name)).map(p => {
        const old = list.find(c => edited(c) && !kept.includes(c)
                                   && (c.read?.name ?? c.name) === p.name);
        if (old) {
            kept.push(old);
        }
        return old ?? p;
    });

    return [...next, ...list.filter(c => edited(c) && !kept.includes(c))];
}

const namesIn = (list, other) => list.map(c => c.name)
    .filter(name => name && !other.some(c => c.name === name));

// `begun`: what a template says of a judge that is not there yet.
function Editor({ judge, begun = {}, onSaved }) {
    const from = judge ?? begun;
    const [name, setName] = useState(from.name ?? '');
    const [description, setDescription] = useState(from.description ?? '');
    const [type, setType] = useState(judge?.content_type ?? 'text');
    const [criteria, setCriteria] = useState(
        (from.criteria ?? []).map(asked));
    const [language, setLanguage] = useState(judge?.feedback_language ?? 'text');
    const [scope, setScope] = useState(judge?.scope ?? 'last_answer');
    const [review, setReview] = useState(judge?.review ?? {});
    const [ask, setAsk] = useState(askedOf(judge));
    const [changed, setChanged] = useState(false);
    const [former, setFormer] = useState(null);      // before the last reading
    const removed = useRef([]);
    const current = useRef();
    const change = list => { setCriteria(list); setChanged(true); };
    const edit = list => {
        if (list.length < criteria.length) {
            removed.current.push(...criteria.filter(c => !list.includes(c))
                                            .map(c => c.read?.name ?? c.name));
        }
        setFormer(null);
        change(list);
    };
    const read = parsed => {
        const before = current.current;

        setFormer(before.some(edited) ? before : null);
        change(joined(before, parsed, removed.current));
    };

    current.current = criteria;

    // What somebody else has saved meanwhile is not lost unasked.
    const save = useAction(async (anyway = false) => {
        const body = { name: name.trim(), description, criteria:
            criteria.filter(c => c.name.trim() || c.description.trim())
                    .map(asked),
            feedback_language: language, review, ...askedFor(judge, ask),
            ...type === 'text' && { scope } };

        const answer = judge
            ? await put(`judges/${judge.judge_id}`, body, { lenient: true,
                ...!anyway && { headers: {
                    'If-Match': `"${judge.version_number}"` } } })
            : await post('v1/judges', { ...body, content_type: type },
                         { lenient: true });

        setChanged(false);
        onSaved(answer);
    });
    const [models, setModels] = useState(0);         // how often one was chosen
    const { judges, advice } = useJudges(judge, type, criteria, ask, models);
    const unjudged = Object.values(judges)
        .filter(c => c.judged_by === 'nothing').map(c => c.name);

    const missing = judge && !changed ? t('nothing_changed')
        : !criteria.length ? t('needs_criterion')
        : !name.trim() ? t('needs_name')
        : !complete(ask) ? t('panel_models_hint') : '';
    const note = useId();

    useUnsaved(changed);

    return html`<form onSubmit=${e => { e.preventDefault(); save.act(); }}>
        <${Change} to="judges:write">
        <div class="editor">
            <${Plain} type=${type} known=${criteria.length > 0}
                onRead=${read} />
            <${Card} title=${t('criteria')} aside=${html`<button type="button"
                onClick=${() => edit([...criteria, fresh()])}>
                + ${t('add_criterion')}</button>`}>
                ${former && html`<${Reread} before=${former} after=${criteria}
                    onUndo=${() => { setCriteria(former); setFormer(null); }} />`}
                ${criteria.length ? html`<${Criteria} list=${criteria}
                        judges=${judges} onChange=${edit} />`
                  : html`<p class="quiet">${t('no_criteria_do')}</p>`}
                ${type === 'text' && unjudged.length > 0 && html`
                    <${Understanding} names=${unjudged}
                        onChosen=${() => setModels(models + 1)} />`}
                ${advice?.length > 0 && html`<${Note}><ul>${advice.map(said =>
                    html`<li key=${said}>${said}</li>`)}</ul></${Note}>`}
            </${Card}>
        </div>
        <${Card} title=${t('about_judge')}>
            <div class="fields">
                <${Field} label=${t('name')} hint=${t('judge_name_hint')}>
                    ${id => html`<input id=${id} required maxlength="200"
                        value=${name} onInput=${e => {
                            setName(e.currentTarget.value);
                            setChanged(true);
                        }} />`}</${Field}>
                <${Field} label=${t('judges_what')}>${id => html`
                    <${Choice} id=${id} value=${type} onChange=${setType}
                        disabled=${!!judge} options=${['text', 'image', 'audio',
                            'video'].map(v => [v, t(`type_${v}`)])} />`}</${Field}>
                <${Field} wide label=${t('description')}
                    hint=${t('judge_description_hint')}>${id => html`
                    <input id=${id} value=${description} maxlength="5000"
                        onInput=${e => {
                            setDescription(e.currentTarget.value);
                            setChanged(true);
                        }} />`}</${Field}>
                <${Field} label=${t('feedback_language')}>${id => html`
                    <${Choice} id=${id} value=${language} onChange=${v => {
                            setLanguage(v);
                            setChanged(true);
                        }} options=${['text', 'en', 'de', 'es', 'fr', 'pt']
                            .map(v => [v, t(`language_${v}`)])} />`}</${Field}>
                ${type === 'text' && html`<${Field} label=${t('scope')}>
                    ${id => html`<${Choice} id=${id} value=${scope}
                        onChange=${v => {
                            setScope(v);
                            setChanged(true);
                        }} options=${['last_answer', 'each_answer', 'whole']
                            .map(v => [v, t(`scope_${v}`)])} />`}</${Field}>`}
            </div>
            <${May} to="config:read"><${JudgeModels} value=${ask}
                onChange=${values => {
                    setAsk(values);
                    setChanged(true);
                }} /></${May}>
            <${Doubts} value=${review} onChange=${values => {
                setReview(values);
                setChanged(true);
            }} />
            ${save.error?.status === 412 ? html`<${Note} kind="bad">
                ${t('saved_meanwhile')}${' '}<button type="button"
                    disabled=${save.busy} onClick=${() => save.act(true)}>
                    ${t('save_anyway')}</button></${Note}>`
              : html`<${Problem} error=${save.error} />`}
            <${May} to="judges:write"><p class="line start">
                <button class="main" aria-describedby=${note}
                    disabled=${save.busy || missing}>
                ${save.busy ? t('one_moment')
                  : judge ? t('save_version') : t('save_judge')}</button>
                <span class="quiet" id=${note}>${missing || (judge
                    ? t('save_version_note') : t('save_judge_note'))}</span></p>
            </${May}></${Card}></${Change}>
    </form>`;
}

// What a reading of the text has changed in criteria that somebody edited.
function Reread({ before, after, onUndo }) {
    const kept = after.filter(c => before.includes(c) && edited(c));
    const lines = [['reread_kept', kept.map(c => c.name).filter(Boolean)],
                   ['reread_added', namesIn(after, before)],
                   ['reread_removed', namesIn(before, after)]];

    return html`<${Note}>${lines.filter(([, names]) => names.length)
        .map(([key, names]) => t(key, { names: names.join(', ') })).join(' ')}
        ${' '}<button type="button" class="plain" onClick=${onUndo}>
            ${t('undo')}</button></${Note}>`;
}

const words = list => JSON.stringify(list.map(c =>
    [c.criterion_id, c.name, c.description, c.examples ?? []]));

// The words alone do not say what the version in use has learned, which stays
// as long as they are the same.
function learned(judge, criteria, found) {
    const same = judge && words(criteria) === words(judge.criteria);

    return found.map(c => same && c.judged_by === 'nothing' && judge.criteria
        .find(d => d.name === c.name && d.judged_by === 'corrections') || c);
}

// Who would judge each criterion, and what to think over: asked of the service
// while one writes.  An error about a criterion stands in its place.
function useJudges(judge, type, criteria, ask, models) {
    const [{ criteria: found, advice }, setFound] = useState({ criteria: [] });
    const whole = criteria.filter(c => c.name.trim() && c.description.trim())
                          .map(asked);
    const by = complete(ask) ? ask : {};
    const sent = JSON.stringify([whole, by]);

    useEffect(() => {
        if (!whole.length) {
            return undefined;
        }
        const stop = new AbortController();
        const timer = setTimeout(() => post('judges/check', { name: 'judge',
            description: '', content_type: type, criteria: whole,
            ...by },
            { lenient: true, signal: stop.signal }).then(
                setFound,
                error => {
                    const [, i] = /^criteria\[(\d+)\]/.exec(error.detail) ?? [];
                    if (i) {
                        setFound({ criteria: whole.map((c, at) => ({
                            name: c.name, ...at === Number(i)
                                && { error: error.detail } })) });
                    }
                }), 500);
        return () => { clearTimeout(timer); stop.abort(); };
    }, [type, sent, models]);

    return { judges: Object.fromEntries(learned(judge, criteria, found)
        .map(c => [c.name, c])), advice };
}

// Which results a person is asked to look at.
function Doubts({ value, onChange }) {
    const set = (name, text) => {
        const { [name]: old, ...rest } = value;
        onChange(text === '' ? rest : { ...rest, [name]: Number(text) });
    };

    return html`<details open=${Object.keys(value).length > 0}>
        <summary>${t('doubts')}</summary>
        <div class="fields">${['near_threshold', 'interval_wider_than'].map(name =>
            html`<${Field} key=${name} label=${t(name)} hint=${t(`${name}_hint`)}>
                ${id => html`<input id=${id} type="number" min="1" max="100"
                    step="any" value=${value[name] ?? ''} onInput=${e =>
                        set(name, e.currentTarget.value)} />`}</${Field}>`)}
        </div></details>`;
}

// Criteria as one would tell them, read by the service while one writes.
function Plain({ type, known, onRead }) {
    const [text, setText] = useState('');
    const [said, setSaid] = useState(null);
    const latest = useRef();
    const read = useAction(async () => {
        const wanted = latest.current = text;
        const answer = await post('llm/parse-criteria', {
            description: text, content_type: type,
            parsing_options: { include_weights: true, include_thresholds: true } });

        if (wanted === latest.current) {
            onRead(suggested(answer.parsed_criteria));
            setSaid(answer);
        }
    });

    // A new judge's criteria follow the text; a known one's only when asked.
    useEffect(() => {
        if (text.trim().length < 8 || known && !said) {
            return undefined;
        }
        const timer = setTimeout(read.act, 700);
        return () => clearTimeout(timer);
    }, [text, type]);

    return html`<${Card} title=${t('in_your_words')} className="plain-words">
        <${Field} label=${t('what_is_good')} hint=${t('what_is_good_hint')}>
            ${id => html`<textarea id=${id} rows="10" maxlength="20000"
                placeholder=${t('what_is_good_example')} value=${text}
                onInput=${e => setText(e.currentTarget.value)}></textarea>`}
        </${Field}>
        <p><button type="button" disabled=${read.busy || !text.trim()}
            onClick=${read.act}>${read.busy ? t('reading')
                                            : t('read_criteria')}</button></p>
        <${Problem} error=${read.error} />
        <div aria-live="polite">${said && html`<p class="quiet">
            ${t('n_found', { n: said.parsed_criteria.length })}
            ${said.parsing_confidence < 0.6 ? ` ${t('not_sure')}` : ''}</p>
            ${said.questions?.map((q, i) => html`<p key=${`q${i}`}>${q}</p>`)}
            ${said.suggestions?.map((s, i) => html`<p class="quiet" key=${i}>
                ${s}</p>`)}`}</div>
    </${Card}>`;
}

const METHODS = ['auto', 'checks', 'measures', 'model', 'corrections'];

function JudgedBy({ found, value, onChange }) {
    return html`<div class="filters by"><${Field} label=${t('judge_by')}>
        ${id => html`<${Choice} id=${id} value=${value ?? 'auto'}
            onChange=${onChange} options=${METHODS.map(name =>
                [name, t(`by_${name}`)])} />`}</${Field}>
        <p class="quiet" aria-live="polite">${found?.error
            ? html`<span class="badge bad">${t('by_impossible')}</span>
                ${' '}<span lang="en">${found.error}</span>`
            : found?.judged_by && html`<span class=${'badge '
                + (found.judged_by === 'nothing' ? 'bad' : 'good')}>
                ${word('by', found.judged_by)}</span>
                ${' '}${spoken(found.judged_by_reason)}`}</p></div>`;
}

function Criteria({ list, judges, onChange }) {
    const total = list.reduce((sum, c) => sum + (Number(c.weight) || 0), 0);
    const set = (i, values) =>
        onChange(list.map((c, at) => at === i ? { ...c, ...values } : c));

    return html`<ul class="edit">${list.map((c, i) => html`<li key=${i}>
        <${Field} label=${t('name')}>${id => html`<input id=${id} required
            maxlength="200" value=${c.name} onInput=${e =>
                set(i, { name: e.currentTarget.value })} />`}</${Field}>
        <${Field} label=${t('what_it_asks')}>${id => html`
            <textarea id=${id} rows="2" maxlength="5000" value=${c.description}
                onInput=${e => set(i, { description: e.currentTarget.value })}>
                </textarea>`}</${Field}>
        <${Field} label=${t('weight')} hint=${total ? t('share', { n: number(
                (Number(c.weight) || 0) / total * 100) }) : null}>${id => html`
            <input id=${id} type="number" min="0" max="1000" step="any"
                value=${c.weight ?? 1} onInput=${e =>
                    set(i, { weight: Number(e.currentTarget.value) })} />`}
        </${Field}>
        <div class="more"><${JudgedBy} found=${judges[c.name]}
                value=${c.judge_by} onChange=${by => set(i, {
                    judge_by: by === 'auto' ? undefined : by })} />
            <${CriterionChecks} checks=${c.checks}
                onChange=${checks => set(i, { checks })} />
            <div class="line"><${Limits} value=${c.thresholds}
                    onChange=${thresholds => set(i, { thresholds })} />
                <button type="button" class="plain danger" onClick=${() =>
                    onChange(list.filter((_, at) => at !== i))}>${t('remove')}
                    <span class="hidden"> ${c.name}</span></button></div></div>
    </li>`)}</ul>`;
}

// Requirements that can be decided, each of which can be switched off.
function CriterionChecks({ checks = [], onChange }) {
    const [type, setType] = useState('max_words');
    const [value, setValue] = useState('');
    const kind = CHECKS[type];
    const add = () => {
        const made = valueOf(type, value);
        onChange([...checks, { type, ...made !== undefined && { value: made } }]);
        setValue('');
    };

    return html`${checks.length > 0 && html`<ul class="checks">
        ${checks.map((check, i) => html`<li key=${i}><label>
            <input type="checkbox" checked=${check.on !== false} onChange=${e =>
                onChange(checks.map((c, at) => at === i
                    ? { ...c, on: e.currentTarget.checked } : c))} />
            ${' '}${checkText(check)}</label></li>`)}</ul>`}
        <details class="adding"><summary>${t('add_check')}</summary>
            <p class="quiet">${t('checks_hint')}</p>
            <div class="filters">
                <${Field} label=${t('check')}>${id => html`<${Choice} id=${id}
                    value=${type} onChange=${setType}
                    options=${Object.keys(CHECKS).map(name =>
                        [name, checkName(name)])} />`}</${Field}>
                ${kind && html`<${Field} label=${t('value')} hint=${kind === 'l'
                        ? t('several_hint') : null}>${id => html`
                    <input id=${id} type=${kind === 'n' ? 'number' : 'text'}
                        min="0" value=${value} onInput=${e =>
                            setValue(e.currentTarget.value)} />`}</${Field}>`}
                <button type="button" disabled=${kind && !value.trim()}
                    onClick=${add}>${t('add')}</button></div></details>`;
}

const LEVELS = ['excellent', 'good', 'fair', 'poor'];

function Limits({ value, onChange }) {
    const now = { excellent: 90, good: 75, fair: 60, poor: 40, ...value };

    return html`<details><summary>${t('limits')}</summary>
        <p class="quiet">${t('limits_hint')}</p>
        <div class="fields four">${LEVELS.map(name => html`<${Field} key=${name}
            label=${t(`level_${name}`)}>${id => html`<input id=${id} type="number"
                min="0" max="100" value=${now[name]} onChange=${e => onChange({
                    ...now, [name]: Number(e.currentTarget.value) })} />`}
            </${Field}>`)}</div></details>`;
}

// --- Versions ----------------------------------------------------------------

function Versions({ judge, onChange }) {
    const id = judge.judge_id;
    const page = useData(signal => get(`judges/${id}/versions`, { signal }),
                         [judge.version_number]);
    const [pair, setPair] = useState(null);
    const activate = useAction(async n => {
        await post(`judges/${id}/versions/${n}/activate`, {});
        onChange();
    });

    return html`<${Load} of=${page}>${data => {
        const numbers = data.versions.map(v => v.version_number);
        const shown = pair ?? [numbers[1] ?? numbers[0], numbers[0]];

        return html`<${Card} title=${t('tab_versions')}>
            <${Problem} error=${activate.error} />
            <div class="scroll" tabindex="0"><table class="list"><thead><tr>
                <th>${t('version')}</th><th>${t('what_changed')}</th>
                <th class="n">${t('criteria')}</th><th>${t('when')}</th>
                <th><span class="hidden">${t('actions')}</span></th></tr></thead>
            <tbody>${data.versions.map(v => html`<tr key=${v.version_number}>
                <td>${v.version_number}</td><td>${v.changes_summary}</td>
                <td class="n">${v.criteria_count}</td><td>${time(v.created_at)}</td>
                <td>${v.is_active ? html`<span class="badge good">
                        ${t('in_use')}</span>`
                    : may('judges:write') && html`<button type="button"
                        disabled=${activate.busy}
                        onClick=${() => activate.act(v.version_number)}>
                        ${v.version_number < data.current_version
                            ? t('go_back_to_it') : t('use_it')}
                        <span class="hidden"> ${v.version_number}</span>
                        </button>`}</td></tr>`)}</tbody></table></div>
        </${Card}>
        ${numbers.length > 1 && html`<${Card} title=${t('differences')}>
            <div class="filters">${[0, 1].map(side => html`<${Field} key=${side}
                label=${t(side ? 'with_version' : 'compare_version')}>${fid => html`
                <${Choice} id=${fid} value=${String(shown[side])}
                    options=${numbers.map(n => [String(n), String(n)])}
                    onChange=${n => setPair(shown.map((old, at) =>
                        at === side ? Number(n) : old))} />`}</${Field}>`)}</div>
            <${Differences} key=${shown.join()} id=${id} pair=${shown} />
        </${Card}>`}`;
    }}</${Load}>`;
}

const PARTS = ['name', 'description', 'weight', 'thresholds', 'examples',
               'checks', 'judged_by'];
const text = value => value === undefined ? ''
    : typeof value === 'object' ? JSON.stringify(value) : String(value);

function changes(a, b) {
    const rows = [];

    for (const name of ['name', 'description', 'model', 'panel', 'samples']) {
        if (text(a[name]) !== text(b[name])) {
            rows.push([t(name), text(a[name]), text(b[name])]);
        }
    }
    const other = Object.fromEntries(b.criteria.map(c => [c.criterion_id, c]));
    const former = new Set(a.criteria.map(c => c.criterion_id));

    for (const c of a.criteria) {
        const now = other[c.criterion_id];
        if (!now) {
            rows.push([c.name, `${c.name}: ${c.description}`, '']);
            continue;
        }
        for (const part of PARTS) {
            if (text(c[part]) !== text(now[part])) {
                rows.push([`${c.name}, ${t(`part_${part}`)}`,
                           text(c[part]), text(now[part])]);
            }
        }
    }
    for (const c of b.criteria.filter(c => !former.has(c.criterion_id))) {
        rows.push([c.name, '', `${c.name}: ${c.description}`]);
    }
    return rows;
}

function Differences({ id, pair }) {
    const page = useData(signal => Promise.all(pair.map(n =>
        get(`v1/judges/${id}?version=${n}`, { signal }))));

    return html`<${Load} of=${page}>${([a, b]) => {
        const rows = changes(a, b);
        return rows.length ? html`<div class="scroll" tabindex="0"><table class="list diff">
            <thead><tr><th>${t('what')}</th><th>${t('version')} ${pair[0]}</th>
                <th>${t('version')} ${pair[1]}</th></tr></thead>
            <tbody>${rows.map(([what, was, is], i) => html`<tr key=${i}>
                <td>${what}</td><td>${was ? html`<del>${was}</del>` : '–'}</td>
                <td>${is ? html`<ins>${is}</ins>` : '–'}</td></tr>`)}</tbody>
            </table></div>`
          : html`<p class="quiet">${t('no_differences')}</p>`;
    }}</${Load}>`;
}

// --- Agreement ---------------------------------------------------------------

const value = m => m && html`${number(m.value, 2)}${m.low != null ? html`
    <span class="quiet"> (${number(m.low, 2)} – ${number(m.high, 2)})</span>`
    : ''}`;

function AgreementTab({ judge }) {
    const page = useData(signal =>
        get(`judges/${judge.judge_id}/agreement`, { signal }), [judge.judge_id]);

    return html`<${Load} of=${page}>${a => a.evaluations
        ? html`<${Card} title=${t('tab_agreement')}>
            <p class="quiet">${t('agreement_lead', { n: a.evaluations })}</p>
            <div class="scroll" tabindex="0"><table class="list"><thead><tr>
                <th>${t('criterion')}</th><th class="n">${t('corrected')}</th>
                <th class="n">${t('points_off')}</th>
                <th class="n">${t('too_high')}</th>
                <th class="n">${t('correlation')}</th></tr></thead>
            <tbody>${[...a.criteria, { name: t('overall'), ...a.overall }]
                .map((c, i) => html`<tr key=${i}><td>${c.name}</td>
                <td class="n">${c.items}</td><td class="n">${value(c.rmse)}</td>
                <td class="n">${c.bias == null ? '–' : number(c.bias, 1)}</td>
                <td class="n">${value(c.pearson)}</td></tr>`)}</tbody></table></div>
        </${Card}>
        ${a.disagreements.length > 0 && html`<${Card}
            title=${t('most_different')}><div class="scroll" tabindex="0"><table class="list">
            <thead><tr><th>${t('content')}</th><th>${t('criterion')}</th>
                <th class="n">${t('judge')}</th><th class="n">${t('people')}</th>
                </tr></thead>
            <tbody>${a.disagreements.map((d, i) => html`<tr key=${i}>
                <td><a href=${`#/evaluations/${d.evaluation_id}`}>
                    ${d.content_name}</a></td><td>${d.name}</td>
                <td class="n">${number(d.given_score)}</td>
                <td class="n">${number(d.people_score)}</td></tr>`)}
            </tbody></table></div></${Card}>`}`
        : html`<${Empty} title=${t('no_agreement')}
            href=${`#/correct/${judge.judge_id}`} action=${t('place_correct')}>
            ${t('no_agreement_do')}</${Empty}>`}</${Load}>`;
}

