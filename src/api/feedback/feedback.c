/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints that submit and read feedback on one evaluation, and that
 * read, change and withdraw one entry. */


#include <string.h>

#include "store/store_batch.h"
#include "work/feedback/feedback_queue.h"
#include "work/render/resource_json.h"
#include "api/feedback/feedback_entry.h"
#include "api/http/request.h"
#include "api/judges/criteria.h"


#define JUDGE_FEEDBACK_PAGE  1000      /* entries in one answer */

typedef struct {
    judge_feedback_entry_t    entry;
    judge_feedback_target_t   target;
    judge_feedback_targets_t  find;
    judge_batch_criteria_t    criteria;
    judge_str_t               criteria_json;
    judge_id_t                id;
    judge_feedback_one_t      one;     /* the entry that is made or changed */
    judge_feedback_create_t   create;
} judge_feedback_submit_t;

typedef struct {
    judge_list_query_t        query;
    judge_feedback_target_t   target;
    judge_feedback_targets_t  find;
    judge_feedback_list_t     list;
} judge_feedback_read_t;


static void judge_feedback_submit(judge_req_t *r);
static void judge_feedback_submit_found(judge_req_t *r);
static void judge_feedback_submit_insert(judge_req_t *r);
static void judge_feedback_committed(judge_req_t *r, judge_op_t *op);
static void judge_feedback_submitted(judge_req_t *r);
static void judge_feedback_write_one(judge_req_t *r, judge_json_writer_t *w);
static void judge_feedback_change(judge_req_t *r);
static void judge_feedback_change_found(judge_req_t *r);
static bool judge_feedback_blind(judge_req_t *r);
static void judge_feedback_read(judge_req_t *r);
static void judge_feedback_read_found(judge_req_t *r);
static void judge_feedback_read_all(judge_req_t *r);
static void judge_feedback_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row);


static const judge_field_t  judge_feedback_query[] = {
    judge_field_as("limit", judge_feedback_read_t, query.limit, INTEGER, 0, 1,
                   JUDGE_FEEDBACK_PAGE),
    judge_field_as("cursor", judge_feedback_read_t, query.cursor, STRING, 0, 1,
                   200),
    judge_field_one_of_as("feedback_type", judge_feedback_read_t, list.type,
                          WORD, 0, judge_feedback_types),
    { .name = NULL }
};

static const judge_resource_t  judge_feedback_entries = {
    "fbk", "feedback", "feedback_entries"
};

#define judge_feedback_one(verb, may)                                         \
    judge_route(verb, "/feedback/{feedback_id}", may, 0,                      \
                judge_feedback_submit_t), .resource = &judge_feedback_entries

#define judge_feedback_one_op(operation)                                      \
    .kind = operation, .op = offsetof(judge_feedback_submit_t, one.op),       \
    .id = offsetof(judge_feedback_submit_t, one.row.id)


const judge_route_t  judge_feedback_routes[] = {
    { judge_route(GET, "/feedback/evaluation/{evaluation_id}",
                  JUDGE_MAY_READ_FEEDBACK, 0, judge_feedback_read_t),
      .query = judge_feedback_query, .resource = &judge_feedback_entries,
      .list = { judge_route_list(JUDGE_OP_FEEDBACK_LIST, judge_feedback_read_t,
                                 judge_feedback_row_t),
                .record = judge_feedback_write_row },
      .handler = judge_feedback_read },
    { judge_route(POST, "/feedback/evaluation/{evaluation_id}",
                  JUDGE_MAY_WRITE_FEEDBACK, JUDGE_ROUTE_CREATES,
                  judge_feedback_submit_t),
      .body = judge_feedback_entry_fields,
      .handler = judge_feedback_submit,
      .location = "/feedback/{id}" },
    { judge_feedback_one(GET, JUDGE_MAY_READ_FEEDBACK),
      .op = { judge_feedback_one_op(JUDGE_OP_FEEDBACK_FIND),
              .prepare = judge_feedback_blind,
              .write = judge_feedback_write_one } },
    { judge_feedback_one(PATCH, JUDGE_MAY_WRITE_FEEDBACK),
      .body = judge_feedback_change_fields, .handler = judge_feedback_change,
      .op = { judge_feedback_one_op(JUDGE_OP_FEEDBACK_CHANGE),
              .now = offsetof(judge_feedback_submit_t, one.now),
              .committed = judge_feedback_committed,
              .write = judge_feedback_write_one } },
    { judge_feedback_one(DELETE, JUDGE_MAY_WRITE_FEEDBACK),
      .op = { judge_feedback_one_op(JUDGE_OP_FEEDBACK_DELETE),
              .prepare = judge_feedback_blind } },
    { .pattern = NULL }
};


/* --- Submitting and reading ---------------------------------------------- */

static void
judge_feedback_missing(judge_req_t *r)
{
    judge_fail(r, 404, "there is no such evaluation");
}


