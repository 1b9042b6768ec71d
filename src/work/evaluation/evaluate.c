/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The steps stand in the order in which they run.  If one of them fails,
 * because memory is out or the store does not answer, nothing is written: the
 * leases run out, and the evaluations are claimed again. */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/builtin/engine_version.h"
#include "analysis/checks/checks.h"
#include "analysis/builtin/engine.h"
#include "store/packing/packing.h"
#include "store/store_queue.h"
#include "store/store_watch.h"
#include "work/calibration/residual_intervals.h"
#include "work/evaluation/evaluate.h"
#include "work/render/evaluation_json.h"
#include "work/service/extension.h"
#include "work/service/metrics.h"


static void judge_evaluate_loaded(judge_op_t *op);
static void judge_evaluate_canaries_loaded(judge_op_t *op);
static void judge_evaluate_held(void *data, judge_calibrator_entry_t *entry);
static void judge_evaluate_run(judge_task_t *task);
static void judge_evaluate_scored(judge_task_t *task);
static void judge_evaluate_finished(judge_op_t *op);


static void
judge_evaluate_op(judge_evaluate_t *group, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op))
{
    op->kind = kind;
    op->arena = group->arena;
    op->done = done;
    op->data = group;
}


judge_evaluate_t *
judge_evaluate_create(judge_service_t *service, size_t n)
{
    size_t             i;
    judge_job_t       *jobs;
    judge_arena_t     *arena;
    judge_evaluate_t  *group;

    arena = judge_arena_create(n > 1 ? 64 * 1024 : 16 * 1024);
    group = arena ? judge_calloc(arena, sizeof(judge_evaluate_t)) : NULL;
    if (group == NULL) {
        judge_arena_destroy(arena);
        return NULL;
    }

    jobs = judge_array_alloc(arena, n, sizeof(judge_job_t));
    group->jobs = judge_array_alloc(arena, 2 * n, sizeof(judge_job_t *));
    group->results = judge_array_alloc(arena, n, sizeof(judge_result_t));
    group->calibrators = judge_array_alloc(arena, 2 * n,
                                           sizeof(judge_calibrator_entry_t *));
    group->judges = judge_array_alloc(arena, 2 * n,
                                      sizeof(judge_evaluate_judge_t));
    group->deleted = judge_array_alloc(arena, n, sizeof(atomic_bool));
    if (jobs == NULL || group->jobs == NULL || group->results == NULL
        || group->calibrators == NULL || group->judges == NULL
        || group->deleted == NULL)
    {
        judge_arena_destroy(arena);
        return NULL;
    }

    for (i = 0; i < n; i++) {
        group->jobs[i] = &jobs[i];
    }

    group->arena = arena;
    group->service = service;
    group->count = n;
    group->load.jobs = group->jobs;
    group->load.count = n;
    group->finish.owner = judge_service_owner(service);
    group->finish.results = group->results;
    group->finish.count = n;
    judge_evaluate_op(group, &group->load.op, JUDGE_OP_QUEUE_LOAD,
                      judge_evaluate_loaded);
    judge_evaluate_op(group, &group->finish.op, JUDGE_OP_QUEUE_FINISH,
                      judge_evaluate_finished);

    return group;
}


static void
judge_evaluate_free_claimed(judge_claimed_t *claimed)
{
    judge_claimed_t  *next;

    for ( /* void */ ; claimed; claimed = next) {
        next = claimed->next;
        free(claimed);
    }
}


/* Ends the group, after `ended` results were written; 0: all evaluations will
 * be claimed again. */

static void
judge_evaluate_end(judge_evaluate_t *group, size_t ended)
{
    size_t  i;

    group->count = ended;
    group->done(group->data, group);

    for (i = 0; i < group->held; i++) {
        if (group->jobs[i]->same_judge == i) {
            judge_calibrator_release(group->calibrators[i]);
        }
    }

    judge_evaluate_free_claimed(group->claimed);
    judge_arena_destroy(group->turns);
    judge_arena_destroy(group->texts);
    judge_arena_destroy(group->scratch);
    judge_arena_destroy(group->arena);
}


void
judge_evaluate_start(judge_evaluate_t *group)
{
    judge_submit(group->service, &group->load.op);
}


