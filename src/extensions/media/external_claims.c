/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Work for external workers: evaluations of video, audio and images are
 * claimed under a lease, which the worker prolongs while it works, or releases
 * if it can't do the work.  The result comes by the callback. */


#include <string.h>

#include "store/store_external.h"
#include "work/evaluation/waiters.h"
#include "work/render/evaluation_json.h"
#include "work/render/resource_json.h"
#include "extensions/media/extension_media.h"


#define JUDGE_CLAIM_LEASE     60       /* s */
#define JUDGE_CLAIM_LEASE_MAX 600
#define JUDGE_CLAIM_WAIT_MAX  60       /* s */
#define JUDGE_CLAIM_POLL      250      /* ms between two peeks, at least */
#define JUDGE_CLAIM_IDLE      1000     /* ms between two peeks, at most: the
                                          end of a lease is not notified */
#define JUDGE_CLAIM_FILE      3600000  /* ms: validity of a download address */
#define JUDGE_RELEASE_MAX     3600     /* s */

#define JUDGE_WORK_MISSING    "there is no such evaluation"
#define JUDGE_WORK_NOT_HELD                                                   \
    "lease_id: the evaluation has ended, or it is in the hands of another"    \
    " worker"


typedef struct {
    judge_list_t        kinds;
    judge_list_t        sources;
    judge_integer_t     max;
    judge_integer_t     wait;
    judge_integer_t     lease;
    judge_id_t          lease_id;
    judge_ms_t          deadline;
    judge_waiter_t      waiter;
    judge_work_peek_t   peek;
    judge_work_claim_t  claim;
} judge_external_claims_claim_t;

typedef struct {
    judge_integer_t       lease;
    judge_number_t        progress;
    judge_work_prolong_t  prolong;
} judge_external_claims_prolong_t;

typedef struct {
    judge_integer_t       delay;
    judge_str_t           reason;
    judge_work_release_t  release;
} judge_external_claims_release_t;


static void judge_external_claims_claim(judge_req_t *r);
static void judge_external_claims_peeked(judge_req_t *r);
static void judge_external_claims_woken(judge_waiter_t *waiter);
static void judge_external_claims_taken(judge_req_t *r);
static bool judge_external_claims_prolong(judge_req_t *r);
static void judge_external_claims_prolonged(judge_req_t *r,
    judge_json_writer_t *w);
static bool judge_external_claims_release(judge_req_t *r);


static const judge_field_t  judge_external_claims_claim_fields[] = {
    judge_field_strings(judge_external_claims_claim_t, kinds, 0, 1, 3, 20),
    judge_field_strings(judge_external_claims_claim_t, sources, 0, 1, 3, 20),
    judge_field(judge_external_claims_claim_t, max, INTEGER, 0, 1,
                JUDGE_WORK_CLAIMS),
    judge_field(judge_external_claims_claim_t, wait, INTEGER, 0, 0,
                JUDGE_CLAIM_WAIT_MAX),
    judge_field(judge_external_claims_claim_t, lease, INTEGER, 0, 1,
                JUDGE_CLAIM_LEASE_MAX),
    { .name = NULL }
};

static const judge_field_t  judge_external_claims_prolong_fields[] = {
    judge_field_as("lease_id", judge_external_claims_prolong_t,
                   prolong.lease.owner, STRING, JUDGE_REQUIRED, 1, 200),
    judge_field(judge_external_claims_prolong_t, lease, INTEGER, 0, 1,
                JUDGE_CLAIM_LEASE_MAX),
    judge_field_as("progress_percentage", judge_external_claims_prolong_t,
                   progress, NUMBER, 0, 0, 100),
    { .name = NULL }
};

static const judge_field_t  judge_external_claims_release_fields[] = {
    judge_field_as("lease_id", judge_external_claims_release_t, release.owner,
                   STRING, JUDGE_REQUIRED, 1, 200),
    judge_field(judge_external_claims_release_t, delay, INTEGER, 0, 0,
                JUDGE_RELEASE_MAX),
    judge_field(judge_external_claims_release_t, reason, STRING, 0, 1, 500),
    { .name = NULL }
};


