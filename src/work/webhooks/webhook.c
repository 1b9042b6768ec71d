/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "work/webhooks/webhook.h"


#define JUDGE_WEBHOOK_PEEK         32      /* due addresses read in a turn */
#define JUDGE_WEBHOOK_ENDS         128     /* addresses in a turn */
#define JUDGE_WEBHOOK_RESULTS      1024    /* results recorded in a turn */
#define JUDGE_WEBHOOK_LEASE        45000   /* ms beyond the timeout */
#define JUDGE_WEBHOOK_PARK         1000    /* ms, for addresses without room */
#define JUDGE_WEBHOOK_RETRY        250     /* ms until a failed turn's retry */
#define JUDGE_WEBHOOK_SWEEP_EVERY  5000
#define JUDGE_WEBHOOK_MAILS        16      /* places added by judge_mail */

/* A turn, which lies in the arena of its operation. */
typedef struct {
    judge_webhook_turn_t     op;       /* first: see judge_service_op() */
    judge_webhook_end_t      due[JUDGE_WEBHOOK_ENDS];        /* op.ends */
    judge_endpoint_t        *ends[JUDGE_WEBHOOK_ENDS];       /* by op.ends;
                                          NULL: no room for it */
    bool                     probes[JUDGE_WEBHOOK_ENDS];     /* by op.ends: its
                                          places are probes' */
    judge_delivery_result_t  results[JUDGE_WEBHOOK_RESULTS]; /* op.results */
    judge_delivery_t        *recorded[JUDGE_WEBHOOK_RESULTS];
} judge_webhook_turns_t;

struct judge_webhook {
    judge_service_t         *service;
    judge_endpoints_t        ends;
    judge_delivery_t        *ended;        /* not recorded yet */
    judge_delivery_t       **last;
    judge_arena_t           *peeking;
    judge_webhook_peek_t     peek;
    judge_ms_t               retry_at;
    judge_ms_t               swept_at;
    bool                     turning;
    bool                     running;
    bool                     rerun;
};


static void judge_webhook_peeked(judge_op_t *op);
static void judge_webhook_turned(judge_op_t *op);


static bool
judge_webhook_create(judge_service_t *service)
{
    judge_webhook_t  *webhook = service->webhook;

    webhook->service = service;
    webhook->last = &webhook->ended;
    webhook->ends.room = service->settings.webhook_calls
                         + (service->settings.mail_timeout
                            ? JUDGE_WEBHOOK_MAILS : 0);
    webhook->peeking = judge_arena_create(8192);

    return webhook->peeking != NULL;
}


static void
judge_webhook_destroy(judge_service_t *service)
{
    judge_delivery_t  *delivery;
    judge_webhook_t   *webhook = service->webhook;

    while ((delivery = webhook->ended)) {
        webhook->ended = delivery->next;
        judge_arena_destroy(delivery->arena);
    }

    judge_endpoints_free(&webhook->ends);
    judge_arena_destroy(webhook->peeking);
}


static bool
judge_webhook_hungry(const judge_webhook_t *webhook,
    const judge_endpoint_t *end, judge_ms_t now)
{
    return end->more && !webhook->service->stopped
           && judge_endpoint_room(&webhook->ends, end, now);
}


/* Adds an address, unless it is in the turn already or the turn is full. */

static void
judge_webhook_add(judge_webhook_turns_t *turn, judge_endpoint_t *end)
{
    judge_webhook_end_t  *entry;

    if (end->in_turn || turn->op.nends == JUDGE_WEBHOOK_ENDS) {
        return;
    }

    end->in_turn = true;
    turn->ends[turn->op.nends] = end;
    entry = &turn->op.ends[turn->op.nends++];
    entry->org = end->org;
    entry->url = end->url;
}


/* Adds the results of calls that have ended.  Their places are given back at
 * once, so that deliveries claimed in this turn can take them. */

static void
judge_webhook_results(judge_webhook_t *webhook, judge_webhook_turns_t *turn)
{
    judge_delivery_t      *d;
    judge_webhook_turn_t  *op = &turn->op;

    while ((d = webhook->ended) && op->nresults < JUDGE_WEBHOOK_RESULTS) {

        judge_webhook_add(turn, d->end);
        if (!d->end->in_turn) {
            return;
        }

        webhook->ended = d->next;
        if (webhook->ended == NULL) {
            webhook->last = &webhook->ended;
        }

        if (d->tried) {
            judge_endpoint_answered(d->end, d->answered, d->call.took,
                                    d->leave_until);
            d->tried = false;
        }

        judge_endpoint_give(&webhook->ends, d->end, d->probe);
        turn->recorded[op->nresults] = d;
        op->results[op->nresults++] = d->result;
    }
}


/* Gathers the addresses of a turn: those due for longest; others with more
 * deliveries due, until the turn is half full; then those of results. */

