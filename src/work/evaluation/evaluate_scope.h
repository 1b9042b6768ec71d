/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Scores one text of a group by one of its judges: all of it or, of a
 * conversation, what the judge's scope says. */


#ifndef JUDGE_EVALUATE_SCOPE_H
#define JUDGE_EVALUATE_SCOPE_H


#include "work/evaluation/evaluate.h"


/* An arena's first block: enough to score a usual text. */
#define JUDGE_EVALUATE_SCRATCH  (512 * 1024)

/* The text that is being scored. */
typedef struct {
    size_t            content;         /* index of the job it belongs to */
    judge_item_t      item;
    judge_reading_t  *reading;         /* NULL: not analysed yet, or it is a
                                          conversation: its parts are then */
} judge_evaluate_text_t;

/* Whether scoring should be given up: the evaluation was deleted, or the
 * worker exits; data is the group. */
bool judge_evaluate_cancelled(void *data);

/* Scores the text by the judge of that index, applies what it has learned, and
 * then the checks.  *part is what was scored; the next call frees it.
 * JUDGE_OK, JUDGE_NOMEM, or JUDGE_STALE: cancelled. */
judge_rc_e judge_evaluate_scope(judge_evaluate_t *group, size_t judge,
    const judge_evaluate_text_t *text, judge_evaluate_text_t *part,
    judge_verdict_t *verdict, judge_origin_t *origin);


#endif /* JUDGE_EVALUATE_SCOPE_H */
