/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints that give a judge a new version, make another version the
 * active one, or delete the judge.  Fields that an update leaves out stay as
 * they are in the active version. */


#include "base/text/number.h"
#include "api/evaluations/model_choice.h"
#include "api/http/request.h"
#include "api/judges/judge_version.h"


#define JUDGE_UPDATE_TRIES  5

typedef struct {
    judge_version_body_t  body;
    judge_judge_find_t    find;
    judge_version_t       before;
    judge_version_t       after;
    judge_str_t           summary;     /* of what has changed */
    judge_judge_update_t  update;
    int                   tries;
} judge_update_t;

typedef struct {
    judge_judge_find_t      find;
    judge_version_t         version;
    judge_judge_activate_t  activate;
} judge_update_activate_t;

typedef struct {
    judge_judge_find_t    find;
    judge_judge_delete_t  deletion;
} judge_update_delete_t;


static void judge_update(judge_req_t *r);
static void judge_update_find(judge_req_t *r);
static void judge_update_found(judge_req_t *r);
static void judge_update_done(judge_req_t *r);
static void judge_update_activate(judge_req_t *r);
static void judge_update_activate_found(judge_req_t *r);
static void judge_update_activated(judge_req_t *r);
static void judge_update_delete(judge_req_t *r);


const judge_route_t  judge_judge_update_routes[] = {
    { judge_route(PUT, "/judges/{judge_id}", JUDGE_MAY_WRITE_JUDGES,
                  JUDGE_ROUTE_OPTIONAL_BODY, judge_update_t),
      .body = judge_version_update_fields, .resource = &judge_judges_resource,
      .handler = judge_update },
    { judge_route(POST, "/judges/{judge_id}/versions/{version}/activate",
                  JUDGE_MAY_WRITE_JUDGES, 0, judge_update_activate_t),
      .resource = &judge_judges_resource,
      .handler = judge_update_activate,
      .op = { judge_route_op_now(JUDGE_OP_JUDGE_ACTIVATE,
                                 judge_update_activate_t, activate.),
              .next = judge_update_activated } },
    { judge_route(DELETE, "/judges/{judge_id}", JUDGE_MAY_WRITE_JUDGES, 0,
                  judge_update_delete_t),
      .resource = &judge_judges_resource, .handler = judge_update_delete,
      .op = { judge_route_op_now(JUDGE_OP_JUDGE_DELETE, judge_update_delete_t,
                                 deletion.),
              .conflict = "evaluations of this judge are under way; delete it"
                          " when they have ended" } },
    { .pattern = NULL }
};


static void
judge_update_checked(judge_req_t *r)
{
    judge_version_check_stored(r, judge_update_find);
}


static void
judge_update(judge_req_t *r)
{
    judge_version_check(r, judge_update_checked);
}


/* Also again, after a concurrent change: then nothing may be left of what was
 * read before, to which its references would be added. */

static void
judge_update_find(judge_req_t *r)
{
    judge_update_t  *c = r->ctx;

    c->find = (judge_judge_find_t) { .op = { .kind = JUDGE_OP_JUDGE_FIND },
                                     .id = r->params[0] };
    judge_await_found(r, &c->find.op, NULL, judge_update_found);
}


/* Whether If-Match, if it was sent, names the active version; false: the
 * request was answered with 412. */

static bool
judge_update_holds(judge_req_t *r, int64_t active)
{
    judge_str_t  tags = r->headers[JUDGE_HEADER_IF_MATCH];

    return tags.data == NULL || judge_etag_version_matches(tags, active, false)
           || judge_fail_rc(r, JUDGE_STALE);
}


static void
judge_update_answer(judge_req_t *r, const judge_version_t *made,
    int64_t active, int64_t version, judge_ms_t updated_at, const char *what)
{
    judge_json_writer_t  *w;

    judge_etag_version(r, active);

    w = judge_reply_begin(r, 200);
    judge_json_put_id(w, "judge_id", made->row.id);
    judge_json_put_int(w, "version_number", version);
    judge_json_put_time(w, "updated_at", updated_at);
    judge_json_put_str(w, "message",
                       judge_str_printf(r->arena, "version %lld %s",
                                        (long long) version, what));
    judge_version_warnings(w, made);
    judge_reply_end(r);
}


static void
judge_update_made(judge_req_t *r)
{
    judge_judge_row_t  *row;
    judge_update_t     *c = r->ctx;

    if (!judge_version_judged(r, &c->after)) {
        return;
    }

    row = &c->update.row;
    *row = c->after.row;

    if (c->summary.len == 0) {
        judge_update_answer(r, &c->after, row->version, row->version,
                            row->updated_at, "stays active: no changes, so no"
                            " new version was made");
        return;
    }

    row->version = row->latest + 1;
    row->version_created_at = row->updated_at = judge_now(r->service);
    row->changes_summary = c->summary;

    /* "learning" and "training" are not stored, but derived by reads. */
    row->status = JUDGE_STR("ready");
    c->update.inactive = c->body.activate.set && !c->body.activate.value;
    c->update.keep_model = judge_version_same_basis(&c->before, &c->after);

    c->update.op.kind = JUDGE_OP_JUDGE_UPDATE;
    judge_await(r, &c->update.op, judge_update_done);
}


