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
    judge_service_t   *service;
    judge_pair_run_t  *first;
    size_t             count;
    bool               polling;
    bool               stopped;
    judge_ms_t         polled_at;
} judge_pair_runs_t;


static void judge_pair_runs_peeked(judge_op_t *op);
static void judge_pair_runs_claimed(judge_op_t *op);
static void judge_pair_run_over(judge_pair_run_t *run);
static void judge_pair_run_found(judge_op_t *op);
static void judge_pair_run_limited(judge_op_t *op);
static void judge_pair_run_judged(judge_op_t *op);
static void judge_pair_run_read(judge_task_t *task);
static void judge_pair_run_items(judge_task_t *task);
static void judge_pair_run_item_over(judge_pair_item_t *item);
static void judge_pair_run_given(judge_op_t *op);
static void judge_pair_run_prolonged(judge_op_t *op);


static judge_pair_runs_t *
judge_pair_runs(const judge_service_t *service)
{
    return *judge_extensions_data(service, &judge_extension_compare);
}


bool
judge_pair_runs_create(judge_service_t *service)
{
    judge_pair_runs_t  *runs;

    runs = calloc(1, sizeof(judge_pair_runs_t));
    if (runs == NULL) {
        return false;
    }

    runs->service = service;
    *judge_extensions_data(service, &judge_extension_compare) = runs;

    return true;
}


void
judge_pair_runs_destroy(judge_service_t *service)
{
    void  **data = judge_extensions_data(service, &judge_extension_compare);

    free(*data);
    *data = NULL;
}


static void
judge_pair_run_retry(judge_pair_run_t *run, judge_ms_t at)
{
    if (run->retry_at == 0 || at < run->retry_at) {
        run->retry_at = at;
    }
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


static void
judge_pair_run_submit(judge_pair_run_t *run, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op))
{
    op->kind = kind;
    op->org = run->claim.of;
    op->arena = run->arena;
    op->done = done;
    op->data = run;
    judge_submit(run->service, op);
}


/* Prolongs the lease after a third of it, so that failures can be repeated. */

static void
judge_pair_run_prolong(judge_pair_run_t *run)
{
    judge_ms_t  now = judge_now(run->service);
    judge_ms_t  lease = run->service->settings.lease;

    if (run->prolonging || run->prolonged == 0
        || now - run->prolonged < lease / 3)
    {
        return;
    }

    run->prolonging = true;
    run->prolonged = now;
    run->lease = (judge_pairs_lease_t) {
        .id = run->claim.id, .owner = judge_service_owner(run->service),
        .at = now + lease
    };
    judge_pair_run_submit(run, &run->lease.op, JUDGE_OP_PAIRS_LEASE,
                          judge_pair_run_prolonged);
}


void
judge_pair_runs_tick(judge_service_t *service)
{
    judge_pair_run_t    *run;
    judge_pair_runs_t   *runs = judge_pair_runs(service);
    judge_pairs_peek_t  *peek;

    for (run = runs->first; run; run = run->next_run) {
        judge_pair_run_prolong(run);
    }

    if (runs->polling || runs->stopped || runs->count == JUDGE_PAIR_RUNS
        || !service->settings.evaluates
        || judge_now(service) - runs->polled_at < JUDGE_PAIR_EVERY)
    {
        return;
    }

    runs->polled_at = judge_now(service);
    peek = judge_service_op(sizeof(judge_pairs_peek_t), JUDGE_OP_PAIRS_PEEK,
                            judge_pair_runs_peeked, runs);
    if (peek) {
        peek->now = runs->polled_at;
        runs->polling = true;
        judge_submit(service, &peek->op);
    }
}


static void
judge_pair_runs_peeked(judge_op_t *op)
{
    bool                pending;
    judge_pair_run_t   *run;
    judge_pair_runs_t  *runs = op->data;

    pending = op->rc == JUDGE_OK && ((judge_pairs_peek_t *) op)->pending;
    judge_service_op_free(op);
    runs->polling = false;

    if (!pending || runs->stopped) {
        return;
    }

    run = judge_service_op(sizeof(judge_pair_run_t), JUDGE_OP_PAIRS_CLAIM,
                           judge_pair_runs_claimed, runs);
    if (run == NULL) {
        return;
    }

    run->service = runs->service;
    run->arena = run->claim.op.arena;
    run->claim.now = judge_now(runs->service);
    run->claim.lease.owner = judge_service_owner(runs->service);
    run->claim.lease.until = run->claim.now + runs->service->settings.lease;
    runs->polling = true;
    judge_submit(runs->service, &run->claim.op);
}


