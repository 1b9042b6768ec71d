/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What versions of judges have learned, kept at hand in a worker process.  A
 * version never learns anything else later, so that what is here is right,
 * also that there is nothing.  On the event loop only, but for _get().
 */


#ifndef JUDGE_TRAINED_CACHE_H
#define JUDGE_TRAINED_CACHE_H


#include "store/judge_store_training.h"
#include "work/judge_service.h"
#include "work/judge_trained.h"


typedef struct judge_trained_entry  judge_trained_entry_t;

judge_trained_cache_t *judge_trained_cache_create(void);
void judge_trained_cache_destroy(judge_trained_cache_t *cache); /* NULL is
                                                                  allowed */

/*
 * Calls done() with the entry, at once if it is here and else when it has
 * been read; NULL when it could not be.  It stays until it is released.
 */
typedef void (*judge_trained_done_pt)(void *data,
    judge_trained_entry_t *entry);

void judge_trained_hold(judge_service_t *service,
    judge_trained_cache_t *cache, judge_str_t org, judge_str_t judge_id,
    int64_t version, judge_trained_done_pt done, void *data);
void judge_trained_release(judge_trained_cache_t *cache,
    judge_trained_entry_t *entry);

/* In any thread, while it is held: NULL where nothing was learned. */
const judge_trained_t *judge_trained_get(judge_trained_entry_t *entry);

/*
 * Applies it to the verdict of an engine, in any thread, while it is held:
 * judge_trained_apply(), and origin gets the calibrator's name.  NULL and an
 * entry in which nothing was learned leave the verdict as it is; bytes that
 * can't be read are as of other inputs.
 */
judge_rc_e judge_trained_calibrate(judge_trained_entry_t *entry,
    judge_arena_t *arena, const judge_rubric_t *rubric,
    const judge_item_t *item, judge_verdict_t *verdict,
    judge_origin_t *origin);

/* On the loop, which does not wait: false where a model is surely shown no
 * examples. */
bool judge_trained_shows(judge_trained_entry_t *entry);

/* Of what was learned: the job, and the time of the newest feedback in it. */
judge_str_t judge_trained_job(const judge_trained_entry_t *entry);
judge_ms_t judge_trained_until(const judge_trained_entry_t *entry);


#endif /* JUDGE_TRAINED_CACHE_H */
