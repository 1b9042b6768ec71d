/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Deliveries beside each other: who gets how much room; lists of them. */


#include "webhooks.h"


/* --- Fairness ------------------------------------------------------------ */

static size_t
waiting(const t_api_t *api)
{
    size_t               n;
    const judge_call_t  *call;

    for (n = 0, call = api->outgoing; call; call = call->next) {
        n++;
    }

    return n;
}


static void
test_fair(t_api_t *api)
{
    int            i;
    size_t         dead;
    judge_call_t  *call;

    (void) t_hooks(api, "{\"url\":\"https://dead.example/\"}");
    for (i = 0; i < 30; i++) {
        (void) t_hook_ping(api);
    }
    t_tick(api, 0);
    dead = waiting(api);
    t_ok(dead >= 1 && dead <= 4,
         "an unknown address gets between one and four places: %zu", dead);
    t_tick(api, 5000);
    t_is_int((int64_t) waiting(api), (int64_t) dead,
             "an address that does not answer gets no more places");

    t_api_organization(api);
    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    (void) t_hook_ping(api);
    t_tick(api, 0);
    t_is_int((int64_t) waiting(api), (int64_t) dead + 1,
             "another organization's delivery gets through");

    for (i = 0; i < (int) dead; i++) {
        call = t_outgoing(api);
        t_is_str(call->url, "https://dead.example/",
                 "the first calls go to the address that does not answer");
        t_hook_fault(call, JUDGE_CALL_TIMEOUT);
    }
    call = t_outgoing(api);
    t_is_str(call->url, HOOK,
             "the last call goes to the address that answers");
    t_hook_answer(call, 200, "");
    t_tick(api, 0);
    t_ok(waiting(api) <= 1,
         "an address that has failed is tried with one delivery");
    (void) t_hook_drain(api, 500);
}


/* A good address has its window doubled, up to half of the room of 32. */

static void
test_window(t_api_t *api)
{
    int     i;
    size_t  n, most;

    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    for (i = 0; i < 60; i++) {
        (void) t_hook_ping(api);
    }

    most = 0;
    for (i = 0; i < 60; ) {
        t_tick(api, 0);
        n = waiting(api);
        most = n > most ? n : most;
        t_ok(n > 0 && n <= 16,
             "at most half of the room is used at once: %zu calls", n);
        if (n == 0) {
            break;
        }
        while (n-- > 0) {
            t_hook_answer(t_outgoing(api), 200, "");
            i++;
        }
    }
    t_is_int((int64_t) most, 16,
             "a good address gets half of the room in the end");
    t_is_int(t_hook_listed(api, "?status=delivered&limit=200"), 60,
             "all 60 deliveries are delivered");
}


/* Five turns with failures and nothing else: then it rests. */

static void
test_rest(t_api_t *api)
{
    int            i;
    judge_call_t  *call;

    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    for (i = 0; i < 20; i++) {
        (void) t_hook_ping(api);
    }

    t_tick(api, 0);
    while ((call = t_outgoing(api))) {
        t_hook_fault(call, JUDGE_CALL_REFUSED);
        t_tick(api, 1001);
    }
    t_tick(api, 5000);
    t_ok(waiting(api) == 0, "an address that never answers rests");
    i = (int) t_hook_listed(api, "?status=pending&limit=200");
    t_ok(i > 5, "%d deliveries wait while the address rests", i);
    t_tick(api, 5000);
    t_is_int((int64_t) waiting(api), 1,
             "after 10 s an address that rests is tried with one");
    t_hook_answer(t_outgoing(api), 200, "");
    t_tick(api, 1001);
    t_ok(waiting(api) >= 1,
         "an address that answers again gets its deliveries");
    while (waiting(api)) {
        (void) t_hook_drain(api, 200);
        t_tick(api, 1001);
    }
    t_is_int(t_hook_listed(api, "?status=pending"), 0,
             "an address that answers again gets all deliveries");

    /* Another address does not inherit the rest of the one before. */
    for (i = 0; i < 20; i++) {
        (void) t_hook_ping(api);
    }
    t_tick(api, 0);
    while ((call = t_outgoing(api))) {
        t_hook_fault(call, JUDGE_CALL_REFUSED);
        t_tick(api, 1001);
    }
    t_is_status(t_send(api, "PUT", "/config/webhooks",
                       "{\"url\":\"https://other.example/\"}"), 200,
                "the address can be changed");
    t_tick(api, 0);
    t_ok(waiting(api) >= 1, "another address does not have to rest");
    (void) t_hook_drain(api, 200);
}


