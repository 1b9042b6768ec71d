/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Batches where the clock, the store or a client matters: deadlines, races,
 * streams, estimates; and what is refused.  The rest is in t/batches.t. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness.h"
#include "store/store_batch.h"
#include "work/service/metrics.h"


static const char  *t_doomed;          /* to be deleted in between */


static const char *
test_batch(t_api_t *api, const char *judge, size_t n, const char *rest)
{
    size_t        i;
    t_call_t     *c;
    judge_buf_t   body;

    judge_buf_init(&body, api->arena);
    judge_buf_printf(&body, "{\"name\":\"B\",\"judge_ids\":[\"%s\"],%s"
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


static t_call_t *
test_get(t_api_t *api, const char *id)
{
    return t_sendf(api, "GET", NULL, "/batches/%s", id);
}


static void
test_done(t_api_t *api, const char *id, const char *want, const char *name)
{
    size_t     i;
    t_call_t  *c;

    for (i = 0; i < 20; i++) {
        t_tick(api, 50);
        t_run(api);
        c = test_get(api, id);
        if (!judge_str_eq_c(t_get(c, "status"), "evaluating")) {
            break;
        }
    }

    t_is_str(t_get(c, "status"), want, "%s", name);
}


/* What an answer in pieces brings in that time. */

static judge_str_t
test_flow(t_call_t *c, judge_ms_t time)
{
    size_t  from;

    from = c->pieces.len;
    t_run(c->api);

    for ( /* void */ ; time > 0; time -= 250) {
        t_tick(c->api, 250);
        t_run(c->api);
    }

    return (judge_str_t) { c->pieces.len - from,
                           c->pieces.len ? c->pieces.data + from : "" };
}


/* Between the look and the write a content is deleted. */

static void
test_delete_between(t_api_t *api, judge_op_t *op)
{
    judge_content_delete_t  gone;

    if (op->kind == JUDGE_OP_BATCH_CREATE) {
        api->before = NULL;
        memset(&gone, 0, sizeof(gone));
        gone.id = judge_str_c(t_doomed);
        gone.now = api->now;
        t_is_int(t_op(api, &gone.op, JUDGE_OP_CONTENT_DELETE), JUDGE_OK,
                 "a content can be deleted before the batch is made");
    }
}


static void
test_race(t_api_t *api, const char *judge)
{
    t_call_t     *c;
    const char   *id;
    judge_str_t   body;

    t_doomed = t_content(api, "Some text.");
    body = judge_str_printf(api->arena, "{\"name\":\"B\",\"judge_ids\":"
                            "[\"%s\"],\"content_items\":[{\"name\":\"N\","
                            "\"text_content\":\"T\"},{\"content_id\":\"%s\"}]"
                            "}", judge, t_doomed);

    c = t_send(api, "GET", "/content?limit=1", NULL);
    id = t_text(c, "content[0].id");

    api->before = test_delete_between;
    c = t_send(api, "POST", "/batches/evaluate", body.data);
    t_is_detail(c, 404, "a judge or a content of the batch has just been"
                        " deleted",
                "a batch whose content has just been deleted is refused");

    c = t_send(api, "GET", "/batches?limit=1", NULL);
    t_ok(!judge_str_eq_c(t_get(c, "batches[0].total_evaluations"), "2"),
         "a refused batch is not stored");
    c = t_send(api, "GET", "/content?limit=1", NULL);
    t_ok(!judge_str_eq_c(t_get(c, "content[0].id"), id)
         && !judge_str_eq_c(t_get(c, "content[0].name"), "N"),
         "the other contents of a refused batch are not stored");
}


/* A batch that waits does not run out of time; one that works may. */

static void
test_deadline(t_api_t *api, const char *judge)
{
    t_call_t    *c;
    const char  *id;

    id = test_batch(api, judge, 2, "\"auto_start\":false,");
    t_tick(api, 48 * 3600 * 1000);
    c = test_get(api, id);
    t_is_str(t_get(c, "status"), "created",
             "a batch that is not started waits for two days");

    c = t_sendf(api, "POST", NULL, "/batches/%s/start", id);
    t_is_status(c, 200, "a batch can be started");
    test_done(api, id, "completed", "its time begins with its start");

    id = test_batch(api, judge, 2, "");
    api->now += api->service.settings.deadline + 1;
    test_done(api, id, "failed", "a batch that works too long fails");
    c = test_get(api, id);
    t_is_str(t_get(c, "failure_summary"), "{\"TIMED_OUT\":2}",
             "a batch counts its failures by their codes");

    c = t_sendf(api, "POST", NULL, "/batches/%s/retry", id);
    t_is_status(c, 200, "a batch can be tried again");
    t_is_str(t_get(c, "failed_evaluations"), "0",
             "no evaluation has failed once the batch is tried again");
    t_is_str(t_get(c, "status"), "evaluating",
             "a batch that is tried again goes on");
    t_ok(!t_get(c, "completed_at").data, "a batch that works has not ended");
    test_done(api, id, "completed", "a batch has a deadline of its own");
}


static judge_ms_t
test_clock(void *data)
{
    return *(judge_ms_t *) data;
}


/* Milliseconds until so many texts will have ended; -1: unknown. */

static int64_t
test_takes(const judge_throughput_t *m, int64_t left, judge_ms_t now)
{
    judge_ms_t         at;
    judge_service_t    service = { .now = test_clock, .data = &now,
                                   .throughput = (judge_throughput_t *) m };
    judge_batch_row_t  row = { .status = JUDGE_STR("evaluating"),
                               .content_type = JUDGE_STR("text"),
                               .total = left + 3, .completed = 2,
                               .failed = 1 };

    at = judge_throughput_estimate(&service, &row);

    return at ? at - now : -1;
}


static void
test_estimate(t_api_t *api, const char *judge)
{
    int64_t      took;
    t_call_t    *c;
    const char  *id;

    memset(api->service.throughput, 0, sizeof(judge_throughput_t));
    id = test_batch(api, judge, 4, "");
    c = test_get(api, id);
    t_ok(!t_get(c, "estimated_completion_time").data,
         "nothing is estimated before anything was measured");
    test_done(api, id, "completed", "a batch of four is done in a second");

    /* Four in that second, one in a later one: the busier half counts. */
    judge_throughput_add(api->service.throughput, 1, api->now + 10 * 1000);
    api->now += 20 * 1000;
    took = test_takes(api->service.throughput, 80, api->now);
    t_ok(took > 0 && took <= 20 * 1000,
         "the rate is that of the busier half");

    id = test_batch(api, judge, 8, "");
    c = test_get(api, id);
    t_ok(t_get(c, "estimated_completion_time").data,
         "the end of a batch is estimated from the rate");
    test_done(api, id, "completed", "an estimated batch is done");
    c = test_get(api, id);
    t_ok(!t_get(c, "estimated_completion_time").data,
         "a batch that has ended has no estimate");
}


static void
test_meter(void)
{
    size_t               i;
    judge_throughput_t  *m;

    m = calloc(1, sizeof(judge_throughput_t));
    t_is_int(test_takes(m, 10, 5000), -1,
             "there is no estimate without seconds");

    judge_throughput_add(m, 10, 5000);
    judge_throughput_add(m, 10, 5999);
    t_is_int(test_takes(m, 20, 5999), -1,
             "the present second does not count");
    t_is_int(test_takes(m, 20, 6000), 1000, "one second makes the rate");
    judge_throughput_add(m, 40, 9000);
    judge_throughput_add(m, 1, 12000);
    t_is_int(test_takes(m, 60, 20000), 2000,
             "the busier half of the seconds makes the rate");

    for (i = 0; i < 200; i++) {
        judge_throughput_add(m, 7, (judge_ms_t) (100 + i) * 1000);
    }
    t_is_int(test_takes(m, 7, 400 * 1000), 1000,
             "old seconds are forgotten");
    free(m);
}


static void
test_events(t_api_t *api, const char *judge)
{
    size_t        from;
    t_call_t     *c;
    const char   *id;
    judge_str_t   text;

    id = test_batch(api, judge, 2, "\"auto_start\":false,");
    c = t_sendf(api, "GET", NULL, "/batches/%s/events", id);
    t_ok(judge_str_starts(c->body, JUDGE_STR("retry: 1000\n\nid: 0\nevent:"
                                          " progress\ndata: {")),
         "a stream of events begins with the progress");

    t_is_str(test_flow(c, 14000), "", "a stream is silent for 14 s");
    t_is_str(test_flow(c, 2000), ": nothing new\n\n",
             "a stream has a comment after 15 s");
    t_is_str(test_flow(c, 13000), "",
             "a stream is silent for 13 s behind a comment");
    t_is_str(test_flow(c, 30000), ": nothing new\n\n: nothing new\n\n",
             "a stream has a comment every 15 s");

    from = c->pieces.len;
    (void) t_sendf(api, "POST", NULL, "/batches/%s/start", id);
    test_done(api, id, "completed", "started under the eyes of somebody");
    (void) test_flow(c, 1000);
    text = (judge_str_t) { c->pieces.len - from, c->pieces.data + from };
    t_ok(judge_str_starts(text, JUDGE_STR("id: 1\nevent: item\ndata: {")),
         "a stream has the items of the batch");
    t_ok(c->ended && !c->cut, "a stream ends with its batch");

    /* The client leaves between two looks, and while one is under way. */
    id = test_batch(api, judge, 2, "\"auto_start\":false,");
    c = t_sendf(api, "GET", NULL, "/batches/%s/events", id);
    (void) test_flow(c, 1000);
    t_leave(c);

    /* The store fails in the middle. */
    c = t_sendf(api, "GET", NULL, "/batches/%s/events", id);
    (void) test_flow(c, 0);
    api->fails = true;
    api->fail_kind = JUDGE_OP_BATCH_FIND;
    api->fail_rc = JUDGE_BUSY;
    (void) test_flow(c, 16000);
    api->fails = false;
    t_ok(c->cut, "a stream that can't go on is cut off");
}


/* The store fails behind the first page. */

static void
test_second_page(t_api_t *api, judge_op_t *op)
{
    if (op->kind == JUDGE_OP_BATCH_RESULTS) {
        api->fails = ((judge_batch_results_t *) op)->after.data != NULL;
    }
}


static void
test_results(t_api_t *api, const char *judge)
{
    size_t       i, max;
    t_call_t    *c;
    char         path[128];
    const char  *id, *many;
    static const char *const  formats[] = { "json", "jsonl", "csv" };

    id = test_batch(api, judge, 3, "");
    max = api->service.settings.max_items;
    api->service.settings.max_items = 201;
    many = test_batch(api, judge, 201, "");
    api->service.settings.max_items = max;

    for (i = 0; i < 3; i++) {
        (void) snprintf(path, sizeof(path), "/batches/%s/results?format=%s",
                        id, formats[i]);

        api->fails = true;
        api->fail_kind = JUDGE_OP_BATCH_RESULTS;
        api->fail_rc = JUDGE_BUSY;
        c = t_send(api, "GET", path, NULL);
        t_is_status(c, 503,
                    "results are refused where the store fails at once");

        api->before = test_second_page;
        c = t_sendf(api, "GET", NULL, "/batches/%s/results?format=%s", many,
                    formats[i]);
        api->before = NULL;
        api->fails = false;
        t_ok(c->cut && c->pieces.len,
             "results are cut off where the store fails later: %s",
             formats[i]);
    }

    /* The client leaves while a page is rendered. */
    api->later = true;
    c = t_send(api, "GET", path, NULL);
    t_leave(c);
    t_run(api);
    api->later = false;
}


/* Stores that are busy, and clients that leave, at every step of it. */

static void
test_faults(t_api_t *api, const char *judge)
{
    size_t        i;
    t_call_t     *c;
    judge_str_t   body;
    static const judge_op_kind_e  kinds[] = { JUDGE_OP_BATCH_CHECK,
                                              JUDGE_OP_BATCH_CREATE };

    body = judge_str_printf(api->arena, "{\"name\":\"B\",\"judge_ids\":"
                            "[\"%s\"],\"content_items\":[{\"name\":\"N\","
                            "\"text_content\":\"T\"}]}", judge);

    for (i = 0; i < 2; i++) {
        api->fails = true;
        api->fail_kind = kinds[i];
        api->fail_rc = JUDGE_BUSY;
        c = t_send(api, "POST", "/batches/evaluate", body.data);
        t_is_detail(c, 503, "the service is busy; try again later",
                    "a batch is refused while the store is busy");
        api->fails = false;
    }

    api->later = api->slow = true;
    c = t_send(api, "POST", "/batches/evaluate", body.data);
    t_leave(c);
    t_run(api);
    c = t_send(api, "POST", "/batches/evaluate", body.data);
    t_run(api);
    t_is_status(c, 201, "a batch is made in threads and groups, too");
    api->later = api->slow = false;
}


/* A batch with these fields, of which NULL is as it should be. */

static t_call_t *
test_with(t_api_t *api, const char *const *ids, const char *judges,
    const char *items, const char *rest)
{
    return t_send(api, "POST", "/batches/evaluate", t_filled(api,
                  judge_str_printf(api->arena, "{\"judge_ids\":%s,"
                                   "\"content_items\":%s,%s}",
                                   judges ? judges : "[\"%0\"]",
                                   items ? items : "[{\"content_id\":\"%2\"}]",
                                   rest ? rest : "\"name\":\"B\"").data, ids));
}


/* A text of one letter, over and over. */

static const char *
test_long(t_api_t *api, const char *before, size_t n, const char *after)
{
    judge_buf_t  text;

    judge_buf_init(&text, api->arena);
    judge_buf_c(&text, before);
    while (n--) {
        judge_buf_append(&text, "x", 1);
    }
    judge_buf_c(&text, after);
    judge_buf_append(&text, "", 1);

    return text.data;
}


static void
test_lengths(t_api_t *api, const char *const *ids)
{
    size_t       i;
    const char  *text;
    static const struct {
        size_t       most;
        bool         item;
        const char  *before, *after, *detail;
    } rows[] = {
        { 200, false, "\"name\":\"", "\"", "name: expected a non-empty string"
          " of at most 200 characters" },
        { 5000, false, "\"name\":\"B\",\"description\":\"", "\"",
          "description: expected a string of at most 5000 characters" },
        { 255, true, "[{\"text_content\":\"T\",\"name\":\"", "\"}]",
          "content_items[0].name: expected a non-empty string of at most 255"
          " characters" },
        { 65536, true, "[{\"name\":\"N\",\"text_content\":\"", "\"}]",
          "content_items[0].text_content: expected at most 65536 bytes" }
    };

    for (i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        text = test_long(api, rows[i / 2].before, rows[i / 2].most + i % 2,
                         rows[i / 2].after);
        t_is_detail(test_with(api, ids, NULL, rows[i / 2].item ? text : NULL,
                              rows[i / 2].item ? NULL : text),
                    i % 2 ? 400 : 201, i % 2 ? rows[i / 2].detail : NULL,
                    rows[i / 2].detail);
    }
}


static void
test_refused(t_api_t *api, const char *judge)
{
    size_t        i;
    t_call_t     *c;
    judge_buf_t   items;
    const char   *ids[] = { judge, t_judge(api, "video"),
                            t_content(api, "Some text.") };
    static const struct {
        int          status;
        const char  *judges, *items, *rest, *detail;
    } rows[] = {
        { 400, NULL, NULL, "\"priority\":\"low\"",
          "name: required, expected a non-empty string of at most 200"
          " characters" },
        { 400, NULL, NULL, "\"name\":null",
          "name: required, expected a non-empty string of at most 200"
          " characters" },
        { 400, NULL, NULL, "\"name\":\"B\",\"priority\":\"now\"",
          "priority: expected one of high, normal, low" },
        { 400, NULL, NULL, "\"name\":\"B\",\"auto_start\":\"no\"",
          "auto_start: expected true or false" },
        { 400, "[]", NULL, NULL, "judge_ids: expected a non-empty array" },
        { 400, "[\"a\",\"b\",\"c\",\"d\"]", NULL, NULL,
          "judge_ids: expected an array of 1 to 3 items" },
        { 400, "[\"%0\",7]", NULL, NULL,
          "judge_ids[1]: expected a non-empty string of at most 200"
          " characters" },
        { 404, "[\"%0\",\"jdg_x\"]", NULL, NULL,
          "judge_ids[1]: there is no such judge" },
        { 400, "[\"%0\",\"%0\",\"%1\"]", NULL, NULL,
          "judge_ids[2]: expected a judge of text, as the first one is; this"
          " one is of video" },
        { 400, NULL, "null", NULL, "content_items: required, expected an"
                                   " array of 1 to 50 items" },
        { 400, NULL, "[]", NULL,
          "content_items: expected an array of 1 to 50 items" },
        { 400, NULL, "{}", NULL,
          "content_items: expected an array of 1 to 50 items" },
        { 400, NULL, "[{\"content_id\":\"%2\"},[]]", NULL,
          "content_items[1]: expected an object" },
        { 400, NULL, "[{}]", NULL, "content_items[0]: expected either"
          " content_id, or text_content with name" },
        { 400, NULL, "[{\"content_id\":\"%2\",\"name\":\"N\","
                     "\"text_content\":\"T\"}]", NULL,
          "content_items[0]: expected either content_id or text_content, not"
          " both" },
        { 400, NULL, "[{\"content_id\":\"\"}]", NULL,
          "content_items[0].content_id: expected a non-empty string of at"
          " most 200 characters" },
        { 404, NULL, "[{\"content_id\":\"cnt_x\"}]", NULL,
          "content_items[0].content_id: there is no such content" },
        { 400, NULL, "[{\"text_content\":\"T\"}]", NULL,
          "content_items[0]: expected a name with text_content" },
        { 400, NULL, "[{\"name\":\"N\",\"text_content\":\"\"}]", NULL,
          "content_items[0].text_content: expected a non-empty string" },
        { 400, NULL, "[{\"name\":\"N\",\"text_content\":\"T\","
                     "\"metadata\":[]}]", NULL,
          "content_items[0].metadata: expected an object of at most 2097152"
          " bytes" },
        { 400, "[\"%1\"]", "[{\"name\":\"N\",\"text_content\":\"T\"}]", NULL,
          "content_items[0].text_content: expected content of the judges'"
          " type, video; this is text" },
        { 400, "[\"%1\"]", NULL, NULL,
          "content_items[0].content_id: expected content of the judges' type,"
          " video; this is text" }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_detail(test_with(api, ids, rows[i].judges, rows[i].items,
                              rows[i].rest), rows[i].status, rows[i].detail,
                    rows[i].detail);
    }

    test_lengths(api, ids);

    judge_buf_init(&items, api->arena);
    for (i = 0; i < 51; i++) {
        judge_buf_printf(&items, "%s{\"name\":\"T\",\"text_content\":\"T\"}",
                         i ? "," : "[");
    }
    judge_buf_append(&items, "]", 2);
    t_is_detail(test_with(api, ids, NULL, items.data, NULL), 400,
                "content_items: expected an array of 1 to 50 items",
                "a batch of too many items is refused");

    t_header(api, JUDGE_HEADER_CONTENT_TYPE, "text/csv");
    c = t_sendf(api, "POST", "content,b\nA,B\nC,D,E\n",
                "/batches/import?name=N&judge_ids=%s", judge);
    t_is_detail(c, 400, "row 3: expected as many columns as the first row"
                        " has; there are 3",
                "a table with a row that is too long is refused");
}


/* The first of a list has the same values as the other. */

static void
test_alike(t_call_t *list, t_call_t *one, const char *const *members,
    size_t n)
{
    size_t       i;
    judge_str_t  path, value;

    for (i = 0; i < n; i++) {
        path = judge_str_printf(list->api->arena, "evaluations[0].%s",
                                members[i]);
        value = t_get(one, members[i]);
        t_ok(value.data && judge_str_eq(t_get(list, path.data), value),
             "%s is the same as in an evaluation alone", members[i]);
    }
}


/* A content that three judges look at is measured once, and judged as if each
 * had been alone with it. */

static void
test_judges(t_api_t *api)
{
    size_t        i;
    uint64_t      before;
    t_call_t     *both, *alone;
    const char   *id, *one, *content[2], *judges[3];
    judge_str_t   body;

    static const char *const  members[] = {
        "criteria_scores", "summary", "strengths", "weaknesses",
        "suggestions", "overall_score"
    };

    content[0] = t_content(api, "Our garden is small. It has three trees,"
                                " because my father planted them.");
    content[1] = t_content(api, "They is late. No buses runs at nite.");
    for (i = 0; i < 3; i++) {
        judges[i] = t_judge(api, "text");
    }
    judges[1] = t_text(t_send(api, "POST", "/judges", "{\"name\":\"Gardens\","
        "\"description\":\"Texts about trees\",\"content_type\":\"text\","
        "\"criteria\":[{\"name\":\"Respect\",\"description\":\"No insults\"}"
        "]}"), "judge_id");

    body = judge_str_printf(api->arena, "{\"name\":\"B\",\"judge_ids\":"
        "[\"%s\",\"%s\",\"%s\"],\"content_items\":[{\"content_id\":\"%s\"},"
        "{\"content_id\":\"%s\"}]}", judges[0], judges[1], judges[2],
        content[0], content[1]);
    before = judge_metrics_get(api->service.metrics, JUDGE_METRIC_MEASURED);
    id = t_text(t_send(api, "POST", "/batches/evaluate", body.data),
                "batch_id");
    test_done(api, id, "completed", "a batch of three judges is made");
    t_is_int((long long) (judge_metrics_get(api->service.metrics,
                                            JUDGE_METRIC_MEASURED) - before),
             2, "each content was measured once");

    for (i = 0; i < 6; i++) {
        both = t_sendf(api, "GET", NULL, "/evaluations?batch_id=%s"
                       "&judge_id=%s&content_id=%s", id, judges[i / 2],
                       content[i % 2]);
        one = t_evaluation(api, judges[i / 2], content[i % 2]);
        t_run(api);
        alone = t_sendf(api, "GET", NULL, "/evaluations/%s", one);
        t_is_str(t_get(alone, "status"), "completed",
                 "an evaluation alone is completed");
        test_alike(both, alone, members, sizeof(members) / sizeof(char *));
    }
}


/* --- Tables -------------------------------------------------------------- */

#define TEST_COLUMNS  1000
#define TEST_MEMBERS  120000

static t_call_t *
test_import(t_api_t *api, const char *judge, const char *type,
    const char *rest, const char *table)
{
    t_header(api, JUDGE_HEADER_CONTENT_TYPE, type);

    return t_sendf(api, "POST", table,
                   "/batches/import?name=N&check=true&judge_ids=%s%s", judge,
                   rest);
}


/* The processor time that a line takes which has none of so many columns. */

static double
test_columns(t_api_t *api, const char *judge, size_t columns)
{
    size_t       i;
    double       took;
    clock_t      begin;
    t_call_t    *c;
    judge_buf_t  table;

    judge_buf_init(&table, NULL);
    judge_buf_c(&table, "{\"content\":\"A text.\"");
    for (i = 1; i < columns; i++) {
        judge_buf_printf(&table, ",\"k%05zu\":1", i);
    }
    judge_buf_c(&table, "}\n{\"content\":\"A text.\"");
    for (i = 0; i < TEST_MEMBERS; i++) {
        judge_buf_printf(&table, ",\"%06zu\":1", i);
    }
    judge_buf_append(&table, "}\n", 3);

    begin = clock();
    c = test_import(api, judge, "application/jsonl", "", table.data);
    t_run(api);
    took = (double) (clock() - begin);
    t_are(c, "items 2|characters 14", "a line with other members is taken");
    judge_buf_free(&table);

    return took;
}


static void
test_many_columns(t_api_t *api, const char *judge)
{
    size_t  i;
    double  few, many, least;

    for (i = 0, least = 1e9; i < 3; i++) {
        few = test_columns(api, judge, 1);
        many = test_columns(api, judge, TEST_COLUMNS);
        least = many / few < least ? many / few : least;
    }

    t_ok(least < 3, "a line without the columns of the first one is read as"
                    " fast whatever their number is: %.1f", least);
}


/* A column may come into the item of each system, and more than once. */

static void
test_repeated(t_api_t *api, const char *judge)
{
    size_t       i, max;
    t_call_t    *c;
    judge_buf_t  table;

    judge_buf_init(&table, api->arena);
    judge_buf_c(&table, "a,b,c,d,s\n");
    for (i = 0; i < 12; i++) {
        judge_buf_printf(&table, "A,B,C,D,%02000d\n", (int) i);
    }
    judge_buf_append(&table, "", 1);

    max = api->service.settings.max_batch;
    api->service.settings.max_batch = 32768;
    c = test_import(api, judge, "text/csv", "&systems=a,b,c,d&source=s",
                    table.data);
    t_run(api);
    t_is_status(c, 200, "a column is repeated for each system");
    c = test_import(api, judge, "text/csv",
                    "&systems=a,b,c,d&source=s&question=s", table.data);
    t_run(api);
    t_is_detail(c, 400, "row 10: the items up to this row have more than"
                        " 131072 bytes, because they repeat columns; expected"
                        " fewer rows, systems or columns of metadata",
                "a table that grows by what is repeated is refused");
    api->service.settings.max_batch = max;
}


/* An item of a system has the name of that in its metadata. */

static void
test_system(t_api_t *api, const char *judge)
{
    t_call_t    *c;
    const char  *table = "a,b,system\nA text.,Another.,s\n";

    c = test_import(api, judge, "text/csv", "&systems=a,b&metadata=system",
                    table);
    t_run(api);
    t_is_detail(c, 400, "metadata: two columns would become \"system\"",
                "a column called system is no metadata of a system's items");
    c = test_import(api, judge, "text/csv", "&systems=a,,b", "a,,b\n1,2,3\n");
    t_run(api);
    t_is_detail(c, 400, "systems: expected 2 to 16 different columns,"
                        " separated by commas, with names of at most 100"
                        " characters; \"tie\" is none",
                "a system needs a name");
    c = test_import(api, judge, "text/csv", "&content=a&metadata=system",
                    table);
    t_run(api);
    t_is_status(c, 200, "a column called system is metadata of other items");
}


int
main(void)
{
    t_api_t     *api;
    const char  *judge;

    api = t_api_create();
    judge = t_judge(api, "text");

    test_judges(api);              /* first: nothing else is measured */
    test_race(api, judge);
    test_deadline(api, judge);
    test_meter();
    test_estimate(api, judge);
    test_events(api, judge);
    test_results(api, judge);
    test_faults(api, judge);
    test_refused(api, judge);
    test_many_columns(api, judge);
    test_repeated(api, judge);
    test_system(api, judge);

    t_api_destroy(api);

    return t_done();
}
