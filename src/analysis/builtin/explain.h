/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Feedback for people.  Each criterion gets one sentence with the judgement
 * and why, and a step that would help; the passages that show it and the
 * numbers behind it stand in fields of their own.  What can be said are the
 * matters of matters.txt: explain.c chooses those that moved the score most
 * and belong to the criterion, explain_say.c puts them into sentences of the
 * language, explain_verdict.c sums up.  Nothing is said twice.
 */


#ifndef JUDGE_EXPLAIN_H
#define JUDGE_EXPLAIN_H


#include "analysis/builtin/reader.h"
#include "analysis/text/say.h"


#define JUDGE_CLAUSE_PLACES  9

/* What is said, in English (say.h), and where it shows: kinds of places, to
 * JUDGE_FOUND_NONE.  Without a text it is not said. */
typedef struct {
    const char  *text;
    uint8_t      at[JUDGE_CLAUSE_PLACES];
    bool         shown;                /* it is not said without a place */
} judge_clause_t;

/* A row of matters.txt. */
typedef struct {
    const char     *name;
    uint64_t        traits;            /* bits: whose criteria it belongs to */
    uint64_t        aspects;
    uint64_t        own_traits;        /* of those the first */
    uint64_t        own_aspects;
    const uint8_t  *features;          /* to JUDGE_FEATURES */
    uint16_t        words;             /* of shorter texts it is not said */
    float           least;             /* effect of what is bad; 0: little */
    uint8_t         where;             /* a feature that it takes for that;
                                          JUDGE_FEATURES: none */
    judge_clause_t  bad;
    judge_clause_t  some;
    judge_clause_t  none;
    judge_clause_t  good;
    judge_clause_t  step_at;
    judge_clause_t  step;
} judge_matter_t;

extern const judge_matter_t  judge_matters[];
extern const size_t          judge_matters_n;

#define JUDGE_MATTERS_MAX  128

/* What moved a criterion's score enough to be looked at, in any order. */
typedef struct {
    size_t           n;
    judge_effect_t  *list;
} judge_effects_t;

/* What a verdict rests on.  It lives as long as the arena of the verdict and
 * the scorer and what was read. */
struct judge_ground {
    judge_measure_t              m;          /* with what the rubric adds */
    const judge_rubric_t        *rubric;
    const judge_trait_match_t   *matches;    /* of the criteria */
    const judge_reader_match_t  *seen;
    const judge_reference_t     *references;
    judge_effects_t             *effects;
};

/* A matter in the feedback on a criterion. */
typedef struct {
    const judge_matter_t  *matter;
    const judge_clause_t  *clause;
    double                 effect;
} judge_pick_t;

#define JUDGE_PICKS  2

/* The best and the worst first. */
typedef struct {
    judge_pick_t  good[JUDGE_PICKS];
    judge_pick_t  bad[JUDGE_PICKS];
    size_t        ngood;
    size_t        nbad;
    judge_pick_t  top;                 /* said of another criterion */
} judge_picks_t;

/* What a criterion asks for, as bits, and the first of each. */
typedef struct {
    uint64_t  traits;
    uint64_t  aspects;
    uint64_t  first_trait;
    uint64_t  first_aspect;
} judge_asked_t;

typedef struct {
    judge_ground_t   *ground;
    judge_measure_t  *m;               /* the ground's */
    judge_verdict_t  *verdict;
    judge_picks_t    *picks;           /* of the criteria */
    judge_asked_t    *asked;
    uint8_t           used[JUDGE_MATTERS_MAX]; /* 1 + criterion; 0: not yet */
    uint8_t           own[JUDGE_FEATURES]; /* 1 + the last criterion that
                                              a matter with it belongs to */
    const char       *last;            /* the clause before; NULL: none */
    size_t            known_byte;      /* known_char characters before it */
    size_t            known_char;
} judge_explain_t;

/* 4: excellent, 3: good, 2: fair, 1: poor, 0: below. */
unsigned judge_explain_grade(const judge_criterion_t *criterion,
    double score);

/* In the language of the feedback. */
#define judge_explain_say(x, english)  judge_say((x)->m->feedback, english)

/* A name between quotation marks, cut where it is long. */
void judge_explain_name(judge_explain_t *x, judge_buf_t *b, judge_str_t name);

/* A template with one "%s", for a name. */
void judge_explain_named(judge_explain_t *x, judge_buf_t *b,
    const char *english, judge_str_t name);

/* What parts two parts of a sentence, and a clause; NULL: none. */
void judge_explain_clause(judge_explain_t *x, judge_buf_t *b,
    const char *before, const judge_clause_t *clause);

/* How many places of the clause were found. */
size_t judge_explain_found(const judge_explain_t *x,
    const judge_clause_t *clause);

/* The matter whose step is taken; NULL: none. */
const judge_matter_t *judge_explain_advised(const judge_explain_t *x,
    const judge_picks_t *picks);

/* The sentence of a step.  False: the matter has none. */
bool judge_explain_step(judge_explain_t *x, judge_buf_t *b,
    const judge_matter_t *matter);

/* The passages of a criterion: where its picks show. */
judge_rc_e judge_explain_passages(judge_explain_t *x, size_t criterion);

/* The measures of a criterion. */
judge_rc_e judge_explain_measures(judge_explain_t *x, size_t criterion);

/* Summary, strengths, weaknesses and suggestions. */
judge_rc_e judge_explain_verdict(judge_explain_t *x);


#endif /* JUDGE_EXPLAIN_H */