static void
judge_pair_runs_claimed(judge_op_t *op)
{
    judge_pair_run_t   *run = (judge_pair_run_t *) op;
    judge_pair_runs_t  *runs = op->data;

    runs->polling = false;

    if (op->rc != JUDGE_OK) {
        judge_service_op_free(op);
        return;
    }

    run->next_run = runs->first;
    runs->first = run;
    runs->count++;
    run->over = judge_pair_run_over;
    run->prolonged = run->claim.now;
    run->batch.find.id = run->claim.id;
    judge_pair_run_submit(run, &run->batch.find.op, JUDGE_OP_COMPARISON_FIND,
                          judge_pair_run_found);
}


static void
judge_pair_run_over(judge_pair_run_t *run)
{
    judge_pair_run_t  **at;
    judge_pair_runs_t  *runs = judge_pair_runs(run->service);

    for (at = &runs->first; *at != run; at = &(*at)->next_run) {
        /* void */
    }

    *at = run->next_run;
    runs->count--;
    runs->polled_at = 0;
    judge_service_op_free(&run->claim.op);
}


/* --- The end of a run ---------------------------------------------------- */

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

    run->prolonged = 0;
    run->lease = (judge_pairs_lease_t) {
        .id = run->claim.id, .owner = judge_service_owner(run->service),
        .at = run->retry_at, .release = true, .spare = !run->failed
    };
    judge_pair_run_submit(run, &run->lease.op, JUDGE_OP_PAIRS_LEASE,
                          judge_pair_run_given);
}


static void
judge_pair_run_given(judge_op_t *op)
{
    judge_pair_run_t  *run = op->data;

    run->over(run);                    /* if op failed, the lease expires */
}


