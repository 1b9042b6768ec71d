/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Counts of batches; step functions for batches, contents and old rows. */


#include <math.h>

#include "store/ops/store_ops.h"


/* --- Counts -------------------------------------------------------------- */

judge_batch_delta_t *
judge_batch_delta(judge_run_t *run, judge_batch_delta_t **deltas,
    judge_str_t org, judge_str_t id)
{
    judge_batch_delta_t  *delta;

    if (id.data == NULL) {
        return NULL;
    }

    for (delta = *deltas; delta; delta = delta->next) {
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
    delta->next = *deltas;
    *deltas = delta;

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
judge_batch_evaluation_ended(judge_run_t *run, judge_batch_delta_t **deltas,
    judge_str_t org, judge_str_t batch_id, const judge_result_t *result)
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

/* Each content by every judge. */

judge_step_e
judge_batch_pair(judge_run_t *run)
{
    judge_batch_create_t  *o = (judge_batch_create_t *) run->op;

    if (o->large || run->turn == o->njudges * o->ncontents) {
        return JUDGE_STEP_SKIP;
    }

    run->row = &o->judges[run->turn % o->njudges];
    o->content_id = o->content_ids[run->turn / o->njudges];

    return JUDGE_STEP_REPEAT;
}


void
judge_batch_create_end(judge_run_t *run)
{
    judge_batch_create_t  *o = (judge_batch_create_t *) run->op;

    if (o->row.started_at) {
        (void) judge_event_note(&o->op, JUDGE_EVENT_BATCH_STARTED, o->row.id);
    }
}


judge_rc_e
judge_batch_started(judge_run_t *run)
{
    judge_batch_start_t  *o = (judge_batch_start_t *) run->op;

    if (judge_event_note(&o->op, JUDGE_EVENT_BATCH_STARTED, o->id) == JUDGE_OK
        && judge_str_eq_c(judge_column_str(run, 0), "completed"))
    {
        (void) judge_event_note(&o->op, JUDGE_EVENT_BATCH_COMPLETED, o->id);
    }

    return o->op.rc;
}


/* The counts of the batch lose the failures that are queued again, or the
 * evaluations that were found missing. */

judge_step_e
judge_batch_slice_advance(judge_run_t *run)
{
    judge_batch_delta_t  *delta;
    judge_batch_slice_t  *o = (judge_batch_slice_t *) run->op;

    if (o->retrying) {
        delta = judge_batch_delta(run, &o->batches, o->op.org, o->id);
        if (delta == NULL) {
            return JUDGE_STEP_END;
        }
        delta->failed = -run->changes;
        delta->now = o->now;
    }

    return JUDGE_STEP_RUN;
}


/* The slice was the last one if its row of `unfinished`, or its judges after
 * that, have been deleted. */

judge_step_e
judge_batch_slice_count(judge_run_t *run)
{
    judge_batch_slice_t  *o = (judge_batch_slice_t *) run->op;
    judge_batch_delta_t  *delta = o->batches;

    o->over = run->changes > 0;
    run->row = delta;

    return delta == NULL || (o->retrying && !delta->failed && !o->over)
           ? JUDGE_STEP_SKIP : JUDGE_STEP_RUN;
}


judge_rc_e
judge_batch_slice_missing(judge_run_t *run)
{
    judge_batch_delta_t  *delta;
    judge_batch_slice_t  *o = (judge_batch_slice_t *) run->op;

    delta = judge_column_int(run, 0)
            ? judge_batch_delta(run, &o->batches, o->op.org, o->id) : NULL;
    if (delta) {
        delta->total = judge_column_int(run, 0);
        delta->now = o->now;
    }

    return o->op.rc;
}


/* The batch may end with its last slice, if all evaluations that were queued
 * again have ended before. */

judge_rc_e
judge_batch_slice_counted(judge_run_t *run)
{
    judge_str_t           status;
    judge_event_type_e    type;
    judge_batch_slice_t  *o = (judge_batch_slice_t *) run->op;

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


/* As rows are sorted by batch, the first difference of the list matches. */

static judge_rc_e
judge_batch_count_remove(judge_run_t *run, judge_batch_delta_t **batches,
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


/* Even evaluations that have not ended are deleted: a worker that has claimed
 * one notices when it stores the result. */

judge_rc_e
judge_content_delete_read(judge_run_t *run)
{
    judge_content_delete_t  *o = (judge_content_delete_t *) run->op;

    return judge_batch_count_remove(run, &o->batches, o->op.org, o->now);
}


judge_rc_e
judge_old_read(judge_run_t *run)
{
    judge_old_t  *o = (judge_old_t *) run->op;

    return judge_batch_count_remove(run, &o->batches, o->org_id, o->now);
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

    return run->step == step ? JUDGE_STEP_RUN : JUDGE_STEP_SKIP;
}
