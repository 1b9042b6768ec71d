/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "base/core/hash.h"
#include "work/evaluation/waiters.h"
#include "work/service/extension.h"
#include "work/service/metrics.h"
#include "work/service/progress.h"


#define JUDGE_WAITERS_CHAINS  256

struct judge_waiters {
    judge_waiter_t  *chains[JUDGE_WAITERS_CHAINS];         /* by id */
    size_t           count;
    uint64_t         key_changes;      /* counter at the last tick */
    judge_ms_t       now;              /* at the last tick */
};


uint64_t
judge_waiters_commits(const judge_service_t *service)
{
    return judge_metrics_get(service->metrics, JUDGE_METRIC_COMMITS)
           + judge_metrics_get(service->metrics, JUDGE_METRIC_NOTES_RECEIVED);
}


static judge_waiter_t **
judge_waiters_chain(judge_waiters_t *waiters, judge_str_t id)
{
    return &waiters->chains[judge_fnv(JUDGE_FNV_START, id.data, id.len)
                            % JUDGE_WAITERS_CHAINS];
}


static void
judge_waiters_link(judge_waiter_t **chain, judge_waiter_t *waiter)
{
    waiter->next = *chain;
    waiter->prev = chain;
    if (*chain) {
        (*chain)->prev = &waiter->next;
    }
    *chain = waiter;
}


void
judge_waiters_add(judge_service_t *service, judge_waiter_t *waiter)
{
    judge_waiters_t  *waiters = service->waiters;

    judge_waiters_link(judge_waiters_chain(waiters, waiter->id), waiter);
    waiters->count++;
}


static void
judge_waiters_unlink(judge_waiter_t *waiter)
{
    *waiter->prev = waiter->next;
    if (waiter->next) {
        waiter->next->prev = waiter->prev;
    }
}


void
judge_waiters_remove(judge_service_t *service, judge_waiter_t *waiter)
{
    judge_waiters_unlink(waiter);
    service->waiters->count--;
}


uint64_t
judge_waiters_changes(const judge_service_t *service, judge_str_t id)
{
    return __atomic_load_n(&service->metrics->changes[judge_metrics_place(id)],
                           __ATOMIC_ACQUIRE);
}


void
judge_waiters_ended(judge_service_t *service, const judge_result_t *result)
{
    judge_metrics_ended(service->metrics, result->id, result->status,
                        judge_now(service));
    judge_extensions_stored(service, result);
    judge_waiters_wake(service, result->id);
    service->wake(service->network);
}


void
judge_waiters_wake(judge_service_t *service, judge_str_t id)
{
    judge_waiter_t  *waiter, *next;

    for (waiter = *judge_waiters_chain(service->waiters, id); waiter;
         waiter = next)
    {
        next = waiter->next;
        if (judge_str_eq(waiter->id, id)) {
            judge_waiters_remove(service, waiter);
            waiter->notify(waiter);
        }
    }
}


void
judge_waiters_all(judge_service_t *service)
{
    judge_progress_forget(service);
    judge_metrics_changed_all(service->metrics);
    service->wake(service->network);
    judge_waiters_tick(service);
}


static bool
judge_waiters_due(judge_service_t *service, const judge_waiter_t *waiter,
    judge_ms_t now)
{
    if (now >= waiter->until || (service->stopped && !waiter->stays)) {
        return true;
    }

    if (waiter->id.data == NULL) {
        return now >= waiter->after
               && judge_waiters_commits(service) != waiter->commits;
    }

    return judge_waiters_changes(service, waiter->id) != waiter->changes;
}


/* Removes the waiters from their chain one by one, because notify() may add
 * others. */

void
judge_waiters_tick(judge_service_t *service)
{
    bool              changed;
    size_t            i;
    uint64_t          changes;
    judge_ms_t        now;
    judge_waiter_t   *waiter, *rest;
    judge_waiters_t  *waiters = service->waiters;

    changes = judge_metrics_key_changes(service->metrics);
    changed = changes != waiters->key_changes;
    waiters->key_changes = changes;
    now = judge_now(service);
    changed = changed || now < waiters->now;     /* the clock was set back */
    waiters->now = now;

    for (i = 0; waiters->count && i < JUDGE_WAITERS_CHAINS; i++) {
        rest = waiters->chains[i];
        if (rest == NULL) {
            continue;
        }

        rest->prev = &rest;
        waiters->chains[i] = NULL;

        while ((waiter = rest)) {
            judge_waiters_unlink(waiter);

            if (changed || judge_waiters_due(service, waiter, now)) {
                waiters->count--;
                waiter->notify(waiter);
            } else {
                judge_waiters_link(&waiters->chains[i], waiter);
            }
        }
    }
}


static bool
judge_waiters_busy(judge_service_t *service)
{
    return service->waiters->count != 0;
}


const judge_background_t  judge_waiters_background = {
    .size = sizeof(judge_waiters_t),
    .at = offsetof(judge_service_t, waiters),
    .tick = judge_waiters_tick,
    .busy = judge_waiters_busy
};
