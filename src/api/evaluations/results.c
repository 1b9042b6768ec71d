/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What became of a job, whatever kind of job it is: its counts and a page of
 * its evaluations. */


#include "store/store_batch.h"
#include "store/store_job.h"
#include "work/render/evaluation_json.h"
#include "api/http/request.h"


typedef struct {
    judge_list_query_t       query;
    judge_str_t              id;
    judge_evaluation_find_t  find;
    judge_batch_find_t       batch;
    judge_evaluation_list_t  list;
    judge_job_find_t         job;
    judge_job_results_t      members;
} judge_results_t;


static void judge_results(judge_req_t *r);
static void judge_results_evaluation(judge_req_t *r);
static void judge_results_batch(judge_req_t *r);
static void judge_results_page(judge_req_t *r);
static void judge_results_job(judge_req_t *r);
static void judge_results_members(judge_req_t *r);
static void judge_results_end(judge_req_t *r, judge_json_writer_t *w,
    const judge_page_t *page, const judge_evaluation_row_t *rows, size_t n);
static void judge_results_missing(judge_req_t *r);
static judge_json_writer_t *judge_results_begin(judge_req_t *r,
    judge_str_t status, int64_t total, int64_t completed, int64_t failed);


static const judge_field_t  judge_results_query[] = {
    judge_list_query_fields(judge_results_t, query),
    { .name = NULL }
};


const judge_route_t  judge_result_routes[] = {
    { .method = JUDGE_GET, .pattern = "/evaluations/results/{job_id}",
      .permission = JUDGE_MAY_READ_EVALUATIONS,
      .ctx_size = sizeof(judge_results_t), .query = judge_results_query,
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
        c->find.op.kind = JUDGE_OP_EVALUATION_FIND;
        c->find.id = c->id;
        judge_await(r, &c->find.op, judge_results_evaluation);
        return;
    }

    if (judge_id_wellformed(c->id, "bat")) {
        c->batch.op.kind = JUDGE_OP_BATCH_FIND;
        c->batch.id = c->id;
        c->batch.brief = true;
        judge_await(r, &c->batch.op, judge_results_batch);
        return;
    }

    if (judge_id_wellformed(c->id, "job")) {
        c->job.op.kind = JUDGE_OP_JOB_FIND;
        c->job.id = c->id;
        judge_await(r, &c->job.op, judge_results_job);
        return;
    }

    judge_results_missing(r);
}


/* A job of one evaluation. */

static void
judge_results_evaluation(judge_req_t *r)
{
    judge_json_writer_t     *w;
    judge_results_t         *c = r->ctx;
    judge_evaluation_row_t  *row;

    if (c->find.op.rc != JUDGE_OK) {
        judge_results_missing(r);
        return;
    }

    row = &c->find.row;
    w = judge_results_begin(r, row->status, 1,
                            judge_str_eq_c(row->status, "completed"),
                            judge_str_eq_c(row->status, "failed"));
    judge_evaluation_json(w, row, false);
    judge_json_array_end(w);
    judge_reply_end(r);
}


static void
judge_results_batch(judge_req_t *r)
{
    judge_results_t  *c = r->ctx;

    if (c->batch.op.rc != JUDGE_OK) {
        judge_results_missing(r);
        return;
    }

    c->list.op.kind = JUDGE_OP_EVALUATION_LIST;
    c->list.batch_id = c->id;
    judge_await_page(r, &c->list.op, judge_results_page);
}


static void
judge_results_page(judge_req_t *r)
{
    judge_json_writer_t  *w;
    judge_results_t      *c = r->ctx;
    judge_batch_row_t    *row;

    row = &c->batch.row;
    w = judge_results_begin(r, row->status, row->total, row->completed,
                            row->failed);
    judge_results_end(r, w, &c->list.page, c->list.rows, c->list.count);
}


/* A job of several. */

static void
judge_results_job(judge_req_t *r)
{
    judge_results_t  *c = r->ctx;

    if (c->job.op.rc != JUDGE_OK) {
        judge_results_missing(r);
        return;
    }

    c->members.op.kind = JUDGE_OP_JOB_RESULTS;
    c->members.id = c->id;
    c->members.page = c->list.page;
    judge_await_page(r, &c->members.op, judge_results_members);
}


/* Its status as a batch's: completed when all have ended and any has
 * completed, or when none is left. */

static void
judge_results_members(judge_req_t *r)
{
    judge_str_t           status;
    judge_json_writer_t  *w;
    judge_results_t      *c = r->ctx;
    judge_job_find_t     *job = &c->job;

    status = job->completed + job->failed < job->total
             ? JUDGE_STR("processing")
             : job->completed == 0 && job->failed ? JUDGE_STR("failed")
                                                  : JUDGE_STR("completed");

    w = judge_results_begin(r, status, job->total, job->completed,
                            job->failed);
    judge_results_end(r, w, &c->members.page, c->members.rows,
                      c->members.count);
}


static void
judge_results_end(judge_req_t *r, judge_json_writer_t *w,
    const judge_page_t *page, const judge_evaluation_row_t *rows, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        judge_evaluation_json(w, &rows[i], false);
    }

    judge_json_array_end(w);

    if (n) {
        judge_reply_cursor(r, w, page, rows[n - 1].id);
    }

    judge_reply_end(r);
}


static judge_json_writer_t *
judge_results_begin(judge_req_t *r, judge_str_t status, int64_t total,
    int64_t completed, int64_t failed)
{
    judge_json_writer_t  *w;
    judge_results_t      *c = r->ctx;

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "job_id", c->id);
    judge_json_put_str(w, "status", status);
    judge_json_put_int(w, "total", total);
    judge_json_put_int(w, "completed", completed);
    judge_json_put_int(w, "failed", failed);
    judge_json_key_array(w, "results");

    return w;
}


static void
judge_results_missing(judge_req_t *r)
{
    judge_fail(r, 404, "there is no such job");
}
