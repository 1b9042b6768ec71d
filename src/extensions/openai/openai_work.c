/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>

#include "extensions/openai/openai_work.h"
#include "store/store_settings.h"


#define JUDGE_OPENAI_JOBS      4       /* runs of a worker at once */
#define JUDGE_OPENAI_WIDTH     32      /* items of a run at once */
#define JUDGE_OPENAI_EVERY     250     /* ms between two peeks */
#define JUDGE_OPENAI_LEASE     15000   /* ms */
#define JUDGE_OPENAI_PROLONG   5000    /* ms until a lease is prolonged */
#define JUDGE_OPENAI_CAREFUL   3       /* claims without a slice that was
                                          done: then one item at a time, */
#define JUDGE_OPENAI_GIVEN_UP  6       /* and then the item is given up */

typedef struct {
    judge_service_t     *service;
    judge_openai_job_t  *jobs[JUDGE_OPENAI_JOBS];
    bool                 claiming;
    bool                 stopped;
    judge_ms_t           looked_at;
} judge_openai_work_t;

/* A run that this worker works off, or what it removes. */
struct judge_openai_job {
    judge_openai_work_t      *work;
    judge_service_t          *service;
    judge_arena_t            *arena;
    judge_openai_claim_t      claim;
    judge_openai_sweep_t      sweep;
    judge_settings_find_t     settings;
    judge_openai_plan_t       plan;
    judge_openai_progress_t   progress;
    judge_str_t               error;   /* why the run can't be done */
    judge_rc_e                rc;
    judge_task_t              task;
    int64_t                   after;   /* position of the last item */
    int64_t                   attempts;
    size_t                    careful; /* items that are taken one by one */
    size_t                    width;
    size_t                    ops;     /* under way */
    bool                      writing;
    bool                      lost;    /* it is freed when all is at rest */
    bool                      halted;  /* the worker exits */
    bool                      prolonging;
    judge_ms_t                leased_at;
    judge_openai_slice_t      prolong;

    judge_arena_t            *slice;   /* memory of the slice, all below */
    judge_openai_next_t       next;
    judge_openai_slice_t      ended;
    judge_openai_output_t   **outputs;
    size_t                    begun;
    size_t                    pending;
    bool                      active;  /* the slice has not ended */
    bool                      going;   /* judge_openai_job_go() runs */
};

static void judge_openai_job_next(judge_openai_job_t *job);
static void judge_openai_job_written(judge_op_t *op);
static void judge_openai_job_go(judge_openai_job_t *job);

extern const judge_extension_t  judge_extension_openai;


static void
judge_openai_job_slice_free(judge_openai_job_t *job)
{
    size_t  i;

    for (i = 0; i < job->begun; i++) {
        judge_arena_destroy(job->outputs[i]->arena);
    }

    job->begun = 0;
    job->active = false;
    judge_arena_destroy(job->slice);
    job->slice = NULL;
}


/* Frees the job as soon as all of it is at rest.  Its lease runs out, unless
 * it was given back. */

static void
judge_openai_job_end(judge_openai_job_t *job)
{
    size_t  i;

    job->lost = true;

    if (job->ops || job->pending || job->going) {
        return;
    }

    for (i = 0; i < JUDGE_OPENAI_JOBS; i++) {
        if (job->work->jobs[i] == job) {
            job->work->jobs[i] = NULL;
        }
    }

    judge_openai_job_slice_free(job);
    judge_arena_destroy(job->arena);
}


static void
judge_openai_job_submit(judge_openai_job_t *job, judge_op_t *op,
    judge_op_kind_e kind, judge_arena_t *arena,
    void (*done)(judge_op_t *op))
{
    op->kind = kind;
    op->org = job->claim.row.org;
    op->arena = arena;
    op->done = done;
    op->data = job;
    job->ops++;
    judge_submit(job->service, op);
}


/* --- Slices -------------------------------------------------------------- */

/* Writes what came of the slice, and the status of the run. */

