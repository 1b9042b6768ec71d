/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The registry of aspects: what the built-in engine can measure of a text, a
 * text file each in this folder.  util/gen/aspects makes the table of them,
 * with the constants of fitted.txt, which util/eval/quality prints.
 *
 * The score of an aspect depends on the text alone, and for three of them on
 * the source or the request beside it; never on other criteria, on the judge
 * or on how the criterion is worded.
 */


#ifndef JUDGE_ASPECT_H
#define JUDGE_ASPECT_H


#include "analysis/aspects/aspect_list.h"
#include "analysis/features/feature.h"


/* What a text is compared with. */
typedef enum {
    JUDGE_BESIDE_NOTHING,
    JUDGE_BESIDE_SOURCE,
    JUDGE_BESIDE_QUESTION
} judge_beside_e;

/*
 * A feature of an aspect.  Its value, less the mean and over the spread of the
 * texts it was fitted on, bounded by JUDGE_ASPECT_BOUND, counts by its weight;
 * without their signs the weights in English add up to 1.
 */
typedef struct {
    uint8_t   feature;
    uint64_t  languages;               /* it counts in these; see below */
    float     mean;
    float     spread;
    float     weight;                  /* < 0: less of it is better */
} judge_aspect_feature_t;

#define JUDGE_ASPECT_BOUND     4.0
#define JUDGE_ASPECT_FEATURES  8       /* of an aspect, at most */
#define JUDGE_ASPECT_FAULTS    3
#define JUDGE_ASPECT_WORDS     25
#define JUDGE_ASPECT_MOVED     2.0
#define JUDGE_ASPECT_CLEAN     95.0    /* nothing wrong was found */

/* A feature that counts faults in 100 words, and what each costs. */
typedef struct {
    uint8_t  feature;
    float    weight;
} judge_aspect_fault_t;

typedef struct judge_aspect {
    const char              *name;     /* "grammar": in the interface */
    const char              *called;   /* in sentences, in English */
    const char              *full;     /* what a score of 100 means */
    const char              *half;     /* what 50 means */
    const char              *zero;     /* what 0 means */
    uint16_t                 words;    /* a shorter text is not judged */
    uint8_t                  beside;   /* JUDGE_BESIDE_... */
    bool                     opposite; /* 100 is its low end */
    uint64_t                 languages;         /* a bit for each that it is
                                          measured in, by language.h */
    judge_aspect_feature_t   features[JUDGE_ASPECT_FEATURES];
    size_t                   nfeatures;

    /* Without faults: the sums that are 0 and 100. */
    float                    low;
    float                    high;

    /* Else: 95 with none of them, 95 / e with `rate` of 100 words, as if
     * JUDGE_ASPECT_WORDS more had been seen without any; the sum of the
     * features moves it by `wording` of it for each of its units, but not by
     * JUDGE_ASPECT_MOVED times what the faults took off. */
    judge_aspect_fault_t     faults[JUDGE_ASPECT_FAULTS];
    size_t                   nfaults;  /* 0: it has no faults */
    float                    rate;
    float                    wording;
} judge_aspect_t;

/* By judge_aspect_e, from 1. */
extern const judge_aspect_t  judge_aspects[JUDGE_ASPECTS];

/* Why a text is not judged by an aspect. */
typedef enum {
    JUDGE_ASPECT_JUDGED,
    JUDGE_ASPECT_SHORT,                /* it has too few words */
    JUDGE_ASPECT_FOREIGN,              /* its language */
    JUDGE_ASPECT_NO_SOURCE,
    JUDGE_ASPECT_NO_QUESTION
} judge_aspect_why_e;

/* How a score came about. */
typedef struct {
    const judge_aspect_t  *aspect;
    judge_aspect_why_e     why;
    double                 score;      /* 0 to 100; NAN: not judged */
    double                 faults;     /* of 100 words, by their weights */
    double                 kept;       /* what the faults leave of 95 */
    double                 sum;        /* of the features, by their weights */
    double                 unit;       /* points of a unit of the sum */
    double                 points[JUDGE_ASPECT_FEATURES];
                                       /* what each moved the score by */
} judge_aspect_score_t;


/* Scores what was measured; m->text has at least one word. */
void judge_aspect_score(judge_aspect_score_t *score,
    const judge_aspect_t *aspect, const judge_measure_t *m);


#endif /* JUDGE_ASPECT_H */
