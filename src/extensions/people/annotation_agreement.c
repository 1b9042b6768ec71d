/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How well the people of an annotation queue agree.  Only finished items
 * count, so that nobody learns how others scored a text before scoring it. */


#include "api/judges/agreement_parts.h"
#include "api/judges/criteria.h"
#include "extensions/people/people.h"
#include "store/store_annotation.h"


#define JUDGE_ANNOTATION_PASS  60.0    /* of criteria without one */

typedef struct {
    judge_annotation_find_t  find;     /* the first member, as its id */
    judge_judge_find_t       judge;
    judge_opinion_list_t     opinions;
    judge_list_t             criteria; /* of judge_criterion_row_t */
    judge_str_t             *ids;
    double                  *pass;
    judge_agreement_t       *agree;
} judge_annotation_agreement_t;


static judge_rc_e
judge_annotation_agreement_targets(judge_req_t *r)
{
    size_t                         i, n;
    judge_rc_e                     rc;
    const judge_criterion_row_t   *rows;
    judge_annotation_agreement_t  *c = r->ctx;

    rc = judge_criteria_read(r->arena, c->judge.row.criteria, &c->criteria);
    if (rc != JUDGE_OK) {
        return rc;
    }

    n = c->criteria.count;
    rows = c->criteria.items;
    c->ids = judge_array_alloc(r->arena, n + 1, sizeof(judge_str_t));
    c->pass = judge_array_alloc(r->arena, n + 1, sizeof(double));
    c->agree = judge_array_alloc(r->arena, n + 2, sizeof(judge_agreement_t));
    if (c->ids == NULL || c->pass == NULL || c->agree == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < n; i++) {
        c->ids[i] = rows[i].id;
        c->pass[i] = rows[i].has_thresholds ? rows[i].thresholds.fair.value
                                            : JUDGE_ANNOTATION_PASS;
    }

    c->pass[n] = JUDGE_ANNOTATION_PASS;

    return JUDGE_OK;
}


static void
judge_annotation_agreement_measure(judge_req_t *r)
{
    judge_arena_t                 *arena;
    judge_annotation_agreement_t  *c = r->ctx;

    arena = judge_arena_create(256 * 1024);
    r->rc = arena ? judge_agreement_people(arena, &c->opinions, c->ids,
                                           c->criteria.count, c->pass,
                                           c->agree) : JUDGE_NOMEM;
    judge_arena_destroy(arena);
}


static void
judge_annotation_agreement_target(judge_json_writer_t *w,
    const judge_agreement_t *agree)
{
    judge_json_put_int(w, "items", (int64_t) agree->n);
    judge_agreement_json(w, agree);
    judge_json_object_end(w);
}


static void
judge_annotation_agreement_answer(judge_req_t *r)
{
    size_t                         i;
    judge_json_writer_t           *w;
    judge_annotation_agreement_t  *c = r->ctx;
    const judge_criterion_row_t   *rows = c->criteria.items;

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "queue_id", c->find.id);
    judge_json_put_str(w, "judge_id", c->find.row.judge_id);
    judge_json_put_int(w, "done", c->find.row.done);
    judge_json_put_bool(w, "complete", c->opinions.count < JUDGE_OPINIONS);
    judge_json_key_array(w, "criteria");

    for (i = 0; i < c->criteria.count; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "criterion_id", rows[i].id);
        judge_json_put_str(w, "name", rows[i].name);
        judge_annotation_agreement_target(w, &c->agree[i]);
    }

    judge_json_array_end(w);
    judge_json_key_object(w, "overall");
    judge_annotation_agreement_target(w, &c->agree[i]);
    judge_json_key_object(w, "mean");
    judge_annotation_agreement_target(w, &c->agree[i + 1]);
    judge_reply_end(r);
}


static void
judge_annotation_agreement_judge(judge_req_t *r)
{
    judge_annotation_agreement_t  *c = r->ctx;

    if (judge_check(r, judge_annotation_agreement_targets(r), NULL)) {
        c->opinions.op.kind = JUDGE_OP_ANNOTATION_OPINIONS;
        c->opinions.judge_id = c->find.row.judge_id;
        c->opinions.queue_id = c->find.id;
        judge_await_compute(r, &c->opinions.op,
                            judge_annotation_agreement_measure,
                            judge_annotation_agreement_answer);
    }
}


static void
judge_annotation_agreement_found(judge_req_t *r)
{
    judge_annotation_agreement_t  *c = r->ctx;

    c->judge.op.kind = JUDGE_OP_JUDGE_FIND;
    c->judge.id = c->find.row.judge_id;
    judge_await_found(r, &c->judge.op,
                      "the judge of this annotation queue was deleted",
                      judge_annotation_agreement_judge);
}


const judge_route_t  judge_annotation_agreement_routes[] = {
    { judge_route(GET, "/annotation-queues/{queue_id}/agreement",
                  JUDGE_MAY_READ_FEEDBACK, 0, judge_annotation_agreement_t),
      .resource = &judge_annotation_resource,
      .op = { judge_route_op_now(JUDGE_OP_ANNOTATION_FIND,
                                 judge_annotation_agreement_t, find.),
              .next = judge_annotation_agreement_found } },
    { .pattern = NULL }
};