static void
judge_openai_job_write(judge_openai_job_t *job, const char *status,
    judge_ms_t until)
{
    judge_openai_slice_t  *slice = &job->ended;

    *slice = (judge_openai_slice_t) {
        .id = job->claim.row.id,
        .owner = judge_service_owner(job->service),
        .status = judge_str_c(status),
        .progress = judge_openai_progress_text(job->slice, &job->progress),
        .attempts = job->halted ? job->attempts - 1
                                : job->begun ? 0 : job->attempts,
        .queue_at = until,
        .now = judge_now(job->service),
        .items = job->next.items,
        .count = job->begun
    };

    if (slice->progress.data == NULL) {
        judge_openai_job_end(job);
        return;
    }

    job->writing = true;
    judge_openai_job_submit(job, &slice->op, JUDGE_OP_OPENAI_SLICE, job->slice,
                            judge_openai_job_written);
}


static void
judge_openai_job_written(judge_op_t *op)
{
    judge_openai_job_t  *job = op->data;

    job->ops--;
    job->writing = false;
    job->leased_at = job->ended.now;

    if (op->rc != JUDGE_OK || job->lost || job->halted
        || job->ended.queue_at == 0)
    {
        judge_openai_job_end(job);
        return;
    }

    job->after = job->next.items[job->ended.count - 1].position;
    job->attempts = 0;
    job->careful -= job->careful ? 1 : 0;
    judge_openai_job_next(job);
}


static void
judge_openai_job_count(judge_openai_job_t *job)
{
    size_t                    i, k;
    judge_openai_output_t    *o;
    judge_openai_progress_t  *progress = &job->progress;

    for (i = 0; i < job->begun; i++) {
        o = job->outputs[i];
        progress->passed += judge_str_eq_c(o->row->status, "pass");
        progress->failed += judge_str_eq_c(o->row->status, "fail");
        progress->errored += judge_str_eq_c(o->row->status, "error");

        for (k = 0; k < progress->ncriteria; k++) {
            progress->criteria[k][0] += o->passed[k];
            progress->criteria[k][1] += o->failed[k];
        }

        for (k = 0; k < o->nused; k++) {
            judge_openai_progress_used(progress, o->used[k].model,
                                       &o->used[k].usage);
        }
    }
}


/* All that was begun of the slice has ended.  If the worker exits, what was
 * done of it is left to whoever goes on. */

static void
judge_openai_job_rest(judge_openai_job_t *job)
{
    size_t      i;
    judge_ms_t  now;

    now = judge_now(job->service);
    job->active = false;

    for (i = 0; i < job->begun; i++) {
        job->lost = job->lost || job->outputs[i]->rc != JUDGE_OK;
    }

    if (job->lost) {
        judge_openai_job_end(job);

    } else if (job->halted) {
        for (i = 0; i < job->begun; i++) {
            judge_arena_destroy(job->outputs[i]->arena);
        }
        job->begun = 0;
        judge_openai_job_write(job, "in_progress", now);

    } else {
        judge_openai_job_count(job);
        judge_openai_job_write(job, "in_progress", now + JUDGE_OPENAI_LEASE);
    }
}


static void
judge_openai_job_output(judge_openai_output_t *o)
{
    judge_openai_job_t  *job = o->job;

    job->pending--;
    job->halted = job->halted || o->stopped;
    judge_openai_job_go(job);
}


/* An item that has ended the process again and again. */

static void
judge_openai_job_give_up(judge_openai_output_t *o)
{
    o->row->status = JUDGE_STR("error");
    o->row->result = JUDGE_STR(
        "{\"results\":[],\"sample\":{\"input\":[],\"output\":[],"
        "\"finish_reason\":\"\",\"model\":\"\",\"usage\":null,"
        "\"error\":{\"code\":\"server_error\",\"message\":"
        "\"the service ended while it was graded\"}}}");
    o->done(o);
}


static judge_openai_output_t *
judge_openai_job_output_new(judge_openai_job_t *job)
{
    judge_arena_t          *arena;
    judge_openai_output_t  *o;

    arena = judge_arena_create(8192);
    o = arena ? judge_calloc(arena, sizeof(judge_openai_output_t)) : NULL;
    if (o == NULL) {
        judge_arena_destroy(arena);
        return NULL;
    }

    o->job = job;
    o->plan = &job->plan;
    o->arena = arena;
    o->done = judge_openai_job_output;
    o->row = &job->next.items[job->begun];

    return o;
}


