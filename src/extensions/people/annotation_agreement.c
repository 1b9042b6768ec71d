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


typedef struct {
    judge_annotation_find_t  find;     /* the first member, as its id */
    judge_judge_find_t       judge;
    judge_opinion_list_t     opinions;
    judge_report_criteria_t  criteria;
    judge_agreement_t       *agree;
} judge_annotation_agreement_t;


/* Runs in a thread, as criteria may be megabytes. */

static void
judge_annotation_agreement_measure(judge_req_t *r)
{
    judge_annotation_agreement_t  *c = r->ctx;

    r->rc = judge_report_criteria(r->arena, c->judge.row.criteria,
                                  &c->criteria);
    if (r->rc != JUDGE_OK) {
        return;
    }

    c->agree = judge_array_alloc(r->arena, c->criteria.rows.count + 2,
                                 sizeof(judge_agreement_t));
    r->rc = c->agree == NULL ? JUDGE_NOMEM
            : judge_agreement_people(r->arena, &c->opinions, c->criteria.ids,
                                     c->criteria.rows.count, c->criteria.pass,
                                     c->agree);
}


static void
judge_annotation_agreement_target(judge_json_writer_t *w, const void *report,
    size_t target)
{
    const judge_annotation_agreement_t  *c = report;

    judge_json_put_int(w, "items", (int64_t) c->agree[target].n);
    judge_agreement_json(w, &c->agree[target]);
}


static void
judge_annotation_agreement_answer(judge_req_t *r)
{
    judge_json_writer_t           *w;
    judge_annotation_agreement_t  *c = r->ctx;

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "queue_id", c->find.id);
    judge_json_put_str(w, "judge_id", c->find.row.judge_id);
    judge_json_put_int(w, "done", c->find.row.done);
    judge_json_put_bool(w, "complete", c->opinions.count < JUDGE_OPINIONS);
    judge_report_each(w, &c->criteria.rows, 0,
                      judge_annotation_agreement_target, c);
    judge_json_key_object(w, "overall");
    judge_annotation_agreement_target(w, c, c->criteria.rows.count);
    judge_json_object_end(w);
    judge_json_key_object(w, "mean");
    judge_annotation_agreement_target(w, c, c->criteria.rows.count + 1);
    judge_json_object_end(w);
    judge_reply_end(r);
}


static void
judge_annotation_agreement_judge(judge_req_t *r)
{
    judge_annotation_agreement_t  *c = r->ctx;

    c->opinions.op.kind = JUDGE_OP_ANNOTATION_OPINIONS;
    c->opinions.judge_id = c->find.row.judge_id;
    c->opinions.queue_id = c->find.id;
    judge_await_compute(r, &c->opinions.op, judge_annotation_agreement_measure,
                        judge_annotation_agreement_answer);
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
