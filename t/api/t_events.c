/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What is told of when: each event beside what its resource's GET shows. */


#include <stdio.h>
#include <string.h>

#include "feedback.h"
#include "harness.h"
#include "store/store_webhook.h"


#define HOOK  "https://hooks.example/judge"
#define BASE  "http://localhost"


/* Every event goes to an address that takes it. */

static void
hooks(t_api_t *api)
{
    t_is_status(t_send(api, "PUT", "/config/webhooks",
                       "{\"url\":\"" HOOK "\"}"), 200, "webhooks can be set");
    t_is_status(t_send(api, "POST", "/config/webhooks/rotate-secret", NULL),
                200, "webhooks can have a secret");
}


/* The oldest body that is waiting, in JSON; its address if wanted. */

static judge_json_t *
next(t_api_t *api, judge_str_t *url)
{
    judge_str_t    data;
    judge_call_t  *call;
    judge_json_t  *body;

    t_tick(api, 0);
    call = t_outgoing(api);
    if (call == NULL) {
        return NULL;
    }

    data = judge_str_dup(api->arena, call->body);
    if (url) {
        *url = judge_str_dup(api->arena, call->url);
    }

    call->outcome = JUDGE_CALL_OK;
    call->status = 200;
    call->done(call);

    return judge_json_parse(api->arena, data, &body, NULL) == JUDGE_OK
           ? body : NULL;
}


static judge_json_t *
told(t_api_t *api, const char *type, judge_str_t *url)
{
    judge_json_t  *body;

    body = next(api, url);
    t_is_str(body ? judge_json_get(body, "type")->string
                  : JUDGE_STR("nothing"), type, "%s is told", type);

    return body ? judge_json_get(body, "data") : NULL;
}


static void
silent(t_api_t *api, const char *name)
{
    t_tick(api, 0);
    t_ok(t_outgoing(api) == NULL, "nothing more is told: %s", name);
}


/* The members of an answer, one by one; those named in `but` are left out. */

static void
same(judge_json_t *data, t_call_t *c, const char *but, const char *name)
{
    bool           ok;
    judge_buf_t    a, b;
    judge_json_t  *v, *w;
    judge_json_writer_t  out;

    ok = data != NULL;

    for (v = c->json->first; v && data; v = v->next) {
        if (but && judge_str_eq_c(v->key, but)) {
            continue;
        }

        w = judge_json_get(data, v->key.data);
        judge_buf_init(&a, c->req.arena);
        judge_buf_init(&b, c->req.arena);
        judge_json_begin(&out, &a);
        judge_json_value(&out, v);
        (void) judge_json_finish(&out);
        if (w) {
            judge_json_begin(&out, &b);
            judge_json_value(&out, w);
            (void) judge_json_finish(&out);
        }

        if (!judge_str_eq(judge_buf_view(&a), judge_buf_view(&b))) {
            printf("# %.*s differs\n", (int) v->key.len, v->key.data);
            ok = false;
        }
    }

    t_ok(ok, "%s is told as its GET shows it", name);
}


static void
test_judges(t_api_t *api)
{
    const char  *id;

    hooks(api);
    id = t_judge(api, "text");
    same(told(api, "judge.version_created", NULL),
         t_sendf(api, "GET", NULL, "/judges/%s", id), NULL, "a judge");

    t_is_status(t_sendf(api, "PUT", "{\"name\":\"Other\"}", "/judges/%s", id),
                200, "a judge can be changed");
    same(told(api, "judge.version_created", NULL),
         t_sendf(api, "GET", NULL, "/judges/%s", id), NULL, "its version");

    t_is_status(t_sendf(api, "PUT", "{\"name\":\"Other\"}", "/judges/%s", id),
                200, "a judge can be sent as it is");
    silent(api, "no version, no event");

    t_header(api, JUDGE_HEADER_IF_MATCH, "\"1\"");
    t_is_status(t_sendf(api, "PUT", "{\"name\":\"X\"}", "/judges/%s", id),
                412, "a change of a former version is refused");
    silent(api, "what is refused is not told");
}


static t_call_t *
put(t_api_t *api, const char *path, const char *body)
{
    t_header(api, JUDGE_HEADER_CONTENT_TYPE, "text/plain");
    api->no_key = true;

    return t_send(api, "PUT", path, body);
}


