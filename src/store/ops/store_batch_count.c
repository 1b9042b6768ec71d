/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The counts of batches. */


#include <math.h>

#include "store/ops/store_batch_parts.h"
#include "store/ops/store_event_parts.h"


judge_batch_delta_t *
judge_batch_delta(judge_arena_t *arena, judge_batch_deltas_t *deltas,
    judge_str_t org, judge_str_t id)
{
    judge_batch_delta_t  *delta;

    for (delta = deltas->first; delta; delta = delta->next) {
        if (judge_str_eq(delta->id, id) && judge_str_eq(delta->org, org)) {
            return delta;
        }
    }

    delta = judge_calloc(arena, sizeof(judge_batch_delta_t));
    if (delta == NULL) {
        return NULL;
    }

    delta->org = org;
    delta->id = id;
    delta->next = deltas->first;
    deltas->first = delta;

    return delta;
}


/* Classes are of the score as it is shown, so that 89.996 is 90. */

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


judge_step_e
judge_batch_count_bind(judge_run_t *run, judge_batch_deltas_t *deltas)
{
    int                   i;
    judge_batch_delta_t  *delta;

    delta = run->turn ? deltas->next : deltas->first;
    if (delta == NULL) {
        return JUDGE_STEP_SKIP;
    }

    deltas->next = delta->next;
    deltas->current = delta;

    judge_bind_str(run, 1, delta->org);
    judge_bind_str(run, 2, delta->id);
    judge_bind_int(run, 3, delta->total);
    judge_bind_int(run, 4, delta->completed);
    judge_bind_int(run, 5, delta->failed);
    judge_bind_int(run, 6, delta->seq);
    judge_bind_int(run, 7, delta->score_sum);
    judge_bind_int(run, 8, delta->score_count);

    for (i = 0; i < JUDGE_BATCH_SCORES; i++) {
        judge_bind_int(run, 9 + i, delta->scores[i]);
    }

    judge_bind_int(run, 19, delta->now);

    return JUDGE_STEP_REPEAT;
}


/* What was before is what is now less the difference. */

judge_rc_e
judge_batch_count_read(judge_run_t *run, const judge_batch_deltas_t *deltas)
{
    bool                  ended;
    int64_t               done, total, done_before, total_before;
    judge_str_t           status;
    judge_event_type_e    type;
    judge_batch_delta_t  *delta;

    delta = deltas->current;
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
