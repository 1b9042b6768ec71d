/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the tests of webhooks share.
 */


#ifndef JUDGE_T_WEBHOOKS_H
#define JUDGE_T_WEBHOOKS_H


#include "harness.h"
#include "store/store_webhook.h"


#define HOOK  "https://hooks.example/judge"


/* Settings of the current organization; gives a secret that can sign. */
const char *t_hooks(t_api_t *api, const char *settings);

/* A header of a call; the same as a C string that stays. */
judge_str_t t_hook_header(const judge_call_t *call, const char *name);
const char *t_hook_header_text(t_api_t *api, const judge_call_t *call,
    const char *name);

/* What comes of a call: an answer, or none. */
void t_hook_answer(judge_call_t *call, int status, const char *body);
void t_hook_fault(judge_call_t *call, judge_call_outcome_e outcome);

/* Answers all that is under way with this status; how many. */
size_t t_hook_drain(t_api_t *api, int status);

/* The next call, when it comes at `later`. */
judge_call_t *t_hook_next(t_api_t *api, judge_ms_t later);

/* A delivery: of a test event; of an evaluation.  Their identifiers. */
const char *t_hook_ping(t_api_t *api);
const char *t_hook_evaluate(t_api_t *api);

/* A delivery as it is shown; how many a query lists. */
t_call_t *t_hook_shown(t_api_t *api, const char *id);
int64_t t_hook_listed(t_api_t *api, const char *query);


#endif /* JUDGE_T_WEBHOOKS_H */
