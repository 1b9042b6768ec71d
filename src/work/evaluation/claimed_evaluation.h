/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* An evaluation that this worker has claimed, until it is loaded; and the
 * results of evaluations that fail or wait. */


#ifndef JUDGE_CLAIMED_EVALUATION_H
#define JUDGE_CLAIMED_EVALUATION_H


#include "base/core/id.h"
#include "store/store.h"
#include "work/render/evaluation_json.h"
#include "work/training/automatic_jobs.h"


/* An evaluation that this worker holds the lease of. */
typedef struct judge_claimed  judge_claimed_t;

struct judge_claimed {
    judge_id_t        org;
    judge_id_t        id;
    judge_id_t        content_id;
    judge_id_t        judge_id;
    judge_id_t        batch_id;        /* empty: none */
    judge_id_t        first;           /* first and last of the range that it
                                          was claimed with; empty: none */
    judge_id_t        last;
    bool              by_model;        /* a language model judges it */
    bool              retry;           /* an earlier claim ended without a
                                          result */
    judge_ms_t        until;           /* end of the lease */
    int64_t           judge_version;
    int64_t           attempts;
    judge_ms_t        created_at;
    judge_ms_t        deadline;
    uint64_t          round;           /* private to waiting.c */
    judge_claimed_t  *next;
};


/* Fills in the job from `claimed`, which must outlive it. */
void judge_claimed_job(const judge_claimed_t *claimed, judge_job_t *job);

/* Whether external workers judge it, unless a language model does. */
bool judge_claimed_external(const judge_job_t *job);

/* The failure of an evaluation whose deadline has passed. */
void judge_claimed_late(judge_arena_t *arena, const judge_job_t *job,
    judge_failure_t *failure);

/* The result of an evaluation that ends without scores; origin may be NULL. */
judge_rc_e judge_claimed_fail(judge_arena_t *arena, const judge_job_t *job,
    const judge_failure_t *failure, const judge_origin_t *origin,
    judge_ms_t at, judge_result_t *result);

/* The result of a verdict: completed, or failed if nothing could be judged,
 * with `failure` if that has a code.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_claimed_complete(judge_arena_t *arena, const judge_job_t *job,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    const judge_failure_t *failure, const judge_origin_t *origin,
    judge_ms_t at, judge_result_t *result);

/*
 * Whether an evaluation waits, until references have been read or its judge
 * has been refitted; then the result puts it back into the queue, for a time
 * that grows.  It waits for a refit until half of its deadline at most, or
 * goes on with the version that the refit made.
 */
bool judge_claimed_waits(const judge_job_t *job, const judge_refit_t *refit,
    judge_ms_t now, judge_result_t *result);


#endif /* JUDGE_CLAIMED_EVALUATION_H */
