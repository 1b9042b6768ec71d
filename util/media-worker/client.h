/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The calls to the service about claimed evaluations: those of
 * docs/media.md, one function each.
 */


#ifndef JUDGE_CLIENT_H
#define JUDGE_CLIENT_H


#include "http.h"
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
                                          negative: unknown */
    const char          *download;     /* address; NULL: none */
    const char          *callback;
    judge_rubric_t       rubric;
} judge_media_job_t;

/* A client of the service, with its API key. */
typedef struct {
    const judge_worker_conf_t  *conf;
    judge_http_t                http;
    judge_http_t                heartbeats;    /* while `http` is busy;
                                                  without a tick */
    char                       *auth;  /* X-API-Key: ... */
} judge_client_t;

typedef enum {
    JUDGE_CLIENT_OK,
    JUDGE_CLIENT_NONE,                 /* there is no work */
    JUDGE_CLIENT_GONE,                 /* 404, 409: the evaluation has ended,
                                          or another worker has it */
    JUDGE_CLIENT_REFUSED,              /* 400: the service does not take it */
    JUDGE_CLIENT_DENIED,               /* any other 4xx: of key or secret */
    JUDGE_CLIENT_DOWN,                 /* no answer, or 5xx: try again */
    JUDGE_CLIENT_STOPPED               /* by the tick */
} judge_client_e;

/* One line about the last answer, for the log: without addresses. */
typedef struct {
    judge_attempt_t  attempt;
    char             why[256];
} judge_client_answer_t;


bool judge_client_init(judge_client_t *client,
    const judge_worker_conf_t *conf, judge_tick_pt tick, void *data);
void judge_client_free(judge_client_t *client);

/* Claims one evaluation; *job is in `arena`. */
judge_client_e judge_client_claim(judge_client_t *client,
    judge_arena_t *arena, judge_media_job_t *job, judge_client_answer_t *out);

/* Prolongs the lease, job->until, and reports the progress in percent. */
judge_client_e judge_client_prolong(judge_client_t *client,
    judge_media_job_t *job, int percent, judge_client_answer_t *out);

/* Releases the lease, and says why; another worker may claim it after `delay`
 * s. */
judge_client_e judge_client_release(judge_client_t *client,
    const judge_media_job_t *job, int delay, const char *why,
    judge_client_answer_t *out);

judge_client_e judge_client_keyframe(judge_client_t *client,
    const judge_media_job_t *job, unsigned position, double at,
    judge_str_t jpeg, judge_client_answer_t *out);

/* Signs and sends a report.  Does not call the tick. */
judge_client_e judge_client_report(judge_client_t *client,
    const judge_media_job_t *job, judge_str_t report,
    judge_client_answer_t *out);


#endif /* JUDGE_CLIENT_H */
