/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Statistics of the feedback on a judge; and the rule by which a judge should
 * be trained again.  docs/feedback.md explains both.
 */


#ifndef JUDGE_FEEDBACK_STATS_H
#define JUDGE_FEEDBACK_STATS_H


#include <stdbool.h>
#include <stdint.h>


/* A correction is significant when it moves a score by so many points. */
#define JUDGE_STATS_MOVE  10

/* So many entries are needed to recommend anything; of one kind, so many. */
#define JUDGE_STATS_ENTRIES  10
#define JUDGE_STATS_OF_KIND  5

typedef struct {
    int64_t  corrections;
    int64_t  significant;              /* of the corrections */
    int64_t  approvals;
    int64_t  rejections;
    int64_t  ratings;
    double   rating_sum;               /* of 1 to 5 each */
} judge_feedback_stats_t;


void judge_feedback_stats_add(judge_feedback_stats_t *to,
    const judge_feedback_stats_t *more);

/*
 * Retraining is recommended when at least JUDGE_STATS_ENTRIES corrections,
 * approvals, rejections and ratings of one judge came, and one of these holds:
 * a fifth of them are significant corrections; or of at least
 * JUDGE_STATS_OF_KIND approvals and rejections most are rejections; or of at
 * least so many ratings the average is below 3.
 */
bool judge_feedback_stats_retrain(const judge_feedback_stats_t *stats);


#endif /* JUDGE_FEEDBACK_STATS_H */
