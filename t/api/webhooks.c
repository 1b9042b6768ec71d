/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the tests of webhooks share. */


#include <string.h>

#include "webhooks.h"


/* Settings of the current organization, with a secret that can sign. */

const char *
t_hooks(t_api_t *api, const char *settings)
{
    t_call_t  *c;

    t_is_status(t_send(api, "PUT", "/config/webhooks", settings), 200,
                settings);
    c = t_send(api, "POST", "/config/webhooks/rotate-secret", NULL);

    return t_text(c, "secret");
}


judge_str_t
t_hook_header(const judge_call_t *call, const char *name)
{
    size_t  i;

    for (i = 0; i < call->nheaders; i++) {
        if (strcmp(call->headers[i].name, name) == 0) {
            return call->headers[i].value;
        }
    }

    return (judge_str_t) { 0, NULL };
}


/* The same as a C string that stays. */

const char *
t_hook_header_text(t_api_t *api, const judge_call_t *call, const char *name)
{
    judge_str_t  value;

    value = t_hook_header(call, name);

    return judge_str_dup(api->arena, value).data;
}


void
t_hook_answer(judge_call_t *call, int status, const char *body)
{
    call->outcome = JUDGE_CALL_OK;
    call->status = status;
    call->answer = judge_str_c(body);
    call->took = 10;
    call->done(call);
}


void
t_hook_fault(judge_call_t *call, judge_call_outcome_e outcome)
{
    call->outcome = outcome;
    call->took = 10;
    call->done(call);
}


/* Answers all that is under way and to come with this status; how many. */

size_t
t_hook_drain(t_api_t *api, int status)
{
    size_t         n;
    judge_call_t  *call;

    for (n = 0; (call = t_outgoing(api)); n++) {
        t_hook_answer(call, status, "");
    }

    return n;
}


/* The next call, when it comes at `later`. */

judge_call_t *
t_hook_next(t_api_t *api, judge_ms_t later)
{
    t_tick(api, later);

    return t_outgoing(api);
}


/* A test event: the shortest way to a delivery. */

const char *
t_hook_ping(t_api_t *api)
{
    t_call_t  *c;

    c = t_send(api, "POST", "/config/webhooks/test", NULL);
    t_is_status(c, 202, "a test of webhooks is asked for");

    return t_text(c, "delivery_id");
}


t_call_t *
t_hook_shown(t_api_t *api, const char *id)
{
    return t_sendf(api, "GET", NULL, "/webhooks/deliveries/%s", id);
}


int64_t
t_hook_listed(t_api_t *api, const char *query)
{
    t_call_t      *c;
    judge_json_t  *list;

    c = t_sendf(api, "GET", NULL, "/webhooks/deliveries%s", query);
    list = c->json ? judge_json_get(c->json, "deliveries") : NULL;

    return list ? (int64_t) list->count : -1;
}


/* An evaluation; its delivery is the newest there is. */

const char *
t_hook_evaluate(t_api_t *api)
{
    t_call_t  *c;

    (void) t_evaluation(api, t_judge(api, "text"),
                        t_content(api, "A text."));
    t_tick(api, 0);
    c = t_sendf(api, "GET", NULL, "/webhooks/deliveries?type="
                "evaluation.completed");
    t_is_str(t_get(c, "deliveries[0].type"), "evaluation.completed",
             "an evaluation is told of");
    return t_text(c, "deliveries[0].id");
}
