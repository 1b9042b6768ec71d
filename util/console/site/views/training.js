/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// Training: a judge learns from what people corrected.

import { html, useEffect, useState } from '../lib/base.js';
import { follow, get, judges, may, post, query } from '../lib/api.js';
import { t, word, number, time } from '../lib/i18n.js';
import { Lines, Scatter } from '../lib/charts.js';
import { Badge, Card, Choice, Empty, Field, Go, Load, May, Note, Page, Problem,
         Stat, Sure, useAction, useData, usePages } from '../lib/ui.js';
import { namesOf } from './evaluations.js';

const OVER = ['completed', 'failed', 'cancelled'];

export function Jobs() {
    const list = useData(judges);
    const named = namesOf(list.data ?? []);
    const page = usePages((cursor, signal) =>
        get('training/jobs' + query({ limit: 25, cursor }), { signal }), []);

    return html`<${Page} title=${t('place_training')} lead=${t('training_lead')}
        actions=${html`<${Go} class="button main" href="#/training/new">
            ${t('train')}</${Go}>`}>
        <${Load} of=${page}>${data => {
            const rows = data.jobs;
            return rows.length ? html`<div class="scroll" tabindex="0"><table class="list">
            <thead><tr><th>${t('judge')}</th><th>${t('way')}</th>
                <th>${t('status')}</th><th>${t('when')}</th></tr></thead>
            <tbody>${rows.map(j => html`<tr key=${j.job_id}>
                <td><a href=${`#/training/${j.job_id}`}>${named[j.judge_id]
                    ?? t('deleted_judge')}</a></td>
                <td>${word('way', j.training_type)}</td>
                <td><${Badge} kind="status" value=${j.status} /></td>
                <td>${time(j.created_at)}</td></tr>`)}</tbody></table></div>
            ${page.pager}`
            : html`<${Empty} title=${t('no_training')} href="#/correct"
                action=${t('place_correct')}>${t('no_training_do')}</${Empty}>`;
        }}</${Load}></${Page}>`;
}

// --- A new one ---------------------------------------------------------------

export function NewJob({ query: given }) {
    const list = useData(judges);

    return html`<${Page} title=${t('train')} lead=${t('train_lead')}
        back=${['#/training', t('place_training')]}>
        <${Load} of=${list}>${all => all.length
            ? html`<${Form} all=${all} first=${given.get('judge')} />`
            : html`<${Empty} title=${t('no_judges')} href="#/judges/new"
                action=${t('make_first_judge')}>${t('no_judges_do')}</${Empty}>`}
        </${Load}></${Page}>`;
}

function Form({ all, first }) {
    const [id, setId] = useState(all.some(j => j.judge_id === first)
        ? first : all[0].judge_id);
    const [way, setWay] = useState('full_retrain');
    const [least, setLeast] = useState(10);
    const [rounds, setRounds] = useState(20);
    const [deploy, setDeploy] = useState(true);
    const known = useData(signal => get(`judges/${id}/agreement`, { signal }),
                          [id]);
    const run = useAction(async () => {
        const job = await post('training/jobs', {
            judge_id: id, training_type: way,
            training_config: { minimum_feedback_count: least,
                               max_epochs: rounds },
            execution_options: { auto_deploy: deploy,
                                 notification_level: 'detailed' } });

        await post(`training/jobs/${job.job_id}/execute`,
                   { confirmation: { acknowledge_cost: true } });
        location.hash = `#/training/${job.job_id}`;
    });
    const number_of = (value, setValue, most) => fid => html`<input id=${fid}
        type="number" min="1" max=${most} class="short" value=${value}
        onInput=${e => setValue(Number(e.currentTarget.value) || 1)} />`;

    return html`<${Card}><form onSubmit=${e => { e.preventDefault(); run.act(); }}>
        <div class="fields">
            <${Field} label=${t('judge')} hint=${known.data
                ? t('corrected_n', { n: known.data.evaluations }) : ' '}>
                ${fid => html`<${Choice} id=${fid} value=${id} onChange=${setId}
                    options=${all.map(j => [j.judge_id, j.name])} />`}</${Field}>
            <${Field} label=${t('way')} hint=${t(`way_${way}_hint`)}>${fid => html`
                <${Choice} id=${fid} value=${way} onChange=${setWay}
                    options=${['full_retrain', 'incremental', 'fine_tune',
                        'validation'].map(w => [w, t(`way_${w}`)])} />`}</${Field}>
            <${Field} label=${t('least')} hint=${t('least_hint')}>
                ${number_of(least, setLeast, 1000000)}</${Field}>
            <${Field} label=${t('rounds')} hint=${t('rounds_hint')}>
                ${number_of(rounds, setRounds, 10000)}</${Field}>
        </div>
        <p><label><input type="checkbox" checked=${deploy} onChange=${e =>
            setDeploy(e.currentTarget.checked)} /> ${t('auto_deploy')}</label></p>
        <${Problem} error=${run.error} />
        <p><button class="main" disabled=${run.busy}>${run.busy
            ? t('one_moment') : t('start_training')}</button></p>
    </form></${Card}>`;
}

