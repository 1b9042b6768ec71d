/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How many scores each judge gave, by route, criterion, hour and bins of 5
 * points, in memory that all workers share, until one of them adds them to the
 * store: a crash of all of them loses what was not yet added.
 */


#ifndef JUDGE_SCORE_COUNTS_H
#define JUDGE_SCORE_COUNTS_H


#include <pthread.h>

#include "analysis/builtin/engine.h"
#include "analysis/learning/drift.h"
#include "store/store_watch.h"
#include "work/service/service.h"


#define JUDGE_SCORE_SLOTS  1024        /* then they are to be taken */
#define JUDGE_SCORE_INDEX  2048
#define JUDGE_ROUTE_LEN    63          /* bytes of a route that count */

typedef struct {
    judge_id_t  org;
    judge_id_t  judge_id;
    judge_id_t  criterion_id;          /* empty: the overall score */
    char        route[JUDGE_ROUTE_LEN + 1];      /* empty: none */
    int64_t     hour;
    uint32_t    n[JUDGE_DRIFT_BINS + 1];         /* the last: it failed */
} judge_score_slot_t;

/* In shared memory, zeroed, with init(). */
struct judge_score_counts {
    pthread_mutex_t     mutex;
    size_t              used;
    uint16_t            index[JUDGE_SCORE_INDEX];          /* 0: none; or the
                                                              slot and 1 */
    judge_score_slot_t  slots[JUDGE_SCORE_SLOTS];
};

bool judge_score_counts_init(judge_score_counts_t *counts);

/* Sets those of a result with this verdict; NULL: it failed.  Its strings are
 * the job's and the rubric's.  JUDGE_OK or JUDGE_NOMEM.  Any thread. */
judge_rc_e judge_score_counts_of(judge_arena_t *arena, const judge_job_t *job,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    judge_result_t *result);

/* The same of a result that was read, by its body. */
judge_rc_e judge_score_counts_read(judge_arena_t *arena,
    const judge_job_t *job, judge_result_t *result);

/* Adds rows; how many there was room for. */
size_t judge_score_counts_add(judge_score_counts_t *counts,
    const judge_hours_row_t *rows, size_t n);

/* Takes all out, into the arena; nothing is taken if it has no memory. */
judge_rc_e judge_score_counts_take(judge_score_counts_t *counts,
    judge_arena_t *arena, judge_hours_row_t **rows, size_t *n);


#endif /* JUDGE_SCORE_COUNTS_H */
