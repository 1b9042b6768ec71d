/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Counts of batches; step functions for batches, contents and old rows. */


#include <math.h>

#include "store/ops/store_ops.h"


/* --- Counts -------------------------------------------------------------- */

judge_batch_delta_t *
judge_batch_delta(judge_run_t *run, judge_batch_deltas_t *deltas,
    judge_str_t org, judge_str_t id)
{
    judge_batch_delta_t  *delta;

    if (id.data == NULL) {
        return NULL;
    }

    for (delta = deltas->first; delta; delta = delta->next) {
        if (judge_str_eq(delta->id, id) && judge_str_eq(delta->org, org)) {
            return delta;
        }
    }

    delta = judge_calloc(run->op->arena, sizeof(judge_batch_delta_t));
    if (delta == NULL) {
        run->op->rc = JUDGE_NOMEM;
        return NULL;
    }

    delta->org = org;
    delta->id = id;
    delta->next = deltas->first;
    deltas->first = delta;

    return delta;
}


/* The class is that of the rounded score that clients see: 89.996 is 90. */

void
judge_batch_delta_add(judge_batch_delta_t *delta, int sign,
    judge_str_t status, double score, bool scored)
{
    int64_t  hundredths, class;

    if (judge_str_eq_c(status, "completed")) {
        delta->completed += sign;
    } else if (judge_str_eq_c(status, "failed")) {
        delta->failed += sign;
    } else {
        return;
    }

    if (!scored) {
        return;
    }

    hundredths = (int64_t) llround(score * 100);
    class = hundredths / 1000;
    class = class < 0 ? 0 : class < JUDGE_BATCH_SCORES
                            ? class : JUDGE_BATCH_SCORES - 1;

    delta->score_sum += sign * hundredths;
    delta->score_count += sign;
    delta->scores[class] += sign;
}


