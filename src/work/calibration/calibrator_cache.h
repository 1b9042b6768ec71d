/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What versions of judges have learned, kept at hand in a worker process.  A
 * version never learns anything else later, so that what is here is right,
 * also that there is nothing.  On the event loop only, but for _get().
 */


#ifndef JUDGE_CALIBRATOR_CACHE_H
#define JUDGE_CALIBRATOR_CACHE_H


#include "store/store_training.h"
#include "work/calibration/calibrator.h"
#include "work/service/service.h"
#include "work/training/refit.h"


typedef struct judge_calibrator_entry  judge_calibrator_entry_t;

bool judge_calibrator_cache_create(judge_service_t *service);
void judge_calibrator_cache_destroy(judge_service_t *service);

/*
 * Calls done() with the entry, at once if it is here and else when it has
 * been read; NULL when it could not be.  It stays until it is released.
 * refits: what is of another engine is fitted again, which may wait.
 */
typedef void (*judge_calibrator_done_pt)(void *data,
    judge_calibrator_entry_t *entry);

void judge_calibrator_hold(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, int64_t version, bool refits,
    judge_calibrator_done_pt done, void *data);
void judge_calibrator_release(judge_calibrator_cache_t *cache,
    judge_calibrator_entry_t *entry);

/* How many stand in it, and their bytes. */
size_t judge_calibrator_cached(const judge_service_t *service, size_t *bytes);

/* In any thread, while it is held: NULL where nothing was learned. */
const judge_calibrator_t *judge_calibrator_get(
    judge_calibrator_entry_t *entry);

/*
 * Applies it to the verdict of an engine, in any thread, while it is held:
 * judge_calibrator_apply(), and origin gets the calibrator's name and how sure
 * the scores are.  NULL and an entry in which nothing was learned leave the
 * verdict as it is; bytes that can't be read are as of other inputs.
 */
judge_rc_e judge_calibrator_calibrate(judge_calibrator_entry_t *entry,
    judge_arena_t *arena, const judge_rubric_t *rubric,
    const judge_item_t *item, judge_verdict_t *verdict,
    judge_origin_t *origin);

/* On the loop: whether evaluations wait until it is fitted to this engine, and
 * what judges them then. */
judge_refit_t judge_calibrator_refit(const judge_calibrator_entry_t *entry);

/* On the loop, which does not wait: false where there are certainly no
 * examples for a model. */
bool judge_calibrator_has_fewshot(judge_calibrator_entry_t *entry);

/* The time of the newest feedback that was learned from. */
judge_ms_t judge_calibrator_until(const judge_calibrator_entry_t *entry);


#endif /* JUDGE_CALIBRATOR_CACHE_H */
