/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A claimed evaluation, from the claim until it is loaded. */


#ifndef JUDGE_TICKET_H
#define JUDGE_TICKET_H


#include "base/core/id.h"
#include "store/store.h"


/* An evaluation that this worker holds the lease of. */
typedef struct judge_ticket  judge_ticket_t;

struct judge_ticket {
    judge_id_t       org;
    judge_id_t       id;
    judge_id_t       content_id;
    judge_id_t       judge_id;
    judge_id_t       batch_id;         /* empty: none */
    bool             by_model;         /* a language model is to judge */
    int64_t          judge_version;
    int64_t          attempts;
    judge_ms_t       created_at;
    judge_ms_t       deadline;
    judge_ticket_t  *next;
};


/* Sets in the job what the ticket knows; the job refers to the ticket. */
void judge_ticket_job(const judge_ticket_t *ticket, judge_job_t *job);


#endif /* JUDGE_TICKET_H */
