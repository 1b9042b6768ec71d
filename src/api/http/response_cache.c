/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A hash of organization, path and query chooses the slot of a response, which
 * replaces the slot's previous one.  If all of them need too many bytes,
 * others are dropped in the order of their slots. */


#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "work/evaluation/waiters.h"
#include "work/service/metrics.h"
#include "api/http/response_cache.h"


#define JUDGE_RESPONSE_MAX    32768    /* bytes of a response with its key */
#define JUDGE_RESPONSE_SHARE  4096     /* bytes of the cache for each slot */
#define JUDGE_RESPONSE_TAG    24
#define JUDGE_RESPONSE_TTL    60000    /* ms that a report is valid */
#define JUDGE_RESPONSE_FLEET  10000    /* the same, if other nodes write */

typedef struct {
    char                 *data;        /* key and body; NULL: an empty slot */
    size_t                key;         /* bytes of the key */
    size_t                body;        /* of the body; 0: it was a 304 */
    char                  tag[JUDGE_RESPONSE_TAG]; /* quoted, or empty */
    judge_ms_t            until;
    judge_data_version_t  version;
} judge_response_slot_t;

struct judge_response_cache {
    size_t                 max;        /* bytes */
    size_t                 bytes;      /* sum of keys and bodies */
    size_t                 used;
    size_t                 next;       /* slot to be emptied next */
    size_t                 n;
    judge_response_slot_t  slots[];
};


judge_response_cache_t *
judge_response_cache_create(size_t bytes)
{
    size_t                   n;
    judge_response_cache_t  *cache;

    n = bytes / JUDGE_RESPONSE_SHARE;
    cache = calloc(1, sizeof(judge_response_cache_t)
                      + n * sizeof(judge_response_slot_t));
    if (cache) {
        cache->n = n;
        cache->max = bytes;
    }

    return cache;
}


static void
judge_response_drop(judge_response_cache_t *cache, judge_response_slot_t *slot)
{
    if (slot->data) {
        cache->used--;
        cache->bytes -= slot->key + slot->body;
        free(slot->data);
        memset(slot, 0, sizeof(judge_response_slot_t));
    }
}


void
judge_response_cache_destroy(judge_response_cache_t *cache)
{
    size_t  i;

    for (i = 0; cache && i < cache->n; i++) {
        judge_response_drop(cache, &cache->slots[i]);
    }

    free(cache);
}


static judge_response_slot_t *
judge_response_slot(const judge_req_t *r)
{
    uint64_t                 hash;
    judge_response_cache_t  *cache = r->service->responses;

    hash = judge_fnv(JUDGE_FNV_START, r->response.key.data,
                     r->response.key.len);

    return &cache->slots[judge_mix(hash) % cache->n];
}


/* Sends a copy, because another response may replace the slot's.  false: the
 * request was not answered. */

static bool
judge_response_send(judge_req_t *r, const judge_response_slot_t *slot)
{
    bool         known;
    judge_str_t  tag, body;

    tag = judge_str_dup(r->arena, judge_str_c(slot->tag));
    known = tag.len
            && judge_etag_matches(r->headers[JUDGE_HEADER_IF_NONE_MATCH],
                                  (judge_str_t) { tag.len - 2, tag.data + 1 },
                                  true);
    body = known ? JUDGE_STR("")
           : judge_str_dup(r->arena, (judge_str_t) { slot->body,
                                                     slot->data + slot->key });
    if (tag.data == NULL || body.data == NULL || (!known && body.len == 0)) {
        return false;
    }

    judge_metrics_add(r->service->metrics, JUDGE_METRIC_REMEMBERED, 1);
    if (tag.len) {
        judge_reply_header(r, "ETag", tag);
    }

    if (known) {
        judge_reply_empty(r, 304);
    } else {
        judge_reply_raw(r, 200, body);
    }

    return true;
}


static bool
judge_response_find(judge_req_t *r)
{
    judge_buf_t                    buf;
    const judge_response_slot_t   *slot;
    const judge_response_cache_t  *cache = r->service->responses;

    if (cache == NULL || cache->n == 0) {
        return false;
    }

    judge_buf_init(&buf, r->arena);
    judge_buf_append(&buf, r->org.data, r->org.len);
    judge_buf_append(&buf, r->path.data, r->path.len);
    if (r->query.data) {
        judge_buf_append(&buf, "?", 1);
        judge_buf_append(&buf, r->query.data, r->query.len);
    }

    r->response.key = judge_buf_view(&buf);
    if (r->response.key.data == NULL) {
        return false;
    }

    slot = judge_response_slot(r);

    return slot->data
           && judge_str_eq((judge_str_t) { slot->key, slot->data },
                           r->response.key)
           && memcmp(&slot->version, &r->response.version,
                     sizeof(judge_data_version_t)) == 0
           && judge_now(r->service) < slot->until
           && judge_response_send(r, slot);
}


bool
judge_response_of_route(judge_req_t *r)
{
    const judge_store_t  *store = &r->service->store;

    r->response.until = INT64_MAX;

    return store->version != NULL
           && store->version(store->data, &r->response.version)
           && judge_response_find(r);
}


/* The judge's counter is noted before anything is read. */

bool
judge_response_of_judge(judge_req_t *r, judge_str_t judge_id, int64_t version)
{
    r->response.version = (judge_data_version_t) { .words = {
        judge_waiters_changes(r->service, judge_id), (uint64_t) version
    } };
    r->response.until = judge_now(r->service)
                        + (r->service->settings.fleet ? JUDGE_RESPONSE_FLEET
                                                      : JUDGE_RESPONSE_TTL);

    return judge_response_find(r);
}


void
judge_response_keep(judge_req_t *r)
{
    char                    *data;
    size_t                   i, size;
    judge_str_t              tag, key = r->response.key;
    judge_str_t              body = r->answer.body;
    judge_response_slot_t   *slot;
    judge_response_cache_t  *cache = r->service->responses;

    tag = JUDGE_STR("");
    for (i = r->common; i < r->answer.nheaders; i++) {
        tag = r->answer.headers[i].value;
        if (strcmp(r->answer.headers[i].name, "ETag") != 0 || tag.len < 2) {
            return;
        }
    }

    size = key.len + body.len;
    if (key.data == NULL || size > JUDGE_RESPONSE_MAX || size > cache->max
        || tag.len >= JUDGE_RESPONSE_TAG
        || (r->answer.status != 200 && r->answer.status != 304))
    {
        return;
    }

    data = malloc(size);
    if (data == NULL) {
        return;
    }

    memcpy(data, key.data, key.len);
    if (body.len) {
        memcpy(data + key.len, body.data, body.len);
    }

    slot = judge_response_slot(r);
    judge_response_drop(cache, slot);

    while (cache->bytes + size > cache->max) {
        judge_response_drop(cache, &cache->slots[cache->next]);
        cache->next = (cache->next + 1) % cache->n;
    }

    *slot = (judge_response_slot_t) {
        .data = data, .key = key.len, .body = body.len,
        .until = r->response.until, .version = r->response.version
    };
    memcpy(slot->tag, tag.data, tag.len);

    cache->used++;
    cache->bytes += size;
    judge_metrics_set_cache(r->service, JUDGE_CACHE_ANSWERS, cache->used,
                            cache->bytes);
}
