/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A worker's cache of batches and training jobs that its clients watch: the
 * strings of their rows, which hardly change, and rendered answers.  Together
 * with the numbers in shared memory (progress.h) they make up the row without
 * a read of the store.  On the event loop only.
 */


#ifndef JUDGE_LIVE_H
#define JUDGE_LIVE_H


#include "work/service/progress.h"


#define JUDGE_LIVE_BODY  1000          /* ms that a body is valid, because it
                                          contains an estimate */

typedef struct judge_live_entry  judge_live_entry_t;

struct judge_live_entry {
    judge_id_t              org;
    judge_id_t              id;
    judge_arena_t          *arena;     /* holds the strings */
    judge_arena_t          *kept;      /* holds the failures; NULL: none */
    judge_progress_state_t  state;     /* version 0: not in shared memory */
    judge_batch_row_t       batch;     /* either this or job is used */
    judge_training_row_t    job;
    judge_batch_failure_t  *failures;
    size_t                  nfailures;
    uint64_t                failed;    /* state.failures of `failures` */
    judge_str_t             body;      /* the answer to GET; absent: none */
    uint64_t                rendered;  /* state.version of `body` */
    judge_ms_t              rendered_at;
    size_t                  bytes;
    judge_live_entry_t     *chain;     /* next with the same hash */
    judge_live_entry_t     *newer;
    judge_live_entry_t     *older;
};


bool judge_live_create(judge_service_t *service);
void judge_live_destroy(judge_service_t *service);

/*
 * The current state of a batch or training job; its identifier tells which.
 * If ready() is true, take() may be called: it returns the entry, valid until
 * the next call, or JUDGE_NOT_FOUND or another error of the read.  Otherwise
 * load() reads the row and calls done() once, maybe before it returns, in
 * which ready() and take() may be called; false: out of memory.
 */
bool judge_live_ready(judge_service_t *service, judge_str_t org,
    judge_str_t id);
bool judge_live_load(judge_service_t *service, judge_str_t org,
    judge_str_t id, void (*done)(void *data), void *data);
judge_rc_e judge_live_take(judge_service_t *service,
    judge_live_entry_t **entry);

/* Caches copies of what was made from the entry's current state, unless memory
 * is out. */
void judge_live_keep_body(judge_service_t *service, judge_live_entry_t *entry,
    judge_str_t body);
void judge_live_keep_failures(judge_service_t *service,
    judge_live_entry_t *entry, const judge_batch_failures_t *failures);

/* The cached body; absent: there is none, or it is out of date. */
judge_str_t judge_live_body(const judge_service_t *service,
    const judge_live_entry_t *entry);

/* The number of entries, and their bytes. */
size_t judge_live_count(const judge_service_t *service, size_t *bytes);


#endif /* JUDGE_LIVE_H */