const judge_route_t  judge_work_routes[] = {
    { judge_route(POST, "/work/claim", JUDGE_MAY_CLAIM_WORK,
                  JUDGE_ROUTE_OPTIONAL_BODY, judge_external_claims_claim_t),
      .body = judge_external_claims_claim_fields,
      .handler = judge_external_claims_claim },
    { judge_route(POST, "/work/{evaluation_id}/heartbeat",
                  JUDGE_MAY_CLAIM_WORK, 0, judge_external_claims_prolong_t),
      .body = judge_external_claims_prolong_fields,
      .op = { .kind = JUDGE_OP_WORK_PROLONG,
              .op = offsetof(judge_external_claims_prolong_t, prolong.op),
              .prepare = judge_external_claims_prolong,
              .missing = JUDGE_WORK_MISSING, .conflict = JUDGE_WORK_NOT_HELD,
              .write = judge_external_claims_prolonged } },
    { judge_route(POST, "/work/{evaluation_id}/release", JUDGE_MAY_CLAIM_WORK,
                  0, judge_external_claims_release_t),
      .body = judge_external_claims_release_fields,
      .op = { .kind = JUDGE_OP_WORK_RELEASE,
              .op = offsetof(judge_external_claims_release_t, release.op),
              .prepare = judge_external_claims_release,
              .missing = JUDGE_WORK_MISSING,
              .conflict = JUDGE_WORK_NOT_HELD } },
    { .pattern = NULL }
};


/* --- POST /work/claim ---------------------------------------------------- */

static bool
judge_external_claims_listed(const judge_list_t *list, const char *word)
{
    size_t  i;

    for (i = 0; i < list->count; i++) {
        if (judge_str_eq_c(((judge_str_t *) list->items)[i], word)) {
            return true;
        }
    }

    return !list->set;
}


/* Without a list, all kinds or sources are accepted. */

static bool
judge_external_claims_filter(judge_req_t *r)
{
    size_t                          i, n, known;
    judge_work_filter_t            *filter;
    judge_external_claims_claim_t  *c = r->ctx;
    static const char *const        kinds[] = { "video", "audio", "image" };
    static const char *const        sources[] = { "file", "social_media" };

    filter = &c->claim.filter;

    for (i = 0, n = 0; i < JUDGE_WORK_KINDS; i++) {
        if (judge_external_claims_listed(&c->kinds, kinds[i])) {
            filter->kinds[n++] = judge_str_c(kinds[i]);
        }
    }

    for (i = 0, known = 0; i < 2; i++) {
        if (judge_external_claims_listed(&c->sources, sources[i])) {
            filter->sources |= 1 << i;
            known++;
        }
    }

    if (c->kinds.set && n != c->kinds.count) {
        return judge_fail(r, 400, "kinds: expected video, audio and image,"
                          " each once at most");
    }

    if (c->sources.set && known != c->sources.count) {
        return judge_fail(r, 400, "sources: expected file and social_media,"
                          " each once at most");
    }

    return true;
}


/* Peeks first, because a claim is a write even if it finds nothing. */

static void
judge_external_claims_peek(judge_req_t *r)
{
    judge_external_claims_claim_t  *c = r->ctx;

    memset(&c->peek, 0, sizeof(judge_work_peek_t));
    c->peek.op.kind = JUDGE_OP_WORK_PEEK;
    c->peek.filter = c->claim.filter;
    c->peek.now = judge_now(r->service);
    c->waiter.commits = judge_waiters_commits(r->service);
    judge_await(r, &c->peek.op, judge_external_claims_peeked);
}


static void
judge_external_claims_claim(judge_req_t *r)
{
    judge_ms_t                      now;
    judge_external_claims_claim_t  *c = r->ctx;

    now = judge_now(r->service);
    c->deadline = now + c->wait.value * 1000;

    if (!judge_external_claims_filter(r)) {
        return;
    }

    if (judge_id_make(&c->lease_id, "lea", now) != JUDGE_OK) {
        judge_fail_rc(r, JUDGE_ERROR);
        return;
    }

    judge_external_claims_peek(r);
}


static void
judge_external_claims_take(judge_req_t *r)
{
    judge_external_claims_claim_t  *c = r->ctx;
    judge_work_claim_t             *claim = &c->claim;

    claim->op.kind = JUDGE_OP_WORK_CLAIM;
    claim->lease.owner = judge_id_str(&c->lease_id);
    claim->now = judge_now(r->service);
    claim->lease.until = claim->now + 1000 * (c->lease.set
                                              ? c->lease.value
                                              : JUDGE_CLAIM_LEASE);
    claim->aging = r->service->settings.aging;
    claim->attempts = r->service->settings.attempts;
    claim->limit = c->max.set ? c->max.value : 1;
    claim->nfound = claim->count = 0;
    claim->found = NULL;
    claim->shared = false;
    judge_await(r, &claim->op, judge_external_claims_taken);
}


