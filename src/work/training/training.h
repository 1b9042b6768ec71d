/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Training jobs in one worker process: one at a time, the most urgent first,
 * step by step in a thread.  After every epoch its progress is stored, so
 * that any worker can go on with it. */


#ifndef JUDGE_TRAINING_H
#define JUDGE_TRAINING_H


#include "work/service/leased.h"


/* A process that is asked to end releases its job after the current step. */
extern const judge_leased_kind_t  judge_training_runs;


#endif /* JUDGE_TRAINING_H */
