/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Who judges a criterion, and what becomes of those that nobody judges. */


#include <string.h>

#include "feedback.h"
#include "harness.h"


#define TEXT      "The bus is late again. It costs 39 euros, and nobody runs."
#define HUMOUR    "{\"name\":\"Humour\",\"description\":\"Makes one laugh\"}"
#define GRAMMAR   "{\"name\":\"Grammar\",\"description\":\"Is right\"}"


static t_call_t *
create(t_api_t *api, const char *criteria)
{
    return t_send(api, "POST", "/judges", t_format(api, "{\"name\":\"J\","
                  "\"description\":\"\",\"content_type\":\"text\","
                  "\"criteria\":[%s]}", criteria));
}


/* By a judge of these criteria. */

static t_call_t *
judged(t_api_t *api, const char *criteria)
{
    t_call_t    *c;
    const char  *id;

    c = create(api, criteria);
    t_is_status(c, 201, "a judge is created");
    id = t_evaluation(api, t_text(c, "judge_id"), t_content(api, TEXT));
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", id);
    t_ok(!t_has(c, "null"), "what is not there is absent, never null");

    return c;
}


/* --- The judge ----------------------------------------------------------- */

static void
test_record(t_api_t *api)
{
    size_t     i;
    t_call_t  *c;
    static const struct {
        const char  *by, *reason;
    } rows[] = {
        { "nothing", "No measurement of the text shows what it asks for. A"
                     " check, a language model or 25 corrections can judge"
                     " it." },
        { "measures", "It asks for grammar, which is measured in the text." },
        { "checks", "Its checks decide all that it asks for." },
        { "nothing", "It asks for several things at once. A check, a language"
                     " model or 25 corrections can judge it." },
        { "corrections", "The judge asks for it." },
        { "measures", "It asks for spelling and punctuation, which is measured"
                      " in the text." }
    };

    c = create(api, HUMOUR "," GRAMMAR ",{\"name\":\"Length\",\"description\":"
               "\"At most 50 words.\"},{\"name\":\"Structure and vocabulary\","
               "\"description\":\"Good\"},{\"name\":\"Wit\",\"description\":"
               "\"Is witty\",\"judge_by\":\"corrections\"},{\"name\":"
               "\"Spelling\",\"description\":\"Is right\",\"judge_by\":"
               "\"measures\"}");
    t_is_status(c, 201, "a judge of six criteria is created");

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_str(t_get(c, t_format(api, "criteria[%zu].judged_by", i)),
                 rows[i].by, "criterion %zu: who judges it is chosen", i);
        t_is_str(t_get(c, t_format(api, "criteria[%zu].judged_by_reason", i)),
                 rows[i].reason,
                 "criterion %zu: the reason of the choice is told", i);
    }
}


static void
test_refused(t_api_t *api)
{
    size_t       i;
    t_call_t    *c;
    const char  *id, *criteria;
    static const struct {
        const char  *name, *by, *detail;
    } rows[] = {
        { "Grammar", "\"people\"", "criteria[1].judge_by: expected auto,"
          " checks, measures, model or corrections" },
        { "Grammar", "\"nothing\"", "criteria[1].judge_by: expected auto,"
          " checks, measures, model or corrections" },
        { "Grammar", "\"Measures\"", "criteria[1].judge_by: expected auto,"
          " checks, measures, model or corrections" },
        { "Grammar", "\"checks\"", "criteria[1].judge_by: expected checks, by"
          " which it can be judged" },
        { "Wit", "\"measures\"", "criteria[1].judge_by: expected a criterion"
          " that asks for one thing that is measured, such as “Grammar”" },
        { "Grammar", "\"\"", "criteria[1].judge_by: expected a non-empty"
          " string of at most 20 characters" },
        { "Grammar", "7", "criteria[1].judge_by: expected a non-empty string"
          " of at most 20 characters" },
        { "Grammar", "\"measuresmeasuresmeasures\"", "criteria[1].judge_by:"
          " expected a non-empty string of at most 20 characters" },
        { "Grammar", "[\"auto\"]", "criteria[1].judge_by: expected a non-empty"
          " string of at most 20 characters" }
    };

    id = t_text(create(api, GRAMMAR), "judge_id");

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        criteria = t_format(api, HUMOUR ",{\"name\":\"%s\",\"description\":"
                            "\"D\",\"judge_by\":%s}", rows[i].name,
                            rows[i].by);
        t_is_detail(create(api, criteria), 400, rows[i].detail, rows[i].by);
        t_is_detail(t_sendf(api, "PUT", t_format(api, "{\"criteria\":[%s]}",
                            criteria), "/judges/%s", id), 400,
                    rows[i].detail,
                    "a judge_by that can't be is refused in a change, too");
    }

    c = t_sendf(api, "GET", NULL, "/judges/%s", id);
    t_is_str(t_get(c, "version_number"), "1", "no version came of these");

    c = create(api, "{\"name\":\"Grammar\",\"description\":\"D\","
                    "\"judge_by\":null}");
    t_is_status(c, 201, "null is as if it were not given");
    t_is_str(t_get(c, "criteria[0].judged_by"), "measures",
             "a judge_by of null is as auto");
    t_ok(!t_has(c, "null"), "a judge_by of null is not shown");

    c = create(api, "{\"name\":\"Grammar\",\"description\":\"D\","
                    "\"judge_by\":\"auto\"}");
    t_is_str(t_get(c, "criteria[0].judged_by"), "measures",
             "a judge_by of auto chooses by the words");
}


