/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Numbers of all workers of a service, in shared memory: counters and
 * histograms, which only grow; sizes of caches and calls of models, which each
 * worker sets; and counters of changes, by the hash of an identifier, for
 * requests that wait (waiters.h). */


#ifndef JUDGE_METRICS_H
#define JUDGE_METRICS_H


#include "store/store.h"
#include "work/service/service.h"


typedef enum {
    JUDGE_METRIC_REQUESTS_NONE,        /* the client left before */
    JUDGE_METRIC_REQUESTS_1XX,
    JUDGE_METRIC_REQUESTS_2XX,
    JUDGE_METRIC_REQUESTS_3XX,
    JUDGE_METRIC_REQUESTS_4XX,
    JUDGE_METRIC_REQUESTS_5XX,
    JUDGE_METRIC_LIMITED,              /* requests over a rate limit */
    JUDGE_METRIC_UNREAD,               /* judge_fail_unread() */
    JUDGE_METRIC_COMPLETED,            /* evaluations */
    JUDGE_METRIC_FAILED,
    JUDGE_METRIC_MEASURED,             /* texts, by the built-in engine */
    JUDGE_METRIC_ESCALATED,            /* evaluations escalated, */
    JUDGE_METRIC_NOT_ESCALATED,        /* and sure enough not to be */
    JUDGE_METRIC_CANARIES,             /* evaluations scored by canaries, */
    JUDGE_METRIC_CANARIES_FAILED,      /* and those that failed */
    JUDGE_METRIC_COMMITS,              /* groups committed */
    JUDGE_METRIC_NOTES_SENT,           /* to other nodes, */
    JUDGE_METRIC_NOTES_RECEIVED,       /* and from them */
    JUDGE_METRIC_KEY_CHANGES,
    JUDGE_METRIC_KEY_CHANGES_RECEIVED,    /* on other nodes */
    JUDGE_METRIC_WRITES,               /* operations committed */
    JUDGE_METRIC_PROGRESS,             /* found in memory */
    JUDGE_METRIC_PROGRESS_READ,        /* read from the store */
    JUDGE_METRIC_PROGRESS_EVICTED,
    JUDGE_METRIC_REMEMBERED,           /* answers found in the cache */
    JUDGE_METRIC_UPLOADS,              /* files uploaded */
    JUDGE_METRIC_UPLOADED,             /* bytes uploaded */
    JUDGE_METRIC_PURGED,               /* rows: one each of judge_purge_e */
    JUDGE_METRIC_PURGED_UPLOADS = JUDGE_METRIC_PURGED + JUDGE_PURGE_COUNT,
                                       /* addresses that expired unused */
    JUDGE_METRIC_PURGED_FILES,         /* files without a row */
    JUDGE_METRIC_PURGED_CONTENTS,      /* too old, as are the next */
    JUDGE_METRIC_PURGED_RESULTS,
    JUDGE_METRIC_PURGED_FEEDBACK,
    JUDGE_METRIC_REFUSED_CALLS,        /* by servers that had too many */
    JUDGE_METRIC_LOCK_WAITED,          /* microseconds, for the commit lock, */
    JUDGE_METRIC_LOCK_HELD,            /* and with it */
    JUDGE_METRIC_COUNT
} judge_metric_e;

/* Counters of all extensions together (extension.h). */
#define JUDGE_EXTENSION_COUNTERS  128

#define JUDGE_METRICS_CHANGES  4096
#define JUDGE_METRICS_JUDGES   1024    /* separate counters for judges, since
                                          evaluations end often */

/* What is timed: requests by the first segment of their path, operations of
 * the store, and evaluations from their creation to their end. */
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
    JUDGE_TIME_WAITING,                /* of any path: waits for the queue, and
                                          streams of events */
    JUDGE_TIME_OTHER,
    JUDGE_TIME_READ,                   /* operations of the store */
    JUDGE_TIME_WRITE,
    JUDGE_TIME_EVALUATION,
    JUDGE_TIME_COUNT
} judge_time_e;

/* Number of classes with an upper bound, in ms; one more has none. */
#define JUDGE_TIME_BOUNDS  14

extern const judge_ms_t  judge_time_bounds[JUDGE_TIME_BOUNDS];

