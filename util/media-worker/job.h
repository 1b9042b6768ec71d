/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * An evaluation that was claimed, and what the service is asked and told
 * about it: the calls of docs/workers.md, one function each.
 */


#ifndef JUDGE_JOB_H
#define JUDGE_JOB_H


#include "service_client.h"
#include "worker_conf.h"


typedef struct {
    judge_str_t          id;           /* evaluation_id */
    judge_str_t          lease;
    judge_ms_t           until;        /* of the lease, by our clock */
    int64_t              attempt;
    judge_str_t          content;      /* content_id */
    judge_str_t          type;         /* file_type */
    judge_media_kind_e   kind;
    int64_t              size;         /* bytes that the file should have;
                                          negative: not told */
    const char          *download;     /* address; NULL: none */
    const char          *callback;
    judge_rubric_t       rubric;
} judge_media_job_t;

/* A connection to the service, and who we are there. */
typedef struct {
    const judge_worker_conf_t  *conf;
    judge_service_client_t      client;
    judge_service_client_t      beats; /* for heartbeats, while the client is
                                          busy; it asks nobody */
    char                       *auth;  /* X-API-Key: ... */
} judge_desk_t;

typedef enum {
    JUDGE_DESK_OK,
    JUDGE_DESK_NONE,                   /* there is nothing to do */
    JUDGE_DESK_GONE,                   /* 404, 409: the evaluation has ended,
                                          or another has it */
    JUDGE_DESK_REFUSED,                /* 400: the service does not take it */
    JUDGE_DESK_DENIED,                 /* any other 4xx: of key or secret */
    JUDGE_DESK_DOWN,                   /* no answer, or 5xx: try again */
    JUDGE_DESK_STOPPED                 /* the tick said so */
} judge_desk_e;

/* One line about the last answer, for the log: without addresses. */
typedef struct {
    judge_attempt_t  attempt;
    char             why[256];
} judge_desk_answer_t;


bool judge_desk_init(judge_desk_t *desk, const judge_worker_conf_t *conf,
    judge_tick_pt tick, void *data);
void judge_desk_free(judge_desk_t *desk);

/* Claims one; *errand is in `arena`. */
judge_desk_e judge_media_job_claim(judge_desk_t *desk, judge_arena_t *arena,
    judge_media_job_t *errand, judge_desk_answer_t *answer);

/* Moves errand->until on, and says how far it is, %. */
judge_desk_e judge_media_job_prolong(judge_desk_t *desk,
    judge_media_job_t *errand,
    int percent, judge_desk_answer_t *answer);

/* Gives it back; another may have it after `delay` s. */
judge_desk_e judge_media_job_release(judge_desk_t *desk,
    const judge_media_job_t *errand, int delay, judge_desk_answer_t *answer);

judge_desk_e judge_media_job_frame(judge_desk_t *desk,
    const judge_media_job_t *errand, unsigned position, double at,
    judge_str_t jpeg, judge_desk_answer_t *answer);

/* Signs and sends a report.  Does not ask the tick. */
judge_desk_e judge_media_job_report(judge_desk_t *desk,
    const judge_media_job_t *errand, judge_str_t report,
    judge_desk_answer_t *answer);


#endif /* JUDGE_JOB_H */
