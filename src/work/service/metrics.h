/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a service has done since its shared memory was made: counters that
 * only grow, over all workers.
 */


#ifndef JUDGE_METRICS_H
#define JUDGE_METRICS_H


#include "store/store.h"
#include "work/service/service.h"


typedef enum {
    JUDGE_METRIC_REQUESTS_NONE,        /* the client left unanswered */
    JUDGE_METRIC_REQUESTS_1XX,
    JUDGE_METRIC_REQUESTS_2XX,
    JUDGE_METRIC_REQUESTS_3XX,
    JUDGE_METRIC_REQUESTS_4XX,
    JUDGE_METRIC_REQUESTS_5XX,
    JUDGE_METRIC_LIMITED,              /* requests over a rate limit */
    JUDGE_METRIC_UNREAD,               /* refused for answers not read */
    JUDGE_METRIC_COMPLETED,            /* evaluations */
    JUDGE_METRIC_FAILED,
    JUDGE_METRIC_COMMITS,              /* groups committed */
    JUDGE_METRIC_KEY_CHANGES,
    JUDGE_METRIC_WRITES,               /* operations in them */
    JUDGE_METRIC_UPLOADS,              /* files that came */
    JUDGE_METRIC_UPLOADED,             /* their bytes */
    JUDGE_METRIC_PURGED,               /* rows: one each of judge_purge_e */
    JUDGE_METRIC_PURGED_UPLOADS = JUDGE_METRIC_PURGED + JUDGE_PURGE_COUNT,
                                       /* addresses that expired unused */
    JUDGE_METRIC_PURGED_FILES,         /* that belonged to nothing */
    JUDGE_METRIC_PURGED_CONTENTS,      /* for their age */
    JUDGE_METRIC_PURGED_RESULTS,
    JUDGE_METRIC_PURGED_FEEDBACK,
    JUDGE_METRIC_COUNT
} judge_metric_e;

#define JUDGE_METRICS_ENDINGS  512

/* In shared memory, zeroed. */
struct judge_metrics {
    uint64_t  counters[JUDGE_METRIC_COUNT];
    uint64_t  endings[JUDGE_METRICS_ENDINGS];  /* by the hash of the id */
};

/* Counts; any worker, at any time, in any thread, without a lock. */
void judge_metrics_add(judge_metrics_t *metrics, judge_metric_e metric,
    uint64_t n);

uint64_t judge_metrics_get(const judge_metrics_t *metrics,
    judge_metric_e metric);

/* The end of an evaluation with that status is stored. */
void judge_metrics_ended(judge_metrics_t *metrics, judge_str_t id,
    judge_str_t status);

/* Grows with each end of that evaluation, and of a few others. */
uint64_t judge_metrics_endings(const judge_metrics_t *metrics,
    judge_str_t id);


#endif /* JUDGE_METRICS_H */