static bool
judge_pair_run_idle(const judge_pair_run_t *run)
{
    size_t  i;

    for (i = 0; i < JUDGE_PAIR_ITEMS && run->items[i] == NULL; i++) {
        /* void */
    }

    return i == JUDGE_PAIR_ITEMS;
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


/* Ends the run and retries it after the time of a lease. */

static void
judge_pair_run_fault(judge_pair_run_t *run)
{
    judge_pair_run_retry(run, judge_now(run->service)
                              + run->service->settings.lease);
    judge_pair_run_end(run);
}


/* --- What the questions need --------------------------------------------- */

static void
judge_pair_run_found(judge_op_t *op)
{
    judge_rc_e               rc = op->rc;
    judge_pair_run_t        *run = op->data;
    const judge_batch_row_t *row = &run->batch.find.row;

    if (rc == JUDGE_OK) {
        rc = judge_compared_names(run->arena, &run->batch);
    }
    if (rc == JUDGE_OK) {
        rc = judge_batch_judges(run->arena, row, &run->judges, &run->versions,
                                &run->njudges);
    }
    if (rc != JUDGE_OK) {
        judge_pair_run_fault(run);
        return;
    }

    run->deadline = row->completed_at + run->service->settings.deadline;
    if (run->deadline < judge_now(run->service)) {
        judge_pair_run_end(run);
        return;
    }

    judge_pair_run_submit(run, &run->settings.op, JUDGE_OP_SETTINGS_FIND,
                          judge_pair_run_limited);
}


/* Goes on with the next judge of the batch. */

static void
judge_pair_run_judge(judge_pair_run_t *run)
{
    if (run->current == run->njudges || run->ending || run->lost) {
        judge_pair_run_end(run);
        return;
    }

    run->judge = (judge_pairs_judge_t) {
        .id = run->claim.id, .judge_id = run->judges[run->current],
        .version = run->versions[run->current]
    };
    judge_pair_run_submit(run, &run->judge.op, JUDGE_OP_PAIRS_JUDGE,
                          judge_pair_run_judged);
}


static void
judge_pair_run_limited(judge_op_t *op)
{
    judge_pair_run_t  *run = op->data;

    if (op->rc != JUDGE_OK) {
        judge_pair_run_fault(run);
        return;
    }

    judge_pair_run_judge(run);
}


static void
judge_pair_run_judged(judge_op_t *op)
{
    judge_pair_run_t  *run = op->data;

    if (op->rc == JUDGE_OK) {
        run->calls_left = run->batch.find.pairs - run->judge.calls;
        judge_service_compute(run->service, &run->task, judge_pair_run_read,
                              judge_pair_run_items, run);
    } else {
        judge_pair_run_fault(run);
    }
}


/* Runs in a thread; finds the criteria that a model judges in evaluations. */

static void
judge_pair_run_read(judge_task_t *task)
{
    judge_pair_run_t            *run = task->data;
    const judge_pairs_judge_t   *judge = &run->judge;

    run->scope = judge_scope_find(judge->scope);
    run->scope = run->scope == JUDGE_SCOPE_EACH ? JUDGE_SCOPE_WHOLE
                                                : run->scope;
    run->rc = judge_criteria_read(run->arena, judge->criteria,
                                  &run->batch.criteria);
    if (run->rc == JUDGE_OK && run->batch.contents == NULL) {
        run->rc = judge_compared_contents(run->arena, &run->batch);
    }
    if (run->rc == JUDGE_OK) {
        run->rc = judge_panel_read(run->arena, judge->panel, &run->panel);
    }
    if (run->rc == JUDGE_OK) {
        run->rc = judge_rubric_read(run->arena, judge->name,
                                    judge->description, judge->criteria,
                                    &run->rubric);
    }
    if (run->rc == JUDGE_OK) {
        run->rc = judge_checks_rubric(run->arena, &run->rubric);
    }
    if (run->rc == JUDGE_OK) {
        run->rc = judge_method_rubric(run->arena, &run->rubric, true);
    }
    if (run->rc == JUDGE_OK) {
        run->rc = judge_method_asked(run->arena, &run->rubric, false,
                                     &run->asked, &run->asked_index);
    }
}


/* --- Items --------------------------------------------------------------- */

/* Begins items until JUDGE_PAIR_ITEMS are under way; goes on with the next
 * judge after the last item. */

static void
judge_pair_run_fill(judge_pair_run_t *run)
{
    size_t              i;
    judge_arena_t      *arena;
    judge_pair_item_t  *item;

    if (run->filling) {
        return;                        /* called by the loop below */
    }

    run->filling = true;

    for (i = 0; i < JUDGE_PAIR_ITEMS; /* void */) {
        if (run->items[i] || run->ending || run->lost || run->calls_left < 1
            || run->next >= (int64_t) run->batch.items)
        {
            i++;
            continue;
        }

        arena = judge_arena_create(16384);
        item = arena ? judge_calloc(arena, sizeof(judge_pair_item_t)) : NULL;
        if (item == NULL) {
            judge_arena_destroy(arena);
            judge_pair_run_retry(run, judge_now(run->service)
                                      + run->service->settings.lease);
            run->next = (int64_t) run->batch.items;
            continue;
        }

        item->run = run;
        item->arena = arena;
        item->number = run->next++;
        item->task.data = item;
        item->over = judge_pair_run_item_over;
        run->items[i] = item;
        judge_pair_item_begin(item);
    }

    run->filling = false;

    if (judge_pair_run_idle(run)) {
        run->next = 0;
        run->current++;
        judge_pair_run_judge(run);
    }
}


/* A judge that can't be read, or has no criterion for a model, is skipped. */

static void
judge_pair_run_items(judge_task_t *task)
{
    judge_pair_run_t  *run = task->data;

    if (run->rc == JUDGE_NOMEM || run->rc == JUDGE_ERROR) {
        judge_pair_run_fault(run);
        return;
    }

    run->next = run->rc == JUDGE_OK && run->asked.ncriteria
                ? 0 : (int64_t) run->batch.items;
    judge_pair_run_fill(run);
}


static void
judge_pair_run_item_over(judge_pair_item_t *item)
{
    size_t             i;
    judge_pair_run_t  *run = item->run;

    for (i = 0; run->items[i] != item; i++) { /* void */ }

    run->items[i] = NULL;
    judge_arena_destroy(item->arena);
    judge_pair_run_fill(run);
}
