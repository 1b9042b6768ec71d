/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Evaluations: asked for, waited for, read, listed, tried again. */


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
test_create(t_api_t *api)
{
    t_call_t    *c;
    const char  *id;

    api->later = true;
    c = evaluate(api, "");
    t_is_status(c, 201, "an evaluation can be created");
    id = t_text(c, "evaluation_id");
    t_ok(judge_id_wellformed(judge_str_c(id), "evl"),
         "an evaluation has an identifier");
    t_is_str(t_get(c, "content_id"), content,
             "an evaluation names its content");
    t_is_str(t_get(c, "judge_id"), judge, "an evaluation names its judge");
    t_is_str(t_get(c, "status"), "processing",
             "a new evaluation is processing");
    t_is_str(t_get(c, "attempts"), "1", "a new evaluation is claimed at once");
    t_ok(t_get(c, "overall_score").data == NULL,
         "an evaluation has no score before it is completed");

    c = t_sendf(api, "GET", NULL, "/evaluations/%s", id);
    t_is_status(c, 200, "an evaluation can be read while it is processed");
    t_is_str(t_get(c, "status"), "processing",
             "an evaluation that is read early is processing");
    t_is_str(t_get(c, "judge_version"), "1",
             "an evaluation is bound to the judge's version");

    c = t_sendf(api, "GET", NULL, "/evaluations/results/%s", id);
    t_is_status(c, 200, "an evaluation can be read as a job");
    t_is_str(t_get(c, "status"), "processing",
             "a job whose evaluation is processed is processing");
    t_is_str(t_get(c, "completed"), "0",
             "a job counts no evaluation before it is completed");

    api->now += 500;
    t_run(api);
    api->later = false;

    c = t_sendf(api, "GET", NULL, "/v1/evaluations/%s", id);
    t_is_str(t_get(c, "status"), "completed",
             "an evaluation is completed in the background");
    t_is_str(t_get(c, "evaluation_id"), id,
             "a completed evaluation has its identifier");
    t_ok(t_get(c, "overall_score").len > 0,
         "a completed evaluation has an overall score");
    t_is_str(t_get(c, "criteria_scores[0].name"), "Grammar",
             "a completed evaluation has a score for a criterion");
    t_ok(t_get(c, "criteria_scores[1].score").data
         && t_get(c, "criteria_scores[1].feedback").len
         && !t_get(c, "criteria_scores[2]").data,
         "a completed evaluation has a score and feedback for each criterion");
    t_ok(t_get(c, "summary").data && t_get(c, "strengths").data
         && t_get(c, "weaknesses").data && t_get(c, "suggestions").data,
         "a completed evaluation is put in words");
    t_ok(t_get(c, "evaluation_duration_sec").data != NULL,
         "a completed evaluation has its duration");
    t_is_str(t_get(c, "provenance.judge_version"), "1",
             "the provenance names the judge's version");

    c = t_sendf(api, "GET", NULL, "/evaluations/results/%s", id);
    t_is_str(t_get(c, "job_id"), id, "a job has the evaluation's identifier");
    t_is_str(t_get(c, "status"), "completed",
             "a job of a completed evaluation is completed");
    t_is_str(t_get(c, "total"), "1", "a job of one evaluation counts one");
    t_is_str(t_get(c, "completed"), "1",
             "a job counts its evaluation as completed");
    t_is_str(t_get(c, "failed"), "0", "a job counts no evaluation as failed");
    t_is_str(t_get(c, "results[0].evaluation_id"), id,
             "a job has the evaluation among its results");
    t_ok(t_get(c, "results[0].evaluation_duration_sec").data == NULL,
         "a job does not show the duration");
}


