/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the files of training jobs share; inside the store only. */


#ifndef JUDGE_STORE_TRAINING_PARTS_H
#define JUDGE_STORE_TRAINING_PARTS_H


#include "store/ops/store_ops.h"
#include "store/store_training.h"


/* The columns of a job, and the reader of them where they stand first. */
#define JUDGE_TRAINING_COLUMNS                                                \
    "org, id, judge_id, type, status, priority, attempts, seq, created_at,"   \
    " created_by, executed_at, execution_id, started_at, completed_at,"       \
    " allocation, max_duration, until, base_version, new_version, deployed,"  \
    " items, estimate, phase, epoch, epochs, progress, config, options,"      \
    " summary, error"

#define JUDGE_TRAINING_COLUMN_NEXT  30

void judge_training_row_read(judge_run_t *run, judge_training_row_t *row);


#endif /* JUDGE_STORE_TRAINING_PARTS_H */
