/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How batches and training jobs stand, in memory that all workers share: the
 * numbers of those that somebody has asked for, a bounded number of them, of
 * which the one used longest ago makes room.
 *
 * The row stays the truth.  Whoever commits a change of it reads it again and
 * stores it here, still holding the lock that orders commits, so that no later
 * state is overwritten by an earlier one.  Who finds nothing here reads the
 * row and leaves it here, unless anybody has committed meanwhile.  What was
 * not compared with its row for a second is read anew, because other programs
 * may write to the store, and a process may die between its commit and this.
 */


#ifndef JUDGE_PROGRESS_H
#define JUDGE_PROGRESS_H


#include "store/engine/runner.h"
#include "store/store_batch.h"
#include "store/store_training.h"
#include "work/service/service.h"


#define JUDGE_PROGRESS_DEFAULT  256    /* entries */
#define JUDGE_PROGRESS_MIN      8
#define JUDGE_PROGRESS_MAX      65536
#define JUDGE_PROGRESS_FRESH    1000   /* ms */

typedef struct {
    judge_id_t  org;
    judge_id_t  id;                    /* empty: nothing stands here */
    uint64_t    version;               /* another one for each state */
    uint64_t    failures;              /* of a batch: the version in which as
                                          many had failed */
    uint64_t    changes;               /* of judge_metrics_endings(), before
                                          it was read */
    judge_ms_t  read_at;
    char        status[16];            /* zero-terminated, as is the next */
    char        phase[48];             /* of a job */
    union {                            /* strings are absent */
        judge_batch_row_t     batch;
        judge_training_row_t  job;
    }           row;
} judge_progress_state_t;


/* The bytes that so many entries take; makes an empty one of zeroed bytes. */
size_t judge_progress_size(size_t entries);
bool judge_progress_init(judge_progress_t *progress, size_t entries);

/* How many stand in it, and how many may. */
size_t judge_progress_count(const judge_progress_t *progress, size_t *max);

/* Any worker, at any time, in any thread; waits for nobody. */
bool judge_progress_find(judge_progress_t *progress, judge_str_t org,
    judge_str_t id, judge_ms_t now, judge_progress_state_t *state);

/* The state of a row that was read; the version is set by keep(). */
void judge_progress_batch(judge_progress_state_t *state, judge_str_t org,
    const judge_batch_row_t *row, judge_ms_t now);
void judge_progress_job(judge_progress_state_t *state,
    const judge_training_row_t *row, judge_ms_t now);

/* All rows are read anew. */
void judge_progress_forget(judge_service_t *service);

/* Leaves a row that was read here, after `commits` (JUDGE_METRIC_COMMITS) were
 * counted; false, and without a version: somebody has committed since or is
 * at it. */
bool judge_progress_keep(judge_service_t *service,
    judge_progress_state_t *state, uint64_t commits);

/* To be called after a group of writes was committed and counted, by its
 * thread, which holds the lock of commits.  Announces the changes to who
 * waits; false: there are none. */
bool judge_progress_committed(judge_service_t *service, judge_runner_t *db);


#endif /* JUDGE_PROGRESS_H */
