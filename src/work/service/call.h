/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* An outgoing HTTP call through a location of nginx.conf, to a URL that the
 * caller sets or that the location has. */


#ifndef JUDGE_CALL_H
#define JUDGE_CALL_H


#include "base/core/str.h"
#include "base/core/time.h"


typedef enum {
    JUDGE_CALL_OK,                     /* an answer, of any status */
    JUDGE_CALL_UNCONFIGURED,           /* there is no such location */
    JUDGE_CALL_INVALID,                /* the URL can't be read */
    JUDGE_CALL_UNRESOLVED,             /* the name has no address */
    JUDGE_CALL_FORBIDDEN,              /* an address of it is not allowed */
    JUDGE_CALL_REFUSED,                /* no connection, or TLS failed */
    JUDGE_CALL_TIMEOUT,
    JUDGE_CALL_CUT,                    /* the answer ended too early */
    JUDGE_CALL_GARBLED,                /* the answer is not HTTP */
    JUDGE_CALL_TOO_LARGE,              /* status and answer's start are set */
    JUDGE_CALL_STOPPED,                /* the worker exits: to be repeated */
    JUDGE_CALL_FAULT                   /* the service itself failed */
} judge_call_outcome_e;

typedef struct {
    const char   *name;
    judge_str_t   value;
} judge_call_header_t;

typedef struct judge_call  judge_call_t;

/* The call must stay in place until done() is called, once, on the loop. */
struct judge_call {
    judge_str_t                 route; /* the location's name */
    const char                 *method;                  /* GET, HEAD,
                                          DELETE; NULL: POST */
    judge_str_t                 url;   /* absent: the location has one */
    const judge_call_header_t  *headers;
    size_t                      nheaders;
    judge_str_t                 body;
    size_t                      max_answer;              /* bytes */
    judge_ms_t                  timeout;                 /* of all its steps */
    judge_arena_t              *arena; /* for the out members */
    void                      (*done)(judge_call_t *call);
    void                       *data;

    judge_call_outcome_e        outcome;                 /* out, all below */
    int                         status;
    judge_str_t                 answer;
    judge_str_t                 retry_after;             /* may be absent */
    judge_str_t                 type;  /* Content-Type; may be absent */
    int64_t                     length;                  /* Content-Length; -1:
                                          unknown */
    judge_ms_t                  took;

    judge_call_t               *next;  /* private to the network */
    void                       *server;
};


const char *judge_call_outcome(judge_call_outcome_e outcome); /* a sentence */


#endif /* JUDGE_CALL_H */
