/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Step functions of the operation that records results of deliveries and
 * claims the next ones, and of the list of deliveries. */


#include "store/ops/store_ops.h"


/* The ms around the time of an event in which its deliveries were created. */
#define JUDGE_EVENT_BEFORE  1000
#define JUDGE_EVENT_AFTER   10000

enum {
    JUDGE_TURN_ANSWER,
    JUDGE_TURN_GONE,
    JUDGE_TURN_RESULT,                 /* gives the lease back */
    JUDGE_TURN_CLAIM,
    JUDGE_TURN_WORK,
    JUDGE_TURN_TARGET,
    JUDGE_TURN_FORMER,
    JUDGE_TURN_ENDPOINT,
    JUDGE_TURN_IDLE
};


/* Finds the next result for which the statement is run. */

static judge_step_e
judge_webhook_turn_results(judge_run_t *run, judge_webhook_turn_t *o)
{
    judge_delivery_result_t  *result;

    for (o->i = run->turn ? o->i + 1 : 0; o->i < o->nresults; o->i++) {
        result = &o->results[o->i];

        if (run->step == JUDGE_TURN_RESULT
            || (run->step == JUDGE_TURN_ANSWER && result->answer.data)
            || (run->step == JUDGE_TURN_GONE && result->gone.data))
        {
            run->row = result;
            return JUDGE_STEP_REPEAT;
        }
    }

    return JUDGE_STEP_SKIP;
}


/* Finds the next address for which the statement is run. */

static judge_step_e
judge_webhook_turn_ends(judge_run_t *run, judge_webhook_turn_t *o)
{
    judge_webhook_end_t  *end;

    for (o->i = run->turn ? o->i + 1 : 0; o->i < o->nends; o->i++) {
        end = &o->ends[o->i];

        if ((run->step != JUDGE_TURN_CLAIM || end->take)
            && ((run->step != JUDGE_TURN_TARGET
                 && run->step != JUDGE_TURN_FORMER) || end->count))
        {
            run->row = end;
            return JUDGE_STEP_REPEAT;
        }
    }

    return JUDGE_STEP_SKIP;
}


/* Finds the next claimed delivery of an evaluation.requested event. */

static judge_step_e
judge_webhook_turn_work(judge_run_t *run, judge_webhook_turn_t *o)
{
    const char            *type;
    judge_delivery_row_t  *row;

    type = judge_event_names[JUDGE_EVENT_EVALUATION_REQUESTED];
    o->row = run->turn ? o->row + 1 : 0;
    o->i = run->turn ? o->i : 0;

    for ( /* void */ ; o->i < o->nends; o->i++, o->row = 0) {
        for ( /* void */ ; o->row < o->ends[o->i].count; o->row++) {
            row = &o->ends[o->i].rows[o->row];

            if (judge_str_eq_c(row->type, type)) {
                o->claimed = *row;
                run->row = judge_calloc(o->op.arena,
                                        sizeof(judge_work_item_t));
                if (run->row == NULL) {
                    o->op.rc = JUDGE_NOMEM;
                    return JUDGE_STEP_END;
                }
                return JUDGE_STEP_REPEAT;
            }
        }
    }

    return JUDGE_STEP_SKIP;
}


judge_step_e
judge_webhook_turn_step(judge_run_t *run)
{
    judge_webhook_turn_t  *o = (judge_webhook_turn_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == JUDGE_TURN_WORK) {
        return judge_webhook_turn_work(run, o);
    }

    return run->step < JUDGE_TURN_CLAIM ? judge_webhook_turn_results(run, o)
                                        : judge_webhook_turn_ends(run, o);
}


/* A delivery without a body is left to its lease, and to the purge, because an
 * error here would stop the deliveries of everybody. */

static judge_rc_e
judge_webhook_turn_claimed(judge_webhook_turn_t *o, judge_webhook_end_t *end)
{
    if (end->count == (size_t) end->take) {
        return JUDGE_ERROR;
    }

    if (o->claimed.data.data == NULL) {
        return o->op.rc;
    }

    o->claimed.work = NULL;
    o->claimed.org = end->org;
    o->claimed.url = end->url;
    end->rows[end->count++] = o->claimed;

    return JUDGE_OK;
}


judge_rc_e
judge_webhook_turn_read(judge_run_t *run)
{
    judge_webhook_end_t   *end = run->row;
    judge_delivery_row_t  *row;
    judge_webhook_turn_t  *o = (judge_webhook_turn_t *) run->op;

    if (run->step == JUDGE_TURN_CLAIM) {
        return judge_webhook_turn_claimed(o, end);
    }

    if (run->step == JUDGE_TURN_FORMER
        && end->nsecrets <= JUDGE_FORMER_SECRETS)
    {
        end->secrets[end->nsecrets++] = o->former;
    }

    if (run->step == JUDGE_TURN_WORK) {
        row = &o->ends[o->i].rows[o->row];
        row->work = run->row;
        row->base_url = o->base_url;
    }

    return JUDGE_OK;
}


/* Statement 0 is for an event, 1 for undelivered ones, 2 for a type, 3 all. */

judge_step_e
judge_delivery_list_step(judge_run_t *run)
{
    size_t                  step;
    judge_ms_t              at;
    judge_delivery_list_t  *o = (judge_delivery_list_t *) run->op;

    step = o->event_id.data ? 0
           : o->status.data && !judge_str_eq_c(o->status, "delivered") ? 1
           : o->type.data ? 2 : 3;

    if (run->step == 0 && step == 0) {
        at = judge_id_time(o->event_id);
        judge_id_bound(&o->from, "whd", at - JUDGE_EVENT_BEFORE);
        judge_id_bound(&o->to, "whd", at + JUDGE_EVENT_AFTER);
    }

    return run->st && run->step != step ? JUDGE_STEP_SKIP
                                        : judge_run_next(run);
}
