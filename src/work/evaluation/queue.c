/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The worker's side of the queue: tickets wait here and are evaluated in
 * batches, each of which is loaded, scored and finished.  Several batches may
 * be under way: one is scored while others load and are committed. */


#include <stdlib.h>
#include <string.h>

#include "store/store_batch.h"
#include "store/store_queue.h"
#include "work/evaluation/evaluate.h"
#include "work/evaluation/queue.h"
#include "work/evaluation/waiters.h"
#include "work/llm/llm_queue.h"
#include "work/service/throughput.h"
#include "work/service/usage.h"


#define JUDGE_QUEUE_ROOM         512   /* tickets that wait here at most */
#define JUDGE_QUEUE_CLAIM        256
#define JUDGE_QUEUE_CLAIM_BELOW  256   /* claim when fewer wait */
#define JUDGE_QUEUE_BATCHES      3     /* one is scored while others load
                                          and are committed */
#define JUDGE_QUEUE_USAGE_EVERY  2000  /* ms */
#define JUDGE_QUEUE_USAGE_ROWS   256

struct judge_queue {
    judge_service_t    *service;
    judge_ticket_t     *first;
    judge_ticket_t    **last;
    size_t              waiting;
    size_t              batches;
    bool                claiming;      /* a peek or claim is under way, */
    bool                adding;        /* and a write of usage */
    bool                again;         /* has a ticket that was tried before:
                                          it is scored by itself */
    bool                stopped;
    judge_ms_t          added_at;
    judge_ms_t          progress_at;
    judge_llm_queue_t  *llm;
};


static void judge_queue_batch_done(void *data, judge_evaluate_t *batch);
static void judge_queue_peeked(judge_op_t *op);
static void judge_queue_claimed(judge_op_t *op);
static void judge_queue_llm_ended(void *data, const judge_result_t *result);
static void judge_queue_usage_added(judge_op_t *op);


bool
judge_queue_create(judge_service_t *service)
{
    judge_queue_t  *queue;

    queue = calloc(1, sizeof(judge_queue_t));
    if (queue == NULL) {
        return false;
    }

    queue->llm = judge_llm_queue_create(service, judge_queue_llm_ended,
                                          queue);
    if (queue->llm == NULL) {
        free(queue);
        return false;
    }

    queue->service = service;
    queue->last = &queue->first;
    queue->progress_at = judge_now(service);
    service->queue = queue;

    return true;
}


void
judge_queue_destroy(judge_service_t *service)
{
    judge_ticket_t  *ticket;
    judge_queue_t   *queue = service->queue;

    if (queue == NULL) {
        return;
    }

    while ((ticket = queue->first)) {
        queue->first = ticket->next;
        free(ticket);
    }

    judge_llm_queue_destroy(queue->llm);
    free(queue);
    service->queue = NULL;
}


bool
judge_queue_has_room(judge_service_t *service, bool by_model)
{
    return service->settings.evaluates && !service->queue->stopped
           && (by_model ? judge_llm_queue_room(service->queue->llm)
                        : service->queue->waiting < JUDGE_QUEUE_ROOM);
}


static void
judge_queue_add(judge_queue_t *queue, const judge_ticket_t *ticket)
{
    judge_ticket_t  *copy;

    if (ticket->by_model) {
        judge_llm_queue_push(queue->llm, ticket);
        return;
    }

    copy = malloc(sizeof(judge_ticket_t));
    if (copy == NULL) {
        return;                        /* claimed again after its lease */
    }

    *copy = *ticket;
    copy->next = NULL;

    /* One that was tried before comes first, because no other batch may run
     * beside it. */
    if (ticket->again && queue->first) {
        copy->next = queue->first;
        queue->first = copy;
    } else {
        *queue->last = copy;
        queue->last = &copy->next;
    }

    queue->waiting++;
    queue->again |= ticket->again;
}


/* Drops tickets whose leases have run out: other workers may claim them. */

static judge_ticket_t *
judge_queue_next(judge_queue_t *queue)
{
    judge_ms_t       now;
    judge_ticket_t  *ticket;

    now = judge_now(queue->service);

    while ((ticket = queue->first) && ticket->until <= now) {
        queue->first = ticket->next;
        queue->waiting--;
        queue->again = queue->again && !ticket->again;
        free(ticket);
    }

    if (ticket == NULL) {
        queue->last = &queue->first;
    }

    return ticket;
}


/* Whether the ticket after `t`, the n-th of a batch, joins the batch.  The
 * evaluations of a content stay together, so that it is read once, unless they
 * are too many; those of a range do, so that its pages are written once. */

static bool
judge_queue_joins(const judge_ticket_t *t, size_t n, bool many)
{
    if (t->next && (t->again || t->next->again)) {
        return false;
    }

    if (t->next && (t->first.text[0] || t->next->first.text[0])) {
        return strcmp(t->first.text, t->next->first.text) == 0;
    }

    return t->next
           && (n < JUDGE_EVALUATE_BATCH
               || (many && n < JUDGE_EVALUATE_MOST
                   && t->batch_id.text[0] && t->next->batch_id.text[0])
               || (n < 2 * JUDGE_EVALUATE_BATCH
                   && strcmp(t->content_id.text, t->next->content_id.text)
                      == 0));
}


/* Starts batches while there are tickets and room for a batch.  A ticket that
 * was tried before may have crashed a process, so that nothing runs beside it:
 * a second crash would cost the others an attempt. */

