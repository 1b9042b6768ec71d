/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A runner, for the files that implement it. */


#ifndef JUDGE_RUNNER_PRIVATE_H
#define JUDGE_RUNNER_PRIVATE_H


#include "store/engine/runner.h"


struct judge_runner {
    const judge_driver_t           *driver;
    judge_connection_t             *connection;
    const judge_op_spec_t          *specs;
    judge_statement_t              *statements[JUDGE_OP_COUNT]
                                              [JUDGE_OP_STATEMENTS];
    judge_event_render_pt           render;      /* judge_runner_render() */
    bool                            exports;
};


/* Runs all statements of an operation in the current transaction. */
judge_rc_e judge_runner_steps(judge_runner_t *r, judge_op_t *op);

/* The same in parts.  next() advances to the next statement to run; false: the
 * operation has ended.  finish() runs that statement and all that follow. */
void judge_runner_start(judge_runner_t *r, judge_run_t *run, judge_op_t *op);
bool judge_runner_next(judge_runner_t *r, judge_run_t *run);
void judge_runner_finish(judge_runner_t *r, judge_run_t *run);


#endif /* JUDGE_RUNNER_PRIVATE_H */
