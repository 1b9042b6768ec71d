/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Feedback: what is made of it, and when it goes. */


#include <string.h>

#include "feedback.h"
#include "store/store_batch.h"
#include "store/store_feedback.h"
#include "work/feedback/feedback_queue.h"


/* --- What is learnt ------------------------------------------------------ */

static judge_example_list_t
lessons(t_api_t *api, const char *judge, judge_ms_t until)
{
    judge_example_list_t  list;

    memset(&list, 0, sizeof(list));
    list.judge_id = judge_str_c(judge);
    list.until = until;
    list.limit = 100;
    t_is_int(t_op(api, &list.op, JUDGE_OP_EXAMPLE_LIST), JUDGE_OK,
             "examples can be listed");

    return list;
}


/* A row as text: "grammar 70.5 1.5 (2)". */

static const char *
lesson(t_api_t *api, const judge_example_list_t *list, const char *criterion)
{
    size_t  i;

    for (i = 0; i < list->nrows; i++) {
        if (judge_str_eq_c(list->rows[i].criterion_id, criterion)) {
            return t_format(api, "%g %g (%d)", list->rows[i].target,
                          list->rows[i].weight, (int) list->rows[i].entries);
        }
    }

    return "none";
}


static t_eval_t
scored(t_api_t *api)
{
    t_eval_t  e;

    e = t_feedback_on(api);
    t_execute(api, t_format(api, "INSERT INTO results SELECT org, id, status,"
                        " NULL, '{"
                        "\"overall_score\":50,\"criteria_scores\":[{"
                        "\"criterion_id\":\"%s\",\"score\":60},{"
                        "\"criterion_id\":\"%s\",\"score\":40}]}'"
                        " FROM evaluations WHERE id = '%s';"
                        "UPDATE evaluations SET result = NULL"
                        " WHERE id = '%s'", e.grammar, e.spelling, e.id,
                        e.id));

    return e;
}


static void
test_lessons(t_api_t *api)
{
    size_t               i;
    t_eval_t               e;
    judge_example_list_t  list;
    static const struct {
        const char  *entry;            /* %s: grammar */
        const char  *grammar;          /* target, weight, entries so far */
        const char  *spelling;
        const char  *overall;
    } rows[] = {
        { "{\"type\":\"comment\",\"content\":{\"comment\":\"x\"}}%.0s",
          "none", "none", "none" },
        { RATING(3) "%.0s", "none", "none", "none" },
        { APPROVAL(false) "%.0s", "0 0 (1)", "0 0 (1)", "0 0 (1)" },
        { "{\"type\":\"correction\",\"content\":{\"corrected_scores\":{"
          "\"%s\":80}}}", "80 1 (2)", "0 0 (1)", "0 0 (1)" },
        { RATING(5) "%.0s", "80 1 (3)", "0 0 (2)", "0 0 (2)" },
        { APPROVAL(true) "%.0s", "73.3333 1.5 (4)", "40 0.5 (3)",
          "50 0.5 (3)" },
        { "{\"type\":\"approval\",\"content\":{\"approved\":true},"
          "\"target_criteria\":[\"%s\"],\"severity\":\"high\"}",
          "68 2.5 (5)", "40 0.5 (3)", "50 0.5 (3)" },
        { "{\"type\":\"approval\",\"content\":{\"approved\":true},"
          "\"criterion_specific\":true,\"severity\":\"low\"}%.0s",
          "67.2727 2.75 (6)", "40 0.75 (4)", "50 0.5 (3)" },
        { "{\"type\":\"correction\",\"content\":{"
          "\"corrected_overall_score\":20},\"severity\":\"low\"}%.0s",
          "67.2727 2.75 (6)", "40 0.75 (4)", "35 1 (4)" },
        { RATING(1.5) "%.0s", "68.4211 2.375 (7)", "40 0.375 (5)",
          "26 0.625 (5)" },
    };

    e = scored(api);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        api->now += 1000;
        t_is_status(t_say(api, e.id, t_format(api, rows[i].entry, e.grammar)),
                    201, rows[i].entry);
        list = lessons(api, e.judge, 0);
        t_is_str(judge_str_c(lesson(api, &list, e.grammar)), rows[i].grammar,
                 "the examples for grammar are added up, entry %zu", i);
        t_is_str(judge_str_c(lesson(api, &list, e.spelling)), rows[i].spelling,
                 "the examples for spelling are added up, entry %zu", i);
        t_is_str(judge_str_c(lesson(api, &list, "")), rows[i].overall,
                 "the examples for the overall score are summed, entry %zu",
                 i);
    }

    list = lessons(api, e.judge, api->now - 6000);
    t_is_str(judge_str_c(lesson(api, &list, e.grammar)), "80 1 (2)",
             "only what was submitted by then is listed");

    memset(&list, 0, sizeof(list));
    list.judge_id = judge_str_c(e.judge);
    list.limit = 1;
    t_is_int(t_op(api, &list.op, JUDGE_OP_EXAMPLE_LIST), JUDGE_OK,
             "a page of examples can be listed");
    t_is_int((int64_t) list.count, 1, "a page of one has one evaluation");
    t_is_int((int64_t) list.nrows, 3,
             "an evaluation comes with the examples of all its scores");
    t_is_str(list.items[0].id, e.id, "an example names its evaluation");
    t_is_int(list.items[0].judge_version, 1,
             "an example has the judge's version");
    t_ok(list.items[0].body.len > 0, "an example has the evaluation's scores");
    list.after = list.items[0].id;
    list.items = NULL;
    list.rows = NULL;
    list.count = list.nrows = 0;
    t_is_int(t_op(api, &list.op, JUDGE_OP_EXAMPLE_LIST), JUDGE_OK,
             "the next page of examples can be listed");
    t_ok(list.count == 0 && list.nrows == 0, "the next page has no examples");
}


