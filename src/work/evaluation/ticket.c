/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


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
