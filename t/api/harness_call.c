/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Outgoing calls wait for the test that answers them, and without one nobody
 * is there; what comes of an answer. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <string.h>

#include "fault.h"
#include "harness.h"


void
t_network(void *data, judge_call_t *call)
{
    t_api_t       *api = data;
    judge_call_t **last;

    if (!api->answers) {
        call->outcome = JUDGE_CALL_REFUSED;
        call->done(call);
        return;
    }

    for (last = &api->outgoing; *last; last = &(*last)->next) {
        /* void */
    }

    call->next = NULL;
    *last = call;
}


judge_call_t *
t_outgoing(t_api_t *api)
{
    judge_call_t  *call;

    call = api->outgoing;
    if (call) {
        api->outgoing = call->next;
    }

    return call;
}


bool
t_has(const t_call_t *call, const char *text)
{
    return memmem(call->body.data, call->body.len, text, strlen(text)) != NULL;
}


/* A piece of an answer. */

void
t_write(judge_req_t *r, judge_str_t data, bool last)
{
    bool       counts;
    t_call_t  *call = r->server;

    if (call->ended || call->left) {
        t_ok(false, "a stream ends once, and goes to somebody");
        return;
    }

    counts = t_memory_count(false);
    judge_buf_str(&call->pieces, data);
    (void) t_memory_count(counts);
    call->body = judge_buf_view(&call->pieces);
    call->npieces++;
    call->ended = last;
    call->ready = !last;
}