static void
test_notes(t_api_t *api)
{
    size_t     i;
    t_eval_t     e;
    t_call_t  *c;
    static const struct {
        const char  *entry;
        const char  *notes;
    } rows[] = {
        { COMMENT, "a comment has no score; it is kept to be read" },
        { RATING(3), "a rating of 3 speaks neither for nor against the given"
                     " scores" },
        { RATING(4), "used as 3 training examples of weight 0.25: the given"
                     " scores are right" },
        { APPROVAL(false), "used as 3 training examples of weight -0.5: the"
                           " given scores are in doubt" },
        { "{\"type\":\"correction\",\"content\":{"
          "\"corrected_overall_score\":20}}",
          "used as 1 training example of weight 1: the corrected scores" },
    };

    e = scored(api);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_status(t_say(api, e.id, rows[i].entry), 201, rows[i].entry);
        c = t_sendf(api, "GET", NULL, "/feedback/evaluation/%s", e.id);
        t_is_str(t_get(c, "feedback_entries[0].processing_notes"),
                 rows[i].notes,
                 "the notes tell what was made of the entry: %s",
                 rows[i].entry);
    }
}


/* A worker that dies leaves its claim to run out. */

static void
test_crash(t_api_t *api)
{
    t_eval_t                  e;
    t_call_t               *c;
    judge_feedback_claim_t  claim;

    e = scored(api);
    judge_leases_stop(&api->service);
    t_is_status(t_say(api, e.id, APPROVAL(true)), 201,
                "feedback for a worker that dies is submitted");

    memset(&claim, 0, sizeof(claim));
    claim.claim.now = api->now;
    claim.claim.lease.until = api->now + 5000;
    claim.claim.limit = 10;
    t_is_int(t_op(api, &claim.claim.op, JUDGE_OP_FEEDBACK_CLAIM), JUDGE_OK,
             "feedback can be claimed by a worker that dies");
    t_is_int((int) claim.count, 1, "the worker that dies has one entry");
    t_is_str(claim.jobs[0].row.evaluation_id, e.id,
             "the entry is of the evaluation");
    t_is_int((int) claim.jobs[0].attempts, 1,
             "the entry has its first attempt");

    t_other_worker(api);
    t_tick(api, 4000);
    c = t_sendf(api, "GET", NULL, "/feedback/evaluation/%s", e.id);
    t_is_str(t_get(c, "feedback_entries[0].processed"), "false",
             "nobody else takes an entry while its lease lasts");
    t_tick(api, 1000);
    c = t_sendf(api, "GET", NULL, "/feedback/evaluation/%s", e.id);
    t_is_str(t_get(c, "feedback_entries[0].processed"), "true",
             "an entry is processed when its lease has run out");
    t_is_int(t_number(api, t_format(api, "SELECT COUNT(*) FROM examples"
                                " WHERE evaluation_id = '%s'", e.id)), 3,
             "an entry that was claimed twice has its examples once");
}


