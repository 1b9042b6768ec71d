/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "work/service/metrics.h"
#include "api/evaluations/known_pairs.h"


#define JUDGE_KNOWN_PAIRS  1024

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
    judge_known_pair_t  slots[JUDGE_KNOWN_PAIRS];
};


judge_known_pairs_t *
judge_known_pairs_create(void)
{
    return calloc(1, sizeof(judge_known_pairs_t));
}


void
judge_known_pairs_destroy(judge_known_pairs_t *pairs)
{
    free(pairs);
}


uint64_t
judge_known_pairs_changes(const judge_service_t *service)
{
    return judge_metrics_get(service->metrics, JUDGE_METRIC_PAIR_CHANGES);
}


/* NULL: nothing is remembered. */

static judge_known_pair_t *
judge_known_pairs_slot(judge_req_t *r, const judge_pair_find_t *pair)
{
    uint64_t  hash;

    hash = judge_fnv(JUDGE_FNV_START, pair->judge_id.data,
                     pair->judge_id.len);
    hash = judge_fnv(hash, pair->content_id.data, pair->content_id.len);

    return r->service->pairs
           ? &r->service->pairs->slots[judge_mix(hash) % JUDGE_KNOWN_PAIRS]
           : NULL;
}


bool
judge_known_pairs_find(judge_req_t *r, judge_pair_find_t *pair)
{
    judge_known_pair_t  *slot;

    slot = judge_known_pairs_slot(r, pair);

    if (slot == NULL || slot->until <= judge_now(r->service)
        || slot->changes != judge_known_pairs_changes(r->service)
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
    judge_known_pair_t  *slot;

    slot = judge_known_pairs_slot(r, pair);

    if (slot) {
        judge_id_set(&slot->org, r->org);
        judge_id_set(&slot->judge, pair->judge_id);
        judge_id_set(&slot->content, pair->content_id);
        judge_id_set(&slot->file_type, pair->file_type);
        slot->version = pair->judge_version;
        slot->changes = changes;
        slot->until = judge_now(r->service) + JUDGE_AUTH_TTL;
    }
}
