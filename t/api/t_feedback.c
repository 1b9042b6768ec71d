/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Feedback: what is refused, of one entry and of many, and what is told of
 * them.  How it is submitted, read, changed and withdrawn, and by whom, is in
 * t/feedback.t. */


#include <stdlib.h>
#include <string.h>

#include "feedback.h"
#include "work/feedback/feedback_queue.h"


static void
test_refuse(t_api_t *api)
{
    size_t       i;
    char        *text;
    t_eval_t       e;
    const char  *body;
    static const struct {
        const char  *body;
        const char  *detail;
    } rows[] = {
        { "{}", "type: required, expected one of correction, rating,"
                " approval, comment" },
        { "{\"type\":\"praise\",\"content\":{}}",
          "type: expected one of correction, rating, approval, comment" },
        { "{\"type\":\"rating\"}", "content: required, expected an object" },
        { "{\"type\":\"rating\",\"content\":5}",
          "content: expected an object" },
        { "{\"type\":\"rating\",\"content\":{}}",
          "content.rating: required, expected a number from 1 to 5, whole or"
          " half" },
        { RATING(0.5), "content.rating: expected a number from 1 to 5" },
        { RATING(5.5), "content.rating: expected a number from 1 to 5" },
        { RATING("4"), "content.rating: expected a number from 1 to 5" },
        { RATING(4.25), "content.rating: expected a number from 1 to 5,"
                        " whole or half" },
        { "{\"type\":\"approval\",\"content\":{\"comment\":\"x\"}}",
          "content.approved: required, expected true or false" },
        { APPROVAL("yes"), "content.approved: expected true or false" },
        { "{\"type\":\"comment\",\"content\":{}}",
          "content.comment: required, expected a non-empty string of at most"
          " 5000 characters" },
        { "{\"type\":\"comment\",\"content\":{\"comment\":\"\"}}",
          "content.comment: required, expected a non-empty string of at most"
          " 5000 characters" },
        { "{\"type\":\"correction\",\"content\":{}}",
          "content.corrected_scores: required, expected a score from 0 to 100"
          " for at least one criterion" },
        { "{\"type\":\"correction\",\"content\":{\"corrected_scores\":{}}}",
          "content.corrected_scores: required, expected a score from 0 to 100"
          " for at least one criterion" },
        { "{\"type\":\"correction\",\"content\":{\"corrected_scores\":[]}}",
          "content.corrected_scores: expected an object" },
        { "{\"type\":\"correction\",\"content\":{\"corrected_scores\":{"
          "\"crt_x\":100.5}}}",
          "content.corrected_scores.crt_x: expected a number from 0 to 100" },
        { "{\"type\":\"correction\",\"content\":{\"corrected_scores\":{"
          "\"crt_x\":\"9\"}}}",
          "content.corrected_scores.crt_x: expected a number from 0 to 100" },
        { "{\"type\":\"correction\",\"content\":{\"corrected_scores\":{"
          "\"crt_x\":50}}}",
          "content.corrected_scores.crt_x: expected a criterion of the"
          " evaluation's judge version" },
        { "{\"type\":\"correction\",\"content\":{"
          "\"corrected_overall_score\":101}}",
          "content.corrected_overall_score: expected a number from 0 to 100" },
        { "{\"type\":\"rating\",\"content\":{\"rating\":4},"
          "\"target_criteria\":[\"crt_x\"]}",
          "target_criteria[0]: expected a criterion of the evaluation's judge"
          " version" },
        { "{\"type\":\"rating\",\"content\":{\"rating\":4},"
          "\"severity\":\"huge\"}",
          "severity: expected one of low, medium, high" },
        { "{\"type\":\"rating\",\"content\":{\"rating\":4},"
          "\"criterion_specific\":1}",
          "criterion_specific: expected true or false" },
        { "{\"evaluation_id\":\"evl_x\",\"type\":\"rating\",\"content\":{"
          "\"rating\":4}}", "evaluation_id: expected the evaluation of the"
                            " path" },
    };

    e = t_feedback_on(api);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_detail(t_say(api, e.id, rows[i].body), 400, rows[i].detail,
                    rows[i].body);
    }

    text = malloc(5002);
    memset(text, 'x', 5001);
    text[5001] = '\0';
    body = judge_str_printf(api->arena, "{\"type\":\"comment\",\"content\":{"
                            "\"comment\":\"%s\"}}", text + 1).data;
    t_is_status(t_say(api, e.id, body), 201,
                "a comment of the greatest length is taken");
    body = judge_str_printf(api->arena, "{\"type\":\"comment\",\"content\":{"
                            "\"comment\":\"%s\"}}", text).data;
    t_is_detail(t_say(api, e.id, body), 400, "content.comment: expected a"
                " string of at most 5000 characters",
                "a comment with a character more is refused");
    free(text);

    body = t_format(api, "{\"type\":\"correction\",\"evaluation_id\":\"%s\","
                  "\"content\":{\"corrected_overall_score\":0}}", e.id);
    t_is_status(t_say(api, e.id, body), 201,
                "a correction of the overall score alone is taken");
}


