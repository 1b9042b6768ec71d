/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A cache, in each worker, of answers to GET requests.  An answer is reused as
 * long as no process has committed anything since the snapshot that it was
 * made from, which can be checked without a lock or a transaction.  The cache
 * is asked after the key, its permission and its rate have been checked.
 */


#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "work/evaluation/waiters.h"
#include "work/service/metrics.h"
#include "api/http/request.h"


#define JUDGE_ANSWERS_BYTES  8192      /* size of an answer, at most */
#define JUDGE_ANSWERS_TAG    24
#define JUDGE_REPORT_BYTES   32768     /* size of a report, at most; a quarter
                                          of the cache is for reports */
#define JUDGE_REPORT_TTL     60000     /* ms */
#define JUDGE_REPORT_FLEET   10000     /* ms, if other nodes write, too */

typedef struct {
    const judge_route_t  *route;       /* NULL: an empty slot */
    judge_store_seen_t    version;
    judge_id_t            org;
    judge_id_t            id;
    char                  tag[JUDGE_ANSWERS_TAG];  /* quoted, or empty */
    size_t                len;
    char                 *body;        /* NULL: the answer was a 304 */
} judge_answers_slot_t;

typedef struct {
    char                 *key;         /* NULL: an empty slot */
    judge_report_t        seen;
    judge_ms_t            until;
    size_t                len;
    char                 *body;        /* in the allocation of `key` */
} judge_answers_report_t;

struct judge_answers {
    size_t                n;
    size_t                nreports;
    judge_answers_report_t  *reports;
    size_t                used;
    size_t                bytes;       /* sum of the bodies */
    judge_answers_slot_t  slots[];
};




judge_answers_t *
judge_answers_create(size_t bytes)
{
    size_t            n, nreports;
    judge_answers_t  *answers;

    nreports = bytes / 4 / JUDGE_REPORT_BYTES;
    n = (bytes - nreports * JUDGE_REPORT_BYTES) / JUDGE_ANSWERS_BYTES;
    answers = calloc(1, sizeof(judge_answers_t)
                        + n * sizeof(judge_answers_slot_t));
    if (answers) {
        answers->n = n;
        answers->reports = calloc(nreports, sizeof(judge_answers_report_t));
        answers->nreports = answers->reports ? nreports : 0;
    }

    return answers;
}


void
judge_answers_destroy(judge_answers_t *answers)
{
    size_t  i;

    for (i = 0; answers && i < answers->n; i++) {
        free(answers->slots[i].body);
    }

    for (i = 0; answers && i < answers->nreports; i++) {
        free(answers->reports[i].key);
    }

    if (answers) {
        free(answers->reports);
    }
    free(answers);
}


/* NULL: the answer to this request is never cached. */

static judge_answers_slot_t *
judge_answers_slot(judge_req_t *r)
{
    uint64_t          hash;
    judge_answers_t  *answers = r->service->answers;

    if (answers == NULL || answers->n == 0 || r->query.data
        || !(r->route->flags & JUDGE_ROUTE_REMEMBERED)
        || r->service->store.version == NULL)
    {
        return NULL;
    }

    hash = judge_fnv(JUDGE_FNV_START, r->params[0].data, r->params[0].len);

    return &answers->slots[hash % answers->n];
}


bool
judge_answers_find(judge_req_t *r)
{
    bool                   known;
    judge_str_t            body, tag;
    judge_store_seen_t     now;
    judge_answers_slot_t  *slot;

    slot = judge_answers_slot(r);

    if (slot == NULL || slot->route != r->route
        || !judge_str_eq(judge_id_str(&slot->id), r->params[0])
        || !judge_str_eq(judge_id_str(&slot->org), r->org)
        || !r->service->store.version(r->service->store.data, false, &now)
        || memcmp(&now, &slot->version, sizeof(now)) != 0)
    {
        return false;
    }

    tag = (judge_str_t) { 0, NULL };
    if (slot->tag[0]) {
        tag = judge_str_dup(r->arena, judge_str_c(slot->tag));
    }

    known = tag.data
            && judge_etag_matches(r->headers[JUDGE_HEADER_IF_NONE_MATCH],
                                  (judge_str_t) { tag.len - 2, tag.data + 1 },
                                  true);

    /* A copy is sent, because another answer may replace the slot's. */
    body = known || slot->body == NULL
           ? (judge_str_t) { 0, NULL }
           : judge_str_dup(r->arena, (judge_str_t) { slot->len, slot->body });

    if ((!known && body.data == NULL) || (slot->tag[0] && tag.data == NULL)) {
        return false;
    }

    judge_metrics_add(r->service->metrics, JUDGE_METRIC_REMEMBERED, 1);
    judge_reply_header(r, "ETag", tag);

    if (known) {
        judge_reply_empty(r, 304);
    } else {
        judge_reply_raw(r, 200, body);
    }

    return true;
}


