/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Judges: making, reading, versions, listing, deleting. */


#include <stdio.h>
#include <string.h>

#include "harness.h"


#define BODY(rest)  "{\"name\":\"N\",\"description\":\"D\","                  \
                    "\"content_type\":\"text\"," rest "}"
#define C(rest)     BODY("\"criteria\":[{\"name\":\"Grammar\","               \
                         "\"description\":\"a\"," rest "}]")


static void
test_create(t_api_t *api)
{
    t_call_t  *c;

    c = t_send(api, "POST", "/api-key/judges",
               "{\"name\":\"Essay\",\"description\":\"\",\"content_type\":"
               "\"text\",\"unknown\":[1],\"criteria\":[{\"name\":\"Grammar\","
               "\"description\":\"Is it clear?\"},{\"name\":\"Spelling\","
               "\"description\":\"Does it reason?\",\"weight\":2.5,"
               "\"criterion_id\":\"mine\",\"examples\":[\"because\"],"
               "\"thresholds\":{\"excellent\":90,\"good\":75,\"fair\":50,"
               "\"poor\":25.5}}]}");
    t_is_status(c, 201, "a judge can be created");
    t_ok(judge_id_wellformed(t_get(c, "judge_id"), "jdg"),
         "a judge has an identifier");
    t_is_str(t_get(c, "name"), "Essay", "a judge has its name");
    t_is_str(t_get(c, "description"), "", "a description may be empty");
    t_is_str(t_get(c, "status"), "ready",
             "a judge without references is ready");
    t_is_str(t_get(c, "created_at"), "2026-05-28T20:26:40.000Z",
             "a judge has the time of its creation");
    t_is_str(t_get(c, "version_number"), "1", "a new judge is of version 1");
    t_is_str(t_answer_header(c, "ETag"), "\"1\"", "the ETag is the version");
    t_ok(judge_id_wellformed(t_get(c, "criteria[0].criterion_id"), "crt"),
         "a criterion gets an identifier");
    t_ok(judge_id_wellformed(t_get(c, "criteria[1].criterion_id"), "crt"),
         "a client's identifier of a criterion is replaced");
    t_is_str(t_get(c, "criteria[0].weight"), "1", "a weight is 1 by default");
    t_is_str(t_get(c, "criteria[1].weight"), "2.5",
             "a criterion has the weight that was given");
    t_is_str(t_get(c, "criteria[1].thresholds"),
             "{\"excellent\":90,\"good\":75,\"fair\":50,\"poor\":25.5}",
             "a criterion has its thresholds");
    t_is_str(t_get(c, "criteria[1].examples"), "[\"because\"]",
             "a criterion has its examples");
    t_ok(t_get(c, "criteria[0].thresholds").data == NULL,
         "a criterion without thresholds shows none");
}


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