/* Criteria are those of the version that judged, whatever came later. */

static void
test_version(t_api_t *api)
{
    t_eval_t     e;
    t_call_t    *c;
    const char  *later, *body;

    e = t_feedback_on(api);
    c = t_sendf(api, "PUT", "{\"criteria\":[{\"name\":\"Respect\","
                "\"description\":\"No insults\"}]}", "/judges/%s",
                e.judge);
    t_is_status(c, 200, "the judge gets other criteria");
    c = t_sendf(api, "GET", NULL, "/judges/%s", e.judge);
    later = t_text(c, "criteria[0].criterion_id");

    body = "{\"type\":\"correction\",\"content\":{\"corrected_scores\":{"
           "\"%s\":50}}}";
    t_is_status(t_say(api, e.id, t_format(api, body, e.spelling)), 201,
                "a criterion of the version that judged is taken");
    t_is_detail(t_say(api, e.id, t_format(api, body, later)), 400,
                t_format(api, "content.corrected_scores.%s: expected a"
                         " criterion of the evaluation's judge version",
                         later), "a criterion of a later version is refused");
}


static void
test_states(t_api_t *api)
{
    t_eval_t       e;
    const char  *active;

    e = t_feedback_on(api);
    api->later = true;
    active = t_evaluation(api, e.judge, e.content);
    t_is_detail(t_say(api, active, COMMENT), 409, "only a completed"
                " evaluation takes feedback; this one is processing",
                "an evaluation that is not completed takes no feedback");
    api->later = false;
    t_run(api);
    t_is_status(t_say(api, active, COMMENT), 201,
                "an evaluation that is completed takes feedback");

    t_execute(api, t_format(api, "UPDATE evaluations SET status = 'failed'"
                        " WHERE id = '%s'", active));
    t_is_detail(t_say(api, active, COMMENT), 409, "only a completed"
                " evaluation takes feedback; this one is failed",
                "a failed evaluation takes no feedback");

    t_is_detail(t_say(api, "evl_00000000000000000000000000", COMMENT), 404,
                "there is no such evaluation",
                "an unknown evaluation takes no feedback");
    t_is_detail(t_say(api, "nothing", COMMENT), 404,
                "there is no such evaluation",
                "what is no identifier takes no feedback");
    t_is_detail(t_send(api, "GET", "/feedback/evaluation/nothing", NULL), 404,
                "there is no such evaluation",
                "what is no identifier has no feedback to be read");

    t_is_status(t_sendf(api, "DELETE", NULL, "/judges/%s", e.judge), 204,
                "the judge is deleted");
    t_is_status(t_say(api, e.id, RATING(5)), 201,
                "evaluations of a deleted judge take feedback");
    t_is_str(t_get(t_sendf(api, "GET", NULL, "/feedback/evaluation/%s", e.id),
                   "feedback_entries[0].processing_notes"),
             "the judge has been deleted",
             "feedback on a deleted judge teaches nothing");
}


/* The check has found the evaluation, the write doesn't. */

