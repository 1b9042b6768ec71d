/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints that create, wait for, read, list and retry single
 * evaluations. */


#include <string.h>

#include "work/evaluation/queue.h"
#include "work/render/evaluation_json.h"
#include "work/service/usage.h"
#include "api/evaluations/model_choice.h"
#include "api/contents/contents.h"
#include "api/http/response_cache.h"
#include "api/http/request.h"


typedef struct {
    judge_str_t                content_id;
    judge_str_t                judge_id;
    judge_choice_t             priority;
    judge_model_choice_t       choice;
    judge_json_t              *metadata;
    judge_json_t              *messages;         /* in place of the text */
    judge_id_t                 id;
    judge_id_t                 text_id; /* of a text's content */
    judge_pair_find_t          pair;
    judge_evaluation_create_t  create;
    judge_await_end_t          waiting;
    judge_evaluation_find_t    find;
} judge_evaluations_create_t;

typedef struct {
    judge_list_query_t       query;
    judge_evaluation_list_t  list;
} judge_evaluations_list_t;


static void judge_evaluations_create(judge_req_t *r);
static void judge_evaluations_paired(judge_req_t *r);
static void judge_evaluations_created(judge_req_t *r);
static void judge_evaluations_waited(judge_req_t *r);
static void judge_evaluations_got(judge_req_t *r);
static void judge_evaluations_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row);
static bool judge_evaluations_retry(judge_req_t *r);
static void judge_evaluations_retried(judge_req_t *r);


static const judge_field_t  judge_evaluations_create_fields[] = {
    judge_field(judge_evaluations_create_t, content_id, STRING, 0, 1, 200),
    judge_field_as("text_content", judge_evaluations_create_t,
                   create.content.text_content, STRING, 0, 1, -1),
    judge_field(judge_evaluations_create_t, messages, ANY, 0, 0, 0),
    judge_field_as("name", judge_evaluations_create_t, create.content.name,
                   STRING, 0, 1, JUDGE_CONTENT_NAME_MAX),
    judge_field(judge_evaluations_create_t, metadata, ANY_OBJECT, 0, 0,
                JUDGE_METADATA_MAX),
    judge_field(judge_evaluations_create_t, judge_id, STRING, JUDGE_REQUIRED,
                1, 200),
    judge_field_one_of(judge_evaluations_create_t, priority, CHOICE, 0,
                       judge_priorities),
    judge_model_choice_fields(judge_evaluations_create_t, choice),
    { .name = NULL }
};

#define judge_evaluations_equal(member)                                       \
    { .name = #member, .type = JUDGE_FIELD_STRING,                            \
      .offset = offsetof(judge_evaluations_list_t, list.member), .min = 1,    \
      .max = 200 }

static const judge_field_t  judge_evaluations_list_query[] = {
    judge_list_query_fields(judge_evaluations_list_t, query),
    judge_evaluations_equal(judge_id),
    judge_evaluations_equal(content_id),
    judge_evaluations_equal(batch_id),
    judge_field_one_of_as("status", judge_evaluations_list_t, list.status,
                          WORD, 0, judge_evaluation_statuses),
    judge_field_as("needs_review", judge_evaluations_list_t, list.needs_review,
                   BOOLEAN, 0, 0, 0),
    { .name = NULL }
};

static const judge_resource_t  judge_evaluations_resource = {
    "evl", "evaluation", "evaluations"
};


const judge_route_t  judge_evaluation_routes[] = {
    { judge_route(POST, "/evaluations/single", JUDGE_MAY_WRITE_EVALUATIONS,
                  JUDGE_ROUTE_CREATES, judge_evaluations_create_t),
      .body = judge_evaluations_create_fields,
      .handler = judge_evaluations_create,
      .location = "/evaluations/{id}",
      .replayed = judge_evaluations_created },
    { judge_route(GET, "/evaluations", JUDGE_MAY_READ_EVALUATIONS, 0,
                  judge_evaluations_list_t),
      .query = judge_evaluations_list_query,
      .resource = &judge_evaluations_resource,
      .list = { judge_route_list(JUDGE_OP_EVALUATION_LIST,
                                 judge_evaluations_list_t,
                                 judge_evaluation_row_t),
                .write = judge_evaluations_write_row } },
    { judge_route(GET, "/evaluations/{evaluation_id}",
                  JUDGE_MAY_READ_EVALUATIONS, JUDGE_ROUTE_CACHED,
                  judge_evaluation_find_t),
      .resource = &judge_evaluations_resource,
      .op = { judge_route_op(JUDGE_OP_EVALUATION_FIND,
                             judge_evaluation_find_t, ),
              .next = judge_evaluations_got } },
    { judge_route(POST, "/evaluations/{evaluation_id}/retry",
                  JUDGE_MAY_WRITE_EVALUATIONS, 0, judge_evaluation_retry_t),
      .resource = &judge_evaluations_resource,
      .op = { judge_route_op_now(JUDGE_OP_EVALUATION_RETRY,
                                 judge_evaluation_retry_t, ),
              .prepare = judge_evaluations_retry,
              .next = judge_evaluations_retried, .refused = true } },
    { .pattern = NULL }
};