static void
judge_feedback_find(judge_req_t *r, judge_feedback_targets_t *find,
    judge_feedback_target_t *target, judge_str_t id, judge_step_pt next)
{
    if (!judge_id_wellformed(id, "evl")) {
        judge_feedback_missing(r);
        return;
    }

    target->id = id;
    find->op.kind = JUDGE_OP_FEEDBACK_TARGETS;
    find->targets = target;
    find->count = 1;
    find->take = judge_feedback_entry_take;
    judge_await(r, &find->op, next);
}


/* --- Submitting ---------------------------------------------------------- */

static void
judge_feedback_submit(judge_req_t *r)
{
    judge_rc_e                rc;
    judge_str_t               error;
    judge_feedback_submit_t  *c = r->ctx;

    if (c->entry.evaluation_id.data
        && !judge_str_eq(c->entry.evaluation_id, r->params[0]))
    {
        judge_fail(r, 400, "evaluation_id: expected the evaluation of the"
                           " path");
        return;
    }

    rc = judge_auth_person(r, "submitted_by_person",
                           &c->entry.submitted_by_person, &error);
    rc = rc ? rc : judge_feedback_entry_check(r->arena, &c->entry, &error);
    if (judge_check(r, rc, &error)) {
        judge_feedback_find(r, &c->find, &c->target, r->params[0],
                            judge_feedback_submit_found);
    }
}


static void
judge_feedback_submit_found(judge_req_t *r)
{
    judge_feedback_submit_t  *c = r->ctx;

    if (!c->target.found) {
        judge_feedback_missing(r);
        return;
    }

    if (!judge_str_eq_c(c->target.status, "completed")) {
        judge_fail(r, 409, "only a completed evaluation takes feedback; this"
                           " one is %.*s", judge_str_args(c->target.status));
        return;
    }

    c->criteria.op.kind = JUDGE_OP_BATCH_CRITERIA;
    c->criteria.judge_ids = &c->target.judge_id;
    c->criteria.versions = &c->target.judge_version;
    c->criteria.criteria = &c->criteria_json;
    c->criteria.count = 1;
    judge_await(r, &c->criteria.op, judge_feedback_submit_insert);
}


