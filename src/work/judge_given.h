/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The scores that an evaluation has given, read back from its stored record.
 */


#ifndef JUDGE_GIVEN_H
#define JUDGE_GIVEN_H


#include "base/judge_json.h"


typedef struct {
    judge_str_t  criterion_id;
    double       score;
} judge_given_score_t;

typedef struct {
    judge_given_score_t  *scores;      /* in the record's order */
    size_t                count;
    double                overall;
    bool                  has_overall;
} judge_given_t;


/* NULL: no memory.  A record of one that failed gives no scores. */
judge_given_t *judge_given_read(judge_arena_t *arena, judge_str_t record);

/* NULL: the criterion was not scored. */
const judge_given_score_t *judge_given_find(const judge_given_t *given,
    judge_str_t criterion_id);

/* {"crt_…": 80, "": 75.5}: the overall score stands under the empty name. */
judge_str_t judge_given_write(judge_arena_t *arena,
    const judge_given_t *given);               /* data NULL: no memory */


#endif /* JUDGE_GIVEN_H */
