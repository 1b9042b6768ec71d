/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Results that external workers bring: what is refused, how long a signature
 * holds, what is filled in.  What is taken and kept is in t/social.t and
 * t/work_results.t. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crypto/signature.h"
#include "harness.h"
#include "store/store_settings.h"


#define PATH    "/api/video-evaluations/callback"
#define SECRET  "whsec_x"              /* of the harness's organizations */

typedef struct {
    const char  *judge;
    const char  *evaluation;
    const char  *content;
    const char  *criteria[2];          /* identifiers; weights 1 and 2 */
} t_video_t;


/* An evaluation by a judge with the criteria Grammar and Spelling. */

static t_video_t
video_by(t_api_t *api, const char *judge)
{
    t_call_t     *c;
    t_video_t     v;
    judge_str_t   body;

    v.judge = judge;
    c = t_sendf(api, "GET", NULL, "/judges/%s", v.judge);
    v.criteria[0] = t_text(c, "criteria[0].criterion_id");
    v.criteria[1] = t_text(c, "criteria[1].criterion_id");

    body = judge_str_printf(api->arena, "{\"judge_id\":\"%s\",\"urls\":"
               "[\"https://vimeo.com/76979871\"]}", v.judge);
    c = t_send(api, "POST", "/evaluations/social-media", body.data);
    v.evaluation = t_text(c, "items[0].evaluation_id");
    v.content = t_text(c, "items[0].content_id");

    return v;
}


static t_video_t
video(t_api_t *api)
{
    return video_by(api, t_judge(api, "video"));
}


static t_call_t *
report_signed(t_api_t *api, const char *body, const char *secret)
{
    judge_str_t  signature;

    signature = judge_signature_hex(api->arena, judge_str_c(secret),
                                    judge_str_c(body));
    t_header(api, JUDGE_HEADER_X_WEBHOOK_SIGNATURE, signature.data);
    api->no_key = true;

    return t_send(api, "POST", PATH, body);
}


/* A report whose fields behind content_id are `rest`. */

static t_call_t *
report(t_api_t *api, const t_video_t *v, const char *rest)
{
    judge_str_t  body;

    body = judge_str_printf(api->arena, "{\"evaluation_id\":\"%s\","
               "\"content_id\":\"%s\",%s}", v->evaluation, v->content, rest);

    return report_signed(api, body.data, SECRET);
}


static const char *
scores(t_api_t *api, const t_video_t *v, const char *overall,
    const char *first, const char *second)
{
    return judge_str_printf(api->arena, "\"status\":\"completed\","
               "\"results\":{%s\"criteria_scores\":["
               "{\"criterion_id\":\"%s\",\"name\":\"Grammar\",\"score\":%s,"
               "\"feedback\":\"Sharp.\"},"
               "{\"criterion_id\":\"%s\",\"score\":%s}],"
               "\"strengths\":[\"The light\"],"
               "\"processing_metadata\":{\"duration\":12.5,\"resolution\":"
               "{\"width\":1920,\"height\":1080},\"processing_time\":3}},"
               "\"callback_metadata\":{\"timestamp\":"
               "\"2026-05-28T20:26:40+02:00\",\"source_service\":\"eye\","
               "\"retry_count\":1}", overall, v->criteria[0], first,
               v->criteria[1], second).data;
}


