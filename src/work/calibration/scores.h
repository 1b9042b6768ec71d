/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The scores of an evaluation that has completed, out of its record. */


#ifndef JUDGE_SCORES_H
#define JUDGE_SCORES_H


#include "base/core/str.h"


typedef struct {
    judge_str_t  criterion_id;         /* empty: the overall score */
    double       score;                /* 0 to 100 */
} judge_score_t;

/* The overall score first, in the arena; *n is 0 where the record has none.
 * JUDGE_OK or JUDGE_NOMEM.  Any thread. */
judge_rc_e judge_scores_read(judge_arena_t *arena, judge_str_t body,
    judge_score_t **scores, size_t *n);


#endif /* JUDGE_SCORES_H */