/* Makes a content of a text that comes in place of content_id, to be stored
 * with the evaluation; false: the request was answered with 400. */

static bool
judge_evaluations_text(judge_req_t *r)
{
    judge_evaluations_create_t  *c = r->ctx;
    judge_content_row_t         *content = &c->create.content;

    if (content->text_content.data == NULL && c->messages == NULL) {
        return c->content_id.data == NULL
               ? judge_fail(r, 400, "content_id: required, or text_content or"
                            " messages in place of it")
               : judge_fail(r, 400, "%s: expected only with text_content",
                            content->name.data ? "name" : "metadata");
    }

    if (c->content_id.data) {
        return judge_fail(r, 400, "content_id: expected either content_id or"
                          " %s, not both",
                          c->messages ? "messages" : "text_content");
    }

    if (!judge_content_require(r, c->messages, c->metadata, content)) {
        return false;
    }

    if (content->name.data == NULL) {
        content->name = JUDGE_STR("Untitled");
    }

    content->created_at = judge_now(r->service);

    return judge_content_text(r, content, c->messages ? NULL : c->metadata,
                              &c->text_id);
}


static void
judge_evaluations_create(judge_req_t *r)
{
    judge_evaluations_create_t  *c = r->ctx;

    if ((c->content_id.data == NULL || c->create.content.text_content.data
         || c->create.content.name.data || c->messages || c->metadata)
        && !judge_evaluations_text(r))
    {
        return;
    }

    c->pair.op.kind = JUDGE_OP_PAIR_FIND;
    c->pair.active.judge_id = c->judge_id;
    c->pair.content_id = c->content_id;

    if (c->content_id.data == NULL) {
        c->content_id = c->create.content.id;
    }

    judge_await(r, &c->pair.op, judge_evaluations_paired);
}


/* If this worker's queue has room, the row is inserted as claimed by it, which
 * saves a write.  Content for external workers gets its deadline as queue_at:
 * if no result has come by then, the queue fails the evaluation. */

static bool
judge_evaluations_row(judge_req_t *r)
{
    judge_ms_t                   now;
    judge_rc_e                   rc;
    judge_evaluation_row_t      *row;
    judge_evaluations_create_t  *c = r->ctx;

    now = judge_now(r->service);
    row = &c->create.row;

    rc = judge_id_make(&c->id, "evl", now);
    if (rc != JUDGE_OK) {
        return judge_fail_rc(r, rc);
    }

    if (r->headers[JUDGE_HEADER_PREFER].data) {
        judge_await_end_note(r, &c->waiting, judge_id_str(&c->id));
    }

    *row = (judge_evaluation_row_t) {
        .org = r->org,
        .id = judge_id_str(&c->id),
        .status = JUDGE_STR("processing"),
        .queue_at = now,
        .priority = c->priority.set ? c->priority.value
                                    : JUDGE_PRIORITY_NORMAL,
        .content_id = c->content_id,
        .judge_id = c->judge_id,
        .judge_version = c->pair.active.version,
        .created_at = now,
        .deadline = now + r->service->settings.deadline,
        .model = row->model,
        .samples = row->samples,
        .fresh = row->fresh,
        .trace = r->headers[JUDGE_HEADER_TRACEPARENT]
    };

    if (row->model.data == NULL
        && !judge_str_eq_c(c->pair.file_type, "text"))
    {
        row->deadline = now + r->service->settings.callback_deadline;
        row->queue_at = row->deadline;
        c->create.waits = true;

    } else if (judge_queue_has_room(r->service, r->org,
                                    row->model.data != NULL))
    {
        row->queue_at = now + r->service->settings.lease;
        row->owner = judge_service_owner(r->service);
        row->attempts = 1;
    }

    return true;
}


static void
judge_evaluations_committed(judge_req_t *r, judge_op_t *op)
{
    judge_claimed_t          claimed;
    judge_evaluation_row_t  *row;

    row = &((judge_evaluation_create_t *) op)->row;

    judge_usage_add(r->service->usage, r->org, r->key_id, 0, 1,
                    row->created_at);

    if (row->owner.data == NULL) {
        return;
    }

    memset(&claimed, 0, sizeof(judge_claimed_t));
    judge_id_set(&claimed.org, row->org);
    judge_id_set(&claimed.id, row->id);
    judge_id_set(&claimed.content_id, row->content_id);
    judge_id_set(&claimed.judge_id, row->judge_id);
    claimed.by_model = row->model.data != NULL;
    claimed.judge_version = row->judge_version;
    claimed.attempts = row->attempts;
    claimed.until = row->queue_at;
    claimed.created_at = row->created_at;
    claimed.deadline = row->deadline;

    judge_queue_push(r->service, &claimed);
}