static void
test_contents(t_api_t *api)
{
    size_t       i;
    t_call_t    *c;
    judge_str_t  body;
    const char  *content, *url, *job, *judge;
    static const struct {
        const char  *bytes;
        const char  *event;
    } rows[] = {
        { "A text that can be read.", "content.ready" },
        { "\x01\x02\x03\x04\x05\x06\x07", "content.error" },
    };

    judge = t_judge(api, "text");
    hooks(api);

    for (i = 0; i < 2; i++) {
        body = judge_str_printf(api->arena, "{\"name\":\"N\",\"file_type\":"
                   "\"text\",\"judge_id\":\"%s\"}", judge);
        c = t_send(api, "POST", "/v1/evaluations/presigned-upload",
                   body.data);
        t_is_status(c, 200 + (c->status == 201),
                    "a place for a file is promised");
        content = t_text(c, "content_id");
        url = t_text(c, "upload_url");
        job = t_text(c, "job_id");
        silent(api, "a place is nothing yet");

        t_is_status(put(api, strstr(url, "/v1") ? strstr(url, "/v1")
                             : url + strlen(BASE), rows[i].bytes),
                    200, "a file is taken at its place");

        /* What waited for the file fails with it. */
        if (i == 1) {
            t_tick(api, 300);
            same(told(api, "evaluation.failed", NULL),
                 t_sendf(api, "GET", NULL, "/evaluations/%s", job), NULL,
                 "the evaluation");
        } else {
            t_tick(api, 300);
        }

        c = t_sendf(api, "GET", NULL, "/content/%s", content);
        same(told(api, rows[i].event, NULL), c, "file_url", rows[i].event);

        if (i == 0) {
            same(told(api, "evaluation.completed", NULL),
                 t_sendf(api, "GET", NULL, "/evaluations/%s", job), NULL,
                 "its evaluation");
        }

        silent(api, "that was all");
    }
}


static const char *
batch(t_api_t *api, const char *judge, size_t n, const char *rest)
{
    size_t       i;
    t_call_t    *c;
    judge_buf_t  body;

    judge_buf_init(&body, api->arena);
    judge_buf_printf(&body, "{\"name\":\"B\",\"judge_ids\":[\"%s\"]%s,"
                     "\"content_items\":[", judge, rest);
    for (i = 0; i < n; i++) {
        judge_buf_printf(&body, "%s{\"name\":\"T%zu\",\"text_content\":"
                         "\"Text %zu. It is short.\"}", i ? "," : "", i, i);
    }
    judge_buf_append(&body, "]}", 3);

    c = t_send(api, "POST", "/batches/evaluate", body.data);
    t_is_status(c, 201, "a batch is made");

    return t_text(c, "batch_id");
}


/* Each event of progress is by another tenth; how many there were before the
 * one that ends the batch. */

static int64_t
progress(t_api_t *api, judge_json_t **data)
{
    int64_t        n, done, tenth;
    judge_json_t  *body;

    for (n = 0, tenth = 0; (body = next(api, NULL)); n++) {
        *data = judge_json_get(body, "data");
        if (!judge_str_eq_c(judge_json_get(body, "type")->string,
                            "batch.progress"))
        {
            break;
        }

        done = judge_json_get(*data, "completed_evaluations")->integer;
        t_ok(done * 10 / 40 > tenth && done < 40,
             "progress is told at each tenth: %lld of 40", (long long) done);
        t_ok(judge_json_get(*data, "content_ids") == NULL,
             "progress is told without the contents of a batch");
        tenth = done * 10 / 40;
    }

    return n;
}


static void
test_batches(t_api_t *api)
{
    int64_t        n;
    t_call_t      *c;
    const char    *judge, *id;
    judge_json_t  *data;

    judge = t_judge(api, "text");
    hooks(api);
    t_is_status(t_send(api, "PUT", "/config/webhooks", "{\"events\":["
                "\"batch.started\",\"batch.progress\",\"batch.completed\","
                "\"batch.failed\"]}"), 200, "webhooks can be of batches only");

    id = batch(api, judge, 40, ",\"auto_start\":false");
    silent(api, "a batch that has not started");
    c = t_sendf(api, "POST", NULL, "/batches/%s/start", id);
    t_is_status(c, 200, "the batch is started");
    c = t_sendf(api, "GET", NULL, "/batches/%s", id);
    same(told(api, "batch.started", NULL), c, "estimated_completion_time",
         "the batch");

    n = progress(api, &data);
    t_ok(n >= 1 && n <= 9,
         "between one and nine steps are told of progress: %lld",
         (long long) n);

    c = t_sendf(api, "GET", NULL, "/batches/%s", id);
    t_is_str(t_get(c, "status"), "completed", "the batch is completed");
    same(data, c, NULL, "the batch");
    silent(api, "it ends once");

    t_is_status(t_sendf(api, "DELETE", NULL, "/batches/%s", id), 204,
                "a batch can be deleted");
    silent(api, "a deletion is no end");

    id = batch(api, judge, 1, "");
    same(told(api, "batch.started", NULL),
         t_sendf(api, "GET", NULL, "/batches/%s", id),
         "estimated_completion_time", "one that starts by itself");
    (void) told(api, "batch.completed", NULL);
    silent(api, "no progress of one");
}


/* The last one that is not done goes with its content: that ends it, too. */

