/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The steps stand in the order they run.  If one of them fails (out of memory,
 * the store does not answer), nothing is written: the leases run out, and the
 * evaluations are claimed again. */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/builtin/engine_version.h"
#include "analysis/checks/checks.h"
#include "analysis/llm/rubric.h"
#include "store/packing/packing.h"
#include "store/store_result.h"
#include "store/store_watch.h"
#include "work/calibration/review_reasons.h"
#include "work/evaluation/canary_pair.h"
#include "work/evaluation/evaluate_scope.h"
#include "work/render/evaluation_json.h"
#include "work/service/extension.h"
#include "work/service/metrics.h"


static void judge_evaluate_loaded(judge_op_t *op);
static void judge_evaluate_canaries_loaded(judge_op_t *op);
static void judge_evaluate_held(void *data, judge_calibrator_entry_t *entry);
static void judge_evaluate_run(judge_task_t *task);
static void judge_evaluate_pair_begin(judge_evaluate_t *batch, size_t i,
    const judge_evaluate_judge_t *judge, const judge_verdict_t *verdict);
static void judge_evaluate_canary(judge_evaluate_t *batch, size_t i,
    const judge_evaluate_text_t *text);
static judge_rc_e judge_evaluate_write(judge_evaluate_t *batch, size_t i,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    const judge_origin_t *origin);
static bool judge_evaluate_escalates(judge_evaluate_t *batch, size_t i,
    const judge_evaluate_judge_t *judge, const judge_verdict_t *verdict,
    judge_origin_t *origin);
static void judge_evaluate_scored(judge_task_t *task);
static void judge_evaluate_finished(judge_op_t *op);
static void judge_evaluate_end(judge_evaluate_t *batch, size_t ended);


static judge_rc_e
judge_evaluate_prepare(judge_evaluate_t *batch)
{
    size_t            i;
    judge_job_t      *jobs;
    judge_claimed_t  *t;

    jobs = judge_array_alloc(batch->arena, batch->count, sizeof(judge_job_t));
    batch->jobs = judge_array_alloc(batch->arena, 2 * batch->count,
                                    sizeof(judge_job_t *));
    batch->results = judge_array_alloc(batch->arena, batch->count,
                                       sizeof(judge_result_t));
    batch->calibrators = judge_array_alloc(batch->arena, 2 * batch->count,
                                           sizeof(judge_calibrator_entry_t *));
    batch->judges = judge_array_alloc(batch->arena, 2 * batch->count,
                                      sizeof(judge_evaluate_judge_t));
    batch->deleted = judge_array_alloc(batch->arena, batch->count,
                                    sizeof(atomic_bool));
    if (jobs == NULL || batch->jobs == NULL || batch->results == NULL
        || batch->calibrators == NULL || batch->judges == NULL
        || batch->deleted == NULL)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0, t = batch->claimed; i < batch->count; i++) {
        batch->jobs[i] = &jobs[i];
        if (t) {
            judge_claimed_job(t, &jobs[i]);
            t = t->next;
        }
    }

    batch->load.op.kind = JUDGE_OP_QUEUE_LOAD;
    batch->load.op.arena = batch->arena;
    batch->load.op.done = judge_evaluate_loaded;
    batch->load.op.data = batch;
    batch->load.jobs = batch->jobs;
    batch->load.count = batch->count;

    batch->finish.op.kind = JUDGE_OP_QUEUE_FINISH;
    batch->finish.op.arena = batch->arena;
    batch->finish.op.done = judge_evaluate_finished;
    batch->finish.op.data = batch;
    batch->finish.owner = judge_service_owner(batch->service);
    if (batch->claimed && batch->claimed->first.text[0]) {
        batch->finish.range = (judge_queue_range_t) {
            .org = batch->jobs[0]->org,
            .batch_id = batch->jobs[0]->batch_id,
            .first = judge_id_str(&batch->claimed->first),
            .last = judge_id_str(&batch->claimed->last),
            .attempts = 1
        };
    }
    batch->finish.results = batch->results;
    batch->finish.count = batch->count;

    return JUDGE_OK;
}


