/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * HTTP requests over libcurl, one at a time.  http and https only, redirects
 * are not followed; a body may go into a file as it comes.  While one is
 * under way the caller is asked now and then whether to go on.
 */


#ifndef JUDGE_SERVICE_CLIENT_H
#define JUDGE_SERVICE_CLIENT_H


#include <curl/curl.h>

#include "base/net/retry.h"


#define JUDGE_SERVICE_CLIENT_ANSWER  (4 * 1024 * 1024)
                                       /* bytes of an answer that is
                                                    kept in memory */
#define JUDGE_WORKER_VERSION  "1"
#define JUDGE_SERVICE_CLIENT_TICK  200  /* ms from question to question */

/* false: give up. */
typedef bool (*judge_tick_pt)(void *data);

typedef struct {
    CURL           *easy;
    CURLM          *multi;
    judge_tick_pt   tick;              /* NULL: nobody is asked */
    void           *data;
} judge_service_client_t;

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
} judge_llm_call_t;

typedef struct {
    judge_attempt_t   attempt;         /* status 0: there was no answer */
    bool              stopped;         /* it was given up */
    bool              too_large;       /* for the file */
    bool              disk;            /* the file can't be written */
    const char       *why;             /* there was no answer, or no end of
                                          it; NULL: it is whole */
    judge_buf_t       body;            /* on the heap: judge_answer_free() */
    int64_t           bytes;           /* in the file */
} judge_answer_t;

bool judge_service_client_init(judge_service_client_t *client);
void judge_service_client_free(judge_service_client_t *client);

/* JUDGE_OK: there is a whole answer, whatever its status. */
judge_rc_e judge_service_client_ask(judge_service_client_t *client,
    const judge_llm_call_t *ask,
    judge_answer_t *answer);
void judge_answer_free(judge_answer_t *answer);

/* Waits, as long as the tick agrees; false: it did not. */
bool judge_service_client_pause(judge_service_client_t *client,
    judge_ms_t wait);


#endif /* JUDGE_SERVICE_CLIENT_H */
