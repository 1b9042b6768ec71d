/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the files of training jobs share; inside the store only. */


#ifndef JUDGE_STORE_TRAINING_PARTS_H
#define JUDGE_STORE_TRAINING_PARTS_H


#include "store/ops/store_ops.h"
#include "store/store_training.h"


/* The columns of a job, and the members that they go to. */
#define JUDGE_TRAINING_COLUMNS                                                \
    "org, id, judge_id, type, status, priority, attempts, seq, created_at,"   \
    " created_by, executed_at, execution_id, started_at, completed_at,"       \
    " allocation, max_duration, until, base_version, new_version, deployed,"  \
    " items, estimate, phase, epoch, epochs, progress, config, options,"      \
    " summary, error"

#define JUDGE_TRAINING_VALUES                                                 \
    JUDGE_R(org), JUDGE_R(id), JUDGE_R(judge_id), JUDGE_R(type),              \
    JUDGE_R(status), JUDGE_R(priority), JUDGE_R(attempts), JUDGE_R(seq),      \
    JUDGE_R(created_at), JUDGE_R(created_by), JUDGE_R(executed_at),           \
    JUDGE_R(execution_id), JUDGE_R(started_at), JUDGE_R(completed_at),        \
    JUDGE_R(allocation), JUDGE_R(max_duration), JUDGE_R(until),               \
    JUDGE_R(base_version), JUDGE_R(new_version), JUDGE_R(deployed),           \
    JUDGE_R(items), JUDGE_R(estimate), JUDGE_R(phase), JUDGE_R(epoch),        \
    JUDGE_R(epochs), JUDGE_R(progress), JUDGE_R(config), JUDGE_R(options),    \
    JUDGE_R(summary), JUDGE_R(error)

extern const judge_value_t  judge_training_row_out[];


#endif /* JUDGE_STORE_TRAINING_PARTS_H */
