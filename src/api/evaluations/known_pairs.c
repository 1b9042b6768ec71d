/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "work/evaluation/waiters.h"
#include "work/service/metrics.h"
#include "api/evaluations/known_pairs.h"


typedef struct {
    judge_id_t  org;
    judge_id_t  judge;
    judge_id_t  content;
    judge_id_t  file_type;
    int64_t     version;
    uint64_t    changes;
    judge_ms_t  until;                 /* 0: an empty slot */
} judge_known_pair_t;

struct judge_known_pairs {
    size_t              n;
    size_t              used;
    judge_known_pair_t  slots[];
};


size_t
judge_known_pairs_size(size_t n)
{
    return n * sizeof(judge_known_pair_t);
}


judge_known_pairs_t *
judge_known_pairs_create(size_t n)
{
    judge_known_pairs_t  *pairs;

    pairs = calloc(1, sizeof(judge_known_pairs_t)
                      + judge_known_pairs_size(n));
    if (pairs) {
        pairs->n = n;
    }

    return pairs;
}


void
judge_known_pairs_destroy(judge_known_pairs_t *pairs)
{
    free(pairs);
}


/* NULL: this worker has no cache. */

static judge_known_pair_t *
judge_known_pairs_slot(judge_req_t *r, const judge_pair_find_t *pair)
{
    uint64_t              hash;
    judge_known_pairs_t  *pairs = r->service->pairs;

    hash = judge_fnv(JUDGE_FNV_START, pair->judge_id.data,
                     pair->judge_id.len);
    hash = judge_fnv(hash, pair->content_id.data, pair->content_id.len);

    return pairs ? &pairs->slots[judge_mix(hash) % pairs->n] : NULL;
}


bool
judge_known_pairs_find(judge_req_t *r, judge_pair_find_t *pair)
{
    judge_known_pair_t  *slot;

    slot = judge_known_pairs_slot(r, pair);

    if (slot == NULL || slot->until <= judge_now(r->service)
        || slot->changes != judge_waiters_changes(r->service, r->org)
        || !judge_str_eq(judge_id_str(&slot->judge), pair->judge_id)
        || !judge_str_eq(judge_id_str(&slot->content), pair->content_id)
        || !judge_str_eq(judge_id_str(&slot->org), r->org))
    {
        return false;
    }

    pair->judge_version = slot->version;
    pair->file_type = judge_str_dup(r->arena, judge_id_str(&slot->file_type));

    return pair->file_type.data != NULL;
}


void
judge_known_pairs_keep(judge_req_t *r, const judge_pair_find_t *pair,
    uint64_t changes)
{
    judge_known_pair_t   *slot;
    judge_known_pairs_t  *pairs = r->service->pairs;

    slot = judge_known_pairs_slot(r, pair);

    if (slot) {
        pairs->used += slot->until == 0;
        judge_metrics_cache(r->service, JUDGE_CACHE_PAIRS, pairs->used,
                            judge_known_pairs_size(pairs->used));
        judge_id_set(&slot->org, r->org);
        judge_id_set(&slot->judge, pair->judge_id);
        judge_id_set(&slot->content, pair->content_id);
        judge_id_set(&slot->file_type, pair->file_type);
        slot->version = pair->judge_version;
        slot->changes = changes;
        slot->until = judge_now(r->service) + JUDGE_AUTH_TTL;
    }
}