/* Runs in a thread. */

static void
judge_update_make(judge_req_t *r)
{
    judge_update_t  *c = r->ctx;

    c->before.row = c->find.row;
    r->rc = judge_criteria_read(r->arena, c->find.row.criteria,
                                &c->before.criteria);

    r->rc = r->rc ? r->rc : judge_version_make(r, &c->before, &c->after,
                                               &r->error);

    if (r->rc == JUDGE_OK) {
        c->summary = judge_version_summary(r->arena, &c->before, &c->after);
        r->rc = c->summary.data ? JUDGE_OK : JUDGE_NOMEM;
    }
}


static void
judge_update_found(judge_req_t *r)
{
    judge_update_t     *c = r->ctx;
    judge_judge_row_t  *row = &c->find.row;

    if (judge_update_holds(r, row->version)
        && judge_model_choice_check(r, c->body.row.model, row->content_type)
        && judge_model_choice_asks(r, c->body.escalate.model))
    {
        judge_compute(r, judge_update_make, judge_update_made);
    }
}


/* Without If-Match a concurrent change is no conflict: the update is repeated
 * on top of the version that the change made. */

static void
judge_update_done(judge_req_t *r)
{
    judge_rc_e          rc;
    judge_update_t     *c = r->ctx;
    judge_judge_row_t  *row = &c->update.row;

    rc = c->update.op.rc;

    if (rc == JUDGE_OK) {
        judge_update_answer(r, &c->after, c->update.inactive ? row->active
                                                             : row->version,
                            row->version, row->updated_at,
                            c->update.inactive ? "was made and is not active"
                                               : "was made and is active");

    } else if (rc == JUDGE_STALE && ++c->tries < JUDGE_UPDATE_TRIES
               && r->headers[JUDGE_HEADER_IF_MATCH].data == NULL)
    {
        judge_update_find(r);

    } else {
        judge_fail_rc(r, rc);
    }
}


static void
judge_update_activate(judge_req_t *r)
{
    judge_update_activate_t  *c = r->ctx;

    if (judge_integer_parse(r->params[1], &c->find.version) != JUDGE_OK
        || c->find.version < 1)
    {
        judge_fail(r, 404, "there is no such version of the judge");
        return;
    }

    c->find.op.kind = JUDGE_OP_JUDGE_FIND;
    c->find.id = r->params[0];
    judge_await_found(r, &c->find.op, "there is no such judge, or no such"
                      " version of it", judge_update_activate_found);
}


/* Runs in a thread, as criteria may be megabytes. */

static void
judge_update_activate_read(judge_req_t *r)
{
    judge_update_activate_t  *c = r->ctx;

    c->version.row = c->find.row;
    r->rc = judge_criteria_read(r->arena, c->find.row.criteria,
                                &c->version.criteria);
}


static void
judge_update_activate_known(judge_req_t *r)
{
    judge_update_activate_t  *c = r->ctx;
    judge_judge_row_t        *row = &c->find.row;

    if (!judge_version_judged(r, &c->version)) {
        return;
    }

    if (row->version == row->active) {
        judge_update_answer(r, &c->version, row->version, row->version,
                            row->updated_at, "was active already");
        return;
    }

    c->activate.version = row->version;
    judge_resource_run(r);
}


static void
judge_update_activate_found(judge_req_t *r)
{
    judge_compute(r, judge_update_activate_read, judge_update_activate_known);
}


static void
judge_update_activated(judge_req_t *r)
{
    judge_update_activate_t  *c = r->ctx;

    judge_update_answer(r, &c->version, c->activate.version,
                        c->activate.version, c->activate.now, "is active");
}


static void
judge_update_delete_found(judge_req_t *r)
{
    judge_update_delete_t  *c = r->ctx;

    c->deletion.version = c->find.row.version;
    if (judge_update_holds(r, c->deletion.version)) {
        judge_resource_run(r);
    }
}


static void
judge_update_delete(judge_req_t *r)
{
    judge_update_delete_t  *c = r->ctx;

    if (r->headers[JUDGE_HEADER_IF_MATCH].data == NULL) {
        judge_resource_run(r);
        return;
    }

    c->find.op.kind = JUDGE_OP_JUDGE_FIND;
    c->find.id = r->params[0];
    judge_await_found(r, &c->find.op, NULL, judge_update_delete_found);
}
