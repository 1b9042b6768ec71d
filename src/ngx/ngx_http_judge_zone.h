/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The shared memory of all workers of a service, which survives a reload. */


#ifndef NGX_HTTP_JUDGE_ZONE_H
#define NGX_HTTP_JUDGE_ZONE_H


#include "ngx/ngx_http_judge.h"


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

/* zone->data must be the service; it becomes the shared memory. */
ngx_int_t ngx_http_judge_zone_init(ngx_shm_zone_t *zone, void *data);

/* The mutex of commits.  It is robust: if its owner dies, the next one gets
 * it.  It blocks, so that the event loop must not use it.  false: it can't be
 * locked. */
bool ngx_http_judge_zone_lock(ngx_http_judge_shared_t *shared);
void ngx_http_judge_zone_unlock(ngx_http_judge_shared_t *shared);

/* The number of commits of all workers; a snapshot from before the last one is
 * out of date. */
uint64_t ngx_http_judge_zone_commits(ngx_http_judge_shared_t *shared);
void ngx_http_judge_zone_committed(ngx_http_judge_shared_t *shared);

/* How often the store was lost, which is when its files were moved, replaced,
 * cut or removed.  lost() counts the loss that follows `known` once, however
 * many workers find it. */
uint64_t ngx_http_judge_zone_losses(ngx_http_judge_shared_t *shared);
void ngx_http_judge_zone_lost(ngx_http_judge_shared_t *shared,
    uint64_t known);

/* closed() notes that a worker has closed the connections that it opened
 * before so many losses; all_closed() tells whether all workers have. */
void ngx_http_judge_zone_closed(ngx_http_judge_shared_t *shared,
    ngx_uint_t slot, uint64_t losses);
bool ngx_http_judge_zone_all_closed(ngx_http_judge_shared_t *shared,
    uint64_t losses);

/* True once in the life of the zone. */
bool ngx_http_judge_zone_first(ngx_http_judge_shared_t *shared);

/* Sets the service's pointers into shared memory, and there, for all workers
 * of the zone, whether limits hold over all nodes. */
void ngx_http_judge_zone_share(ngx_http_judge_shared_t *shared,
    const judge_settings_t *settings, judge_service_t *service);

/* The names under which worker processes own leases.  enter() returns the
 * number of a slot, or NGX_HTTP_JUDGE_SLOTS if all are in use.  sweep() frees
 * the slot of a worker that died without leave(): true, and its name. */
ngx_uint_t ngx_http_judge_zone_enter(ngx_shm_zone_t *zone,
    judge_str_t owner);
void ngx_http_judge_zone_leave(ngx_shm_zone_t *zone, ngx_uint_t slot);
bool ngx_http_judge_zone_sweep(ngx_shm_zone_t *zone, judge_id_t *owner);

/* Returns the slots; *n is set to the number of those up to the last one that
 * was ever used, free ones among them. */
ngx_http_judge_slot_t *ngx_http_judge_zone_slots(
    ngx_http_judge_shared_t *shared, ngx_uint_t *n);


#endif /* NGX_HTTP_JUDGE_ZONE_H */
