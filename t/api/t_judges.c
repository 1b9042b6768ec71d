/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Judges: what is refused, races between changes, and references that come
 * later.  How they are made, read, changed, listed and deleted, and by whom,
 * is in t/judges.t. */


#include <stdio.h>
#include <string.h>

#include "harness.h"


#define BODY(rest)  "{\"name\":\"N\",\"description\":\"D\","                  \
                    "\"content_type\":\"text\"," rest "}"
#define C(rest)     BODY("\"criteria\":[{\"name\":\"Grammar\","               \
                         "\"description\":\"a\"," rest "}]")


static void
test_refuse(t_api_t *api)
{
    size_t  i;
    static const struct {
        const char  *body;
        const char  *detail;
    } rows[] = {
        { "[]", "body: expected a JSON object" },
        { "{}", "name: required, expected a non-empty string of at most 200"
                " characters" },
        { "{\"name\":\"\"}", "name: expected a non-empty string of at most"
                             " 200 characters" },
        { "{\"name\":5}", "name: expected a non-empty string of at most 200"
                          " characters" },
        { "{\"name\":\"N\"}", "description: required, expected a string of"
                              " at most 5000 characters" },
        { "{\"name\":\"N\",\"description\":\"D\"}",
          "content_type: required, expected one of text, video, audio,"
          " image" },
        { "{\"name\":\"N\",\"description\":\"D\",\"content_type\":\"Text\"}",
          "content_type: expected one of text, video, audio, image" },
        { BODY("\"x\":1"), "criteria: required, expected an array of 1 to 64"
                           " items" },
        { BODY("\"criteria\":[]"), "criteria: expected an array of 1 to 64"
                                   " items" },
        { BODY("\"criteria\":{}"), "criteria: expected an array of 1 to 64"
                                   " items" },
        { BODY("\"criteria\":[7]"), "criteria[0]: expected an object" },
        { BODY("\"criteria\":[{\"name\":\"\"}]"),
          "criteria[0].name: expected a non-empty string of at most 200"
          " characters" },
        { BODY("\"criteria\":[{\"name\":\"Grammar\",\"description\":\"\"}]"),
          "criteria[0].description: expected a non-empty string of at most"
          " 5000 characters" },
        { BODY("\"criteria\":[{\"name\":\"Grammar\"}]"),
          "criteria[0].description: required, expected a non-empty string of"
          " at most 5000 characters" },
        { BODY("\"criteria\":[{\"name\":\"Grammar\",\"description\":\"a\"},"
               "{\"name\":\"Grammar\",\"description\":\"b\"}]"),
          "criteria[1].name: expected a name that no other criterion has" },
        { C("\"weight\":0"), "criteria[0].weight: expected a number greater"
                             " than 0 and at most 1000000" },
        { C("\"weight\":-1"), "criteria[0].weight: expected a number greater"
                              " than 0 and at most 1000000" },
        { C("\"weight\":\"1\""), "criteria[0].weight: expected a number"
                                 " greater than 0 and at most 1000000" },
        { C("\"thresholds\":[]"), "criteria[0].thresholds: expected an"
                                  " object" },
        { C("\"thresholds\":{\"excellent\":90,\"good\":80,\"fair\":50}"),
          "criteria[0].thresholds.poor: required, expected a number from 0"
          " to 100" },
        { C("\"thresholds\":{\"excellent\":101,\"good\":80,\"fair\":50,"
            "\"poor\":20}"),
          "criteria[0].thresholds.excellent: expected a number from 0 to"
          " 100" },
        { C("\"thresholds\":{\"excellent\":80,\"good\":90,\"fair\":50,"
            "\"poor\":20}"),
          "criteria[0].thresholds: expected excellent, good, fair and poor in"
          " falling order" },
        { C("\"examples\":\"x\""), "criteria[0].examples: expected an array"
                                   " of at most 20 items" },
        { C("\"examples\":[\"\"]"), "criteria[0].examples[0]: expected a"
                                    " non-empty string of at most 5000"
                                    " characters" },
        { BODY("\"criteria\":[{\"name\":\"A\\u0000\",\"description\":\"a\"}]"
               ),
          "criteria[0].name: must not contain the character U+0000" },
        { BODY("\"criteria\":[{\"name\":\"Grammar\",\"description\":\"a\"}],"
               "\"reference_content_uri\":\"nothing\""),
          "reference_content_uri[0]: expected a URI that POST"
          " /v1/judges/reference_content gave" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_detail(t_send(api, "POST", "/v1/judges", rows[i].body), 400,
                    rows[i].detail, rows[i].body);
    }
}


static void
test_limits(t_api_t *api)
{
    size_t       i;
    char         name[1000];
    t_call_t    *c;
    judge_buf_t  body;

    /* 200 characters of two bytes are 200 characters. */
    for (i = 0; i < 200; i++) {
        memcpy(name + i * 2, "\xc3\xa9", 2);
    }
    memcpy(name + 400, "x", 2);

    judge_buf_init(&body, api->arena);
    judge_buf_printf(&body, "{\"name\":\"%.400s\",\"description\":\"D\","
                     "\"content_type\":\"audio\",\"criteria\":[", name);
    for (i = 0; i < 64; i++) {
        judge_buf_printf(&body, "%s{\"name\":\"c%zu\",\"description\":"
                         "\"d\"}", i ? "," : "", i);
    }
    judge_buf_append(&body, "]}", 3);

    c = t_send(api, "POST", "/judges", body.data);
    t_is_status(c, 201, "a name of 200 characters and 64 criteria are taken");
    t_is_str(t_get(c, "criteria[63].name"), "c63",
             "the last of 64 criteria is there");

    body.len -= 3;
    judge_buf_c(&body, ",{\"name\":\"z\",\"description\":\"d\"}]}");
    judge_buf_append(&body, "", 1);
    t_is_detail(t_send(api, "POST", "/judges", body.data), 400,
                "criteria: expected an array of 1 to 64 items",
                "a judge of 65 criteria is refused");

    body.len = 0;
    judge_buf_printf(&body, "{\"name\":\"%s\"}", name);
    judge_buf_append(&body, "", 1);
    t_is_status(t_send(api, "POST", "/judges", body.data), 400,
                "a name of 201 characters is refused");
}


/* All are counted in characters, of which these have three bytes. */

static void
test_lengths(t_api_t *api)
{
    size_t       i, n;
    judge_buf_t  body;
    static const struct {
        const char  *before, *behind;
        size_t       most;
    } rows[] = {
        { "{\"name\":\"N\",\"content_type\":\"text\",\"criteria\":["
          "{\"name\":\"Grammar\",\"description\":\"a\"}],\"description\":\"",
          "\"}", 5000 },
        { BODY("\"criteria\":[{\"description\":\"a\",\"name\":\""), "\"}]}",
          200 },
        { BODY("\"criteria\":[{\"name\":\"Grammar\",\"description\":\""),
          "\"}]}", 5000 },
    };

    judge_buf_init(&body, api->arena);

    for (i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        body.len = 0;
        judge_buf_c(&body, rows[i / 2].before);
        body.len -= body.data[body.len - 1] == '}';
        for (n = 0; n < rows[i / 2].most + i % 2; n++) {
            judge_buf_c(&body, "\xe4\xb8\xad");
        }
        judge_buf_c(&body, rows[i / 2].behind);
        judge_buf_append(&body, "", 1);
        t_is_int(t_send(api, "POST", "/judges", body.data)->status,
                 i % 2 ? 400 : 201, "row %zu: %zu characters are taken, or one"
                 " too many", i / 2, n);
    }
}


static void
test_versions(t_api_t *api)
{
    size_t       i;
    const char  *id;
    static const struct {
        const char  *tag;
        int          status;
    } tags[] = {
        { "\"1\"", 304 }, { "W/\"1\"", 304 }, { "*", 304 },
        { "\"7\", \"1\"", 304 }, { "1", 304 }, { "\"2\"", 200 },
        { "\"11\"", 200 }, { "", 200 }, { ",,\"", 200 }, { "W/", 200 },
    };
    static const char *const  numbers[] = {
        "0", "-1", "x", "1.5", "", "99999999999999999999", "1%zz"
    };

    id = t_judge(api, "text");

    for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
        t_header(api, JUDGE_HEADER_IF_NONE_MATCH, tags[i].tag);
        t_is_int(t_sendf(api, "GET", NULL, "/judges/%s", id)->status,
                 tags[i].status, "If-None-Match: %s matches version 1 or not",
                 tags[i].tag);
    }

    for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        t_is_int(t_sendf(api, "GET", NULL, "/judges/%s?version=%s", id,
                         numbers[i])->status, 400,
                 "version=%s is refused", numbers[i]);
        if (numbers[i][0] && i < 6) {
            t_is_int(t_sendf(api, "POST", NULL,
                             "/judges/%s/versions/%s/activate", id,
                             numbers[i])->status, 404,
                     "version %s can't be activated", numbers[i]);
        }
    }

    t_is_detail(t_sendf(api, "GET", NULL, "/judges/%s?version=2", id), 404,
                "there is no such judge, or no such version of it",
                "a version that does not exist is not found");
    t_is_detail(t_sendf(api, "GET", NULL, "/judges/%s?version=x", id), 400,
                "version: expected an integer from 1 to 2147483647",
                "the refusal of a version tells its bounds");
}


