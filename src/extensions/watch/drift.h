/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Drift of the distribution of scores, by counts in bins of 5 points.  There
 * is drift if at least one of two measures is both large and significant.
 *
 *   population stability index   over at most 10 bins, each with at least a
 *                   tenth of the earlier scores; large from 0.1 and 0.25 on
 *                   (Siddiqi 2006), significant by Yurdakul and Naranjo 2020
 *   Kolmogorov-Smirnov   the largest difference of the cumulative shares;
 *                   large from 0.1 and 0.2 on; significant by Smirnov 1948,
 *                   which is conservative for binned scores
 *
 * Of the judges whose scores do not change, 1 % may show drift within a week.
 * That level is divided (Bonferroni) by the number of tests (two per
 * criterion, one of failures) and of looks (one an hour).
 */


#ifndef JUDGE_DRIFT_H
#define JUDGE_DRIFT_H


#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json/json.h"
#include "store/store_watch.h"


#define JUDGE_DRIFT_BINS      20
#define JUDGE_DRIFT_LEAST     30       /* scores, before and now */
#define JUDGE_DRIFT_PSI_SOME    0.1
#define JUDGE_DRIFT_PSI_STRONG  0.25
#define JUDGE_DRIFT_KS_SOME     0.1
#define JUDGE_DRIFT_KS_STRONG   0.2
#define JUDGE_DRIFT_FAILED_SOME    0.05          /* rise of the failed share */
#define JUDGE_DRIFT_FAILED_STRONG  0.2
#define JUDGE_DRIFT_CHANCE    0.01     /* significance level of all looks */
#define JUDGE_DRIFT_LOOKS     168

typedef enum {
    JUDGE_DRIFT_NONE,
    JUDGE_DRIFT_SOME,
    JUDGE_DRIFT_STRONG
} judge_drift_e;

/* Their names in API responses. */
extern const char *const  judge_drift_names[];

/* [0]: before, [1]: now. */
typedef struct {
    int64_t        bins[2][JUDGE_DRIFT_BINS];    /* in; all others are out */
    int64_t        n[2];
    double         mean[2];            /* from the middles of the bins */
    bool           known;              /* both have JUDGE_DRIFT_LEAST scores */
    double         psi;
    double         ks;
    double         mark;               /* the score at which the cumulative
                                          shares, below[], differ most */
    double         below[2];
    judge_drift_e  verdict;
} judge_drift_t;

/* ntargets: criteria tested together, the overall score being one of them. */
void judge_drift(judge_drift_t *d, size_t ntargets);

/* Tests whether the share of failed evaluations has risen, at that level. */
judge_drift_e judge_drift_failed(const int64_t failed[2],
    const int64_t completed[2], size_t ntargets);


/* --- The report ---------------------------------------------------------- */

/* Whether the distribution of a judge's scores has changed, in numbers and in
 * sentences. */

#define JUDGE_HOUR            INT64_C(3600000)   /* ms */
#define JUDGE_DRIFT_WINDOW    24       /* hours, the default */
#define JUDGE_DRIFT_REFERENCE  168
#define JUDGE_DRIFT_HOURS     1440     /* both together, at most */

typedef struct {
    judge_str_t    criterion_id;       /* empty: the overall score */
    judge_str_t    name;               /* absent: the judge has it no more */
    judge_drift_t  drift;
} judge_drift_target_t;

typedef struct {
    judge_drift_target_t  *targets;    /* [0]: the overall score */
    size_t                 n;
    int64_t                failed[2];  /* evaluations, before and now */
    judge_drift_e          failing;
    judge_drift_e          verdict;    /* the worst, `failing` included */
} judge_drift_report_t;

/* Reads a period such as 24h or 7d, in hours; 0: invalid, or too long. */
int64_t judge_drift_hours(judge_str_t period);

/* Sets the two periods: the hours until now, and the hours before those. */
void judge_drift_span(judge_drift_counts_t *counts, judge_ms_t now,
    int64_t window, int64_t reference);

/* Runs in any thread; JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_drift_report(judge_arena_t *arena,
    const judge_drift_counts_t *counts, judge_drift_report_t *report);

/* Writes the report's members; criteria: the judge's, as JSON. */
judge_rc_e judge_drift_json(judge_json_writer_t *w, judge_arena_t *arena,
    const judge_drift_counts_t *counts, judge_str_t criteria);


#endif /* JUDGE_DRIFT_H */