static void
judge_webhook_gather(judge_webhook_t *webhook, judge_webhook_turns_t *turn,
    judge_ms_t now)
{
    size_t                i;
    judge_endpoint_t     *end;
    judge_webhook_end_t  *due;

    for (i = 0; i < webhook->peek.count; i++) {
        due = &webhook->peek.ends[i];
        end = judge_endpoint_get(&webhook->ends, due, now);
        if (end) {
            end->more = true;
            judge_webhook_add(turn, end);
        } else {
            turn->op.ends[turn->op.nends++] = *due;
        }
    }

    for (end = webhook->ends.first;
         end && turn->op.nends < JUDGE_WEBHOOK_ENDS / 2;
         end = end->next)
    {
        if (judge_webhook_hungry(webhook, end, now)) {
            judge_webhook_add(turn, end);
        }
    }

    judge_webhook_results(webhook, turn);
}


/* Takes places for the deliveries that the turn may claim.  An address without
 * a free place is postponed in the store, so that the next peek finds others;
 * as end->more stays set, this worker returns to it earlier. */

static bool
judge_webhook_plan(judge_webhook_t *webhook, judge_webhook_turns_t *turn,
    judge_ms_t now)
{
    size_t                i, n, k;
    judge_endpoint_t     *end;
    judge_webhook_end_t  *entry;

    for (i = 0; i < turn->op.nends; i++) {
        end = turn->ends[i];
        entry = &turn->op.ends[i];

        if (end == NULL) {
            entry->blocked_until = now + JUDGE_WEBHOOK_PARK;
            continue;
        }

        judge_endpoint_settle(end, now);
        entry->failures = end->failures;
        entry->blocked_until = end->blocked_until > now ? end->blocked_until
                                                        : 0;
        if (!end->more || webhook->service->stopped) {
            continue;
        }

        n = judge_endpoint_room(&webhook->ends, end, now);
        if (n == 0 && entry->blocked_until < now + JUDGE_WEBHOOK_PARK) {
            entry->blocked_until = now + JUDGE_WEBHOOK_PARK;
        }

        entry->rows = judge_array_alloc(turn->op.op.arena, n ? n : 1,
                                        sizeof(judge_delivery_row_t));
        if (entry->rows == NULL) {
            return false;
        }

        entry->take = (int64_t) n;
        for (k = 0; k < n; k++) {
            turn->probes[i] = judge_endpoint_take(&webhook->ends, end);
        }
    }

    return true;
}


/* The turn was not committed: puts everything back for a retry.  A worker that
 * exits does not retry, so that the leases run out. */

static void
judge_webhook_undo(judge_webhook_t *webhook, judge_webhook_turns_t *turn)
{
    size_t             i;
    int64_t            k;
    judge_delivery_t  *d;

    for (i = 0; i < turn->op.nends; i++) {
        if (turn->ends[i]) {
            turn->ends[i]->in_turn = false;
            for (k = 0; k < turn->op.ends[i].take; k++) {
                judge_endpoint_give(&webhook->ends, turn->ends[i],
                                    turn->probes[i]);
            }
        }
    }

    for (i = turn->op.nresults; i-- > 0; ) {
        d = turn->recorded[i];

        if (webhook->service->stopped) {
            judge_arena_destroy(d->arena);
            continue;
        }

        d->probe = judge_endpoint_take(&webhook->ends, d->end);
        d->next = webhook->ended;
        webhook->ended = d;
        if (d->next == NULL) {
            webhook->last = &d->next;
        }
    }

    webhook->turning = false;
    judge_service_op_free(&turn->op.op);
}


static void
judge_webhook_turn(judge_webhook_t *webhook)
{
    bool               wanted;
    judge_ms_t         now;
    judge_webhook_turns_t      *turn;
    judge_service_t   *service = webhook->service;
    judge_endpoint_t  *end;

    now = judge_now(service);
    wanted = webhook->ended || webhook->peek.count;

    for (end = webhook->ends.first; end && !wanted; end = end->next) {
        wanted = judge_webhook_hungry(webhook, end, now);
    }

    turn = wanted ? judge_service_op(sizeof(judge_webhook_turns_t),
                                     JUDGE_OP_WEBHOOK_TURN,
                                     judge_webhook_turned, webhook)
                  : NULL;
    if (turn == NULL) {
        return;
    }

    turn->op.lease.owner = judge_service_owner(service);
    turn->op.now = now;
    turn->op.lease.until = now + service->settings.webhook_timeout
                           + service->settings.mail_timeout
                           + JUDGE_WEBHOOK_LEASE;
    turn->op.ends = turn->due;
    turn->op.results = turn->results;

    judge_webhook_gather(webhook, turn, now);
    webhook->turning = true;

    if (judge_webhook_plan(webhook, turn, now)) {
        judge_submit(service, &turn->op.op);
    } else {
        judge_webhook_undo(webhook, turn);
    }
}


