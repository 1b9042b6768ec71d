/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Makes the reference that texts are compared with (analysis/builtin/prior.h)
 * of several kinds of texts, each with the same weight.
 */


#ifndef JUDGE_UTIL_REFERENCE_H
#define JUDGE_UTIL_REFERENCE_H


#include "analysis/builtin/prior.h"


/* The texts of a kind: of each its features. */
typedef struct {
    float *const  *features;
    size_t         n;
} judge_kind_t;

/* rows: JUDGE_FEATURES of them.  False: no memory. */
bool judge_reference_make(const judge_kind_t *kinds, size_t nkinds,
    judge_reference_t *rows);

/* As reference.txt has it, on the standard output. */
void judge_reference_print(const judge_reference_t *rows);


#endif /* JUDGE_UTIL_REFERENCE_H */
