/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Claims batches whose pairs a model is to compare, and reads what questions
 * need. */


#include "analysis/aspects/method.h"
#include "analysis/checks/checks.h"
#include "analysis/llm/rubric.h"
#include "api/judges/criteria.h"
#include "extensions/compare/pair_run.h"


#define JUDGE_PAIR_TRIES  100          /* claims without an answer */


static void judge_pair_run_window(judge_leased_t *work);


/* --- The end of a run ---------------------------------------------------- */

/* Releases the batch: for good, or until the time of a retry. */

static void
judge_pair_run_end(judge_pair_run_t *run)
{
    int64_t  most = run->work.service->settings.model_attempts;

    run->ending = true;

    if (run->failed && run->claim.tries >= (most ? most : JUDGE_PAIR_TRIES)) {
        run->retry_at = 0;
    }

    run->lease = (judge_pairs_lease_t) {
        .id = run->claim.id, .owner = judge_service_owner(run->work.service),
        .due_at = run->retry_at, .release = true, .spare = !run->failed
    };
    judge_leased_last(&run->work, &run->lease.op, JUDGE_OP_PAIRS_LEASE,
                      judge_leased_over);
}


static void
judge_pair_run_stop(judge_leased_t *work)
{
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    if (!run->ending) {
        run->ending = true;
        judge_pair_run_retry(run, judge_now(work->service));
    }
}


/* After a failure of the service the run is retried when a lease has
 * passed. */

static void
judge_pair_run_failed(judge_leased_t *work)
{
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    if (work->rc != JUDGE_OK) {
        judge_pair_run_retry(run, judge_now(work->service)
                                  + work->service->settings.lease);
    }

    judge_pair_run_end(run);
}


/* --- Items --------------------------------------------------------------- */

/* Goes on with the next pairs, or with the next items if none were needed. */

static void
judge_pair_run_answered(judge_pair_run_t *run)
{
    if (run->asking && run->work.rc == JUDGE_OK) {
        judge_leased_compute(&run->work, judge_pair_items_choose,
                             judge_pair_items_ask);
    } else {
        judge_leased_go(&run->work, judge_pair_run_window);
    }
}


static void
judge_pair_run_loaded(judge_leased_t *work)
{
    judge_leased_compute(work, judge_pair_items_read, judge_pair_items_ask);
}


/* Reads a judge, and finds the criteria that a model judges in evaluations.
 * One that can't be read, or has none of these, is skipped. */

static judge_rc_e
judge_pair_run_read(judge_leased_t *work)
{
    judge_rc_e                       rc;
    judge_arena_t                   *arena = work->arena;
    judge_pair_run_t                *run = (judge_pair_run_t *) work;
    const judge_comparison_judge_t  *judge = &run->batch.find.judge;

    run->asked.ncriteria = 0;
    run->scope = judge_scope_find(judge->scope);
    run->scope = run->scope == JUDGE_SCOPE_EACH ? JUDGE_SCOPE_WHOLE
                                                : run->scope;
    rc = judge_criteria_read(arena, judge->criteria, &run->batch.criteria);
    rc = rc ? rc : judge_panel_read(arena, judge->panel, &run->panel);
    rc = rc ? rc : judge_rubric_read(arena, judge->name, judge->description,
                                     judge->criteria, &run->rubric);
    rc = rc ? rc : judge_checks_rubric(arena, &run->rubric);
    rc = rc ? rc : judge_method_rubric(arena, &run->rubric, true);
    rc = rc ? rc : judge_method_asked(arena, &run->rubric, false, &run->asked,
                                      &run->asked_index);

    run->next = rc == JUDGE_OK && run->asked.ncriteria ? 0 : run->batch.items;

    return rc == JUDGE_NOMEM || rc == JUDGE_ERROR ? rc : JUDGE_OK;
}


static void
judge_pair_run_judged(judge_leased_t *work)
{
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    run->calls_left = run->batch.find.pairs - run->batch.find.calls;
    judge_leased_compute(work, judge_pair_run_read, judge_pair_run_window);
}


/* Goes on with the next judge of the batch. */

