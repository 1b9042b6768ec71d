/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* GET of a feedback session: the outcome of entries submitted together. */


#include "work/render/resource_json.h"
#include "api/http/request.h"


typedef struct {
    judge_list_query_t             query;
    judge_feedback_session_find_t  list;
} judge_feedback_session_read_t;


static const judge_field_t  judge_feedback_session_query[] = {
    judge_list_query_fields(judge_feedback_session_read_t, query),
    { .name = NULL }
};

static const judge_resource_t  judge_feedback_session_resource = {
    "fbs", "feedback session", "feedback_entries"
};


static void
judge_feedback_session_found(judge_req_t *r)
{
    const char                           *status;
    judge_json_writer_t                  *w;
    judge_feedback_session_read_t        *c = r->ctx;
    const judge_feedback_session_find_t  *list = &c->list;

    if (list->op.rc != JUDGE_OK) {
        judge_resource_missing(r);
        return;
    }

    status = list->accepted == 0 ? "failed"
             : list->pending == 0 ? "processed"
             : list->pending == list->total ? "submitted" : "processing";

    w = judge_reply_begin(r, 200);
    judge_json_put_id(w, "feedback_session_id", r->params[0]);
    judge_json_put_str(w, "batch_id", list->batch_id);
    judge_json_put_c(w, "processing_status", status);
    judge_json_put_int(w, "submitted_count", list->accepted);
    judge_json_put_int(w, "failed_count", list->rejected);
    judge_json_put_int(w, "processed_count", list->total - list->pending);
    judge_json_put_int(w, "deleted_count", list->accepted - list->total);
    judge_json_put_str(w, "submitted_by", list->submitted_by);
    judge_json_put_time(w, "submitted_at", list->submitted_at);
    judge_resource_rows(r, w);
    judge_resource_cursor(r, w);
    judge_reply_end(r);
}


static void
judge_feedback_session_read(judge_req_t *r)
{
    judge_feedback_session_read_t  *c = r->ctx;

    if (!judge_id_wellformed(r->params[0], "fbs")) {
        judge_resource_missing(r);
        return;
    }

    if (judge_list_page(r, &c->query, "fbk", &c->list.page)) {
        c->list.op.kind = JUDGE_OP_FEEDBACK_SESSION_FIND;
        c->list.id = r->params[0];
        c->list.blind = judge_auth_blind(r);
        judge_await_page(r, &c->list.op, judge_feedback_session_found);
    }
}


static void
judge_feedback_session_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row)
{
    judge_json_object(w);
    judge_json_put_str(w, "evaluation_id",
                       ((const judge_feedback_row_t *) row)->evaluation_id);
    judge_feedback_json(w, row);
    judge_json_object_end(w);
}


const judge_route_t  judge_feedback_session_routes[] = {
    { judge_route(GET, "/feedback/sessions/{feedback_session_id}",
                  JUDGE_MAY_READ_FEEDBACK, 0, judge_feedback_session_read_t),
      .query = judge_feedback_session_query,
      .resource = &judge_feedback_session_resource,
      .list = { judge_route_list(JUDGE_OP_FEEDBACK_SESSION_FIND,
                                 judge_feedback_session_read_t,
                                 judge_feedback_row_t),
                .write = judge_feedback_session_row },
      .handler = judge_feedback_session_read },
    { .pattern = NULL }
};
