/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Claims batches whose pairs a model is to compare, works on several at once,
 * and prolongs their leases meanwhile. */


#include <stdlib.h>

#include "analysis/aspects/method.h"
#include "analysis/checks/checks.h"
#include "analysis/llm/rubric.h"
#include "api/judges/criteria.h"
#include "extensions/compare/pair_run.h"


#define JUDGE_PAIR_RUNS   4            /* batches of a worker at once */
#define JUDGE_PAIR_EVERY  250          /* ms between two polls */
#define JUDGE_PAIR_TRIES  100          /* claims without an answer */

/* The runs of a worker process. */
typedef struct {
    judge_pair_run_t  *first;
    size_t             count;
    bool               polling;
    bool               stopped;
    judge_ms_t         polled_at;
} judge_pair_runs_t;


static void judge_pair_run_window(judge_pair_run_t *run);


static judge_pair_runs_t *
judge_pair_runs(const judge_service_t *service)
{
    return *judge_extensions_data(service, &judge_extension_compare);
}


/* --- The end of a run ---------------------------------------------------- */

/* If the operation failed, the lease expires. */

static void
judge_pair_run_released(judge_op_t *op)
{
    judge_pair_run_t   **at, *run = op->data;
    judge_pair_runs_t   *runs = judge_pair_runs(run->service);

    for (at = &runs->first; *at != run; at = &(*at)->next_run) {
        /* void */
    }

    *at = run->next_run;
    runs->count--;
    runs->polled_at = 0;
    judge_arena_destroy(run->scratch);
    judge_service_op_free(&run->peek.op);
}


static void
judge_pair_run_lease(judge_pair_run_t *run, judge_ms_t at, bool release,
    void (*done)(judge_op_t *op))
{
    run->lease = (judge_pairs_lease_t) {
        .op.arena = run->arena, .id = run->claim.id,
        .owner = judge_service_owner(run->service), .at = at,
        .release = release, .spare = release && !run->failed
    };
    judge_pair_run_submit(run, &run->lease.op, JUDGE_OP_PAIRS_LEASE, done,
                          run);
}


/* Releases the batch: for good, or until the time of a retry. */

static void
judge_pair_run_end(judge_pair_run_t *run)
{
    int64_t  most = run->service->settings.model_attempts;

    run->ending = true;
    run->ended = true;

    if (run->prolonging) {
        return;                        /* _prolonged() calls again */
    }

    if (run->failed && run->claim.tries >= (most ? most : JUDGE_PAIR_TRIES)) {
        run->retry_at = 0;
    }

    judge_pair_run_lease(run, run->retry_at, true, judge_pair_run_released);
}


static void
judge_pair_run_prolonged(judge_op_t *op)
{
    judge_pair_run_t  *run = op->data;

    run->prolonging = false;
    run->lost |= op->rc == JUDGE_CONFLICT;

    if (run->ended) {
        judge_pair_run_end(run);
    }
}


/* Prolongs the lease after a third of it, so that failures can be repeated. */

static void
judge_pair_run_prolong(judge_pair_run_t *run)
{
    judge_ms_t  now = judge_now(run->service);
    judge_ms_t  lease = run->service->settings.lease;

    if (!run->prolonging && !run->ended && now - run->prolonged >= lease / 3) {
        run->prolonging = true;
        run->prolonged = now;
        judge_pair_run_lease(run, now + lease, false,
                             judge_pair_run_prolonged);
    }
}


/* --- Steps --------------------------------------------------------------- */

/* Goes on with the next step; after a failure of the service, the run is
 * retried when a lease has passed. */

static void
judge_pair_run_go(judge_pair_run_t *run)
{
    if (run->rc != JUDGE_OK) {
        judge_pair_run_retry(run, judge_now(run->service)
                                  + run->service->settings.lease);
    }

    if (run->rc != JUDGE_OK || run->ending || run->lost) {
        judge_pair_run_end(run);
    } else {
        run->step(run);
    }
}


static void
judge_pair_run_op_done(judge_op_t *op)
{
    judge_pair_run_t  *run = op->data;

    run->rc = op->rc;
    judge_pair_run_go(run);
}


static void
judge_pair_run_op(judge_pair_run_t *run, judge_op_t *op, judge_arena_t *arena,
    judge_op_kind_e kind, void (*step)(judge_pair_run_t *run))
{
    op->arena = arena;
    run->step = step;
    judge_pair_run_submit(run, op, kind, judge_pair_run_op_done, run);
}


static void
judge_pair_run_task(judge_task_t *task)
{
    judge_pair_run_t  *run = task->data;

    run->rc = run->compute(run);
}


static void
judge_pair_run_task_done(judge_task_t *task)
{
    judge_pair_run_go(task->data);
}


static void
judge_pair_run_compute(judge_pair_run_t *run,
    judge_rc_e (*compute)(judge_pair_run_t *run),
    void (*step)(judge_pair_run_t *run))
{
    run->compute = compute;
    run->step = step;
    judge_service_compute(run->service, &run->task, judge_pair_run_task,
                          judge_pair_run_task_done, run);
}


