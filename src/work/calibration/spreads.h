/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How far the scores of people lie from those of one version of a judge, kept
 * at hand: by the corrections of its own results, or else by those that it
 * was trained with, or else by what is known of judges in general.
 */


#ifndef JUDGE_SPREADS_H
#define JUDGE_SPREADS_H


#include <pthread.h>

#include "store/store_feedback.h"
#include "work/calibration/calibrator.h"


/* Corrections are looked for again so much later, ms. */
#define JUDGE_SPREADS_FRESH  5000

/* Corrections of results from which on they count for more than those of the
 * training. */
#define JUDGE_SPREADS_LEAST  20

/*
 * Points around the score of a judge that nobody has corrected yet; of the
 * overall score likewise.  docs/quality.md says of how many scores of people
 * that holds: it depends on the texts, so that no level is promised.
 */
#define JUDGE_SPREADS_PRIOR  45.0

typedef struct {
    pthread_mutex_t       mutex;       /* of what follows */
    judge_spread_list_t  *list;        /* owned; NULL: none was read yet */
    judge_ms_t            read_at;     /* on the loop only */
} judge_spreads_t;

bool judge_spreads_init(judge_spreads_t *spreads);
void judge_spreads_free(judge_spreads_t *spreads);

/* On the loop, which does not wait: where a thread is reading the old ones,
 * these are freed and it stays with them. */
void judge_spreads_take(judge_spreads_t *spreads, judge_spread_list_t *list,
    judge_ms_t now);

/*
 * Widths in the order of the rubric's criteria and behind them the overall
 * one, in any thread.  spreads NULL: only what was learned counts; calibrator
 * NULL: nothing was, or it is not applied.  NULL: no memory.
 */
const judge_width_t *judge_spreads_widths(judge_spreads_t *spreads,
    judge_arena_t *arena, const judge_calibrator_t *calibrator,
    const judge_rubric_t *rubric);


#endif /* JUDGE_SPREADS_H */
