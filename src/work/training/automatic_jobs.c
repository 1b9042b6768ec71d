/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What these jobs make is deployed if it is better. */


#include "work/calibration/calibrator.h"
#include "work/training/training.h"
#include "work/training/training_config.h"


#define JUDGE_REFIT_MINUTES  120       /* time limit of the job */
#define JUDGE_REFIT_LEAST    5         /* entries of feedback; so few, because
                                          the first training had enough */

/* Lies in the arena of its first member. */
typedef struct {
    judge_training_summary_t    summary;   /* first: see judge_service_op() */
    judge_refit_find_t          find;
    judge_training_create_t     create;
    judge_training_config_t     config;
    judge_training_options_t    options;
    judge_service_t            *service;
    const judge_leased_kind_t  *runs;  /* NULL: it is a refit */
    judge_refit_done_pt         done;  /* of a refit */
    void                       *data;
} judge_automatic_job_t;


static void
judge_automatic_job_submit(judge_automatic_job_t *job, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op))
{
    *op = (judge_op_t) {
        .kind = kind, .org = job->summary.op.org,
        .arena = job->summary.op.arena, .done = done, .data = job
    };
    judge_submit(job->service, op);
}


static void
judge_automatic_job_end(judge_automatic_job_t *job, const judge_refit_t *refit)
{
    void                 *data = job->data;
    judge_refit_done_pt   done = job->done;

    judge_service_op_free(&job->summary.op);

    if (done) {
        done(data, refit);
    }
}


/* JUDGE_NOT_FOUND: another process has created the refit already. */

static void
judge_automatic_job_created(judge_op_t *op)
{
    judge_automatic_job_t  *job = op->data;
    judge_refit_t           refit = {
        job->create.row.created_at + JUDGE_REFIT_WAIT, 0
    };

    if (job->runs) {
        judge_leases_wake(job->service, job->runs);
    }

    judge_automatic_job_end(job, op->rc == JUDGE_OK
                                 || op->rc == JUDGE_NOT_FOUND ? &refit : NULL);
}


static void
judge_automatic_job_counted(judge_op_t *op)
{
    judge_rc_e              rc;
    judge_automatic_job_t  *job = op->data;
    judge_training_row_t   *row = &job->create.row;

    row->created_at = judge_now(job->service);
    row->executed_at = row->created_at;
    judge_training_config_complete(&job->config, row->type);

    rc = op->rc;
    if (rc == JUDGE_OK) {
        rc = judge_training_row(op->arena, &job->summary, &job->config,
                                &job->options, row);
    }
    if (rc == JUDGE_OK) {
        rc = judge_training_id(op->arena, "exe", row->created_at,
                               &row->execution_id);
    }
    if (rc != JUDGE_OK) {
        judge_automatic_job_end(job, NULL);
        return;
    }

    judge_automatic_job_submit(job, &job->create.op, JUDGE_OP_TRAINING_CREATE,
                               judge_automatic_job_created);
}


static judge_automatic_job_t *
judge_automatic_job_make(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, judge_str_t type)
{
    judge_op_t             *op;
    judge_automatic_job_t  *job;

    job = judge_service_op(sizeof(judge_automatic_job_t),
                           JUDGE_OP_TRAINING_SUMMARY,
                           judge_automatic_job_counted, NULL);
    if (job == NULL) {
        return NULL;
    }

    op = &job->summary.op;
    op->data = job;
    op->org = judge_str_dup(op->arena, org);
    job->service = service;
    job->summary.judge_id = judge_str_dup(op->arena, judge_id);
    job->create.row.type = type;
    job->create.row.status = JUDGE_STR("queued");
    job->options.deploy = (judge_boolean_t) { true, true };

    if (op->org.data == NULL || job->summary.judge_id.data == NULL) {
        judge_service_op_free(op);
        return NULL;
    }

    return job;
}


void
judge_retrain(judge_service_t *service, const judge_leased_kind_t *runs,
    judge_str_t org, judge_str_t judge_id, judge_str_t key_id,
    judge_str_t job_id)
{
    judge_training_row_t   *row;
    judge_automatic_job_t  *job;

    job = judge_automatic_job_make(service, org, judge_id,
                                   JUDGE_STR("incremental"));
    if (job == NULL) {
        return;
    }

    job->runs = runs;
    row = &job->create.row;
    row->id = judge_str_dup(job->summary.op.arena, job_id);
    row->created_by = judge_str_dup(job->summary.op.arena, key_id);

    if (row->id.data == NULL) {
        judge_automatic_job_end(job, NULL);
        return;
    }

    judge_submit(service, &job->summary.op);
}


static void
judge_refit_found(judge_op_t *op)
{
    judge_refit_t           refit = { 0, 0 };
    judge_automatic_job_t  *job = op->data;
    judge_refit_find_t     *find = &job->find;

    if (op->rc != JUDGE_OK || !find->active || find->tried) {
        refit.until = find->since ? find->since + JUDGE_REFIT_WAIT : 0;
        refit.version = find->refitted;
        judge_automatic_job_end(job, op->rc == JUDGE_OK ? &refit : NULL);
        return;
    }

    job->create.row.created_by = JUDGE_STR("");
    job->create.row.base_version = find->version;
    job->create.row.refits = find->engine;
    job->config.minimum = (judge_integer_t) { JUDGE_REFIT_LEAST, true };
    job->options.minutes = (judge_integer_t) { JUDGE_REFIT_MINUTES, true };
    job->options.priority = (judge_choice_t) { JUDGE_PRIORITY_HIGH, true };
    judge_submit(job->service, &job->summary.op);
}


void
judge_refit(judge_service_t *service, judge_str_t org, judge_str_t judge_id,
    int64_t version, judge_refit_done_pt done, void *data)
{
    judge_automatic_job_t  *job;

    job = judge_automatic_job_make(service, org, judge_id,
                                   JUDGE_STR("full_retrain"));
    if (job == NULL) {
        done(data, NULL);
        return;
    }

    job->done = done;
    job->data = data;
    job->find.judge_id = job->summary.judge_id;
    job->find.version = version;
    job->find.engine = judge_calibrator_build_hash();
    judge_automatic_job_submit(job, &job->find.op, JUDGE_OP_REFIT_FIND,
                               judge_refit_found);
}