/* --- Lists --------------------------------------------------------------- */

static void
test_list(t_api_t *api)
{
    int          i;
    t_call_t    *c;
    judge_str_t  cursor;
    const char  *foreign, *event;

    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    for (i = 0; i < 5; i++) {
        api->now++;
        foreign = t_hook_ping(api);
    }
    (void) t_judge(api, "text");
    t_tick(api, 0);
    while (waiting(api)) {
        (void) t_hook_drain(api, i++ % 2 ? 200 : 500);
        t_tick(api, 1001);
    }

    t_is_int(t_hook_listed(api, ""), 6, "all deliveries are listed");
    t_is_int(t_hook_listed(api, "?type=webhook.test"), 5,
             "deliveries are listed by their type");
    t_is_int(t_hook_listed(api, "?status=delivered")
             + t_hook_listed(api, "?status=failed")
             + t_hook_listed(api, "?status=pending"), 6,
             "each delivery is listed by its status");
    t_is_detail(t_send(api, "GET", "/webhooks/deliveries?type=x", NULL), 400,
                "type: expected one of evaluation.completed,"
                " evaluation.failed, evaluation.requested, batch.started,"
                " batch.progress, batch.completed, batch.failed,"
                " content.ready, content.error, feedback.processed,"
                " training.started, training.progress, training.completed,"
                " training.failed, training.cancelled,"
                " judge.version_created, judge.ready, judge.drift,"
                " judge.alert, webhook.test",
                "a type that does not exist is refused");

    c = t_send(api, "GET", "/webhooks/deliveries?limit=4", NULL);
    cursor = t_get(c, "next_cursor");
    t_ok(cursor.data != NULL, "a page of deliveries has a cursor to the next");
    event = t_text(c, "deliveries[0].event_id");
    c = t_sendf(api, "GET", NULL, "/webhooks/deliveries?limit=4&cursor=%s",
                cursor.data);
    t_ok(t_get(c, "deliveries[1].id").data
         && t_get(c, "deliveries[2].id").data == NULL,
         "the next page has the other deliveries");
    event = judge_str_printf(api->arena, "?event_id=%s", event).data;
    t_is_int(t_hook_listed(api, event), 1,
             "deliveries are listed by their event");

    t_api_organization(api);
    t_is_int(t_hook_listed(api, ""), 0,
             "another organization's deliveries are not listed");
    t_is_status(t_hook_shown(api, foreign), 404,
                "another organization's delivery can't be read");
    t_is_status(t_sendf(api, "POST", NULL,
                        "/webhooks/deliveries/%s/redeliver", foreign), 404,
                "another organization's delivery can't be sent again");
}


static void
test_idempotent(t_api_t *api)
{
    t_call_t    *c;
    const char  *id;

    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    t_header(api, JUDGE_HEADER_IDEMPOTENCY_KEY, "once");
    id = t_hook_ping(api);
    t_header(api, JUDGE_HEADER_IDEMPOTENCY_KEY, "once");
    c = t_send(api, "POST", "/config/webhooks/test", NULL);
    t_is_str(t_get(c, "delivery_id"), id,
             "a repeated test gives the same delivery");
    t_is_int(t_hook_listed(api, ""), 1, "a repeated test is delivered once");
    t_tick(api, 0);
    (void) t_hook_drain(api, 200);
}


static void
test_purge(t_api_t *api)
{
    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    (void) t_hook_ping(api);
    t_tick(api, 0);
    (void) t_hook_drain(api, 200);
    t_tick(api, api->service.settings.keep_deliveries - 120000);
    t_is_int(t_hook_listed(api, ""), 1, "a delivery is kept for 30 days");
    (void) t_hook_ping(api);
    t_tick(api, 200000);
    t_is_int(t_hook_listed(api, ""), 1,
             "a delivery is forgotten after 30 days");
    (void) t_hook_drain(api, 200);
}


int
main(void)
{
    size_t   i;
    t_api_t  *api;
    static void (*const  tests[])(t_api_t *api) = {
        test_fair, test_window, test_rest, test_list, test_idempotent,
        test_purge
    };

    for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        api = t_api_create();
        api->answers = true;
        tests[i](api);
        api->answers = false;
        while (api->outgoing) {
            t_hook_fault(t_outgoing(api), JUDGE_CALL_STOPPED);
        }
        t_api_destroy(api);
    }

    return t_done();
}