// --- One ---------------------------------------------------------------------

export function Job({ id }) {
    const page = useData(signal => get(`training/jobs/${id}?metrics_limit=1000`,
                                       { signal }), [id]);

    return html`<${Load} of=${page} place="training">${job => html`
        <${Known} key=${job.status === 'completed'} first=${job}
            onDone=${page.reload} />`}</${Load}>`;
}

// The curves of a job that is followed come with its events, or are read
// anew when a round has ended.
function useJob(first, onDone) {
    const [job, setJob] = useState(first);
    const [error, setError] = useState(null);

    useEffect(() => {
        if (OVER.includes(first.status)) {
            return undefined;
        }
        const stop = new AbortController();
        const path = `training/jobs/${first.job_id}`;
        let reading = false;

        follow(`${path}/events`, stop.signal, async (name, data) => {
            setJob(old => ({ ...old, ...data }));
            if (name === 'done') {
                onDone();
            } else if (!data.metrics && !reading) {
                reading = true;
                const { metrics } = await get(`${path}?metrics_limit=1000`,
                    { signal: stop.signal }).catch(() => ({}));
                reading = false;
                if (metrics) {
                    setJob(old => ({ ...old, metrics }));
                }
            }
        }).catch(setError);

        return () => stop.abort();
    }, [first.job_id, first.status]);

    return [job, error];
}

function Known({ first, onDone }) {
    const [job, error] = useJob(first, onDone);
    const judge = useData(signal => get(`v1/judges/${job.judge_id}`, { signal })
        .catch(() => null), [job.status]);
    const cancel = useAction(() => post(`training/jobs/${job.job_id}/cancel`, {}));
    const over = OVER.includes(job.status);

    return html`<${Page} wide title=${t('training_of', { name:
            judge.data?.name ?? '…' })} back=${['#/training', t('place_training')]}
        lead=${`${word('way', job.training_type)}, ${time(job.created_at)}`}
        actions=${!over && may('training:write') && html`<${Sure} question=${t('cancel_sure')}
            busy=${cancel.busy} onSure=${cancel.act}>${t('cancel')}</${Sure}>`}>
        <${Problem} error=${error ?? cancel.error} />
        <${Where} job=${job} />
        ${(job.notices ?? []).map(text => html`<${Note} key=${text}>
            ${text}</${Note}>`)}
        ${job.error_info && html`<${Wrong} info=${job.error_info} />`}
        ${job.metrics?.training_loss?.length > 0 && html`
            <${Card} title=${t('how_it_learns')}>
                <p class="quiet">${t('how_it_learns_lead')}</p>
                <${Lines} label=${t('how_it_learns')} series=${[
                        [t('on_learned'), job.metrics.training_loss],
                        [t('on_unseen'), job.metrics.validation_loss ?? [], true]]}
                    xs=${job.metrics.training_loss.map((_, i) => i + 1)} />
            </${Card}>`}
        ${job.results && html`<${Before} results=${job.results} />`}
        ${job.status === 'completed' && judge.data && html`
            <${Deploy} job=${job} judge=${judge.data} onChange=${() => {
                judge.reload();
                onDone();
            }} />`}
        ${over && html`<${People} judge=${job.judge_id} />`}
    </${Page}>`;
}

function Where({ job }) {
    const p = job.progress ?? {};

    return html`<div class="stats">
        <${Stat} label=${t('status')} value=${word('status', job.status)}
            note=${job.cancelled_at_epoch != null
                ? t('cancelled_at', { n: number(job.cancelled_at_epoch) })
                : p.phase && p.phase !== job.status
                ? word('status', p.phase) : null} />
        <${Stat} label=${t('round')} value=${p.total_epochs
            ? `${p.current_epoch} / ${p.total_epochs}` : '–'}
            note=${p.estimated_time_remaining > 0 ? t('minutes_left',
                { n: number(Math.ceil(p.estimated_time_remaining)) }) : null} />
        <${Stat} label=${t('learned_from')} value=${number(
            job.feedback_data_summary?.total_feedback_count)}
            note=${t('corrections')} />
    </div>
    ${!OVER.includes(job.status) && html`<progress max="100" aria-label=${
        t('place_training')} value=${p.overall_progress ?? 0}></progress>`}`;
}

