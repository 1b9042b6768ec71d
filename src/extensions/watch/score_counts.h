/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Counts of the scores that each judge gave, by route, criterion, hour and bin
 * of 5 points.  All workers share them in memory until one worker adds them
 * to the store.  A crash of the server loses the counts not yet added. */


#ifndef JUDGE_SCORE_COUNTS_H
#define JUDGE_SCORE_COUNTS_H


#include <pthread.h>

#include "store/store_watch.h"
#include "analysis/builtin/engine.h"
#include "work/service/service.h"
#include "extensions/watch/drift.h"


#define JUDGE_SCORE_SLOTS  1024        /* a write empties them */
#define JUDGE_SCORE_INDEX  2048
#define JUDGE_ROUTE_LEN    63          /* bytes; a longer name is cut */

typedef struct {
    judge_id_t  org;
    judge_id_t  judge_id;
    judge_id_t  criterion_id;          /* empty: the overall score */
    char        route[JUDGE_ROUTE_LEN + 1];      /* empty: none */
    int64_t     hour;
    uint32_t    n[JUDGE_DRIFT_BINS + 1];         /* the last: failures */
} judge_score_slot_t;

/* Lies in shared memory, which must be zeroed before init(). */
typedef struct {
    pthread_mutex_t     mutex;
    size_t              used;
    uint16_t            index[JUDGE_SCORE_INDEX];          /* slot + 1; 0:
                                                              empty */
    judge_score_slot_t  slots[JUDGE_SCORE_SLOTS];
} judge_score_counts_t;

/* counts: a judge_score_counts_t */
bool judge_score_counts_init(void *counts);

/* Sets result->counts from the verdict; if it is NULL, from result->body, or
 * to a failure.  Strings point into the job, the rubric and the body.  Runs in
 * any thread; JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_score_counts_of(judge_arena_t *arena, const judge_job_t *job,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    judge_result_t *result);

/* Adds rows; returns how many were added before the memory was full. */
size_t judge_score_counts_add(judge_score_counts_t *counts,
    const judge_hours_row_t *rows, size_t n);

/* Moves all counts to the arena, or none if it is out of memory. */
judge_rc_e judge_score_counts_take(judge_score_counts_t *counts,
    judge_arena_t *arena, judge_hours_row_t **rows, size_t *n);


/* --- Hours in the store -------------------------------------------------- */

/*
 * Counts the scores of each judge by the hour: in shared memory when an
 * evaluation ends, and once a second in the store.  A minute later the scores
 * of judges with new counts are compared with earlier ones; an event tells of
 * a drift that has become strong.
 */

/* The data of the extension. */
typedef struct {
    judge_service_t       *service;
    judge_score_counts_t  *counts;     /* in shared memory */
    judge_ms_t             written;
    size_t                 flushing;   /* number of writes under way */
    bool                   busy;       /* a comparison runs */
} judge_hours_t;

bool judge_hours_create(judge_service_t *service);

/* Counts the scores of an evaluation whose result has been stored. */
void judge_hours_stored(judge_service_t *service,
    const judge_result_t *result);

/* Writes the remaining counts when a process exits. */
void judge_hours_left(judge_service_t *service,
    void (*run)(void *data, judge_op_t *op), void *data);

void judge_hours_tick(judge_service_t *service);

bool judge_hours_busy(judge_service_t *service);


#endif /* JUDGE_SCORE_COUNTS_H */