judge_rc_e
judge_batch_evaluation_ended(judge_run_t *run, judge_batch_deltas_t *deltas,
    judge_str_t org, judge_str_t batch_id,
    const judge_result_t *result)
{
    judge_batch_delta_t  *delta;

    if (judge_event_add_result(run->op, org, result) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    delta = judge_batch_delta(run, deltas, org, batch_id);
    if (delta) {
        judge_batch_delta_add(delta, 1, result->status,
                              result->overall_score, result->scored);
        delta->seq = (int64_t) run->turn + 1;
        delta->now = result->evaluated_at;
    }

    return run->op->rc;
}


judge_step_e
judge_batch_count_step(judge_run_t *run, judge_batch_deltas_t *deltas)
{
    judge_batch_delta_t  *delta;

    delta = run->turn ? deltas->next : deltas->first;
    if (delta == NULL) {
        return JUDGE_STEP_SKIP;
    }

    deltas->next = delta->next;
    run->row = delta;

    return JUDGE_STEP_REPEAT;
}


/* The old counts are the new ones, which are read here, minus the delta. */

judge_rc_e
judge_batch_count_read(judge_run_t *run)
{
    bool                  ended;
    int64_t               done, total, done_before, total_before;
    judge_str_t           status;
    judge_event_type_e    type;
    judge_batch_delta_t  *delta = run->row;

    status = judge_column_str(run, 0);
    done = judge_column_int(run, 1);
    total = judge_column_int(run, 2);
    done_before = done - delta->completed - delta->failed;
    total_before = total - delta->total;

    if (judge_str_eq_c(status, "created") || done_before >= total_before) {
        return run->op->rc;
    }

    ended = !judge_str_eq_c(status, "evaluating");

    if (!ended && (done <= done_before
                   || done * 10 / total == done_before * 10 / total_before))
    {
        return run->op->rc;
    }

    type = !ended ? JUDGE_EVENT_BATCH_PROGRESS
           : judge_str_eq_c(status, "failed") ? JUDGE_EVENT_BATCH_FAILED
                                              : JUDGE_EVENT_BATCH_COMPLETED;

    return judge_event_add(run->op, type, delta->org, delta->id)
           ? JUDGE_OK : JUDGE_NOMEM;
}


/* --- Steps --------------------------------------------------------------- */

/* Statement 3 inserts an evaluation of every content by every judge. */

judge_step_e
judge_batch_create_step(judge_run_t *run)
{
    judge_batch_create_t  *o = (judge_batch_create_t *) run->op;

    if (run->step == 3 && !o->large) {
        if (run->turn == o->njudges * o->ncontents) {
            return JUDGE_STEP_SKIP;
        }

        run->row = &o->judges[run->turn % o->njudges];
        o->content_id = o->content_ids[run->turn / o->njudges];

        return JUDGE_STEP_REPEAT;
    }

    if (run->st == NULL && o->row.started_at) {
        (void) judge_event_note(&o->op, JUDGE_EVENT_BATCH_STARTED, o->row.id);
    }

    return judge_run_next(run);
}


judge_rc_e
judge_batch_start_read(judge_run_t *run)
{
    judge_batch_start_t  *o = (judge_batch_start_t *) run->op;

    if (run->step == 0
        && judge_event_note(&o->op, JUDGE_EVENT_BATCH_STARTED, o->id)
           == JUDGE_OK
        && judge_str_eq_c(judge_column_str(run, 0), "completed"))
    {
        (void) judge_event_note(&o->op, JUDGE_EVENT_BATCH_COMPLETED, o->id);
    }

    return o->op.rc;
}


/* The statements of a slice, as they stand in store_batch.sql. */

enum {
    JUDGE_SLICE_FIND,
    JUDGE_SLICE_MAKE,
    JUDGE_SLICE_MAKE_RANGE,
    JUDGE_SLICE_START_FIND,
    JUDGE_SLICE_START,
    JUDGE_SLICE_RETRY,
    JUDGE_SLICE_ADVANCE,
    JUDGE_SLICE_END,
    JUDGE_SLICE_END_JUDGES,
    JUDGE_SLICE_MISSING,
    JUDGE_SLICE_COUNT
};

/* The counts of the batch lose the failures that are queued again, or the
 * evaluations that were found missing.  The slice was the last one if END, or
 * END_JUDGES after it, has deleted something. */

judge_step_e
judge_batch_slice_step(judge_run_t *run)
{
    judge_batch_delta_t  *delta;
    judge_batch_slice_t  *o = (judge_batch_slice_t *) run->op;

    delta = o->batches.first;

    switch (run->step) {

    case JUDGE_SLICE_ADVANCE:
        if (o->retrying) {
            delta = judge_batch_delta(run, &o->batches, o->op.org, o->id);
            if (delta == NULL) {
                return JUDGE_STEP_END;
            }
            delta->failed = -run->changes;
            delta->now = o->now;
        }
        break;

    case JUDGE_SLICE_COUNT:
        o->over = run->changes > 0;
        if (delta == NULL || (o->retrying && !delta->failed && !o->over)) {
            return JUDGE_STEP_SKIP;
        }
        run->row = delta;
        break;
    }

    return judge_run_next(run);
}


/* The batch may end with its last slice, if all evaluations that were queued
 * again have ended before. */

judge_rc_e
judge_batch_slice_read(judge_run_t *run)
{
    judge_str_t           status;
    judge_event_type_e    type;
    judge_batch_delta_t  *delta;
    judge_batch_slice_t  *o = (judge_batch_slice_t *) run->op;

    if (run->step == JUDGE_SLICE_MISSING && judge_column_int(run, 0)) {
        delta = judge_batch_delta(run, &o->batches, o->op.org, o->id);
        if (delta) {
            delta->total = judge_column_int(run, 0);
            delta->now = o->now;
        }
        return o->op.rc;
    }

    if (run->step != JUDGE_SLICE_COUNT) {
        return JUDGE_OK;
    }

    if (o->making) {
        return judge_batch_count_read(run);
    }

    status = judge_column_str(run, 0);
    if (judge_str_eq_c(status, "evaluating") || o->op.rc != JUDGE_OK) {
        return o->op.rc;
    }

    type = judge_str_eq_c(status, "failed") ? JUDGE_EVENT_BATCH_FAILED
                                            : JUDGE_EVENT_BATCH_COMPLETED;

    return judge_event_note(&o->op, type, o->id);
}


judge_rc_e
judge_batch_results_read(judge_run_t *run)
{
    judge_batch_result_row_t  *row = run->row;

    row->content_name = judge_column_str(run, 22);
    row->content_metadata = judge_column_str(run, 23);
    row->content_excerpt = judge_column_str(run, 24);

    return JUDGE_OK;
}


/* Deletes even evaluations that have not ended: a worker that has claimed one
 * notices when it stores the result.  Statements 1 and 2 subtract the deleted
 * evaluations from the counts of their batches. */

judge_step_e
judge_content_delete_step(judge_run_t *run)
{
    judge_content_delete_t  *o = (judge_content_delete_t *) run->op;

    return run->step == 2 ? judge_batch_count_step(run, &o->batches)
                          : judge_run_next(run);
}


/* As rows are sorted by batch, the first difference of the list matches. */

static judge_rc_e
judge_batch_count_remove(judge_run_t *run, judge_batch_deltas_t *batches,
    judge_str_t org, judge_ms_t now)
{
    judge_batch_delta_t  *delta;

    delta = judge_batch_delta(run, batches, org, judge_column_str(run, 0));
    if (delta == NULL || run->op->rc != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    delta->now = now;
    delta->total--;
    judge_batch_delta_add(delta, -1, judge_column_str(run, 1),
                          judge_column_double(run, 2),
                          !judge_column_null(run, 2));

    return JUDGE_OK;
}


judge_rc_e
judge_content_delete_read(judge_run_t *run)
{
    judge_content_delete_t  *o = (judge_content_delete_t *) run->op;

    return run->step == 1
           ? judge_batch_count_remove(run, &o->batches, o->op.org, o->now)
           : run->step == 2 ? judge_batch_count_read(run) : JUDGE_OK;
}


/* The statement that updates the counts of batches, or SIZE_MAX.  It must be
 * the last one, because others select rows by the status of their batch. */

static size_t
judge_old_counts(const judge_run_t *run)
{
    switch (run->op->kind) {
    case JUDGE_OP_OLD_CONTENTS:
        return 7;
    case JUDGE_OP_OLD_RESULTS:
        return 6;
    default:
        return SIZE_MAX;
    }
}


judge_step_e
judge_old_step(judge_run_t *run)
{
    size_t           counts = judge_old_counts(run);
    judge_old_t  *o = (judge_old_t *) run->op;

    if (o->looked && run->turn == 0 && run->op->kind != JUDGE_OP_OLD_EMPTY
        && (run->step == counts || (run->st == NULL && counts == SIZE_MAX)))
    {
        o->gone = run->changes;
    }

    return run->step == counts ? judge_batch_count_step(run, &o->batches)
                               : judge_run_next(run);
}


judge_rc_e
judge_old_read(judge_run_t *run)
{
    size_t           counts = judge_old_counts(run);
    judge_old_t  *o = (judge_old_t *) run->op;

    if (counts == SIZE_MAX) {
        return JUDGE_OK;
    }

    return run->step == 2
           ? judge_batch_count_remove(run, &o->batches, o->org_id, o->now)
           : run->step == counts ? judge_batch_count_read(run) : JUDGE_OK;
}


/* --- Lists --------------------------------------------------------------- */

/* Statement 0 lists contents with a status other than "ready", 1 media, 2 all;
 * each has an index. */

judge_step_e
judge_content_list_step(judge_run_t *run)
{
    size_t                 step;
    judge_content_list_t  *o = (judge_content_list_t *) run->op;

    step = o->status.data && !judge_str_eq_c(o->status, "ready") ? 0
           : o->file_type.data && !judge_str_eq_c(o->file_type, "text") ? 1
           : 2;

    return run->st && run->step != step ? JUDGE_STEP_SKIP
                                        : judge_run_next(run);
}
