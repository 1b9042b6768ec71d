/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Few-shot examples: of the items that people have scored a prompt gets the
 * few that are most like the text to be judged.  Likeness is the cosine of
 * hashed words and pairs of words.  Of items that are like each other one is
 * enough, so they are chosen one after another by maximal marginal relevance
 * (Carbonell & Goldstein 1998).  The same pool and text give the same choice.
 */


#ifndef JUDGE_FEWSHOT_H
#define JUDGE_FEWSHOT_H


#include "base/core/str.h"


#define JUDGE_FEWSHOT_ITEMS   200      /* of a pool, at most */
#define JUDGE_FEWSHOT_MOST    4        /* examples in one prompt, at most */
#define JUDGE_FEWSHOT_TOKENS  1600     /* of these together, roughly */
#define JUDGE_FEWSHOT_TEXT    1600     /* bytes of a text, at most */
#define JUDGE_FEWSHOT_REASON  300      /* bytes of an explanation, at most */

typedef struct {
    judge_str_t   text;
    judge_str_t   reason;              /* absent: none */
    const float  *scores;              /* by target; NaN: none */
    uint32_t      group;               /* the same for items about one source
                                          or text */
} judge_fewshot_t;

typedef struct judge_fewshot_pool  judge_fewshot_pool_t;

/* The items and what they point to must stay in place.  NULL: out of memory,
 * no items, or too many. */
judge_fewshot_pool_t *judge_fewshot_create(judge_arena_t *arena,
    const judge_fewshot_t *items, size_t n);

/*
 * Puts the indexes of the examples, the one most alike first, into chosen,
 * which has room for JUDGE_FEWSHOT_MOST.  Chooses none of the group *excluded,
 * unless that is NULL.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_fewshot_choose(const judge_fewshot_pool_t *pool,
    judge_arena_t *scratch, judge_str_t text, const uint32_t *excluded,
    size_t *chosen, size_t *n);

const judge_fewshot_t *judge_fewshot_items(const judge_fewshot_pool_t *pool,
    size_t *n);

/* Copies a text; of a longer one its start and "…", `most` bytes together.
 * Data NULL: out of memory. */
judge_str_t judge_fewshot_excerpt(judge_arena_t *arena, judge_str_t text,
    size_t most);


#endif /* JUDGE_FEWSHOT_H */