static judge_rc_e
judge_feedback_submit_row(judge_req_t *r, judge_str_t *error)
{
    judge_rc_e                rc;
    judge_list_t              criteria;
    judge_feedback_submit_t  *c = r->ctx;
    judge_feedback_row_t     *row = &c->one.row;

    /* A completed evaluation has both; if not, the store is inconsistent. */
    if (c->criteria_json.data == NULL || c->target.scores == NULL) {
        return JUDGE_ERROR;
    }

    rc = judge_criteria_read(r->arena, c->criteria_json, &criteria);
    rc = rc ? rc : judge_feedback_entry_fits(r->arena, &c->entry, &criteria,
                                             error);
    if (rc == JUDGE_OK) {
        c->create.now = judge_now(r->service);
        rc = judge_id_make(&c->id, "fbk", c->create.now);
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (row->submitted_at) {
        row->updated_by = r->key_id;

    } else {
        row->id = judge_id_str(&c->id);
        row->evaluation_id = c->target.id;
        row->submitted_by = r->key_id;
        row->submitted_at = c->create.now;
    }

    return judge_feedback_entry_row(r->arena, &c->entry, c->target.scores,
                                    row);
}


static void
judge_feedback_submit_insert(judge_req_t *r)
{
    judge_str_t               error;
    judge_feedback_submit_t  *c = r->ctx;

    if (!judge_check(r, judge_feedback_submit_row(r, &error), &error)) {
        return;
    }

    if (c->one.row.updated_by.data) {
        judge_resource_run(r);
        return;
    }

    judge_feedback_write_one(r, judge_reply_begin(r, 201));
    if (!judge_reply_ready(r)) {
        return;
    }

    c->create.op.kind = JUDGE_OP_FEEDBACK_CREATE;
    c->create.rows = &c->one.row;
    c->create.count = 1;
    c->create.submitted_by = r->key_id;
    judge_await_create(r, &c->create.op, judge_feedback_committed,
                       judge_feedback_submitted);
}


static void
judge_feedback_committed(judge_req_t *r, judge_op_t *op)
{
    judge_leases_wake(r->service, &judge_feedback_turns);
}


static void
judge_feedback_submitted(judge_req_t *r)
{
    judge_feedback_submit_t  *c = r->ctx;

    judge_reply_created(r, &c->create.op, 404,
                        "the evaluation has just been deleted");
}


/* --- Changing ------------------------------------------------------------ */

static bool
judge_feedback_blind(judge_req_t *r)
{
    judge_feedback_submit_t  *c = r->ctx;

    c->one.blind = judge_auth_blind(r);

    return true;
}


static void
judge_feedback_change(judge_req_t *r)
{
    judge_feedback_submit_t  *c = r->ctx;

    c->one.op.kind = JUDGE_OP_FEEDBACK_FIND;
    c->one.row.id = r->params[0];
    c->one.blind = judge_auth_blind(r);
    judge_await_found(r, &c->one.op, NULL, judge_feedback_change_found);
}


/* Binds the stored entry, and the body over it. */

static judge_rc_e
judge_feedback_change_bind(judge_req_t *r, judge_str_t *error)
{
    judge_rc_e                rc;
    judge_buf_t               buf;
    judge_str_t               text;
    judge_json_t             *shown;
    judge_json_writer_t       w;
    judge_feedback_submit_t  *c = r->ctx;

    judge_json_begin_object(&w, &buf, r->arena);
    judge_feedback_json(&w, &c->one.row);
    memset(&c->entry, 0, sizeof(c->entry));

    text = judge_json_text(&w);
    rc = text.data == NULL ? JUDGE_NOMEM
         : judge_json_parse(r->arena, text, &shown, error);
    rc = rc ? rc : judge_fields_bind(r->arena, judge_feedback_entry_fields,
                                     shown, JUDGE_STR(""), &c->entry, error);
    rc = rc ? rc : judge_fields_bind(r->arena, judge_feedback_change_fields,
                                     r->body, JUDGE_STR(""), &c->entry, error);
    rc = rc ? rc : judge_auth_person(r, "updated_by_person",
                                     &c->entry.updated_by_person, error);

    return rc == JUDGE_OK ? judge_feedback_entry_check(r->arena, &c->entry,
                                                       error) : rc;
}


static void
judge_feedback_change_found(judge_req_t *r)
{
    judge_str_t               error;
    judge_feedback_submit_t  *c = r->ctx;

    if (judge_check(r, judge_feedback_change_bind(r, &error), &error)) {
        judge_feedback_find(r, &c->find, &c->target, c->one.row.evaluation_id,
                            judge_feedback_submit_found);
    }
}


static void
judge_feedback_write_one(judge_req_t *r, judge_json_writer_t *w)
{
    judge_feedback_submit_t  *c = r->ctx;

    judge_feedback_json(w, &c->one.row);
    judge_json_put_str(w, "evaluation_id", c->one.row.evaluation_id);
}


/* --- Reading ------------------------------------------------------------- */

/* Without a limit the answer has all entries, JUDGE_FEEDBACK_PAGE at most. */

static void
judge_feedback_read(judge_req_t *r)
{
    judge_feedback_read_t  *c = r->ctx;

    if (!c->query.limit.set) {
        c->query.limit = (judge_integer_t) { JUDGE_FEEDBACK_PAGE, true };
    }

    if (!judge_list_page(r, &c->query, "fbk", &c->list.page)) {
        return;
    }

    judge_feedback_find(r, &c->find, &c->target, r->params[0],
                        judge_feedback_read_found);
}


static void
judge_feedback_read_found(judge_req_t *r)
{
    judge_feedback_read_t  *c = r->ctx;

    if (!c->target.found) {
        judge_feedback_missing(r);
        return;
    }

    c->list.op.kind = JUDGE_OP_FEEDBACK_LIST;
    c->list.evaluation_id = c->target.id;
    c->list.blind = judge_auth_blind(r);
    judge_await_page(r, &c->list.op, judge_feedback_read_all);
}


static void
judge_feedback_read_all(judge_req_t *r)
{
    size_t                        i;
    judge_json_writer_t          *w;
    judge_feedback_read_t        *c = r->ctx;
    judge_feedback_list_t        *list = &c->list;
    const judge_stored_scores_t  *scores = c->target.scores;

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "evaluation_id", c->target.id);
    judge_json_put_int(w, "total_feedback_count", list->total);

    judge_json_key_object(w, "feedback_summary");
    if (list->ratings) {
        judge_json_put_number2(w, "average_rating",
                               list->rating_sum / (double) list->ratings);
    }
    judge_json_put_int(w, "correction_count", list->corrections);
    judge_json_put_int(w, "approval_count", list->approvals);
    judge_json_put_int(w, "rejection_count", list->rejections);
    judge_json_put_int(w, "comment_count", list->comments);
    judge_json_object_end(w);

    judge_resource_rows(r, w);

    judge_json_key_object(w, "evaluation_context");
    judge_json_put_str(w, "judge_id", c->target.judge_id);
    judge_json_put_int(w, "judge_version", c->target.judge_version);

    judge_json_key_object(w, "original_scores");
    for (i = 1; scores && i < scores->n; i++) {
        judge_json_key_str(w, scores->scores[i].criterion_id);
        judge_json_number2(w, scores->scores[i].score);
    }
    judge_json_object_end(w);

    if (scores && scores->n) {
        judge_json_put_number2(w, "original_overall_score",
                               scores->scores[0].score);
    }

    judge_json_put_time_if(w, "evaluation_date", c->target.evaluated_at);
    judge_json_object_end(w);

    judge_resource_cursor(r, w);
    judge_reply_end(r);
}


static void
judge_feedback_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row)
{
    judge_feedback_json(w, row);
}
