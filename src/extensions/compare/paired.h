/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Texts that a language model has compared by pairs, each in both orders: an
 * order that changes the answer makes a tie.  The texts are put in order one
 * after another, beginning with the one with the highest score.  The next is
 * compared with the last one first, where its score says that it belongs, and
 * then with the middle of what is left; ties share a place.  So the order
 * takes one pair for each text if the scores are right, and few more if not.
 */


#ifndef JUDGE_PAIRED_H
#define JUDGE_PAIRED_H


#include "extensions/compare/compare.h"


/* How sure two equal answers are: two wins, and a tie that is added as in
 * ranking.h. */
#define JUDGE_PAIRED_SURE     (2.5 / 3)

#define JUDGE_PAIRED_ANSWERS  512      /* more than an item can have */

#define JUDGE_PAIRED_UNASKED  2        /* in place of a sign */
#define JUDGE_PAIRED_FAILED   3

/* The answers on the texts of one item, by one judge. */
typedef struct {
    const judge_compared_batch_t  *batch;
    size_t    ntargets;
    int8_t   *signs;                   /* by first, second and target: 1 if the
                                          first is better, -1, 0, or as
                                          above */
    bool     *asked;                   /* by target */
    size_t    calls;
    size_t    tokens;
} judge_paired_t;

typedef enum {
    JUDGE_PAIRED_SETTLED,
    JUDGE_PAIRED_ASK,                  /* `ask` has to be known first */
    JUDGE_PAIRED_STUCK                 /* there is no answer to `ask` */
} judge_paired_state_e;

typedef struct {
    judge_paired_state_e  state;
    size_t                ask[2];
    size_t                place[JUDGE_COMPARED_MAX];     /* by system, from 0;
                                          JUDGE_COMPARED_MAX: not known */
    size_t                members[JUDGE_COMPARED_MAX];   /* by place: different
                                          texts */
    size_t                places;
} judge_paired_order_t;

/* Without any answer.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_paired_init(judge_arena_t *arena,
    const judge_compared_batch_t *batch, judge_paired_t *pairs);

/* The answers on an item.  Which criteria are compared by pairs is what was
 * answered, or before that, what a model gave scores for.  JUDGE_OK or
 * JUDGE_NOMEM. */
judge_rc_e judge_paired_read(judge_arena_t *arena,
    const judge_compared_batch_t *batch, const judge_pair_answer_t *rows,
    size_t n, const judge_compared_item_t *texts, judge_paired_t *pairs);

/* Adds what was stored.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_paired_add(judge_arena_t *arena, judge_paired_t *pairs,
    const judge_pair_answer_t *row);

/* Where the answer to this order is; by target. */
int8_t *judge_paired_signs(const judge_paired_t *pairs, size_t first,
    size_t second);

/* 1 if a is better, -1, 0, or as above.  Overall each criterion counts with
 * its weight for the better one; those that no model judges count by their
 * scores, in `compared` by target and candidate. */
int judge_paired_sign(const judge_paired_t *pairs,
    const judge_candidate_t *compared, size_t a, size_t b, size_t target);

void judge_paired_order(const judge_paired_t *pairs,
    const judge_candidate_t *compared, size_t target,
    judge_paired_order_t *out);

/* The same as judge_comparison(); `open` is the reason where a pair was not
 * asked. */
void judge_paired_compare(const judge_paired_t *pairs,
    const judge_candidate_t *compared, size_t target, double level,
    const char *open, judge_comparison_t *out);

/* Answers by criterion that both orders have, and those of them that
 * differ. */
typedef struct {
    size_t  both;
    size_t  differ;
} judge_paired_bias_t;

/* Adds those by a criterion; target 0: by all. */
void judge_paired_bias(const judge_paired_t *pairs, size_t target,
    judge_paired_bias_t *bias);

/* The scores of items, where a model has compared their texts: what is said of
 * the order takes the place of the scores, NaN where nothing is. */
typedef struct {
    size_t                items;
    float                *scores;      /* by item, system and target */
    const uint8_t        *same;        /* by item and system */
    bool                 *asked;       /* out, as all below: by target */
    judge_paired_bias_t  *bias;        /* by target */
    int64_t               tokens;
} judge_paired_items_t;

/* The rows are sorted by item.  JUDGE_OK or JUDGE_NOMEM; any thread. */
judge_rc_e judge_paired_items(judge_arena_t *arena,
    const judge_compared_batch_t *batch, const judge_pair_answer_t *rows,
    size_t n, judge_paired_items_t *out);


#endif /* JUDGE_PAIRED_H */
