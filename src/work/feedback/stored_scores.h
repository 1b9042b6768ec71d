/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The scores of an evaluation, read back from its stored record.
 */


#ifndef JUDGE_STORED_SCORES_H
#define JUDGE_STORED_SCORES_H


#include "base/json/json.h"


typedef struct {
    judge_str_t  criterion_id;
    double       score;
} judge_stored_scores_score_t;

typedef struct {
    judge_stored_scores_score_t  *scores;  /* in the record's order */
    size_t                        count;
    double                        overall;
    bool                          has_overall;
} judge_stored_scores_t;


/* NULL: no memory.  A record of one that failed gives no scores. */
judge_stored_scores_t *judge_stored_scores_read(judge_arena_t *arena,
    judge_str_t record);

/* NULL: the criterion was not scored. */
const judge_stored_scores_score_t *judge_stored_scores_find(
    const judge_stored_scores_t *stored,
    judge_str_t criterion_id);

/* {"crt_…": 80, "": 75.5}: the overall score stands under the empty name. */
judge_str_t judge_stored_scores_write(judge_arena_t *arena,
    const judge_stored_scores_t *stored);       /* data NULL: no memory */


#endif /* JUDGE_STORED_SCORES_H */