static void
test_completed(t_api_t *api)
{
    t_call_t     *c, *again;
    t_video_t     v;
    const char   *body;
    judge_str_t   record;

    v = video(api);
    body = scores(api, &v, "\"overall_score\":80,", "60", "90.005");
    api->now += 1000;
    c = report(api, &v, body);
    t_is_status(c, 200, "a result is taken");

    c = t_sendf(api, "GET", NULL, "/evaluations/%s", v.evaluation);
    record = c->body;
    t_is_str(t_get(c, "summary"), "Overall 80 of 100; highest Spelling"
             " (90.01), lowest Grammar (60).",
             "a result without a summary gets one");
    t_are(c, "criteria_scores[1].name Spelling|criteria_scores[1].score 90.01"
          "|weaknesses []", "what a result leaves out is filled in");
    t_is_str(t_get(c, "criteria_scores[1].feedback"), "",
             "a criterion without feedback has none");
    t_are(c, "provenance.model eye|evaluation_duration_sec 1",
          "the record has the worker's service, and the time until it came");

    api->now += 60000;
    again = report(api, &v, body);
    t_is_status(again, 200, "a result can be sent twice");
    again = report(api, &v, scores(api, &v, "\"overall_score\":80,", "60",
                                   "90"));
    t_is_status(again, 409, "another result for the same evaluation is"
                            " refused");
    again = report(api, &v, "\"status\":\"failed\"");
    t_is_status(again, 409,
                "another status for the same evaluation is refused");
    t_tick(api, api->service.settings.callback_deadline);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", v.evaluation);
    t_ok(judge_str_eq(c->body, record),
         "the deadline of an ended evaluation changes nothing");
    t_is_int((long long) judge_metrics_get(api->service.metrics,
                                           JUDGE_METRIC_COMPLETED), 1,
             "a repeated result is counted once");
}


static void
test_failed(t_api_t *api)
{
    t_call_t   *c;
    t_video_t   v;

    v = video(api);
    t_is_status(report(api, &v, "\"status\":\"failed\",\"status\":1"), 400,
                "a result with a member twice is refused");
    t_is_detail(report(api, &v, "\"status\":\"failed\",\"error\":{\"code\":"
                                "\"no video\"}"), 400,
                "error.code: expected capital letters, digits and"
                " underscores", "a code that is none is refused");
    t_is_detail(report(api, &v, "\"status\":\"failed\",\"results\":"
                                "{\"overall_score\":3}"), 400,
                "results: expected no scores with the status failed",
                "a failure with a score is refused");

    c = report(api, &v, "\"status\":\"failed\",\"error\":{\"code\":"
                        "\"VIDEO_PRIVATE\",\"message\":\"It is private.\"}");
    t_is_status(c, 200, "a failure is taken");
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", v.evaluation);
    t_is_str(t_get(c, "status"), "failed",
             "an evaluation that a worker gives up has failed");
    t_is_str(t_get(c, "error.code"), "VIDEO_PRIVATE",
             "a failure has the worker's code");
    t_is_str(t_get(c, "error.message"), "It is private.",
             "a failure has the worker's message");

    v = video(api);
    t_is_status(report(api, &v, "\"status\":\"failed\""), 200,
                "a failure without an error is taken");
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", v.evaluation);
    t_is_str(t_get(c, "error.code"), "WORKER_FAILED",
             "a failure without a code has the usual one");
}


static void
test_mean(t_api_t *api)
{
    t_call_t   *c;
    t_video_t   v;

    v = video(api);
    t_is_status(report(api, &v, scores(api, &v, "", "60.5", "90")), 200,
                "a result without an overall score is taken");
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", v.evaluation);
    t_is_str(t_get(c, "overall_score"), "80.17",
             "an overall score that is not given is the weighted mean");
    t_is_str(t_get(c, "provenance.overall"), NULL,
             "a mean is not said to be reported");

    v = video(api);
    t_is_status(report(api, &v, scores(api, &v, "\"overall_score\":12.345,",
                                       "60", "90")), 200,
                "an overall score far from the mean is taken");
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", v.evaluation);
    t_is_str(t_get(c, "overall_score"), "12.35",
             "an overall score is kept with two decimals");
    t_is_str(t_get(c, "provenance.overall"), "reported",
             "the provenance says that the overall score was reported");
}


