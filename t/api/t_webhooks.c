/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Webhooks without a network: what is told of, how it is signed, when it is
 * tried again and when not, and who gets how much room.
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <string.h>

#include "base/crypto/signature.h"
#include "fault.h"
#include "feedback.h"
#include "store/store_queue.h"
#include "store/store_settings.h"
#include "webhooks.h"


#define MINUTE  60000
#define HOUR    (60 * MINUTE)


/* --- What is told, and how ----------------------------------------------- */

static void
test_silence(t_api_t *api)
{
    (void) t_evaluation(api, t_judge(api, "text"), t_content(api, "A text."));
    t_tick(api, 0);
    t_is_int(t_hook_listed(api, ""), 0,
             "nothing is kept while nobody wants to be told");
    t_is_detail(t_send(api, "POST", "/config/webhooks/test", NULL), 409,
                "webhooks have no url, or are not enabled: set them at"
                " /config/webhooks", "there is no test without an address");

    (void) t_hooks(api, "{\"url\":\"" HOOK "\",\"enabled\":false}");
    (void) t_evaluation(api, t_judge(api, "text"), t_content(api, "A text."));
    t_is_int(t_hook_listed(api, ""), 0,
             "nothing is kept while webhooks are turned off");
    t_is_status(t_send(api, "POST", "/config/webhooks/test", NULL), 409,
                "there is no test while webhooks are turned off");

    (void) t_hooks(api, "{\"enabled\":true,\"events\":[\"batch.completed\"]}");
    (void) t_evaluation(api, t_judge(api, "text"), t_content(api, "A text."));
    t_is_int(t_hook_listed(api, ""), 0,
             "nothing is kept of an event that was not chosen");
}


static void
verify(t_api_t *api, const judge_call_t *call, const char *secret,
    const char *name)
{
    judge_str_t        key, sent;
    judge_signature_t  s;

    key = judge_str_c(secret);
    sent = t_hook_header(call, "webhook-signature");

    t_ok(judge_signature_make(api->arena, &key, 1,
                              t_hook_header(call, "webhook-id"),
                              api->now / 1000, call->body, &s) == JUDGE_OK
         && judge_str_eq(s.timestamp, t_hook_header(call,
                                                    "webhook-timestamp"))
         && memmem(sent.data, sent.len, s.signature.data, s.signature.len)
            != NULL,
         "the call is signed %s", name);
}


static void
test_call(t_api_t *api)
{
    t_call_t      *c;
    judge_str_t    key;
    const char    *secret, *evaluation;
    judge_call_t  *call;
    judge_json_t  *body;

    secret = t_hooks(api, "{\"url\":\"" HOOK "\",\"events\":"
                   "[\"evaluation.completed\"],\"enabled\":true}");
    evaluation = t_evaluation(api, t_judge(api, "text"),
                              t_content(api, "A text."));
    call = t_hook_next(api, 0);
    t_ok(call != NULL, "an evaluation calls the address");
    t_is_str(call->url, HOOK, "the call goes to the address");
    t_is_str(call->route, "webhooks",
             "the call goes through the location of webhooks");
    t_is_int(call->timeout, 15000, "the call may take fifteen seconds");
    t_is_str(t_hook_header(call, "Content-Type"), "application/json",
             "the call says that it is JSON");
    t_ok(t_hook_header(call, "User-Agent").data != NULL,
         "the call says who makes it");

    key = judge_str_c(secret);
    t_ok(judge_signature_hex_verify(&key, 1, call->body,
             t_hook_header(call, "X-Webhook-Signature")),
         "the hexadecimal signature is made with the secret");
    verify(api, call, secret, "with the secret");

    t_is_int(judge_json_parse(api->arena, call->body, &body, NULL), JUDGE_OK,
             "the body of the call is JSON");
    t_is_str(judge_json_get(body, "type")->string, "evaluation.completed",
             "the body has the type of the event");
    t_is_str(judge_json_get(body, "organization_id")->string, api->org.data,
             "the body names the organization");
    t_is_str(judge_json_get(body, "id")->string,
             t_hook_header_text(api, call, "webhook-id"),
             "the body has the identifier of the header");
    t_is_str(judge_json_get(body, "created_at")->string,
             judge_time_str(api->arena, api->now).data,
             "the body has the time of the event");

    c = t_sendf(api, "GET", NULL, "/evaluations/%s", evaluation);
    t_ok(memmem(call->body.data, call->body.len, c->body.data, c->body.len)
         != NULL, "the data are the record as its GET shows it");

    t_hook_answer(call, 204, "");
    c = t_send(api, "GET", "/webhooks/deliveries", NULL);
    t_is_str(t_get(c, "deliveries[0].status"), "delivered",
             "a delivery that was answered is delivered");
    t_is_str(t_get(c, "deliveries[0].attempts"), "1",
             "a delivery that was answered at once has one attempt");
    t_is_str(t_get(c, "deliveries[0].response_status"), "204",
             "a delivery has the status of the answer");
    t_ok(t_get(c, "deliveries[0].next_attempt_at").data == NULL,
         "a delivery that was answered has no next attempt");
    t_ok(t_get(c, "deliveries[0].url").data == NULL,
         "a delivery to the organization's address shows none of its own");
    c = t_hook_shown(api, t_text(c, "deliveries[0].id"));
    t_is_str(t_get(c, "body.data.evaluation_id"), evaluation,
             "a delivery shows its body");
    t_ok(t_hook_next(api, 1000) == NULL, "an event is told once");
}


