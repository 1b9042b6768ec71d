/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What an evaluation ended with, out of its record. */


#ifndef JUDGE_SCORES_H
#define JUDGE_SCORES_H


#include "base/core/str.h"
#include "base/core/time.h"


typedef struct {
    judge_str_t  criterion_id;         /* empty: the overall score */
    double       score;                /* 0 to 100 */
} judge_score_t;

typedef struct {
    judge_str_t     judge_id;          /* absent: the record can't be read */
    judge_ms_t      evaluated_at;
    bool            failed;
    judge_score_t  *scores;            /* the overall score is the first */
    size_t          n;                 /* 0: there are none */
} judge_scores_t;

/* In the arena.  JUDGE_OK or JUDGE_NOMEM.  Any thread. */
judge_rc_e judge_scores_read(judge_arena_t *arena, judge_str_t body,
    judge_scores_t *out);


#endif /* JUDGE_SCORES_H */
