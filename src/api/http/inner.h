/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Calls of the service's routes without a connection, by a request that is
 * answered out of what they answer. */


#ifndef JUDGE_INNER_H
#define JUDGE_INNER_H


#include "api/http/request.h"


typedef struct judge_inner  judge_inner_t;

/* A call is made at a time; the answer stays until the next one. */
struct judge_inner {
    judge_req_t      *r;               /* in: who calls, with whose key; */
    void            (*then)(judge_inner_t *inner);
    judge_str_t       prefer;          /* absent: nothing */
    judge_str_t       key;             /* Idempotency-Key; or absent */
    int               status;          /* out: 500 also if it is no JSON, */
    judge_str_t       text;
    judge_json_t     *answer;          /* parsed; NULL: it was empty */
    judge_req_t      *call;            /* private; NULL: none is under way */
    judge_binding_t   binding;
    judge_str_t       body;
};

/* Calls a route, and then `then`, perhaps before it returns.  `what` is the
 * body of a POST and the query of a GET.  The call is a second request in the
 * memory of the first one, which is held meanwhile.  false: no memory. */
bool judge_inner_call(judge_inner_t *inner, judge_method_e method,
    judge_str_t path, judge_str_t what);

/* To be called when the request is over. */
void judge_inner_cleanup(judge_inner_t *inner);


#endif /* JUDGE_INNER_H */
