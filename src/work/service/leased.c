/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>

#include "work/service/leased.h"


#define JUDGE_LEASES_EVERY    250       /* ms between two peeks */
#define JUDGE_LEASES_RENEWED  6         /* times in a lease, so that failures
                                          can be repeated */


void
judge_leased_submit(judge_leased_t *work, judge_op_t *op, judge_op_kind_e kind,
    void (*done)(judge_op_t *op))
{
    op->kind = kind;
    op->org = work->org;
    op->arena = op->arena ? op->arena : work->arena;
    op->done = done;
    op->data = work;
    judge_submit(work->service, op);
}


void
judge_leased_go(judge_leased_t *work, judge_leased_step_pt step)
{
    if (work->rc != JUDGE_OK || work->lost) {
        work->all->kind->failed(work);
    } else {
        step(work);
    }
}


static void
judge_leased_run(judge_task_t *task)
{
    judge_leased_t  *work = task->data;

    work->rc = work->compute(work);
}


static void
judge_leased_ran(judge_task_t *task)
{
    judge_leased_t  *work = task->data;

    judge_leased_go(work, work->step);
}


void
judge_leased_compute(judge_leased_t *work, judge_leased_compute_pt compute,
    judge_leased_step_pt step)
{
    work->compute = compute;
    work->step = step;
    judge_service_compute(work->service, &work->task, judge_leased_run,
                          judge_leased_ran, work);
}


/* Computes after an operation. */

static void
judge_leased_computes(judge_leased_t *work)
{
    judge_leased_compute(work, work->compute, work->step);
}


static void
judge_leased_op_done(judge_op_t *op)
{
    judge_leased_t  *work = op->data;

    work->rc = op->rc;
    judge_leased_go(work, work->compute ? judge_leased_computes : work->step);
}


void
judge_leased_op_compute(judge_leased_t *work, judge_op_t *op,
    judge_op_kind_e kind, judge_leased_compute_pt compute,
    judge_leased_step_pt step)
{
    work->compute = compute;
    work->step = step;
    judge_leased_submit(work, op, kind, judge_leased_op_done);
}


void
judge_leased_op(judge_leased_t *work, judge_op_t *op, judge_op_kind_e kind,
    judge_leased_step_pt step)
{
    judge_leased_op_compute(work, op, kind, NULL, step);
}


void
judge_leased_wait(judge_leased_t *work, judge_ms_t until,
    judge_leased_step_pt step)
{
    work->step = step;
    work->wakes_at = until;
}


void
judge_leased_last(judge_leased_t *work, judge_op_t *op, judge_op_kind_e kind,
    void (*done)(judge_op_t *op))
{
    work->releasing = true;
    judge_leased_submit(work, op, kind, done);
}


/* --- Claims -------------------------------------------------------------- */

/* More rows may be due, so the next tick peeks again. */

static void
judge_leased_claimed(judge_op_t *op)
{
    judge_leased_t  *work = op->data;
    judge_leases_t  *all = work->all;

    all->claiming = false;

    if (op->rc != JUDGE_OK) {
        judge_service_op_free(&work->peek.op);
        return;
    }

    work->leased_at = work->peek.now;
    work->next = all->first;
    all->first = work;
    all->count++;
    all->peek_at = 0;
    all->kind->begin(work);
}


static void
judge_leased_peeked(judge_op_t *op)
{
    judge_claim_t              *claim;
    judge_leased_t             *work = op->data;
    judge_leases_t             *all = work->all;
    const judge_leased_kind_t  *kind = all->kind;

    if (op->rc != JUDGE_OK || !work->peek.pending || all->stopped) {
        all->claiming = false;
        judge_service_op_free(op);
        return;
    }

    claim = (void *) ((char *) work + kind->claim_at);
    claim->now = work->peek.now;
    claim->lease.owner = judge_service_owner(all->service);
    claim->lease.until = claim->now + work->lease;
    claim->limit = kind->rows;
    judge_leased_submit(work, &claim->op, kind->claim, judge_leased_claimed);
}


/* 0: this process claims none. */

static judge_ms_t
judge_leases_time(const judge_leases_t *all)
{
    judge_ms_t                  added;
    const judge_settings_t     *settings = &all->service->settings;
    const judge_leased_kind_t  *kind = all->kind;

    if (kind->evaluates && !settings->evaluates) {
        return 0;
    }

    if (kind->setting == 0) {
        return kind->lease;
    }

    added = *(const judge_ms_t *) (const void *) ((const char *) settings
                                                  + kind->setting);

    return added ? kind->lease + added : 0;
}


