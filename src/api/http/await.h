/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Steps that wait for the store.  Each call is the last one of its step.
 */


#ifndef JUDGE_AWAIT_H
#define JUDGE_AWAIT_H


#include "api/http/request.h"


/*
 * Submits an operation of the request's organization; `next` is called when
 * it is done, unless the store failed or the client has left.  Outcomes that
 * reach the step: JUDGE_OK, _NOT_FOUND, _CONFLICT, _STALE, _INVALID.
 */
void judge_await(judge_req_t *r, judge_op_t *op, judge_step_pt next);

/* The same with the outcome in the arena of judge_req_page(). */
void judge_await_page(judge_req_t *r, judge_op_t *op, judge_step_pt next);

/* The same, but every outcome reaches the step. */
void judge_await_any(judge_req_t *r, judge_op_t *op, judge_step_pt next);

/* The same for the write that an Idempotency-Key protects: the answer must
 * have been prepared (judge_reply_ready).  committed(), unless NULL, is called
 * after the commit even when the client has left.  Where `next` is NULL the
 * prepared answer is sent. */
void judge_await_create(judge_req_t *r, judge_op_t *op,
    void (*committed)(judge_req_t *r, judge_op_t *op), judge_step_pt next);


#endif /* JUDGE_AWAIT_H */