static void
test_equal(t_api_t *api)
{
    t_call_t    *c;
    const char  *id;

    id = t_judge(api, "text");
    c = t_sendf(api, "PUT", "{\"name\":\"Style\",\"criteria\":["
                "{\"name\":\"Grammar\",\"description\":\"Short sentences\"},"
                "{\"name\":\"Spelling\",\"description\":\"Correct words\","
                "\"weight\":2.0}]}", "/judges/%s", id);
    t_is_str(t_get(c, "version_number"), "1",
             "a change to equal values makes no version");

    (void) t_sendf(api, "PUT", "{\"criteria\":[{\"name\":\"Spelling\","
                   "\"description\":\"Correct words\"}]}", "/judges/%s", id);
    c = t_sendf(api, "GET", NULL, "/judges/%s", id);
    t_is_str(t_get(c, "criteria[0].weight"), "1",
             "a weight that a change leaves out is 1 again");
}


static void
test_criterion_ids(t_api_t *api)
{
    char         body[1000];
    t_call_t    *c;
    const char  *id, *first, *second;

    id = t_judge(api, "text");
    c = t_sendf(api, "GET", NULL, "/judges/%s", id);
    first = t_text(c, "criteria[0].criterion_id");
    second = t_text(c, "criteria[1].criterion_id");

    /* The names change places: ids go before names. */
    (void) snprintf(body, sizeof(body), "{\"criteria\":["
                    "{\"criterion_id\":\"%s\",\"name\":\"Spelling\","
                    "\"description\":\"x\"},{\"name\":\"Grammar\","
                    "\"description\":\"y\"}]}", first);
    t_is_status(t_sendf(api, "PUT", body, "/judges/%s", id), 200,
                "a criterion can be renamed by its identifier");
    c = t_sendf(api, "GET", NULL, "/judges/%s", id);
    t_is_str(t_get(c, "criteria[0].criterion_id"), first,
             "the identifier of a renamed criterion stays");
    t_ok(!judge_str_eq_c(t_get(c, "criteria[1].criterion_id"), first)
         && !judge_str_eq_c(t_get(c, "criteria[1].criterion_id"), second),
         "a name that was taken does not lead to the criterion");

    (void) snprintf(body, sizeof(body), "{\"criteria\":["
                    "{\"criterion_id\":\"%s\",\"name\":\"Grammar\","
                    "\"description\":\"x\"}]}", second);
    t_is_detail(t_sendf(api, "PUT", body, "/judges/%s", id), 400,
                "criteria[0].criterion_id: the judge has no such criterion",
                "an identifier of an earlier version is refused");

    (void) snprintf(body, sizeof(body), "{\"criteria\":["
                    "{\"criterion_id\":\"%s\",\"name\":\"Grammar\","
                    "\"description\":\"x\"},{\"criterion_id\":\"%s\","
                    "\"name\":\"Q\",\"description\":\"x\"}]}", first, first);
    t_is_detail(t_sendf(api, "PUT", body, "/judges/%s", id), 400,
                "criteria[1].criterion_id: expected each criterion only"
                " once", "an identifier that is there twice is refused");
}


