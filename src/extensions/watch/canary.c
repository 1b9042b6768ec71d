/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints that begin and end a canary: a version of a judge that scores
 * a share of the evaluations in addition to the active one. */


#include "store/store_watch.h"
#include "api/evaluations/model_choice.h"
#include "api/judges/judge_version.h"
#include "extensions/watch/watch.h"


#define JUDGE_CANARY_SHARE  0.1

typedef struct {
    judge_integer_t        version;
    judge_number_t         share;
    judge_judge_find_t     base;
    judge_judge_find_t     find;
    judge_model_choice_t   choice;
    judge_canary_create_t  create;
} judge_canary_begin_t;

typedef struct {
    judge_canary_find_t     find;
    judge_canary_promote_t  promote;
} judge_canary_end_t;


static void judge_canary_base(judge_req_t *r);
static void judge_canary_version(judge_req_t *r);
static void judge_canary_begun(judge_req_t *r);
static void judge_canary_promote(judge_req_t *r);
static void judge_canary_promoted(judge_req_t *r);


#define JUDGE_CANARY_NONE                                                     \
    "there is no such judge, or no canary of it"

static const judge_field_t  judge_canary_fields[] = {
    judge_field(judge_canary_begin_t, version, INTEGER, JUDGE_REQUIRED, 1,
                INT32_MAX),
    judge_field(judge_canary_begin_t, share, NUMBER, JUDGE_EXCLUSIVE, 0, 1),
    { .name = NULL }
};

const judge_route_t  judge_canary_routes[] = {
    { judge_route(POST, "/judges/{judge_id}/canary", JUDGE_MAY_WRITE_JUDGES, 0,
                  judge_canary_begin_t),
      .body = judge_canary_fields, .resource = &judge_judges_resource,
      .location = "/judges/{id}/canary",
      .op = { judge_route_op(JUDGE_OP_JUDGE_FIND, judge_canary_begin_t,
                             base.),
              .next = judge_canary_base } },
    { judge_route(POST, "/judges/{judge_id}/canary/promote",
                  JUDGE_MAY_WRITE_JUDGES, JUDGE_ROUTE_OPTIONAL_BODY,
                  judge_canary_end_t),
      .resource = &judge_judges_resource,
      .op = { judge_route_run(JUDGE_OP_CANARY_FIND, judge_canary_end_t, find.),
              .id = offsetof(judge_canary_end_t, find.judge_id),
              .flag = offsetof(judge_canary_end_t, find.brief),
              .missing = JUDGE_CANARY_NONE, .next = judge_canary_promote } },
    { judge_route(DELETE, "/judges/{judge_id}/canary", JUDGE_MAY_WRITE_JUDGES,
                  0, judge_canary_drop_t),
      .resource = &judge_judges_resource,
      .op = { judge_route_run(JUDGE_OP_CANARY_DROP, judge_canary_drop_t, ),
              .id = offsetof(judge_canary_drop_t, judge_id),
              .missing = JUDGE_CANARY_NONE } },
    { .pattern = NULL }
};


/* --- Beginning ----------------------------------------------------------- */

static void
judge_canary_base(judge_req_t *r)
{
    judge_canary_begin_t  *c = r->ctx;

    if (!judge_str_eq_c(c->base.row.content_type, "text")) {
        judge_fail(r, 400, "only a judge of texts can have a canary: what this"
                           " one judges is measured by external workers");
        return;
    }

    if (c->version.value == c->base.row.version) {
        judge_fail(r, 400, "version: expected another version of the judge"
                           " than the active one, which is %lld",
                   (long long) c->version.value);
        return;
    }

    c->find.op.kind = JUDGE_OP_JUDGE_FIND;
    c->find.id = c->base.id;
    c->find.version = c->version.value;
    judge_await(r, &c->find.op, judge_canary_version);
}


/* Whether the built-in engine judges by this version; false: the request has
 * been answered. */

