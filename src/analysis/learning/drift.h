/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Whether scores lie otherwise than they did, by counts of them in bins of 5
 * points.  A change has to be large, by either measure, and beyond chance:
 *
 *   population stability index   over at most 10 bins that had a tenth of the
 *                   scores each; 0.1 and 0.25 are the marks of Siddiqi 2006,
 *                   what chance makes of it is by Yurdakul and Naranjo 2020
 *   Kolmogorov-Smirnov   the largest difference of the shares below a mark;
 *                   0.1 and 0.2: that share of the scores has changed sides;
 *                   chance is by Smirnov 1948, for bins on the safe side
 *
 * Chance may make drift of 1 % of the judges in a week: it is divided by all
 * that is tested, which is both measures of each criterion, and by the looks,
 * one an hour (Bonferroni).
 */


#ifndef JUDGE_DRIFT_H
#define JUDGE_DRIFT_H


#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>


#define JUDGE_DRIFT_BINS      20
#define JUDGE_DRIFT_LEAST     30       /* scores, before and now */
#define JUDGE_DRIFT_PSI_SOME    0.1
#define JUDGE_DRIFT_PSI_STRONG  0.25
#define JUDGE_DRIFT_KS_SOME     0.1
#define JUDGE_DRIFT_KS_STRONG   0.2
#define JUDGE_DRIFT_FAILED_SOME    0.05          /* more fail, as a share */
#define JUDGE_DRIFT_FAILED_STRONG  0.2
#define JUDGE_DRIFT_CHANCE    0.01     /* that there is drift where nothing has
                                          changed, by so many looks */
#define JUDGE_DRIFT_LOOKS     168

typedef enum {
    JUDGE_DRIFT_NONE,
    JUDGE_DRIFT_SOME,
    JUDGE_DRIFT_STRONG
} judge_drift_e;

/* As they are called in answers. */
extern const char *const  judge_drift_names[];

/* [0]: before, [1]: now. */
typedef struct {
    int64_t        bins[2][JUDGE_DRIFT_BINS];    /* in; all below set by it */
    int64_t        n[2];
    double         mean[2];            /* from the middles of the bins */
    bool           known;              /* there are enough of both */
    double         psi;
    double         ks;
    double         mark;               /* where the shares below differ most */
    double         below[2];           /* these, 0 to 1 */
    judge_drift_e  verdict;
} judge_drift_t;

/* ntargets: criteria that are looked at together, with the overall score. */
void judge_drift(judge_drift_t *d, size_t ntargets);

/* Of evaluations that fail: by the share, beyond the same chance. */
judge_drift_e judge_drift_failed(const int64_t failed[2],
    const int64_t completed[2], size_t ntargets);


#endif /* JUDGE_DRIFT_H */
