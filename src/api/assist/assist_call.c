/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "api/assist/assist_call.h"


#define JUDGE_ASSIST_TIME      (60 * 1000)  /* ms for all models together */
#define JUDGE_ASSIST_EXPECTED  1500         /* tokens of an answer, roughly */


static void judge_assist_call_done(judge_llm_call_t *ask);


/* The order of models ends at the built-in engine, if it is named there. */

static bool
judge_assist_call_has_next(judge_req_t *r)
{
    judge_assist_t  *c = r->ctx;

    return c->turn + 1 < c->order.count
           && c->order.models[c->turn + 1] != JUDGE_LLM_BUILTIN;
}


static judge_rc_e
judge_assist_call_build(judge_llm_call_t *ask)
{
    judge_req_t     *r = ask->data;
    judge_assist_t  *c = r->ctx;

    return c->steps->prompt(r, ask);
}


static judge_rc_e
judge_assist_call_read(judge_llm_call_t *ask, judge_str_t body)
{
    judge_rc_e       rc;
    judge_req_t     *r = ask->data;
    judge_assist_t  *c = r->ctx;

    rc = c->steps->read(r, ask->arena, body);

    return rc == JUDGE_OK && ask->answer.outcome == JUDGE_REPLY_OK
           ? c->steps->keep(r, ask->arena) : rc;
}


/* The request is held, because the call is a part of its context.  A model
 * that is not the last one gets half of the remaining time. */

static void
judge_assist_call_model(judge_req_t *r)
{
    judge_ms_t       now = judge_now(r->service);
    judge_assist_t  *c = r->ctx;

    judge_llm_call_init(&c->ask, r->service, r->org, &c->settings.llm,
                        c->order.models[c->turn], JUDGE_ASSIST_EXPECTED);
    c->ask.arena = r->arena;
    c->ask.deadline = judge_assist_call_has_next(r)
                      ? now + (c->deadline - now) / 2 : c->deadline;
    c->ask.build = judge_assist_call_build;
    c->ask.read = judge_assist_call_read;
    c->ask.done = judge_assist_call_done;
    c->ask.data = r;

    r->binding->hold(r);
    judge_llm_call(&c->ask);
}


static void
judge_assist_call_first(judge_req_t *r)
{
    judge_assist_t  *c = r->ctx;

    if (!judge_check(r, c->rc, &c->error)) {
        return;
    }

    if (c->order.count == 0) {
        c->steps->answer(r);
        return;
    }

    c->began = judge_now(r->service);
    c->deadline = c->began + JUDGE_ASSIST_TIME;
    judge_assist_call_model(r);
}


static void
judge_assist_call_builtin(judge_req_t *r)
{
    judge_assist_t  *c = r->ctx;

    c->rc = c->steps->builtin(r);
}


/* A model must take text, because descriptions and tables are text whatever
 * the judge's content is. */

static void
judge_assist_call_order(judge_req_t *r)
{
    judge_assist_t          *c = r->ctx;
    judge_evaluation_row_t   wanted;

    static const judge_judge_model_t  none;

    memset(&wanted, 0, sizeof(judge_evaluation_row_t));

    if (!judge_model_choice_apply(r, &c->choice, &none,
                                  c->settings.llm.default_model,
                                  JUDGE_STR("text"), &wanted))
    {
        return;
    }

    if (wanted.model.data) {
        judge_llm_catalog_order(&c->order, r->arena, &r->service->settings,
                                wanted.model, NULL,
                                c->settings.llm.fallback_models,
                                JUDGE_STR("text"), true);
    }

    judge_compute(r, judge_assist_call_builtin, judge_assist_call_first);
}


void
judge_assist_run(judge_req_t *r, const judge_assist_steps_t *steps)
{
    judge_assist_t  *c = r->ctx;

    c->steps = steps;
    c->settings.op.kind = JUDGE_OP_SETTINGS_FIND;
    judge_await(r, &c->settings.op, judge_assist_call_order);
}


/* Another model is tried only if this one failed: a limit of the service or
 * the organization would refuse the next call as well. */

static void
judge_assist_call_done(judge_llm_call_t *ask)
{
    judge_req_t     *r = ask->data;
    judge_assist_t  *c;

    if (!r->binding->release(r)) {
        return;
    }

    c = r->ctx;
    c->used += ask->used;
    c->answered = ask->outcome == JUDGE_LLM_CALL_ANSWERED;

    if (!c->answered && c->failure.data == NULL) {
        c->failure = ask->message;
    }

    switch (ask->outcome) {

    case JUDGE_LLM_CALL_FAILED:
    case JUDGE_LLM_CALL_TRANSIENT:
    case JUDGE_LLM_CALL_LATE:
        if (judge_assist_call_has_next(r)) {
            c->turn++;
            judge_assist_call_model(r);
            return;
        }
        break;

    default:
        break;
    }

    c->steps->answer(r);
}


judge_str_t
judge_assist_fallback(judge_req_t *r)
{
    judge_assist_t  *c = r->ctx;
    judge_llm_t     *model;

    if (c->failure.data == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    if (c->answered) {
        model = &r->service->settings.models[c->order.models[c->turn]];
        return judge_str_printf(r->arena, "The language model could not be"
                                " used (%.*s); this is the result of model"
                                " %.*s.", judge_str_args(c->failure),
                                judge_str_args(model->name));
    }

    return judge_str_printf(r->arena, "The language model could not be used"
                            " (%.*s); this is the result of the built-in"
                            " way.", judge_str_args(c->failure));
}


void
judge_assist_strings(judge_json_writer_t *w, const char *key,
    const judge_str_t *strings, size_t n, judge_str_t last)
{
    size_t  i;

    judge_json_key_array(w, key);

    for (i = 0; i < n; i++) {
        judge_json_str(w, strings[i]);
    }

    if (last.data) {
        judge_json_str(w, last);
    }

    judge_json_array_end(w);
}
