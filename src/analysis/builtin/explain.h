/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Makes feedback for people out of the very numbers that made the score: the
 * faults that were found, each with its place, or where there are none the
 * measurements that moved the score most.
 */


#ifndef JUDGE_EXPLAIN_H
#define JUDGE_EXPLAIN_H


#include "analysis/aspects/aspect.h"
#include "analysis/builtin/engine.h"


/* What a verdict rests on.  It lives as long as the arena of the verdict, the
 * scorer and the reading. */
struct judge_ground {
    const judge_measure_t  *m;
    judge_arena_t          *arena;
    const judge_rubric_t   *rubric;
    judge_aspect_score_t   *aspects;   /* by criterion; its aspect is NULL
                                          where it is not measured */
    uint8_t                 language;  /* of the feedback: language.h */
};

/* Returns 4: excellent, 3: good, 2: fair, 1: poor, 0: below. */
unsigned judge_explain_grade(const judge_criterion_t *criterion,
    double score);

/* Returns a feature's value as people read it. */
double judge_explain_value(const judge_feature_t *row, double value);

/* Returns where tokens first .. end - 1 are, in characters. */
judge_check_passage_t judge_explain_place(const judge_text_t *t, size_t first,
    size_t end);

/* Returns what was measured in the text of a reading. */
const judge_measure_t *judge_reading_measure(const judge_reading_t *reading);


#endif /* JUDGE_EXPLAIN_H */
