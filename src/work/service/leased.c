/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/service/extension.h"


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
judge_leased_op_done(judge_op_t *op)
{
    judge_leased_t  *work = op->data;

    work->rc = op->rc;
    judge_leased_go(work, work->step);
}


void
judge_leased_op(judge_leased_t *work, judge_op_t *op, judge_op_kind_e kind,
    judge_leased_step_pt step)
{
    work->step = step;
    judge_leased_submit(work, op, kind, judge_leased_op_done);
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


void
judge_leased_last(judge_leased_t *work, judge_op_t *op, judge_op_kind_e kind,
    void (*done)(judge_op_t *op))
{
    work->releasing = true;
    judge_leased_submit(work, op, kind, done);
}


void
judge_leased_end(judge_leased_t *work)
{
    judge_leased_t  **at = &work->all->first;

    work->ended = true;
    if (work->renewing) {
        return;                        /* _renewed() calls again */
    }

    while (*at != work) {
        at = &(*at)->next;
    }

    *at = work->next;
    work->all->count--;
    judge_service_op_free(&work->peek.op);
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
judge_leased_tick(judge_leased_t *work, judge_ms_t now)
{
    judge_op_t                *op;
    const judge_leased_kind_t  *kind = work->all->kind;

    if (work->ended) {
        return;
    }

    if (kind->renew && !work->renewing && !work->releasing && !work->lost
        && now - work->leased_at >= work->lease / JUDGE_LEASES_RENEWED)
    {
        work->renewing = true;
        work->leased_at = now;
        op = kind->renew(work, now + work->lease);
        judge_leased_submit(work, op, op->kind, judge_leased_renewed);
    }

    if (kind->tick) {
        kind->tick(work, now);
    }
}


/* More rows may be due, so the next tick peeks again. */

static void
judge_leased_claimed(judge_op_t *op)
{
    judge_leased_t   *work = op->data;
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
    judge_op_t     *claim;
    judge_leased_t   *work = op->data;
    judge_leases_t  *all = work->all;

    if (op->rc != JUDGE_OK || !work->peek.pending || all->stopped) {
        all->claiming = false;
        judge_service_op_free(op);
        return;
    }

    claim = all->kind->claim(work);
    judge_leased_submit(work, claim, claim->kind, judge_leased_claimed);
}


static void
judge_leases_peek(judge_service_t *service, judge_leases_t *all,
    judge_ms_t now)
{
    judge_leased_t              *work;
    const judge_leased_kind_t  *kind = all->kind;

    if (all->claiming || all->stopped || all->count == kind->most
        || now < all->peek_at
        || !(kind->wanted ? kind->wanted(service)
                          : service->settings.evaluates))
    {
        return;
    }

    work = judge_service_op(kind->size, kind->peek, NULL, NULL);
    if (work == NULL) {
        return;
    }

    work->service = service;
    work->arena = work->peek.op.arena;
    work->all = all;
    work->peek.now = now;
    all->claiming = true;
    all->peek_at = now + JUDGE_LEASES_EVERY;
    judge_leased_submit(work, &work->peek.op, kind->peek, judge_leased_peeked);
}


/* Returns those of the i-th extension; NULL: it has none. */

static judge_leases_t *
judge_leases_at(judge_service_t *service, size_t i)
{
    return judge_extensions[i]->leased ? service->extensions[i] : NULL;
}


/* Work may end in its tick. */

void
judge_leases_tick(judge_service_t *service)
{
    size_t          i;
    judge_ms_t      now = judge_now(service);
    judge_leased_t   *work, *next;
    judge_leases_t  *all;

    for (i = 0; judge_extensions[i]; i++) {
        all = judge_leases_at(service, i);
        if (all == NULL) {
            continue;
        }

        for (work = all->first; work; work = next) {
            next = work->next;
            judge_leased_tick(work, now);
        }

        judge_leases_peek(service, all, now);
    }
}


void
judge_leases_stop(judge_service_t *service)
{
    size_t          i;
    judge_leased_t   *work, *next;
    judge_leases_t  *all;

    for (i = 0; judge_extensions[i]; i++) {
        all = judge_leases_at(service, i);
        if (all == NULL) {
            continue;
        }

        all->stopped = true;

        for (work = all->first; work && all->kind->stop; work = next) {
            next = work->next;
            if (!work->ended) {
                all->kind->stop(work);
            }
        }
    }
}


bool
judge_leases_busy(judge_service_t *service)
{
    size_t          i;
    judge_leases_t  *all;

    for (i = 0; judge_extensions[i]; i++) {
        all = judge_leases_at(service, i);
        if (all && (all->claiming || all->first)) {
            return true;
        }
    }

    return false;
}