typedef struct {
    uint64_t  classes[JUDGE_TIME_BOUNDS + 1];    /* counts */
    uint64_t  sum;                     /* ms */
} judge_histogram_t;

/* Caches of each worker process. */
typedef enum {
    JUDGE_CACHE_LIVE,                  /* batch_pages.h */
    JUDGE_CACHE_LEARNED,               /* calibrator_cache.h */
    JUDGE_CACHE_ANSWERS,               /* api */
    JUDGE_CACHE_KEYS,                  /* api */
    JUDGE_CACHE_PAGES,                 /* pages of the database */
    JUDGE_CACHE_COUNT
} judge_cache_e;

#define JUDGE_METRICS_WORKERS  512
#define JUDGE_METRICS_MODELS   16      /* the first ones of the service */
#define JUDGE_METRICS_CALLS    3       /* numbers of each: as many as may be
                                          under way at once (concurrency.h),
                                          those under way, those that wait */

/* Numbers that each worker sets. */
typedef enum {
    JUDGE_GAUGE_ENTRIES,               /* one each of judge_cache_e */
    JUDGE_GAUGE_BYTES = JUDGE_GAUGE_ENTRIES + JUDGE_CACHE_COUNT,
    JUDGE_GAUGE_CALLS = JUDGE_GAUGE_BYTES + JUDGE_CACHE_COUNT,
    JUDGE_GAUGE_COUNT = JUDGE_GAUGE_CALLS
                        + JUDGE_METRICS_MODELS * JUDGE_METRICS_CALLS
} judge_gauge_e;


/* In shared memory, zeroed. */
struct judge_metrics {
    uint64_t  counters[JUDGE_METRIC_COUNT];
    uint64_t  extensions[JUDGE_EXTENSION_COUNTERS];
    judge_histogram_t  times[JUDGE_TIME_COUNT];
    uint64_t  changes[JUDGE_METRICS_CHANGES + JUDGE_METRICS_JUDGES];
                                       /* by the hash of the id */
    uint64_t  gauges[JUDGE_METRICS_WORKERS][JUDGE_GAUGE_COUNT];
};

/* Counts; any worker, at any time, in any thread, without a lock. */
#define judge_metrics_add(metrics, metric, n)                                 \
    __atomic_fetch_add(&(metrics)->counters[metric], n, __ATOMIC_RELAXED)
#define judge_metrics_get(metrics, metric)                                    \
    __atomic_load_n(&(metrics)->counters[metric], __ATOMIC_RELAXED)

/* Grows with each change of an API key on any node. */
uint64_t judge_metrics_key_changes(const judge_metrics_t *metrics);

/* Escapes the value of a label as Prometheus demands. */
judge_str_t judge_metrics_escape(judge_arena_t *arena, judge_str_t value);

/* Sets a number of this worker; returns the sum of all workers. */
void judge_metrics_set(const judge_service_t *service, size_t gauge,
    uint64_t n);
uint64_t judge_metrics_sum(const judge_metrics_t *metrics, size_t gauge);

void judge_metrics_set_cache(const judge_service_t *service,
    judge_cache_e cache, size_t entries, size_t bytes);

/* To be called when a worker has exited: clears its numbers. */
void judge_metrics_forget(judge_metrics_t *metrics, size_t worker);

/* Adds a duration to a histogram; any worker, in any thread. */
void judge_metrics_took(judge_metrics_t *metrics, judge_time_e what,
    judge_ms_t ms);

/* To be called when the end of an evaluation has been stored. */
void judge_metrics_ended(judge_metrics_t *metrics, judge_str_t id,
    judge_str_t status, judge_ms_t now);

/* To be called when a batch, a training job or the corrections of a judge have
 * changed; _at() if only the number of their counter is known, _all() if not
 * even that. */
#define judge_metrics_changed(metrics, id)                                    \
    judge_metrics_changed_at(metrics, judge_metrics_place(id))
#define judge_metrics_changed_at(metrics, place)                              \
    __atomic_fetch_add(&(metrics)->changes[place], 1, __ATOMIC_RELEASE)
void judge_metrics_changed_all(judge_metrics_t *metrics);

/* The number of its counter, which others whose identifiers have the same hash
 * share. */
size_t judge_metrics_place(judge_str_t id);


#endif /* JUDGE_METRICS_H */
