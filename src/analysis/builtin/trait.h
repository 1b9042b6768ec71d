/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Traits: what a criterion can be about.  A trait is a list of terms, each
 * a feature with a weight; a criterion is matched to one or more traits by
 * the words of its name and description.  The traits stand in traits.txt.
 */


#ifndef JUDGE_TRAIT_H
#define JUDGE_TRAIT_H


#include "analysis/builtin/engine.h"
#include "analysis/builtin/trait_list.h"
#include "analysis/features/feature.h"


typedef enum {
    JUDGE_TERM_END,                       /* of the list of terms */
    JUDGE_TERM_MORE,                      /* the more, the better */
    JUDGE_TERM_LESS,
    JUDGE_TERM_NEAR                       /* best at the middle */
} judge_term_e;

/* (value - middle) / spread is -1 to 1 for most texts; a spread of 0: the
 * value is compared with the reference texts instead (prior.h). */
typedef struct {
    uint8_t  shape;
    uint8_t  feature;
    float    weight;
    float    middle;
    float    spread;
} judge_term_t;

typedef struct {
    const char          *name;         /* "spelling and punctuation" */
    const char          *words;        /* of criteria; with "!" before it a
                                          word counts double */
    const judge_term_t  *terms;        /* to JUDGE_TERM_END */
    const judge_term_t  *with_source;  /* NULL: the same */
    bool                 compares;     /* asks for a source or references */
    bool                 direct;       /* the terms are what is asked for */
    float                alone;        /* up to so many words without general
                                          quality, which grows beyond them */
    bool                 grows;        /* a short text has little of it */
    bool                 joined;       /* sentences belong together for it */
} judge_trait_t;

extern const judge_trait_t   judge_traits[JUDGE_TRAITS];

#define JUDGE_MATCHES  3

/* What a criterion is about, the best match first; weights add up to 1. */
typedef struct {
    uint8_t  traits[JUDGE_MATCHES];
    double   weights[JUDGE_MATCHES];
    size_t   n;
    bool     fits;                     /* false: nothing, it is GENERAL */
} judge_trait_match_t;


/* The words that name traits; NULL when memory is exhausted. */
typedef struct judge_trait_match_word  judge_trait_match_word_t;

judge_trait_match_word_t *judge_trait_match_table(judge_arena_t *arena);

/* JUDGE_OK or JUDGE_NOMEM; arena is for what is needed meanwhile. */
judge_rc_e judge_trait_match(judge_trait_match_t *match,
    const judge_trait_match_word_t *table,
    judge_arena_t *arena, judge_str_t name, judge_str_t description);

/* The terms of a trait for this text. */
const judge_term_t *judge_trait_terms(const judge_measure_t *m,
    judge_trait_e trait);

/* How much of a criterion's score is likeness to the references, 0 to 1. */
double judge_reference_share(const judge_measure_t *m,
    const judge_trait_match_t *match);

#endif /* JUDGE_TRAIT_H */