const Wrong = ({ info }) => html`<div class="note bad" role="alert">
    <p><strong>${t('training_failed')}</strong> ${info.error_message}</p>
    ${info.error_code === 'INSUFFICIENT_FEEDBACK' && html`<p>
        <${Go} href="#/correct">${t('correct_more')}</${Go}></p>`}
    <ul>${(info.suggested_fixes ?? []).map((fix, i) => html`<li key=${i}>
        ${fix}</li>`)}</ul></div>`;

const measured = m => m ? html`<b>${number(m.value, 2)}</b>${m.low != null
    ? html`<span class="quiet"> (${number(m.low, 2)} – ${number(m.high, 2)})
        </span>` : ''}` : '–';

const sentence = text => text
    && `${text[0].toUpperCase()}${text.slice(1).replace(/\.?$/, '.')}`;

const MEASURES = ['rmse', 'pearson', 'spearman', 'weighted_kappa', 'accuracy',
                  'f1'];

function Before({ results }) {
    const c = results.performance_comparison ?? {};
    const rows = MEASURES.filter(name => c[name]);

    return html`<${Card} title=${t('before_after')}>
        <p>${sentence(results.deployment_reason)}</p>
        ${rows.length > 0 && html`<p class="quiet">${t('before_after_lead')}</p>
        <div class="scroll" tabindex="0"><table class="list"><thead><tr><th>${t('measure')}</th>
            <th class="n">${t('before')}</th><th class="n">${t('after')}</th>
            <th class="n">${t('gain')}</th></tr></thead>
        <tbody>${rows.map(name => html`<tr key=${name}>
            <td>${t(`measure_${name}`)}</td>
            <td class="n">${measured(c[name].before)}</td>
            <td class="n">${measured(c[name].after)}</td>
            <td class="n">${measured(c[name].gain)}</td></tr>`)}</tbody>
        </table></div>`}</${Card}>`;
}

// A trained version is put to use, or the one before it again.
function Deploy({ job, judge, onChange }) {
    const made = Number(String(job.results?.new_model_version ?? '')
        .replace(/\D+/g, '')) || null;
    const act = useAction(async version => {
        await post(`judges/${judge.judge_id}/versions/${version}/activate`, {});
        onChange();
    });

    if (!made) {
        return null;
    }
    const used = judge.version_number === made;

    return html`<${Card} title=${t('put_to_use')}>
        <p>${used ? t('is_used', { number: made })
                  : t('is_not_used', { number: made })}</p>
        <${Problem} error=${act.error} />
        <p class="line start">${!may('judges:write') ? null : used
            ? html`<button type="button" disabled=${act.busy || made < 2}
                onClick=${() => act.act(made - 1)}>
                ${t('roll_back', { number: made - 1 })}</button>`
            : html`<button type="button" class="main" disabled=${act.busy}
                onClick=${() => act.act(made)}>
                ${t('deploy', { number: made })}</button>`}
            <a href=${`#/judges/${judge.judge_id}/versions`}>
                ${t('tab_versions')}</a></p></${Card}>`;
}

// Of the newest evaluations: what the judge gave and what people said.
async function pairs(judge, signal) {
    const { evaluations } = await get('evaluations' + query({ judge_id: judge,
        status: 'completed', limit: 100 }), { signal });
    const points = [];

    for (let i = 0; i < evaluations.length; i += 6) {
        const said = await Promise.all(evaluations.slice(i, i + 6).map(e =>
            get(`feedback/evaluation/${e.evaluation_id}`
                + '?feedback_type=correction&limit=1', { signal })));

        for (const { feedback_entries: [entry], evaluation_context: context }
            of said)
        {
            for (const [id, people] of Object.entries(
                entry?.content.corrected_scores ?? {}))
            {
                const given = context?.original_scores?.[id];
                if (given != null) {
                    points.push([people, given]);
                }
            }
        }
    }
    return points;
}

function People({ judge }) {
    const page = useData(signal => pairs(judge, signal), [judge]);

    return html`<${Card} title=${t('people_and_judge')}>
        <${Load} of=${page}>${points => points.length
            ? html`<p class="quiet">${t('people_and_judge_lead')}</p>
                <${Scatter} points=${points} label=${t('people_and_judge')}
                    across=${t('people')} up=${t('judge')} />`
            : html`<p class="quiet">${t('no_agreement_do')}</p>`}</${Load}>
    </${Card}>`;
}