void
judge_evaluate(judge_service_t *service, judge_claimed_t *claimed, size_t n,
    judge_evaluate_done_pt done, void *data)
{
    size_t             i;
    judge_claimed_t   *t;
    judge_evaluate_t  *group, none = { 0 };

    group = judge_evaluate_create(service, n);
    if (group == NULL) {
        judge_evaluate_free_claimed(claimed);
        done(data, &none);
        return;
    }

    for (i = 0, t = claimed; t; i++, t = t->next) {
        judge_claimed_job(t, group->jobs[i]);
    }

    if (claimed->first.text[0]) {
        group->finish.range = (judge_queue_range_t) {
            .org = group->jobs[0]->org,
            .batch_id = group->jobs[0]->batch_id,
            .first = judge_id_str(&claimed->first),
            .last = judge_id_str(&claimed->last),
            .attempts = 1
        };
    }

    group->claimed = claimed;
    group->done = done;
    group->data = data;
    judge_evaluate_start(group);
}


/* Looks up what the judges have learned, one after the other; then starts the
 * scoring. */

static void
judge_evaluate_learned(judge_evaluate_t *group)
{
    size_t  i, first;

    while (group->held < group->count + group->ncanaries) {
        i = group->held;
        first = group->jobs[i]->same_judge;

        if (first == i) {
            judge_calibrator_hold(group->service, group->jobs[i]->org,
                                  group->jobs[i]->judge_id,
                                  group->jobs[i]->judge_version,
                                  i < group->count, judge_evaluate_held,
                                  group);
            return;
        }

        group->calibrators[i] = group->calibrators[first];
        group->held++;
    }

    group->inputs = judge_calibrator_inputs_hash(JUDGE_ENGINE_NAME, true);
    group->now = judge_now(group->service);
    group->checked_at = group->now;
    group->next = group->service->computing;
    group->service->computing = group;
    judge_service_compute(group->service, &group->task, judge_evaluate_run,
                          judge_evaluate_scored, group);
}


/* Adds a job for each canary version that judges some of the group, in order
 * to load that version.  A canary's failure never fails the group. */

static void
judge_evaluate_canaries(judge_evaluate_t *group)
{
    size_t        i, first;
    judge_job_t  *job, *canary;

    for (i = 0; i < group->count; i++) {
        first = group->jobs[i]->same_judge;
        job = group->jobs[first];
        if (job->canary == 0 || group->judges[first].canary
            || !judge_canary_takes(job->share, group->jobs[i]->id))
        {
            continue;
        }

        canary = judge_calloc(group->arena, sizeof(judge_job_t));
        if (canary == NULL) {
            break;
        }

        canary->org = job->org;
        canary->judge_id = job->judge_id;
        canary->judge_version = job->canary;
        group->judges[first].canary = group->count + group->ncanaries;
        group->jobs[group->count + group->ncanaries++] = canary;
    }

    if (group->ncanaries == 0) {
        judge_evaluate_learned(group);
        return;
    }

    judge_evaluate_op(group, &group->canaries.op, JUDGE_OP_QUEUE_LOAD,
                      judge_evaluate_canaries_loaded);
    group->canaries.jobs = group->jobs + group->count;
    group->canaries.count = group->ncanaries;
    judge_submit(group->service, &group->canaries.op);
}


static void
judge_evaluate_loaded(judge_op_t *op)
{
    judge_evaluate_t  *group = op->data;

    if (op->rc == JUDGE_OK) {
        group->count = group->tried = group->load.count;
        group->finish.count = group->count;
        judge_evaluate_canaries(group);
    } else {
        judge_evaluate_end(group, 0);
    }
}


static void
judge_evaluate_canaries_loaded(judge_op_t *op)
{
    size_t             i;
    judge_evaluate_t  *group = op->data;

    group->finish.pairs = judge_array_alloc(group->arena, group->count + 1,
                                            sizeof(judge_pair_row_t));

    if (op->rc != JUDGE_OK || group->finish.pairs == NULL) {
        group->ncanaries = 0;
        for (i = 0; i < group->count; i++) {
            group->judges[i].canary = 0;
        }
    }

    for (i = 0; i < group->ncanaries; i++) {
        group->canaries.jobs[i]->same_judge = group->count + i;
    }

    judge_evaluate_learned(group);
}


