/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What both ways of submitting feedback share. */


#ifndef JUDGE_FEEDBACK_H
#define JUDGE_FEEDBACK_H


#include "api/feedback/feedback_entry.h"
#include "api/http/request.h"


/* Keeps a body's scores, a judge_stored_scores_t, in the target. */
judge_rc_e judge_feedback_take(judge_feedback_targets_t *o,
    judge_feedback_target_t *target, judge_str_t body);

/* Entries have been committed: they are to be processed. */
void judge_feedback_committed(judge_req_t *r, judge_op_t *op);


#endif /* JUDGE_FEEDBACK_H */