void
judge_evaluate(judge_service_t *service, judge_claimed_t *claimed, size_t n,
    judge_evaluate_done_pt done, void *data)
{
    judge_arena_t     *arena;
    judge_claimed_t   *next;
    judge_evaluate_t  *batch, none;

    arena = judge_arena_create(64 * 1024);
    batch = arena ? judge_calloc(arena, sizeof(judge_evaluate_t)) : NULL;

    if (batch == NULL) {
        judge_arena_destroy(arena);
        for ( /* void */ ; claimed; claimed = next) {
            next = claimed->next;
            free(claimed);
        }
        memset(&none, 0, sizeof(judge_evaluate_t));
        done(data, &none);
        return;
    }

    batch->arena = arena;
    batch->service = service;
    batch->claimed = claimed;
    batch->count = n;
    batch->done = done;
    batch->data = data;

    if (judge_evaluate_prepare(batch) == JUDGE_OK) {
        judge_submit(service, &batch->load.op);
    } else {
        judge_evaluate_end(batch, 0);
    }
}


judge_evaluate_t *
judge_evaluate_create(judge_service_t *service)
{
    judge_arena_t     *arena;
    judge_evaluate_t  *batch;

    arena = judge_arena_create(16 * 1024);
    batch = arena ? judge_calloc(arena, sizeof(judge_evaluate_t)) : NULL;

    if (batch) {
        batch->arena = arena;
        batch->service = service;
        batch->count = 1;
    }

    if (batch == NULL || judge_evaluate_prepare(batch) != JUDGE_OK) {
        judge_arena_destroy(arena);
        return NULL;
    }

    return batch;
}


void
judge_evaluate_start(judge_evaluate_t *batch)
{
    judge_submit(batch->service, &batch->load.op);
}


/* Looks up what the judges have learned, one after the other. */

static void
judge_evaluate_learned(judge_evaluate_t *batch)
{
    size_t  i, first;

    while (batch->held < batch->count + batch->ncanaries) {
        i = batch->held;
        first = batch->jobs[i]->same_judge;

        if (first == i) {
            judge_calibrator_hold(batch->service, batch->jobs[i]->org,
                                  batch->jobs[i]->judge_id,
                                  batch->jobs[i]->judge_version,
                                  i < batch->count, judge_evaluate_held,
                                  batch);
            return;
        }

        batch->calibrators[i] = batch->calibrators[first];
        batch->held++;
    }

    batch->inputs = judge_calibrator_inputs_hash(JUDGE_ENGINE_NAME, true);
    batch->now = judge_now(batch->service);
    batch->checked_at = batch->now;
    batch->next = batch->service->computing;
    batch->service->computing = batch;
    judge_service_compute(batch->service, &batch->task, judge_evaluate_run,
                          judge_evaluate_scored, batch);
}


/* Adds a job for each canary version that judges some of the batch, in order
 * to load that version.  A canary's failure never fails the batch. */

static void
judge_evaluate_canaries(judge_evaluate_t *batch)
{
    size_t        i, at;
    judge_job_t  *job, *canary;

    for (i = 0; i < batch->count; i++) {
        at = batch->jobs[i]->same_judge;
        job = batch->jobs[at];
        if (job->canary == 0 || batch->judges[at].canary
            || !judge_canary_takes(job->share, batch->jobs[i]->id))
        {
            continue;
        }

        canary = judge_calloc(batch->arena, sizeof(judge_job_t));
        if (canary == NULL) {
            break;
        }

        canary->org = job->org;
        canary->judge_id = job->judge_id;
        canary->judge_version = job->canary;
        batch->judges[at].canary = batch->count + batch->ncanaries;
        batch->jobs[batch->count + batch->ncanaries++] = canary;
    }

    if (batch->ncanaries == 0) {
        judge_evaluate_learned(batch);
        return;
    }

    batch->canaries.op.kind = JUDGE_OP_QUEUE_LOAD;
    batch->canaries.op.arena = batch->arena;
    batch->canaries.op.done = judge_evaluate_canaries_loaded;
    batch->canaries.op.data = batch;
    batch->canaries.jobs = batch->jobs + batch->count;
    batch->canaries.count = batch->ncanaries;
    judge_submit(batch->service, &batch->canaries.op);
}


static void
judge_evaluate_loaded(judge_op_t *op)
{
    judge_evaluate_t  *batch = op->data;

    if (op->rc == JUDGE_OK) {
        batch->count = batch->load.count;
        batch->finish.count = batch->count;
        judge_evaluate_canaries(batch);
    } else {
        judge_evaluate_end(batch, 0);
    }
}


static void
judge_evaluate_canaries_loaded(judge_op_t *op)
{
    size_t             i;
    judge_evaluate_t  *batch = op->data;

    batch->finish.pairs = judge_array_alloc(batch->arena, batch->count + 1,
                                            sizeof(judge_pair_row_t));

    if (op->rc != JUDGE_OK || batch->finish.pairs == NULL) {
        batch->ncanaries = 0;
        for (i = 0; i < batch->count; i++) {
            batch->judges[i].canary = 0;
        }
    }

    for (i = 0; i < batch->ncanaries; i++) {
        batch->canaries.jobs[i]->same_judge = batch->count + i;
    }

    judge_evaluate_learned(batch);
}


