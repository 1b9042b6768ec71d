/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What makes a text none to judge.  It is looked for before anything is
 * scored; where it is found, no measurement gives more than its cap, whatever
 * the text does well beside it, and the record names it.  How often ordinary
 * texts are taken for one stands in docs/development/quality.md.
 */


#ifndef JUDGE_FLAGS_H
#define JUDGE_FLAGS_H


#include "analysis/features/feature.h"


typedef enum {
    JUDGE_FLAG_GIBBERISH,              /* letters that make no words */
    JUDGE_FLAG_KEYWORDS,               /* words that make no sentences */
    JUDGE_FLAG_REPETITION,             /* the same again and again */
    JUDGE_FLAG_LANGUAGE,               /* another than the request's */
    JUDGE_FLAG_COPY,                   /* of the request */
    JUDGE_FLAG_ORDER,                  /* to the judge */
    JUDGE_FLAG_ABUSE,
    JUDGE_FLAG_REFUSAL,                /* and nothing else */
    JUDGE_FLAGS
} judge_flag_e;

typedef struct {
    const char  *name;                 /* in the interface */
    const char  *reason;               /* a sentence in English */
    double       cap;                  /* of the score of each aspect */
} judge_flag_t;

extern const judge_flag_t  judge_flags[JUDGE_FLAGS];

/* One that was found, and where: tokens first .. end - 1. */
typedef struct {
    judge_flag_e  flag;
    size_t        first;
    size_t        end;
} judge_flagged_t;

/*
 * Finds those of a text that was measured, at most one of each kind; `found`
 * has room for JUDGE_FLAGS.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_flags_find(judge_measure_t *m, judge_flagged_t *found,
    size_t *n);


#endif /* JUDGE_FLAGS_H */