static void
delete_before(t_api_t *api, judge_op_t *op)
{
    if (op->kind == JUDGE_OP_FEEDBACK_CREATE) {
        api->before = NULL;
        t_execute(api, "DELETE FROM evaluations");
    }
}


static void
test_deleted_meanwhile(t_api_t *api)
{
    t_eval_t       e;
    const char  *bat;

    e = t_feedback_on(api);
    api->before = delete_before;
    t_is_detail(t_say(api, e.id, COMMENT), 404, "the evaluation has just"
                " been deleted",
                "an evaluation that is deleted before the write is told so");

    e = t_feedback_on(api);
    bat = t_batch(api, &e.id, 1);
    api->before = delete_before;
    t_is_detail(t_sendf(api, "POST", t_format(api, "{\"feedback_entries\":[{"
                        "\"evaluation_id\":\"%s\",\"type\":\"comment\","
                        "\"content\":{\"comment\":\"x\"}}]}", e.id),
                        "/batches/%s/feedback", bat), 409,
                "an evaluation of the batch has just been deleted; submit the"
                " feedback again",
                "a batch that is deleted before the write is told so");
    t_is_int(t_number(api, t_format(api, "SELECT COUNT(*) FROM"
                           " feedback_sessions WHERE batch_id = '%s'", bat)),
             0,
             "nothing of it is left");
}


/* --- Many entries -------------------------------------------------------- */

static void
test_batch(t_api_t *api)
{
    size_t       i;
    t_eval_t     e, outside;
    t_call_t    *c;
    const char  *ids[2], *bat, *body;
    static const struct {
        size_t       entry;
        const char  *message;
    } reasons[] = {
        { 1, "content.rating: expected a number from 1 to 5" },
        { 2, "expected an object" },
        { 3, "evaluation_id: required, expected a non-empty string of at most"
             " 200 characters" },
        { 4, "evaluation_id: expected an evaluation of this batch" },
        { 5, "only a completed evaluation takes feedback; this one is"
             " failed" },
        { 8, "evaluation_id: expected a non-empty string of at most 200"
             " characters" },
        { 9, "evaluation_id: required, expected a non-empty string of at most"
             " 200 characters" },
    };

    e = t_feedback_on(api);
    outside = t_feedback_on(api);
    ids[0] = e.id;
    ids[1] = t_evaluation(api, e.judge, e.content);
    bat = t_batch(api, ids, 2);
    t_execute(api, t_format(api, "UPDATE evaluations SET status = 'failed'"
                        " WHERE id = '%s'", ids[1]));

    body = t_format(api, "{\"feedback_entries\":["
        "{\"evaluation_id\":\"%s\",\"type\":\"rating\",\"content\":{"
        "\"rating\":4}},"
        "{\"evaluation_id\":\"%s\",\"type\":\"rating\",\"content\":{"
        "\"rating\":9}},"
        "7,"
        "{\"type\":\"rating\",\"content\":{\"rating\":4}},"
        "{\"evaluation_id\":\"%s\",\"type\":\"rating\",\"content\":{"
        "\"rating\":4}},"
        "{\"evaluation_id\":\"%s\",\"type\":\"comment\",\"content\":{"
        "\"comment\":\"x\"}},"
        "{\"evaluation_id\":\"%s\",\"type\":\"correction\",\"content\":{"
        "\"corrected_scores\":{\"%s\":10}}},"
        "{\"evaluation_id\":\"%s\",\"type\":\"approval\",\"content\":{"
        "\"approved\":true}},"
        "{\"evaluation_id\":8,\"type\":\"comment\",\"content\":{}},"
        "{\"evaluation_id\":null,\"type\":\"rating\",\"content\":{"
        "\"rating\":4}}],"
        "\"feedback_options\":{\"auto_trigger_retraining\":true,"
        "\"notification_preferences\":{\"email\":false,"
        "\"webhook_url\":\"https://Example.com/x\"}}}",
        e.id, e.id, outside.id, ids[1], e.id, outside.grammar, e.id);

    c = t_sendf(api, "POST", body, "/v1/batches/%s/feedback", bat);
    t_is_status(c, 201, "feedback on a batch is taken");
    t_are(c, "submitted_count 2|failed_count 8",
          "two entries of a batch were accepted, and eight rejected");
    t_are(c, "submitted_at 2026-05-28T20:26:40.000Z", "the time is told");
    t_are(c, t_format(api, "validation_results[0].evaluation_id %s"
                      "|validation_results[0].status accepted"
                      "|validation_results[1].evaluation_id %s"
                      "|validation_results[1].status rejected"
                      "|validation_results[1].feedback_id"
                      "|validation_results[10]", e.id, e.id),
          "each entry has its result, in their order");
    for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        t_is_str(t_get(c, t_format(api, "validation_results[%zu].message",
                                   reasons[i].entry)), reasons[i].message,
                 "%s", reasons[i].message);
    }
    t_is_str(t_get(c, "validation_results[6].message"),
             t_format(api, "content.corrected_scores.%s: expected a criterion"
                    " of the evaluation's judge version", outside.grammar),
             "an entry on another judge's criterion is rejected");

    c = t_sendf(api, "GET", NULL, "/feedback/evaluation/%s", e.id);
    t_are(c, "total_feedback_count 2", "the accepted entries are stored");
    t_is_str(t_get(c, "feedback_entries[0].processed"), "true",
             "the accepted entries are processed");
    t_is_int(t_number(api, t_format(api, "SELECT COUNT(*) FROM"
                                " feedback_sessions"
                                " WHERE batch_id = '%s' AND accepted = 2 AND"
                                " rejected = 8 AND retrain = 1 AND"
                                " notify_url = 'https://example.com/x'",
                                bat)), 1, "with what was wished");
}