/* --- Items --------------------------------------------------------------- */

/* Goes on with the next pairs, or with the next items if none were needed. */

static void
judge_pair_run_answered(judge_pair_run_t *run)
{
    if (run->asking && run->rc == JUDGE_OK) {
        judge_pair_run_compute(run, judge_pair_items_choose,
                               judge_pair_items_ask);
    } else {
        run->step = judge_pair_run_window;
        judge_pair_run_go(run);
    }
}


static void
judge_pair_run_listed(judge_pair_run_t *run)
{
    judge_pair_run_compute(run, judge_pair_items_read, judge_pair_items_ask);
}


static void
judge_pair_run_scored(judge_pair_run_t *run)
{
    run->answers = (judge_pair_list_t) {
        .id = run->claim.id, .judge_id = run->judge.judge_id,
        .first = run->next - (int64_t) run->nitems, .last = run->next - 1,
        .limit = JUDGE_PAIRED_ANSWERS * (int64_t) run->nitems
    };
    judge_pair_run_op(run, &run->answers.op, run->scratch, JUDGE_OP_PAIR_LIST,
                      judge_pair_run_listed);
}


/* Reads a judge, and finds the criteria that a model judges in evaluations.
 * One that can't be read, or has none of these, is skipped. */

static judge_rc_e
judge_pair_run_read(judge_pair_run_t *run)
{
    judge_rc_e                  rc;
    const judge_pairs_judge_t  *judge = &run->judge;

    run->asked.ncriteria = 0;
    run->scope = judge_scope_find(judge->scope);
    run->scope = run->scope == JUDGE_SCOPE_EACH ? JUDGE_SCOPE_WHOLE
                                                : run->scope;
    rc = judge_criteria_read(run->arena, judge->criteria,
                             &run->batch.criteria);
    if (rc == JUDGE_OK && run->batch.contents == NULL) {
        rc = judge_compared_contents(run->arena, &run->batch);
    }
    if (rc == JUDGE_OK) {
        rc = judge_panel_read(run->arena, judge->panel, &run->panel);
    }
    if (rc == JUDGE_OK) {
        rc = judge_rubric_read(run->arena, judge->name, judge->description,
                               judge->criteria, &run->rubric);
    }
    if (rc == JUDGE_OK) {
        rc = judge_checks_rubric(run->arena, &run->rubric);
    }
    if (rc == JUDGE_OK) {
        rc = judge_method_rubric(run->arena, &run->rubric, true);
    }
    if (rc == JUDGE_OK) {
        rc = judge_method_asked(run->arena, &run->rubric, false, &run->asked,
                                &run->asked_index);
    }

    run->next = 0;
    run->content = rc == JUDGE_OK && run->asked.ncriteria
                   ? run->batch.contents->first : NULL;

    return rc == JUDGE_NOMEM || rc == JUDGE_ERROR ? rc : JUDGE_OK;
}


static void
judge_pair_run_judged(judge_pair_run_t *run)
{
    run->calls_left = run->batch.find.pairs - run->judge.calls;
    judge_pair_run_compute(run, judge_pair_run_read, judge_pair_run_window);
}


/* Goes on with the next judge of the batch. */

static void
judge_pair_run_judge(judge_pair_run_t *run)
{
    if (run->current == run->njudges) {
        judge_pair_run_end(run);
        return;
    }

    run->judge = (judge_pairs_judge_t) {
        .id = run->claim.id, .judge_id = run->judges[run->current],
        .version = run->versions[run->current]
    };
    run->current++;
    judge_pair_run_op(run, &run->judge.op, run->arena, JUDGE_OP_PAIRS_JUDGE,
                      judge_pair_run_judged);
}


/* Begins the next items, or goes on with the next judge after the last. */

static void
judge_pair_run_window(judge_pair_run_t *run)
{
    size_t                    i, n;
    judge_batch_scores_row_t *rows;

    n = JUDGE_PAIR_TEXTS / run->batch.n;
    n = n < JUDGE_PAIR_ITEMS ? n : JUDGE_PAIR_ITEMS;
    n = run->batch.items - (size_t) run->next < n
        ? run->batch.items - (size_t) run->next : n;
    if (n == 0 || run->content == NULL || run->calls_left < 1) {
        judge_pair_run_judge(run);
        return;
    }

    judge_arena_reset(run->scratch);
    run->items = judge_array_alloc(run->scratch, n, sizeof(judge_pair_item_t));
    rows = judge_array_alloc(run->scratch, n * run->batch.n,
                             sizeof(judge_batch_scores_row_t));
    if (run->items == NULL || rows == NULL) {
        run->rc = JUDGE_NOMEM;
        judge_pair_run_go(run);
        return;
    }

    for (i = 0; i < n * run->batch.n && run->content; i++) {
        if (run->content->type == JUDGE_JSON_STRING) {
            rows[i].content_id = run->content->string;
        }
        run->content = run->content->next;
    }

    run->nitems = n;
    run->next += (int64_t) n;
    run->scores = (judge_comparison_scores_t) {
        .id = run->claim.id, .judge_id = run->judge.judge_id, .rows = rows,
        .max_text = (int64_t) run->service->settings.max_text,
        .count = n * run->batch.n
    };
    judge_pair_run_op(run, &run->scores.op, run->scratch,
                      JUDGE_OP_COMPARISON_SCORES, judge_pair_run_scored);
}


