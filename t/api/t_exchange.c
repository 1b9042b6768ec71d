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


/* A test before may have left a pause, where the machine is busy. */

static void
run(t_api_t *api, const char *judge)
{
    judge_exchange_t  *x;

    api->now += 1000;
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
         "what is to be stored is kept for the first write");

    t_run(api);
    api->slow = false;
    t_holds = false;
    api->fails = false;
    t_ok(!judge_exchanges_busy(&api->service), "what was stored is let go");
    is_stored(api, judge, "processing", "the first write was made");
}


static void
test_stored(t_api_t *api)
{
    const char  *judge;

    judge = t_judge(api, "text");
    run(api, judge);
    is_stored(api, judge, "completed", "both writes are made");

    judge = t_judge(api, "text");
    api->slow = true;
    run(api, judge);
    t_run(api);
    api->slow = false;
    is_stored(api, judge, "completed", "both writes are made in a group, too");
    t_ok(!judge_exchanges_busy(&api->service),
         "nothing is left when both writes are made");
}


static judge_ms_t
pause_after(t_api_t *api, int64_t entered)
{
    judge_exchange_t   *x;
    judge_exchanges_t  *all = judge_exchanges(&api->service);

    x = judge_exchange_create(&api->service);
    if (x == NULL) {
        t_bail("no memory");
    }

    all->resumes = 0;
    x->entered = entered;
    judge_exchange_returned(x);
    judge_exchange_free(x);

    return all->resumes - api->now;
}


/* What nobody waits for is judged in the time that is left. */

static void
test_yields(t_api_t *api)
{
    const char  *judge;

    judge = t_judge(api, "text");
    t_is_int(pause_after(api, INT64_MAX), 0,
             "who did not wait for a processor makes nobody wait");
    t_is_int(pause_after(api, 0), 500,
             "who waited for a processor gives way, up to a bound");

    api->now -= 1000;
    judge_exchanges(&api->service)->resumes = api->now + 1500;
    t_ended = 0;
    run(api, judge);
    t_is_int((int64_t) t_ended, 0,
             "an answer is not judged while others give way");
    t_ok(judge_exchanges_busy(&api->service),
         "an answer that is not judged yet is kept");

    api->now += 500;
    judge_exchanges_tick(&api->service);
    t_is_int((int64_t) t_ended, 1,
             "an answer is judged when the time has come");
    is_stored(api, judge, "completed", "what was judged later is stored");

    api->now -= 1000000;
    judge_exchanges(&api->service)->resumes = api->now + 900000;
    run(api, judge);
    t_is_int((int64_t) t_ended, 2, "a clock that was set back stops nothing");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_refused(api);
    test_stored(api);
    test_yields(api);

    t_api_destroy(api);

    return t_done();
}
