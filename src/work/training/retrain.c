/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The rows of new jobs, and jobs that are triggered by feedback. */


#include <string.h>

#include "work/render/resource_json.h"
#include "work/training/training.h"
#include "work/training/training_state.h"


/* Of one evaluation in one fold, until there is something measured. */
#define JUDGE_TRAINING_ITEM  4         /* ms */
#define JUDGE_TRAINING_JOB  1000       /* ms, of a job besides */

/* In the arena of the summary's operation. */
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
    judge_training_poke(((judge_retrain_t *) op->data)->service);
    judge_service_op_free(op);
}


/* --- Rows ---------------------------------------------------------------- */

judge_rc_e
judge_training_id(judge_arena_t *arena, const char *prefix, judge_ms_t now,
    judge_str_t *id)
{
    judge_rc_e   rc;
    judge_id_t  *made;

    made = judge_alloc(arena, sizeof(judge_id_t));
    if (made == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_id_make(made, prefix, now);
    *id = judge_id_str(made);

    return rc;
}


judge_rc_e
judge_training_row(judge_arena_t *arena,
    const judge_training_summary_t *summary,
    const judge_training_config_t *config,
    const judge_training_options_t *options, judge_training_row_t *row)
{
    row->judge_id = summary->judge_id;
    row->priority = options->priority.set ? options->priority.value
                                          : JUDGE_PRIORITY_NORMAL;
    row->allocation = options->allocation;
    row->max_duration = options->minutes.value * 60000;
    row->estimate = judge_training_estimate(summary, config);
    row->epochs = config->epochs.value;
    row->config = judge_training_config_write(arena, config);
    row->options = judge_training_options_write(arena, options);
    row->summary = judge_training_summary(arena, summary);

    if (row->config.data == NULL || row->options.data == NULL
        || row->summary.data == NULL)
    {
        return JUDGE_NOMEM;
    }

    return row->id.data ? JUDGE_OK
           : judge_training_id(arena, "trj", row->created_at, &row->id);
}


/* Jobs of the tier show it; else the folds that are held out do. */

judge_ms_t
judge_training_estimate(const judge_training_summary_t *summary,
    const judge_training_config_t *config)
{
    int     tier;
    double  each;
    size_t  n = (size_t) summary->evaluations;

    tier = summary->allocation.data
           ? judge_training_word(judge_training_allocations,
                                 summary->allocation)
           : JUDGE_TRAINING_STANDARD;
    each = summary->spent_on > 0
           ? (double) summary->spent / (double) summary->spent_on
           : JUDGE_TRAINING_ITEM
             * (double) (1 + judge_training_held_out(config->split.value, n,
                                 (judge_training_allocation_e) tier));

    return JUDGE_TRAINING_JOB + (judge_ms_t) (each * (double) n);
}
