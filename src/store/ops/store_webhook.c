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

/* Finds the next claimed delivery of an evaluation.requested event. */

judge_step_e
judge_webhook_turn_work(judge_run_t *run)
{
    const char            *type;
    judge_delivery_row_t  *row;
    judge_webhook_turn_t  *o = (judge_webhook_turn_t *) run->op;

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


/* A delivery without a body is left to its lease, and to the purge, because an
 * error here would stop the deliveries of everybody. */

judge_rc_e
judge_webhook_turn_claimed(judge_run_t *run)
{
    judge_webhook_end_t   *end = run->row;
    judge_webhook_turn_t  *o = (judge_webhook_turn_t *) run->op;

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
judge_webhook_turn_worked(judge_run_t *run)
{
    judge_delivery_row_t  *row;
    judge_webhook_turn_t  *o = (judge_webhook_turn_t *) run->op;

    row = &o->ends[o->i].rows[o->row];
    row->work = run->row;
    row->base_url = o->base_url;

    return JUDGE_OK;
}


judge_rc_e
judge_webhook_turn_former(judge_run_t *run)
{
    judge_webhook_end_t   *end = run->row;
    judge_webhook_turn_t  *o = (judge_webhook_turn_t *) run->op;

    if (end->nsecrets <= JUDGE_FORMER_SECRETS) {
        end->secrets[end->nsecrets++] = o->former;
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

    return run->step == step ? JUDGE_STEP_RUN : JUDGE_STEP_SKIP;
}
