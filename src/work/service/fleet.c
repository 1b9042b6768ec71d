/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A hash table with open addressing, without locks.  Only the leasing worker,
 * one at a time, frees slots, and only those of idle limits: a worker that
 * still uses one takes from an idle limit, which does no harm.
 */


#include <stdio.h>
#include <string.h>

#include "base/core/hash.h"
#include "store/store_fleet.h"
#include "work/service/fleet.h"


#define JUDGE_FLEET_PROBES  32
#define JUDGE_FLEET_AGAIN   100        /* ms until a retry if another node was
                                          leasing */
#define JUDGE_FLEET_IDLE    60000      /* ms unused, and time for its bucket to
                                          fill, until a slot is freed */
#define JUDGE_FLEET_CLEAN   60000      /* ms between two cleanups */
#define JUDGE_FLEET_LASTS   64         /* weight of a use in the demand, which
                                          is halved each period */
#define JUDGE_FLEET_MOST    ((int64_t) 1 << 40)          /* demand, at most */


/* --- The table ----------------------------------------------------------- */

/* A name that is too long is replaced by its hash. */

static void
judge_fleet_name(judge_id_t *id, judge_str_t name)
{
    judge_id_set(id, name);

    if (name.len > JUDGE_ID_LEN) {
        (void) snprintf(id->text, sizeof(id->text), "%016llx",
                        (unsigned long long)
                        judge_fnv(JUDGE_FNV_START, name.data, name.len));
    }
}


static judge_fleet_slot_t *
judge_fleet_slot(judge_fleet_t *fleet, judge_fleet_kind_e kind,
    judge_str_t org, judge_str_t name, bool make)
{
    size_t               n, of;
    uint64_t             hash, was;
    judge_fleet_slot_t  *slot, *slots;

    /* Models have slots of their own, because the number of rates is not
     * limited. */
    of = kind == JUDGE_FLEET_CALLS ? JUDGE_FLEET_MODELS
                                   : JUDGE_FLEET_SLOTS - JUDGE_FLEET_MODELS;
    slots = fleet->slots + (kind == JUDGE_FLEET_CALLS
                            ? JUDGE_FLEET_SLOTS - JUDGE_FLEET_MODELS : 0);
    hash = judge_fnv(JUDGE_FNV_START, org.data, org.len);
    hash = judge_mix(judge_fnv(hash, name.data, name.len) + kind);
    hash = hash ? hash : 1;

    for (n = 0; n < JUDGE_FLEET_PROBES; n++) {
        slot = &slots[(hash + n) % of];
        if (atomic_load(&slot->key) == hash) {
            return slot;
        }
    }

    for (n = 0; make && n < JUDGE_FLEET_PROBES; n++) {
        slot = &slots[(hash + n) % of];
        was = 0;

        if (atomic_compare_exchange_strong(&slot->key, &was, hash)) {
            slot->kind = kind;
            judge_id_set(&slot->org, org);
            judge_fleet_name(&slot->name, name);
            atomic_store(&slot->share, 0);
            atomic_store(&slot->until, 0);
            atomic_store(&slot->used, 0);
            atomic_store(&slot->demand, 0);
            atomic_store(&slot->active, 0);
            atomic_store(&slot->applied, JUDGE_FLEET_RESERVE);
            atomic_store(&slot->ready, 1);
            return slot;
        }

        if (was == hash) {
            return slot;
        }
    }

    return NULL;
}


static int64_t
judge_fleet_units(const judge_fleet_slot_t *slot, judge_ms_t now)
{
    return now < atomic_load(&slot->until) ? atomic_load(&slot->share) : 0;
}


/* --- Shares of rates ----------------------------------------------------- */

judge_fleet_share_t
judge_fleet_share(judge_fleet_t *fleet, judge_fleet_kind_e kind,
    judge_str_t org, judge_str_t name, judge_ms_t window, judge_ms_t now,
    int64_t n)
{
    int64_t              units;
    uint32_t             was;
    judge_fleet_slot_t  *slot;
    judge_fleet_share_t  share = { JUDGE_FLEET_RESERVE, JUDGE_FLEET_RESERVE,
                                   false, false };

    slot = judge_fleet_slot(fleet, kind, org, name, true);
    if (slot == NULL) {
        return share;
    }

    atomic_store(&slot->units, JUDGE_TOKEN_BUCKET_WHOLE);
    atomic_store(&slot->window, window < JUDGE_FLEET_FORGOTTEN
                                ? window : JUDGE_FLEET_FORGOTTEN);
    atomic_store(&slot->touched, now);
    if (n) {
        atomic_fetch_add(&slot->used, n);
    }

    units = judge_fleet_units(slot, now);
    share.leased = units > 0;
    share.part = units > 0 ? (uint32_t) units : JUDGE_FLEET_RESERVE;
    share.fresh = atomic_load(&slot->fresh);
    share.was = share.part;
    was = atomic_load(&slot->applied);

    /* The worker that notes the new share has to scale the buckets. */
    if (was != share.part
        && atomic_compare_exchange_strong(&slot->applied, &was, share.part))
    {
        share.was = was ? was : JUDGE_FLEET_RESERVE;
    }

    return share;
}