static const char *
rotated(t_api_t *api)
{
    return t_text(t_send(api, "POST", "/config/webhooks/rotate-secret", NULL),
                  "secret");
}


/* With each former secret as long as it holds. */

static void
test_rotation(t_api_t *api)
{
    const char    *first, *second, *third;
    judge_call_t  *call;

    first = t_hooks(api, "{\"url\":\"" HOOK "\"}");
    api->now += 1000;
    second = rotated(api);
    api->now += HOUR;
    third = rotated(api);
    (void) t_hook_ping(api);
    call = t_hook_next(api, 0);
    verify(api, call, first, "with the first secret");
    verify(api, call, second, "with the second secret");
    verify(api, call, third, "with the present secret");
    t_hook_answer(call, 200, "");

    api->now += 23 * HOUR;
    (void) t_hook_ping(api);
    call = t_hook_next(api, 0);
    verify(api, call, second, "with the second, without the first");
    verify(api, call, third, "with the present secret, too");
    t_ok(strchr(strchr(t_hook_header_text(api, call, "webhook-signature"),
                       ' ') + 1, ' ') == NULL,
         "two secrets make two signatures");
    t_hook_answer(call, 200, "");

    api->now += HOUR;
    (void) t_hook_ping(api);
    call = t_hook_next(api, 0);
    verify(api, call, third, "with the present secret in the end");
    t_ok(strchr(t_hook_header_text(api, call, "webhook-signature"), ' ')
         == NULL, "a secret that does not hold any more signs nothing");
    t_hook_answer(call, 200, "");
}


/* A secret that was made elsewhere, and can't be decoded. */

static void
test_undecodable(t_api_t *api)
{
    const char               *first, *third;
    judge_call_t             *call;
    judge_settings_rotate_t   rotate;

    first = t_hooks(api, "{\"url\":\"" HOOK "\"}");
    api->now += 1000;
    memset(&rotate, 0, sizeof(judge_settings_rotate_t));
    rotate.secret = JUDGE_STR("whsec_y");
    rotate.now = api->now;
    rotate.previous_until = api->now + HOUR;
    t_is_int(t_op(api, &rotate.op, JUDGE_OP_SETTINGS_ROTATE), JUDGE_OK,
             "a secret that can't be decoded can be set");
    (void) t_hook_ping(api);
    t_ok(t_hook_next(api, 0) == NULL,
         "no call is made that only former secrets could sign");

    third = rotated(api);
    (void) t_hook_ping(api);
    call = t_hook_next(api, 0);
    verify(api, call, first, "with the secret before what can't be decoded");
    verify(api, call, third, "with the secret after it");
    t_hook_answer(call, 200, "");
}


/* --- Trying again -------------------------------------------------------- */

