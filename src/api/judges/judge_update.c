/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A judge gets a new version, or another one of its versions becomes the
 * active one.  What a client leaves out of an update stays as it is in the
 * active version.
 */


#include "api/judges/judges.h"
#include "api/judges/version_diff.h"
#include "api/http/auth.h"
#include "api/http/await.h"
#include "api/http/resource.h"
#include "api/http/routes.h"
#include "base/text/number.h"


#define JUDGE_UPDATE_TRIES  5

typedef struct {
    judge_str_t           name;        /* absent: stays as it is */
    judge_str_t           description;
    judge_list_t          criteria;
    judge_list_t          references;
    judge_str_t           model;       /* "": the organization's from now on */
    judge_integer_t       samples;
    judge_references_check_t  check;
    judge_judge_find_t    find;
    judge_judge_update_t  update;
    int                   tries;
} judge_update_t;

typedef struct {
    judge_judge_find_t      find;
    judge_judge_activate_t  activate;
} judge_update_activate_t;

/* The active version, and what it is to become. */
typedef struct {
    judge_version_diff_side_t  before;
    judge_version_diff_side_t  after;
    judge_str_t                criteria;  /* of after, as JSON */
    judge_str_t                summary;
    judge_str_t                error;
    bool                       keep_model;  /* what it learned still applies */
} judge_update_change_t;


static void judge_update(judge_req_t *r);
static void judge_update_checked(judge_req_t *r);
static void judge_update_find(judge_req_t *r);
static void judge_update_found(judge_req_t *r);
static judge_rc_e judge_update_change(judge_req_t *r,
    judge_update_change_t *change);
static void judge_update_write(judge_req_t *r,
    const judge_update_change_t *change);
static void judge_update_done(judge_req_t *r);
static void judge_update_answer(judge_req_t *r, judge_str_t id,
    int64_t version, judge_ms_t updated_at, const char *what);
static void judge_update_activate(judge_req_t *r);
static void judge_update_activate_found(judge_req_t *r);
static void judge_update_activated(judge_req_t *r);
static void judge_update_stale(judge_req_t *r);


static const judge_field_t  judge_update_fields[] = {
    { .name = "name", .type = JUDGE_FIELD_STRING,
      .offset = offsetof(judge_update_t, name), .min = 1,
      .max = 200 },
    { .name = "description", .type = JUDGE_FIELD_STRING,
      .offset = offsetof(judge_update_t, description), .min = 0,
      .max = 5000 },
    judge_criteria_field(judge_update_t, criteria, 0),
    judge_references_field(judge_update_t, references),
    judge_judges_wish_fields(judge_update_t),
    { .name = NULL }
};


const judge_route_t  judge_judge_update_routes[] = {
    { .method = JUDGE_PUT, .pattern = "/judges/{judge_id}",
      .permission = JUDGE_MAY_WRITE_JUDGES,
      .flags = JUDGE_ROUTE_OPTIONAL_BODY,
      .ctx_size = sizeof(judge_update_t),
      .body = judge_update_fields, .resource = &judge_judges_resource,
      .handler = judge_update },
    { .method = JUDGE_POST,
      .pattern = "/judges/{judge_id}/versions/{version}/activate",
      .permission = JUDGE_MAY_WRITE_JUDGES,
      .ctx_size = sizeof(judge_update_activate_t),
      .resource = &judge_judges_resource,
      .handler = judge_update_activate },
    { .pattern = NULL }
};


static void
judge_update(judge_req_t *r)
{
    judge_update_t  *c = r->ctx;

    if (judge_judges_check(r, &c->criteria)) {
        judge_references_check(r, &c->references, &c->check,
                               judge_update_checked,
                               judge_update_find);
    }
}


static void
judge_update_checked(judge_req_t *r)
{
    judge_update_t  *c = r->ctx;

    if (judge_references_found(r, &c->check)) {
        judge_update_find(r);
    }
}


static void
judge_update_find(judge_req_t *r)
{
    judge_update_t  *c = r->ctx;

    c->find.op.kind = JUDGE_OP_JUDGE_FIND;
    c->find.id = r->params[0];
    judge_await(r, &c->find.op, judge_update_found);
}


static void
judge_update_found(judge_req_t *r)
{
    judge_rc_e              rc;
    judge_judge_row_t      *row;
    judge_update_change_t   change;
    judge_update_t  *c = r->ctx;

    row = &c->find.row;

    if (c->find.op.rc != JUDGE_OK) {
        judge_resource_missing(r);
        return;
    }

    if (r->headers[JUDGE_HEADER_IF_MATCH].data
        && !judge_judges_tagged(r->headers[JUDGE_HEADER_IF_MATCH],
                                row->version, false))
    {
        judge_update_stale(r);
        return;
    }

    if (!judge_model_wish_check(r, c->model, row->content_type)) {
        return;
    }

    rc = judge_update_change(r, &change);
    if (rc == JUDGE_INVALID) {
        judge_fail(r, 400, "%.*s", (int) change.error.len,
                   change.error.data);
        return;
    }

    if (rc != JUDGE_OK) {
        judge_fail_rc(r, rc);
        return;
    }

    if (change.summary.len == 0) {
        judge_update_answer(r, row->id, row->version, row->updated_at,
                                   "stays active: no changes, so no new"
                                   " version was made");
        return;
    }

    judge_update_write(r, &change);
}


