/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "base/crypto/crypto.h"
#include "work/service/service.h"


void
judge_service_compute(judge_service_t *service, judge_task_t *task,
    void (*run)(judge_task_t *task), void (*done)(judge_task_t *task),
    void *data)
{
    *task = (judge_task_t) { .run = run, .done = done, .data = data };
    service->compute(service->data, task);
}


bool
judge_service_leaving(void *data)
{
    const judge_service_t  *service = data;

    return service->leaving && service->leaving();
}


void *
judge_service_op(size_t size, judge_op_kind_e kind,
    void (*done)(judge_op_t *op), void *data)
{
    judge_op_t     *op;
    judge_arena_t  *arena;

    arena = judge_arena_create(4096);
    op = arena ? judge_calloc(arena, size) : NULL;
    if (op == NULL) {
        judge_arena_destroy(arena);
        return NULL;
    }

    op->kind = kind;
    op->arena = arena;
    op->done = done;
    op->data = data;

    return op;
}


void
judge_service_op_free(judge_op_t *op)
{
    judge_arena_destroy(op->arena);
}


uint32_t
judge_service_random(void)
{
    uint32_t  random;

    return judge_random(&random, sizeof(random)) == JUDGE_OK ? random : 0;
}


const char *
judge_call_outcome(judge_call_outcome_e outcome)
{
    static const char *const  sentences[] = {
        [JUDGE_CALL_OK] = "it answered",
        [JUDGE_CALL_UNCONFIGURED] = "nginx.conf has no location for it",
        [JUDGE_CALL_INVALID] = "the URL can't be read",
        [JUDGE_CALL_UNRESOLVED] = "the host has no address",
        [JUDGE_CALL_FORBIDDEN] = "an address of the host is not public",
        [JUDGE_CALL_REFUSED] = "no connection could be made, or TLS failed",
        [JUDGE_CALL_TIMEOUT] = "it did not answer in time",
        [JUDGE_CALL_CUT] = "the answer broke off",
        [JUDGE_CALL_GARBLED] = "the answer is not HTTP",
        [JUDGE_CALL_TOO_LARGE] = "the answer is too large",
        [JUDGE_CALL_STOPPED] = "the server was restarted",
        [JUDGE_CALL_FAULT] = "the service could not call it",
    };

    return sentences[outcome];
}