/* --- The evaluation ------------------------------------------------------ */

static void
test_part(t_api_t *api)
{
    t_call_t  *c;

    c = judged(api, "{\"name\":\"Humour\",\"description\":\"Makes one laugh\","
                    "\"weight\":3}," GRAMMAR);
    t_is_str(t_get(c, "status"), "completed",
             "an evaluation is completed if one of two criteria is judged");
    t_is_str(t_get(c, "criteria_scores[0].name"), "Grammar",
             "the score is of the criterion that is judged");
    t_is_str(t_get(c, "criteria_scores[0].judged_by"), "measures",
             "a score says who has judged");
    t_ok(t_get(c, "criteria_scores[1]").data == NULL,
         "a criterion that is not judged has no score");
    t_is_str(t_get(c, "overall_score"),
             t_text(c, "criteria_scores[0].score"),
             "the overall score is that of what is judged");
    t_is_str(t_get(c, "not_judged[0].name"), "Humour",
             "the criterion that is not judged is named");
    t_ok(judge_id_wellformed(t_get(c, "not_judged[0].criterion_id"), "crt"),
         "the criterion that is not judged has its identifier");
    t_is_str(t_get(c, "not_judged[0].reason"),
             "No measurement of the text shows what it asks for. A check, a"
             " language model or 25 corrections can judge it.",
             "the criterion that is not judged has the reason");
    t_ok(t_get(c, "not_judged[1]").data == NULL,
         "a criterion that is judged is not among the others");
    t_is_str(t_get(c, "coverage"), "0.25",
             "coverage is the share of the weights that are judged");

    c = judged(api, GRAMMAR);
    t_is_str(t_get(c, "not_judged"), "[]", "all criteria are judged");
    t_is_str(t_get(c, "coverage"), "1",
             "coverage is 1 when all criteria are judged");

    c = judged(api, GRAMMAR ",{\"name\":\"Organization\",\"description\":"
                            "\"Good\"}");
    t_is_str(t_get(c, "not_judged[0].reason"), "The text is too short; from 40"
             " words on, organization and development is measured.",
             "the reason says why this text can't be measured");
}


static void
test_none(t_api_t *api)
{
    t_call_t    *c;
    const char  *id, *bat;

    c = judged(api, HUMOUR);
    id = t_text(c, "evaluation_id");
    t_is_str(t_get(c, "status"), "failed",
             "an evaluation of which nothing is judged fails");
    t_is_str(t_get(c, "error.code"), "NOT_JUDGED",
             "an evaluation of which nothing is judged has its code");
    t_is_str(t_get(c, "error.message"), "none of the judge's criteria could be"
             " judged; not_judged says why",
             "an evaluation of which nothing is judged has a message");
    t_ok(t_get(c, "overall_score").data == NULL
         && t_get(c, "criteria_scores").data == NULL,
         "an evaluation of which nothing is judged has no score");
    t_is_str(t_get(c, "not_judged[0].name"), "Humour",
             "a failed evaluation names what is not judged");
    t_is_str(t_get(c, "coverage"), "0",
             "a failed evaluation has a coverage of 0");
    t_is_str(t_get(c, "provenance.engine"), "builtin",
             "a failed evaluation says which engine has tried");

    c = t_sendf(api, "GET", NULL, "/evaluations/results/%s", id);
    t_is_str(t_get(c, "failed"), "1",
             "a job counts an evaluation that is not judged as failed");

    c = t_send(api, "GET", "/evaluations?status=failed", NULL);
    t_ok(t_has(c, id), "an evaluation that is not judged is listed as failed");

    c = t_send(api, "POST", "/batches/evaluate", t_format(api, "{\"name\":"
               "\"B\",\"judge_ids\":[\"%s\"],\"content_items\":[{\"name\":"
               "\"A\",\"text_content\":\"One.\"}]}",
               t_text(create(api, HUMOUR), "judge_id")));
    bat = t_text(c, "batch_id");
    t_tick(api, 50);
    t_run(api);
    c = t_sendf(api, "GET", NULL, "/batches/%s", bat);
    t_is_str(t_get(c, "failed_evaluations"), "1",
             "a batch counts an evaluation that is not judged as failed");
    t_is_str(t_get(c, "completed_evaluations"), "0",
             "a batch does not count it as completed");
}