static void
test_schedule(t_api_t *api)
{
    int            i;
    char           page[6001];
    t_call_t      *c;
    judge_ms_t     wait;
    const char    *id, *event;
    judge_call_t  *call;
    static const judge_ms_t  waits[] = {
        5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR,
        14 * HOUR, 20 * HOUR, 24 * HOUR
    };

    memset(page, 'x', sizeof(page));
    page[4096] = '\0';

    (void) t_hooks(api, "{\"url\":\"" HOOK "\",\"events\":"
                 "[\"evaluation.completed\"]}");
    id = t_hook_evaluate(api);
    call = t_outgoing(api);
    event = t_hook_header_text(api, call, "webhook-id");

    for (i = 0; i < 9; i++) {
        t_hook_answer(call, 500, page);
        c = t_hook_shown(api, id);
        t_is_str(t_get(c, "status"), "pending",
                 "the delivery is pending after %d attempts", i + 1);
        t_is_str(t_get(c, "last_error"), "it answered 500",
                 "the last error is that it answered 500");
        t_is_int((int64_t) t_get(c, "response").len, 4096,
                 "the answer is kept up to 4,096 bytes");

        wait = waits[i];
        t_ok(t_hook_next(api, wait - 1) == NULL,
             "no attempt is made before %lld ms", (long long) wait);
        api->now += wait / 5 + 1;

        /* The address may be resting by then, for up to five minutes. */
        call = t_hook_next(api, i < 4 ? 0 : 5 * MINUTE);
        t_ok(call != NULL, "the next attempt is made soon after its wait");
        t_is_str(t_hook_header(call, "webhook-id"), event,
                 "the next attempt has the same identifier");
    }

    t_hook_answer(call, 500, "the last one");
    c = t_hook_shown(api, id);
    t_is_str(t_get(c, "status"), "failed",
             "a delivery has failed after the tenth attempt");
    t_is_str(t_get(c, "attempts"), "10", "a failed delivery has ten attempts");
    t_is_str(t_get(c, "response"), "the last one",
             "a failed delivery keeps the last answer");
    t_ok(t_hook_next(api, 100 * HOUR) == NULL,
         "a failed delivery is not tried again");
    t_is_int(t_hook_listed(api, "?status=failed"), 1,
             "a failed delivery is listed as such");
}


/* What makes the wait longer; in ms from the first attempt. */

static void
test_longer(t_api_t *api)
{
    size_t         i;
    judge_call_t  *call;
    static const struct {
        judge_call_outcome_e  outcome;
        int                   status;
        const char           *retry_after;
        judge_ms_t            wait;
        const char           *error;
    } rows[] = {
        { JUDGE_CALL_OK, 429, NULL, MINUTE, "it answered 429" },
        { JUDGE_CALL_OK, 502, NULL, MINUTE, "it answered 502" },
        { JUDGE_CALL_OK, 504, NULL, MINUTE, "it answered 504" },
        { JUDGE_CALL_OK, 503, "90", 90000, "it answered 503" },
        { JUDGE_CALL_OK, 302, NULL, 5000, "it answered 302" },
        { JUDGE_CALL_OK, 404, "garbage", 5000, "it answered 404" },
        { JUDGE_CALL_TOO_LARGE, 500, NULL, 5000, "it answered 500" },
        { JUDGE_CALL_TIMEOUT, 0, NULL, MINUTE,
          "it did not answer in time" },
        { JUDGE_CALL_REFUSED, 0, NULL, 5000,
          "no connection could be made, or TLS failed" },
        { JUDGE_CALL_CUT, 0, NULL, 5000, "the answer broke off" },
        { JUDGE_CALL_GARBLED, 0, NULL, 5000, "the answer is not HTTP" },
        { JUDGE_CALL_UNRESOLVED, 0, NULL, 5000, "the host has no address" },
        { JUDGE_CALL_FORBIDDEN, 0, NULL, 5000,
          "an address of the host is not public" },
    };

    (void) t_hooks(api, "{\"url\":\"" HOOK "\",\"events\":"
                 "[\"evaluation.completed\"]}");

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char  *id;

        id = t_hook_evaluate(api);
        call = t_outgoing(api);
        call->status = rows[i].status;
        if (rows[i].retry_after) {
            call->retry_after = judge_str_c(rows[i].retry_after);
        }
        t_hook_fault(call, rows[i].outcome);
        t_is_str(t_get(t_hook_shown(api, id), "last_error"), rows[i].error,
                 "the last error says what went wrong: %s", rows[i].error);
        t_ok(t_hook_next(api, rows[i].wait - 1) == NULL,
             "no attempt is made too soon: %s", rows[i].error);
        call = t_hook_next(api, rows[i].wait / 5 + 1);
        t_ok(call != NULL,
             "an attempt is made soon after the wait: %s", rows[i].error);
        t_hook_answer(call, 200, "");
    }
}


