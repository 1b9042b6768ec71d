/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Whether the scores of a judge lie otherwise than they did, and that in
 * sentences. */


#ifndef JUDGE_DRIFT_REPORT_H
#define JUDGE_DRIFT_REPORT_H


#include "analysis/learning/drift.h"
#include "base/json/json.h"
#include "store/store_watch.h"


#define JUDGE_HOUR            INT64_C(3600000)   /* ms */
#define JUDGE_DRIFT_WINDOW    24       /* hours, unless somebody says so */
#define JUDGE_DRIFT_REFERENCE  168

typedef struct {
    judge_str_t    criterion_id;       /* empty: the overall score */
    judge_drift_t  drift;
} judge_drift_target_t;

typedef struct {
    judge_drift_target_t  *targets;    /* the overall score is the first */
    size_t                 n;
    int64_t                failed[2];  /* evaluations, before and now */
    judge_drift_e          failing;
    judge_drift_e          verdict;    /* the worst of all */
} judge_drift_report_t;

/* Sets the hours: so many until now, and so many before these. */
void judge_drift_span(judge_drift_counts_t *counts, judge_ms_t now,
    int64_t window, int64_t reference);

/* JUDGE_OK or JUDGE_NOMEM; any thread. */
judge_rc_e judge_drift_report(judge_arena_t *arena,
    const judge_drift_counts_t *counts, judge_drift_report_t *report);

/* The members of its object; criteria: of the judge, JSON. */
judge_rc_e judge_drift_json(judge_json_writer_t *w, judge_arena_t *arena,
    const judge_drift_counts_t *counts, judge_str_t criteria);


#endif /* JUDGE_DRIFT_REPORT_H */