/* Begins items while there is room, and ends the slice behind the last.  An
 * item may end before its start returns. */

static void
judge_openai_job_go(judge_openai_job_t *job)
{
    judge_openai_output_t  *o;

    if (job->going) {
        return;
    }

    job->going = true;

    while (!job->lost && !job->halted && job->begun < job->next.count
           && job->pending < job->width)
    {
        o = judge_openai_job_output_new(job);
        if (o == NULL) {
            job->lost = true;
            break;
        }

        job->outputs[job->begun++] = o;
        job->pending++;

        if (job->attempts > JUDGE_OPENAI_GIVEN_UP) {
            judge_openai_job_give_up(o);
        } else {
            judge_openai_output_start(o);
        }
    }

    job->going = false;

    if (job->pending == 0) {
        judge_openai_job_rest(job);
    }
}


static void
judge_openai_job_loaded(judge_op_t *op)
{
    judge_openai_job_t  *job = op->data;

    job->ops--;

    if (op->rc != JUDGE_OK || job->lost) {
        judge_openai_job_end(job);
        return;
    }

    if (job->next.count == 0) {
        judge_openai_job_write(job, "completed", 0);
        return;
    }

    job->outputs = judge_array_alloc(job->slice, job->next.count,
                                     sizeof(judge_openai_output_t *));
    if (job->outputs == NULL) {
        judge_openai_job_end(job);
        return;
    }

    job->active = true;
    job->halted = job->halted || job->work->stopped;
    judge_openai_job_go(job);
}


static void
judge_openai_job_next(judge_openai_job_t *job)
{
    judge_openai_job_slice_free(job);

    job->slice = judge_arena_create(64 * 1024);
    if (job->slice == NULL) {
        judge_openai_job_end(job);
        return;
    }

    job->next = (judge_openai_next_t) {
        .id = job->claim.row.id, .after = job->after,
        .limit = job->careful ? 1 : JUDGE_OPENAI_SLICE
    };
    judge_openai_job_submit(job, &job->next.op, JUDGE_OP_OPENAI_NEXT,
                            job->slice, judge_openai_job_loaded);
}


/* --- Taking up a run ----------------------------------------------------- */

/* In a thread. */

static void
judge_openai_job_read(judge_task_t *task)
{
    judge_json_t        *body, *eval, *criteria;
    judge_openai_job_t  *job = task->data;
    judge_arena_t       *arena = job->arena;

    job->rc = job->claim.eval.data ? JUDGE_OK : JUDGE_ERROR;
    job->rc = job->rc ? job->rc
              : judge_json_parse(arena, job->claim.row.body, &body, NULL);
    job->rc = job->rc ? job->rc
              : judge_json_parse(arena, job->claim.eval, &eval, NULL);
    job->rc = job->rc ? job->rc
              : judge_openai_progress_read(arena, job->claim.row.progress,
                                           &job->progress);
    if (job->rc != JUDGE_OK) {
        return;
    }

    criteria = judge_json_get(eval, "testing_criteria");
    job->rc = criteria == NULL ? JUDGE_ERROR
              : judge_openai_plan_read(&job->plan, arena,
                                       judge_openai_object(body,
                                                           "data_source"),
                                       criteria, &job->error);
}


/* As many items at once as the models answer that are asked. */

static size_t
judge_openai_job_width(const judge_openai_job_t *job)
{
    size_t                   i, n;
    const judge_settings_t  *settings = &job->service->settings;

    if (job->plan.samples) {
        n = settings->models[job->plan.model].at_once;
    } else {
        for (i = 0, n = 1; i < settings->nmodels; i++) {
            n = settings->models[i].at_once > n ? settings->models[i].at_once
                                                : n;
        }
    }

    return n < 1 ? 1 : n < JUDGE_OPENAI_WIDTH ? n : JUDGE_OPENAI_WIDTH;
}


/* A run that can't be done, because a model is gone, has failed. */

