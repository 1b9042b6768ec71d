/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Batches and training jobs that clients of this worker watch: the strings of
 * their rows, which never change, and what was rendered of them.  With the
 * numbers of the zone (progress.h) that makes the row without reading it.
 * On the event loop only.
 */


#ifndef JUDGE_LIVE_H
#define JUDGE_LIVE_H


#include "work/service/progress.h"


#define JUDGE_LIVE_BODY  1000          /* ms that a body is good for, because
                                          of the estimate that it has */

typedef struct judge_live_entry  judge_live_entry_t;

struct judge_live_entry {
    judge_id_t              org;
    judge_id_t              id;
    judge_arena_t          *arena;     /* of the strings */
    judge_arena_t          *kept;      /* of the failures; NULL: none */
    judge_progress_state_t  state;     /* version 0: not in the zone */
    judge_batch_row_t       batch;     /* it is one of the two */
    judge_training_row_t    job;
    judge_batch_failure_t  *failures;
    size_t                  nfailures;
    uint64_t                failed;    /* the state's failures, of these */
    judge_str_t             body;      /* of a batch; absent: none */
    uint64_t                rendered;  /* the state's version, of it */
    judge_ms_t              rendered_at;
    size_t                  bytes;
    judge_live_entry_t     *chain;     /* of the same hash */
    judge_live_entry_t     *newer;
    judge_live_entry_t     *older;
};


bool judge_live_create(judge_service_t *service);
void judge_live_destroy(judge_service_t *service);

/*
 * A batch or a training job (which, its identifier tells) as it is now:
 * take() gives it, JUDGE_NOT_FOUND, or what reading the row gave; good until
 * the next call.  It may follow where ready() is true.  Else load() reads the
 * row and calls done() once, perhaps before it returns, in which both may be
 * called; false: there is no memory.
 */
bool judge_live_ready(judge_service_t *service, judge_str_t org,
    judge_str_t id);
bool judge_live_load(judge_service_t *service, judge_str_t org,
    judge_str_t id, void (*done)(void *data), void *data);
judge_rc_e judge_live_take(judge_service_t *service,
    judge_live_entry_t **entry);

/* Keeps a copy of what was made of it as it is now; without memory none. */
void judge_live_keep_body(judge_service_t *service, judge_live_entry_t *entry,
    judge_str_t body);
void judge_live_keep_failures(judge_service_t *service,
    judge_live_entry_t *entry, const judge_batch_failures_t *failures);

/* The body that was kept, if it still holds; else an absent one. */
judge_str_t judge_live_body(const judge_service_t *service,
    const judge_live_entry_t *entry);

/* What stands in it: how many, and their bytes. */
size_t judge_live_count(const judge_service_t *service, size_t *bytes);


#endif /* JUDGE_LIVE_H */
