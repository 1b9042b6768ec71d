/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A worker process's cache of the calibrators of judges' versions.  That of a
 * version never changes, so that entries stay valid, also those without a
 * calibrator.  On the event loop only, unless noted. */


#ifndef JUDGE_CALIBRATOR_CACHE_H
#define JUDGE_CALIBRATOR_CACHE_H


#include "store/store_training.h"
#include "work/calibration/calibrator.h"
#include "work/service/service.h"
#include "work/training/training.h"


typedef struct judge_calibrator_entry  judge_calibrator_entry_t;

extern const judge_background_t  judge_calibrator_cache_background;

/* Frees all entries; at rest only. */
void judge_calibrator_cache_empty(judge_service_t *service);

/*
 * Calls done() with the entry, which may be before this returns: at once if it
 * is cached and was read lately, else after one or more reads; with NULL if it
 * can't be read.  The entry is held until _release().
 * refits: starts a job that learns again, if the calibrator was learned from
 * other inputs.
 */
typedef void (*judge_calibrator_done_pt)(void *data,
    judge_calibrator_entry_t *entry);

void judge_calibrator_hold(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, int64_t version, bool refits,
    judge_calibrator_done_pt done, void *data);
void judge_calibrator_release(judge_calibrator_entry_t *entry);

/* The number of entries, and their bytes. */
size_t judge_calibrator_cached(const judge_service_t *service, size_t *bytes);

/* In any thread, while the entry is held; NULL: nothing was learned. */
const judge_calibrator_t *judge_calibrator_get(
    judge_calibrator_entry_t *entry);

/*
 * Applies the entry to the verdict of an engine, in any thread, while it is
 * held: judge_calibrator_apply(), and origin gets the calibrator's name and
 * the scores' intervals.  The verdict stays as it is if the entry is NULL or
 * nothing was learned; corrupt bytes are treated as learned by other inputs.
 */
judge_rc_e judge_calibrator_calibrate(judge_calibrator_entry_t *entry,
    judge_arena_t *arena, const judge_rubric_t *rubric,
    const judge_item_t *item, judge_verdict_t *verdict,
    judge_origin_t *origin);

/* On the loop: whether evaluations wait for a refit, and which version judges
 * them afterwards. */
judge_refit_t judge_calibrator_refit(const judge_calibrator_entry_t *entry);

/* On the loop, without blocking; false: there are certainly no examples for a
 * language model. */
bool judge_calibrator_has_fewshot(judge_calibrator_entry_t *entry);

/* The time of the newest feedback that was learned from. */
judge_ms_t judge_calibrator_until(const judge_calibrator_entry_t *entry);


#endif /* JUDGE_CALIBRATOR_CACHE_H */