static const char  *race_id;
static int          races;


/* Somebody else changes the judge between the read and the write. */

static void
race(t_api_t *api, judge_op_t *op)
{
    char  body[64];

    if ((op->kind == JUDGE_OP_JUDGE_UPDATE
         || op->kind == JUDGE_OP_JUDGE_DELETE) && races > 0)
    {
        races--;
        (void) snprintf(body, sizeof(body), "{\"description\":\"race %d\"}",
                        races);
        api->before = NULL;
        t_is_status(t_sendf(api, "PUT", body, "/judges/%s", race_id), 200,
                    "another client changes the judge");
        api->before = race;
    }
}


/* Or goes back to an older version. */

static void
roll_back(t_api_t *api, judge_op_t *op)
{
    if (op->kind == JUDGE_OP_JUDGE_UPDATE) {
        api->before = NULL;
        t_is_status(t_sendf(api, "POST", NULL,
                            "/judges/%s/versions/1/activate", race_id), 200,
                    "another client goes back to the first version");
    }
}


static t_call_t *
rename_to(t_api_t *api, const char *name, const char *tag)
{
    if (tag) {
        t_header(api, JUDGE_HEADER_IF_MATCH, tag);
    }

    return t_sendf(api, "PUT", judge_str_printf(api->arena, "{\"name\":"
                   "\"%s\"}", name).data, "/judges/%s", race_id);
}