static void
judge_evaluate_held(void *data, judge_calibrator_entry_t *entry)
{
    judge_evaluate_t  *group = data;

    if (entry == NULL && group->held < group->count) {
        judge_evaluate_end(group, 0);
        return;
    }

    /* A canary without its calibrator must not score: without criteria
     * judge_evaluate_canary() does not use it. */
    if (entry == NULL) {
        group->jobs[group->held]->criteria = (judge_str_t) { 0, NULL };
    }

    /* An evaluation of traffic can't wait: a client waits for its verdict. */
    if (group->claimed) {
        group->judges[group->held].refit = judge_calibrator_refit(entry);
    }

    group->calibrators[group->held++] = entry;
    judge_evaluate_learned(group);
}


static judge_rc_e
judge_evaluate_scorer(judge_evaluate_t *group, judge_evaluate_judge_t *judge,
    const judge_job_t *job)
{
    judge_rc_e  rc;

    if (judge->scorer) {
        return JUDGE_OK;
    }

    rc = judge_rubric_read(group->arena, job->judge_name,
                           job->judge_description, job->criteria,
                           &judge->rubric);
    rc = rc ? rc : judge_checks_rubric(group->arena, group->arena,
                                      &judge->rubric);
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge->rubric.feedback_language = job->feedback_language;
    judge_review_settings(group->arena, job->review, &judge->rubric);
    judge_escalate_read(group->arena, job->escalate, &judge->escalate);
    judge->rubric.references = job->references;
    judge->rubric.nreferences = job->nreferences;

    judge->scorer = judge_scorer_create(group->arena, &judge->rubric);

    return judge->scorer ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_evaluate_read(judge_evaluate_t *group, const judge_job_t *job,
    judge_evaluate_text_t *text)
{
    judge_rc_e  rc;

    if (text->item.text.data && text->content == job->same_content) {
        return JUDGE_OK;
    }

    judge_arena_reset(group->texts);
    text->content = job->same_content;
    text->item.text = job->text_content;
    text->reading = NULL;
    group->read++;
    rc = judge_extensions_item(group->texts, job->metadata, JUDGE_SCOPE_WHOLE,
                               &text->item);
    if (rc != JUDGE_OK || text->item.conversation) {
        return rc;
    }

    text->reading = judge_reading_create(group->texts, &text->item);

    return text->reading ? JUDGE_OK : JUDGE_NOMEM;
}


/* --- The canary ---------------------------------------------------------- */

/* Prepares a pair of scores, if the evaluation is in the canary's share. */

static void
judge_evaluate_pair_begin(judge_evaluate_t *group, size_t i,
    const judge_evaluate_judge_t *judge, const judge_verdict_t *verdict)
{
    judge_job_t       *job = group->jobs[i];
    judge_pair_row_t  *pair;

    if (judge->canary == 0
        || !judge_canary_takes(group->jobs[job->same_judge]->share, job->id))
    {
        return;
    }

    pair = &group->finish.pairs[group->finish.npairs];
    pair->org = job->org;
    pair->judge_id = job->judge_id;
    pair->base = job->judge_version;
    pair->version = group->jobs[judge->canary]->judge_version;
    pair->id = job->id;
    pair->scores = judge_canary_given(group->arena, &judge->rubric, verdict);
}


/* Scores the same text by the canary, if a pair was prepared. */

static void
judge_evaluate_canary(judge_evaluate_t *group, size_t i,
    const judge_evaluate_text_t *text)
{
    size_t                   canary;
    judge_rc_e               rc;
    judge_origin_t           origin = { .engine = JUDGE_ENGINE_NAME };
    judge_verdict_t          verdict = { 0 };
    judge_pair_row_t        *pair;
    judge_evaluate_text_t    part;
    judge_evaluate_judge_t  *judge;

    judge = &group->judges[group->jobs[i]->same_judge];
    canary = judge->canary;
    pair = canary ? &group->finish.pairs[group->finish.npairs] : NULL;
    if (pair == NULL || pair->scores.data == NULL) {
        return;
    }

    rc = group->jobs[canary]->criteria.data
         ? judge_evaluate_scorer(group, &group->judges[canary],
                                 group->jobs[canary]) : JUDGE_INVALID;
    if (rc == JUDGE_OK) {
        rc = judge_evaluate_scope(group, canary, text, &part, &verdict,
                                  &origin);
    }

    if (rc == JUDGE_OK) {
        judge_canary_scored(pair->scores, &judge->rubric,
                            &group->judges[canary].rubric, &verdict);
        group->finish.npairs++;
        return;
    }

    pair->scores = (judge_str_t) { 0, NULL };
    group->canaries_failed++;
}


/* --- The result ---------------------------------------------------------- */

static judge_rc_e
judge_evaluate_write(judge_evaluate_t *group, size_t i,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    const judge_origin_t *origin)
{
    judge_result_t  *result = &group->results[i];

    result->features = judge_calibrator_vector(group->scratch, group->inputs,
                                               verdict->features,
                                               verdict->nfeatures);
    result->features = judge_str_dup(group->arena,
                                     judge_pack_floats(group->scratch,
                                                       result->features));

    return result->features.data
           ? judge_claimed_complete(group->arena, group->jobs[i], rubric,
                                    verdict, NULL, origin, judge_time_now(),
                                    result)
           : JUDGE_NOMEM;
}


/* Whether the evaluation is put into the queue of language models, with the
 * engine's score: the engine is not sure enough, or the random sample contains
 * it.  A caller that waits for the verdict always gets the engine's. */

static bool
judge_evaluate_escalates(judge_evaluate_t *group, size_t i,
    const judge_evaluate_judge_t *judge, const judge_verdict_t *verdict,
    judge_origin_t *origin)
{
    judge_result_t  *result = &group->results[i];

    if (judge->escalate.model.data == NULL || group->verdict) {
        return false;
    }

    result->escalated = judge_escalate_why(&judge->escalate, result->id,
                            verdict, judge_overall_width(&judge->rubric,
                                                         verdict, origin));
    if (result->escalated == 0) {
        origin->why = "sure_enough";
        group->not_escalated++;
        return false;
    }

    result->status = JUDGE_STR("processing");
    result->queue_at = group->now;
    result->model = judge->escalate.model;
    result->first_score = isnan(verdict->overall) ? -1 : verdict->overall;
    result->uncounted = true;
    group->escalated++;

    return true;
}


/* --- Scoring ------------------------------------------------------------- */

static judge_rc_e
judge_evaluate_score(judge_evaluate_t *group, size_t i,
    const judge_evaluate_text_t *text)
{
    judge_rc_e               rc;
    judge_evaluate_judge_t  *judge;
    judge_origin_t           origin = {
        .engine = JUDGE_ENGINE_NAME,
        .version = JUDGE_ENGINE_VERSION,
        .model = judge_str(JUDGE_ENGINE_NAME "/" JUDGE_ENGINE_VERSION)
    };
    judge_verdict_t          verdict = { 0 };
    judge_evaluate_text_t    part;

    judge = &group->judges[group->jobs[i]->same_judge];
    rc = judge_evaluate_scope(group, group->jobs[i]->same_judge, text, &part,
                              &verdict, &origin);
    if (rc == JUDGE_OK) {
        judge_evaluate_pair_begin(group, i, judge, &verdict);
    }
    if (rc == JUDGE_OK && judge_evaluate_escalates(group, i, judge, &verdict,
                                                   &origin))
    {
        return JUDGE_OK;
    }
    rc = rc ? rc : judge_explain(&verdict);
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_review_decide(&judge->rubric, &verdict, &origin);
    judge_verdict_shift(&judge->rubric, &verdict, part.item.offset);

    if (group->verdict && !group->verdict(group, &judge->rubric, &verdict)) {
        return JUDGE_NOMEM;
    }

    return judge_evaluate_write(group, i, &judge->rubric, &verdict, &origin);
}


static judge_rc_e
judge_evaluate_one(judge_evaluate_t *group, size_t i,
    judge_evaluate_text_t *text)
{
    judge_rc_e          rc;
    judge_failure_t     failure = { 0 };
    judge_result_t     *result;
    const judge_job_t  *job;
    judge_origin_t      external = { .engine = JUDGE_ENGINE_WORKER,
                                     .version = "1" }, *origin;

    job = group->jobs[i];
    result = &group->results[i];
    *result = (judge_result_t) { .org = job->org, .id = job->id,
                                 .batch_id = job->batch_id };

    /* An evaluation for external workers is claimed here only when its
     * deadline has passed. */
    origin = judge_claimed_external(job) ? &external : NULL;
    if (origin) {
        group->jobs[i]->attempts--;    /* this claim was no worker's attempt */
    }

    if (job->attempts - job->given_back + (origin != NULL)
        > group->service->settings.attempts)
    {
        failure.code = "ATTEMPTS_EXHAUSTED";
        failure.message = JUDGE_STR("every attempt ended before a result; the"
                                    " last one with the process or worker"
                                    " that made it");

    } else if (group->now >= job->deadline) {
        judge_claimed_late(group->arena, job, &failure);

    } else if (!job->found || job->text_content.data == NULL) {
        failure.code = "CONTENT_MISSING";
        failure.message = JUDGE_STR("the content has no text to judge");

    } else if (judge_claimed_waits(job, &group->judges[job->same_judge].refit,
                                   group->now, result))
    {
        return JUDGE_OK;

    } else {
        rc = judge_evaluate_scorer(group, &group->judges[job->same_judge],
                                   job);
        rc = rc ? rc : judge_evaluate_read(group, job, text);
        if (rc == JUDGE_OK) {
            rc = judge_evaluate_score(group, i, text);
            judge_evaluate_canary(group, i, text);
            return rc;
        }
        if (rc != JUDGE_INVALID) {
            return rc;
        }

        failure.code = "JUDGE_UNREADABLE";
        failure.message = JUDGE_STR("the criteria of the judge can't be read");
    }

    return judge_claimed_fail(group->arena, job, &failure, origin,
                              judge_time_now(), result);
}


/* Runs in a thread.  Besides the group it uses only the settings, and the
 * calibrators that the group holds, which have a mutex. */

static void
judge_evaluate_run(judge_task_t *task)
{
    size_t                  i, n, most;
    judge_rc_e              rc;
    judge_evaluate_t       *group = task->data;
    judge_evaluate_text_t   text = { 0 };

    group->scratch = judge_arena_create(JUDGE_EVALUATE_SCRATCH);
    group->texts = judge_arena_create(JUDGE_EVALUATE_SCRATCH);
    if (group->scratch == NULL || group->texts == NULL
        || (group->text && !group->text(group)))
    {
        group->count = 0;
        return;
    }

    most = judge_arena_size(group->arena) + JUDGE_EVALUATE_MEMORY;

    for (i = 0, n = 0; i < group->count; i++) {
        if (i && judge_arena_size(group->arena) > most) {
            break;
        }

        group->current = i;
        rc = judge_evaluate_cancelled(group)
             ? JUDGE_STALE : judge_evaluate_one(group, i, &text);

        if (rc == JUDGE_OK) {
            group->results[n++] = group->results[i];

        } else if (rc != JUDGE_STALE || !atomic_load(&group->deleted[i])) {
            group->count = 0;          /* out of memory, or the worker exits:
                                          all are retried */
            return;
        }
    }

    group->tried = i;
    group->count = n;
    group->finish.count = n;

    if (n && judge_queue_finish_pack(&group->finish, group->scratch)
             != JUDGE_OK)
    {
        group->count = 0;
    }
}


static void
judge_evaluate_scored(judge_task_t *task)
{
    judge_evaluate_t  *group = task->data, **link;

    link = &group->service->computing;
    while (*link != group) {
        link = &(*link)->next;
    }

    *link = group->next;

    judge_metrics_add(group->service->metrics, JUDGE_METRIC_MEASURED,
                      group->read);
    judge_metrics_add(group->service->metrics, JUDGE_METRIC_ESCALATED,
                      group->escalated);
    judge_metrics_add(group->service->metrics, JUDGE_METRIC_NOT_ESCALATED,
                      group->not_escalated);
    judge_metrics_add(group->service->metrics, JUDGE_METRIC_CANARIES,
                      group->finish.npairs);
    judge_metrics_add(group->service->metrics, JUDGE_METRIC_CANARIES_FAILED,
                      group->canaries_failed);

    if (group->count && group->scored && !group->scored(group)) {
        group->count = 0;
    }

    if (group->count) {
        judge_submit(group->service, &group->finish.op);
    } else {
        judge_evaluate_end(group, 0);
    }
}


static void
judge_evaluate_finished(judge_op_t *op)
{
    judge_evaluate_t  *group = op->data;

    judge_evaluate_end(group, op->rc == JUDGE_OK ? group->count : 0);
}