/* Two that process the same entry store its examples once. */

static void
test_twice(t_api_t *api)
{
    t_eval_t                   e;
    judge_example_t          example;
    judge_feedback_claim_t   claim;
    judge_feedback_finish_t  finish;

    e = scored(api);
    judge_leases_stop(&api->service);
    t_is_status(t_say(api, e.id, APPROVAL(true)), 201,
                "feedback for two workers is submitted");

    memset(&claim, 0, sizeof(claim));
    claim.claim.now = api->now;
    claim.claim.lease.until = api->now;
    claim.claim.limit = 10;
    t_is_int(t_op(api, &claim.claim.op, JUDGE_OP_FEEDBACK_CLAIM), JUDGE_OK,
             "feedback can be claimed by one of two workers");

    t_other_worker(api);
    t_tick(api, 1000);

    example = (judge_example_t) { JUDGE_STR("crt_late"), "approval", 1, 1, 0,
                                  false };
    claim.jobs[0].notes = JUDGE_STR("too late");
    claim.jobs[0].examples = &example;
    claim.jobs[0].nexamples = 1;
    memset(&finish, 0, sizeof(finish));
    finish.jobs = claim.jobs;
    finish.count = claim.count;
    t_is_int(t_op(api, &finish.op, JUDGE_OP_FEEDBACK_FINISH), JUDGE_OK,
             "feedback can be finished by both workers");
    t_is_int(t_number(api, t_format(api, "SELECT COUNT(*) FROM examples"
                                " WHERE evaluation_id = '%s'", e.id)), 3,
             "feedback that two have finished has its examples once");
    t_is_str(t_get(t_sendf(api, "GET", NULL, "/feedback/evaluation/%s", e.id),
                   "feedback_entries[0].processing_notes"),
             "used as 3 training examples of weight 0.5: the given scores are"
             " right", "with its notes");
}


static void
test_changed(t_api_t *api)
{
    size_t                   i;
    t_eval_t                 e;
    t_call_t                *c;
    const char              *id;
    judge_example_t          example;
    judge_feedback_claim_t   claim;
    judge_feedback_finish_t  finish;

    for (i = 0; i < 2; i++) {
        e = scored(api);
        judge_leases_stop(&api->service);
        c = t_say(api, e.id, APPROVAL(true));
        t_is_status(c, 201, "feedback that is changed meanwhile is submitted");
        id = t_text(c, "feedback_id");

        memset(&claim, 0, sizeof(claim));
        claim.claim.now = api->now;
        claim.claim.lease.until = api->now + 5000;
        claim.claim.limit = 10;
        t_is_int(t_op(api, &claim.claim.op, JUDGE_OP_FEEDBACK_CLAIM), JUDGE_OK,
                 "feedback can be claimed before it is changed");
        t_is_status(t_sendf(api, i ? "DELETE" : "PATCH", i ? NULL
                            : "{\"content\":{\"approved\":false}}",
                            "/feedback/%s", id), i ? 204 : 200,
                    "feedback that was claimed can be changed or withdrawn");

        example = (judge_example_t) { JUDGE_STR("crt_old"), "approval", 1, 1,
                                      0, false };
        claim.jobs[0].notes = JUDGE_STR("of what it said before");
        claim.jobs[0].examples = &example;
        claim.jobs[0].nexamples = 1;
        memset(&finish, 0, sizeof(finish));
        finish.jobs = claim.jobs;
        finish.count = claim.count;
        t_is_int(t_op(api, &finish.op, JUDGE_OP_FEEDBACK_FINISH), JUDGE_OK,
                 "feedback can be finished after it was changed");
        t_is_int(t_number(api, t_format(api, "SELECT COUNT(*) FROM examples"
                                    " WHERE evaluation_id = '%s'", e.id)), 0,
                 "what an entry said before teaches nothing");

        t_other_worker(api);
        t_tick(api, 1000);
        t_is_int(t_number(api, t_format(api, "SELECT COUNT(*) FROM examples"
                                    " WHERE evaluation_id = '%s'"
                                    " AND kind = 'rejection'", e.id)),
                 i ? 0 : 3, "what an entry says now teaches");
    }
}


