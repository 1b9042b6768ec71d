/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints of comparisons, and the preferences that people submit. */


#include "api/batches/batch_map.h"
#include "api/contents/contents.h"
#include "api/http/request.h"
#include "api/judges/criteria.h"
#include "extensions/compare/comparison_request.h"


#define JUDGE_COMPARISON_COMMENT      5000
#define JUDGE_COMPARISON_PERSON       200

typedef struct {
    judge_list_query_t       query;
    judge_comparison_list_t  list;
} judge_comparisons_list_t;


static bool judge_comparison_delete(judge_req_t *r);
static void judge_comparison_prefer(judge_req_t *r);
static void judge_comparison_prefer_answer(judge_req_t *r);
static void judge_comparisons_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row);


static const judge_resource_t  judge_comparisons_resource = {
    "bat", "comparison", "comparisons"
};

static const char *const  judge_comparison_feedback_types[] = {
    "preference", NULL
};

static const judge_field_t  judge_comparison_candidate_fields[] = {
    judge_field(judge_compared_sent_t, id, STRING, JUDGE_REQUIRED, 1,
                JUDGE_COMPARED_NAME),
    judge_field(judge_compared_sent_t, content_id, STRING, 0, 1, 200),
    judge_field(judge_compared_sent_t, text_content, STRING, 0, 1, -1),
    judge_field(judge_compared_sent_t, messages, ANY, 0, 0, 0),
    judge_field(judge_compared_sent_t, metadata, ANY_OBJECT, 0, 0,
                JUDGE_METADATA_MAX),
    { .name = NULL }
};

static const judge_field_t  judge_comparison_fields[] = {
    judge_field(judge_comparing_t, judge_id, STRING, JUDGE_REQUIRED, 1, 200),
    judge_field_as("name", judge_comparing_t, make.create.row.name, STRING, 0,
                   1, JUDGE_BATCH_NAME_MAX),
    judge_field(judge_comparing_t, source, STRING, 0, 1, 1000000),
    { .name = "candidates", .type = JUDGE_FIELD_LIST, .flags = JUDGE_REQUIRED,
      .offset = offsetof(judge_comparing_t, candidates),
      .min = JUDGE_COMPARED_MIN, .max = JUDGE_COMPARED_MAX,
      .fields = judge_comparison_candidate_fields,
      .item_size = sizeof(judge_compared_sent_t) },
    judge_field_one_of_as("priority", judge_comparing_t, make.priority, CHOICE,
                          0, judge_priorities),
    judge_model_choice_fields(judge_comparing_t, make.choice),
    judge_batch_calls_field(judge_comparing_t, make),
    { .name = NULL }
};

static const judge_field_t  judge_comparison_query[] = {
    judge_field(judge_comparing_t, item, INTEGER, 0, 0, JUDGE_ID_RANGE),
    judge_field(judge_comparing_t, level, NUMBER, 0, 0.5, 1),
    judge_compared_judge_field(judge_comparing_t, batch),
    { .name = NULL }
};

static const judge_field_t  judge_comparison_list_query[] = {
    judge_list_query_fields(judge_comparisons_list_t, query),
    { .name = NULL }
};

static const judge_field_t  judge_comparison_feedback[] = {
    judge_field_one_of_as("feedback_type", judge_comparing_t, type, WORD, 0,
                          judge_comparison_feedback_types),
    judge_field(judge_comparing_t, item, INTEGER, 0, 0, JUDGE_ID_RANGE),
    judge_field(judge_comparing_t, winner, STRING, 0, 1, JUDGE_COMPARED_NAME),
    judge_compared_judge_field(judge_comparing_t, batch),
    judge_field_as("criterion_id", judge_comparing_t,
                   preference.row.criterion_id, STRING, 0, 1, 200),
    judge_field_as("person", judge_comparing_t, preference.row.person, STRING,
                   0, 1, JUDGE_COMPARISON_PERSON),
    judge_field_as("comment", judge_comparing_t, preference.row.comment,
                   STRING, 0, 1, JUDGE_COMPARISON_COMMENT),
    { .name = NULL }
};

/* A route of one comparison, which is found first. */
#define judge_comparison_one(step)                                            \
    .resource = &judge_comparisons_resource,                                  \
    .op = { judge_route_op(JUDGE_OP_COMPARISON_FIND, judge_comparing_t,       \
                           batch.find.), .next = step }


