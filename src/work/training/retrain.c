/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Jobs that feedback triggers instead of a client. */


#include <string.h>

#include "store/store_training.h"
#include "work/render/resource_json.h"
#include "work/training/training.h"
#include "work/training/training_config.h"


/* Until there is something measured: of one evaluation, and of a job. */
#define JUDGE_TRAINING_ITEM  4         /* ms */
#define JUDGE_TRAINING_JOB  1000       /* ms */

typedef struct {
    judge_service_t           *service;
    judge_id_t                 org;
    judge_id_t                 judge_id;
    judge_id_t                 key_id;
    judge_id_t                 id;
    judge_id_t                 execution;
    judge_training_summary_t   summary;
    judge_training_create_t    create;
} judge_retrain_t;


static void judge_retrain_op(judge_retrain_t *retrain, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op));
static void judge_retrain_counted(judge_op_t *op);
static judge_rc_e judge_retrain_row(judge_retrain_t *retrain);
static void judge_retrain_created(judge_op_t *op);


void
judge_retrain(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, judge_str_t key_id)
{
    judge_arena_t    *arena;
    judge_retrain_t  *retrain;

    arena = judge_arena_create(8192);
    retrain = arena ? judge_calloc(arena, sizeof(judge_retrain_t)) : NULL;
    if (retrain == NULL) {
        judge_arena_destroy(arena);
        return;
    }

    retrain->service = service;
    retrain->summary.op.arena = arena;
    judge_id_set(&retrain->org, org);
    judge_id_set(&retrain->judge_id, judge_id);
    judge_id_set(&retrain->key_id, key_id);

    retrain->summary.judge_id = judge_id_str(&retrain->judge_id);
    judge_retrain_op(retrain, &retrain->summary.op,
                     JUDGE_OP_TRAINING_SUMMARY,
                     judge_retrain_counted);
}


static void
judge_retrain_op(judge_retrain_t *retrain, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op))
{
    op->kind = kind;
    op->org = judge_id_str(&retrain->org);
    op->arena = retrain->summary.op.arena;
    op->done = done;
    op->data = retrain;
    judge_submit(retrain->service, op);
}


static void
judge_retrain_counted(judge_op_t *op)
{
    judge_retrain_t  *retrain = op->data;

    if (op->rc != JUDGE_OK || judge_retrain_row(retrain) != JUDGE_OK) {
        judge_arena_destroy(op->arena);
        return;
    }

    judge_retrain_op(retrain, &retrain->create.op, JUDGE_OP_TRAINING_CREATE,
                     judge_retrain_created);
}


static judge_rc_e
judge_retrain_row(judge_retrain_t *retrain)
{
    judge_ms_t                 now;
    judge_arena_t             *arena;
    judge_training_row_t      *row = &retrain->create.row;
    judge_training_config_t    config;
    judge_training_options_t   options;

    now = judge_now(retrain->service);
    arena = retrain->summary.op.arena;

    if (judge_id_make(&retrain->id, "trj", now) != JUDGE_OK
        || judge_id_make(&retrain->execution, "exe", now) != JUDGE_OK)
    {
        return JUDGE_ERROR;
    }

    memset(&config, 0, sizeof(judge_training_config_t));
    memset(&options, 0, sizeof(judge_training_options_t));
    judge_training_config_complete(&config, JUDGE_TRAINING_INCREMENTAL);
    options.deploy = (judge_boolean_t) { true, true };

    row->id = judge_id_str(&retrain->id);
    row->judge_id = judge_id_str(&retrain->judge_id);
    row->type = JUDGE_STR("incremental");
    row->status = JUDGE_STR("queued");
    row->priority = JUDGE_PRIORITY_NORMAL;
    row->created_at = now;
    row->executed_at = now;
    row->created_by = judge_id_str(&retrain->key_id);
    row->execution_id = judge_id_str(&retrain->execution);
    row->estimate = judge_training_estimate(retrain->summary.evaluations,
                                            retrain->summary.spent,
                                            retrain->summary.spent_on);
    row->epochs = config.epochs.value;
    row->config = judge_training_config_write(arena, &config);
    row->options = judge_training_options_write(arena, &options);
    row->summary = judge_training_summary(arena, &retrain->summary);

    return row->config.data && row->options.data && row->summary.data
           ? JUDGE_OK : JUDGE_NOMEM;
}


/* JUDGE_CONFLICT: the one that waits will learn from this, too. */

static void
judge_retrain_created(judge_op_t *op)
{
    judge_service_t  *service;

    service = ((judge_retrain_t *) op->data)->service;

    if (op->rc == JUDGE_OK) {
        judge_training_poke(service);
    }

    judge_arena_destroy(op->arena);
}


judge_ms_t
judge_training_estimate(int64_t items, judge_ms_t spent, int64_t spent_on)
{
    double  each;

    each = spent_on > 0 ? (double) spent / (double) spent_on
                        : JUDGE_TRAINING_ITEM;

    return JUDGE_TRAINING_JOB + (judge_ms_t) (each * (double) items);
}