static void
judge_external_claims_answer(judge_req_t *r)
{
    size_t                          i;
    judge_json_writer_t            *w;
    judge_external_claims_claim_t  *c = r->ctx;
    const judge_work_item_t        *item = c->claim.items;

    w = judge_reply_begin(r, 200);
    judge_json_key_array(w, "work");

    for (i = 0; i < c->claim.count; i++, item++) {
        if (item->criteria.data == NULL) {
            continue;
        }

        judge_json_object(w);
        judge_json_put_str(w, "lease_id", judge_id_str(&c->lease_id));
        judge_json_put_time(w, "lease_expires_at", c->claim.lease.until);
        judge_json_put_int(w, "attempt", item->attempts);
        judge_external_json(w, r->service, r->base_url, r->org, item,
                            judge_now(r->service) + JUDGE_CLAIM_FILE);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_reply_end(r);
}


static void
judge_external_claims_peeked(judge_req_t *r)
{
    judge_ms_t                      now;
    judge_external_claims_claim_t  *c = r->ctx;

    now = judge_now(r->service);

    if (c->peek.pending) {
        judge_external_claims_take(r);
        return;
    }

    if (judge_waiters_over(now, c->deadline, c->wait.value * 1000)
        || r->service->stopped)
    {
        judge_external_claims_answer(r);
        return;
    }

    c->waiter = (judge_waiter_t) {
        .until = judge_auth_until(r, now + JUDGE_CLAIM_IDLE < c->deadline
                                     ? now + JUDGE_CLAIM_IDLE : c->deadline),
        .after = now + JUDGE_CLAIM_POLL,
        .commits = c->waiter.commits,
        .notify = judge_external_claims_woken, .data = r
    };

    judge_hold_queued(r);
    judge_waiters_add(r->service, &c->waiter);
}


static void
judge_external_claims_woken(judge_waiter_t *waiter)
{
    judge_req_t  *r = waiter->data;

    if (judge_release_queued(r)) {
        judge_auth_recheck(r, judge_external_claims_peek);
    }
}


/* A claim may be empty: all evaluations found had been tried too often and
 * have failed, or another worker was faster.  Then the request keeps
 * waiting. */

static void
judge_external_claims_taken(judge_req_t *r)
{
    judge_external_claims_claim_t  *c = r->ctx;

    if (c->claim.count) {
        judge_external_claims_answer(r);
        return;
    }

    if (c->claim.nfound) {
        judge_external_claims_peek(r);
        return;
    }

    c->peek.pending = false;
    judge_external_claims_peeked(r);
}


/* --- POST /work/{evaluation_id}/heartbeat -------------------------------- */

/* PostgreSQL demands UTF-8, and the bytes of a path may be anything. */

static bool
judge_external_claims_named(judge_req_t *r, judge_str_t *id)
{
    if (!judge_id_wellformed(r->params[0], "evl")) {
        return judge_fail(r, 404, "%s", JUDGE_WORK_MISSING);
    }

    *id = r->params[0];
    return true;
}


static bool
judge_external_claims_prolong(judge_req_t *r)
{
    judge_external_claims_prolong_t  *c = r->ctx;

    if (!judge_external_claims_named(r, &c->prolong.id)) {
        return false;
    }

    c->prolong.progress = c->progress.value;
    c->prolong.lease.until = judge_now(r->service)
                             + 1000 * (c->lease.set ? c->lease.value
                                                    : JUDGE_CLAIM_LEASE);

    return true;
}


static void
judge_external_claims_prolonged(judge_req_t *r, judge_json_writer_t *w)
{
    judge_external_claims_prolong_t  *c = r->ctx;

    judge_json_put_id(w, "evaluation_id", c->prolong.id);
    judge_json_put_str(w, "lease_id", c->prolong.lease.owner);
    judge_json_put_time(w, "lease_expires_at", c->prolong.lease.until);
}


/* --- POST /work/{evaluation_id}/release ---------------------------------- */

static bool
judge_external_claims_release(judge_req_t *r)
{
    judge_ms_t                        now;
    judge_failure_t                   failure;
    judge_external_claims_release_t  *c = r->ctx;

    if (!judge_external_claims_named(r, &c->release.id)) {
        return false;
    }

    now = judge_now(r->service);
    failure = (judge_failure_t) {
        .code = "GIVEN_BACK",
        .message = c->reason.data
                   ? c->reason
                   : JUDGE_STR("the worker gave it back and did not say why")
    };

    c->release.again_at = now + 1000 * c->delay.value;
    c->release.last_error = judge_evaluation_error(r->arena, &failure, now);

    return judge_check(r, c->release.last_error.data ? JUDGE_OK : JUDGE_NOMEM,
                       NULL);
}