static judge_rc_e
judge_update_change(judge_req_t *r, judge_update_change_t *change)
{
    judge_rc_e                  rc;
    judge_judge_row_t          *row;
    judge_version_diff_side_t  *before, *after;
    judge_update_t      *c = r->ctx;

    row = &c->find.row;
    before = &change->before;
    after = &change->after;

    before->name = row->name;
    before->description = row->description;
    before->references = row->reference_uris;
    before->model = row->model;
    before->samples = row->samples;
    change->criteria = row->criteria;

    rc = judge_criteria_read(r->arena, row->criteria, &before->criteria);
    if (rc != JUDGE_OK) {
        return rc;
    }

    *after = *before;
    after->name = c->name.data ? c->name : before->name;
    after->description = c->description.data ? c->description
                                             : before->description;
    after->model = c->model.data ? judge_judges_wish(c->model)
                                 : before->model;
    after->samples = c->samples.set ? c->samples.value : before->samples;

    if (c->references.set) {
        rc = judge_judges_references(r->arena, &c->references,
                                     &after->references);
    }

    if (rc == JUDGE_OK && c->criteria.set) {
        rc = judge_criteria_identify(r->arena, &c->criteria,
                                     &before->criteria,
                                     judge_now(r->service), &after->criteria,
                                     &change->error);
        if (rc == JUDGE_OK) {
            change->criteria = judge_criteria_write(r->arena,
                                                    &after->criteria);
        }
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    change->summary = judge_version_diff_summary(r->arena, before, after);

    change->keep_model = judge_version_diff_same_basis(before, after);

    return change->criteria.data && change->summary.data ? JUDGE_OK
                                                         : JUDGE_NOMEM;
}


static void
judge_update_write(judge_req_t *r, const judge_update_change_t *change)
{
    judge_rc_e                         rc;
    judge_judge_row_t                 *row;
    judge_update_t             *c = r->ctx;
    const judge_version_diff_side_t   *after;

    row = &c->update.row;
    after = &change->after;

    *row = c->find.row;
    row->version = row->latest + 1;
    row->version_created_at = judge_now(r->service);
    row->updated_at = row->version_created_at;
    row->name = after->name;
    row->description = after->description;
    row->criteria = change->criteria;
    row->criteria_count = (int64_t) after->criteria.count;
    row->reference_uris = after->references;
    row->model = after->model;
    row->samples = after->samples;
    row->changes_summary = change->summary;

    /* That it learns, or a job of it runs, is seen, not stored. */
    row->status = JUDGE_STR("ready");
    c->update.keep_model = change->keep_model;

    rc = judge_references_identify(r->arena, row);
    if (rc != JUDGE_OK) {
        judge_fail_rc(r, rc);
        return;
    }

    c->update.op.kind = JUDGE_OP_JUDGE_UPDATE;
    judge_await(r, &c->update.op, judge_update_done);
}


/*
 * Who asked for a certain version is told that it is no more; anybody else's
 * change is made to what is there now.
 */

static void
judge_update_done(judge_req_t *r)
{
    judge_judge_row_t      *row;
    judge_update_t  *c = r->ctx;

    row = &c->update.row;

    switch (c->update.op.rc) {
    case JUDGE_OK:
        judge_update_answer(r, row->id, row->version, row->updated_at,
                                   "was made and is active");
        return;

    case JUDGE_STALE:
        if (r->headers[JUDGE_HEADER_IF_MATCH].data) {
            judge_update_stale(r);
            return;
        }

        if (++c->tries < JUDGE_UPDATE_TRIES) {
            judge_update_find(r);
            return;
        }
        /* fall through */

    default:
        judge_fail_rc(r, c->update.op.rc);
        return;
    }
}


static void
judge_update_stale(judge_req_t *r)
{
    judge_fail(r, 412, "If-Match: the judge has another version by now");
}


static void
judge_update_answer(judge_req_t *r, judge_str_t id, int64_t version,
    judge_ms_t updated_at, const char *what)
{
    judge_json_writer_t  *w;

    judge_judges_tag(r, version);
    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "id", id);
    judge_json_put_int(w, "version_number", version);
    judge_json_put_time(w, "updated_at", updated_at);
    judge_json_put_str(w, "message",
                       judge_str_printf(r->arena, "version %lld %s",
                                        (long long) version, what));
    judge_reply_end(r);
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
    judge_await(r, &c->find.op, judge_update_activate_found);
}


static void
judge_update_activate_found(judge_req_t *r)
{
    judge_judge_row_t        *row;
    judge_update_activate_t  *c = r->ctx;

    row = &c->find.row;

    if (c->find.op.rc != JUDGE_OK) {
        judge_fail(r, 404, "there is no such judge, or no such version of"
                           " it");
        return;
    }

    if (row->version == row->active) {
        judge_update_answer(r, row->id, row->version, row->updated_at,
                                   "was active already");
        return;
    }

    c->activate.op.kind = JUDGE_OP_JUDGE_ACTIVATE;
    c->activate.id = c->find.id;
    c->activate.version = row->version;
    c->activate.now = judge_now(r->service);
    judge_await(r, &c->activate.op, judge_update_activated);
}


static void
judge_update_activated(judge_req_t *r)
{
    judge_update_activate_t  *c = r->ctx;

    if (c->activate.op.rc != JUDGE_OK) {
        judge_resource_missing(r);
        return;
    }

    judge_update_answer(r, c->find.id, c->activate.version,
                               c->activate.now, "is active");
}
