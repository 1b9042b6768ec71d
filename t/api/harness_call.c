/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A call waits for the test that answers it; without one nobody is there. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <string.h>

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
