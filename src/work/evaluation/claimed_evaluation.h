/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* An evaluation that this worker has claimed, until it is loaded; and what the
 * engines have in common: the results of evaluations that fail, end or
 * wait. */


#ifndef JUDGE_CLAIMED_EVALUATION_H
#define JUDGE_CLAIMED_EVALUATION_H


#include "base/core/id.h"
#include "store/store.h"
#include "work/render/evaluation_json.h"
#include "work/training/training.h"


/* An evaluation whose lease this worker holds. */
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

/* Whether the content is judged by external workers, if not by a model. */
bool judge_claimed_external(const judge_job_t *job);

/* Sets the failure of an evaluation whose deadline has passed. */
void judge_claimed_late(judge_arena_t *arena, const judge_job_t *job,
    judge_failure_t *failure);

/* Sets the result of an evaluation that ends without scores.  `origin` may be
 * NULL.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_claimed_fail(judge_arena_t *arena, const judge_job_t *job,
    const judge_failure_t *failure, const judge_origin_t *origin,
    judge_ms_t at, judge_result_t *result);

/* Sets the result out of a verdict: completed; or failed, if nothing could be
 * judged, with `failure` if that has a code.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_claimed_complete(judge_arena_t *arena, const judge_job_t *job,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    const judge_failure_t *failure, const judge_origin_t *origin,
    judge_ms_t at, judge_result_t *result);

/*
 * Whether an evaluation must wait until references have been read or its judge
 * has been refitted; then the result puts it back into the queue, for a time
 * that grows.  It waits for a refit during half of its time at most.  If one
 * has made another version, it is put back at once, to be judged by that.
 */
bool judge_claimed_waits(const judge_job_t *job, const judge_refit_t *refit,
    judge_ms_t now, judge_result_t *result);


/* --- Those that wait ----------------------------------------------------- */

/*
 * The evaluations that a worker has claimed and not begun: those of ranges,
 * which are slices of large batches, and single ones.  Single ones of several
 * organizations take turns, and so do ranges and single ones, so that no
 * organization waits for all evaluations of another.
 */

typedef struct {
    judge_claimed_t   *first;
    judge_claimed_t  **last;
    size_t             count;
} judge_claimed_list_t;

typedef struct {
    judge_claimed_list_t  single;
    judge_claimed_list_t  ranges;
    bool                  retry;       /* an evaluation with `retry` waits or
                                          is evaluated, which is done alone */
    bool                  range_next;  /* the next turn is a range's */
} judge_waiting_t;


void judge_waiting_init(judge_waiting_t *waiting);

/* Frees what waits. */
void judge_waiting_free(judge_waiting_t *waiting);

/* Copies `claimed`; false: out of memory. */
bool judge_waiting_add(judge_waiting_t *waiting,
    const judge_claimed_t *claimed);

/* How many single evaluations of an organization wait. */
size_t judge_waiting_of(const judge_waiting_t *waiting, judge_str_t org);

/*
 * Takes those that are to be evaluated next, together: a list of *n, which the
 * caller owns; NULL: none waits, or `ranges` is false and only ranges do.
 * Drops evaluations whose leases have run out, because other workers may claim
 * them.
 */
judge_claimed_t *judge_waiting_take(judge_waiting_t *waiting, judge_ms_t now,
    bool ranges, size_t *n);


#endif /* JUDGE_CLAIMED_EVALUATION_H */
