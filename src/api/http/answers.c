/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Answers that a worker remembers.  One is given again as long as nothing was
 * committed since the snapshot it was made from began, by whichever process:
 * what can be asked for without a lock or a transaction.  It is found behind
 * the key, its permission and its rate.
 */


#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "work/service/metrics.h"
#include "api/http/request.h"


#define JUDGE_ANSWERS_BYTES  8192      /* of one, at most */
#define JUDGE_ANSWERS_TAG    24

typedef struct {
    const judge_route_t  *route;       /* NULL: an empty slot */
    judge_store_seen_t    version;
    judge_id_t            org;
    judge_id_t            id;
    char                  tag[JUDGE_ANSWERS_TAG];  /* quoted, or empty */
    size_t                len;
    char                 *body;        /* NULL: only the 304 is known */
} judge_answers_slot_t;

struct judge_answers {
    size_t                n;
    size_t                used;
    size_t                bytes;       /* of their bodies */
    judge_answers_slot_t  slots[];
};


static judge_answers_slot_t *judge_answers_slot(judge_req_t *r);


judge_answers_t *
judge_answers_create(size_t bytes)
{
    size_t            n;
    judge_answers_t  *answers;

    n = bytes / JUDGE_ANSWERS_BYTES;
    answers = calloc(1, sizeof(judge_answers_t)
                        + n * sizeof(judge_answers_slot_t));
    if (answers) {
        answers->n = n;
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

    free(answers);
}


/* NULL: this is not a request whose answer could be remembered. */

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

    /* The slot may be taken by another answer while this one is sent. */
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