static void
test_good(t_api_t *api)
{
    const char    *id;
    judge_call_t  *call;

    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    id = t_hook_ping(api);
    call = t_hook_next(api, 0);
    call->status = 200;
    t_hook_fault(call, JUDGE_CALL_TOO_LARGE);
    t_is_str(t_get(t_hook_shown(api, id), "status"), "delivered",
             "a long answer is as good as a short one");

    id = t_hook_ping(api);
    t_hook_answer(t_hook_next(api, 0), 299, "");
    t_is_str(t_get(t_hook_shown(api, id), "status"), "delivered",
             "an answer of 299 delivers");

    id = t_hook_ping(api);
    t_hook_answer(t_hook_next(api, 0), 300, "");
    t_is_str(t_get(t_hook_shown(api, id), "status"), "failed",
             "a test is not tried again");
    t_is_str(t_get(t_hook_shown(api, id), "attempts"), "1",
             "a test has one attempt");
}


static void
test_gone(t_api_t *api)
{
    t_call_t    *c;
    const char  *first, *second;

    (void) t_hooks(api, "{\"url\":\"" HOOK "\",\"events\":"
                 "[\"evaluation.completed\"]}");
    first = t_hook_evaluate(api);
    second = t_hook_evaluate(api);
    t_hook_answer(t_outgoing(api), 410, "gone");
    c = t_hook_shown(api, first);
    t_is_str(t_get(c, "status"), "failed", "an answer of 410 ends a delivery");
    t_is_str(t_get(t_send(api, "GET", "/config/webhooks", NULL), "enabled"),
             "false", "an answer of 410 turns webhooks off");

    t_hook_answer(t_outgoing(api), 500, "");
    t_tick(api, 10000);
    c = t_hook_shown(api, second);
    t_is_str(t_get(c, "status"), "failed",
             "a pending delivery fails when webhooks are turned off");
    t_is_str(t_get(c, "last_error"), "webhooks are turned off, or have no"
             " url", "the last error says that webhooks are turned off");
    t_ok(t_outgoing(api) == NULL,
         "no call is made when webhooks are turned off");

    (void) t_send(api, "PUT", "/config/webhooks", "{\"enabled\":true}");
    c = t_sendf(api, "POST", NULL, "/webhooks/deliveries/%s/redeliver",
                second);
    t_is_status(c, 202, "a failed delivery can be sent again");
    t_is_str(t_get(c, "status"), "pending",
             "a delivery that is sent again is pending");
    t_is_str(t_get(c, "attempts"), "0",
             "a delivery that is sent again has no attempts yet");
    t_ok(t_get(c, "last_error").data == NULL,
         "a delivery that is sent again has no error");
    t_is_int((int64_t) t_hook_drain(api, 200), 0,
             "a delivery is not sent again from within the request");
    t_tick(api, 0);
    t_is_int((int64_t) t_hook_drain(api, 200), 1,
             "a delivery is sent again with the next tick");
    t_is_str(t_get(t_hook_shown(api, second), "status"), "delivered",
             "a delivery that is sent again is delivered");
}


static void
test_again(t_api_t *api)
{
    const char    *id, *event;
    judge_call_t  *call;

    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    id = t_hook_ping(api);
    call = t_hook_next(api, 0);
    event = t_hook_header_text(api, call, "webhook-id");
    t_is_detail(t_sendf(api, "POST", NULL,
                        "/webhooks/deliveries/%s/redeliver", id), 409,
                "the delivery is under way at this moment",
                "a delivery that is under way can't be sent again");
    t_hook_answer(call, 200, "");

    t_is_status(t_sendf(api, "POST", NULL,
                        "/webhooks/deliveries/%s/redeliver", id), 202,
                "a delivery that was delivered can be sent again");
    call = t_hook_next(api, 0);
    t_is_str(t_hook_header(call, "webhook-id"), event,
             "a delivery that is sent again has the same identifier");
    t_hook_answer(call, 200, "");

    t_is_status(t_send(api, "POST", "/webhooks/deliveries/"
                "whd_01M7YN2121CT27JB8GH0F368W3/redeliver", NULL), 404,
                "a delivery that does not exist can't be sent again");
    t_is_status(t_send(api, "POST", "/webhooks/deliveries/x/redeliver",
                       NULL), 404,
                "what is no identifier can't be sent again");
}


