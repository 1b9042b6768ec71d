/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What is measured of a training, for the files that measure. */


#ifndef JUDGE_TRAINING_MEASURE_H
#define JUDGE_TRAINING_MEASURE_H


#include "work/training/training_state.h"


#define JUDGE_TRAINING_ORDER  0.02     /* of rank correlation, that may be
                                          lost for a smaller error */

typedef struct {
    judge_training_state_t  *run;
    judge_arena_t           *arena;
    size_t                   n;        /* items that are compared */
    size_t                  *item;     /* of the run */
    float                   *human;
    float                   *predicted;
    float                   *before;
    uint8_t                 *model;
    judge_agreement_t        agree[JUDGE_LEARN_TARGETS + 1];
    judge_agreement_t       *mean;
    uint8_t                  passed[JUDGE_LEARN_TARGETS];  /* as it was */
    size_t                   npassed;
    double                   hoped;    /* the gain with all of them */
    double                   slower;   /* ms an item */
    const char              *reason;   /* why it is ready, or not */

    bool                simple;        /* no more than the scores' mapping */
    bool                adopted;         /* examples are */
    size_t              nanswers;      /* answers that were compared */
    double              with;          /* error on these */
    double              without;
} judge_training_measure_t;


/*
 * Whether examples make a language model's scores better than what would be
 * deployed without; then everything that is compared is about the items that
 * it was asked about, and run->ready is set.
 */
judge_rc_e judge_training_compare_fewshot(judge_training_measure_t *m);

/* Sets m->agree. */
judge_rc_e judge_training_compare(judge_training_measure_t *m);

/* The comparison of set, without the fields that the job sets. */
judge_rc_e judge_training_agreement(judge_training_measure_t *m,
    judge_agreement_set_t *set, judge_agreement_t *agree);

/* Whether a gain in error is beyond doubt and not paid for in order. */
bool judge_training_better(const judge_agreement_t *mean);


#endif /* JUDGE_TRAINING_MEASURE_H */
