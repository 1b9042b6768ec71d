/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A ticket is an evaluation that was claimed, until it is loaded; and the
 * results of evaluations that fail or wait. */


#ifndef JUDGE_TICKET_H
#define JUDGE_TICKET_H


#include "base/core/id.h"
#include "store/store.h"
#include "work/render/evaluation_json.h"
#include "work/training/refit.h"


/* An evaluation that this worker holds the lease of. */
typedef struct judge_ticket  judge_ticket_t;

struct judge_ticket {
    judge_id_t       org;
    judge_id_t       id;
    judge_id_t       content_id;
    judge_id_t       judge_id;
    judge_id_t       batch_id;         /* empty: none */
    judge_id_t       first;            /* first and last of the range that it
                                          was claimed with; empty: none */
    judge_id_t       last;
    bool             by_model;         /* a language model judges it */
    bool             again;            /* an earlier claim ended without a
                                          result */
    judge_ms_t       until;            /* end of the lease */
    int64_t          judge_version;
    int64_t          attempts;
    judge_ms_t       created_at;
    judge_ms_t       deadline;
    uint64_t         round;            /* private to waiting.c */
    judge_ticket_t  *next;
};


/* Fills in the job from the ticket, which must outlive it. */
void judge_ticket_job(const judge_ticket_t *ticket, judge_job_t *job);

/* Whether external workers judge it, unless a language model does. */
bool judge_ticket_external(const judge_job_t *job);

/* The failure of an evaluation whose deadline has passed. */
void judge_ticket_late(judge_arena_t *arena, const judge_job_t *job,
    judge_failure_t *failure);

/* The result of an evaluation that ends without scores; origin may be NULL. */
judge_rc_e judge_ticket_fail(judge_arena_t *arena, const judge_job_t *job,
    const judge_failure_t *failure, const judge_origin_t *origin,
    judge_ms_t at, judge_result_t *result);

/* The result of a verdict: completed, or failed if nothing could be judged,
 * with `failure` if that has a code.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_ticket_judged(judge_arena_t *arena, const judge_job_t *job,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    const judge_failure_t *failure, const judge_origin_t *origin,
    judge_ms_t at, judge_result_t *result);

/*
 * Whether an evaluation waits, until references have been read or its judge
 * has been refitted; then the result puts it back into the queue, for a time
 * that grows.  It waits for a refit until half of its deadline at most, or
 * goes on with the version that the refit made.
 */
bool judge_ticket_waits(const judge_job_t *job, const judge_refit_t *refit,
    judge_ms_t now, judge_result_t *result);


#endif /* JUDGE_TICKET_H */