/* What could be decided of a criterion that is not judged is shown. */

static void
test_checks(t_api_t *api)
{
    t_call_t  *c;

    c = judged(api, "{\"name\":\"Humour\",\"description\":\"Is friendly.\""
                    ",\"checks\":[{\"type\":\"max_words\",\"value\":5},"
                    "{\"type\":\"contains\",\"value\":\"bus\"}]}," GRAMMAR);
    t_is_str(t_get(c, "status"), "completed",
             "an evaluation with checks is completed");
    t_is_str(t_get(c, "not_judged[0].checks[0].result"), "not_met",
             "a check that is not met is shown");
    t_is_str(t_get(c, "not_judged[0].checks[1].result"), "met",
             "a check that is met is shown");
    t_ok(t_get(c, "criteria_scores[1]").data == NULL,
         "checks alone do not judge what is not decided by them");

    c = judged(api, "{\"name\":\"Humour\",\"description\":\"Is friendly.\""
                    ",\"judge_by\":\"checks\",\"checks\":[{\"type\":"
                    "\"contains\",\"value\":\"bus\"}]}");
    t_is_str(t_get(c, "criteria_scores[0].score"), "100",
             "checks judge what the judge has left to them");
    t_is_str(t_get(c, "criteria_scores[0].judged_by"), "checks",
             "a criterion that checks judge says so");
    t_is_str(t_get(c, "not_judged"), "[]",
             "nothing is left when checks judge the criterion");
}


/* --- Feedback ------------------------------------------------------------ */

#define SCORE  "{\"type\":\"correction\",\"content\":{\"corrected_scores\":{" \
               "\"%s\":50}}}"


static void
test_feedback(t_api_t *api)
{
    t_call_t    *c;
    const char  *id, *criterion, *bat;

    c = judged(api, HUMOUR "," GRAMMAR);
    id = t_text(c, "evaluation_id");
    criterion = t_text(c, "not_judged[0].criterion_id");
    t_is_status(t_say(api, id, t_format(api, SCORE, criterion)), 201,
                "a score is taken for a criterion that was not judged");

    c = judged(api, HUMOUR);
    id = t_text(c, "evaluation_id");
    criterion = t_text(c, "not_judged[0].criterion_id");
    t_is_status(t_say(api, id, COMMENT), 201,
                "feedback is taken where nothing was judged");
    t_is_status(t_say(api, id, RATING(2)), 201,
                "a rating is taken where nothing was judged");
    t_is_status(t_say(api, id, t_format(api, SCORE, criterion)), 201,
                "a score is taken where nothing was judged");
    t_is_status(t_say(api, id, "{\"type\":\"correction\",\"content\":{"
                      "\"corrected_overall_score\":50}}"), 201,
                "an overall score is taken where nothing was judged");
    c = t_sendf(api, "GET", NULL, "/feedback/evaluation/%s", id);
    t_is_str(t_get(c, "total_feedback_count"), "4", "all feedback is kept");

    bat = t_batch(api, &id, 1);
    c = t_sendf(api, "POST", t_format(api, "{\"feedback_entries\":[{"
                "\"evaluation_id\":\"%s\",\"type\":\"comment\",\"content\":{"
                "\"comment\":\"Why?\"}}]}", id), "/batches/%s/feedback", bat);
    t_is_status(c, 201,
                "feedback on a batch is taken where nothing was judged");

    t_execute(api, t_format(api, "UPDATE evaluations SET error_code ="
                            " 'TIMED_OUT' WHERE id = '%s'", id));
    t_is_detail(t_say(api, id, COMMENT), 409, "only a completed evaluation"
                " takes feedback; this one is failed",
                "an evaluation that failed for another reason takes none");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_record(api);
    test_refused(api);
    test_part(api);
    test_none(api);
    test_checks(api);
    test_feedback(api);

    t_api_destroy(api);

    return t_done();
}
