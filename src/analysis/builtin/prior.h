/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What is thought of a text before anybody has corrected a score: its general
 * quality, which orders texts of any kind, and the terms of what a criterion
 * asks for.  Both are sums over features, each compared with texts of several
 * kinds; what a feature adds to such a sum is also what feedback says of it.
 */


#ifndef JUDGE_PRIOR_H
#define JUDGE_PRIOR_H


#include "analysis/builtin/trait.h"


#define JUDGE_KNOTS  33

typedef struct {
    float  value;                      /* ascending */
    float  score;                      /* normal score of the values there */
} judge_knot_t;

/* The values of a feature in the reference texts; reference.txt says of
 * which.  Without knots the feature is not compared. */
typedef struct {
    float         drawn;               /* rates are drawn to it */
    float         spread;              /* of the normal scores within a kind
                                          of texts, mean; > 0 */
    uint8_t       n;                   /* knots, 2 to JUDGE_KNOTS, or 0 */
    judge_knot_t  knots[JUDGE_KNOTS];
} judge_reference_t;

extern const judge_reference_t  judge_references[JUDGE_FEATURES];

/* One of the sides of general quality; factors.txt. */
typedef struct {
    const judge_term_t  *terms;        /* to JUDGE_TERM_END; NULL: the end of
                                          the list of factors */
    float                weight;       /* > 0 */
    bool                 with_source;
} judge_factor_t;

extern const judge_factor_t  judge_factors[];

/* What a feature did to a score. */
typedef struct {
    uint8_t  feature;
    float    middle;                   /* that it is compared with */
    float    spread;                   /* around it; 0: as the reference */
    double   effect;                   /* in units of the sum, where 5 are
                                          35 points from the middle */
} judge_effect_t;

/* A text as compared with the reference. */
typedef struct {
    const judge_measure_t    *m;
    const judge_reference_t  *references;
    double                    english;  /* 0 to 1: how far what is made for
                                           English is counted */
    double                    normals[JUDGE_FEATURES]; /* 0: not compared */
    judge_effect_t            quality[JUDGE_FEATURES]; /* by feature */
} judge_prior_t;


/* For measuring how well others do: JUDGE_FEATURES rows that stay in place
 * as long as the scorer. */
void judge_scorer_compare(judge_scorer_t *scorer,
    const judge_reference_t *references);

/* Compares the text.  It must have words; references: judge_references. */
void judge_prior(judge_prior_t *prior, const judge_measure_t *m,
    const judge_reference_t *references);

/*
 * What each feature did to the score of a criterion matched like this, in
 * list[JUDGE_FEATURES]; returns how many there are.  The score is
 * judge_prior_score() of the sum of the effects.
 */
size_t judge_prior_effects(const judge_prior_t *prior,
    const judge_trait_match_t *match, judge_effect_t *list);

/* Takes off what is usual in texts of that length; part: of the score, that is
 * no aspect of the reader's. */
void judge_prior_level(const judge_prior_t *prior,
    const judge_trait_match_t *match, double part, judge_effect_t *list,
    size_t n);

/* Whether next to nothing is known of the text's language. */
bool judge_prior_foreign(const judge_text_t *text);

/*
 * How unlike the texts of the reference a text is: the mean square of the
 * normal scores of its features among theirs, by the features alone as above.
 * docs/quality.md says what lies beyond ..._NOVEL.
 */
#define JUDGE_PRIOR_NOVEL  4.0

double judge_prior_novelty(const float *features);

/* 0 to 100, not rounded. */
double judge_prior_score(const judge_effect_t *list, size_t n);

/* Likeness to the references, 0 to 100. */
double judge_prior_likeness(const judge_prior_t *prior);

/* A rate as if JUDGE_PRIOR_WORDS more words had been seen, without any in
 * them (drawn 0) or with as many as usual; other features as they are. */
#define JUDGE_PRIOR_WORDS  50

double judge_reference_value(const judge_measure_t *m, size_t feature,
    double drawn);

/* -4 to 4: its normal score in the text, divided by the spread; 0: not
 * compared. */
double judge_prior_normal(const judge_prior_t *prior, size_t feature);

/* The value that has this normal score, between the ends. */
double judge_reference_quantile(const judge_reference_t *row, double score);

/* The normal score of a value, not divided by the spread; -4 to 4. */
double judge_reference_score(const judge_reference_t *row, double value);


#endif /* JUDGE_PRIOR_H */