static void
judge_evaluate_held(void *data, judge_calibrator_entry_t *entry)
{
    judge_evaluate_t  *batch = data;

    if (entry == NULL && batch->held < batch->count) {
        judge_evaluate_end(batch, 0);
        return;
    }

    /* A canary without its calibrator must not score, which
     * judge_evaluate_canary() sees by the lack of criteria. */
    if (entry == NULL) {
        batch->jobs[batch->held]->criteria = (judge_str_t) { 0, NULL };
    }

    /* An evaluation of traffic can't wait: a client waits for its verdict. */
    if (batch->claimed) {
        batch->judges[batch->held].refit = judge_calibrator_refit(entry);
    }

    batch->calibrators[batch->held++] = entry;
    judge_evaluate_learned(batch);
}


static judge_rc_e
judge_evaluate_scorer(judge_evaluate_t *batch, judge_evaluate_judge_t *judge,
    const judge_job_t *job)
{
    judge_rc_e  rc;

    if (judge->scorer) {
        return JUDGE_OK;
    }

    rc = judge_rubric_read(batch->arena, job->judge_name,
                           job->judge_description, job->criteria,
                           &judge->rubric);
    if (rc == JUDGE_OK) {
        rc = judge_checks_rubric(batch->arena, &judge->rubric);
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge->rubric.feedback_language = job->feedback_language;
    judge_review_settings(batch->arena, job->review, &judge->rubric);
    judge_escalate_read(batch->arena, job->escalate, &judge->escalate);
    judge->rubric.references = job->references;
    judge->rubric.nreferences = job->nreferences;

    judge->scorer = judge_scorer_create(batch->arena, &judge->rubric);

    return judge->scorer ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_evaluate_read(judge_evaluate_t *batch, const judge_job_t *job,
    judge_evaluate_text_t *text)
{
    judge_rc_e  rc;

    if (text->item.text.data && text->content == job->same_content) {
        return JUDGE_OK;
    }

    judge_arena_reset(batch->texts);
    text->content = job->same_content;
    text->item.text = job->text_content;
    text->reading = NULL;
    batch->read++;
    rc = judge_extensions_item(batch->texts, job->metadata, JUDGE_SCOPE_WHOLE,
                               &text->item);
    if (rc != JUDGE_OK || text->item.conversation) {
        return rc;
    }

    text->reading = judge_reading_create(batch->texts, &text->item);

    return text->reading ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_evaluate_score(judge_evaluate_t *batch, size_t i,
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

    judge = &batch->judges[batch->jobs[i]->same_judge];
    rc = judge_evaluate_scope(batch, batch->jobs[i]->same_judge, text, &part,
                              &verdict, &origin);
    if (rc == JUDGE_OK) {
        judge_evaluate_pair_begin(batch, i, judge, &verdict);
    }
    if (rc == JUDGE_OK && judge_evaluate_escalates(batch, i, judge, &verdict,
                                                   &origin))
    {
        return JUDGE_OK;
    }
    if (rc == JUDGE_OK) {
        rc = judge_explain(&verdict);
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_review_decide(&judge->rubric, &verdict, &origin);
    judge_verdict_shift(&judge->rubric, &verdict, part.item.offset);

    if (batch->verdict && !batch->verdict(batch, &judge->rubric, &verdict)) {
        return JUDGE_NOMEM;
    }

    return judge_evaluate_write(batch, i, &judge->rubric, &verdict, &origin);
}


static judge_rc_e
judge_evaluate_one(judge_evaluate_t *batch, size_t i,
    judge_evaluate_text_t *text)
{
    judge_rc_e          rc;
    judge_failure_t     failure = { 0 };
    judge_result_t     *result;
    const judge_job_t  *job;
    judge_origin_t      external = { .engine = JUDGE_ENGINE_WORKER,
                                     .version = "1" }, *origin;

    job = batch->jobs[i];
    result = &batch->results[i];
    *result = (judge_result_t) { .org = job->org, .id = job->id,
                                 .batch_id = job->batch_id };

    /* An evaluation for external workers is claimed here only when its
     * deadline has passed. */
    origin = judge_claimed_external(job) ? &external : NULL;
    if (origin) {
        batch->jobs[i]->attempts--;    /* this claim was no worker's attempt */
    }

    if (job->attempts - job->given_back + (origin != NULL)
        > batch->service->settings.attempts)
    {
        failure.code = "ATTEMPTS_EXHAUSTED";
        failure.message = JUDGE_STR("every attempt ended before a result; the"
                                    " last one with the process or worker"
                                    " that made it");

    } else if (batch->now >= job->deadline) {
        judge_claimed_late(batch->arena, job, &failure);

    } else if (!job->found || job->text_content.data == NULL) {
        failure.code = "CONTENT_MISSING";
        failure.message = JUDGE_STR("the content has no text to judge");

    } else if (judge_claimed_waits(job, &batch->judges[job->same_judge].refit,
                                   batch->now, result))
    {
        return JUDGE_OK;

    } else {
        rc = judge_evaluate_scorer(batch, &batch->judges[job->same_judge],
                                   job);
        if (rc == JUDGE_OK) {
            rc = judge_evaluate_read(batch, job, text);
        }
        if (rc == JUDGE_OK) {
            rc = judge_evaluate_score(batch, i, text);
            judge_evaluate_canary(batch, i, text);
            return rc;
        }
        if (rc != JUDGE_INVALID) {
            return rc;
        }

        failure.code = "JUDGE_UNREADABLE";
        failure.message = JUDGE_STR("the criteria of the judge can't be read");
    }

    return judge_claimed_fail(batch->arena, job, &failure, origin,
                              judge_time_now(), result);
}


/* Runs in a thread.  Beside the batch it uses the calibrators that the batch
 * holds, which have a mutex, and the settings. */

static void
judge_evaluate_run(judge_task_t *task)
{
    size_t                  i, n;
    judge_rc_e              rc;
    judge_evaluate_t       *batch = task->data;
    judge_evaluate_text_t   text = { 0 };

    batch->scratch = judge_arena_create(JUDGE_EVALUATE_SCRATCH);
    batch->texts = judge_arena_create(JUDGE_EVALUATE_SCRATCH);
    if (batch->scratch == NULL || batch->texts == NULL
        || (batch->text && !batch->text(batch)))
    {
        batch->count = 0;
        return;
    }

    for (i = 0, n = 0; i < batch->count; i++) {
        batch->current = i;
        rc = judge_evaluate_cancelled(batch)
             ? JUDGE_STALE : judge_evaluate_one(batch, i, &text);

        if (rc == JUDGE_OK) {
            batch->results[n++] = batch->results[i];

        } else if (rc != JUDGE_STALE || !atomic_load(&batch->deleted[i])) {
            batch->count = 0;          /* out of memory, or the worker exits:
                                          all are retried */
            return;
        }
    }

    batch->count = n;
    batch->finish.count = n;

    if (n && judge_queue_finish_pack(&batch->finish, batch->scratch)
             != JUDGE_OK)
    {
        batch->count = 0;
    }
}


/* --- The canary ---------------------------------------------------------- */

/* Prepares a pair of scores, if the evaluation is in the canary's share. */

static void
judge_evaluate_pair_begin(judge_evaluate_t *batch, size_t i,
    const judge_evaluate_judge_t *judge, const judge_verdict_t *verdict)
{
    judge_job_t       *job = batch->jobs[i];
    judge_pair_row_t  *pair;

    if (judge->canary == 0
        || !judge_canary_takes(batch->jobs[job->same_judge]->share, job->id))
    {
        return;
    }

    pair = &batch->finish.pairs[batch->finish.npairs];
    pair->org = job->org;
    pair->judge_id = job->judge_id;
    pair->base = job->judge_version;
    pair->version = batch->jobs[judge->canary]->judge_version;
    pair->id = job->id;
    pair->scores = judge_canary_given(batch->arena, &judge->rubric, verdict);
}


/* Scores the same text by the canary, if a pair was prepared. */

static void
judge_evaluate_canary(judge_evaluate_t *batch, size_t i,
    const judge_evaluate_text_t *text)
{
    size_t                   at;
    judge_rc_e               rc;
    judge_origin_t           origin = { .engine = JUDGE_ENGINE_NAME };
    judge_verdict_t          verdict = { 0 };
    judge_pair_row_t        *pair;
    judge_evaluate_text_t    part;
    judge_evaluate_judge_t  *judge;

    judge = &batch->judges[batch->jobs[i]->same_judge];
    at = judge->canary;
    pair = at ? &batch->finish.pairs[batch->finish.npairs] : NULL;
    if (pair == NULL || pair->scores.data == NULL) {
        return;
    }

    rc = batch->jobs[at]->criteria.data
         ? judge_evaluate_scorer(batch, &batch->judges[at], batch->jobs[at])
         : JUDGE_INVALID;
    if (rc == JUDGE_OK) {
        rc = judge_evaluate_scope(batch, at, text, &part, &verdict, &origin);
    }

    if (rc == JUDGE_OK) {
        judge_canary_scored(pair->scores, &judge->rubric,
                            &batch->judges[at].rubric, &verdict);
        batch->finish.npairs++;
        return;
    }

    pair->scores = (judge_str_t) { 0, NULL };
    batch->canaries_failed++;
}


/* --- The result ---------------------------------------------------------- */

static judge_rc_e
judge_evaluate_write(judge_evaluate_t *batch, size_t i,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    const judge_origin_t *origin)
{
    judge_result_t  *result = &batch->results[i];

    result->features = judge_calibrator_vector(batch->scratch, batch->inputs,
                                               verdict->features,
                                               verdict->nfeatures);
    result->features = judge_str_dup(batch->arena,
                                     judge_pack_floats(batch->scratch,
                                                       result->features));

    return result->features.data
           ? judge_claimed_complete(batch->arena, batch->jobs[i], rubric,
                                    verdict, NULL, origin, judge_time_now(),
                                    result)
           : JUDGE_NOMEM;
}


/* Whether the evaluation is put into the queue of language models, with the
 * engine's score: the engine is not sure enough, or the random sample contains
 * it.  A caller that waits for the verdict always gets the engine's. */

static bool
judge_evaluate_escalates(judge_evaluate_t *batch, size_t i,
    const judge_evaluate_judge_t *judge, const judge_verdict_t *verdict,
    judge_origin_t *origin)
{
    judge_result_t  *result = &batch->results[i];

    if (judge->escalate.model.data == NULL || batch->verdict) {
        return false;
    }

    result->escalated = judge_escalate_why(&judge->escalate, result->id,
                            verdict, origin->widths
                                     ? &origin->widths[judge->rubric.ncriteria]
                                     : NULL);
    if (result->escalated == 0) {
        origin->why = "sure_enough";
        batch->not_escalated++;
        return false;
    }

    result->status = JUDGE_STR("processing");
    result->queue_at = batch->now;
    result->model = judge->escalate.model;
    result->first_score = isnan(verdict->overall) ? -1 : verdict->overall;
    result->uncounted = true;
    batch->escalated++;

    return true;
}


/* `ended` results were written; 0: all evaluations will be retried. */

static void
judge_evaluate_end(judge_evaluate_t *batch, size_t ended)
{
    size_t            i;
    judge_claimed_t  *claimed;

    batch->count = ended;
    batch->done(batch->data, batch);

    for (i = 0; i < batch->held; i++) {
        if (batch->jobs[i]->same_judge == i) {
            judge_calibrator_release(batch->service->calibrators,
                                     batch->calibrators[i]);
        }
    }

    while ((claimed = batch->claimed)) {
        batch->claimed = claimed->next;
        free(claimed);
    }

    judge_arena_destroy(batch->turns);
    judge_arena_destroy(batch->texts);
    judge_arena_destroy(batch->scratch);
    judge_arena_destroy(batch->arena);
}


static void
judge_evaluate_scored(judge_task_t *task)
{
    judge_evaluate_t  *batch = task->data, **at;

    for (at = &batch->service->computing; *at != batch; at = &(*at)->next) {
        /* void */
    }

    *at = batch->next;

    judge_metrics_add(batch->service->metrics, JUDGE_METRIC_MEASURED,
                      batch->read);
    judge_metrics_add(batch->service->metrics, JUDGE_METRIC_ESCALATED,
                      batch->escalated);
    judge_metrics_add(batch->service->metrics, JUDGE_METRIC_NOT_ESCALATED,
                      batch->not_escalated);
    judge_metrics_add(batch->service->metrics, JUDGE_METRIC_CANARIES,
                      batch->finish.npairs);
    judge_metrics_add(batch->service->metrics, JUDGE_METRIC_CANARIES_FAILED,
                      batch->canaries_failed);

    if (batch->count && batch->scored
        && (!batch->results[0].scored || !batch->scored(batch)))
    {
        batch->count = 0;
    }

    if (batch->count) {
        judge_submit(batch->service, &batch->finish.op);
    } else {
        judge_evaluate_end(batch, 0);
    }
}


static void
judge_evaluate_finished(judge_op_t *op)
{
    judge_evaluate_t  *batch = op->data;

    judge_evaluate_end(batch, op->rc == JUDGE_OK ? batch->count : 0);
}