static bool
judge_evaluations_prepare(judge_req_t *r, int status,
    const judge_evaluation_row_t *row, bool with_duration)
{
    r->answer.status = status;
    r->answer.content_type = "application/json";
    r->answer.body = judge_evaluation_text(r->arena, row, with_duration);

    return judge_check(r, r->answer.body.data ? JUDGE_OK : JUDGE_NOMEM, NULL);
}


/* Checks that judge and content exist and fit each other now.  Where nobody
 * has named a model, the built-in engine judges. */

static void
judge_evaluations_paired(judge_req_t *r)
{
    bool                         named;
    judge_evaluations_create_t  *c = r->ctx;
    judge_pair_find_t           *pair = &c->pair;

    named = c->choice.model.data || pair->active.model.data
            || pair->default_model.data;

    if (c->create.content.id.data) {
        pair->file_type = c->create.content.file_type;
        pair->content_status = c->create.content.status;
    }

    if (pair->active.version == 0) {
        judge_fail(r, 404, "judge_id: there is no such judge");

    } else if (pair->file_type.data == NULL) {
        judge_fail(r, 404, "content_id: there is no such content");

    } else if (!judge_str_eq(pair->active.content_type, pair->file_type)) {
        judge_fail(r, 400, "%s: expected content of the judge's type, %.*s;"
                           " this is %.*s",
                   c->create.content.id.data ? "text_content" : "content_id",
                   judge_str_args(pair->active.content_type),
                   judge_str_args(pair->file_type));

    } else if (!judge_str_eq_c(pair->content_status, "ready")) {
        judge_fail(r, 409, "the content can't be evaluated: its status is"
                           " %.*s", judge_str_args(pair->content_status));

    } else if ((!named
                || judge_model_choice_apply(r, &c->choice, &pair->active,
                                            pair->default_model,
                                            pair->file_type, &c->create.row))
               && judge_evaluations_row(r)
               && judge_evaluations_prepare(r, 201, &c->create.row, false))
    {
        c->create.op.kind = JUDGE_OP_EVALUATION_CREATE;
        judge_await_create(r, &c->create.op, judge_evaluations_committed,
                           judge_evaluations_created);
    }
}


static void
judge_evaluations_reread(judge_req_t *r)
{
    judge_evaluations_create_t  *c = r->ctx;

    c->find.op.kind = JUDGE_OP_EVALUATION_FIND;
    c->find.id = judge_id_str(&c->id);
    judge_await_end_note(r, &c->waiting, c->find.id);
    judge_await_found(r, &c->find.op, "the evaluation was cancelled: its"
                      " content has been deleted", judge_evaluations_waited);
}


/* Also of a request that is sent again, which has noted nothing. */

static void
judge_evaluations_created(judge_req_t *r)
{
    judge_evaluations_create_t  *c = r->ctx;

    if (c->create.op.rc == JUDGE_NOT_FOUND) {
        judge_fail(r, 404, "the judge or the content has just been deleted");

    } else if (judge_check(r, c->create.op.rc, NULL)
               && judge_await_end_begin(r, &c->waiting)
               && !(c->waiting.id.data
                    && judge_await_end_rest(r, &c->waiting,
                                            judge_evaluations_reread)))
    {
        judge_id_set(&c->id, judge_reply_id(r));
        judge_evaluations_reread(r);
    }
}


static void
judge_evaluations_answer(judge_req_t *r, int status,
    const judge_evaluation_row_t *row, bool with_duration)
{
    if (judge_evaluations_prepare(r, status, row, with_duration)) {
        if (row->body.data && with_duration) {
            judge_response_keep(r);
        }
        judge_reply_send(r);
    }
}


static void
judge_evaluations_waited(judge_req_t *r)
{
    judge_evaluations_create_t  *c = r->ctx;

    if (!judge_str_eq_c(c->find.row.status, "processing")
        || !judge_await_end_rest(r, &c->waiting, judge_evaluations_reread))
    {
        judge_evaluations_answer(r, 201, &c->find.row, false);
    }
}


static void
judge_evaluations_got(judge_req_t *r)
{
    judge_evaluation_find_t  *c = r->ctx;

    judge_evaluations_answer(r, 200, &c->row, true);
}


static void
judge_evaluations_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row)
{
    judge_evaluation_json(w, row, false);
}


static bool
judge_evaluations_retry(judge_req_t *r)
{
    judge_evaluation_retry_t  *c = r->ctx;

    c->deadline = c->now + r->service->settings.deadline;
    c->callback_deadline = c->now + r->service->settings.callback_deadline;

    return true;
}


static void
judge_evaluations_retried(judge_req_t *r)
{
    judge_evaluation_retry_t  *c = r->ctx;

    if (c->op.rc == JUDGE_CONFLICT) {
        judge_fail(r, 409, "only a failed evaluation can be tried again;"
                           " this one is %.*s%s",
                   judge_str_args(c->row.status),
                   judge_str_eq_c(c->row.status, "failed")
                   ? ", and its content never came" : "");
    } else {
        judge_evaluations_answer(r, 200, &c->row, false);
    }
}