static void
test_read(t_api_t *api)
{
    size_t       i;
    t_call_t    *c;
    const char  *id;
    static const struct {
        const char  *tag;
        int          status;
    } tags[] = {
        { "\"1\"", 304 }, { "W/\"1\"", 304 }, { "*", 304 },
        { "\"7\", \"1\"", 304 }, { "1", 304 }, { "\"2\"", 200 },
        { "\"11\"", 200 }, { "", 200 }, { ",,\"", 200 }, { "W/", 200 },
    };

    id = t_judge(api, "text");

    c = t_sendf(api, "GET", NULL, "/judges/%s", id);
    t_is_status(c, 200, "a judge can be read");
    t_is_str(t_get(c, "judge_id"), id,
             "a judge that is read has its identifier");
    t_is_str(t_get(c, "content_type"), "text",
             "a judge that is read has its type of content");
    t_is_str(t_get(c, "is_active"), "true", "a judge that is read is active");
    t_is_str(t_answer_header(c, "ETag"), "\"1\"",
             "a judge that is read has its version as ETag");

    t_is_status(t_sendf(api, "GET", NULL, "/v1/api-key/judges/%s", id), 200,
                "a judge can be read on the other path");
    t_is_status(t_sendf(api, "HEAD", NULL, "/judges/%s", id), 200,
                "a judge can be asked for with HEAD");

    for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
        t_header(api, JUDGE_HEADER_IF_NONE_MATCH, tags[i].tag);
        c = t_sendf(api, "GET", NULL, "/judges/%s", id);
        t_is_status(c, tags[i].status, tags[i].tag);
    }

    t_is_status(t_sendf(api, "GET", NULL, "/judges/%s?version=1", id), 200,
                "a version of a judge can be read");
    t_is_detail(t_sendf(api, "GET", NULL, "/judges/%s?version=2", id), 404,
                "there is no such judge, or no such version of it",
                "a version that does not exist is not found");
    t_is_detail(t_sendf(api, "GET", NULL, "/judges/%s?version=x", id), 400,
                "version: expected an integer from 1 to 2147483647",
                "a version that is no number is refused");
    t_is_detail(t_send(api, "GET", "/judges/jdg_01J00000000000000000000000",
                       NULL), 404, "there is no such judge",
                "a judge that does not exist is not found");
    t_is_detail(t_send(api, "GET", "/judges/xyz", NULL), 404,
                "there is no such judge",
                "what is no identifier is not found");
}


