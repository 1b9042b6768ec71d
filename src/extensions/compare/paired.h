/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Texts that a language model compares by pairs, each pair in both orders: if
 * the two answers disagree, the pair is a tie.  The texts are sorted by binary
 * insertion, beginning with the one with the highest score.  Each text is
 * first compared with the last one of the order, where its score places it,
 * and then with the middle of what remains; ties share a place.  So sorting
 * takes one pair per text if the scores are right, and few more if not.
 */


#ifndef JUDGE_PAIRED_H
#define JUDGE_PAIRED_H


#include "extensions/compare/compare.h"


/* The probability that two equal answers are right: two wins and, as in
 * comparison.h, one tie that is added. */
#define JUDGE_PAIRED_SURE     (2.5 / 3)

#define JUDGE_PAIRED_UNASKED  JUDGE_COMPARED_UNKNOWN     /* in place of a
                                          sign */
#define JUDGE_PAIRED_FAILED   3

/* The texts of one item, by one judge, and the answers on them. */
typedef struct {
    const judge_compared_batch_t  *batch;
    size_t              ntargets;
    judge_candidate_t  *compared;      /* by target and system */
    int8_t             *signs;         /* by first, second and target: 1 if the
                                          first is better, -1, 0, or as
                                          above */
    bool               *asked;         /* by target */
    int64_t             tokens;
} judge_paired_t;

typedef enum {
    JUDGE_PAIRED_SETTLED,
    JUDGE_PAIRED_ASK,                  /* the pair `ask` has to be asked */
    JUDGE_PAIRED_STUCK                 /* the pair `ask` failed */
} judge_paired_state_e;

typedef struct {
    judge_paired_state_e  state;
    size_t                ask[2];
    size_t                place[JUDGE_COMPARED_MAX];     /* by system, from 0;
                                          JUDGE_COMPARED_MAX: not known */
    size_t                places;
    size_t                queue[JUDGE_COMPARED_MAX];     /* the systems as they
                                          are placed one after another */
} judge_paired_order_t;

/* Begins without any answer.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_paired_init(judge_arena_t *arena,
    const judge_compared_batch_t *batch, judge_paired_t *pairs);

/* Reads the item of that cell out of what was loaded; *at is the index of its
 * first answer, and becomes that of the first one behind it.  JUDGE_OK or
 * JUDGE_NOMEM. */
judge_rc_e judge_paired_read(judge_arena_t *arena,
    const judge_compared_batch_t *batch, const judge_scored_t *scored,
    const judge_comparison_load_t *load, size_t cell, size_t *at,
    judge_paired_t *pairs);

/* Adds a stored answer.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_paired_add(judge_arena_t *arena, judge_paired_t *pairs,
    const judge_pair_answer_t *row);

/* Returns the signs of this order of the pair, by target. */
int8_t *judge_paired_signs(const judge_paired_t *pairs, size_t first,
    size_t second);

/* Returns the sign of both orders, which is 0 if they differ; or, if either
 * was not asked or failed, _FAILED or _UNASKED. */
int judge_paired_both(const judge_paired_t *pairs, size_t a, size_t b,
    size_t target, bool *differ);

/* Returns a sign, as in judge_paired_t.  In the overall sign (target 0) each
 * criterion votes with its weight; criteria that no model judges vote by their
 * scores. */
int judge_paired_sign(const judge_paired_t *pairs, size_t a, size_t b,
    size_t target);

void judge_paired_order(const judge_paired_t *pairs, size_t target,
    judge_paired_order_t *out);

/* Does the same as judge_comparison(); `open` is the reason that is given if a
 * pair was not asked. */
void judge_paired_compare(const judge_paired_t *pairs, size_t target,
    double level, const char *open, judge_comparison_t *out);

/* Position bias: how many pairs and criteria were answered in both orders, and
 * in how many of these the two answers differ. */
typedef struct {
    double  both;
    double  differ;
} judge_paired_bias_t;

/* Adds the counts of a criterion; target 0: of all criteria. */
void judge_paired_bias(const judge_paired_t *pairs, size_t target,
    judge_paired_bias_t *bias);


#endif /* JUDGE_PAIRED_H */
