/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the worker has claimed waits here and is evaluated in groups, each of
 * which is loaded, scored and finished.  Several groups may be under way: one
 * is scored while others load and are committed. */


#include <stdlib.h>
#include <string.h>

#include "store/store_batch.h"
#include "store/store_queue.h"
#include "work/evaluation/evaluate.h"
#include "work/evaluation/queue.h"
#include "work/evaluation/waiters.h"
#include "work/evaluation/claimed_evaluation.h"
#include "work/llm/llm_queue.h"
#include "work/service/usage.h"


#define JUDGE_QUEUE_ROOM         512   /* single evaluations that may wait
                                          here; and so many more */
#define JUDGE_QUEUE_SPARE        512   /* of organizations of which fewer than
                                          FEW wait */
#define JUDGE_QUEUE_FEW          32
#define JUDGE_QUEUE_CLAIM        256   /* single ones in one claim, at most */
#define JUDGE_QUEUE_CLAIM_BELOW  256   /* claims when fewer wait */
#define JUDGE_QUEUE_GROUPS       3     /* under way, at most; and one more of
                                          single ones */
#define JUDGE_QUEUE_USAGE_EVERY  2000  /* ms */
#define JUDGE_QUEUE_USAGE_ROWS   256

struct judge_queue {
    judge_service_t    *service;
    judge_waiting_t     waiting;
    size_t              groups;        /* under way */
    judge_id_t          served;        /* organization of the last range that
                                          was claimed; empty: none waited */
    bool                claiming;      /* a peek or claim is under way, */
    bool                adding;        /* and a write of usage */
    bool                retrying;      /* the group that runs is a retry */
    judge_ms_t          added_at;
    judge_ms_t          progress_at;
    judge_llm_queue_t  *llm;
};


static void judge_queue_group_done(void *data, judge_evaluate_t *group);
static void judge_queue_peeked(judge_op_t *op);
static void judge_queue_claimed(judge_op_t *op);
static void judge_queue_usage_added(judge_op_t *op);


/* Peeks before it claims: a peek reads a row, a claim takes the write lock. */

static void
judge_queue_peek(judge_queue_t *queue)
{
    judge_queue_peek_t  *peek;

    if (queue->claiming
        || queue->waiting.single.count >= JUDGE_QUEUE_CLAIM_BELOW)
    {
        return;
    }

    peek = judge_service_op(sizeof(judge_queue_peek_t), JUDGE_OP_QUEUE_PEEK,
                            judge_queue_peeked, queue);
    if (peek) {
        peek->now = judge_now(queue->service);
        peek->models = judge_llm_queue_wanted(queue->llm) > 0;
        peek->ranges = queue->waiting.ranges.count == 0;
        queue->claiming = true;
        judge_submit(queue->service, &peek->op);
    }
}


/* An evaluation by a language model has ended, so that there is room for
 * another one. */

static void
judge_queue_llm_ended(void *data, const judge_result_t *result)
{
    judge_ms_t      now;
    judge_queue_t  *queue = data;

    now = judge_now(queue->service);

    if (result->stored && result->body.data) {
        queue->progress_at = now;
        judge_throughput_add(queue->service->throughput, 1, now);
        judge_waiters_ended(queue->service, result);
    }

    if (!queue->service->stopped && queue->service->settings.evaluates
        && judge_llm_queue_wanted(queue->llm))
    {
        judge_queue_peek(queue);
    }
}


static bool
judge_queue_create(judge_service_t *service)
{
    judge_queue_t  *queue = service->queue;

    queue->service = service;
    queue->progress_at = judge_now(service);
    judge_waiting_init(&queue->waiting);
    queue->llm = judge_llm_queue_create(service, judge_queue_llm_ended, queue);

    return queue->llm != NULL;
}


static void
judge_queue_destroy(judge_service_t *service)
{
    judge_waiting_free(&service->queue->waiting);
    free(service->queue->llm);
}


/* An organization with few evaluations has room even if another one has filled
 * this queue: in the store they would wait behind all of the other's. */

bool
judge_queue_has_room(judge_service_t *service, judge_str_t org, bool by_model)
{
    size_t          n;
    judge_queue_t  *queue = service->queue;

    if (!service->settings.evaluates || service->stopped) {
        return false;
    }

    if (by_model) {
        return judge_llm_queue_room(queue->llm);
    }

    n = queue->waiting.single.count;

    return n < JUDGE_QUEUE_ROOM
           || (n < JUDGE_QUEUE_ROOM + JUDGE_QUEUE_SPARE
               && judge_waiting_of(&queue->waiting, org) < JUDGE_QUEUE_FEW);
}


