/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Contents: making, reading, listing, deleting. */


#include <stdlib.h>
#include <string.h>

#include "harness.h"


#define BODY(rest)                                                            \
    "{\"name\":\"N\",\"file_type\":\"text\",\"text_content\":\"T\"," rest "}"


static void
test_create(t_api_t *api)
{
    t_call_t    *c;
    const char  *id;

    c = t_send(api, "POST", "/v1/content",
               "{\"name\":\"Note\",\"file_type\":\"text\",\"text_content\":"
               "\"na\\u00efve \\ud83d\\ude00\",\"description\":\"D\","
               "\"metadata\":{\"source\":\"s\",\"n\":[1,2.5,null]}}");
    t_is_status(c, 201, "a content can be created");
    id = t_text(c, "id");
    t_ok(judge_id_wellformed(judge_str_c(id), "cnt"),
         "a content has an identifier");

    c = t_sendf(api, "GET", NULL, "/content/%s", id);
    t_is_status(c, 200, "a content can be read");
    t_is_str(t_get(c, "id"), id, "a content that is read has its identifier");
    t_is_str(t_get(c, "name"), "Note", "a content has its name");
    t_is_str(t_get(c, "description"), "D", "a content has its description");
    t_is_str(t_get(c, "file_type"), "text", "a content has its type");
    t_is_str(t_get(c, "status"), "ready", "a text is ready at once");
    t_is_str(t_get(c, "size"), "11", "the size of a text is in bytes");
    t_is_str(t_get(c, "text_content"), "na\xc3\xafve \xf0\x9f\x98\x80",
             "a text is kept with all its characters");
    t_is_str(t_get(c, "metadata"), "{\"source\":\"s\",\"n\":[1,2.5,null]}",
             "the metadata are kept as they were sent");
    t_is_str(t_get(c, "created_at"), "2026-05-28T20:26:40.000Z",
             "a content has the time of its creation");

    c = t_send(api, "POST", "/content", BODY("\"x\":1"));
    t_is_status(c, 201, "a content can be created of what is required only");
    t_ok(!t_get(c, "description").data && !t_get(c, "metadata").data
         && !t_get(c, "file_url").data, "optional fields are left out");
}


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


static void
test_limit(t_api_t *api)
{
    char        *text;
    size_t       max;
    judge_buf_t  body;

    max = api->service.settings.max_text;
    text = malloc(max + 2);
    memset(text, 'x', max + 1);
    text[max + 1] = '\0';

    judge_buf_init(&body, api->arena);
    judge_buf_printf(&body, "{\"name\":\"N\",\"file_type\":\"text\","
                     "\"text_content\":\"%s\"}", text + 1);
    judge_buf_append(&body, "", 1);
    t_is_status(t_send(api, "POST", "/content", body.data), 201,
                "a text of the greatest length is taken");

    body.len = 0;
    judge_buf_printf(&body, "{\"name\":\"N\",\"file_type\":\"text\","
                     "\"text_content\":\"%s\"}", text);
    judge_buf_append(&body, "", 1);
    t_is_detail(t_send(api, "POST", "/content", body.data), 400,
                "text_content: expected at most 65536 bytes",
                "a text with a byte more is refused");

    free(text);
}


static void
test_list(t_api_t *api)
{
    t_call_t    *c;
    const char  *one, *two, *three;

    t_api_organization(api);
    one = t_content(api, "one");
    two = t_content(api, "two");
    three = t_content(api, "three");

    c = t_send(api, "GET", "/content?limit=2", NULL);
    t_is_status(c, 200, "a page of contents can be listed");
    t_is_str(t_get(c, "contents[0].id"), three,
             "the newest content comes first");
    t_is_str(t_get(c, "contents[1].id"), two,
             "the next newest content comes second");
    t_ok(t_get(c, "contents[0].text_content").data == NULL,
         "a list of contents is without texts");
    c = t_sendf(api, "GET", NULL, "/content?limit=2&cursor=%s",
                t_text(c, "next_cursor"));
    t_is_str(t_get(c, "contents[0].id"), one,
             "the next page has the oldest content");
    t_ok(!t_get(c, "contents[1]").data && !t_get(c, "next_cursor").data,
         "the last page has no cursor");

    c = t_send(api, "GET", "/content?file_type=text&status=ready", NULL);
    t_ok(t_get(c, "contents[2]").data,
         "all contents that fulfil the filters are listed");
    c = t_send(api, "GET", "/content?file_type=video", NULL);
    t_is_str(t_get(c, "contents"), "[]",
             "contents of another type are not listed");
    c = t_send(api, "GET", "/content?status=error", NULL);
    t_is_str(t_get(c, "contents"), "[]",
             "contents of another status are not listed");
    t_is_detail(t_send(api, "GET", "/content?status=x", NULL), 400,
                "status: expected one of uploaded, processing, ready, error",
                "a status that does not exist is refused");
}


static void
test_delete(t_api_t *api)
{
    t_call_t    *c;
    const char  *judge, *content, *other, *ended, *active, *kept;

    judge = t_judge(api, "text");
    content = t_content(api, "goes");
    other = t_content(api, "stays");
    ended = t_evaluation(api, judge, content);
    kept = t_evaluation(api, judge, other);
    api->later = true;
    active = t_evaluation(api, judge, content);

    c = t_sendf(api, "DELETE", NULL, "/content/%s", content);
    t_is_status(c, 204, "a content can be deleted");
    t_run(api);                        /* its result comes too late */
    api->later = false;

    t_is_status(t_sendf(api, "DELETE", NULL, "/content/%s", content), 404,
                "a content can be deleted once");
    t_is_detail(t_sendf(api, "GET", NULL, "/content/%s", content), 404,
                "there is no such content", "a deleted content can't be read");
    t_is_status(t_sendf(api, "GET", NULL, "/evaluations/%s", ended), 404,
                "an evaluation of a deleted content has gone with it");
    t_is_status(t_sendf(api, "GET", NULL, "/evaluations/%s", active), 404,
                "an active evaluation of a deleted content has gone, too");
    t_is_status(t_sendf(api, "GET", NULL, "/evaluations/%s", kept), 200,
                "an evaluation of another content is kept");
    t_is_status(t_sendf(api, "GET", NULL, "/content/%s", other), 200,
                "another content is kept");
    t_is_status(t_sendf(api, "DELETE", NULL, "/judges/%s", judge), 204,
                "nothing is active any more");
}


static void
test_other_organization(t_api_t *api)
{
    t_call_t    *c;
    const char  *id;

    id = t_content(api, "mine");
    t_api_organization(api);

    t_is_detail(t_sendf(api, "GET", NULL, "/content/%s", id), 404,
                "there is no such content",
                "another organization's content can't be read");
    t_is_detail(t_sendf(api, "DELETE", NULL, "/content/%s", id), 404,
                "there is no such content",
                "another organization's content can't be deleted");
    t_is_detail(t_send(api, "GET", "/content/nothing", NULL), 404,
                "there is no such content",
                "what is no identifier is not found");
    c = t_send(api, "GET", "/content", NULL);
    t_is_str(t_get(c, "contents"), "[]",
             "another organization's contents are not listed");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_create(api);
    test_refuse(api);
    test_limit(api);
    test_list(api);
    test_delete(api);
    test_other_organization(api);

    t_api_destroy(api);

    return t_done();
}
