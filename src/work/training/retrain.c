/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Creates training jobs that feedback triggers. */


#include <string.h>

#include "work/training/training.h"
#include "work/training/training_state.h"


/* Lies in the arena of the summary's operation. */
typedef struct {
    judge_training_summary_t   summary;    /* first: see judge_service_op() */
    judge_service_t           *service;
    judge_str_t                key_id;
    judge_training_create_t    create;
} judge_retrain_t;


static void judge_retrain_counted(judge_op_t *op);
static void judge_retrain_created(judge_op_t *op);


void
judge_retrain(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, judge_str_t key_id, judge_str_t job_id)
{
    judge_arena_t    *arena;
    judge_retrain_t  *retrain;

    retrain = judge_service_op(sizeof(judge_retrain_t),
                               JUDGE_OP_TRAINING_SUMMARY,
                               judge_retrain_counted, NULL);
    if (retrain == NULL) {
        return;
    }

    arena = retrain->summary.op.arena;
    retrain->service = service;
    retrain->key_id = judge_str_dup(arena, key_id);
    retrain->create.row.id = judge_str_dup(arena, job_id);
    retrain->summary.op.org = judge_str_dup(arena, org);
    retrain->summary.judge_id = judge_str_dup(arena, judge_id);

    if (retrain->summary.op.org.data == NULL
        || retrain->create.row.id.data == NULL
        || retrain->summary.judge_id.data == NULL)
    {
        judge_service_op_free(&retrain->summary.op);
        return;
    }

    judge_submit(service, &retrain->summary.op);
}


static void
judge_retrain_counted(judge_op_t *op)
{
    judge_rc_e                 rc;
    judge_retrain_t           *retrain = (judge_retrain_t *) op;
    judge_training_row_t      *row = &retrain->create.row;
    judge_training_config_t    config;
    judge_training_options_t   options;

    memset(&config, 0, sizeof(judge_training_config_t));
    memset(&options, 0, sizeof(judge_training_options_t));
    judge_training_config_complete(&config, JUDGE_STR("incremental"));
    options.deploy = (judge_boolean_t) { true, true };

    row->type = JUDGE_STR("incremental");
    row->status = JUDGE_STR("queued");
    row->created_at = judge_now(retrain->service);
    row->executed_at = row->created_at;
    row->created_by = retrain->key_id;

    rc = op->rc;
    if (rc == JUDGE_OK) {
        rc = judge_training_row(op->arena, &retrain->summary, &config,
                                &options, row);
    }
    if (rc == JUDGE_OK) {
        rc = judge_training_id(op->arena, "exe", row->created_at,
                               &row->execution_id);
    }
    if (rc != JUDGE_OK) {
        judge_service_op_free(op);
        return;
    }

    retrain->create.op = (judge_op_t) {
        .kind = JUDGE_OP_TRAINING_CREATE, .org = op->org, .arena = op->arena,
        .done = judge_retrain_created, .data = retrain
    };
    judge_submit(retrain->service, &retrain->create.op);
}


static void
judge_retrain_created(judge_op_t *op)
{
    judge_leases_wake(((judge_retrain_t *) op->data)->service,
                      &judge_training_runs);
    judge_service_op_free(op);
}