static void
test_batch_refuse(t_api_t *api)
{
    size_t       i;
    t_eval_t       e;
    t_call_t    *c;
    judge_buf_t  body;
    const char  *bat;
    static const struct {
        const char  *body;
        const char  *detail;
    } rows[] = {
        { "{}", "feedback_entries: required, expected an array of 1 to 10000"
                " items" },
        { "{\"feedback_entries\":[]}", "feedback_entries: expected an array"
                                       " of 1 to 10000 items" },
        { "{\"feedback_entries\":{}}", "feedback_entries: expected an array"
                                       " of 1 to 10000 items" },
        { "{\"feedback_entries\":[1],\"feedback_options\":[]}",
          "feedback_options: expected an object" },
        { "{\"feedback_entries\":[1],\"feedback_options\":{"
          "\"auto_trigger_retraining\":\"yes\"}}",
          "feedback_options.auto_trigger_retraining: expected true or"
          " false" },
        { "{\"feedback_entries\":[1],\"feedback_options\":{"
          "\"notification_preferences\":{\"webhook_url\":\"ftp://x/\"}}}",
          "feedback_options.notification_preferences.webhook_url: expected an"
          " address that begins with http:// or https://" },
    };

    e = t_feedback_on(api);
    bat = t_batch(api, &e.id, 1);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_detail(t_sendf(api, "POST", rows[i].body,
                            "/batches/%s/feedback", bat), 400,
                    rows[i].detail, rows[i].body);
    }

    c = t_sendf(api, "POST", "{\"feedback_entries\":[1]}",
                "/batches/%s/feedback", bat);
    t_is_status(c, 201, "a batch of wrong entries is answered");
    t_is_str(t_get(c, "impact_analysis"), "{\"significant_corrections\":0,"
             "\"retraining_recommended\":false}",
             "entries that are all wrong have no impact");
    t_is_detail(t_send(api, "POST", "/batches/bat_x/feedback",
                       "{\"feedback_entries\":[1]}"), 404,
                "there is no such batch",
                "a batch that does not exist takes no feedback");

    judge_buf_init(&body, api->arena);
    judge_buf_c(&body, "{\"feedback_entries\":[1");
    for (i = 0; i < 10000; i++) {
        judge_buf_c(&body, ",1");
    }
    judge_buf_append(&body, "]}", 3);
    t_is_detail(t_sendf(api, "POST", body.data, "/batches/%s/feedback", bat),
                400, "feedback_entries: expected an array of 1 to 10000"
                " items", "a batch takes at most 10,000 entries at once");
}