static void
test_refused(t_api_t *api)
{
    size_t         i;
    t_call_t      *c;
    t_video_t      v;
    judge_str_t    body;
    static const struct {
        const char  *rest, *detail;
    } rows[] = {
        { "\"x\":1", "status: required, expected one of completed, failed" },
        { "\"status\":\"completed\"",
          "results: required with the status completed" },
        { "\"status\":\"completed\",\"results\":{\"criteria_scores\":[]}",
          "results.criteria_scores: expected a score of one criterion at"
          " least; where none can be measured the evaluation has failed" },
        { "\"status\":\"completed\",\"results\":{\"criteria_scores\":["
          "{\"criterion_id\":\"%0\",\"score\":1},"
          "{\"name\":\"Grammar\",\"score\":1},"
          "{\"criterion_id\":\"%1\",\"score\":1}]}",
          "results.criteria_scores[1]: the criterion has a score already" },
        { "\"status\":\"completed\",\"results\":{\"criteria_scores\":["
          "{\"criterion_id\":\"crt_x\",\"score\":1}]}",
          "results.criteria_scores[0].criterion_id: the judge has no such"
          " criterion" },
        { "\"status\":\"completed\",\"results\":{\"criteria_scores\":["
          "{\"score\":1}]}",
          "results.criteria_scores[0].name: the judge has no such"
          " criterion" },
        { "\"status\":\"completed\",\"results\":{\"criteria_scores\":["
          "{\"criterion_id\":\"%0\",\"name\":\"Spelling\",\"score\":1}]}",
          "results.criteria_scores[0].name: expected \"Grammar\", as the"
          " criterion is called" },
        { "\"status\":\"completed\",\"results\":{\"criteria_scores\":["
          "{\"criterion_id\":\"%0\",\"score\":100.5}]}",
          "results.criteria_scores[0].score: expected a number from 0 to"
          " 100" },
        { "\"status\":\"completed\",\"results\":{\"criteria_scores\":["
          "{\"criterion_id\":\"%0\"}]}",
          "results.criteria_scores[0].score: required, expected a number"
          " from 0 to 100" },
        { "\"status\":\"completed\",\"results\":{\"overall_score\":-1}",
          "results.overall_score: expected a number from 0 to 100" },
        { "\"status\":\"completed\",\"progress_percentage\":101",
          "progress_percentage: expected a number from 0 to 100" },
        { "\"status\":\"failed\",\"progress_percentage\":\"x\"",
          "progress_percentage: expected a number from 0 to 100" },
    };

    v = video(api);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_detail(report(api, &v, t_filled(api, rows[i].rest, v.criteria)),
                    400, t_filled(api, rows[i].detail, v.criteria),
                    rows[i].rest);
    }

    body = judge_str_printf(api->arena, "{\"evaluation_id\":\"%s\","
               "\"content_id\":\"cnt_x\",\"status\":\"failed\"}",
               v.evaluation);
    t_is_detail(report_signed(api, body.data, SECRET), 400,
                "content_id: expected the content of the evaluation",
                "a result for another content is refused");
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", v.evaluation);
    t_is_str(t_get(c, "status"), "processing",
             "a refused result does not end the evaluation");
}


/* Who does not sign as the organization is told no more than anybody. */

