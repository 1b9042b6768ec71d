/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <ngx_config.h>

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>

#include "ngx/ngx_http_judge_zone.h"
#include "base/core/shared_mutex.h"
#include "work/service/extension.h"


/* Returns zeroed memory; NULL: the zone is full, which is logged. */

static void *
ngx_http_judge_zone_alloc(ngx_shm_zone_t *zone, size_t size)
{
    void  *memory;

    memory = ngx_slab_calloc((ngx_slab_pool_t *) zone->shm.addr, size);
    if (memory == NULL) {
        ngx_log_error(NGX_LOG_EMERG, zone->shm.log, 0, "judge_store: zone=:"
                      " expected a larger size: at least 4m, for limits over"
                      " nodes (fleet=, in_all=), and 0.6 KB for each batch of"
                      " progress=");
    }

    return memory;
}


/* Allocates the fleet's memory at the first configuration that needs it. */

static ngx_int_t
ngx_http_judge_zone_fleet(ngx_shm_zone_t *zone,
    ngx_http_judge_shared_t *shared, const judge_settings_t *settings)
{
    size_t  i;
    bool    wanted;

    wanted = settings->fleet;
    for (i = 0; i < settings->nmodels; i++) {
        wanted |= settings->models[i].in_all != 0;
    }

    if (wanted && shared->fleet == NULL) {
        shared->fleet = ngx_http_judge_zone_alloc(zone, sizeof(judge_fleet_t));
        if (shared->fleet == NULL
            || judge_id_make(&shared->fleet->node, "nod",
                             (judge_ms_t) ngx_time() * 1000)
               != JUDGE_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_judge_zone_extensions(ngx_shm_zone_t *zone,
    ngx_http_judge_shared_t *shared)
{
    size_t                        i;
    const judge_shared_memory_t  *memory;

    for (i = 0; judge_extensions[i]; i++) {
        memory = &judge_extensions[i]->shared;
        if (memory->size == 0) {
            continue;
        }

        shared->extensions[i] = ngx_http_judge_zone_alloc(zone, memory->size);
        if (shared->extensions[i] == NULL
            || !memory->init(shared->extensions[i]))
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/* On a reload `data` is that of the previous cycle, or NULL if the size has
 * changed: then the zone is empty. */

ngx_int_t
ngx_http_judge_zone_init(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t           *pool;
    ngx_http_judge_shared_t   *shared;
    ngx_http_judge_service_t  *js = zone->data;

    pool = (ngx_slab_pool_t *) zone->shm.addr;

    if (data) {
        zone->data = data;
        return ngx_http_judge_zone_fleet(zone, data, &js->settings);
    }

    if (zone->shm.exists) {
        zone->data = pool->data;
        return NGX_OK;
    }

    shared = ngx_http_judge_zone_alloc(zone, sizeof(ngx_http_judge_shared_t));
    if (shared == NULL || !judge_shared_mutex_init(&shared->writing)) {
        return NGX_ERROR;
    }

    shared->progress = ngx_http_judge_zone_alloc(zone,
        judge_progress_size((size_t) js->settings.progress));
    if (shared->progress == NULL
        || !judge_progress_init(shared->progress,
                                (size_t) js->settings.progress))
    {
        return NGX_ERROR;
    }

    if (ngx_http_judge_zone_extensions(zone, shared) != NGX_OK) {
        return NGX_ERROR;
    }

    pool->data = shared;
    pool->log_nomem = 0;
    zone->data = shared;

    return ngx_http_judge_zone_fleet(zone, shared, &js->settings);
}


static uint64_t
ngx_http_judge_zone_now(void)
{
    struct timespec  now;

    (void) clock_gettime(CLOCK_MONOTONIC, &now);

    return (uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000;
}


/* If the owner of the lock has died, the database rolls back its transaction,
 * so that nothing has to be repaired. */

bool
ngx_http_judge_zone_lock(ngx_http_judge_shared_t *shared)
{
    uint64_t  began;

    began = ngx_http_judge_zone_now();
    if (!judge_shared_mutex_lock(&shared->writing, NULL)) {
        return false;
    }

    shared->locked_at = ngx_http_judge_zone_now();
    judge_metrics_add(&shared->metrics, JUDGE_METRIC_LOCK_WAITED,
                      shared->locked_at - began);

    return true;
}


void
ngx_http_judge_zone_unlock(ngx_http_judge_shared_t *shared)
{
    judge_metrics_add(&shared->metrics, JUDGE_METRIC_LOCK_HELD,
                      ngx_http_judge_zone_now() - shared->locked_at);
    (void) pthread_mutex_unlock(&shared->writing);
}


/* The limits are set here and not by _init(), which only allocates, because
 * nginx may reject that configuration later. */

void
ngx_http_judge_zone_share(ngx_http_judge_shared_t *shared,
    const judge_settings_t *settings, judge_service_t *service)
{
    shared->limits.fleet = settings->fleet ? shared->fleet : NULL;
    shared->budget.fleet = shared->limits.fleet;
    service->usage = &shared->usage;
    ngx_memcpy(service->shared, shared->extensions,
               sizeof(shared->extensions));
    service->throughput = &shared->throughput;
    service->limits = &shared->limits;
    service->metrics = &shared->metrics;
    service->budget = &shared->budget;
    service->progress = shared->progress;
    service->fleet = shared->fleet;
}


ngx_uint_t
ngx_http_judge_zone_enter(ngx_shm_zone_t *zone, judge_str_t owner)
{
    ngx_uint_t                i;
    ngx_slab_pool_t          *pool = (ngx_slab_pool_t *) zone->shm.addr;
    ngx_http_judge_shared_t  *shared = zone->data;

    ngx_shmtx_lock(&pool->mutex);

    for (i = 0; i < NGX_HTTP_JUDGE_SLOTS; i++) {
        if (shared->slots[i].pid == 0) {
            ngx_memzero(&shared->slots[i], sizeof(ngx_http_judge_slot_t));
            judge_id_set(&shared->slots[i].owner, owner);
            shared->slots[i].pid = ngx_pid;
            shared->used = ngx_max(shared->used, i + 1);
            break;
        }
    }

    ngx_shmtx_unlock(&pool->mutex);

    return i;
}


void
ngx_http_judge_zone_leave(ngx_shm_zone_t *zone, ngx_uint_t slot)
{
    ngx_slab_pool_t          *pool = (ngx_slab_pool_t *) zone->shm.addr;
    ngx_http_judge_shared_t  *shared = zone->data;

    if (slot >= NGX_HTTP_JUDGE_SLOTS) {
        return;
    }

    ngx_shmtx_lock(&pool->mutex);
    shared->slots[slot].pid = 0;
    judge_metrics_forget(&shared->metrics, slot);
    ngx_shmtx_unlock(&pool->mutex);
}


bool
ngx_http_judge_zone_all_closed(ngx_http_judge_shared_t *shared,
    uint64_t losses)
{
    ngx_uint_t  i;

    for (i = 0; i < shared->used; i++) {
        if (shared->slots[i].pid && shared->slots[i].closed < losses) {
            return false;
        }
    }

    return true;
}


bool
ngx_http_judge_zone_sweep(ngx_shm_zone_t *zone, judge_id_t *owner)
{
    ngx_uint_t                i, found;
    ngx_slab_pool_t          *pool = (ngx_slab_pool_t *) zone->shm.addr;
    ngx_http_judge_shared_t  *shared = zone->data;

    found = 0;
    ngx_shmtx_lock(&pool->mutex);

    for (i = 0; i < NGX_HTTP_JUDGE_SLOTS; i++) {
        if (shared->slots[i].pid
            && kill(shared->slots[i].pid, 0) == -1 && errno == ESRCH)
        {
            *owner = shared->slots[i].owner;
            shared->slots[i].pid = 0;
            judge_metrics_forget(&shared->metrics, i);
            found = 1;
            break;
        }
    }

    ngx_shmtx_unlock(&pool->mutex);

    return found;
}
