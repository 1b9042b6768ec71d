/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/calibration/score_counts.h"
#include "work/evaluation/ticket.h"


void
judge_ticket_job(const judge_ticket_t *ticket, judge_job_t *job)
{
    job->org = judge_id_str(&ticket->org);
    job->id = judge_id_str(&ticket->id);
    job->content_id = judge_id_str(&ticket->content_id);
    job->judge_id = judge_id_str(&ticket->judge_id);
    if (ticket->batch_id.text[0]) {
        job->batch_id = judge_id_str(&ticket->batch_id);
    }
    job->judge_version = ticket->judge_version;
    job->attempts = ticket->attempts;
    job->created_at = ticket->created_at;
    job->deadline = ticket->deadline;
    job->by_model = ticket->by_model;
}


judge_rc_e
judge_ticket_fail(judge_arena_t *arena, const judge_job_t *job,
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
    result->body = judge_buf_view(&body);

    return rc == JUDGE_OK ? judge_score_counts_of(arena, job, NULL, NULL,
                                                  result) : rc;
}