void
judge_fleet_apply(const judge_fleet_share_t *share,
    judge_token_bucket_t *bucket, judge_token_bucket_rate_t *rate,
    judge_ms_t now)
{
    rate->share = share->part;

    if (share->was != share->part) {
        judge_token_bucket_scale(bucket, rate, now, share->was,
                                 share->fresh && share->part > share->was);
    }
}


judge_ms_t
judge_fleet_retry(const judge_fleet_share_t *share, judge_ms_t retry_after)
{
    return share->part && !share->leased
           && retry_after > 2 * JUDGE_FLEET_PERIOD ? 2 * JUDGE_FLEET_PERIOD
                                                   : retry_after;
}


/* --- Concurrent calls ---------------------------------------------------- */

/* The slot of a model; NULL: it has none, or its calls are not limited. */

static judge_fleet_slot_t *
judge_fleet_model(const judge_service_t *service, const judge_llm_t *model,
    bool make)
{
    return service->fleet && model->in_all
           ? judge_fleet_slot(service->fleet, JUDGE_FLEET_CALLS, JUDGE_STR(""),
                              model->name, make) : NULL;
}


/* A node that is alone on its store (fleet=off) may use all units. */

bool
judge_fleet_enter(judge_service_t *service, const judge_llm_t *model,
    uint32_t *deaths)
{
    int64_t              bound, active;
    judge_fleet_slot_t  *slot;

    if (model->in_all == 0 || service->fleet == NULL) {
        return true;
    }

    slot = judge_fleet_model(service, model, true);
    if (slot == NULL) {
        return false;
    }

    atomic_store(&slot->units, (int64_t) model->in_all);
    atomic_store(&slot->touched, judge_now(service));
    bound = service->settings.fleet ? judge_fleet_units(slot,
                                                        judge_now(service))
                                    : (int64_t) model->in_all;
    active = atomic_load(&slot->active);

    *deaths = atomic_load(&service->fleet->deaths);

    do {
        if (active >= bound) {
            atomic_fetch_add(&slot->used, 1);
            return false;
        }
    } while (!atomic_compare_exchange_weak(&slot->active, &active,
                                           active + 1));

    return true;
}


void
judge_fleet_leave(judge_service_t *service, const judge_llm_t *model,
    uint32_t deaths)
{
    int64_t              active;
    judge_fleet_slot_t  *slot;

    slot = judge_fleet_model(service, model, false);
    active = slot && deaths == atomic_load(&service->fleet->deaths)
             ? atomic_load(&slot->active) : 0;

    while (active > 0 && !atomic_compare_exchange_weak(&slot->active, &active,
                                                       active - 1))
    {
        /* void */
    }
}


void
judge_fleet_died(judge_service_t *service)
{
    size_t  i;

    if (service->fleet) {
        (void) atomic_fetch_add(&service->fleet->deaths, 1);
    }

    for (i = 0; service->fleet && i < JUDGE_FLEET_SLOTS; i++) {
        atomic_store(&service->fleet->slots[i].active, 0);
    }
}


/* --- Leasing ------------------------------------------------------------- */

/* Fills in the row with the slot's demand; false: the slot has none.  If it
 * has been idle for long, it is freed. */

static bool
judge_fleet_row(judge_fleet_slot_t *slot, judge_fleet_row_t *row,
    judge_ms_t now)
{
    int64_t  used, active, share;

    if (!atomic_load(&slot->ready)) {
        return false;
    }

    used = atomic_exchange(&slot->used, 0);
    used = used < JUDGE_FLEET_MOST / 64 ? used : JUDGE_FLEET_MOST / 64;
    active = atomic_load(&slot->active);
    used = (used + active) * JUDGE_FLEET_LASTS
           + atomic_load(&slot->demand) / 2;
    used = used < JUDGE_FLEET_MOST ? used : JUDGE_FLEET_MOST;
    atomic_store(&slot->demand, used);

    if (used <= 0) {
        if (now - atomic_load(&slot->touched)
            > JUDGE_FLEET_IDLE + atomic_load(&slot->window))
        {
            atomic_store(&slot->ready, 0);
            atomic_store(&slot->key, 0);
        }
        return false;
    }

    row->org = judge_id_str(&slot->org);
    row->name = judge_id_str(&slot->name);
    row->key = atomic_load(&slot->key);
    row->units = atomic_load(&slot->units);
    row->window = atomic_load(&slot->window);
    row->used = used;

    if (slot->kind == JUDGE_FLEET_CALLS) {
        share = judge_fleet_units(slot, now);
        row->least = active > share ? active : share;
    }

    return row->units > 0;
}


