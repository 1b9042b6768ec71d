/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Evaluations: what is refused, and waiting for them, where the clock or
 * another worker matters.  How they are asked for, read, listed and tried
 * again is in t/evaluations.t. */


#include <stdio.h>
#include <string.h>

#include "feedback.h"
#include "harness.h"


static const char  *judge;
static const char  *content;


static const char *
body(t_api_t *api, const char *judge_id, const char *content_id,
    const char *rest)
{
    return judge_str_printf(api->arena, "{\"judge_id\":\"%s\","
                            "\"content_id\":\"%s\"%s}", judge_id, content_id,
                            rest)
           .data;
}


static t_call_t *
evaluate(t_api_t *api, const char *rest)
{
    return t_send(api, "POST", "/evaluations/single",
                  body(api, judge, content, rest));
}


static void
test_refuse(t_api_t *api)
{
    char         sent[512];
    size_t       i, n;
    const char  *p;
    static const struct {
        const char  *body, *detail;    /* J, C: the judge and the content */
    } rows[] = {
        { "{}", "judge_id: required, expected a non-empty string of at most"
                " 200 characters" },
        { "{\"judge_id\":\"\"}", "judge_id: expected a non-empty string of at"
                                 " most 200 characters" },
        { "{\"judge_id\":\"J\",\"content_id\":7}",
          "content_id: expected a non-empty string of at most 200"
          " characters" },
        { "{\"judge_id\":\"J\",\"content_id\":\"C\",\"priority\":\"urgent\"}",
          "priority: expected one of high, normal, low" },
        { "{\"judge_id\":\"J\",\"content_id\":\"C\",\"priority\":1}",
          "priority: expected one of high, normal, low" },
        { "{\"judge_id\":\"J\"}", "content_id: required, or text_content or"
                                  " messages in place of it" },
        { "{\"judge_id\":\"J\",\"content_id\":\"C\",\"name\":\"x\"}",
          "name: expected only with text_content" },
        { "{\"judge_id\":\"J\",\"content_id\":\"C\",\"metadata\":{}}",
          "metadata: expected only with text_content" },
        { "{\"judge_id\":\"J\",\"text_content\":\"\"}",
          "text_content: expected a non-empty string" },
        { "{\"judge_id\":\"J\",\"text_content\":\"x\",\"metadata\":1}",
          "metadata: expected an object of at most 2097152 bytes" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (p = rows[i].body, n = 0; *p && n < sizeof(sent) - 64; p++) {
            n += (size_t) snprintf(sent + n, sizeof(sent) - n, "%.*s",
                                   *p == 'J' || *p == 'C' ? 64 : 1,
                                   *p == 'J' ? judge
                                   : *p == 'C' ? content : p);
        }
        t_is_detail(t_send(api, "POST", "/evaluations/single", sent), 400,
                    rows[i].detail, rows[i].body);
    }
}


/* Between looking and writing somebody deletes the judge. */

static void
take_away(t_api_t *api, judge_op_t *op)
{
    if (op->kind == JUDGE_OP_EVALUATION_CREATE) {
        api->before = NULL;
        t_is_status(t_sendf(api, "DELETE", NULL, "/judges/%s", judge), 204,
                    "the judge is taken away");
    }
}


static void
test_deleted_meanwhile(t_api_t *api)
{
    const char  *kept;

    kept = judge;
    judge = t_judge(api, "text");
    api->before = take_away;
    t_is_detail(evaluate(api, ""), 404, "the judge or the content has just"
                                        " been deleted",
                "a judge that is deleted before the write is told so");
    judge = kept;
}


static void
test_wait(t_api_t *api)
{
    t_call_t    *c;
    const char  *id;

    /* It ends in time: the answer comes when it has. */
    api->later = true;
    t_header(api, JUDGE_HEADER_PREFER, "respond-async, wait=10");
    c = evaluate(api, "");
    t_is_int(c->status, 0,
             "there is no answer while the evaluation is processed");
    t_tick(api, 50);
    t_is_int(c->status, 0, "there is no answer after a tick, either");
    t_run(api);
    t_is_status(c, 201, "the answer comes when the evaluation has ended");
    t_is_str(t_get(c, "status"), "completed",
             "the answer that was waited for has the result");
    t_ok(t_get(c, "evaluation_duration_sec").data == NULL,
         "the answer that was waited for lacks the duration");
    t_is_str(t_answer_header(c, "Preference-Applied"), "wait=10",
             "the answer says for how long waiting was granted");

    /* It does not: the answer comes when the time has passed. */
    t_header(api, JUDGE_HEADER_PREFER, "wait=100");
    c = evaluate(api, "");
    t_tick(api, 59999);
    t_is_int(c->status, 0, "there is no answer for almost 60 s");
    t_tick(api, 1);
    t_is_status(c, 201, "the answer comes after 60 s at the latest");
    t_is_str(t_get(c, "status"), "processing",
             "the answer after 60 s has no result");
    t_is_str(t_answer_header(c, "Preference-Applied"), "wait=60",
             "no more than 60 s are granted");
    t_run(api);

    /* The client leaves; the evaluation goes on. */
    t_header(api, JUDGE_HEADER_PREFER, "wait=10");
    t_leave(evaluate(api, ""));
    t_run(api);
    c = t_send(api, "GET", "/evaluations?limit=1", NULL);
    t_is_str(t_get(c, "evaluations[0].status"), "completed",
             "a client that left changes nothing");

    /* The content is deleted while somebody waits. */
    id = t_content(api, "brief");
    t_header(api, JUDGE_HEADER_PREFER, "wait=10");
    c = t_send(api, "POST", "/evaluations/single",
               body(api, judge, id, ""));
    (void) t_sendf(api, "DELETE", NULL, "/content/%s", id);
    t_is_detail(c, 404, "the evaluation was cancelled: its content has been"
                        " deleted",
                "the answer of a deleted content says that it was cancelled");
    t_run(api);
    api->later = false;

    /* What has ended before the wait began. */
    t_header(api, JUDGE_HEADER_PREFER, "wait=10");
    c = evaluate(api, "");
    t_is_str(t_get(c, "status"), "completed",
             "an evaluation that has ended at once is completed");

    c = evaluate(api, "");
    t_ok(t_answer_header(c, "Preference-Applied").data == NULL,
         "nothing was preferred, nothing is said");
}


/* In ten seconds, of what is scored: whether it is still wanted. */
#define T_LOOKS  25

/* Operations of ten seconds. */

static size_t
ticks(t_api_t *api)
{
    int     i;
    size_t  before;

    for (i = 0, before = api->ops; i < 200; i++) {
        t_tick(api, 50);
    }

    return api->ops - before;
}


/* Nothing is read for who waits, but for a look after ten seconds, until an
 * end is announced, by this worker or by another one. */

static void
test_wait_costs_nothing(t_api_t *api)
{
    size_t       idle, n;
    t_call_t    *c;
    const char  *id;

    (void) ticks(api);
    idle = ticks(api);
    api->later = true;
    t_header(api, JUDGE_HEADER_PREFER, "wait=30");
    c = evaluate(api, "");
    t_tick(api, 50);
    n = ticks(api);
    t_ok(n <= idle + 3 + T_LOOKS,
         "waiting costs no reads: %zu, %zu before", n, idle);
    t_is_int(c->status, 0,
             "the request waits while the evaluation is processed");

    /* As another worker would end it. */
    id = t_text(t_send(api, "GET", "/evaluations?limit=1", NULL),
                "evaluations[0].evaluation_id");
    t_execute(api, "UPDATE evaluations SET status = 'failed', queue_at = NULL"
                   " WHERE id = (SELECT MAX(id) FROM evaluations)");
    t_tick(api, 50);
    t_is_int(c->status, 0, "the request waits until the end is announced");
    judge_metrics_ended(api->service.metrics, judge_str_c(id),
                        JUDGE_STR("failed"), api->now);
    t_tick(api, 50);
    t_is_status(c, 201, "who waits is told when the end is announced");
    t_is_str(t_get(c, "status"), "failed",
             "who waits is told what is in the store");
    t_run(api);
    api->later = false;
}


static t_call_t *
wait_for_unannounced(t_api_t *api)
{
    t_call_t  *c;

    t_header(api, JUDGE_HEADER_PREFER, "wait=30");
    c = evaluate(api, "");
    t_execute(api, "UPDATE evaluations SET status = 'failed', queue_at = NULL"
                   " WHERE id = (SELECT MAX(id) FROM evaluations)");
    t_tick(api, 1000);
    t_is_int(c->status, 0, "nobody has announced the end");

    return c;
}


/* A worker dies between its commit and its announcement; or somebody else has
 * written to the store. */

static void
test_wait_for_unannounced(t_api_t *api)
{
    t_call_t  *c;

    api->later = true;
    c = wait_for_unannounced(api);
    judge_waiters_all(&api->service);
    t_is_str(t_get(c, "status"), "failed",
             "who waits is told when another worker dies");

    c = wait_for_unannounced(api);
    t_tick(api, JUDGE_WAITERS_RECHECK);
    t_is_str(t_get(c, "status"), "failed",
             "who waits is told after ten seconds at the latest");
    t_run(api);
    api->later = false;
}


static void
test_node_without_work(t_api_t *api)
{
    t_call_t    *c;
    const char  *id;

    api->service.settings.evaluates = false;
    c = evaluate(api, "");
    id = t_text(c, "evaluation_id");
    t_is_str(t_get(c, "attempts"), "0",
             "a node that does not evaluate leaves it to others");
    t_tick(api, 50);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", id);
    t_is_str(t_get(c, "status"), "processing",
             "an evaluation that nobody takes is processing");
    t_ok(t_get(c, "next_attempt_at").data != NULL,
         "an evaluation that nobody takes has its next attempt");

    api->service.settings.evaluates = true;
    t_tick(api, 50);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", id);
    t_is_str(t_get(c, "status"), "completed",
             "an evaluation is completed by a node that evaluates");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();
    judge = t_judge(api, "text");
    content = t_content(api, "A first sentence. And a second one, because.");

    test_refuse(api);
    test_deleted_meanwhile(api);
    test_wait(api);
    test_wait_costs_nothing(api);
    test_wait_for_unannounced(api);
    test_node_without_work(api);

    t_api_destroy(api);

    return t_done();
}
