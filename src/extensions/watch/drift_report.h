/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Whether the distribution of a judge's scores has changed, in numbers and in
 * sentences. */


#ifndef JUDGE_DRIFT_REPORT_H
#define JUDGE_DRIFT_REPORT_H


#include "extensions/watch/drift.h"
#include "base/json/json.h"
#include "store/store_watch.h"


#define JUDGE_HOUR            INT64_C(3600000)   /* ms */
#define JUDGE_DRIFT_WINDOW    24       /* hours, the default */
#define JUDGE_DRIFT_REFERENCE  168
#define JUDGE_DRIFT_HOURS     1440     /* both together, at most */

typedef struct {
    judge_str_t    criterion_id;       /* empty: the overall score */
    judge_drift_t  drift;
    bool           known;              /* the judge still has it */
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


#endif /* JUDGE_DRIFT_REPORT_H */