const judge_route_t  judge_comparison_routes[] = {
    { judge_route(POST, "/comparisons", JUDGE_MAY_WRITE_EVALUATIONS,
                  JUDGE_ROUTE_CREATES, judge_comparing_t),
      .body = judge_comparison_fields, .handler = judge_comparison_create,
      .op = { .kind = JUDGE_OP_BATCH_CREATE,
              .op = offsetof(judge_comparing_t, make.create.op),
              .missing = "the judge or a candidate has just been deleted",
              .committed = judge_batch_creation_committed,
              .next = judge_comparison_stored,
              .write = judge_comparison_created, .status = 201 },
      .location = "/comparisons/{id}",
      .replayed = judge_comparison_stored },
    { judge_route(GET, "/comparisons", JUDGE_MAY_READ_EVALUATIONS, 0,
                  judge_comparisons_list_t),
      .query = judge_comparison_list_query,
      .resource = &judge_comparisons_resource,
      .list = { judge_route_list(JUDGE_OP_COMPARISON_LIST,
                                 judge_comparisons_list_t,
                                 judge_comparison_row_t),
                .record = judge_comparisons_write_row } },
    { judge_route(GET, "/comparisons/{batch_id}", JUDGE_MAY_READ_EVALUATIONS,
                  0, judge_comparing_t),
      .query = judge_comparison_query,
      judge_comparison_one(judge_comparison_read) },
    { judge_route(DELETE, "/comparisons/{batch_id}",
                  JUDGE_MAY_WRITE_EVALUATIONS, 0, judge_batch_delete_t),
      .resource = &judge_comparisons_resource,
      .op = { judge_route_op(JUDGE_OP_BATCH_DELETE, judge_batch_delete_t, ),
              .prepare = judge_comparison_delete } },
    { judge_route(POST, "/comparisons/{batch_id}/feedback",
                  JUDGE_MAY_WRITE_FEEDBACK, 0, judge_comparing_t),
      .body = judge_comparison_feedback, .location = "/comparisons/{id}",
      judge_comparison_one(judge_comparison_prefer) },
    { .pattern = NULL }
};


/* --- Lists --------------------------------------------------------------- */

static void
judge_comparisons_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *data)
{
    const judge_comparison_row_t  *row = data;

    judge_json_put_id(w, "batch_id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_raw(w, "judge_ids", row->judge_ids);
    judge_json_put_c(w, "status", judge_comparison_status(row->status));
    judge_json_put_raw(w, "candidates", row->systems);
    judge_json_put_int(w, "total_evaluations", row->total);
    judge_json_put_time(w, "created_at", row->created_at);
    judge_json_put_time_if(w, "completed_at", row->completed_at);
}


/* --- Deleting ------------------------------------------------------------ */

static bool
judge_comparison_delete(judge_req_t *r)
{
    judge_batch_delete_t  *deletion = r->ctx;

    deletion->compared = true;

    return true;
}


/* --- What people prefer -------------------------------------------------- */

static void
judge_comparison_prefer(judge_req_t *r)
{
    size_t                   at;
    judge_rc_e               rc;
    judge_str_t              error;
    judge_comparing_t       *c = r->ctx;
    judge_preference_row_t  *row = &c->preference.row;

    if (judge_json_get(r->body, "winner") == NULL) {
        judge_fail(r, 400, "winner: required, the id of a candidate, or \""
                           JUDGE_BATCH_TIE "\"");
        return;
    }

    rc = judge_auth_person(r, "person", &row->person, &error);
    if (!judge_check(r, rc, &error) || !judge_compared_found(r, &c->batch)) {
        return;
    }

    if (judge_str_eq_c(c->winner, JUDGE_BATCH_TIE)) {
        c->winner.data = NULL;
    }

    at = judge_str_index(c->batch.names, c->batch.n, c->winner);
    if (c->winner.data && at == c->batch.n) {
        judge_fail(r, 400, "winner: expected the id of a candidate, or \""
                           JUDGE_BATCH_TIE "\"");
        return;
    }

    if (row->criterion_id.data
        && !judge_criteria_has(&c->batch.criteria, row->criterion_id))
    {
        judge_fail(r, 400, "criterion_id: the judge has no such criterion");
        return;
    }

    row->winner = c->winner.data ? (int64_t) at : -1;
    row->item = c->item.value;
    row->submitted_by = r->key_id;
    row->submitted_at = judge_now(r->service);
    row->criterion_id = row->criterion_id.data ? row->criterion_id
                                               : JUDGE_STR("");
    row->person = row->person.data ? row->person : JUDGE_STR("");

    if (judge_comparison_has(r)) {
        c->preference.op.kind = JUDGE_OP_PREFERENCE_CREATE;
        c->preference.id = c->batch.find.id;
        judge_await(r, &c->preference.op, judge_comparison_prefer_answer);
    }
}


static void
judge_comparison_prefer_answer(judge_req_t *r)
{
    judge_comparing_t    *c = r->ctx;
    judge_json_writer_t  *w;

    if (c->preference.op.rc == JUDGE_NOT_FOUND) {
        judge_resource_missing(r);

    } else if (judge_check(r, c->preference.op.rc, NULL)) {
        w = judge_reply_begin(r, 201);
        judge_json_put_str(w, "batch_id", c->preference.id);
        judge_comparison_preference(w, c, &c->preference.row);
        judge_reply_end(r);
    }
}