static void
test_if_match(t_api_t *api)
{
    size_t     i, computed;
    t_call_t  *c;
    static const struct {
        const char  *tag, *name;
        int          status;
        const char  *holds;
    } tags[] = {
        { "W/\"1\"", "X", 412, "a weak tag does not match" },
        { "\"x\"", "X", 412, "a tag that is no version does not match" },
        { "\"\"", "X", 412, "an empty tag does not match" },
        { "\"1\"", "X", 200, "a change of the active version is taken" },
        { "*", "Y", 200, "a change of any version is taken" },
    };

    race_id = t_judge(api, "text");

    for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
        t_is_status(rename_to(api, tags[i].name, tags[i].tag),
                    tags[i].status, tags[i].holds);
    }
    t_is_detail(rename_to(api, "X", "\"2\""), 412,
                "If-Match: the judge has another version by now",
                "the refusal of a tag says why");

    api->before = race;
    races = 1;
    t_is_status(rename_to(api, "Z", "\"3\""), 412,
                "a change with If-Match that is overtaken is refused");

    races = 2;
    c = rename_to(api, "Z", NULL);
    t_is_status(c, 200,
                "a change without If-Match that is overtaken is taken");
    t_is_str(t_get(c, "version_number"), "7",
             "an overtaken change comes behind the others");
    c = t_sendf(api, "GET", NULL, "/judges/%s", race_id);
    t_is_str(t_get(c, "description"), "race 0",
             "an overtaken change keeps what others changed");

    races = 100;
    t_is_status(rename_to(api, "A", NULL), 409,
                "a change that is overtaken for ever is refused");

    api->before = NULL;
    race_id = t_judge(api, "text");
    (void) t_sendf(api, "PUT", "{\"description\":\"X\"}", "/judges/%s",
                   race_id);
    api->before = roll_back;
    t_is_status(rename_to(api, "A", "\"2\""), 412,
                "a change with If-Match of a version gone back is refused");
    computed = api->computed;
    (void) t_sendf(api, "POST", NULL, "/judges/%s/versions/2/activate",
                   race_id);
    t_is_int(api->computed - computed, 1,
             "criteria of the version that is activated are read in a thread");
    api->before = roll_back;
    (void) rename_to(api, "A", NULL);
    c = t_sendf(api, "GET", NULL, "/judges/%s", race_id);
    t_is_str(t_get(c, "description"), "How it is written",
             "a change without If-Match is made to what is active");
}


static t_call_t *
remove_judge(t_api_t *api, const char *tag)
{
    t_header(api, JUDGE_HEADER_IF_MATCH, tag);

    return t_sendf(api, "DELETE", NULL, "/judges/%s", race_id);
}


static void
test_delete_if_match(t_api_t *api)
{
    race_id = t_judge(api, "text");
    t_is_detail(remove_judge(api, "\"2\""), 412,
                "If-Match: the judge has another version by now",
                "a judge of another version is not deleted");

    api->before = race;
    races = 1;
    t_is_status(remove_judge(api, "\"1\""), 412,
                "a deletion with If-Match that is overtaken is refused");
    api->before = NULL;
    t_is_status(t_sendf(api, "GET", NULL, "/judges/%s", race_id), 200,
                "a judge that was changed meanwhile stays");
    t_is_status(remove_judge(api, "\"1\", \"2\""), 204,
                "a judge of a version that If-Match names is deleted");
    t_is_status(remove_judge(api, "\"2\""), 404,
                "a deleted judge is not found, whatever If-Match names");
}


/* A promised place for a reference: its URI, and where the file goes to. */

static const char *
reference(t_api_t *api, const char **path)
{
    t_call_t  *c;

    c = t_send(api, "POST", "/v1/judges/reference_content",
               "{\"file_extension\":\"txt\"}");
    t_is_status(c, 201, "a place for a reference is promised");
    *path = t_text(c, "upload_url") + strlen("http://127.0.0.1");

    return t_text(c, "reference_content_uri");
}


static void
put_reference(t_api_t *api, const char *path, const char *text)
{
    api->no_key = true;
    t_header(api, JUDGE_HEADER_CONTENT_TYPE, "text/plain");
    t_is_status(t_send(api, "PUT", path, text), 200,
                "the file of a reference is taken");
    t_tick(api, 1000);                 /* it is read */
}