static void
judge_openai_job_ready(judge_task_t *task)
{
    judge_openai_job_t  *job = task->data;

    job->ops--;

    if (job->lost || (job->rc != JUDGE_OK && job->rc != JUDGE_INVALID)) {
        judge_openai_job_end(job);
        return;
    }

    if (job->rc == JUDGE_INVALID) {
        job->slice = judge_arena_create(4096);
        if (job->slice == NULL) {
            judge_openai_job_end(job);
            return;
        }
        job->progress.error = job->error;
        judge_openai_job_write(job, "failed", 0);
        return;
    }

    job->width = judge_openai_job_width(job);
    judge_openai_job_next(job);
}


static void
judge_openai_job_wanted(judge_op_t *op)
{
    judge_openai_job_t  *job = op->data;

    job->ops--;

    if (op->rc != JUDGE_OK || job->lost) {
        judge_openai_job_end(job);
        return;
    }

    job->plan.service = job->service;
    job->plan.org = job->claim.row.org;
    job->plan.limits.requests = job->settings.llm.requests_per_minute.value;
    job->plan.limits.tokens = job->settings.llm.tokens_per_minute.value;

    job->ops++;
    judge_service_compute(job->service, &job->task, judge_openai_job_read,
                          judge_openai_job_ready, job);
}


static void
judge_openai_job_swept(judge_op_t *op)
{
    judge_openai_job_t  *job = op->data;

    job->ops--;
    job->work->looked_at = 0;
    judge_openai_job_end(job);
}


static void
judge_openai_work_claimed(judge_op_t *op)
{
    judge_openai_job_t  *job = op->data;

    job->ops--;
    job->work->claiming = false;

    if (op->rc != JUDGE_OK) {
        judge_openai_job_end(job);
        return;
    }

    job->work->looked_at = 0;          /* there may be more */
    job->attempts = job->claim.row.attempts;
    job->careful = job->attempts > JUDGE_OPENAI_CAREFUL ? JUDGE_OPENAI_SLICE
                                                        : 0;

    if (judge_str_eq_c(job->claim.row.status, "in_progress")) {
        judge_openai_job_submit(job, &job->settings.op,
                                JUDGE_OP_SETTINGS_FIND, job->arena,
                                judge_openai_job_wanted);
        return;
    }

    job->sweep.id = job->claim.row.id;
    job->sweep.now = judge_now(job->service);
    judge_openai_job_submit(job, &job->sweep.op, JUDGE_OP_OPENAI_SWEEP,
                            job->arena, judge_openai_job_swept);
}


static void
judge_openai_work_claim(judge_openai_work_t *work, size_t slot)
{
    judge_ms_t           now;
    judge_arena_t       *arena;
    judge_openai_job_t  *job;

    now = judge_now(work->service);
    arena = judge_arena_create(16 * 1024);
    job = arena ? judge_calloc(arena, sizeof(judge_openai_job_t)) : NULL;
    if (job == NULL) {
        judge_arena_destroy(arena);
        return;
    }

    job->work = work;
    job->service = work->service;
    job->arena = arena;
    job->after = -1;
    job->leased_at = now;
    job->claim.now = now;
    job->claim.lease.owner = judge_service_owner(work->service);
    job->claim.lease.until = now + JUDGE_OPENAI_LEASE;

    work->jobs[slot] = job;
    work->claiming = true;
    judge_openai_job_submit(job, &job->claim.op, JUDGE_OP_OPENAI_CLAIM, arena,
                            judge_openai_work_claimed);
}


static void
judge_openai_work_peeked(judge_op_t *op)
{
    bool                  pending;
    size_t                i;
    judge_openai_work_t  *work = op->data;

    pending = op->rc == JUDGE_OK && ((judge_openai_peek_t *) op)->pending;
    judge_service_op_free(op);
    work->claiming = false;

    for (i = 0; pending && !work->stopped && i < JUDGE_OPENAI_JOBS; i++) {
        if (work->jobs[i] == NULL) {
            judge_openai_work_claim(work, i);
            return;
        }
    }
}


