/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "store/store.h"
#include "work/evaluation/waiters.h"
#include "work/service/metrics.h"


#define JUDGE_WAITERS_LOOK  1000       /* ms between two looks into the store,
                                          unless an end is announced */

struct judge_waiters {
    judge_waiter_t  *first;
    judge_arena_t   *arena;            /* of one look */
    bool             stopped;
    uint64_t         key_changes;      /* at the last tick */
};


static bool judge_waiters_due(judge_service_t *service,
    judge_waiter_t *waiter, judge_ms_t now);
static void judge_waiters_link(judge_waiters_t *waiters,
    judge_waiter_t *waiter);
static void judge_waiters_unlink(judge_waiter_t *waiter);


bool
judge_waiters_create(judge_service_t *service)
{
    judge_waiters_t  *waiters;

    waiters = calloc(1, sizeof(judge_waiters_t));
    if (waiters == NULL) {
        return false;
    }

    service->waiters = waiters;
    waiters->arena = judge_arena_create(4096);

    return waiters->arena != NULL;
}


void
judge_waiters_destroy(judge_service_t *service)
{
    if (service->waiters) {
        judge_arena_destroy(service->waiters->arena);
        free(service->waiters);
        service->waiters = NULL;
    }
}


void
judge_waiters_stop(judge_service_t *service)
{
    service->waiters->stopped = true;
}


bool
judge_waiters_busy(judge_service_t *service)
{
    return service->waiters->first != NULL;
}


uint64_t
judge_waiters_commits(const judge_service_t *service)
{
    return judge_metrics_get(service->metrics, JUDGE_METRIC_COMMITS);
}


void
judge_waiters_add(judge_service_t *service, judge_waiter_t *waiter)
{
    waiter->looked_at = 0;
    judge_waiters_link(service->waiters, waiter);
}


void
judge_waiters_remove(judge_waiter_t *waiter)
{
    judge_waiters_unlink(waiter);
}


uint64_t
judge_waiters_changes(const judge_service_t *service, judge_str_t id)
{
    return judge_metrics_endings(service->metrics, id);
}


void
judge_waiters_ended(judge_service_t *service, judge_str_t id,
    judge_str_t status)
{
    judge_metrics_ended(service->metrics, id, status, judge_now(service));
    judge_waiters_wake(service, id);
    service->wake(service->network);
}


void
judge_waiters_wake(judge_service_t *service, judge_str_t id)
{
    judge_waiter_t  *waiter, *next;

    for (waiter = service->waiters->first; waiter; waiter = next) {
        next = waiter->next;
        if (judge_str_eq(waiter->id, id)) {
            judge_waiters_unlink(waiter);
            waiter->notify(waiter);
        }
    }
}


/* The waiters are taken off the list one after another, because one that is
 * notified may add others. */

void
judge_waiters_tick(judge_service_t *service)
{
    bool              changed;
    uint64_t          changes;
    judge_ms_t        now;
    judge_waiter_t   *waiter, *rest;
    judge_waiters_t  *waiters = service->waiters;

    changes = judge_metrics_get(service->metrics, JUDGE_METRIC_KEY_CHANGES);
    changed = changes != waiters->key_changes;
    waiters->key_changes = changes;

    if (waiters->first == NULL) {
        return;
    }

    now = judge_now(service);
    rest = waiters->first;
    rest->prev = &rest;
    waiters->first = NULL;

    while ((waiter = rest)) {
        judge_waiters_unlink(waiter);

        if (changed || judge_waiters_due(service, waiter, now)) {
            waiter->notify(waiter);
        } else {
            judge_waiters_link(waiters, waiter);
        }
    }
}


/* An evaluation that is read has ended, or is gone. */

static bool
judge_waiters_due(judge_service_t *service, judge_waiter_t *waiter,
    judge_ms_t now)
{
    uint64_t                 endings;
    judge_arena_t           *arena = service->waiters->arena;
    judge_evaluation_find_t  find;

    if (now >= waiter->until) {
        return true;
    }

    if (waiter->id.data == NULL) {
        return service->waiters->stopped
               || (now >= waiter->after
                   && judge_waiters_commits(service) != waiter->commits);
    }

    endings = judge_metrics_endings(service->metrics, waiter->id);

    if (waiter->watches) {
        return service->waiters->stopped || waiter->endings != endings;
    }

    if (waiter->looked_at && waiter->endings == endings
        && now - waiter->looked_at < JUDGE_WAITERS_LOOK)
    {
        return false;
    }

    waiter->endings = endings;
    waiter->looked_at = now;

    judge_arena_reset(arena);
    find = (judge_evaluation_find_t) {
        .op = { .kind = JUDGE_OP_EVALUATION_FIND, .org = waiter->org,
                .arena = arena },
        .id = waiter->id
    };

    return judge_service_read(service, &find.op) != JUDGE_OK
           || !judge_str_eq_c(find.row.status, "processing");
}


static void
judge_waiters_link(judge_waiters_t *waiters, judge_waiter_t *waiter)
{
    waiter->next = waiters->first;
    waiter->prev = &waiters->first;
    if (waiters->first) {
        waiters->first->prev = &waiter->next;
    }
    waiters->first = waiter;
}


static void
judge_waiters_unlink(judge_waiter_t *waiter)
{
    *waiter->prev = waiter->next;
    if (waiter->next) {
        waiter->next->prev = waiter->prev;
    }
}
