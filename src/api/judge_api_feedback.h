/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What both ways of submitting feedback share. */


#ifndef JUDGE_API_FEEDBACK_H
#define JUDGE_API_FEEDBACK_H


#include "api/judge_feedback_entry.h"
#include "api/judge_req.h"


/* Keeps a body's scores, a judge_given_t, in the target. */
judge_rc_e judge_feedback_take(judge_feedback_targets_t *o,
    judge_feedback_target_t *target, judge_str_t body);

/* Entries have been committed: they are to be processed. */
void judge_feedback_committed(judge_req_t *r, judge_op_t *op);


#endif /* JUDGE_API_FEEDBACK_H */