static void
judge_openai_work_peek(judge_openai_work_t *work, judge_ms_t now)
{
    size_t                i;
    judge_openai_peek_t  *peek;

    for (i = 0; i < JUDGE_OPENAI_JOBS && work->jobs[i]; i++) { /* void */ }

    if (i == JUDGE_OPENAI_JOBS || work->claiming || work->stopped
        || !work->service->settings.evaluates
        || now - work->looked_at < JUDGE_OPENAI_EVERY)
    {
        return;
    }

    peek = judge_service_op(sizeof(judge_openai_peek_t), JUDGE_OP_OPENAI_PEEK,
                            judge_openai_work_peeked, work);
    if (peek) {
        peek->now = now;
        work->looked_at = now;
        work->claiming = true;
        judge_submit(work->service, &peek->op);
    }
}


/* --- Beside requests ----------------------------------------------------- */

static void
judge_openai_job_prolonged(judge_op_t *op)
{
    judge_openai_job_t  *job = op->data;

    job->ops--;
    job->prolonging = false;

    if (op->rc == JUDGE_STALE || job->lost) {
        judge_openai_job_end(job);
    }
}


static void
judge_openai_job_tick(judge_openai_job_t *job, judge_ms_t now)
{
    size_t                  i;
    judge_openai_output_t  *o;

    if (!job->active) {
        return;
    }

    if (now - job->leased_at >= JUDGE_OPENAI_PROLONG && !job->lost
        && !job->prolonging)
    {
        job->leased_at = now;
        job->prolonging = true;
        job->prolong = (judge_openai_slice_t) {
            .id = job->claim.row.id,
            .owner = judge_service_owner(job->service),
            .status = JUDGE_STR("in_progress"), .attempts = job->attempts,
            .queue_at = now + JUDGE_OPENAI_LEASE, .now = now
        };
        judge_openai_job_submit(job, &job->prolong.op, JUDGE_OP_OPENAI_SLICE,
                                job->arena, judge_openai_job_prolonged);
    }

    job->going = true;

    for (i = 0; i < job->begun; i++) {
        o = job->outputs[i];

        if (o->retry_at && (job->work->stopped || job->lost)) {
            o->retry_at = 0;
            o->stopped = true;
            o->done(o);
        } else {
            judge_openai_output_tick(o, now);
        }
    }

    job->going = false;
    judge_openai_job_go(job);
}


void
judge_openai_work_tick(judge_service_t *service)
{
    size_t                i;
    judge_ms_t            now;
    judge_openai_work_t  *work;

    now = judge_now(service);
    work = *judge_extensions_data(service, &judge_extension_openai);

    for (i = 0; i < JUDGE_OPENAI_JOBS; i++) {
        if (work->jobs[i]) {
            judge_openai_job_tick(work->jobs[i], now);
        }
    }

    judge_openai_work_peek(work, now);
}


bool
judge_openai_work_create(judge_service_t *service)
{
    judge_openai_work_t  *work;

    work = calloc(1, sizeof(judge_openai_work_t));
    if (work == NULL) {
        return false;
    }

    work->service = service;
    *judge_extensions_data(service, &judge_extension_openai) = work;

    return true;
}


void
judge_openai_work_destroy(judge_service_t *service)
{
    void  **data;

    data = judge_extensions_data(service, &judge_extension_openai);
    free(*data);
    *data = NULL;
}


void
judge_openai_work_stop(judge_service_t *service)
{
    size_t                i;
    judge_openai_work_t  *work;

    work = *judge_extensions_data(service, &judge_extension_openai);
    work->stopped = true;

    for (i = 0; i < JUDGE_OPENAI_JOBS; i++) {
        if (work->jobs[i]) {
            work->jobs[i]->halted = true;
        }
    }
}


bool
judge_openai_work_busy(judge_service_t *service)
{
    size_t                i;
    judge_openai_work_t  *work;

    work = *judge_extensions_data(service, &judge_extension_openai);

    for (i = 0; i < JUDGE_OPENAI_JOBS; i++) {
        if (work->jobs[i]) {
            return true;
        }
    }

    return work->claiming;
}