static void
judge_leases_peek(judge_leases_t *all)
{
    judge_ms_t                  now, lease;
    judge_leased_t             *work;
    const judge_leased_kind_t  *kind = all->kind;

    now = judge_now(all->service);
    lease = judge_leases_time(all);

    if (all->claiming || all->stopped || all->count == kind->most
        || now < all->peek_at || lease == 0)
    {
        return;
    }

    work = judge_service_op(kind->size, kind->peek, NULL, NULL);
    if (work == NULL) {
        return;
    }

    work->service = all->service;
    work->arena = work->peek.op.arena;
    work->lease = lease;
    work->all = all;
    work->peek.now = now;
    all->claiming = true;
    all->peek_at = now + JUDGE_LEASES_EVERY;
    judge_leased_submit(work, &work->peek.op, kind->peek, judge_leased_peeked);
}


void
judge_leases_wake(judge_service_t *service, const judge_leased_kind_t *kind)
{
    judge_leases_t  *all;

    for (all = service->leases; all->kind != kind; all = all->next) {
        /* void */
    }

    all->peek_at = 0;
    judge_leases_peek(all);
}


/* --- Leases -------------------------------------------------------------- */

static void
judge_leased_free(judge_leased_t *work)
{
    if (work->all->kind->free) {
        work->all->kind->free(work);
    }

    judge_service_op_free(&work->peek.op);
}


void
judge_leased_end(judge_leased_t *work)
{
    judge_leases_t   *all = work->all;
    judge_leased_t  **at = &all->first;

    work->ended = true;
    if (work->renewing) {
        return;                        /* _renewed() calls again */
    }

    while (*at != work) {
        at = &(*at)->next;
    }

    *at = work->next;
    all->count--;
    judge_leased_free(work);
    judge_leases_peek(all);
}


void
judge_leased_over(judge_op_t *op)
{
    judge_leased_t  *work = op->data;

    if (op->rc == JUDGE_OK) {
        work->all->peek_at = 0;
    }

    judge_leased_end(work);
}


static void
judge_leased_renewed(judge_op_t *op)
{
    judge_leased_t  *work = op->data;

    work->renewing = false;
    work->lost = work->lost || op->rc == JUDGE_CONFLICT
                 || op->rc == JUDGE_STALE;

    if (work->ended) {
        judge_leased_end(work);
    }
}


static void
judge_leased_renew(judge_leased_t *work, judge_ms_t now)
{
    judge_op_t                 *op;
    const judge_leased_kind_t  *kind = work->all->kind;

    if (kind->renew && !work->renewing && !work->releasing && !work->lost
        && now - work->leased_at >= work->lease / JUDGE_LEASES_RENEWED)
    {
        work->renewing = true;
        work->leased_at = now;
        op = kind->renew(work, now + work->lease);
        judge_leased_submit(work, op, op->kind, judge_leased_renewed);
    }
}


/* --- Beside requests ----------------------------------------------------- */

static void
judge_leased_tick(judge_leased_t *work, judge_ms_t now)
{
    const judge_leased_kind_t  *kind = work->all->kind;

    if (work->ended) {
        return;
    }

    judge_leased_renew(work, now);

    if (work->wakes_at && (now >= work->wakes_at || work->lost)) {
        work->wakes_at = 0;
        judge_leased_go(work, work->step);
    } else if (kind->tick) {
        kind->tick(work, now);
    }
}


bool
judge_leases_add(judge_service_t *service, const judge_leased_kind_t *kind)
{
    judge_leases_t  *all;

    all = calloc(1, sizeof(judge_leases_t));
    if (all == NULL) {
        return false;
    }

    all->service = service;
    all->kind = kind;
    all->next = service->leases;
    service->leases = all;

    return true;
}


void
judge_leases_destroy(judge_service_t *service)
{
    judge_leases_t  *all;
    judge_leased_t  *work;

    while ((all = service->leases)) {
        while ((work = all->first)) {
            all->first = work->next;
            judge_leased_free(work);
        }

        service->leases = all->next;
        free(all);
    }
}


/* Work may end in its tick. */

void
judge_leases_tick(judge_service_t *service)
{
    judge_ms_t       now = judge_now(service);
    judge_leased_t  *work, *next;
    judge_leases_t  *all;

    for (all = service->leases; all; all = all->next) {
        for (work = all->first; work; work = next) {
            next = work->next;
            judge_leased_tick(work, now);
        }

        judge_leases_peek(all);
    }
}


void
judge_leases_stop(judge_service_t *service)
{
    judge_leased_t  *work, *next;
    judge_leases_t  *all;

    for (all = service->leases; all; all = all->next) {
        all->stopped = true;

        for (work = all->first; work; work = next) {
            next = work->next;

            if (work->wakes_at) {
                work->wakes_at = 0;
                all->kind->failed(work);
            } else if (all->kind->stop && !work->ended) {
                all->kind->stop(work);
            }
        }
    }
}


bool
judge_leases_busy(judge_service_t *service)
{
    judge_leases_t  *all;

    for (all = service->leases; all; all = all->next) {
        if (all->claiming || all->first) {
            return true;
        }
    }

    return false;
}
