/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The scores of an evaluation that has ended, read from its record. */


#ifndef JUDGE_SCORES_H
#define JUDGE_SCORES_H


#include "base/core/time.h"
#include "base/json/json.h"


typedef struct {
    judge_str_t  criterion_id;         /* empty: the overall score */
    double       score;                /* 0 to 100 */
    double       raw;                  /* the engine's, before what was learned
                                          was applied */
    double       width;                /* half of its interval; 0: it has
                                          none */
    const judge_json_t  *json;         /* the record that has it */
} judge_score_t;

typedef struct {
    judge_str_t     judge_id;          /* absent: the record can't be read */
    judge_ms_t      evaluated_at;
    judge_str_t     engine;            /* and its version; may be absent */
    bool            decided;           /* the judge may escalate to a model */
    double          builtin;           /* the score before it did; else NaN */
    bool            failed;
    judge_str_t     language;          /* a code; may be absent */
    judge_score_t  *scores;            /* [0]: the overall score */
    size_t          n;                 /* 0: it failed */
} judge_scores_t;

/* The member `key` if it is a score, else NaN; the object may be NULL. */
double judge_scores_number(const judge_json_t *object, const char *key);

/* Allocates in the arena.  Any thread; JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_scores_read(judge_arena_t *arena, judge_str_t body,
    judge_scores_t *out);

/* The score of a criterion, or with an empty id the overall score; NULL: the
 * evaluation has none. */
const judge_score_t *judge_scores_of(const judge_scores_t *scores,
    judge_str_t criterion_id);


#endif /* JUDGE_SCORES_H */
