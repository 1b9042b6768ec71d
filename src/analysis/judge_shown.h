/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Items of before that people have scored, of which a language model is shown
 * the few that are most like the one at hand.  Likeness is the cosine of
 * words, pairs and triples of them, hashed and weighted by tf-idf; of items
 * that are alike among themselves one is enough, so that they are chosen one
 * after another by maximal marginal relevance (Carbonell & Goldstein 1998).
 *
 * Deterministic: the same pool and text give the same choice.
 */


#ifndef JUDGE_SHOWN_H
#define JUDGE_SHOWN_H


#include "base/judge_str.h"


#define JUDGE_SHOWN_ITEMS   200        /* of a pool at most */
#define JUDGE_SHOWN_MOST    4          /* shown at once */
#define JUDGE_SHOWN_TOKENS  1600       /* of these together, roughly */
#define JUDGE_SHOWN_TEXT    1600       /* bytes of a text at most */
#define JUDGE_SHOWN_REASON  300        /* of what people said */

typedef struct {
    judge_str_t   text;
    judge_str_t   reason;              /* absent: none */
    const float  *scores;              /* by target; NaN: none */
    uint32_t      group;               /* same for what belongs together */
} judge_shown_t;

typedef struct judge_shown_pool  judge_shown_pool_t;

/* The items and what they point to stay in place.  NULL: no memory, or too
 * many, or none. */
judge_shown_pool_t *judge_shown_create(judge_arena_t *arena,
    const judge_shown_t *items, size_t n);

/*
 * Indexes of the items to show, the one most alike first, into chosen, which
 * has room for JUDGE_SHOWN_MOST.  apart: the group of which none is to be
 * shown; NULL: all may.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_shown_choose(const judge_shown_pool_t *pool,
    judge_arena_t *scratch, judge_str_t text, const uint32_t *apart,
    size_t *chosen, size_t *n);

const judge_shown_t *judge_shown_items(const judge_shown_pool_t *pool,
    size_t *n);

/* A text that is not too long, "…" behind what was cut; data NULL: no
 * memory. */
judge_str_t judge_shown_excerpt(judge_arena_t *arena, judge_str_t text,
    size_t most);


#endif /* JUDGE_SHOWN_H */
