/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Feedback for people, out of the very numbers that made the score: the faults
 * and merits that were found, each with its place, and the measurements that
 * moved the score most.  Where nothing that counted has a place, the feedback
 * is empty.
 */


#ifndef JUDGE_EXPLAIN_H
#define JUDGE_EXPLAIN_H


#include "analysis/aspects/aspect.h"
#include "analysis/builtin/engine.h"


/* What a verdict rests on.  It lives as long as the arena of the verdict, the
 * scorer and what was read. */
struct judge_ground {
    const judge_measure_t  *m;
    judge_arena_t          *arena;
    const judge_rubric_t   *rubric;
    judge_aspect_score_t   *aspects;   /* of the criteria; without an aspect:
                                          of those that are not measured */
    uint8_t                 language;  /* of the feedback: language.h */
};

/* 4: excellent, 3: good, 2: fair, 1: poor, 0: below. */
unsigned judge_explain_grade(const judge_criterion_t *criterion,
    double score);

/* Where tokens first .. end - 1 stand, in characters. */
judge_check_passage_t judge_explain_place(const judge_text_t *t, size_t first,
    size_t end);

/* What was measured in a text that was read. */
const judge_measure_t *judge_reading_measure(const judge_reading_t *reading);


#endif /* JUDGE_EXPLAIN_H */
