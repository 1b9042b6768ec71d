/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Calls the service's routes without a connection, for a request whose answer
 * is made from theirs. */


#ifndef JUDGE_INNER_H
#define JUDGE_INNER_H


#include "api/http/request.h"


typedef struct judge_inner  judge_inner_t;

/* There is one call at a time.  `text` and `answer` are replaced by the next
 * one; their memory is the request's. */
struct judge_inner {
    judge_req_t      *r;               /* in: the calling request */
    void            (*then)(judge_inner_t *inner);
    judge_str_t       prefer;          /* Prefer; or absent */
    judge_str_t       key;             /* Idempotency-Key; or absent */
    int               status;          /* out: the answer's; 500 if it is empty
                                          or not JSON, or memory is out */
    judge_str_t       text;
    judge_json_t     *answer;          /* parsed; NULL in these cases */
    judge_req_t      *call;            /* private; NULL: none is under way */
    judge_binding_t   binding;
    judge_str_t       body;
};

/* Calls a route, and after its answer then(), perhaps before this returns.
 * `data` is the body of a POST or the query of a GET.  The call is a second
 * request in the memory of the first one, which is held meanwhile.  false: no
 * memory. */
bool judge_inner_call(judge_inner_t *inner, judge_method_e method,
    judge_str_t path, judge_str_t data);

/* To be called when the request is over. */
void judge_inner_cleanup(judge_inner_t *inner);


#endif /* JUDGE_INNER_H */