static void
judge_webhook_peek(judge_webhook_t *webhook)
{
    judge_webhook_peek_t  *peek = &webhook->peek;

    memset(peek, 0, sizeof(judge_webhook_peek_t));
    judge_arena_reset(webhook->peeking);

    if (!webhook->service->stopped
        && webhook->ends.under_way < webhook->ends.room)
    {
        peek->ends = judge_array_alloc(webhook->peeking, JUDGE_WEBHOOK_PEEK,
                                       sizeof(judge_webhook_end_t));
    }

    if (peek->ends == NULL) {
        judge_webhook_turn(webhook);
        return;
    }

    peek->op.kind = JUDGE_OP_WEBHOOK_PEEK;
    peek->op.arena = webhook->peeking;
    peek->op.done = judge_webhook_peeked;
    peek->op.data = webhook;
    peek->now = judge_now(webhook->service);
    peek->limit = JUDGE_WEBHOOK_PEEK;
    webhook->turning = true;
    judge_submit(webhook->service, &peek->op);
}


/* A store or a call that answers at once calls this function while it runs:
 * then the outer call repeats its loop, so that the stack does not grow. */

static void
judge_webhook_run(judge_webhook_t *webhook)
{
    webhook->rerun = true;

    if (webhook->running) {
        return;
    }

    webhook->running = true;

    while (webhook->rerun && !webhook->turning
           && judge_now(webhook->service) >= webhook->retry_at)
    {
        webhook->rerun = false;
        judge_webhook_peek(webhook);
    }

    webhook->running = false;
}


static void
judge_webhook_tick(judge_service_t *service)
{
    judge_ms_t        now;
    judge_webhook_t  *webhook = service->webhook;

    now = judge_now(service);

    if (now - webhook->swept_at >= JUDGE_WEBHOOK_SWEEP_EVERY) {
        webhook->swept_at = now;
        judge_endpoints_sweep(&webhook->ends, now);
    }

    judge_webhook_run(webhook);
}


static void
judge_webhook_peeked(judge_op_t *op)
{
    judge_webhook_t  *webhook = op->data;

    if (op->rc != JUDGE_OK) {
        webhook->peek.count = 0;
    }

    webhook->turning = false;
    judge_webhook_turn(webhook);

    /* judge_webhook_run() was called while the peek was under way. */
    if (webhook->rerun && !webhook->turning && !webhook->running) {
        judge_webhook_run(webhook);
    }
}


static void
judge_webhook_ended(judge_delivery_t *delivery)
{
    judge_webhook_t  *webhook = delivery->data;

    delivery->next = NULL;
    *webhook->last = delivery;
    webhook->last = &delivery->next;

    judge_webhook_run(webhook);
}


static void
judge_webhook_claimed(judge_webhook_t *webhook, judge_webhook_turns_t *turn,
    size_t i)
{
    size_t                n;
    judge_delivery_t     *d;
    judge_endpoint_t     *end = turn->ends[i];
    judge_webhook_end_t  *entry = &turn->op.ends[i];

    end->in_turn = false;

    if (entry->take) {
        end->more = entry->count == (size_t) entry->take;
    }

    for (n = entry->count; n < (size_t) entry->take; n++) {
        judge_endpoint_give(&webhook->ends, end, turn->probes[i]);
    }

    for (n = 0; n < entry->count; n++) {
        d = judge_delivery_create(webhook->service, &entry->rows[n], entry);
        if (d == NULL) {
            judge_endpoint_give(&webhook->ends, end, turn->probes[i]);
            continue;                  /* claimed again after its lease */
        }

        d->end = end;
        d->probe = turn->probes[i];
        d->done = judge_webhook_ended;
        d->data = webhook;
        judge_delivery_start(d, entry);
    }
}


static void
judge_webhook_turned(judge_op_t *op)
{
    size_t            i;
    judge_webhook_turns_t     *turn = (judge_webhook_turns_t *) op;
    judge_webhook_t  *webhook = op->data;

    if (op->rc != JUDGE_OK) {
        webhook->retry_at = judge_now(webhook->service)
                            + JUDGE_WEBHOOK_RETRY;
        judge_webhook_undo(webhook, turn);
        return;
    }

    for (i = 0; i < turn->op.nresults; i++) {
        judge_arena_destroy(turn->recorded[i]->arena);
    }

    for (i = 0; i < turn->op.nends; i++) {
        if (turn->ends[i]) {
            judge_webhook_claimed(webhook, turn, i);
        }
    }

    webhook->turning = false;
    judge_service_op_free(op);
    judge_webhook_run(webhook);
}


bool
judge_webhook_busy(judge_service_t *service)
{
    judge_webhook_t  *webhook = service->webhook;

    return webhook->ends.under_way || webhook->ended || webhook->turning;
}


const judge_background_t  judge_webhook_background = {
    .size = sizeof(judge_webhook_t),
    .at = offsetof(judge_service_t, webhook),
    .create = judge_webhook_create,
    .destroy = judge_webhook_destroy,
    .tick = judge_webhook_tick,
    .busy = judge_webhook_busy
};