/* Without memory the evaluation is dropped: it is claimed again after its
 * lease. */

static void
judge_queue_add(judge_queue_t *queue, const judge_claimed_t *claimed)
{
    if (claimed->by_model) {
        judge_llm_queue_push(queue->llm, claimed);
    } else {
        (void) judge_waiting_add(&queue->waiting, claimed);
    }
}


/* Starts groups while something waits and there is room for a group.  An
 * evaluation that is retried may have crashed a process, so that it runs
 * alone: a second crash would cost the others an attempt. */

static void
judge_queue_go(judge_queue_t *queue)
{
    size_t            n;
    judge_claimed_t  *claimed;

    while (queue->groups <= (queue->waiting.retry ? 0 : JUDGE_QUEUE_GROUPS))
    {
        claimed = judge_waiting_take(&queue->waiting,
                                     judge_now(queue->service),
                                     queue->groups < JUDGE_QUEUE_GROUPS, &n);
        if (claimed == NULL) {
            return;
        }

        queue->groups++;
        queue->retrying = claimed->retry;
        judge_evaluate(queue->service, claimed, n, judge_queue_group_done,
                       queue);
    }
}


void
judge_queue_push(judge_service_t *service, const judge_claimed_t *claimed)
{
    judge_queue_add(service->queue, claimed);
    judge_queue_go(service->queue);
}


static void
judge_queue_group_done(void *data, judge_evaluate_t *group)
{
    bool              retry;
    size_t            i, ended;
    judge_queue_t    *queue = data;
    judge_claimed_t  *claimed;
    judge_result_t   *result;

    queue->groups--;
    retry = queue->retrying;
    if (retry) {
        queue->retrying = false;
        queue->waiting.retry = false;
    }

    if (group->count) {
        queue->progress_at = judge_now(queue->service);
    }

    /* Evaluations that were left out, for their size, are queued again. */
    claimed = group->claimed;
    for (i = 0; claimed; i++, claimed = claimed->next) {
        if (group->tried && i >= group->tried) {
            judge_queue_add(queue, claimed);
        }
    }

    for (i = 0, ended = 0; i < group->count; i++) {
        result = &group->results[i];

        if (result->body.data && result->stored) {
            ended++;
            judge_waiters_ended(queue->service, result);

        } else if (result->body.data) {
            judge_waiters_wake(queue->service, result->id);
        }
    }

    judge_throughput_add(queue->service->throughput, ended,
                         judge_now(queue->service));

    judge_queue_go(queue);

    if ((retry || queue->waiting.single.count == 0
         || (queue->waiting.ranges.count == 0 && queue->served.text[0]))
        && !queue->service->stopped)
    {
        judge_queue_peek(queue);
    }
}


static void
judge_queue_add_usage(judge_queue_t *queue)
{
    judge_key_usage_t  *usage;

    if (queue->adding) {
        return;
    }

    usage = judge_service_op(sizeof(judge_key_usage_t), JUDGE_OP_KEY_USAGE,
                             judge_queue_usage_added, queue);
    if (usage == NULL) {
        return;
    }

    usage->rows = judge_array_alloc(usage->op.arena, JUDGE_QUEUE_USAGE_ROWS,
                                    sizeof(judge_usage_row_t));
    if (usage->rows) {
        usage->count = judge_usage_take(queue->service->usage, usage->rows,
                                        JUDGE_QUEUE_USAGE_ROWS);
    }

    if (usage->count == 0) {
        judge_service_op_free(&usage->op);
        return;
    }

    queue->adding = true;
    judge_submit(queue->service, &usage->op);
}


static void
judge_queue_tick(judge_service_t *service)
{
    judge_ms_t      now;
    judge_queue_t  *queue = service->queue;

    now = judge_now(queue->service);

    judge_llm_queue_tick(queue->llm);
    judge_evaluate_tick(service, service->stopped);

    if (service->stopped) {
        return;
    }

    if (queue->service->settings.evaluates) {
        judge_queue_peek(queue);
    }

    if (now - queue->added_at >= JUDGE_QUEUE_USAGE_EVERY) {
        queue->added_at = now;
        judge_queue_add_usage(queue);
    }
}


