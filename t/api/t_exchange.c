/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What passes, judged and stored, where the store refuses a part of it. */


#include <string.h>

#include "harness.h"
#include "extensions/traffic/exchange.h"


#define TEXT  "This is a text that somebody wrote. It has two sentences."

static bool    t_holds;                /* from the writes on */
static size_t  t_ended;


static void
ended(judge_exchange_t *x)
{
    t_api_t  *api = x->data;

    t_ended++;
    api->slow = t_holds;
}


static void
run(t_api_t *api, const char *judge)
{
    judge_exchange_t  *x;

    x = judge_exchange_create(&api->service);
    if (x == NULL) {
        t_bail("no memory");
    }

    x->org = judge_str_dup(x->arena, api->org);
    x->judge_id = judge_str_dup(x->arena, judge_str_c(judge));
    x->name = JUDGE_STR("Answer");
    x->route = JUDGE_STR("");
    x->about = JUDGE_STR("{}");
    x->done = ended;
    x->data = api;
    judge_extract_begin(&x->body, JUDGE_EXTRACT_TEXT,
                        (judge_str_t) { 0, NULL }, 65536);
    judge_extract_feed(&x->body, x->arena, TEXT, strlen(TEXT));
    judge_exchange_run(x);
}


static void
is_stored(t_api_t *api, const char *judge, const char *status,
    const char *name)
{
    t_is_str(t_get(t_sendf(api, "GET", NULL, "/evaluations?judge_id=%s",
                           judge), "evaluations[0].status"), status, "%s",
             name);
}


/* Where the room for what waits is full behind the first of its two writes,
 * the second is refused at once, and the first is still to be run. */

static void
test_refused(t_api_t *api)
{
    const char  *judge;

    judge = t_judge(api, "text");
    t_holds = true;
    api->fails = true;
    api->fail_kind = JUDGE_OP_QUEUE_FINISH;
    api->fail_rc = JUDGE_BUSY;

    run(api, judge);
    t_is_int((int64_t) t_ended, 1, "whoever waits for a score has it");
    t_ok(api->waiting != NULL, "the first write waits");
    t_ok(judge_exchanges_busy(&api->service),
         "what it is to store is kept for it");

    t_run(api);
    api->slow = false;
    t_holds = false;
    api->fails = false;
    t_ok(!judge_exchanges_busy(&api->service), "then it is let go");
    is_stored(api, judge, "processing", "the first write was made");
}


static void
test_stored(t_api_t *api)
{
    const char  *judge;

    judge = t_judge(api, "text");
    run(api, judge);
    is_stored(api, judge, "completed", "both are made");

    judge = t_judge(api, "text");
    api->slow = true;
    run(api, judge);
    t_run(api);
    api->slow = false;
    is_stored(api, judge, "completed", "in a group, too");
    t_ok(!judge_exchanges_busy(&api->service), "and nothing is left");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_refused(api);
    test_stored(api);

    t_api_destroy(api);

    return t_done();
}
