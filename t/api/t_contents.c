/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Contents: what is refused, how long fields may be, and a result that comes
 * too late.  How they are made, read, listed and deleted, and by whom, is in
 * t/contents.t. */


#include <string.h>

#include "harness.h"


#define BODY(rest)                                                            \
    "{\"name\":\"N\",\"file_type\":\"text\",\"text_content\":\"T\"," rest "}"


static void
test_refuse(t_api_t *api)
{
    size_t  i;
    static const struct {
        const char  *body;
        const char  *detail;
    } rows[] = {
        { "{}", "name: required, expected a non-empty string of at most 255"
                " characters" },
        { "{\"name\":\"\"}", "name: expected a non-empty string of at most 255"
                             " characters" },
        { "{\"name\":\"N\"}", "file_type: required, expected one of text,"
                              " video, audio, image" },
        { "{\"name\":\"N\",\"file_type\":\"pdf\"}",
          "file_type: expected one of text, video, audio, image" },
        { "{\"name\":\"N\",\"file_type\":\"text\"}",
          "text_content: required, or messages in place of it" },
        { "{\"name\":\"N\",\"file_type\":\"text\",\"text_content\":\"\"}",
          "text_content: expected a non-empty string" },
        { "{\"name\":\"N\",\"file_type\":\"text\",\"text_content\":"
          "\"a\\u0000b\"}",
          "text_content: must not contain the character U+0000" },
        { "{\"name\":\"N\",\"file_type\":\"video\",\"text_content\":\"T\"}",
          "file_type: expected text, because files of other types are"
          " uploaded" },
        { BODY("\"metadata\":[]"), "metadata: expected an object of at most"
                                   " 2097152 bytes" },
        { BODY("\"metadata\":\"x\""), "metadata: expected an object of at"
                                      " most 2097152 bytes" },
        { BODY("\"description\":1"), "description: expected a string of at"
                                     " most 5000 characters" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_detail(t_send(api, "POST", "/content", rows[i].body), 400,
                    rows[i].detail, rows[i].body);
    }
}


/* Names and descriptions are counted in characters, texts in bytes. */

static void
test_lengths(t_api_t *api)
{
    size_t       i, n;
    t_call_t    *c;
    judge_buf_t  body;
    static const struct {
        const char  *field, *unit;
        size_t       count;
        const char  *detail;           /* of a refusal */
    } rows[] = {
        { "name", "\xc3\xa4", 255, NULL },
        { "name", "\xc3\xa4", 256,
          "name: expected a non-empty string of at most 255 characters" },
        { "description", "", 0, NULL },
        { "description", "x", 5000, NULL },
        { "description", "x", 5001,
          "description: expected a string of at most 5000 characters" },
        { "text_content", "x", 1, NULL },
        { "text_content", "x", 65536, NULL },
        { "text_content", "x", 65537,
          "text_content: expected at most 65536 bytes" },
        { "text_content", "\xe4\xb8\xad", 21846,
          "text_content: expected at most 65536 bytes" },
    };

    judge_buf_init(&body, api->arena);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        body.len = 0;
        judge_buf_c(&body, "{\"file_type\":\"text\"");
        if (strcmp(rows[i].field, "name") != 0) {
            judge_buf_c(&body, ",\"name\":\"N\"");
        }
        if (strcmp(rows[i].field, "text_content") != 0) {
            judge_buf_c(&body, ",\"text_content\":\"T\"");
        }
        judge_buf_printf(&body, ",\"%s\":\"", rows[i].field);
        for (n = 0; n < rows[i].count; n++) {
            judge_buf_c(&body, rows[i].unit);
        }
        judge_buf_append(&body, "\"}", 3);

        c = t_send(api, "POST", "/content", body.data);
        t_is_int(c->status, rows[i].detail ? 400 : 201,
                 "%s: %zu characters are taken, or too many", rows[i].field,
                 rows[i].count);
        t_is_str(t_get(c, "detail"), rows[i].detail,
                 "%s: the refusal of %zu characters tells the bound",
                 rows[i].field, rows[i].count);
    }
}


static void
test_late(t_api_t *api)
{
    const char  *judge, *content, *active;

    judge = t_judge(api, "text");
    content = t_content(api, "goes");
    api->later = true;
    active = t_evaluation(api, judge, content);

    t_is_status(t_sendf(api, "DELETE", NULL, "/content/%s", content), 204,
                "a content can be deleted while it is evaluated");
    t_run(api);                        /* its result comes too late */
    api->later = false;

    t_is_status(t_sendf(api, "GET", NULL, "/evaluations/%s", active), 404,
                "a result that comes too late brings no evaluation back");
    t_is_status(t_sendf(api, "DELETE", NULL, "/judges/%s", judge), 204,
                "nothing is active any more");
}


/* What is parsed of messages does not stay with the request. */

static void
test_messages(t_api_t *api)
{
    size_t       i;
    t_call_t    *c;
    judge_buf_t  body;

    judge_buf_init(&body, api->arena);
    judge_buf_c(&body, "{\"name\":\"N\",\"file_type\":\"text\","
                "\"messages\":[{\"role\":\"assistant\",\"tool_calls\":["
                "{\"function\":{\"name\":\"f\",\"arguments\":\"[0");
    for (i = 0; i < 200000; i++) {
        judge_buf_c(&body, ",0");
    }
    judge_buf_append(&body, "]\"}}]}]}", 9);

    api->service.settings.max_text = 1 << 20;
    c = t_send(api, "POST", "/content", body.data);
    t_run(api);
    t_is_status(c, 201, "a conversation with long arguments is taken");
    t_ok(judge_arena_size(c->req.arena) < 8 << 20,
         "the tree of the arguments is not kept: %zu bytes",
         judge_arena_size(c->req.arena));
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_refuse(api);
    test_lengths(api);
    test_late(api);
    test_messages(api);

    t_api_destroy(api);

    return t_done();
}