/* --- Leaving, and what goes wrong ---------------------------------------- */

static void
test_stopped(t_api_t *api)
{
    t_call_t      *c;
    const char    *id;

    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    id = t_hook_ping(api);
    t_tick(api, 0);
    (void) t_hook_ping(api);
    api->service.stopped = true;
    t_ok(judge_webhook_busy(&api->service), "a delivery is under way");
    t_hook_fault(t_outgoing(api), JUDGE_CALL_STOPPED);
    c = t_hook_shown(api, id);
    t_is_str(t_get(c, "status"), "pending",
             "a worker that leaves hands its delivery back");
    t_is_str(t_get(c, "attempts"), "0",
             "a delivery that was handed back has no attempt");
    t_is_str(t_get(c, "next_attempt_at"),
             judge_time_str(api->arena, api->now).data,
             "a delivery that was handed back is due at once");
    t_ok(t_get(c, "last_error").data == NULL,
         "a delivery that was handed back has no error");
    t_ok(t_hook_next(api, 1000) == NULL,
         "a worker that leaves takes no more deliveries");
    t_ok(!judge_webhook_busy(&api->service),
         "a worker that leaves may go when nothing is under way");
}


/* A row that lost its other half, by hand or in a damaged file. */

static void
test_bodiless(t_api_t *api)
{
    const char    *id;
    judge_call_t  *call;

    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    id = t_hook_ping(api);
    t_execute(api, t_format(api, "DELETE FROM delivery_bodies WHERE id ="
                                 " '%s'", id));
    (void) t_hook_ping(api);
    call = t_hook_next(api, 0);
    t_ok(call != NULL, "a delivery without a body holds up no other");
    if (call) {
        t_hook_answer(call, 200, "");
    }
    t_is_int(t_number(api, "SELECT count(*) FROM deliveries WHERE status ="
                           " 'pending'"), 1,
             "a delivery without a body stays pending");
    t_execute(api, t_format(api, "DELETE FROM deliveries WHERE id = '%s'",
                            id));
}


static void
test_crash(t_api_t *api)
{
    t_call_t               *c;
    const char             *id, *first;
    judge_call_t           *late, *lost, *call;
    judge_queue_release_t   release;

    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    first = t_hook_ping(api);
    late = t_hook_next(api, 0);
    t_ok(t_hook_next(api, 59999) == NULL, "a delivery is leased for a minute");
    call = t_hook_next(api, 2);
    t_ok(call != NULL, "a delivery whose lease has run out is taken over");
    t_is_str(t_get(t_hook_shown(api, first), "attempts"), "2",
             "a delivery that was taken over has another attempt");
    t_hook_answer(call, 200, "");

    id = t_hook_ping(api);
    lost = t_hook_next(api, 0);
    memset(&release, 0, sizeof(judge_queue_release_t));
    release.now = api->now;
    t_is_int(t_op(api, &release.op, JUDGE_OP_QUEUE_RELEASE), JUDGE_OK,
             "the leases of the dead are released");
    call = t_hook_next(api, 0);
    t_ok(call != NULL, "a delivery whose lease was released is taken at once");
    t_hook_answer(call, 200, "");
    t_hook_answer(lost, 200, "");
    t_is_str(t_get(t_hook_shown(api, id), "status"), "delivered",
             "a delivery of the dead is delivered by another worker");

    t_hook_answer(late, 500, "Too late.");
    c = t_hook_shown(api, first);
    t_is_str(t_get(c, "status"), "delivered",
             "who comes late changes no status");
    t_ok(t_get(c, "response").data == NULL,
         "who comes late leaves no answer");
}


/* What a worker that comes late was told is not what the present one was
 * told. */

static void
test_late(t_api_t *api)
{
    t_call_t      *c;
    const char    *id;
    judge_call_t  *late, *call;

    (void) t_hooks(api, "{\"url\":\"" HOOK "\",\"events\":"
                 "[\"evaluation.completed\"]}");
    id = t_hook_evaluate(api);
    late = t_outgoing(api);
    call = t_hook_next(api, 60001);
    t_ok(call != NULL, "a delivery that takes too long is taken over");
    t_hook_answer(call, 503, "Come again.");
    t_hook_answer(late, 410, "Never again.");

    c = t_hook_shown(api, id);
    t_are(c, "status pending|response_status 503|response Come again.",
          "the answer to whoever has the delivery is shown");
    t_is_str(t_get(t_send(api, "GET", "/config/webhooks", NULL), "enabled"),
             "true", "who comes late turns no webhooks off");
}


