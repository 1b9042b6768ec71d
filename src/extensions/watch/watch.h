/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The extension that watches judges: drift of scores, estimates of the scores
 * that people would give, canaries, and the review queue of what to correct
 * next. */


#ifndef JUDGE_WATCH_H
#define JUDGE_WATCH_H


#include "base/core/str.h"
#include "work/service/extension.h"
#include "api/http/request.h"


extern const judge_extension_t  judge_extension_watch;

extern const judge_route_t  judge_review_routes[];
extern const judge_route_t  judge_estimate_routes[];
extern const judge_route_t  judge_drift_routes[];
extern const judge_route_t  judge_alert_routes[];
extern const judge_route_t  judge_canary_routes[];
extern const judge_route_t  judge_canary_report_routes[];


/* --- Active learning ----------------------------------------------------- */

/*
 * Active learning: which items a person should score next.  Each step takes
 * the item whose score would most reduce the mean posterior variance of a
 * Gaussian process over all items (Cohn 1996).  So only one of several similar
 * items is chosen, and outliers, which tell little about others, come late.
 */

#define JUDGE_ACTIVE_ITEMS  500        /* most that callers may pass */

typedef struct {
    const float  *features;            /* NULL: not measured, ordered last */
    bool          known;               /* a person has scored the item */
    double        gain;                /* out: reduction of the mean variance,
                                          at the step that chose the item */
} judge_active_item_t;

/*
 * Fills `order` with the indexes of the items that are not known, the best
 * first, and *norder with their number.  Time grows with the cube of n.
 * Deterministic: ties go to the lower index.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_active_order(judge_arena_t *arena,
    judge_active_item_t *items, size_t n, size_t nfeatures, size_t *order,
    size_t *norder);


#endif /* JUDGE_WATCH_H */