void
judge_answers_keep(judge_req_t *r)
{
    char                  *body;
    size_t                 i;
    judge_str_t            tag;
    judge_answers_t       *answers = r->service->answers;
    judge_store_seen_t     version;
    judge_answers_slot_t  *slot;

    slot = judge_answers_slot(r);

    if (slot == NULL
        || (r->answer.status != 200 && r->answer.status != 304)
        || r->answer.body.len > JUDGE_ANSWERS_BYTES
        || !r->service->store.version(r->service->store.data, true, &version))
    {
        return;
    }

    tag = JUDGE_STR("");
    for (i = r->common; i < r->answer.nheaders; i++) {
        if (strcmp(r->answer.headers[i].name, "ETag") != 0
            || r->answer.headers[i].value.len < 2
            || r->answer.headers[i].value.len >= JUDGE_ANSWERS_TAG)
        {
            return;
        }
        tag = r->answer.headers[i].value;
    }

    body = NULL;

    if (r->answer.status == 200) {
        body = malloc(r->answer.body.len);
        if (body == NULL) {
            return;
        }
        memcpy(body, r->answer.body.data, r->answer.body.len);
    }

    answers->used += slot->route == NULL;
    answers->bytes += r->answer.body.len - slot->len;
    judge_metrics_cache(r->service, JUDGE_CACHE_ANSWERS, answers->used,
                        answers->bytes);
    free(slot->body);
    memset(slot, 0, sizeof(judge_answers_slot_t));
    memcpy(slot->tag, tag.data, tag.len);
    judge_id_set(&slot->org, r->org);
    judge_id_set(&slot->id, r->params[0]);
    slot->route = r->route;
    slot->version = version;
    slot->body = body;
    slot->len = r->answer.body.len;
}


/* --- Reports ------------------------------------------------------------- */

/* Returns the slot and its key, in the request's arena; NULL: no cache. */

static judge_answers_report_t *
judge_report_slot(judge_req_t *r, judge_str_t *key)
{
    uint64_t          hash;
    judge_answers_t  *answers = r->service->answers;

    *key = judge_str_printf(r->arena, "%.*s %.*s?%.*s", (int) r->org.len,
                            r->org.data, (int) r->path.len, r->path.data,
                            (int) r->query.len,
                            r->query.data ? r->query.data : "");
    if (key->data == NULL || answers == NULL || answers->nreports == 0) {
        return NULL;
    }

    hash = judge_mix(judge_fnv(JUDGE_FNV_START, key->data, key->len));

    return &answers->reports[hash % answers->nreports];
}


bool
judge_report_find(judge_req_t *r, judge_str_t judge_id, int64_t version,
    judge_report_t *seen)
{
    judge_str_t              key;
    judge_answers_report_t  *slot;

    seen->changes = judge_waiters_changes(r->service, judge_id);
    seen->version = version;
    slot = judge_report_slot(r, &key);

    if (slot == NULL || slot->key == NULL || !judge_str_eq_c(key, slot->key)
        || slot->seen.changes != seen->changes
        || slot->seen.version != version
        || slot->until <= judge_now(r->service))
    {
        return false;
    }

    judge_metrics_add(r->service->metrics, JUDGE_METRIC_REMEMBERED, 1);
    judge_reply_kept(r, (judge_str_t) { slot->len, slot->body });

    return true;
}


void
judge_report_keep(judge_req_t *r, const judge_report_t *seen)
{
    char                    *copy;
    judge_str_t              key;
    judge_answers_t         *answers = r->service->answers;
    judge_answers_report_t  *slot;

    slot = judge_report_slot(r, &key);
    if (slot == NULL
        || key.len + 1 + r->answer.body.len > JUDGE_REPORT_BYTES)
    {
        return;
    }

    copy = malloc(key.len + 1 + r->answer.body.len);
    if (copy == NULL) {
        return;
    }

    memcpy(copy, key.data, key.len);
    copy[key.len] = '\0';
    memcpy(copy + key.len + 1, r->answer.body.data, r->answer.body.len);

    answers->used += slot->key == NULL;
    answers->bytes += r->answer.body.len - slot->len;
    judge_metrics_cache(r->service, JUDGE_CACHE_ANSWERS, answers->used,
                        answers->bytes);
    free(slot->key);
    *slot = (judge_answers_report_t) {
        .key = copy, .seen = *seen, .body = copy + key.len + 1,
        .len = r->answer.body.len, .until = judge_now(r->service)
            + (r->service->settings.fleet ? JUDGE_REPORT_FLEET
                                          : JUDGE_REPORT_TTL)
    };
}
