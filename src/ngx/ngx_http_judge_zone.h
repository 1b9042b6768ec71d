/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The shared memory of all workers of a service, which survives a reload. */


#ifndef NGX_HTTP_JUDGE_ZONE_H
#define NGX_HTTP_JUDGE_ZONE_H


#include "ngx/ngx_http_judge.h"
#include "work/service/budget.h"
#include "work/service/fleet.h"
#include "work/service/metrics.h"
#include "work/service/progress.h"
#include "work/service/usage.h"


#define NGX_HTTP_JUDGE_ZONE_MIN  (3 * 1024 * 1024)
#define NGX_HTTP_JUDGE_SLOTS     512       /* worker processes at once */

/* A worker process. */
typedef struct {
    ngx_pid_t         pid;                 /* 0: free */
    judge_id_t        owner;
    struct sockaddr_un  address;           /* of its socket */
    ngx_atomic_t      address_len;       /* 0: it has no socket */
    ngx_atomic_t      woken;             /* a datagram is on its way */
    ngx_atomic_t      closed;            /* losses of the store when it last
                                            closed its connections */
} ngx_http_judge_slot_t;

struct ngx_http_judge_shared {
    pthread_mutex_t        writing;        /* the mutex of commits */
    uint64_t               locked_at;      /* microseconds; since then the
                                              owner has the mutex */
    _Atomic uint64_t       commits;        /* of all workers; an older snapshot
                                              is out of date */
    _Atomic uint64_t       losses;         /* how often the store's files were
                                              moved, replaced, cut or
                                              removed */
    atomic_flag            entered;        /* the first worker has set it */
    judge_usage_t          usage;
    void                  *extensions[JUDGE_EXTENSIONS];
    judge_throughput_t     throughput;
    judge_rate_limits_t    limits;
    judge_metrics_t        metrics;
    judge_budget_t         budget;
    judge_progress_t      *progress;
    judge_fleet_t         *fleet;          /* NULL: not allocated yet */
    _Atomic ngx_uint_t     used;           /* slots up to the last that was
                                              ever used, free ones among
                                              them */
    ngx_http_judge_slot_t  slots[NGX_HTTP_JUDGE_SLOTS];
};

/* zone->data must be the service; it becomes the shared memory. */
ngx_int_t ngx_http_judge_zone_init(ngx_shm_zone_t *zone, void *data);

/* The mutex of commits.  It is robust: if its owner dies, the next one gets
 * it.  It blocks, so that the event loop must not use it.  false: it can't be
 * locked. */
bool ngx_http_judge_zone_lock(ngx_http_judge_shared_t *shared);
void ngx_http_judge_zone_unlock(ngx_http_judge_shared_t *shared);

/* Whether all workers have closed the connections that they opened before so
 * many losses. */
bool ngx_http_judge_zone_all_closed(ngx_http_judge_shared_t *shared,
    uint64_t losses);

/* Sets the service's pointers into shared memory, and there, for all workers
 * of the zone, whether limits hold over all nodes. */
void ngx_http_judge_zone_share(ngx_http_judge_shared_t *shared,
    const judge_settings_t *settings, judge_service_t *service);

/* The names under which worker processes own leases.  enter() returns the
 * number of a slot, or NGX_HTTP_JUDGE_SLOTS if all are in use.  sweep() frees
 * the slot of a worker that died without leave(): true, and its name. */
ngx_uint_t ngx_http_judge_zone_enter(ngx_shm_zone_t *zone, judge_str_t owner);
void ngx_http_judge_zone_leave(ngx_shm_zone_t *zone, ngx_uint_t slot);
bool ngx_http_judge_zone_sweep(ngx_shm_zone_t *zone, judge_id_t *owner);


#endif /* NGX_HTTP_JUDGE_ZONE_H */