static void
test_refuse(t_api_t *api)
{
    t_call_t                *c;
    const char              *video;
    judge_content_create_t   create;

    t_is_detail(t_send(api, "POST", "/evaluations/single", "{}"), 400,
                "judge_id: required, expected a non-empty string of at most"
                " 200 characters", "an empty object is refused");
    t_is_detail(evaluate(api, ",\"priority\":\"urgent\""), 400,
                "priority: expected one of high, normal, low",
                "a priority that does not exist is refused");
    t_is_detail(evaluate(api, ",\"priority\":1"), 400,
                "priority: expected one of high, normal, low",
                "a priority that is no string is refused");
    t_is_detail(t_send(api, "POST", "/evaluations/single",
                       body(api, "jdg_x", content, "")), 404,
                "judge_id: there is no such judge",
                "a judge that does not exist is refused");
    t_is_detail(t_send(api, "POST", "/evaluations/single",
                       body(api, judge, judge, "")), 404,
                "content_id: there is no such content",
                "a content that does not exist is refused");

    video = t_judge(api, "video");
    t_is_detail(t_send(api, "POST", "/evaluations/single",
                       body(api, video, content, "")), 400,
                "content_id: expected content of the judge's type, video;"
                " this is text",
                "a content of another type than the judge's is refused");

    memset(&create, 0, sizeof(create));
    create.row.id = JUDGE_STR("cnt_01J00000000000000000000000");
    create.row.file_type = JUDGE_STR("text");
    create.row.status = JUDGE_STR("error");
    create.row.name = JUDGE_STR("broken");
    t_is_int(t_op(api, &create.op, JUDGE_OP_CONTENT_CREATE), JUDGE_OK,
             "a content in error can be stored");
    c = t_send(api, "POST", "/evaluations/single",
               body(api, judge, "cnt_01J00000000000000000000000", ""));
    t_is_detail(c, 409, "the content can't be evaluated: its status is"
                        " error", "a content in error can't be evaluated");
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
    t_tick(api, JUDGE_WAITERS_UNTOLD);
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


static void
test_version(t_api_t *api)
{
    t_call_t    *c;
    const char  *id;

    api->later = true;
    id = t_evaluation(api, judge, content);
    t_is_status(t_sendf(api, "PUT", "{\"criteria\":[{\"name\":\"Respect\","
                        "\"description\":\"No insults\"}]}",
                        "/judges/%s", judge), 200, "the judge is changed");
    t_run(api);
    api->later = false;

    c = t_sendf(api, "GET", NULL, "/evaluations/%s", id);
    t_is_str(t_get(c, "provenance.judge_version"), "1",
             "an evaluation is bound to the version it was created with");
    t_is_str(t_get(c, "criteria_scores[0].name"), "Grammar",
             "an evaluation has the criteria of its version");

    c = t_sendf(api, "GET", NULL, "/evaluations/%s",
                t_evaluation(api, judge, content));
    t_is_str(t_get(c, "provenance.judge_version"), "2",
             "the next evaluation is bound to the new version");
}


static void
test_retry(t_api_t *api)
{
    t_call_t    *c;
    const char  *id;

    api->later = true;
    id = t_evaluation(api, judge, content);
    t_is_detail(t_sendf(api, "POST", NULL, "/evaluations/%s/retry", id), 409,
                "only a failed evaluation can be tried again; this one is"
                " processing",
                "an evaluation that is under way can't be tried again");

    t_run(api);
    api->later = false;

    api->service.settings.evaluates = false;
    id = t_evaluation(api, judge, content);
    api->service.settings.evaluates = true;
    t_tick(api, api->service.settings.deadline + 1);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", id);
    t_is_str(t_get(c, "status"), "failed",
             "an evaluation that missed its deadline is failed");
    t_is_str(t_get(c, "error.code"), "TIMED_OUT",
             "a missed deadline has the code of a timeout");
    t_ok(t_get(c, "error.message").len > 0, "a missed deadline has a message");
    t_ok(t_get(c, "overall_score").data == NULL,
         "a failed evaluation has no score");

    c = t_sendf(api, "GET", NULL, "/evaluations/results/%s", id);
    t_is_str(t_get(c, "failed"), "1", "a job counts a failed evaluation");

    c = t_sendf(api, "POST", NULL, "/evaluations/%s/retry", id);
    t_is_status(c, 200, "a failed evaluation can be tried again");
    t_is_str(t_get(c, "status"), "processing",
             "an evaluation that is tried again is processing");
    t_is_str(t_get(c, "attempts"), "0",
             "an evaluation that is tried again has no attempts yet");
    t_tick(api, 50);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", id);
    t_is_str(t_get(c, "status"), "completed",
             "an evaluation that is tried again is completed");

    t_is_detail(t_sendf(api, "POST", NULL, "/evaluations/%s/retry", id), 409,
                "only a failed evaluation can be tried again; this one is"
                " completed", "a completed evaluation can't be tried again");
    t_is_detail(t_send(api, "POST", "/evaluations/evl_x/retry", NULL), 404,
                "there is no such evaluation",
                "an evaluation that does not exist can't be tried again");
}


static void
test_list(t_api_t *api)
{
    size_t       i;
    t_call_t    *c;
    const char  *a, *b, *other, *text;
    struct {
        const char  *query;
        const char  *first, *second;
    } rows[8];

    t_api_organization(api);
    judge = t_judge(api, "text");
    other = t_judge(api, "text");
    content = t_content(api, "one");
    text = t_content(api, "two");
    a = t_evaluation(api, judge, content);
    api->later = true;
    b = t_evaluation(api, other, text);

    rows[0] = (typeof(rows[0])) { "limit=2", b, a };
    rows[1] = (typeof(rows[0])) { "status=processing", b, NULL };
    rows[2] = (typeof(rows[0])) { "status=completed", a, NULL };
    rows[3] = (typeof(rows[0])) { "status=failed", NULL, NULL };
    rows[4] = (typeof(rows[0])) { "batch_id=bat_x", NULL, NULL };
    rows[5] = (typeof(rows[0])) { "limit=1", b, NULL };
    rows[6] = (typeof(rows[0])) { "judge_id=", a, NULL };
    rows[7] = (typeof(rows[0])) { "content_id=", b, NULL };

    for (i = 0; i < 8; i++) {
        c = t_sendf(api, "GET", NULL, "/evaluations?%s%s", rows[i].query,
                    i == 6 ? judge : i == 7 ? text : "");
        t_is_str(t_get(c, "evaluations[0].evaluation_id"), rows[i].first,
                 "%s: the newest evaluation comes first", rows[i].query);
        t_is_str(t_get(c, "evaluations[1].evaluation_id"), rows[i].second,
                 "%s: the next evaluation comes second, if there is one",
                 rows[i].query);
        t_ok((t_get(c, "next_cursor").data != NULL) == (i == 5),
             "%s: a cursor is there if there are more", rows[i].query);
    }

    c = t_sendf(api, "GET", NULL, "/evaluations?judge_id=%s&content_id=%s",
                judge, text);
    t_is_str(t_get(c, "evaluations"), "[]", "two filters have to hold both");
    c = t_sendf(api, "GET", NULL, "/evaluations?cursor=%s",
                t_text(t_send(api, "GET", "/evaluations?limit=1", NULL),
                       "next_cursor"));
    t_is_str(t_get(c, "evaluations[0].evaluation_id"), a,
             "the next page begins behind the last one");
    t_ok(t_get(c, "evaluations[0].evaluation_duration_sec").data == NULL,
         "a list does not show the duration");
    t_is_detail(t_send(api, "GET", "/evaluations?judge_id=", NULL), 400,
                "judge_id: expected a non-empty string of at most 200"
                " characters", "an empty filter is refused");

    t_run(api);
    api->later = false;
}


static void
test_other_organization(t_api_t *api)
{
    const char  *id;

    id = t_evaluation(api, judge, content);
    t_api_organization(api);

    t_is_detail(t_sendf(api, "GET", NULL, "/evaluations/%s", id), 404,
                "there is no such evaluation",
                "another organization's evaluation can't be read");
    t_is_detail(t_sendf(api, "POST", NULL, "/evaluations/%s/retry", id), 404,
                "there is no such evaluation",
                "another organization's evaluation can't be tried again");
    t_is_detail(t_sendf(api, "GET", NULL, "/evaluations/results/%s", id),
                404, "there is no such job",
                "another organization's job can't be read");
    t_is_detail(evaluate(api, ""), 404, "judge_id: there is no such judge",
                "another organization's judge can't evaluate");
    t_is_str(t_get(t_send(api, "GET", "/evaluations", NULL), "evaluations"),
             "[]", "another organization's evaluations are not listed");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();
    judge = t_judge(api, "text");
    content = t_content(api, "A first sentence. And a second one, because.");

    test_create(api);
    test_refuse(api);
    test_deleted_meanwhile(api);
    test_wait(api);
    test_wait_costs_nothing(api);
    test_wait_for_unannounced(api);
    test_node_without_work(api);
    test_version(api);
    test_retry(api);
    test_list(api);
    test_other_organization(api);

    t_api_destroy(api);

    return t_done();
}
