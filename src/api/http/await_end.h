/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Lets a request that creates something answer when that has ended, if its
 * client wants to wait so long (Prefer: wait).
 */


#ifndef JUDGE_AWAIT_END_H
#define JUDGE_AWAIT_END_H


#include "api/http/request.h"


/* A part of the request's context. */
typedef struct {
    int64_t         seconds;           /* 0: the request does not wait */
    judge_str_t     id;                /* what is waited for */
    uint64_t        changes;           /* its counter before it was read */
    judge_step_pt   read;
    judge_ms_t      until;
    judge_waiter_t  waiter;
} judge_await_end_t;

/* To be called before what is waited for is created or read. */
void judge_await_end_note(judge_req_t *r, judge_await_end_t *waiting,
    judge_str_t id);

/* To be called after it was created, or found by a repeat.  false: the client
 * does not wait, and has been sent the prepared answer. */
bool judge_await_end_begin(judge_req_t *r, judge_await_end_t *waiting);

/* Whether the client has waited long enough. */
bool judge_await_end_over(judge_req_t *r, const judge_await_end_t *waiting);

/* Calls `read` when what is waited for has changed since _note(), or now and
 * then, at the latest when the time is over; holds the request meanwhile. */
void judge_await_end_rest(judge_req_t *r, judge_await_end_t *waiting,
    judge_step_pt read);


#endif /* JUDGE_AWAIT_END_H */