static void
judge_pair_run_found(judge_pair_run_t *run)
{
    const judge_batch_row_t  *row = &run->batch.find.row;

    run->rc = judge_compared_names(run->arena, &run->batch);
    if (run->rc == JUDGE_OK) {
        run->rc = judge_batch_judges(run->arena, row, &run->judges,
                                     &run->versions, &run->njudges);
    }

    run->deadline = row->completed_at + run->service->settings.deadline;
    if (run->rc == JUDGE_OK && run->deadline < judge_now(run->service)) {
        judge_pair_run_end(run);
    } else {
        run->step = judge_pair_run_judge;
        judge_pair_run_go(run);
    }
}


static void
judge_pair_run_limited(judge_pair_run_t *run)
{
    judge_pair_run_op(run, &run->batch.find.op, run->arena,
                      JUDGE_OP_COMPARISON_FIND, judge_pair_run_found);
}


/* --- Claiming batches ---------------------------------------------------- */

static void
judge_pair_runs_claimed(judge_op_t *op)
{
    judge_pair_run_t   *run = op->data;
    judge_pair_runs_t  *runs = judge_pair_runs(run->service);

    runs->polling = false;
    run->scratch = op->rc == JUDGE_OK ? judge_arena_create(16384) : NULL;

    if (run->scratch == NULL) {
        judge_service_op_free(&run->peek.op);
        return;
    }

    run->next_run = runs->first;
    runs->first = run;
    runs->count++;
    run->answered = judge_pair_run_answered;
    run->prolonged = run->claim.now;
    run->batch.find.id = run->claim.id;
    judge_pair_run_op(run, &run->settings.op, run->arena,
                      JUDGE_OP_SETTINGS_FIND, judge_pair_run_limited);
}


/* A claim is a commit, so a read tells first whether anything is pending. */

static void
judge_pair_runs_peeked(judge_op_t *op)
{
    judge_pair_run_t   *run = (judge_pair_run_t *) op;
    judge_pair_runs_t  *runs = op->data;

    if (op->rc != JUDGE_OK || !run->peek.pending || runs->stopped) {
        runs->polling = false;
        judge_service_op_free(op);
        return;
    }

    run->claim = (judge_pairs_claim_t) {
        .op.arena = run->arena, .now = judge_now(run->service),
        .lease.owner = judge_service_owner(run->service)
    };
    run->claim.lease.until = run->claim.now + run->service->settings.lease;
    judge_pair_run_submit(run, &run->claim.op, JUDGE_OP_PAIRS_CLAIM,
                          judge_pair_runs_claimed, run);
}


void
judge_pair_runs_tick(judge_service_t *service)
{
    judge_pair_run_t   *run;
    judge_pair_runs_t  *runs = judge_pair_runs(service);

    for (run = runs->first; run; run = run->next_run) {
        judge_pair_run_prolong(run);
    }

    if (runs->polling || runs->stopped || runs->count == JUDGE_PAIR_RUNS
        || !service->settings.evaluates
        || judge_now(service) - runs->polled_at < JUDGE_PAIR_EVERY)
    {
        return;
    }

    run = judge_service_op(sizeof(judge_pair_run_t), JUDGE_OP_PAIRS_PEEK,
                           judge_pair_runs_peeked, runs);
    if (run) {
        run->service = service;
        run->arena = run->peek.op.arena;
        run->peek.now = runs->polled_at = judge_now(service);
        runs->polling = true;
        judge_submit(service, &run->peek.op);
    }
}


/* --- Beside requests ----------------------------------------------------- */

bool
judge_pair_runs_create(judge_service_t *service)
{
    judge_pair_runs_t  *runs = calloc(1, sizeof(judge_pair_runs_t));

    *judge_extensions_data(service, &judge_extension_compare) = runs;

    return runs != NULL;
}


void
judge_pair_runs_destroy(judge_service_t *service)
{
    void  **data = judge_extensions_data(service, &judge_extension_compare);

    free(*data);
    *data = NULL;
}


bool
judge_pair_runs_busy(judge_service_t *service)
{
    const judge_pair_runs_t  *runs = judge_pair_runs(service);

    return runs->count || runs->polling;
}


void
judge_pair_runs_stop(judge_service_t *service)
{
    judge_pair_run_t   *run;
    judge_pair_runs_t  *runs = judge_pair_runs(service);

    runs->stopped = true;

    for (run = runs->first; run; run = run->next_run) {
        if (!run->ending) {
            run->ending = true;
            judge_pair_run_retry(run, judge_now(service));
        }
    }
}
