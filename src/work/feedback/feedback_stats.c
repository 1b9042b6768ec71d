/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Counting what feedback says, and what follows from it. */


#include "work/feedback/feedback_stats.h"


void
judge_feedback_stats_add(judge_feedback_stats_t *to,
    const judge_feedback_stats_t *more)
{
    to->corrections += more->corrections;
    to->significant += more->significant;
    to->approvals += more->approvals;
    to->rejections += more->rejections;
    to->ratings += more->ratings;
    to->rating_sum += more->rating_sum;
}


bool
judge_feedback_stats_retrain(const judge_feedback_stats_t *impact)
{
    int64_t  decided, entries;

    decided = impact->approvals + impact->rejections;
    entries = impact->corrections + decided + impact->ratings;

    if (entries < JUDGE_STATS_ENTRIES) {
        return false;
    }

    return impact->significant * 5 >= entries
           || (decided >= JUDGE_STATS_OF_KIND
               && impact->rejections > impact->approvals)
           || (impact->ratings >= JUDGE_STATS_OF_KIND
               && impact->rating_sum < 3 * (double) impact->ratings);
}