/* Few questions to the store, however many entries there are. */

static void
test_batch_large(t_api_t *api)
{
    size_t       i, before;
    t_eval_t       e;
    t_call_t    *c;
    judge_buf_t  body;
    const char  *bat;

    e = t_feedback_on(api);
    bat = t_batch(api, &e.id, 1);

    judge_buf_init(&body, api->arena);
    judge_buf_c(&body, "{\"feedback_entries\":[");
    for (i = 0; i < 10000; i++) {
        judge_buf_printf(&body, "%s{\"evaluation_id\":\"%s\",\"type\":"
                         "\"comment\",\"content\":{\"comment\":\"n%zu\"}}",
                         i ? "," : "", e.id, i);
    }
    judge_buf_append(&body, "]}", 3);

    judge_leases_stop(&api->service);
    before = api->ops;
    c = t_sendf(api, "POST", body.data, "/batches/%s/feedback", bat);
    t_is_status(c, 201, "10,000 entries are taken");
    t_are(c, "submitted_count 10000", "all of 10,000 entries are accepted");
    t_ok(api->ops - before <= 6,
         "10,000 entries take few operations: %zu", api->ops - before);

    t_other_worker(api);
    t_tick(api, 1000);
    t_is_int(t_number(api, "SELECT COUNT(*) FROM feedback"
                           " WHERE processed = 0"), 0,
             "another worker processes 10,000 entries");
    c = t_sendf(api, "GET", NULL, "/feedback/evaluation/%s", e.id);
    t_is_str(t_get(c, "feedback_entries[0].content.comment"), "n9999",
             "entries of one time keep their order");
    t_is_str(t_get(c, "feedback_entries[999].content.comment"), "n9000",
             "a page has at most a thousand entries");
    t_ok(t_get(c, "next_cursor").data,
         "a page of a thousand has a cursor to the next");
}


/* Entries about these evaluations in turn. */

static t_call_t *
entries(t_api_t *api, const char *batch, const char *const *ids, size_t nids,
    const char *const *contents, size_t n)
{
    size_t       i;
    judge_buf_t  body;

    judge_buf_init(&body, api->arena);
    judge_buf_c(&body, "{\"feedback_entries\":[");
    for (i = 0; i < n; i++) {
        judge_buf_printf(&body, "%s{\"evaluation_id\":\"%s\",%s}",
                         i ? "," : "", ids[i % nids], contents[i]);
    }
    judge_buf_append(&body, "]}", 3);

    return t_sendf(api, "POST", body.data, "/batches/%s/feedback", batch);
}


#define CONTENT_RATING(r)                                                     \
    "\"type\":\"rating\",\"content\":{\"rating\":" #r "}"
#define CONTENT_APPROVAL(yes)                                                 \
    "\"type\":\"approval\",\"content\":{\"approved\":" #yes "}"