/* A change at the same moment as another is later than that. */

static void
test_moment(t_api_t *api)
{
    t_eval_t     e;
    const char  *id;

    e = scored(api);
    id = t_text(t_say(api, e.id, APPROVAL(true)), "feedback_id");
    t_is_str(t_get(t_sendf(api, "PATCH", "{}", "/feedback/%s", id),
                   "updated_at"), "2026-05-28T20:26:58.000Z",
             "a change has the time of the change");
    t_is_str(t_get(t_sendf(api, "PATCH", "{}", "/feedback/%s", id),
                   "updated_at"), "2026-05-28T20:26:58.001Z",
             "a change at the same time is a millisecond later");
}


static void
test_unreadable(t_api_t *api)
{
    t_eval_t     e;
    t_call_t  *c;

    e = scored(api);
    judge_leases_stop(&api->service);
    t_is_status(t_say(api, e.id, APPROVAL(true)), 201,
                "feedback that will be spoilt is submitted");
    t_execute(api, t_format(api, "UPDATE feedback SET content = '{' WHERE"
                        " evaluation_id = '%s'", e.id));
    t_other_worker(api);
    t_tick(api, 1000);
    t_execute(api, t_format(api, "UPDATE feedback SET content = '{}' WHERE"
                        " evaluation_id = '%s'", e.id));
    c = t_sendf(api, "GET", NULL, "/feedback/evaluation/%s", e.id);
    t_is_str(t_get(c, "feedback_entries[0].processing_notes"),
             "the entry can't be read",
             "the notes of an entry that can't be read say so");

    judge_leases_stop(&api->service);
    t_is_status(t_say(api, e.id, APPROVAL(true)), 201,
                "feedback that was claimed too often is submitted");
    t_execute(api, "UPDATE feedback SET attempts = 5 WHERE processed = 0");
    t_other_worker(api);
    t_tick(api, 1000);
    c = t_sendf(api, "GET", NULL, "/feedback/evaluation/%s", e.id);
    t_is_str(t_get(c, "feedback_entries[0].processing_notes"),
             "the entry could not be processed, try after try",
             "the notes of an entry that was claimed too often say so");
    t_is_int(t_number(api, t_format(api, "SELECT COUNT(*) FROM examples"
                                    " WHERE evaluation_id = '%s'", e.id)), 0,
             "an entry that was claimed too often teaches nothing");
}


/* --- Deleting and isolation ---------------------------------------------- */

