/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* An outgoing HTTP call, through a location that the server names, to a URL of
 * ours or to one that the location knows. */


#ifndef JUDGE_CALL_H
#define JUDGE_CALL_H


#include "base/core/str.h"
#include "base/core/time.h"


typedef enum {
    JUDGE_CALL_OK,                     /* an answer, whatever its status */
    JUDGE_CALL_UNCONFIGURED,           /* there is no such location */
    JUDGE_CALL_INVALID,                /* the URL can't be read */
    JUDGE_CALL_UNRESOLVED,             /* the name has no address */
    JUDGE_CALL_FORBIDDEN,              /* none of its addresses is allowed */
    JUDGE_CALL_REFUSED,                /* no connection, or TLS failed */
    JUDGE_CALL_TIMEOUT,
    JUDGE_CALL_CUT,                    /* it broke off in the middle */
    JUDGE_CALL_GARBLED,                /* that is no HTTP */
    JUDGE_CALL_TOO_LARGE,              /* with status, and the beginning */
    JUDGE_CALL_STOPPED,                /* the worker leaves: to be repeated */
    JUDGE_CALL_FAULT                   /* of the service itself */
} judge_call_outcome_e;

typedef struct {
    const char   *name;
    judge_str_t   value;
} judge_call_header_t;

typedef struct judge_call  judge_call_t;

/* All of it stays in place until done() is called, on the event loop, once. */
struct judge_call {
    judge_str_t                 route; /* the location's name */
    const char                 *method;                  /* GET, HEAD,
                                          DELETE; NULL: POST */
    judge_str_t                 url;   /* absent: the location knows */
    const judge_call_header_t  *headers;
    size_t                      nheaders;
    judge_str_t                 body;
    size_t                      max_answer;              /* bytes */
    judge_ms_t                  timeout;                 /* in all */
    judge_arena_t              *arena; /* for what comes out */
    void                      (*done)(judge_call_t *call);
    void                       *data;

    judge_call_outcome_e        outcome;                 /* from here: out */
    int                         status;
    judge_str_t                 answer;
    judge_str_t                 retry_after;             /* may be absent */
    judge_str_t                 type;  /* Content-Type; may be absent */
    int64_t                     length;                  /* Content-Length; -1:
                                          not told */
    judge_ms_t                  took;

    judge_call_t               *next;  /* the caller's of the network */
    void                       *server;
};


const char *judge_call_outcome(judge_call_outcome_e outcome); /* a sentence */


#endif /* JUDGE_CALL_H */
