/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What a service has done since its shared memory was made: counters that
 * only grow, over all workers. */


#ifndef JUDGE_METRICS_H
#define JUDGE_METRICS_H


#include "analysis/traffic/extract.h"
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
    JUDGE_METRIC_MEASURED,             /* texts, for the built-in engine */
    JUDGE_METRIC_ESCALATED,            /* evaluations left to a model, */
    JUDGE_METRIC_SPARED,               /* or not, by judges that ask one */
    JUDGE_METRIC_CANARIES,             /* evaluations judged by canaries, */
    JUDGE_METRIC_CANARIES_FAILED,      /* or not */
    JUDGE_METRIC_COMMITS,              /* groups committed */
    JUDGE_METRIC_NOTES_SENT,           /* to other nodes, */
    JUDGE_METRIC_NOTES_RECEIVED,       /* and from them */
    JUDGE_METRIC_KEY_CHANGES,
    JUDGE_METRIC_KEY_CHANGES_RECEIVED,    /* on other nodes */
    JUDGE_METRIC_PAIR_CHANGES,         /* known_pairs.h */
    JUDGE_METRIC_WRITES,               /* operations in them */
    JUDGE_METRIC_PROGRESS,             /* asked for, and found in memory */
    JUDGE_METRIC_PROGRESS_READ,        /* read from the store */
    JUDGE_METRIC_PROGRESS_EVICTED,
    JUDGE_METRIC_REMEMBERED,           /* answers */
    JUDGE_METRIC_UPLOADS,              /* files that came */
    JUDGE_METRIC_UPLOADED,             /* their bytes */
    JUDGE_METRIC_PURGED,               /* rows: one each of judge_purge_e */
    JUDGE_METRIC_PURGED_UPLOADS = JUDGE_METRIC_PURGED + JUDGE_PURGE_COUNT,
                                       /* addresses that expired unused */
    JUDGE_METRIC_PURGED_FILES,         /* that belonged to nothing */
    JUDGE_METRIC_PURGED_CONTENTS,      /* for their age */
    JUDGE_METRIC_PURGED_RESULTS,
    JUDGE_METRIC_PURGED_FEEDBACK,
    JUDGE_METRIC_TRAFFIC,              /* that was judged as it passed, */
    JUDGE_METRIC_SKIPPED,              /* and not: one each of judge_skip_e */
    JUDGE_METRIC_COUNT = JUDGE_METRIC_SKIPPED + JUDGE_SKIP_COUNT
} judge_metric_e;

#define JUDGE_METRICS_ENDINGS  4096
#define JUDGE_METRICS_JUDGES   1024    /* apart, since evaluations often end */

/* What takes time: requests by the first part of their path, operations of the
 * store, evaluations from their creation to their end. */
typedef enum {
    JUDGE_TIME_JUDGES,
    JUDGE_TIME_CONTENT,
    JUDGE_TIME_EVALUATIONS,
    JUDGE_TIME_BATCHES,
    JUDGE_TIME_FEEDBACK,
    JUDGE_TIME_TRAINING,
    JUDGE_TIME_WORK,
    JUDGE_TIME_FILES,                  /* uploads and downloads */
    JUDGE_TIME_ASSIST,
    JUDGE_TIME_ADMIN,                  /* keys, settings, webhooks */
    JUDGE_TIME_MONITOR,                /* health, metrics */
    JUDGE_TIME_WAITING,                /* of any path: for the queue, or a
                                          stream of events */
    JUDGE_TIME_OTHER,
    JUDGE_TIME_READ,                   /* the store */
    JUDGE_TIME_WRITE,
    JUDGE_TIME_EVALUATION,
    JUDGE_TIME_COUNT
} judge_time_e;

/* The upper bounds of the classes, in milliseconds; one more has no bound. */
#define JUDGE_TIME_BOUNDS  14

extern const judge_ms_t  judge_time_bounds[JUDGE_TIME_BOUNDS];

typedef struct {
    uint64_t  classes[JUDGE_TIME_BOUNDS + 1];    /* how often */
    uint64_t  sum;                     /* ms */
} judge_histogram_t;

/* Caches of each worker process. */
typedef enum {
    JUDGE_CACHE_LIVE,                  /* live.h */
    JUDGE_CACHE_LEARNED,               /* calibrator_cache.h */
    JUDGE_CACHE_ANSWERS,               /* api */
    JUDGE_CACHE_KEYS,                  /* api */
    JUDGE_CACHE_PAIRS,                 /* known_pairs.h */
    JUDGE_CACHE_PAGES,                 /* of the database */
    JUDGE_CACHE_COUNT
} judge_cache_e;

#define JUDGE_METRICS_WORKERS  512

typedef struct {
    uint64_t  entries;
    uint64_t  bytes;
} judge_cache_size_t;

/* In shared memory, zeroed. */
struct judge_metrics {
    uint64_t  counters[JUDGE_METRIC_COUNT];
    judge_histogram_t  times[JUDGE_TIME_COUNT];
    uint64_t  endings[JUDGE_METRICS_ENDINGS + JUDGE_METRICS_JUDGES];
                                       /* by the hash of the id */
    judge_cache_size_t  caches[JUDGE_METRICS_WORKERS][JUDGE_CACHE_COUNT];
};

/* Counts; any worker, at any time, in any thread, without a lock. */
void judge_metrics_add(judge_metrics_t *metrics, judge_metric_e metric,
    uint64_t n);

uint64_t judge_metrics_get(const judge_metrics_t *metrics,
    judge_metric_e metric);

/* Grows with each change of an API key on any node. */
uint64_t judge_metrics_key_changes(const judge_metrics_t *metrics);

/* The size of a cache of this worker; those of all. */
void judge_metrics_cache(const judge_service_t *service, judge_cache_e cache,
    size_t entries, size_t bytes);
judge_cache_size_t judge_metrics_caches(const judge_metrics_t *metrics,
    judge_cache_e cache);

/* Something took so long; any worker, in any thread. */
void judge_metrics_took(judge_metrics_t *metrics, judge_time_e what,
    judge_ms_t ms);

/* The end of an evaluation with that status is stored. */
void judge_metrics_ended(judge_metrics_t *metrics, judge_str_t id,
    judge_str_t status, judge_ms_t now);

/* A batch or a training job has changed, or what people corrected of a judge;
 * or what a counter is for; or any, and any evaluation. */
void judge_metrics_changed(judge_metrics_t *metrics, judge_str_t id);
void judge_metrics_changed_at(judge_metrics_t *metrics, size_t place);
void judge_metrics_changed_all(judge_metrics_t *metrics);

/* Grows with each end of that evaluation, each change of that batch or
 * training job, and those of a few others. */
uint64_t judge_metrics_endings(const judge_metrics_t *metrics,
    judge_str_t id);


#endif /* JUDGE_METRICS_H */
