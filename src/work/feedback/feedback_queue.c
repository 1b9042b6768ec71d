/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Claims a few entries at a time, makes their examples in a thread, and stores
 * these.  If the process dies, the claim runs out.  Two workers with the same
 * entry make the same examples, which are stored once. */


#include "work/feedback/feedback_queue.h"


#define JUDGE_FEEDBACK_LEASE     5000  /* ms; if too short, work is repeated */
#define JUDGE_FEEDBACK_CLAIM     128
#define JUDGE_FEEDBACK_ATTEMPTS  5

typedef struct {
    judge_leased_t           work;     /* first: see leased.h */
    judge_feedback_claim_t   claim;
    judge_feedback_finish_t  finish;
} judge_feedback_turn_t;


/* Runs in a thread.  If memory is out, the entry will be claimed again.  An
 * entry that was claimed too often is abandoned: it may crash workers. */

static judge_rc_e
judge_feedback_run(judge_leased_t *work)
{
    size_t                   i;
    judge_feedback_job_t    *job;
    judge_feedback_claim_t  *claim = &((judge_feedback_turn_t *) work)->claim;

    for (i = 0; i < claim->count; i++) {
        job = &claim->jobs[i];

        if (job->attempts > JUDGE_FEEDBACK_ATTEMPTS) {
            job->notes = JUDGE_STR("the entry could not be processed, try"
                                   " after try");

        } else if (judge_feedback_examples(work->arena, job) != JUDGE_OK) {
            job->nexamples = 0;
            job->notes = (judge_str_t) { 0, NULL };
        }
    }

    return JUDGE_OK;
}


static void
judge_feedback_ran(judge_leased_t *work)
{
    judge_feedback_turn_t  *turn = (judge_feedback_turn_t *) work;

    turn->finish.jobs = turn->claim.jobs;
    turn->finish.count = turn->claim.count;
    judge_leased_op(work, &turn->finish.op, JUDGE_OP_FEEDBACK_FINISH,
                    judge_leased_end);
}


static void
judge_feedback_begin(judge_leased_t *work)
{
    judge_leased_compute(work, judge_feedback_run, judge_feedback_ran);
}


const judge_leased_kind_t  judge_feedback_turns = {
    .size = sizeof(judge_feedback_turn_t),
    .most = 1,
    .peek = JUDGE_OP_FEEDBACK_PEEK,
    .claim = JUDGE_OP_FEEDBACK_CLAIM,
    .claim_at = offsetof(judge_feedback_turn_t, claim),
    .rows = JUDGE_FEEDBACK_CLAIM,
    .lease = JUDGE_FEEDBACK_LEASE,
    .begin = judge_feedback_begin,
    .failed = judge_leased_end
};
