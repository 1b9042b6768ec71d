/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The outcome of a job of any kind: its counts and a page of its
 * evaluations. */


#include "store/store_batch.h"
#include "store/store_job.h"
#include "work/render/evaluation_json.h"
#include "work/render/resource_json.h"
#include "api/http/request.h"


typedef struct {
    judge_list_query_t       query;
    judge_str_t              id;
    judge_op_t              *op;       /* the operation that finds the job */
    judge_evaluation_find_t  find;
    judge_batch_find_t       batch;
    judge_evaluation_list_t  list;
    judge_job_find_t         job;
    judge_job_results_t      members;
} judge_results_t;


static void judge_results(judge_req_t *r);
static void judge_results_found(judge_req_t *r);
static void judge_results_batch(judge_req_t *r);
static void judge_results_job(judge_req_t *r);


static const judge_field_t  judge_results_query[] = {
    judge_list_query_fields(judge_results_t, query),
    { .name = NULL }
};


const judge_route_t  judge_result_routes[] = {
    { judge_route(GET, "/evaluations/results/{job_id}",
                  JUDGE_MAY_READ_EVALUATIONS, 0, judge_results_t),
      .query = judge_results_query,
      .handler = judge_results },
    { .pattern = NULL }
};


static void
judge_results(judge_req_t *r)
{
    judge_results_t  *c = r->ctx;

    c->id = r->params[0];

    if (!judge_list_page(r, &c->query, "evl", &c->list.page)) {
        return;
    }

    if (judge_id_wellformed(c->id, "evl")) {
        c->op = &c->find.op;
        c->op->kind = JUDGE_OP_EVALUATION_FIND;
        c->find.id = c->id;

    } else if (judge_id_wellformed(c->id, "bat")) {
        c->op = &c->batch.op;
        c->op->kind = JUDGE_OP_BATCH_FIND;
        c->batch.id = c->id;
        c->batch.brief = true;

    } else if (judge_id_wellformed(c->id, "job")) {
        c->op = &c->job.op;
        c->op->kind = JUDGE_OP_JOB_FIND;
        c->job.id = c->id;

    } else {
        judge_fail(r, 404, "there is no such job");
        return;
    }

    judge_await(r, c->op, judge_results_found);
}


static void
judge_results_answer(judge_req_t *r, judge_str_t status, int64_t total,
    int64_t completed, int64_t failed, const judge_page_t *page,
    const judge_evaluation_row_t *rows, size_t n)
{
    size_t                i;
    judge_json_writer_t  *w;
    judge_results_t      *c = r->ctx;

    w = judge_reply_begin(r, 200);
    judge_json_put_id(w, "job_id", c->id);
    judge_json_put_str(w, "status", status);
    if (total == 0) {
        judge_job_empty_json(w, status);
    }
    judge_json_put_int(w, "total", total);
    judge_json_put_int(w, "completed", completed);
    judge_json_put_int(w, "failed", failed);
    judge_json_key_array(w, "results");

    for (i = 0; i < n; i++) {
        judge_evaluation_json(w, &rows[i], false);
    }

    judge_json_array_end(w);

    if (n) {
        judge_reply_cursor(r, w, page, rows[n - 1].id);
    }

    judge_reply_end(r);
}


static void
judge_results_evaluation(judge_req_t *r)
{
    judge_results_t         *c = r->ctx;
    judge_evaluation_row_t  *row = &c->find.row;

    judge_results_answer(r, row->status, 1,
                         judge_str_eq_c(row->status, "completed"),
                         judge_str_eq_c(row->status, "failed"), &c->list.page,
                         row, 1);
}


static void
judge_results_found(judge_req_t *r)
{
    judge_results_t  *c = r->ctx;

    if (c->op->rc != JUDGE_OK) {
        judge_fail(r, 404, "there is no such job");

    } else if (c->op == &c->find.op) {
        judge_results_evaluation(r);

    } else if (c->op == &c->batch.op) {
        c->list.op.kind = JUDGE_OP_EVALUATION_LIST;
        c->list.batch_id = c->id;
        judge_await_page(r, &c->list.op, judge_results_batch);

    } else {
        c->members.op.kind = JUDGE_OP_JOB_RESULTS;
        c->members.id = c->id;
        c->members.page = c->list.page;
        judge_await_page(r, &c->members.op, judge_results_job);
    }
}


static void
judge_results_batch(judge_req_t *r)
{
    judge_results_t    *c = r->ctx;
    judge_batch_row_t  *row = &c->batch.row;

    judge_results_answer(r, row->status, row->total, row->completed,
                         row->failed, &c->list.page, c->list.rows,
                         c->list.count);
}


/* A job of several evaluations has the status that a batch would have: it is
 * completed when all have ended and at least one has completed. */

static void
judge_results_job(judge_req_t *r)
{
    judge_str_t        status;
    judge_results_t   *c = r->ctx;
    judge_job_find_t  *job = &c->job;

    status = job->completed + job->failed < job->total
             ? JUDGE_STR("processing")
             : job->completed ? JUDGE_STR("completed") : JUDGE_STR("failed");

    judge_results_answer(r, status, job->total, job->completed, job->failed,
                         &c->members.page, c->members.rows, c->members.count);
}
