/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Statistics of feedback, and the recommendation that follows from them. */


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
judge_feedback_stats_retrain(const judge_feedback_stats_t *stats)
{
    int64_t  decided, entries;

    decided = stats->approvals + stats->rejections;
    entries = stats->corrections + decided + stats->ratings;

    if (entries < JUDGE_STATS_ENTRIES) {
        return false;
    }

    return stats->significant * 5 >= entries
           || (decided >= JUDGE_STATS_OF_KIND
               && stats->rejections > stats->approvals)
           || (stats->ratings >= JUDGE_STATS_OF_KIND
               && stats->rating_sum < 3 * (double) stats->ratings);
}
