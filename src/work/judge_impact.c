/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Counting what feedback says, and what follows from it. */


#include "work/judge_impact.h"


void
judge_impact_add(judge_impact_t *to, const judge_impact_t *more)
{
    to->corrections += more->corrections;
    to->significant += more->significant;
    to->approvals += more->approvals;
    to->rejections += more->rejections;
    to->ratings += more->ratings;
    to->rating_sum += more->rating_sum;
}


bool
judge_impact_retrain(const judge_impact_t *impact)
{
    int64_t  decided, entries;

    decided = impact->approvals + impact->rejections;
    entries = impact->corrections + decided + impact->ratings;

    if (entries < JUDGE_IMPACT_ENTRIES) {
        return false;
    }

    return impact->significant * 5 >= entries
           || (decided >= JUDGE_IMPACT_OF_KIND
               && impact->rejections > impact->approvals)
           || (impact->ratings >= JUDGE_IMPACT_OF_KIND
               && impact->rating_sum < 3 * (double) impact->ratings);
}
