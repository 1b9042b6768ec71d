/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "work/calibration/calibrator.h"
#include "work/training/refit.h"
#include "work/training/training_config.h"


#define JUDGE_REFIT_MINUTES  120       /* time limit of the job */
#define JUDGE_REFIT_LEAST    5         /* entries of feedback; so few, because
                                          the first training had enough */

/* Lies in the arena of its first operation. */
typedef struct {
    judge_refit_find_t          find;  /* first: see judge_service_op() */
    judge_service_t            *service;
    judge_training_summary_t    summary;
    judge_training_create_t     create;
    judge_refit_done_pt         done;
    void                       *data;
} judge_refit_run_t;


static void judge_refit_found(judge_op_t *op);
static void judge_refit_counted(judge_op_t *op);
static void judge_refit_created(judge_op_t *op);


void
judge_refit(judge_service_t *service, judge_str_t org, judge_str_t judge_id,
    int64_t version, judge_refit_done_pt done, void *data)
{
    judge_refit_run_t   *run;
    judge_refit_find_t  *find;

    run = judge_service_op(sizeof(judge_refit_run_t), JUDGE_OP_REFIT_FIND,
                           judge_refit_found, NULL);
    if (run == NULL) {
        done(data, NULL);
        return;
    }

    find = &run->find;
    find->op.data = run;
    find->op.org = judge_str_dup(find->op.arena, org);
    find->judge_id = judge_str_dup(find->op.arena, judge_id);
    find->version = version;
    find->engine = judge_calibrator_build_hash();
    run->service = service;
    run->done = done;
    run->data = data;

    if (find->op.org.data == NULL || find->judge_id.data == NULL) {
        judge_service_op_free(&find->op);
        done(data, NULL);
        return;
    }

    judge_submit(service, &find->op);
}


static void
judge_refit_end(judge_refit_run_t *run, const judge_refit_t *refit)
{
    void                 *data = run->data;
    judge_refit_done_pt   done = run->done;

    judge_service_op_free(&run->find.op);
    done(data, refit);
}


static void
judge_refit_found(judge_op_t *op)
{
    judge_refit_t        refit = { 0, 0 };
    judge_refit_run_t   *run = op->data;
    judge_refit_find_t  *find = &run->find;

    if (op->rc == JUDGE_OK && find->active && !find->tried) {
        run->summary.judge_id = find->judge_id;
        run->summary.op = (judge_op_t) {
            .kind = JUDGE_OP_TRAINING_SUMMARY, .org = op->org,
            .arena = op->arena, .done = judge_refit_counted, .data = run
        };
        judge_submit(run->service, &run->summary.op);
        return;
    }

    refit.until = find->since ? find->since + JUDGE_REFIT_WAIT : 0;
    refit.version = find->refitted;
    judge_refit_end(run, op->rc == JUDGE_OK ? &refit : NULL);
}


/* The job has no created_by, because no client asked for it. */

static judge_rc_e
judge_refit_row(judge_refit_run_t *run)
{
    judge_rc_e                 rc;
    judge_training_row_t      *row = &run->create.row;
    judge_training_config_t    config = { 0 };
    judge_training_options_t   options = { 0 };

    row->type = JUDGE_STR("full_retrain");
    row->status = JUDGE_STR("queued");
    row->created_at = judge_now(run->service);
    row->executed_at = row->created_at;
    row->created_by = JUDGE_STR("");
    row->base_version = run->find.version;
    row->refits = run->find.engine;

    config.minimum = (judge_integer_t) { JUDGE_REFIT_LEAST, true };
    judge_training_config_complete(&config, row->type);
    options.deploy = (judge_boolean_t) { true, true };
    options.minutes = (judge_integer_t) { JUDGE_REFIT_MINUTES, true };
    options.priority.value = JUDGE_PRIORITY_HIGH;
    options.priority.set = true;

    rc = judge_training_row(run->find.op.arena, &run->summary, &config,
                            &options, row);

    return rc != JUDGE_OK ? rc
           : judge_training_id(run->find.op.arena, "exe", row->created_at,
                               &row->execution_id);
}


static void
judge_refit_counted(judge_op_t *op)
{
    judge_refit_run_t  *run = op->data;

    if (op->rc != JUDGE_OK || judge_refit_row(run) != JUDGE_OK) {
        judge_refit_end(run, NULL);
        return;
    }

    run->create.op = (judge_op_t) {
        .kind = JUDGE_OP_TRAINING_CREATE, .org = op->org, .arena = op->arena,
        .done = judge_refit_created, .data = run
    };
    judge_submit(run->service, &run->create.op);
}


/* JUDGE_NOT_FOUND: another process has created the job already. */

static void
judge_refit_created(judge_op_t *op)
{
    judge_refit_run_t  *run = op->data;
    judge_refit_t       refit = {
        run->create.row.created_at + JUDGE_REFIT_WAIT, 0
    };

    judge_refit_end(run, op->rc == JUDGE_OK || op->rc == JUDGE_NOT_FOUND
                         ? &refit : NULL);
}