static void
test_signature(t_api_t *api)
{
    size_t                    i;
    t_video_t                 v;
    judge_str_t               body;
    judge_settings_rotate_t   rotate;
    static const char *const  headers[] = {
        "sha256=", "x", "sha256=0000000000000000000000000000000000000000000"
                        "000000000000000000000",
        "SHA256=0000000000000000000000000000000000000000000000000000000000"
        "000000",
    };
    const char  *unknown = "there is no such evaluation, or the signature is"
                           " not its organization's";

    v = video(api);
    body = judge_str_printf(api->arena, "{\"evaluation_id\":\"%s\","
               "\"content_id\":\"%s\",\"status\":\"failed\"}", v.evaluation,
               v.content);

    t_is_detail(report_signed(api, body.data, "whsec_y"), 401, unknown,
                "a result with another secret's signature is refused");
    t_is_detail(report_signed(api, "{\"evaluation_id\":"
                    "\"evl_00000000000000000000000000\"}", SECRET), 401,
                unknown,
                "a result for no evaluation is refused in the same words");
    t_is_detail(report_signed(api, "{\"evaluation_id\":\"x\"}", SECRET), 401,
                unknown,
                "a result for what is no identifier is refused in the same "
                "words");
    t_is_detail(report_signed(api, "{}", SECRET), 400,
                "evaluation_id: required, expected a string",
                "a result that names no evaluation is refused");

    for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        t_header(api, JUDGE_HEADER_X_WEBHOOK_SIGNATURE, headers[i]);
        t_is_detail(t_send(api, "POST", PATH, body.data), 401, unknown,
                    headers[i]);
    }

    memset(&rotate, 0, sizeof(rotate));
    rotate.secret = JUDGE_STR("whsec_new");
    rotate.now = api->now;
    rotate.previous_until = api->now + 1000;
    t_is_int(t_op(api, &rotate.op, JUDGE_OP_SETTINGS_ROTATE), JUDGE_OK,
             "the secret of an organization can change");
    api->now += 500;
    rotate.op.rc = JUDGE_OK;
    rotate.secret = JUDGE_STR("whsec_newer");
    rotate.now = api->now;
    rotate.previous_until = api->now + 1000;
    t_is_int(t_op(api, &rotate.op, JUDGE_OP_SETTINGS_ROTATE), JUDGE_OK,
             "the secret of an organization can change once more");
    t_is_status(report_signed(api, body.data, SECRET), 200,
                "a former secret holds until its time is over");
    api->now += 499;
    t_is_status(report_signed(api, body.data, SECRET), 200,
                "a former secret holds to the end of its time");
    api->now += 1;
    t_is_status(report_signed(api, body.data, SECRET), 401,
                "a former secret is refused behind its time");
    t_is_status(report_signed(api, body.data, "whsec_new"), 200,
                "the second secret holds longer than the first");
    api->now += 500;
    t_is_status(report_signed(api, body.data, "whsec_new"), 401,
                "the second secret is refused behind its time");
    t_is_status(report_signed(api, body.data, "whsec_newer"), 200,
                "the present secret holds");
}


/* Any media; but no text, and nothing that has not come yet. */

static void
test_others(t_api_t *api)
{
    t_call_t     *c;
    t_video_t     v;
    judge_str_t   body;
    const char   *path;

    t_api_organization(api);           /* its secret is the usual one */

    v.judge = t_judge(api, "audio");
    body = judge_str_printf(api->arena, "{\"name\":\"N\",\"file_type\":"
               "\"audio\",\"judge_id\":\"%s\"}", v.judge);
    c = t_send(api, "POST", "/evaluations/presigned-upload", body.data);
    v.content = t_text(c, "content_id");
    v.evaluation = t_text(c, "job_id");
    path = t_text(c, "upload_url") + strlen("http://127.0.0.1");

    t_is_status(report(api, &v, "\"status\":\"failed\""), 401,
                "no worker has been asked for it yet");

    t_header(api, JUDGE_HEADER_CONTENT_TYPE, "audio/mpeg");
    t_is_status(t_send(api, "PUT", path, "ID3 and so on"), 200,
                "the file of an audio is taken");
    t_tick(api, 1000);
    t_is_status(report(api, &v, "\"status\":\"failed\""), 200,
                "a result for an audio is taken");

    body = judge_str_printf(api->arena, "{\"judge_id\":\"%s\","
               "\"content_id\":\"%s\"}", v.judge, v.content);
    c = t_send(api, "POST", "/evaluations/single", body.data);
    v.evaluation = t_text(c, "evaluation_id");
    t_tick(api, api->service.settings.deadline);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", v.evaluation);
    t_is_str(t_get(c, "status"), "processing",
             "a single evaluation waits for its worker, too");
    t_is_status(report(api, &v, "\"status\":\"failed\""), 200,
                "a result for a single evaluation is taken");

    v.judge = t_judge(api, "text");
    v.content = t_content(api, "A text.");
    api->later = true;
    v.evaluation = t_evaluation(api, v.judge, v.content);
    api->later = false;
    t_run(api);
    t_is_status(report(api, &v, "\"status\":\"failed\""), 401,
                "no worker is ever asked for a text");
}