static void
test_impact(t_api_t *api)
{
    size_t       i;
    t_eval_t     e;
    t_call_t    *c;
    const char  *bat, *contents[12], *ids[10], *moves, *overall;
    const char  *wanted = "impact_analysis.retraining_recommended";

    e = t_feedback_on(api);
    for (i = 0; i < 10; i++) {
        ids[i] = i ? t_evaluation(api, e.judge, e.content) : e.id;
    }
    bat = t_batch(api, ids, 10);
    for (i = 0; i < 10; i++) {
        t_execute(api, t_format(api, "INSERT INTO results SELECT org, id,"
                  " status, NULL, '{\"overall_score\":50.05,"
                  "\"criteria_scores\":[{\"criterion_id\":\"%s\","
                  "\"score\":70.05}]}' FROM evaluations WHERE id = '%s';"
                  "UPDATE evaluations SET result = NULL WHERE id = '%s'",
                  e.grammar, ids[i], ids[i]));
    }

    moves = t_format(api, "\"type\":\"correction\",\"content\":{"
                     "\"corrected_scores\":{\"%s\":80.05}}", e.grammar);
    overall = "\"type\":\"correction\",\"content\":{"
              "\"corrected_overall_score\":40.05}";
    contents[0] = moves;
    contents[1] = t_format(api, "\"type\":\"correction\",\"content\":{"
                         "\"corrected_scores\":{\"%s\":80.04}}", e.grammar);
    contents[2] = overall;
    contents[3] = t_format(api, "\"type\":\"correction\",\"content\":{"
                         "\"corrected_scores\":{\"%s\":0}}", e.spelling);
    c = entries(api, bat, ids, 1, contents, 4);
    t_is_str(t_get(c, "impact_analysis.significant_corrections"), "3",
             "a move by 10 or more is significant, and a first score");
    t_is_str(t_get(c, wanted), "false",
             "a few significant corrections recommend no retraining");
    t_ok(!t_get(c, "impact_analysis.approval_rate").data
         && !t_get(c, "impact_analysis.average_rating").data,
         "there are no rates without approvals and ratings");

    for (i = 0; i < 10; i++) {
        contents[i] = i < 2 ? moves : CONTENT_RATING(4);
    }
    c = entries(api, bat, ids, 10, contents, 10);
    t_is_str(t_get(c, wanted), "true",
             "retraining is recommended for a fifth of the corrections");
    c = entries(api, bat, ids, 4, contents, 10);
    t_is_str(t_get(c, wanted), "false",
             "retraining is not recommended for four evaluations");
    c = entries(api, bat, ids, 5, contents, 10);
    t_is_str(t_get(c, wanted), "true",
             "retraining is recommended for five evaluations");

    contents[0] = contents[9];
    c = entries(api, bat, ids, 10, contents, 10);
    t_is_str(t_get(c, wanted), "false",
             "a tenth of the corrections is not enough");

    for (i = 0; i < 12; i++) {
        contents[i] = i < 6 ? CONTENT_APPROVAL(true) : CONTENT_APPROVAL(false);
    }
    c = entries(api, bat, ids, 10, contents, 12);
    t_is_str(t_get(c, "impact_analysis.approval_rate"), "0.5",
             "half of the entries have approved");
    t_is_str(t_get(c, wanted), "false",
             "retraining is not recommended when half reject");
    contents[5] = contents[11];
    c = entries(api, bat, ids, 10, contents, 12);
    t_is_str(t_get(c, wanted), "true",
             "retraining is recommended when more than half reject");
    contents[4] = contents[11];
    c = entries(api, bat, ids, 10, contents, 12);
    t_is_str(t_get(c, wanted), "false",
             "rejections are not enough when the rest is too little");

    for (i = 0; i < 12; i++) {
        contents[i] = i < 5 ? CONTENT_RATING(3.5) : CONTENT_RATING(2.5);
    }
    c = entries(api, bat, ids, 10, contents, 10);
    t_is_str(t_get(c, wanted), "false",
             "an average rating of 3 recommends no retraining");
    c = entries(api, bat, ids, 10, contents, 11);
    t_is_str(t_get(c, "impact_analysis.average_rating"), "2.95",
             "the average rating has two decimals");
    t_is_str(t_get(c, wanted), "true",
             "an average rating below 3 recommends retraining");
    for (i = 0; i < 12; i++) {
        contents[i] = CONTENT_RATING(2.5);
    }
    c = entries(api, bat, ids, 10, contents, 12);
    t_is_str(t_get(c, wanted), "false",
             "ratings of 3 and less are never enough");

    for (i = 0; i < 12; i++) {
        contents[i] = i % 6 ? CONTENT_RATING(2) : moves;
    }
    contents[1] = contents[2] = overall;
    c = entries(api, bat, ids, 10, contents, 12);
    t_is_str(t_get(c, wanted), "false",
             "corrections of few criteria are too few to learn from");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_refuse(api);
    test_version(api);
    test_states(api);
    test_deleted_meanwhile(api);
    test_batch(api);
    test_batch_refuse(api);
    test_batch_large(api);
    test_impact(api);

    t_api_destroy(api);

    return t_done();
}
