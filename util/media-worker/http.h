/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * HTTP requests over libcurl, one at a time.  http and https only, redirects
 * are not followed; a body may go into a file as it comes.
 */


#ifndef JUDGE_HTTP_H
#define JUDGE_HTTP_H


#include <curl/curl.h>

#include "base/net/retry.h"


#define JUDGE_HTTP_ANSWER     (4 * 1024 * 1024)  /* bytes kept in memory */
#define JUDGE_HTTP_TICK       200                /* ms */
#define JUDGE_WORKER_VERSION  "1"

/* Called every JUDGE_HTTP_TICK; false: give up. */
typedef bool (*judge_tick_pt)(void *data);

typedef struct {
    CURL           *easy;
    CURLM          *multi;
    judge_tick_pt   tick;              /* NULL: none */
    void           *data;
} judge_http_t;

typedef struct {
    const char   *method;
    const char   *url;
    const char   *type;                /* of the body; NULL: none */
    judge_str_t   body;
    const char   *headers[3];          /* lines; NULL behind the last */
    int           seconds;             /* for all of it; 0: as long as
                                          something comes */
    int           file;                /* where the body of an answer of 200
                                          goes; negative: into memory */
    int64_t       most;                /* bytes of the file */
} judge_http_request_t;

typedef struct {
    judge_attempt_t   attempt;         /* status 0: there was no answer */
    bool              stopped;         /* it was given up */
    bool              too_large;       /* for the file */
    bool              disk;            /* the file can't be written */
    const char       *why;             /* there was no answer, or no end of
                                          it; NULL: it is whole */
    judge_buf_t       body;            /* on the heap */
    int64_t           bytes;           /* in the file */
} judge_http_answer_t;

bool judge_http_init(judge_http_t *client);
void judge_http_free(judge_http_t *client);

/* JUDGE_OK: there is a whole answer, whatever its status. */
judge_rc_e judge_http_send(judge_http_t *client,
    const judge_http_request_t *request,
    judge_http_answer_t *answer);
void judge_http_answer_free(judge_http_answer_t *answer);

/* Waits, as long as the tick agrees; false: it did not. */
bool judge_http_pause(judge_http_t *client,
    judge_ms_t wait);


#endif /* JUDGE_HTTP_H */