static void
judge_pair_run_judge(judge_pair_run_t *run)
{
    if (run->current == run->njudges || run->ending) {
        judge_pair_run_end(run);
        return;
    }

    run->batch.judge = run->judges[run->current++];
    run->batch.find = (judge_comparison_find_t) {
        .id = run->claim.id, .judge_id = run->batch.judge
    };
    judge_leased_op(&run->work, &run->batch.find.op, JUDGE_OP_COMPARISON_FIND,
                    judge_pair_run_judged);
}


/* Begins the next items, or goes on with the next judge after the last. */

static void
judge_pair_run_window(judge_leased_t *work)
{
    size_t             n;
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    n = JUDGE_PAIR_TEXTS / run->batch.n;
    n = n < JUDGE_PAIR_ITEMS ? n : JUDGE_PAIR_ITEMS;
    n = run->batch.items - run->next < n ? run->batch.items - run->next : n;
    if (n == 0 || run->calls_left < 1 || run->ending) {
        judge_pair_run_judge(run);
        return;
    }

    judge_arena_reset(run->scratch);
    run->items = judge_array_alloc(run->scratch, n, sizeof(judge_pair_item_t));
    if (run->items == NULL
        || !judge_compared_load(run->scratch, &run->batch, run->next, n,
                                &run->load))
    {
        work->rc = JUDGE_NOMEM;
        judge_pair_run_failed(work);
        return;
    }

    run->load.max_text = (int64_t) run->work.service->settings.max_text;
    run->nitems = n;
    run->next += n;
    judge_leased_op(work, &run->load.op, JUDGE_OP_COMPARISON_LOAD,
                    judge_pair_run_loaded);
}


static void
judge_pair_run_found(judge_leased_t *work)
{
    int64_t                  *versions;
    judge_pair_run_t         *run = (judge_pair_run_t *) work;
    const judge_batch_row_t  *row = &run->batch.find.row;

    work->rc = judge_compared_names(work->arena, &run->batch);
    if (work->rc == JUDGE_OK) {
        work->rc = judge_batch_judges(work->arena, row, &run->judges,
                                      &versions, &run->njudges);
    }

    run->deadline = row->completed_at + work->service->settings.deadline;

    if (work->rc != JUDGE_OK) {
        judge_pair_run_failed(work);
    } else if (run->deadline < judge_now(work->service)) {
        judge_pair_run_end(run);
    } else {
        judge_pair_run_judge(run);
    }
}


static void
judge_pair_run_limited(judge_leased_t *work)
{
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    judge_leased_op(work, &run->batch.find.op, JUDGE_OP_COMPARISON_FIND,
                    judge_pair_run_found);
}


/* --- Claiming batches ---------------------------------------------------- */

static judge_op_t *
judge_pair_run_renew(judge_leased_t *work, judge_ms_t until)
{
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    run->renewal = (judge_pairs_lease_t) {
        .op.kind = JUDGE_OP_PAIRS_LEASE, .id = run->claim.id,
        .owner = judge_service_owner(work->service), .due_at = until
    };

    return &run->renewal.op;
}


static void
judge_pair_run_begin(judge_leased_t *work)
{
    judge_pair_run_t  *run = (judge_pair_run_t *) work;

    work->org = run->claim.organization;
    run->answered = judge_pair_run_answered;
    run->batch.find.id = run->claim.id;
    run->scratch = judge_arena_create(16384);
    if (run->scratch == NULL) {
        work->rc = JUDGE_NOMEM;
        judge_pair_run_failed(work);
        return;
    }

    judge_leased_op(work, &run->settings.op, JUDGE_OP_SETTINGS_FIND,
                    judge_pair_run_limited);
}


static void
judge_pair_run_free(judge_leased_t *work)
{
    judge_arena_destroy(((judge_pair_run_t *) work)->scratch);
}


const judge_leased_kind_t  judge_pair_runs = {
    .size = sizeof(judge_pair_run_t),
    .most = 4,                         /* batches */
    .peek = JUDGE_OP_PAIRS_PEEK,
    .claim = JUDGE_OP_PAIRS_CLAIM,
    .claim_at = offsetof(judge_pair_run_t, claim),
    .evaluates = true,
    .setting = offsetof(judge_settings_t, lease),
    .renew = judge_pair_run_renew,
    .begin = judge_pair_run_begin,
    .free = judge_pair_run_free,
    .failed = judge_pair_run_failed,
    .stop = judge_pair_run_stop
};