static void
test_update(t_api_t *api)
{
    t_call_t    *c;
    const char  *id, *first, *second;

    id = t_judge(api, "text");
    c = t_sendf(api, "GET", NULL, "/judges/%s", id);
    first = t_text(c, "criteria[0].criterion_id");
    second = t_text(c, "criteria[1].criterion_id");

    api->now += 1000;
    c = t_sendf(api, "PUT", "{}", "/judges/%s", id);
    t_is_status(c, 200, "a change of nothing is taken");
    t_is_str(t_get(c, "id"), id, "a change names its judge");
    t_is_str(t_get(c, "updated_at"), "2026-05-28T20:26:40.000Z",
             "a change of nothing keeps the time of the last change");
    t_is_str(t_get(c, "message"), "version 1 stays active: no changes, so no"
             " new version was made",
             "the message says that no version was made");
    t_is_status(t_sendf(api, "PUT", NULL, "/judges/%s", id), 200,
                "a change without a body is taken");

    c = t_sendf(api, "PUT", "{\"name\":\"Style\",\"criteria\":["
                "{\"name\":\"Grammar\",\"description\":\"Short sentences\"},"
                "{\"name\":\"Spelling\",\"description\":\"Correct words\","
                "\"weight\":2.0}]}", "/judges/%s", id);
    t_is_str(t_get(c, "version_number"), "1",
             "a change to equal values makes no version");

    c = t_sendf(api, "PUT", "{\"name\":\"Voice\",\"criteria\":["
                "{\"name\":\"Spelling\",\"description\":\"Correct words\"},"
                "{\"name\":\"New\",\"description\":\"x\"}]}", "/judges/%s",
                id);
    t_is_status(c, 200, "a change of name and criteria is taken");
    t_is_str(t_get(c, "message"), "version 2 was made and is active",
             "the message says that a version was made");
    t_is_str(t_get(c, "updated_at"), "2026-05-28T20:26:41.000Z",
             "a change has the time at which it was made");
    t_is_str(t_answer_header(c, "ETag"), "\"2\"",
             "the ETag is the new version");

    c = t_sendf(api, "GET", NULL, "/judges/%s", id);
    t_is_str(t_get(c, "name"), "Voice", "a changed judge has its new name");
    t_is_str(t_get(c, "description"), "How it is written",
             "a description that was not changed stays");
    t_is_str(t_get(c, "criteria[0].criterion_id"), second,
             "a criterion keeps its identifier by its name");
    t_is_str(t_get(c, "criteria[0].weight"), "1",
             "the weight of a criterion is replaced");
    t_ok(judge_id_wellformed(t_get(c, "criteria[1].criterion_id"), "crt")
         && !judge_str_eq_c(t_get(c, "criteria[1].criterion_id"), first),
         "a new criterion has a new identifier");

    c = t_sendf(api, "GET", NULL, "/judges/%s?version=1", id);
    t_is_str(t_get(c, "name"), "Style", "the version before a change is kept");
    t_is_str(t_get(c, "is_active"), "false",
             "the version before a change is not active");
    t_is_str(t_get(c, "criteria[0].criterion_id"), first,
             "the version before a change has its criteria");

    c = t_sendf(api, "GET", NULL, "/judges/%s/versions", id);
    t_is_status(c, 200, "the versions of a judge can be listed");
    t_is_str(t_get(c, "current_version"), "2",
             "the list names the current version");
    t_is_str(t_get(c, "versions[0].version_number"), "2",
             "the newest version comes first");
    t_is_str(t_get(c, "versions[0].is_active"), "true",
             "the newest version is active");
    t_is_str(t_get(c, "versions[0].criteria_count"), "2",
             "a listed version has its number of criteria");
    t_is_str(t_get(c, "versions[0].created_at"), "2026-05-28T20:26:41.000Z",
             "a listed version has its time");
    t_is_str(t_get(c, "versions[0].changes_summary"),
             "renamed from \"Style\" to \"Voice\"; removed criterion"
             " \"Grammar\"; changed the weight of \"Spelling\" from 2 to 1;"
             " added criterion \"New\"",
             "a listed version says what has changed");
    t_is_str(t_get(c, "versions[1].is_active"), "false",
             "an older version is listed as not active");
    t_is_str(t_get(c, "versions[1].changes_summary"), "initial version",
             "the first version is listed as such");
    t_ok(t_get(c, "versions[2]").data == NULL,
         "there are no more versions than were made");
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

    if (op->kind == JUDGE_OP_JUDGE_UPDATE && races > 0) {
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


static void
test_if_match(t_api_t *api)
{
    t_call_t  *c;

    race_id = t_judge(api, "text");

    t_header(api, JUDGE_HEADER_IF_MATCH, "\"2\"");
    t_is_detail(t_sendf(api, "PUT", "{\"name\":\"X\"}", "/judges/%s",
                        race_id), 412,
                "If-Match: the judge has another version by now",
                "a change of another version is refused");
    t_header(api, JUDGE_HEADER_IF_MATCH, "W/\"1\"");
    t_is_status(t_sendf(api, "PUT", "{\"name\":\"X\"}", "/judges/%s",
                        race_id), 412, "a weak tag does not match");
    t_header(api, JUDGE_HEADER_IF_MATCH, "\"1\"");
    t_is_status(t_sendf(api, "PUT", "{\"name\":\"X\"}", "/judges/%s",
                        race_id), 200,
                "a change of the version that is there is taken");
    t_header(api, JUDGE_HEADER_IF_MATCH, "*");
    t_is_status(t_sendf(api, "PUT", "{\"name\":\"Y\"}", "/judges/%s",
                        race_id), 200, "a change of any version is taken");

    api->before = race;
    races = 1;
    t_header(api, JUDGE_HEADER_IF_MATCH, "\"3\"");
    t_is_status(t_sendf(api, "PUT", "{\"name\":\"Z\"}", "/judges/%s",
                        race_id), 412,
                "a change with If-Match that is overtaken is refused");

    races = 2;
    c = t_sendf(api, "PUT", "{\"name\":\"Z\"}", "/judges/%s", race_id);
    t_is_status(c, 200,
                "a change without If-Match that is overtaken is taken");
    t_is_str(t_get(c, "version_number"), "7",
             "an overtaken change comes behind the others");
    c = t_sendf(api, "GET", NULL, "/judges/%s", race_id);
    t_is_str(t_get(c, "description"), "race 0",
             "an overtaken change keeps what others changed");

    races = 100;
    t_is_status(t_sendf(api, "PUT", "{\"name\":\"A\"}", "/judges/%s",
                        race_id), 409,
                "a change that is overtaken for ever is refused");

    api->before = NULL;
    race_id = t_judge(api, "text");
    (void) t_sendf(api, "PUT", "{\"description\":\"X\"}", "/judges/%s",
                   race_id);
    api->before = roll_back;
    t_header(api, JUDGE_HEADER_IF_MATCH, "\"2\"");
    t_is_status(t_sendf(api, "PUT", "{\"name\":\"A\"}", "/judges/%s",
                        race_id), 412,
                "a change with If-Match of a version gone back is refused");
    (void) t_sendf(api, "POST", NULL, "/judges/%s/versions/2/activate",
                   race_id);
    api->before = roll_back;
    (void) t_sendf(api, "PUT", "{\"name\":\"A\"}", "/judges/%s", race_id);
    c = t_sendf(api, "GET", NULL, "/judges/%s", race_id);
    t_is_str(t_get(c, "description"), "How it is written",
             "a change without If-Match is made to what is active");
}


static void
test_activate(t_api_t *api)
{
    t_call_t    *c;
    const char  *id;

    id = t_judge(api, "text");
    (void) t_sendf(api, "PUT", "{\"name\":\"Two\"}", "/judges/%s", id);

    api->now += 5000;
    c = t_sendf(api, "POST", NULL, "/judges/%s/versions/1/activate", id);
    t_is_status(c, 200, "the first version can be activated again");
    t_is_str(t_get(c, "message"), "version 1 is active",
             "the message says which version is active");
    t_is_str(t_answer_header(c, "ETag"), "\"1\"",
             "the ETag is the version that was activated");
    c = t_sendf(api, "GET", NULL, "/judges/%s", id);
    t_is_str(t_get(c, "name"), "Style", "an activated version has its name");
    t_is_str(t_get(c, "version_number"), "1",
             "an activated version has its number");

    c = t_sendf(api, "POST", NULL, "/judges/%s/versions/1/activate", id);
    t_is_str(t_get(c, "message"), "version 1 was active already",
             "a version that is active can be activated again");

    c = t_sendf(api, "PUT", "{\"name\":\"Three\"}", "/judges/%s", id);
    t_is_str(t_get(c, "version_number"), "3",
             "the version behind an activated one has the next number");
    c = t_sendf(api, "GET", NULL, "/judges/%s/versions", id);
    t_is_str(t_get(c, "versions[0].changes_summary"),
             "renamed from \"Style\" to \"Three\"",
             "changes are told against the version that was active");

    t_is_status(t_sendf(api, "POST", NULL, "/judges/%s/versions/4/activate",
                        id), 404,
                "a version that does not exist can't be activated");
    t_is_status(t_sendf(api, "POST", NULL, "/judges/%s/versions/0/activate",
                        id), 404, "version 0 can't be activated");
    t_is_status(t_sendf(api, "POST", NULL,
                        "/judges/%s/versions/99999999999999999999/activate",
                        id), 404,
                "a number that is too large can't be activated");
    t_is_status(t_send(api, "POST", "/judges/jdg_01J00000000000000000000000"
                       "/versions/1/activate", NULL), 404,
                "a judge that does not exist can't be activated");
}


static void
test_list(t_api_t *api)
{
    int          i;
    t_call_t    *c;
    const char  *text, *cursor;

    t_api_organization(api);
    c = t_send(api, "GET", "/judges", NULL);
    t_is_str(t_get(c, "judges"), "[]", "another organization has no judges");
    t_ok(t_get(c, "next_cursor").data == NULL, "an empty list has no cursor");

    text = t_judge(api, "text");
    for (i = 0; i < 5; i++) {
        (void) t_judge(api, "video");
    }

    c = t_send(api, "GET", "/judges?limit=4", NULL);
    t_ok(t_get(c, "judges[3]").data && !t_get(c, "judges[4]").data,
         "a page has four judges if four are asked for");
    cursor = t_text(c, "next_cursor");

    (void) t_judge(api, "video");      /* does not move the next page */
    c = t_sendf(api, "GET", NULL, "/judges?cursor=%s&limit=4", cursor);
    t_is_str(t_get(c, "judges[1].judge_id"), text,
             "the oldest judge comes last");
    t_ok(t_get(c, "next_cursor").data == NULL,
         "the last page of judges has no cursor");

    c = t_send(api, "GET", "/judges?content_type=text", NULL);
    t_is_str(t_get(c, "judges[0].judge_id"), text,
             "judges are listed by their type of content");
    t_ok(t_get(c, "judges[1]").data == NULL,
         "judges of another type are not listed");
    c = t_send(api, "GET", "/judges?status=learning", NULL);
    t_is_str(t_get(c, "judges"), "[]", "judges are listed by their status");

    t_is_detail(t_send(api, "GET", "/judges?content_type=x", NULL), 400,
                "content_type: expected one of text, video, audio, image",
                "a type of content that does not exist is refused");
    t_is_detail(t_send(api, "GET", "/judges?limit=201", NULL), 400,
                "limit: expected an integer from 1 to 200",
                "a limit of more than 200 is refused");
}


static void
test_delete(t_api_t *api)
{
    const char  *id, *content, *evaluation;

    id = t_judge(api, "text");
    content = t_content(api, "A text that is judged.");

    api->later = true;
    evaluation = t_evaluation(api, id, content);
    t_is_detail(t_sendf(api, "DELETE", NULL, "/judges/%s", id), 409,
                "evaluations of this judge are under way; delete it when they"
                " have ended", "a judge that is at work can't be deleted");
    t_run(api);
    api->later = false;

    t_is_status(t_sendf(api, "DELETE", NULL, "/judges/%s", id), 204,
                "a judge that is not in use can be deleted");
    t_is_status(t_sendf(api, "DELETE", NULL, "/judges/%s", id), 404,
                "a judge can be deleted once");
    t_is_status(t_sendf(api, "GET", NULL, "/judges/%s", id), 404,
                "a deleted judge can't be read");
    t_is_status(t_sendf(api, "GET", NULL, "/judges/%s/versions", id), 404,
                "the versions of a deleted judge can't be listed");
    t_is_status(t_sendf(api, "PUT", "{\"name\":\"X\"}", "/judges/%s", id),
                404, "a deleted judge can't be changed");
    t_is_status(t_sendf(api, "GET", NULL, "/evaluations/%s", evaluation),
                200, "evaluations of a deleted judge can still be read");
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


static void
test_other_organization(t_api_t *api)
{
    size_t       i;
    const char  *id;
    static const struct {
        const char  *method, *tail, *body;
    } rows[] = {
        { "GET", "", NULL }, { "GET", "?version=1", NULL },
        { "PUT", "", "{\"name\":\"X\"}" }, { "DELETE", "", NULL },
        { "GET", "/versions", NULL },
        { "POST", "/versions/1/activate", NULL },
    };

    id = t_judge(api, "text");
    t_api_organization(api);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_int(t_sendf(api, rows[i].method, rows[i].body, "/judges/%s%s",
                         id, rows[i].tail)->status, 404,
                 "%s %s of another organization's judge is not found",
                 rows[i].method, rows[i].tail);
    }
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_create(api);
    test_refuse(api);
    test_limits(api);
    test_read(api);
    test_update(api);
    test_criterion_ids(api);
    test_if_match(api);
    test_activate(api);
    test_list(api);
    test_delete(api);
    test_references(api);
    test_other_organization(api);

    t_api_destroy(api);

    return t_done();
}