static bool
judge_canary_builtin(judge_req_t *r, const judge_judge_row_t *row)
{
    judge_judge_model_t     wants = { .model = row->model };
    judge_canary_begin_t   *c = r->ctx;
    judge_evaluation_row_t  evaluation = { .model = { 0, NULL } };

    if (!judge_model_choice_apply(r, &c->choice, &wants, row->default_model,
                                  row->content_type, &evaluation))
    {
        return false;
    }

    if (evaluation.model.data) {
        return judge_fail(r, 400, "version: expected two versions that the"
                          " built-in engine judges by, but %lld asks the"
                          " language model \"%.*s\"", (long long) row->version,
                          judge_str_args(evaluation.model));
    }

    return true;
}


static void
judge_canary_version(judge_req_t *r)
{
    judge_canary_begin_t  *c = r->ctx;

    if (c->find.op.rc == JUDGE_NOT_FOUND) {
        judge_fail(r, 400, "version: the judge has no version %lld",
                   (long long) c->version.value);
        return;
    }

    if (!judge_canary_builtin(r, &c->base.row)
        || !judge_canary_builtin(r, &c->find.row))
    {
        return;
    }

    c->create = (judge_canary_create_t) {
        .op.kind = JUDGE_OP_CANARY_CREATE,
        .judge_id = c->base.id, .base = c->base.row.version,
        .version = c->version.value, .now = judge_now(r->service),
        .share = c->share.set ? c->share.value : JUDGE_CANARY_SHARE
    };
    judge_await(r, &c->create.op, judge_canary_begun);
}


static void
judge_canary_begun(judge_req_t *r)
{
    judge_json_writer_t    *w;
    judge_canary_begin_t   *c = r->ctx;

    if (c->create.op.rc == JUDGE_CONFLICT) {
        judge_fail(r, 409, "the judge has another canary; promote or drop it"
                           " first");
        return;
    }

    if (c->create.op.rc == JUDGE_STALE) {
        judge_fail(r, 409, "another version of the judge became active"
                           " meanwhile; look at it, and ask again");
        return;
    }

    if (judge_check(r, c->create.op.rc, NULL)) {
        w = judge_reply_begin(r, 201);
        judge_json_put_str(w, "judge_id", c->create.judge_id);
        judge_json_put_int(w, "version", c->create.version);
        judge_json_put_int(w, "active_version", c->create.base);
        judge_json_put_number(w, "share", c->create.share);
        judge_reply_end(r);
    }
}


/* --- Ending -------------------------------------------------------------- */

static void
judge_canary_promote(judge_req_t *r)
{
    judge_canary_end_t  *c = r->ctx;

    c->promote = (judge_canary_promote_t) {
        .op.kind = JUDGE_OP_CANARY_PROMOTE, .judge_id = c->find.judge_id,
        .base = c->find.base, .version = c->find.version,
        .now = judge_now(r->service)
    };
    judge_await(r, &c->promote.op, judge_canary_promoted);
}


static void
judge_canary_promoted(judge_req_t *r)
{
    judge_json_writer_t  *w;
    judge_canary_end_t   *c = r->ctx;

    if (c->promote.op.rc == JUDGE_CONFLICT) {
        judge_fail(r, 409, "version %lld, which the canary was compared with,"
                   " is not active any more; drop the canary, and activate"
                   " version %lld if that is still wanted",
                   (long long) c->find.base, (long long) c->find.version);
        return;
    }

    if (!judge_check(r, c->promote.op.rc, NULL)) {
        return;
    }

    judge_etag_version(r, c->promote.version);
    w = judge_reply_begin(r, 200);
    judge_json_put_id(w, "judge_id", c->promote.judge_id);
    judge_json_put_int(w, "version_number", c->promote.version);
    judge_json_put_time(w, "updated_at", c->promote.now);
    judge_json_put_str(w, "message",
                       judge_str_printf(r->arena, "version %lld is active",
                                        (long long) c->promote.version));
    judge_reply_end(r);
}
