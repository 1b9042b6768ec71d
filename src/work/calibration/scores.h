/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The scores of an evaluation that has ended, read from its record. */


#ifndef JUDGE_SCORES_H
#define JUDGE_SCORES_H


#include "base/core/str.h"
#include "base/core/time.h"


typedef struct {
    judge_str_t  criterion_id;         /* empty: the overall score */
    double       score;                /* 0 to 100 */
    double       width;                /* half of its interval; 0: it has
                                          none */
} judge_score_t;

typedef struct {
    judge_str_t     judge_id;          /* absent: the record can't be read */
    judge_ms_t      evaluated_at;
    judge_str_t     engine;            /* and its version; may be absent */
    bool            failed;
    judge_score_t  *scores;            /* [0]: the overall score */
    size_t          n;                 /* 0: it failed */
} judge_scores_t;

/* Allocates in the arena.  Any thread; JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_scores_read(judge_arena_t *arena, judge_str_t body,
    judge_scores_t *out);


#endif /* JUDGE_SCORES_H */
