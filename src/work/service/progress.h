/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The progress of batches in memory that all workers share: the numbers of
 * their rows, for a bounded number of those that clients listen to.
 *
 * The row in the store is authoritative.  After a commit that changes it, the
 * committing thread reads the row and stores it here, while it still holds the
 * lock that orders commits, so that no state is overwritten by an earlier one.
 * A worker that finds nothing here reads the row and stores it, unless anybody
 * has committed meanwhile.  An entry is read again after a second, because
 * other programs may write to the store, and because a process may die after
 * its commit.  In a fleet a commit only counts the change: readers compare the
 * counter, and read the row again.
 */


#ifndef JUDGE_PROGRESS_H
#define JUDGE_PROGRESS_H


#include "store/engine/runner.h"
#include "store/store_batch.h"
#include "work/service/service.h"


#define JUDGE_PROGRESS_DEFAULT  256    /* entries */
#define JUDGE_PROGRESS_MIN      8
#define JUDGE_PROGRESS_MAX      65536
#define JUDGE_PROGRESS_FRESH    1000   /* ms */

typedef struct {
    judge_id_t  org;
    judge_id_t  id;                    /* empty: the slot is free */
    uint64_t    changes;               /* in a fleet: judge_waiters_changes()
                                          before the row was read; else 0 */
    judge_ms_t  read_at;
    char        status[16];            /* zero-terminated */
    judge_batch_row_t  row;            /* with all strings absent */
} judge_progress_state_t;


/* The bytes that so many entries need; _init() makes zeroed bytes a table. */
size_t judge_progress_size(size_t entries);
bool judge_progress_init(judge_progress_t *progress, size_t entries);

/* The number of entries. */
size_t judge_progress_count(const judge_progress_t *progress);

/* Any worker, at any time, in any thread; takes no lock. */
bool judge_progress_find(judge_progress_t *progress, judge_str_t org,
    judge_str_t id, judge_ms_t now, judge_progress_state_t *state);

/* Makes the state of a row that was read. */
void judge_progress_state(judge_progress_state_t *state, judge_str_t org,
    const judge_batch_row_t *row, judge_ms_t now);

/* Empties the table, so that all rows are read again. */
void judge_progress_forget(judge_service_t *service);

/* Stores the state of a row that was read after the counter
 * JUDGE_METRIC_COMMITS was `commits`, unless somebody has committed since or
 * is committing. */
void judge_progress_keep(judge_service_t *service,
    const judge_progress_state_t *state, uint64_t commits);

/* To be called after a group of writes was committed and counted, by the
 * committing thread, which still holds the lock of commits.  Counts the
 * changes, for those who wait; false: there are none. */
bool judge_progress_committed(judge_service_t *service, judge_runner_t *db);


#endif /* JUDGE_PROGRESS_H */