/* Sends the report a second time, between the read and the write of the
 * first. */

static struct {
    t_video_t    video;
    const char  *rest;
} overtakes;


static void
overtake(t_api_t *api, judge_op_t *op)
{
    if (op->kind == JUDGE_OP_CALLBACK_FINISH) {
        api->before = NULL;
        t_is_status(report(api, &overtakes.video, overtakes.rest), 200,
                    "a result that overtakes another one is taken");
    }
}


/* The judge has a reference, which the result names: it is no video. */

static void
test_twice_at_once(t_api_t *api)
{
    t_call_t    *c;
    const char  *judge, *uri, *path;

    t_api_organization(api);
    c = t_send(api, "POST", "/v1/judges/reference_content",
               "{\"file_extension\":\"txt\"}");
    uri = t_text(c, "reference_content_uri");
    path = t_text(c, "upload_url") + strlen("http://127.0.0.1");

    judge = t_judge(api, "video");
    t_is_status(t_sendf(api, "PUT", judge_str_printf(api->arena,
                    "{\"reference_content_uri\":[\"%s\"]}", uri).data,
                    "/judges/%s", judge), 200,
                "a judge of videos takes a reference");

    api->no_key = true;
    t_header(api, JUDGE_HEADER_CONTENT_TYPE, "text/plain");
    t_is_status(t_send(api, "PUT", path, "A text."), 200,
                "the file of a reference is taken");
    t_tick(api, 1000);

    overtakes.video = video_by(api, judge);
    overtakes.rest = scores(api, &overtakes.video, "", "60", "90");
    api->before = overtake;
    c = report(api, &overtakes.video, overtakes.rest);
    t_ok(api->before == NULL, "the result comes twice at the same time");
    t_is_status(c, 200, "the same result is taken from whoever comes later");

    c = t_sendf(api, "GET", NULL, "/evaluations/%s",
                overtakes.video.evaluation);
    t_ok(t_has(c, "it is of type text"),
         "the result names the reference that says nothing");
}


/* Anybody can have a report parsed: it may have few values. */

static void
test_values(t_api_t *api)
{
    size_t       i;
    judge_buf_t  body;

    judge_buf_init(&body, api->arena);
    judge_buf_c(&body, "{\"evaluation_id\":\"evl_x\",\"x\":[0");
    for (i = 0; i < 20000; i++) {
        judge_buf_c(&body, ",0");
    }
    judge_buf_append(&body, "]}", 3);

    t_is_detail(report_signed(api, judge_buf_view(&body).data, "whsec_no"),
                400, "body: expected a report, which has at most 20000 values",
                "a report of too many values is refused");
}


/* Who is told of ended evaluations is told of these, too. */

static void
test_event(t_api_t *api)
{
    t_call_t   *c;
    t_video_t   v;

    v = video(api);
    t_is_status(t_send(api, "PUT", "/config/webhooks",
                       "{\"url\":\"https://example.com/hook\","
                       "\"enabled\":true}"), 200, "webhooks can be turned on");
    t_is_status(report(api, &v, scores(api, &v, "", "50", "50")), 200,
                "a result can be told by webhooks");
    c = t_send(api, "GET", "/webhooks/deliveries", NULL);
    t_is_str(t_get(c, "deliveries[0].type"), "evaluation.completed",
             "a result is told as a completed evaluation");
    t_ok(t_get(c, "deliveries[1]").data == NULL, "a result is told once");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_completed(api);
    test_failed(api);
    test_mean(api);
    test_refused(api);
    test_event(api);
    test_signature(api);
    test_others(api);
    test_twice_at_once(api);
    test_values(api);

    t_api_destroy(api);

    return t_done();
}