static void
judge_queue_go(judge_queue_t *queue)
{
    bool             many;
    size_t           n;
    judge_ticket_t  *tickets, *t;

    while (queue->batches < (queue->again ? 1 : JUDGE_QUEUE_BATCHES)
           && (tickets = judge_queue_next(queue)))
    {
        many = queue->waiting >= JUDGE_EVALUATE_MOST;

        for (n = 1, t = tickets; judge_queue_joins(t, n, many); n++) {
            t = t->next;
        }

        queue->first = t->next;
        if (queue->first == NULL) {
            queue->last = &queue->first;
        }
        t->next = NULL;
        queue->waiting -= n;

        queue->batches++;
        judge_evaluate(queue->service, tickets, n, judge_queue_batch_done,
                       queue);
    }
}


void
judge_queue_push(judge_service_t *service, const judge_ticket_t *ticket)
{
    judge_queue_add(service->queue, ticket);
    judge_queue_go(service->queue);
}


/* Peeks before claiming: a peek reads a row, a claim takes the write lock. */

static void
judge_queue_peek(judge_queue_t *queue)
{
    judge_queue_peek_t  *peek;

    if (queue->claiming || queue->waiting >= JUDGE_QUEUE_CLAIM_BELOW) {
        return;
    }

    peek = judge_service_op(sizeof(judge_queue_peek_t), JUDGE_OP_QUEUE_PEEK,
                            judge_queue_peeked, queue);
    if (peek) {
        peek->now = judge_now(queue->service);
        peek->models = judge_llm_queue_wanted(queue->llm) > 0;
        peek->ranges = queue->waiting == 0;
        queue->claiming = true;
        judge_submit(queue->service, &peek->op);
    }
}


static void
judge_queue_batch_done(void *data, judge_evaluate_t *batch)
{
    bool             again;
    size_t           i, ended;
    judge_queue_t   *queue = data;
    judge_ticket_t  *t;
    judge_result_t  *result;

    queue->batches--;
    /* A batch that failed for lack of memory has no tickets; if one was to be
     * scored by itself, it was the first of the queue and thus in it. */
    again = batch->tickets == NULL || batch->tickets->again;
    if (again) {
        queue->again = false;
    }

    if (batch->count) {
        queue->progress_at = judge_now(queue->service);
    }

    /* Tickets whose texts exceeded the load's limit go back to the queue. */
    for (i = 0, t = batch->tickets; t; i++, t = t->next) {
        if (batch->load.count && i >= batch->load.count) {
            judge_queue_add(queue, t);
        }
    }

    for (i = 0, ended = 0; i < batch->count; i++) {
        result = &batch->results[i];

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

    if ((again || queue->waiting == 0) && !queue->stopped) {
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


void
judge_queue_tick(judge_service_t *service)
{
    judge_ms_t      now;
    judge_queue_t  *queue = service->queue;

    now = judge_now(queue->service);

    judge_llm_queue_tick(queue->llm);
    judge_evaluate_tick(service, queue->stopped);

    if (queue->stopped) {
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

    if (!pending || queue->stopped) {
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
    claim->ranges = queue->waiting == 0;
    claim->again = !queue->again;
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
    judge_ticket_t        ticket;
    judge_queue_claim_t  *claim = (judge_queue_claim_t *) op;

    queue->claiming = false;

    for (i = 0; op->rc == JUDGE_OK && i < claim->count; i++) {
        job = claim->jobs[i];
        memset(&ticket, 0, sizeof(judge_ticket_t));
        judge_id_set(&ticket.org, job->org);
        judge_id_set(&ticket.id, job->id);
        judge_id_set(&ticket.content_id, job->content_id);
        judge_id_set(&ticket.judge_id, job->judge_id);
        judge_id_set(&ticket.batch_id, job->batch_id);
        if (i >= claim->alone) {
            judge_id_set(&ticket.first, claim->range.first);
            judge_id_set(&ticket.last, claim->range.last);
        }
        ticket.by_model = job->by_model;
        ticket.again = job->again;
        ticket.until = claim->lease.until;
        ticket.judge_version = job->judge_version;
        ticket.attempts = job->attempts;
        ticket.created_at = job->created_at;
        ticket.deadline = job->deadline;
        judge_queue_add(queue, &ticket);
    }

    judge_queue_go(queue);             /* after all have been added */

    more = op->rc == JUDGE_OK
           && (claim->alone >= JUDGE_QUEUE_CLAIM
               || (queue->waiting == 0 && (claim->whole || claim->broken)));
    judge_service_op_free(op);

    if (more && !queue->stopped) {
        judge_queue_peek(queue);
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

    if (!queue->stopped && queue->service->settings.evaluates
        && judge_llm_queue_wanted(queue->llm))
    {
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

    if (more && !queue->stopped) {
        judge_queue_add_usage(queue);
    }
}


void
judge_queue_stop(judge_service_t *service)
{
    service->queue->stopped = true;
}


bool
judge_queue_stopped(const judge_service_t *service)
{
    return service->queue->stopped;
}


bool
judge_queue_busy(judge_service_t *service)
{
    return service->queue->batches || service->queue->claiming
           || service->queue->adding
           || judge_llm_queue_busy(service->queue->llm);
}


judge_ms_t
judge_queue_progress(judge_service_t *service)
{
    return service->queue->progress_at;
}
