/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A call waits for the test that answers it; without one nobody is there. */


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