static void
judge_queue_peeked(judge_op_t *op)
{
    bool                  pending;
    size_t                models;
    judge_ms_t            now;
    judge_queue_t        *queue = op->data;
    judge_service_t      *service = queue->service;
    judge_queue_claim_t  *claim;

    pending = op->rc == JUDGE_OK && ((judge_queue_peek_t *) op)->pending;
    judge_service_op_free(op);
    queue->claiming = false;

    if (!pending || queue->service->stopped) {
        return;
    }

    now = judge_now(service);
    models = judge_llm_queue_wanted(queue->llm);
    claim = judge_service_op(sizeof(judge_queue_claim_t), JUDGE_OP_QUEUE_CLAIM,
                             judge_queue_claimed, queue);
    if (claim == NULL) {
        return;
    }

    claim->lease.owner = judge_service_owner(service);
    claim->lease.until = now + service->settings.lease;
    claim->now = now;
    claim->aging = service->settings.aging;
    claim->limit = JUDGE_QUEUE_CLAIM;
    claim->models = (int64_t) models;
    claim->ranges = queue->waiting.ranges.count == 0;
    claim->may_retry = !queue->waiting.retry;
    claim->served = judge_id_str(&queue->served);
    claim->jobs = judge_array_alloc(claim->op.arena, JUDGE_QUEUE_CLAIM + models
                                                     + JUDGE_RANGE_ROWS,
                                    sizeof(judge_job_t *));
    if (claim->jobs == NULL) {
        judge_service_op_free(&claim->op);
        return;
    }

    queue->claiming = true;
    judge_submit(service, &claim->op);
}


static void
judge_queue_claimed(judge_op_t *op)
{
    bool                  more;
    size_t                i;
    judge_job_t          *job;
    judge_queue_t        *queue = op->data;
    judge_claimed_t       claimed;
    judge_queue_claim_t  *claim = (judge_queue_claim_t *) op;

    queue->claiming = false;

    for (i = 0; op->rc == JUDGE_OK && i < claim->count; i++) {
        job = claim->jobs[i];
        memset(&claimed, 0, sizeof(judge_claimed_t));
        judge_id_set(&claimed.org, job->org);
        judge_id_set(&claimed.id, job->id);
        judge_id_set(&claimed.content_id, job->content_id);
        judge_id_set(&claimed.judge_id, job->judge_id);
        judge_id_set(&claimed.batch_id, job->batch_id);
        if (i >= claim->alone) {
            judge_id_set(&claimed.first, claim->range.first);
            judge_id_set(&claimed.last, claim->range.last);
        }
        claimed.by_model = job->by_model;
        claimed.retry = job->retry;
        claimed.until = claim->lease.until;
        claimed.judge_version = job->judge_version;
        claimed.attempts = job->attempts;
        claimed.created_at = job->created_at;
        claimed.deadline = job->deadline;
        judge_queue_add(queue, &claimed);
    }

    if (claim->ranges && op->rc == JUDGE_OK) {
        memset(&queue->served, 0, sizeof(judge_id_t));
        if (claim->whole || claim->broken) {
            judge_id_set(&queue->served, claim->range.org);
        }
    }

    judge_queue_go(queue);             /* after all have been added */

    more = op->rc == JUDGE_OK
           && (claim->alone >= JUDGE_QUEUE_CLAIM
               || (queue->waiting.ranges.count == 0
                   && (claim->whole || claim->broken)));
    judge_service_op_free(op);

    if (more && !queue->service->stopped) {
        judge_queue_peek(queue);
    }
}


static void
judge_queue_usage_added(judge_op_t *op)
{
    bool                more;
    judge_queue_t      *queue = op->data;
    judge_key_usage_t  *usage = (judge_key_usage_t *) op;

    queue->adding = false;
    more = op->rc == JUDGE_OK && usage->count == JUDGE_QUEUE_USAGE_ROWS;

    if (op->rc != JUDGE_OK) {
        judge_usage_return(queue->service->usage, usage);
    }

    judge_service_op_free(op);

    if (more && !queue->service->stopped) {
        judge_queue_add_usage(queue);
    }
}


bool
judge_queue_busy(judge_service_t *service)
{
    return service->queue->groups || service->queue->claiming
           || service->queue->adding
           || judge_llm_queue_busy(service->queue->llm);
}


judge_ms_t
judge_queue_progress(judge_service_t *service)
{
    return service->queue->progress_at;
}


const judge_background_t  judge_queue_background = {
    .size = sizeof(judge_queue_t),
    .at = offsetof(judge_service_t, queue),
    .create = judge_queue_create,
    .destroy = judge_queue_destroy,
    .tick = judge_queue_tick,
    .busy = judge_queue_busy
};
