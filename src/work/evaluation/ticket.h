/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A claimed evaluation, from the claim until it is loaded; how it fails. */


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
    judge_id_t       first;            /* and last of the range that it was
                                          claimed with; empty: none */
    judge_id_t       last;
    bool             by_model;         /* a language model is to judge */
    bool             again;            /* who had it before did not end it */
    judge_ms_t       until;            /* its lease */
    int64_t          judge_version;
    int64_t          attempts;
    judge_ms_t       created_at;
    judge_ms_t       deadline;
    judge_ticket_t  *next;
};


/* Sets in the job what the ticket knows; the job refers to the ticket. */
void judge_ticket_job(const judge_ticket_t *ticket, judge_job_t *job);

/* Whether external workers are to judge it, if no language model is. */
bool judge_ticket_external(const judge_job_t *job);

/* Why one fails whose deadline is over. */
void judge_ticket_late(judge_arena_t *arena, const judge_job_t *job,
    judge_failure_t *failure);

/* The result of one that ends without scores; origin may be NULL. */
judge_rc_e judge_ticket_fail(judge_arena_t *arena, const judge_job_t *job,
    const judge_failure_t *failure, const judge_origin_t *origin,
    judge_ms_t at, judge_result_t *result);

/*
 * The result of a verdict: completed, or failed where nothing could be judged,
 * for the reason in `failure` where that has a code.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_ticket_judged(judge_arena_t *arena, const judge_job_t *job,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    const judge_failure_t *failure, const judge_origin_t *origin,
    judge_ms_t at, judge_result_t *result);

/*
 * Whether one waits, with its result: for references that are still read, or
 * until its judge is fitted again.  Then it is looked at again soon, and less
 * and less often; for the latter it waits half of its time at most, or goes
 * on to the version that came of it.
 */
bool judge_ticket_waits(const judge_job_t *job, const judge_refit_t *refit,
    judge_ms_t now, judge_result_t *result);


#endif /* JUDGE_TICKET_H */
