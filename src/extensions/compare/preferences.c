/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* POST /comparisons/{batch_id}/feedback: which candidate people prefer. */


#include "api/batches/batch_map.h"
#include "api/http/request.h"
#include "api/judges/criteria.h"
#include "extensions/compare/compare.h"


#define JUDGE_PREFERENCE_COMMENT  5000
#define JUDGE_PREFERENCE_PERSON   200

typedef struct {
    judge_compared_batch_t     batch;
    judge_integer_t            item;
    judge_preference_create_t  preference;
    judge_str_t                winner; /* absent: a tie */
    judge_str_t                type;   /* of the feedback */
} judge_preferring_t;


static void judge_prefer(judge_req_t *r);
static void judge_prefer_answer(judge_req_t *r);


static const char *const  judge_preference_types[] = {
    "preference", NULL
};

static const judge_field_t  judge_preference_fields[] = {
    judge_field_one_of_as("feedback_type", judge_preferring_t, type, WORD, 0,
                          judge_preference_types),
    judge_field(judge_preferring_t, item, INTEGER, 0, 0, JUDGE_ID_RANGE),
    judge_field(judge_preferring_t, winner, STRING, 0, 1, JUDGE_COMPARED_NAME),
    judge_compared_judge_field(judge_preferring_t, batch),
    judge_field_as("criterion_id", judge_preferring_t,
                   preference.row.criterion_id, STRING, 0, 1, 200),
    judge_field_as("person", judge_preferring_t, preference.row.person, STRING,
                   0, 1, JUDGE_PREFERENCE_PERSON),
    judge_field_as("comment", judge_preferring_t, preference.row.comment,
                   STRING, 0, 1, JUDGE_PREFERENCE_COMMENT),
    { .name = NULL }
};


const judge_route_t  judge_preference_routes[] = {
    { judge_route(POST, "/comparisons/{batch_id}/feedback",
                  JUDGE_MAY_WRITE_FEEDBACK, 0, judge_preferring_t),
      .body = judge_preference_fields, .location = "/comparisons/{id}",
      .resource = &judge_comparisons_resource,
      .op = { judge_route_op(JUDGE_OP_COMPARISON_FIND, judge_preferring_t,
                             batch.find.), .next = judge_prefer } },
    { .pattern = NULL }
};


void
judge_preference_json(judge_json_writer_t *w,
    const judge_compared_batch_t *batch, const judge_preference_row_t *row)
{
    judge_str_t  none = { 0, NULL };

    judge_json_put_c(w, "feedback_type", "preference");
    judge_json_put_int(w, "item", row->item);
    judge_json_put_str(w, "criterion_id", row->criterion_id.len
                                          ? row->criterion_id : none);
    judge_json_put_nullable(w, "winner", row->winner >= 0
                                         && (size_t) row->winner < batch->n
                                         ? batch->names[row->winner] : none);
    judge_json_put_str(w, "submitted_by", row->submitted_by);
    judge_json_put_str(w, "person", row->person.len ? row->person : none);
    judge_json_put_str(w, "comment", row->comment);
    judge_json_put_time(w, "submitted_at", row->submitted_at);
}


static void
judge_prefer(judge_req_t *r)
{
    size_t                   at;
    judge_rc_e               rc;
    judge_str_t              error;
    judge_preferring_t       *c = r->ctx;
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
        c->winner = (judge_str_t) { 0, NULL };
    }

    at = judge_str_index(c->batch.names, c->batch.n, c->winner);
    if (c->winner.data && at == c->batch.n) {
        judge_fail(r, 400, "winner: expected the id of a candidate, or \""
                           JUDGE_BATCH_TIE "\"");
        return;
    }

    if (row->criterion_id.data
        && !judge_criteria_find(&c->batch.criteria, row->criterion_id))
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

    if (judge_compared_has(r, &c->batch, c->item.value)) {
        c->preference.op.kind = JUDGE_OP_PREFERENCE_CREATE;
        c->preference.id = c->batch.find.id;
        judge_await_found(r, &c->preference.op, NULL, judge_prefer_answer);
    }
}


static void
judge_prefer_answer(judge_req_t *r)
{
    judge_preferring_t    *c = r->ctx;
    judge_json_writer_t  *w;

    w = judge_reply_begin(r, 201);
    judge_json_put_str(w, "batch_id", c->preference.id);
    judge_preference_json(w, &c->batch, &c->preference.row);
    judge_reply_end(r);
}
