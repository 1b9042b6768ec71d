/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What happens around every handler: paths, methods, headers, bodies,
 * queries, idempotency keys, a store that fails, clients that leave.
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feedback.h"
#include "harness.h"


#define NOTE  "{\"name\":\"N\",\"file_type\":\"text\",\"text_content\":\"T\"}"
#define OTHER_NOTE                                                            \
    "{\"name\":\"M\",\"file_type\":\"text\",\"text_content\":\"T\"}"


static void
test_paths(t_api_t *api)
{
    size_t     i;
    t_call_t  *c;
    static const struct {
        const char  *method, *path;
        int          status;
        const char  *allow;
    } rows[] = {
        { "GET", "/judges", 200, NULL },
        { "GET", "/v1/judges", 200, NULL },
        { "HEAD", "/judges", 200, NULL },
        { "GET", "/v1/v1/judges", 404, NULL },
        { "GET", "/v2/judges", 404, NULL },
        { "GET", "/judges/", 404, NULL },
        { "GET", "//judges", 404, NULL },
        { "GET", "/Judges", 404, NULL },
        { "GET", "/", 404, NULL },
        { "GET", "/v1", 404, NULL },
        { "GET", "/v1/", 404, NULL },
        { "GET", "/api-key", 404, NULL },
        { "GET", "/judges/x/versions/", 404, NULL },
        { "GET", "/healthz/", 404, NULL },
        { "GET", "/judges/x/y", 404, NULL },
        { "GET", "/judges//versions", 404, NULL },
        { "OPTIONS", "/nothing", 404, NULL },
        { "DELETE", "/judges", 405, "GET, HEAD, POST, OPTIONS" },
        { "TRACE", "/judges", 405, "GET, HEAD, POST, OPTIONS" },
        { "PATCH", "/content/x", 405, "GET, HEAD, DELETE, OPTIONS" },
        { "GET", "/judges/x/versions/1/activate", 405, "POST, OPTIONS" },
        { "POST", "/healthz", 405, "GET, HEAD, OPTIONS" },
        { "OPTIONS", "/judges/x", 204, "GET, HEAD, PUT, DELETE, OPTIONS" },
        { "OPTIONS", "/v1/api-keys/x", 204,
          "GET, HEAD, PATCH, DELETE, OPTIONS" },
        { "OPTIONS", "/evaluations/single", 204,
          "GET, HEAD, POST, OPTIONS" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        c = t_send(api, rows[i].method, rows[i].path, NULL);
        t_is_int(c->status, rows[i].status,
                 "%s %s: the status is %d", rows[i].method, rows[i].path,
                 rows[i].status);
        t_is_str(t_answer_header(c, "Allow"), rows[i].allow,
                 "%s %s: Allow has the methods", rows[i].method, rows[i].path);
    }

    api->no_key = true;
    t_is_status(t_send(api, "OPTIONS", "/judges", NULL), 204,
                "OPTIONS needs no key");
}


/* What was probably meant, and what is taken. */

static void
test_no_route(t_api_t *api)
{
    char       sentence[128];
    size_t     i;
    t_call_t  *c;
    static const struct {
        const char  *path, *meant;
    } rows[] = {
        { "/judge", "/judges" },
        { "/v1/judge", "/judges" },
        { "/judges/", "/judges" },
        { "//judges", "/judges" },
        { "/JUDGES", "/judges" },
        { "/contents/x", "/content/{content_id}" },
        { "/judges/x/version", "/judges/{judge_id}/versions" },
        { "/judges/x/versions/1/activate/",
          "/judges/{judge_id}/versions/{version}/activate" },
        { "/evaluations/single/", "/evaluations/single" },
        { "/apikeys", "/api-keys" },
        { "/batch/x/results", "/batches/{batch_id}/results" },
        { "/judges/x/y", NULL },
        { "/x", NULL },
        { "/", NULL },
        { "/judges/x/versions/1/activate/now", NULL },
        { "/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxx", NULL },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        (void) snprintf(sentence, sizeof(sentence),
                        "there is nothing at this path%s%s%s",
                        rows[i].meant ? "; did you mean " : "",
                        rows[i].meant ? rows[i].meant : "",
                        rows[i].meant ? "?" : "");
        c = t_send(api, "GET", rows[i].path, NULL);
        t_is_status(c, 404, rows[i].path);
        t_is_str(t_get(c, "detail"), sentence,
                 "%s: the nearest path is meant", rows[i].path);
    }

    c = t_send(api, "DELETE", "/judges", NULL);
    t_is_str(t_get(c, "detail"), "this path does not take that method; it"
             " takes GET, HEAD, POST, OPTIONS", "405 names the methods");
}


static void
test_headers(t_api_t *api)
{
    size_t  i;
    static const struct {
        const char  *type;
        int          status;
    } rows[] = {
        { "application/json", 201 }, { "APPLICATION/JSON", 201 },
        { "application/json;charset=utf-8", 201 },
        { "application/json ; charset=utf-8", 201 },
        { "application/vnd.judge+json", 201 }, { "text/plain", 415 },
        { "text/json", 415 }, { "application/jsonx", 415 },
        { "json", 415 }, { "application/json-seq", 415 },
        { "multipart/form-data; boundary=x", 415 },
        { "application/x-www-form-urlencoded", 415 }, { "", 415 },
        { "+json", 415 },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_header(api, JUDGE_HEADER_CONTENT_TYPE, rows[i].type);
        t_is_int(t_send(api, "POST", "/content", NOTE)->status,
                 rows[i].status, "the type is taken or not: %s", rows[i].type);
    }

    t_is_detail(t_send(api, "POST", "/content", NULL), 415,
                "Content-Type: expected application/json",
                "a body without a type is refused");

    api->repeated[JUDGE_HEADER_X_API_KEY] = true;
    t_is_detail(t_send(api, "GET", "/judges", NULL), 400,
                "x-api-key: expected this header only once",
                "two keys are refused");
    api->repeated[JUDGE_HEADER_PREFER] = true;
    t_is_status(t_send(api, "GET", "/judges", NULL), 200,
                "two preferences are taken");
}


static void
test_body_limit(t_api_t *api)
{
    char      *text;
    size_t     max;
    t_call_t  *c;

    max = api->service.settings.max_body;
    text = malloc(max + 2);
    memset(text, ' ', max + 1);
    memcpy(text, NOTE, sizeof(NOTE) - 1);
    text[max] = '\0';
    t_is_status(t_send(api, "POST", "/content", text), 201,
                "a body of the greatest length is taken");

    text[max] = ' ';
    text[max + 1] = '\0';
    t_is_detail(t_send(api, "POST", "/content", text), 413,
                "the body is larger than 1048576 bytes",
                "a body with a byte more is refused");
    free(text);

    /* What comes behind an error is read, and nothing of it is kept. */
    c = t_send(api, "POST", "/content", "{]                             }");
    t_is_status(c, 400, "a body with an error at its beginning is refused");
}


static void
test_queries(t_api_t *api)
{
    size_t     i;
    t_call_t  *c;
    static const struct {
        const char  *query;
        int          status;
        const char  *detail;
    } rows[] = {
        { "limit=1", 200, NULL },
        { "limit=200", 200, NULL },
        { "limit=201", 400, "limit: expected an integer from 1 to 200" },
        { "limit=-1", 400, "limit: expected an integer from 1 to 200" },
        { "limit=x", 400, "limit: expected an integer from 1 to 200" },
        { "limit=1e1", 400, "limit: expected an integer from 1 to 200" },
        { "limit=%31", 200, NULL },
        { "limit=1&unknown=%zz&&=&x", 200, NULL },
        { "limit", 400, "limit: expected an integer from 1 to 200" },
        { "limit=0", 400, "limit: expected an integer from 1 to 200" },
        { "limit=1.0", 400, "limit: expected an integer from 1 to 200" },
        { "limit=1+", 400, "limit: expected an integer from 1 to 200" },
        { "limit=%3", 400,
          "limit: expected a value in percent-encoded UTF-8" },
        { "limit=%zz", 400,
          "limit: expected a value in percent-encoded UTF-8" },
        { "content_type=%ff", 400, NULL },
        { "cursor=%ff", 400, NULL },
        { "cursor=e30", 400, NULL },
        { "cursor=%00", 400, NULL },
        { "cursor=", 400, NULL },
        { "cursor=nonsense", 400,
          "cursor: expected the next_cursor of an earlier page" },
        { "cursor=amRnXzAxSjAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw", 200, NULL },
        { "cursor=Y250XzAxSjAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw", 400,
          "cursor: expected the next_cursor of an earlier page" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        c = t_sendf(api, "GET", NULL, "/judges?%s", rows[i].query);
        t_is_int(c->status, rows[i].status,
                 "?%s: the status is %d", rows[i].query, rows[i].status);
        if (rows[i].detail) {
            t_is_str(t_get(c, "detail"), rows[i].detail,
                     "?%s: the detail says what was expected", rows[i].query);
        }
    }
}


/* What no table has is named, with what was probably meant. */

static void
test_unknown(t_api_t *api)
{
    char         sentence[256];
    size_t       i;
    t_call_t    *c;
    const char  *method;
    static const struct {
        const char  *path, *body, *ignored;
        int          status;
        const char  *detail, *strict;  /* where it is another one */
    } rows[] = {
        { "/judges?limit=1", NULL, NULL, 200, NULL, NULL },
        { "/judges?limt=1&x", NULL, "?limt; did you mean limit?, ?x", 200,
          NULL, NULL },
        { "/judges?a%2C%0D%0Ab=1", NULL, "?a%252C%250D%250Ab", 200, NULL,
          NULL },
        { "/healthz?x=1", NULL, "?x", 200, NULL, NULL },
        { "/content", NOTE, NULL, 201, NULL, NULL },
        { "/content?y=1", "{\"name\":\"N\",\"file_type\":\"text\","
          "\"textContent\":\"a\",\"text_content\":\"T\",\"z\":{\"a\":1}}",
          "?y, textContent; did you mean text_content?, z", 201, NULL, "?y" },
        { "/content", "{\"name\":\"N\",\"file_type\":\"text\","
          "\"text_content\":\"T\",\"metadata\":{\"nmae\":1}}", NULL, 201, NULL,
          NULL },
        { "/content", "{\"nmae\":\"N\",\"file_type\":\"text\"}",
          "nmae; did you mean name?", 400,
          "name: required, expected a non-empty string of at most 255"
          " characters", NULL },
        { "/content", "{\"name\":\"N\",\"file_type\":\"text\","
          "\"text_content\":\"T\",\"\":1}", "\"\"", 201, NULL, NULL },
        { "/judges", "{\"name\":\"J\",\"content_type\":\"text\","
          "\"description\":\"D\",\"criteria\":"
          "[{\"name\":\"Grammar\",\"description\":\"Clear.\",\"wieght\":2}]}",
          "criteria[0].wieght; did you mean weight?", 201, NULL, NULL },
        { "/batches/evaluate", "{\"name\":\"B\",\"judge_ids\":[\"jdg_x\"],"
          "\"content_items\":[{\"content_id\":\"a\"},"
          "{\"text\":\"T\",\"name\":\"N\",\"text_content\":\"T\"}]}",
          "content_items[1].text; did you mean text_content?", 404,
          "judge_ids[0]: there is no such judge", NULL },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        method = rows[i].body ? "POST" : "GET";
        c = t_send(api, method, rows[i].path, rows[i].body);
        t_is_str(t_answer_header(c, "Judge-Ignored"), rows[i].ignored,
                 "row %zu: what is not known is named as ignored", i);
        t_is_str(t_answer_header(c, "Preference-Applied"), NULL,
                 "row %zu: no preference was applied", i);
        t_is_int(c->status, rows[i].status,
                 "row %zu: what is not known does not change the status", i);
        if (rows[i].detail) {
            t_is_str(t_get(c, "detail"), rows[i].detail,
                     "row %zu: the detail says what is wrong with the rest",
                     i);
        }

        t_header(api, JUDGE_HEADER_PREFER, "wait=1, Handling = \"strict\"");
        c = t_send(api, method, rows[i].path, rows[i].body);
        t_is_str(t_answer_header(c, "Preference-Applied"), "handling=strict",
                 "row %zu: the strict preference is applied", i);
        t_is_int(c->status, rows[i].ignored ? 400 : rows[i].status,
                 "row %zu: what is not known is refused strictly", i);
        if (rows[i].ignored) {
            (void) snprintf(sentence, sizeof(sentence), "not known here: %s",
                            rows[i].strict ? rows[i].strict
                                           : rows[i].ignored);
            t_is_str(t_get(c, "detail"), sentence,
                     "row %zu: the detail names what is not known", i);
        }
    }
}


static t_call_t *
once(t_api_t *api, const char *key, const char *body)
{
    t_header(api, JUDGE_HEADER_IDEMPOTENCY_KEY, key);

    return t_send(api, "POST", "/content", body);
}


static void
test_idempotency(t_api_t *api)
{
    char         key[258];
    t_call_t    *c, *d;

    /* Two at once: one of them is told to wait. */
    api->slow = true;
    c = once(api, "race", NOTE);
    d = once(api, "race", NOTE);
    t_run(api);
    api->slow = false;
    t_is_status(c, 201, "one of two requests at once is taken");
    t_is_detail(d, 409, "Idempotency-Key: it is in use by a request that is"
                        " still under way",
                "the other of two requests at once is told to wait");
    d = once(api, "race", NOTE);
    t_is_str(t_get(d, "id"), t_text(c, "id"),
             "the other of two requests gets the same content later");

    memset(key, 'k', sizeof(key));
    key[255] = '\0';
    t_is_status(once(api, key, NOTE), 201, "a key of 255 characters is taken");
    key[255] = 'k';
    key[256] = '\0';
    t_is_detail(once(api, key, NOTE), 400,
                "Idempotency-Key: expected 1 to 255 characters",
                "a key of 256 characters is refused");
    t_is_status(once(api, "", NOTE), 400, "an empty key is refused");

    /* After a day it is forgotten. */
    t_tick(api, 24 * 3600 * 1000 + 1);
    c = once(api, "race", NOTE);
    t_is_status(c, 201, "a key is forgotten after a day");
    t_ok(t_answer_header(c, "Idempotency-Replayed").data == NULL,
         "a forgotten key makes a new answer");
}


static void
test_store_fails(t_api_t *api)
{
    size_t     i;
    t_call_t  *c;
    static const struct {
        judge_rc_e   rc;
        int          status;
        const char  *retry;
    } rows[] = {
        { JUDGE_BUSY, 503, "1" }, { JUDGE_ERROR, 500, NULL },
        { JUDGE_NOMEM, 500, NULL }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        api->fails = true;
        api->fail_rc = rows[i].rc;

        api->fail_kind = JUDGE_OP_CONTENT_CREATE;
        c = t_send(api, "POST", "/content", NOTE);
        t_is_status(c, rows[i].status,
                    "a write that fails is answered with its status");
        t_is_str(t_answer_header(c, "Retry-After"), rows[i].retry,
                 "a write that may be tried again says so");

        api->fail_kind = JUDGE_OP_JUDGE_LIST;
        t_is_status(t_send(api, "GET", "/judges", NULL), rows[i].status,
                    "a read that fails is answered with its status");

        api->fail_kind = JUDGE_OP_PROBE;
        t_is_detail(t_send(api, "GET", "/readyz", NULL), 503,
                    "the store does not take a write",
                    "readyz says that the store takes no write");

        api->now += JUDGE_AUTH_TTL + 1;
        api->fail_kind = JUDGE_OP_KEY_FIND;
        t_is_status(t_send(api, "GET", "/judges", NULL), rows[i].status,
                    "a request whose key can't be looked up is answered so");
        api->fails = false;
    }
}


/* Just after a probe: what it takes to answer those who ask, each of whom has
 * the queue looked at, too. */

static void
test_probes(t_api_t *api)
{
    size_t     n;
    t_call_t  *first, *second;

    n = api->ops;
    api->no_key = true;
    t_is_status(t_send(api, "GET", "/readyz", NULL), 200,
                "readyz is answered again");
    t_is_int((int64_t) (api->ops - n), 1, "the last outcome is the answer");

    api->now += 1000;
    api->slow = true;
    n = api->ops;
    api->no_key = true;
    first = t_send(api, "GET", "/readyz", NULL);
    api->no_key = true;
    t_leave(t_send(api, "GET", "/readyz", NULL));
    api->no_key = true;
    second = t_send(api, "GET", "/readyz", NULL);
    t_run(api);
    api->slow = false;
    t_is_status(first, 200, "who asks first is told that all is ready");
    t_is_status(second, 200, "who asks meanwhile is told that all is ready");
    t_is_int((int64_t) (api->ops - n), 3,
             "three operations are enough for all who ask");
}


static void
test_health(t_api_t *api)
{
    size_t       n;
    t_call_t    *c;
    const char  *judge, *content;

    n = api->ops;
    api->no_key = true;
    c = t_send(api, "GET", "/healthz", NULL);
    t_is_status(c, 200, "healthz needs no key");
    t_is_str(t_get(c, "status"), "ok", "healthz says that the process lives");
    t_is_int((int64_t) (api->ops - n), 0, "healthz does not ask the store");

    api->now += 1000;               /* the last probe failed */
    api->no_key = true;
    c = t_send(api, "GET", "/v1/readyz", NULL);
    t_is_status(c, 200, "readyz needs no key");
    t_is_str(t_get(c, "status"), "ready",
             "readyz says that the service is ready");
    test_probes(api);

    /* Evaluations that wait, and nobody who takes them. */
    judge = t_judge(api, "text");
    content = t_content(api, "x");
    api->service.settings.evaluates = false;
    (void) t_evaluation(api, judge, content);
    api->service.settings.evaluates = true;
    t_is_status(t_send(api, "GET", "/readyz", NULL), 200,
                "a node with one evaluation that waits is ready");
    api->now += 60001;
    c = t_send(api, "GET", "/readyz", NULL);
    t_is_detail(c, 503, "the queue does not drain",
                "a node whose queue does not drain is not ready");
    t_is_str(t_answer_header(c, "Retry-After"), "1",
             "a node that is not ready says when to ask again");

    api->service.settings.evaluates = false;
    t_is_status(t_send(api, "GET", "/readyz", NULL), 200,
                "a node that leaves evaluations to others is ready");
    api->service.settings.evaluates = true;
    t_tick(api, 50);
    t_is_status(t_send(api, "GET", "/readyz", NULL), 200,
                "a node is ready when its queue has been drained");
}


/* What the store refuses for a reason that the route does not know is refused,
 * and has left nothing. */

static void
test_conflicts(t_api_t *api)
{
    size_t       i;
    t_call_t    *c;
    const char  *judge, *content;

    judge = t_judge(api, "text");
    content = t_content(api, "x");

    const struct {
        const char  *change, *table, *path, *body;
    } rows[] = {
        { "INSERT", "evaluations", "/evaluations/single",
          judge_str_printf(api->arena, "{\"judge_id\":\"%s\","
                           "\"content_id\":\"%s\"}", judge, content).data },
        { "INSERT", "judges", "/judges",
          "{\"name\":\"J\",\"description\":\"D\",\"content_type\":\"text\","
          "\"criteria\":[{\"name\":\"Spelling\",\"description\":\"Ok.\"}]}" },
        { "INSERT", "batches", "/batches/evaluate",
          judge_str_printf(api->arena, "{\"name\":\"B\",\"judge_ids\":"
                           "[\"%s\"],\"content_items\":[{\"name\":\"T\","
                           "\"text_content\":\"T\"}]}", judge).data },
        { "INSERT", "api_keys", "/api-keys",
          "{\"name\":\"K\",\"permissions\":[\"judges:read\"]}" },
        { "INSERT", "contents", "/content", NOTE },
        { "UPDATE", "organizations", "/config/webhooks/rotate-secret", "{}" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_execute(api, judge_str_printf(api->arena, "CREATE TRIGGER refuse"
                           " BEFORE %s ON %s BEGIN SELECT raise(ABORT, 'x');"
                           " END", rows[i].change, rows[i].table).data);

        c = t_send(api, "POST", rows[i].path, rows[i].body);
        t_is_status(c, 409, rows[i].path);
        t_execute(api, "DROP TRIGGER refuse");
    }
}


/* Whoever leaves while the store is at work: the write is done all the same,
 * and what must follow a commit follows. */

static void
test_leave(t_api_t *api)
{
    t_call_t    *c;
    const char  *judge, *content, *body;

    judge = t_judge(api, "text");
    content = t_content(api, "A text.");
    body = judge_str_printf(api->arena, "{\"judge_id\":\"%s\","
                            "\"content_id\":\"%s\"}", judge, content)
           .data;

    api->slow = true;
    t_leave(t_send(api, "POST", "/evaluations/single", body));
    t_leave(t_send(api, "GET", "/judges", NULL));
    t_leave(t_send(api, "GET", "/readyz", NULL));
    t_run(api);
    api->slow = false;

    c = t_sendf(api, "GET", NULL, "/evaluations?judge_id=%s", judge);
    t_is_str(t_get(c, "evaluations[0].status"), "completed",
             "an evaluation whose client left is made and scored");
}


/* Bodies that are held need no more than max_bodies together, whoever sent
 * them, and those of clients without a key a quarter of it. */

static void
test_bodies(t_api_t *api)
{
    size_t       i;
    t_call_t    *c, *first;
    judge_buf_t  body, large;

    static const char  refused[] = "too many large bodies are under way; try"
                                   " again later";
    static const char  callback[] = "/api/video-evaluations/callback";

    judge_buf_init(&body, api->arena);
    judge_buf_c(&body, "{\"unknown\":[0");
    for (i = 0; i < 70000; i++) {
        judge_buf_c(&body, ",0");
    }
    judge_buf_append(&body, "]}", 3);

    api->service.settings.max_bodies = 6 << 20;
    api->later = true;
    first = t_send(api, "POST", "/judges", body.data);
    t_is_int(first->status, 0, "the first large body is taken");
    c = t_send(api, "POST", "/judges", body.data);
    t_is_detail(c, 503, refused, "a second one is refused meanwhile");
    t_is_str(t_answer_header(c, "Retry-After"), "1",
             "the client is told to come back");
    t_leave(c);
    t_is_status(t_send(api, "POST", "/judges", "{}"), 400,
                "a small body is looked at");

    judge_buf_init(&large, api->arena);
    while (large.len < 900000) {
        judge_buf_c(&large, "some 16 bytes...");
    }
    judge_buf_append(&large, "", 1);

    for (i = 2; i > 0; i--) {
        api->service.settings.max_bodies = (16 << 20) / i;
        api->no_key = true;
        t_header(api, JUDGE_HEADER_X_WEBHOOK_SIGNATURE, "sha256=0");
        c = t_send(api, "POST", callback, large.data);
        t_is_int(c->status, i == 2 ? 503 : 0,
                 "a body without a key is%s refused where a quarter is %s",
                 i == 2 ? "" : " not", i == 2 ? "less" : "more");
        t_leave(c);
    }

    api->later = false;
    t_run(api);
    t_is_status(first, 400, "the first body has been looked at");
    t_leave(first);
    t_is_status(t_send(api, "POST", "/judges", body.data), 400,
                "the next one is taken when the first has ended");
    api->service.settings.max_bodies = 512 << 20;
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_bodies(api);              /* first: calls stay until the end */
    test_paths(api);
    test_no_route(api);
    test_headers(api);
    test_body_limit(api);
    test_queries(api);
    test_unknown(api);
    test_store_fails(api);
    test_health(api);
    test_conflicts(api);
    test_leave(api);
    test_idempotency(api);

    t_api_destroy(api);

    return t_done();
}