static void
test_references(t_api_t *api)
{
    t_call_t    *c;
    judge_str_t  body;
    const char  *id, *one, *two, *file_one, *file_two;

    one = reference(api, &file_one);
    two = reference(api, &file_two);

    body = judge_str_printf(api->arena, BODY("\"criteria\":[{\"name\":"
               "\"A\",\"description\":\"a\"}],"
               "\"reference_content_uri\":\"%s\""), one);
    c = t_send(api, "POST", "/judges", body.data);
    t_is_status(c, 201, "a judge with a reference can be created");
    t_is_str(t_get(c, "status"), "learning",
             "a judge whose reference has not come is learning");
    body = judge_str_printf(api->arena, "[\"%s\"]", one);
    t_is_str(t_get(c, "reference_content_uri"), body.data,
             "a judge shows its references");
    id = t_text(c, "judge_id");

    put_reference(api, file_one, "A text as it should be.");
    c = t_sendf(api, "GET", NULL, "/judges/%s", id);
    t_is_str(t_get(c, "status"), "ready",
             "a judge whose reference has come is ready");

    body = judge_str_printf(api->arena,
               "{\"reference_content_uri\":[\"%s\",\"%s\"]}", one, two);
    (void) t_sendf(api, "PUT", body.data, "/judges/%s", id);
    c = t_sendf(api, "GET", NULL, "/judges/%s", id);
    t_is_str(t_get(c, "status"), "learning",
             "a judge with one more reference is learning");

    (void) t_sendf(api, "PUT", "{\"reference_content_uri\":[]}",
                   "/judges/%s", id);
    c = t_sendf(api, "GET", NULL, "/judges/%s", id);
    t_is_str(t_get(c, "version_number"), "3",
             "each change of references makes a version");
    t_is_str(t_get(c, "status"), "ready",
             "a judge without references left is ready");
    t_ok(t_get(c, "reference_content_uri").data == NULL,
         "a judge without references shows none");
}


/* What the change read before it was overtaken must be forgotten. */

static void
test_references_race(t_api_t *api)
{
    size_t       i;
    judge_buf_t  uris;
    const char  *path;

    judge_buf_init(&uris, api->arena);
    for (i = 0; i < JUDGE_REFERENCES_MAX; i++) {
        judge_buf_printf(&uris, "%s\"%s\"", i ? "," : "",
                         reference(api, &path));
    }

    race_id = t_text(t_send(api, "POST", "/judges", judge_str_printf(
        api->arena, BODY("\"criteria\":[{\"name\":\"A\","
            "\"description\":\"a\"}],\"reference_content_uri\":[%.*s]"),
        (int) uris.len, uris.data).data), "judge_id");

    api->before = race;
    races = 1;
    t_is_status(rename_to(api, "A", NULL), 200,
                "a change of a judge with many references that is overtaken"
                " is taken");
    api->before = NULL;
}


/* A judge with so many schemas of a hundred patterns each, which are short but
 * need much memory. */

static t_call_t *
patterns(t_api_t *api, size_t schemas)
{
    size_t       i;
    judge_buf_t  checks;

    judge_buf_init(&checks, api->arena);

    for (i = 0; i < 100 * schemas; i++) {
        if (i % 100 == 0) {
            judge_buf_printf(&checks, "%s{\"type\":\"json_schema\","
                             "\"value\":{\"allOf\":[", i ? "]}}," : "");
        }
        judge_buf_printf(&checks, "%s{\"pattern\":\"(?:abc){500}\"}",
                         i % 100 ? "," : "");
    }

    return t_send(api, "POST", "/judges/check", judge_str_printf(api->arena,
                  C("\"checks\":[%.*s]}}]"), (int) checks.len,
                  checks.data).data);
}


static void
test_patterns(t_api_t *api)
{
    t_call_t  *c;

    t_is_status(patterns(api, 1), 200,
                "a judge with a hundred large patterns is taken");
    c = patterns(api, 20);
    t_is_status(c, 400, "a judge with too many large patterns is refused");
    t_ok(t_has(c, "]: expected fewer or simpler patterns and schemas; those"
                  " up to this one need more than 16 MB"),
         "the refusal of too many patterns says how much memory they may"
         " need");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_refuse(api);
    test_limits(api);
    test_lengths(api);
    test_versions(api);
    test_equal(api);
    test_criterion_ids(api);
    test_if_match(api);
    test_delete_if_match(api);
    test_references(api);
    test_references_race(api);
    test_patterns(api);

    t_api_destroy(api);

    return t_done();
}