static void
test_delete(t_api_t *api)
{
    t_eval_t                 e, other;
    const char            *bat;
    judge_batch_delete_t   delete;
    const char            *of = "SELECT (SELECT COUNT(*) FROM feedback"
                      " WHERE evaluation_id = '%s') * 100 + (SELECT COUNT(*)"
                      " FROM examples WHERE evaluation_id = '%s')";

    e = scored(api);
    other = scored(api);
    t_is_status(t_say(api, e.id, APPROVAL(true)), 201,
                "feedback on one evaluation is submitted");
    t_is_status(t_say(api, other.id, APPROVAL(true)), 201,
                "feedback on another evaluation is submitted");
    t_is_int(t_number(api, t_format(api, of, e.id, e.id)), 103,
             "feedback and its examples are stored");

    t_is_status(t_sendf(api, "DELETE", NULL, "/content/%s", e.content), 204,
                "the content is deleted");
    t_is_int(t_number(api, t_format(api, of, e.id, e.id)), 0,
             "feedback and examples go with the content");
    t_is_int(t_number(api, t_format(api, of, other.id, other.id)), 103,
             "feedback on another content stays");
    t_is_status(t_sendf(api, "GET", NULL, "/feedback/evaluation/%s", e.id),
                404, "feedback on a deleted content can't be read");

    t_is_status(t_sendf(api, "DELETE", NULL, "/judges/%s", other.judge), 204,
                "the judge of the other evaluation is deleted");
    t_is_int(t_number(api, t_format(api, of, other.id, other.id)), 100,
             "examples go with the judge, and feedback stays");
    t_is_str(t_get(t_sendf(api, "GET", NULL, "/feedback/evaluation/%s",
                           other.id), "total_feedback_count"), "1",
             "feedback on a deleted judge can be read");

    e = scored(api);
    other = scored(api);
    bat = t_batch(api, &e.id, 1);
    t_is_status(t_sendf(api, "POST", t_format(api, "{\"feedback_entries\":[{"
                        "\"evaluation_id\":\"%s\",\"type\":\"approval\","
                        "\"content\":{\"approved\":true}}]}", e.id),
                        "/batches/%s/feedback", bat), 201,
                "feedback on a batch is submitted");
    t_is_status(t_say(api, e.id, COMMENT), 201,
                "feedback on an evaluation of the batch is submitted");
    t_is_status(t_say(api, other.id, COMMENT), 201,
                "feedback on an evaluation elsewhere is submitted");
    t_is_int(t_number(api, t_format(api, of, e.id, e.id)), 203,
             "feedback on the batch and its examples are stored");

    memset(&delete, 0, sizeof(delete));
    delete.id = judge_str_c(bat);
    t_is_int(t_op(api, &delete.op, JUDGE_OP_BATCH_DELETE), JUDGE_OK,
             "the batch is deleted");

    t_is_int(t_number(api, t_format(api, of, e.id, e.id)), 0,
             "feedback and examples go with the batch");
    t_is_int(t_number(api, t_format(api, of, other.id, other.id)), 100,
             "feedback elsewhere stays");
    t_is_int(t_number(api, t_format(api, "SELECT COUNT(*) FROM"
                           " feedback_sessions WHERE batch_id = '%s'", bat)),
             0, "sessions of feedback go with the batch");
}


/* The report shows sixty versions. */

static void
test_versions(t_api_t *api)
{
    size_t     i, computed;
    t_eval_t   e;
    t_call_t  *c;

    e = t_feedback_on(api);

    for (i = 2; i <= 62; i++) {
        api->now += 1000;
        c = t_sendf(api, "PUT", t_format(api, "{\"description\":\"No. %zu\"}",
                                         i), "/judges/%s", e.judge);
        e.id = t_evaluation(api, e.judge, e.content);
        c = t_say(api, e.id, t_format(api, "{\"type\":\"correction\","
                  "\"content\":{\"corrected_scores\":{\"%s\":50}}}",
                  e.grammar));
    }

    t_is_status(c, 201, "each version is corrected");
    t_run(api);
    computed = api->computed;
    c = t_sendf(api, "GET", NULL, "/judges/%s/agreement", e.judge);
    t_is_int(api->computed - computed, 3, "agreement is computed in threads:"
             " criteria are read, feedback is gathered, and both measured");
    t_are(c, "by_version[0].version_number 3"
             "|by_version[59].version_number 62|by_version[60]",
          "of more than sixty versions the last ones are reported, in order");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_lessons(api);
    test_notes(api);
    test_crash(api);
    test_twice(api);
    test_changed(api);
    test_moment(api);
    test_unreadable(api);
    test_delete(api);
    test_versions(api);

    t_api_destroy(api);

    return t_done();
}