/* What one failed allocation does to the results that a turn records. */

static struct {
    size_t  backs;                     /* put back: no call was made, */
    size_t  soon;                      /* to be tried again at once */
    size_t  failed;
} recorded;


static void
record(t_api_t *api, judge_op_t *op)
{
    size_t                          i;
    const judge_delivery_result_t  *r;
    const judge_webhook_turn_t     *turn = (judge_webhook_turn_t *) op;

    for (i = 0; op->kind == JUDGE_OP_WEBHOOK_TURN && i < turn->nresults; i++) {
        r = &turn->results[i];
        recorded.failed += judge_str_eq_c(r->status, "failed");
        if (r->attempted_at == 0) {
            recorded.backs++;
            recorded.soon += r->queue_at <= api->now;
        }
    }
}


static void
test_memory(t_api_t *api)
{
    bool           struck;
    unsigned       n;
    judge_call_t  *call;

    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    memset(&recorded, 0, sizeof(recorded));

    for (struck = true, n = 1; struck; n++) {
        (void) t_hook_ping(api);
        api->before = record;
        t_memory_arm(n);
        t_tick(api, 0);
        struck = t_memory_disarm();
        api->before = NULL;

        call = t_outgoing(api);
        call = call ? call : t_hook_next(api, 61000);
        if (call == NULL) {
            break;
        }
        t_hook_answer(call, 200, "");
    }

    t_ok(!struck, "a delivery is made when there is memory again");
    t_ok(recorded.backs > 0, "a delivery is put back while memory is out");
    t_is_int((int64_t) recorded.soon, 0,
             "a delivery that is put back rests a little");
    t_is_int((int64_t) recorded.failed, 0,
             "no delivery fails because memory is out");
}


/* What can't be recorded is kept, and recorded later. */

static void
test_busy(t_api_t *api)
{
    const char    *id;
    judge_call_t  *call;

    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    id = t_hook_ping(api);
    call = t_hook_next(api, 0);

    api->fails = true;
    api->fail_kind = JUDGE_OP_WEBHOOK_TURN;
    api->fail_rc = JUDGE_BUSY;
    t_hook_answer(call, 200, "");
    t_is_str(t_get(t_hook_shown(api, id), "status"), "pending",
             "a delivery is pending while the store is busy");
    t_ok(judge_webhook_busy(&api->service),
         "a worker is busy while it can't record a delivery");

    api->fails = false;
    t_tick(api, 100);
    t_is_str(t_get(t_hook_shown(api, id), "status"), "pending",
             "a worker waits a little before it records again");
    t_tick(api, 200);
    t_is_str(t_get(t_hook_shown(api, id), "status"), "delivered",
             "a delivery is recorded when the store is free");
    t_ok(!judge_webhook_busy(&api->service),
         "a worker is at rest when all is recorded");
}


/* Many end while one turn is committed: the next one takes them all. */

static void
test_groups(t_api_t *api)
{
    int            i;
    size_t         ops;
    judge_call_t  *calls[4];

    (void) t_hooks(api, "{\"url\":\"" HOOK "\"}");
    for (i = 0; i < 4; i++) {
        (void) t_hook_ping(api);
    }
    t_tick(api, 0);
    for (i = 0; i < 4; i++) {
        calls[i] = t_outgoing(api);
        t_ok(calls[i] != NULL,
             "call %d is made at the same time as the others", i);
    }

    api->slow = true;
    ops = api->ops;
    for (i = 0; i < 4; i++) {
        t_hook_answer(calls[i], 200, "");
    }
    t_run(api);
    api->slow = false;
    t_ok(api->ops - ops <= 6, "four results take two turns at most");
    t_is_int(t_hook_listed(api, "?status=delivered"), 4,
             "all four deliveries are recorded");
}


int
main(void)
{
    size_t   i;
    t_api_t  *api;
    static void (*const  tests[])(t_api_t *api) = {
        test_silence, test_call, test_rotation, test_undecodable,
        test_schedule, test_longer,
        test_good, test_gone, test_again, test_stopped, test_bodiless,
        test_crash, test_late, test_memory, test_busy, test_groups
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