static void
judge_fleet_rows(judge_fleet_t *fleet, judge_fleet_lease_t *lease,
    judge_ms_t now)
{
    size_t              i, n;
    judge_fleet_row_t   row;
    judge_fleet_row_t  *rows;

    for (i = 0, n = 0; i < JUDGE_FLEET_SLOTS; i++) {
        n += atomic_load(&fleet->slots[i].ready);
    }

    rows = n ? judge_calloc(lease->op.arena, n * sizeof(judge_fleet_row_t))
             : NULL;

    for (i = 0; rows && i < JUDGE_FLEET_SLOTS && lease->count < n; i++) {
        memset(&row, 0, sizeof(row));
        row.slot = i;
        if (judge_fleet_row(&fleet->slots[i], &row, now)) {
            rows[lease->count++] = row;
        }
    }

    lease->rows = rows;
}


/* A node that holds more concurrent calls than its fair share starts no more,
 * and returns the excess with the next lease.  If another node was leasing,
 * the demands are restored for the retry. */

static void
judge_fleet_leased(judge_op_t *op)
{
    size_t                i;
    int64_t               share;
    judge_service_t      *service = op->data;
    judge_fleet_row_t    *row;
    judge_fleet_slot_t   *slot;
    judge_fleet_lease_t  *lease = (judge_fleet_lease_t *) op;

    if (op->rc == JUDGE_CONFLICT) {
        atomic_store(&service->fleet->due, judge_now(service)
                                           + JUDGE_FLEET_AGAIN);
    }

    for (i = 0; i < lease->count; i++) {
        row = &lease->rows[i];
        slot = &service->fleet->slots[row->slot];

        if (op->rc == JUDGE_CONFLICT) {
            atomic_store(&slot->demand, row->used * 2);
        }

        share = op->rc == JUDGE_OK ? row->share : 0;

        if (slot->kind == JUDGE_FLEET_CALLS && share > row->fair) {
            share = row->fair;
        }

        if (atomic_load(&slot->key) == row->key && share > 0) {
            atomic_store(&slot->fresh, row->others == 0);
            atomic_store(&slot->share, share);
            atomic_store(&slot->until, lease->now + JUDGE_FLEET_HOLD);
        }
    }

    judge_service_op_free(op);
}


void
judge_fleet_tick(judge_service_t *service)
{
    int64_t               due;
    judge_ms_t            now;
    judge_fleet_t        *fleet = service->fleet;
    judge_fleet_lease_t  *lease;

    if (fleet == NULL || !service->settings.fleet) {
        return;
    }

    now = judge_now(service);
    due = atomic_load(&fleet->due);

    if ((now < due && due - now <= JUDGE_FLEET_PERIOD)
        || !atomic_compare_exchange_strong(&fleet->due, &due,
                                           now + JUDGE_FLEET_PERIOD))
    {
        return;
    }

    lease = judge_service_op(sizeof(judge_fleet_lease_t), JUDGE_OP_FLEET_LEASE,
                             judge_fleet_leased, service);
    if (lease == NULL) {
        return;
    }

    lease->now = now;
    lease->node = judge_id_str(&fleet->node);
    lease->clean = now - atomic_load(&fleet->cleaned) > JUDGE_FLEET_CLEAN;
    judge_fleet_rows(fleet, lease, now);

    if (lease->count == 0) {
        judge_service_op_free(&lease->op);
        return;
    }

    if (lease->clean) {
        atomic_store(&fleet->cleaned, now);
    }

    judge_submit(service, &lease->op);
}


/* --- Metrics ------------------------------------------------------------- */

size_t
judge_fleet_count(const judge_service_t *service, judge_fleet_kind_e kind,
    double *shares)
{
    size_t                     i, n;
    int64_t                    units;
    const judge_fleet_slot_t  *slot;

    *shares = 0;

    for (i = 0, n = 0; service->fleet && i < JUDGE_FLEET_SLOTS; i++) {
        slot = &service->fleet->slots[i];
        if (!atomic_load(&slot->ready) || slot->kind != kind) {
            continue;
        }

        units = judge_fleet_units(slot, judge_now(service));
        if (units > 0) {
            *shares += (double) units / (double) atomic_load(&slot->units);
            n++;
        }
    }

    return n;
}


int64_t
judge_fleet_calls(const judge_service_t *service, const judge_llm_t *model,
    int64_t *active)
{
    judge_fleet_slot_t  *slot;

    slot = judge_fleet_model(service, model, false);
    *active = slot ? atomic_load(&slot->active) : 0;

    return !service->settings.fleet ? (int64_t) model->in_all
           : slot ? judge_fleet_units(slot, judge_now(service)) : 0;
}
