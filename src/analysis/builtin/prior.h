/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How unusual the features of a text are, among those that aspects take. */


#ifndef JUDGE_PRIOR_H
#define JUDGE_PRIOR_H


#include "analysis/aspects/aspect.h"


/* The mean square of the features' distances from their means, in spreads. */
#define JUDGE_PRIOR_NOVEL  4.0

double judge_prior_novelty(const float *features);


#endif /* JUDGE_PRIOR_H */
