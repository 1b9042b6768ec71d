/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "work/evaluation/claimed_evaluation.h"
#include "work/service/extension.h"


/* For how many ms an evaluation that waits for its judge is put back. */
#define JUDGE_CLAIMED_WAIT_MIN  500
#define JUDGE_CLAIMED_WAIT_MAX  5000


void
judge_claimed_job(const judge_claimed_t *claimed, judge_job_t *job)
{
    job->org = judge_id_str(&claimed->org);
    job->id = judge_id_str(&claimed->id);
    job->content_id = judge_id_str(&claimed->content_id);
    job->judge_id = judge_id_str(&claimed->judge_id);
    if (claimed->batch_id.text[0]) {
        job->batch_id = judge_id_str(&claimed->batch_id);
    }
    job->judge_version = claimed->judge_version;
    job->attempts = claimed->attempts;
    job->created_at = claimed->created_at;
    job->deadline = claimed->deadline;
    job->by_model = claimed->by_model;
}


bool
judge_claimed_external(const judge_job_t *job)
{
    return job->file_type.data && !judge_str_eq_c(job->file_type, "text");
}


void
judge_claimed_late(judge_arena_t *arena, const judge_job_t *job,
    judge_failure_t *failure)
{
    failure->code = "TIMED_OUT";
    failure->message = JUDGE_STR("the evaluation was not done by its"
                                 " deadline");

    if (job->learning) {
        failure->message = JUDGE_STR("a reference of the judge had not been"
                                     " read by the evaluation's deadline");

    } else if (judge_claimed_external(job) && job->attempts <= 0) {
        failure->code = "NO_WORKER";
        failure->message = judge_str_printf(arena, "no external worker took"
            " the %s by the evaluation's deadline; %.*s content is judged by"
            " a worker that the organization runs",
            job->file_path.data ? "file" : "address",
            judge_str_args(job->file_type));
    }
}


/* Gives the arena back what the buffer has not used: it would be a third of
 * the memory of a group. */

static judge_str_t
judge_claimed_body(judge_buf_t *body)
{
    (void) judge_arena_extend(body->arena, body->data, body->len);

    return judge_buf_view(body);
}


judge_rc_e
judge_claimed_fail(judge_arena_t *arena, const judge_job_t *job,
    const judge_failure_t *failure, const judge_origin_t *origin,
    judge_ms_t at, judge_result_t *result)
{
    judge_rc_e   rc;
    judge_buf_t  body;

    result->status = JUDGE_STR("failed");
    result->error_code = judge_str_c(failure->code);
    result->evaluated_at = at;
    result->last_error = judge_evaluation_error(arena, failure, at);

    judge_buf_init(&body, arena);
    rc = judge_evaluation_json_ended(&body, job, NULL, NULL, failure, origin,
                                     at);
    result->body = judge_claimed_body(&body);

    return rc == JUDGE_OK ? judge_extensions_made(arena, job, NULL, NULL,
                                                  result) : rc;
}


judge_rc_e
judge_claimed_complete(judge_arena_t *arena, const judge_job_t *job,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    const judge_failure_t *failure, const judge_origin_t *origin,
    judge_ms_t at, judge_result_t *result)
{
    bool                          judged;
    judge_rc_e                    rc;
    judge_buf_t                   body;
    static const judge_failure_t  nothing = {
        .code = "NOT_JUDGED",
        .message = judge_str("none of the judge's criteria could be judged;"
                             " not_judged says why")
    };

    judged = !isnan(verdict->overall);
    failure = judged ? NULL : failure && failure->code ? failure : &nothing;

    result->status = judged ? JUDGE_STR("completed") : JUDGE_STR("failed");
    result->evaluated_at = at;
    result->overall_score = judged ? verdict->overall : 0;
    result->review = origin->reasons;
    result->scored = judged;

    if (failure) {
        result->error_code = judge_str_c(failure->code);
        result->last_error = judge_evaluation_error(arena, failure, at);
    }

    judge_buf_init(&body, arena);
    rc = judge_evaluation_json_ended(&body, job, rubric, verdict, failure,
                                     origin, at);
    result->body = judge_claimed_body(&body);

    return rc == JUDGE_OK ? judge_extensions_made(arena, job, rubric,
                                                  judged ? verdict : NULL,
                                                  result) : rc;
}


bool
judge_claimed_waits(const judge_job_t *job, const judge_refit_t *refit,
    judge_ms_t now, judge_result_t *result)
{
    judge_ms_t  half, wait;

    half = job->created_at + (job->deadline - job->created_at) / 2;

    if (!job->learning && refit->version == 0
        && (now >= refit->until || now >= half))
    {
        return false;
    }

    wait = (now - job->created_at) / 4;
    wait = wait < JUDGE_CLAIMED_WAIT_MIN ? JUDGE_CLAIMED_WAIT_MIN
           : wait > JUDGE_CLAIMED_WAIT_MAX ? JUDGE_CLAIMED_WAIT_MAX : wait;

    result->status = JUDGE_STR("processing");
    result->queue_at = now + wait < job->deadline ? now + wait
                                                  : job->deadline;
    result->uncounted = true;

    if (!job->learning && refit->version) {
        result->judge_version = refit->version;
        result->queue_at = now;
    }

    return true;
}
