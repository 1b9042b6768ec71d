/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Items that people have scored, of which a prompt gets the few that are
 * most like the one at hand.  Likeness is the cosine of words and pairs of
 * them, hashed; of items that are alike among themselves one is enough, so
 * that they are chosen one after another by maximal marginal relevance
 * (Carbonell & Goldstein 1998).
 *
 * Deterministic: the same pool and text give the same choice.
 */


#ifndef JUDGE_FEWSHOT_H
#define JUDGE_FEWSHOT_H


#include "base/core/str.h"


#define JUDGE_FEWSHOT_ITEMS  200       /* of a pool at most */
#define JUDGE_FEWSHOT_MOST  4          /* in one prompt */
#define JUDGE_FEWSHOT_TOKENS  1600     /* of these together, roughly */
#define JUDGE_FEWSHOT_TEXT  1600       /* bytes of a text at most */
#define JUDGE_FEWSHOT_REASON  300      /* of an explanation */

typedef struct {
    judge_str_t   text;
    judge_str_t   reason;              /* absent: none */
    const float  *scores;              /* by target; NaN: none */
    uint32_t      group;               /* the same of items that are about one
                                          source or text */
} judge_fewshot_t;

typedef struct judge_fewshot_pool  judge_fewshot_pool_t;

/* The items and what they point to stay in place.  NULL: no memory, or too
 * many, or none. */
judge_fewshot_pool_t *judge_fewshot_create(judge_arena_t *arena,
    const judge_fewshot_t *items, size_t n);

/*
 * Puts the indexes of the examples, the one most alike first, into chosen,
 * which has room for JUDGE_FEWSHOT_MOST.  None of the group *apart is chosen;
 * NULL: all may be.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_fewshot_choose(const judge_fewshot_pool_t *pool,
    judge_arena_t *scratch, judge_str_t text, const uint32_t *apart,
    size_t *chosen, size_t *n);

const judge_fewshot_t *judge_fewshot_items(const judge_fewshot_pool_t *pool,
    size_t *n);

/* A text that is not too long, "…" behind what was cut; data NULL: no
 * memory. */
judge_str_t judge_fewshot_excerpt(judge_arena_t *arena, judge_str_t text,
    size_t most);


#endif /* JUDGE_FEWSHOT_H */