static void
test_batch_left(t_api_t *api)
{
    t_call_t      *c;
    judge_str_t    body;
    const char    *judge, *id, *first, *second;

    judge = t_judge(api, "video");
    c = t_send(api, "POST", "/evaluations/social-media",
               judge_str_printf(api->arena, "{\"judge_id\":\"%s\",\"urls\":"
               "[\"https://vimeo.com/76979871\","
               "\"https://vimeo.com/76979872\"]}", judge).data);
    first = t_text(c, "items[0].content_id");
    second = t_text(c, "items[1].content_id");
    hooks(api);

    body = judge_str_printf(api->arena, "{\"name\":\"B\",\"judge_ids\":"
               "[\"%s\"],\"content_items\":[{\"content_id\":\"%s\"},"
               "{\"content_id\":\"%s\"}]}", judge, first, second);
    c = t_send(api, "POST", "/batches/evaluate", body.data);
    id = t_text(c, "batch_id");
    (void) told(api, "batch.started", NULL);

    t_is_status(t_sendf(api, "DELETE", NULL, "/content/%s", first), 204,
                "a content of the batch can be deleted");
    silent(api, "the other one is awaited");
    t_is_status(t_sendf(api, "DELETE", NULL, "/content/%s", second), 204,
                "the other content of the batch can be deleted, too");
    c = t_sendf(api, "GET", NULL, "/batches/%s", id);
    t_is_str(t_get(c, "status"), "failed",
             "a batch without contents has failed");
    same(told(api, "batch.failed", NULL), c, NULL, "its end");
}


static void
test_feedback(t_api_t *api)
{
    t_eval_t       e;
    t_call_t      *c;
    const char    *id;
    judge_str_t    url;
    judge_json_t  *data, *entries;

    e = t_feedback_on(api);
    hooks(api);

    c = t_say(api, e.id, "{\"type\":\"comment\",\"content\":{\"comment\":"
              "\"Fine.\"}}");
    t_is_status(c, 201, "feedback is taken");
    t_tick(api, 300);
    data = told(api, "feedback.processed", NULL);
    c = t_sendf(api, "GET", NULL, "/feedback/evaluation/%s", e.id);
    entries = judge_json_get(c->json, "feedback_entries");
    c->json = entries->first;
    same(data, c, NULL, "the entry");
    silent(api, "once");

    id = batch(api, e.judge, 2, "");
    while (next(api, NULL)) {
        /* void */
    }
    t_is_status(t_send(api, "PUT", "/config/webhooks",
                       "{\"events\":[\"feedback.processed\"]}"), 200,
                "webhooks can be of feedback only");
    c = t_sendf(api, "GET", NULL, "/evaluations?batch_id=%s", id);
    c = t_sendf(api, "POST", t_format(api, "{\"feedback_entries\":["
            "{\"evaluation_id\":\"%s\",\"type\":\"approval\",\"content\":"
            "{\"approved\":true}},{\"evaluation_id\":\"%s\",\"type\":"
            "\"approval\",\"content\":{\"approved\":false}},"
            "{\"evaluation_id\":\"evl_x\",\"type\":\"approval\","
            "\"content\":{\"approved\":true}}],"
            "\"feedback_options\":{\"notification_preferences\":"
            "{\"webhook_url\":\"https://other.example/f\"}}}",
            t_text(c, "evaluations[0].evaluation_id"),
            t_text(c, "evaluations[1].evaluation_id")),
        "/batches/%s/feedback", id);
    t_is_status(c, 201, "feedback on a batch is taken");
    t_tick(api, 300);

    data = told(api, "feedback.processed", &url);
    t_is_str(url, HOOK, "a session of feedback is told to the organization");
    t_is_str(judge_json_get(data, "feedback_session_id")->string,
             t_text(c, "feedback_session_id"), "the event has the session");
    t_is_str(judge_json_get(data, "processing_status")->string, "processed",
             "the event says that the session is processed");
    t_is_int(judge_json_get(data, "submitted_count")->integer, 2,
             "the event counts what was accepted");
    t_is_int(judge_json_get(data, "failed_count")->integer, 1,
             "the event counts what was rejected");
    data = told(api, "feedback.processed", &url);
    t_is_str(url, "https://other.example/f",
             "a session of feedback is told to the address that it gave, too");
    t_is_str(judge_json_get(data, "batch_id")->string, id,
             "the event has the batch");
    silent(api, "once");

    c = t_send(api, "GET", "/webhooks/deliveries?limit=2", NULL);
    t_is_str(t_get(c, "deliveries[0].event_id"),
             t_text(c, "deliveries[1].event_id"),
             "both deliveries are of one event");
}


/* An operation that does not come about tells of nothing. */

static void
test_undone(t_api_t *api)
{
    const char  *judge, *content;

    judge = t_judge(api, "text");
    content = t_content(api, "A text.");
    hooks(api);
    api->fails = true;
    api->fail_kind = JUDGE_OP_QUEUE_FINISH;
    api->fail_rc = JUDGE_BUSY;
    (void) t_evaluation(api, judge, content);
    silent(api, "what could not be stored");
    api->fails = false;
}


int
main(void)
{
    size_t    i;
    t_api_t  *api;
    static void (*const  tests[])(t_api_t *api) = {
        test_judges, test_contents, test_batches, test_batch_left,
        test_feedback, test_undone
    };

    for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        api = t_api_create();
        api->answers = true;
        tests[i](api);
        api->answers = false;
        t_api_destroy(api);
    }

    return t_done();
}
