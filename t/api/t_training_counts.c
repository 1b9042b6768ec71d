/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Training jobs: what is counted and estimated before they run, and what a
 * job tells of a criterion that no version has scored. */


#include "feedback.h"


#define T_MANY  40


static t_call_t *
make(t_api_t *api, const char *judge)
{
    return t_send(api, "POST", "/training/jobs", t_format(api,
                      "{\"judge_id\":\"%s\",\"training_type\":\"full_retrain\""
                      ",\"training_config\":{}}", judge));
}


static t_call_t *
executed(t_api_t *api, const char *id, const char *tier)
{
    t_is_status(t_sendf(api, "POST", t_format(api, "{\"execution_override\":{"
                        "\"resource_allocation\":\"%s\"}}", tier),
                        "/training-jobs/%s/execute", id), 200, tier);

    return t_sendf(api, "GET", NULL, "/training/jobs/%s", id);
}


static void
estimates(t_api_t *api, const char *judge, const char *tier, int ms)
{
    const char  *id;

    id = t_text(make(api, judge), "job_id");
    (void) executed(api, id, tier);
    t_is_int(t_number(api, t_format(api, "SELECT estimate FROM training_jobs"
                                         " WHERE id = '%s'", id)), ms,
             "the estimate is that of the tier which is given on execution");
}


static void
test_counts(t_api_t *api, const t_eval_t *e, const char *const *ids)
{
    size_t       i;
    t_call_t    *c;
    const char  *id;

    for (i = 0; i < 12; i++) {
        (void) t_say(api, ids[i], i % 2 ? APPROVAL(false) : RATING(2));
    }

    c = make(api, e->judge);
    t_is_str(t_get(c, "feedback_data_summary.total_feedback_count"), "12",
             "entries that only say what is wrong are counted");
    t_is_str(t_get(c, "feedback_data_summary.teaching_count"), "0",
             "entries that only say what is wrong do not teach");
    t_is_str(t_get(c, "feedback_data_summary.evaluation_count"), "0",
             "no evaluation has anything to learn from");
    c = executed(api, t_text(c, "job_id"), "standard");
    t_is_str(t_get(c, "error_info.error_message"), "corrections, approvals and"
             " ratings above 3 speak about 0 evaluations that can be learned"
             " from; 5 are needed",
             "the job says that nothing speaks of what could be learned");

    id = t_text(make(api, e->judge), "job_id");
    for (i = 0; i < T_MANY; i++) {
        (void) t_say(api, ids[i], t_format(api, "{\"type\":\"correction\","
                     "\"content\":{\"corrected_scores\":{\"%s\":%zu}}}",
                     e->grammar, 20 + i));
    }
    c = executed(api, id, "standard");
    t_is_str(t_get(c, "feedback_data_summary.teaching_count"), "40",
             "what came before the execution is counted, too");
    t_is_str(t_get(c, "feedback_data_summary.evaluation_count"), "40",
             "the evaluations that feedback is about are counted, too");
}


static size_t  summaries;


static void
count_summaries(t_api_t *api, judge_op_t *op)
{
    summaries += op->kind == JUDGE_OP_TRAINING_SUMMARY;
}


/* A job waits for feedback that is not processed yet, and asks for it again
 * only when it has been told: the store may take longer than a pause. */

static void
test_waiting(t_api_t *api, const t_eval_t *e)
{
    size_t       i;
    const char  *id;

    t_execute(api, "UPDATE feedback SET processed = 0");
    id = t_text(make(api, e->judge), "job_id");
    t_is_str(t_get(executed(api, id, "standard"), "status"), "preparing",
             "a job waits for feedback");

    summaries = 0;
    api->before = count_summaries;
    api->slow = true;
    for (i = 0; i < 4; i++) {
        t_tick(api, 300);
    }
    api->slow = false;
    api->before = NULL;
    t_is_int((int64_t) summaries, 1,
             "a job asks once while the store is slow");

    t_run(api);
    t_execute(api, "UPDATE feedback SET processed = 1");
    t_tick(api, 300);
    t_tick(api, 300);
    t_is_str(t_get(t_sendf(api, "GET", NULL, "/training/jobs/%s", id),
                   "status"), "completed",
             "a job goes on when the feedback is processed");
}


/* --- Asked for by feedback ----------------------------------------------- */

static t_call_t *
again(t_api_t *api, const t_eval_t *e, const char *const *ids,
    const char *batch)
{
    size_t       i;
    judge_buf_t  body;

    judge_buf_init(&body, api->arena);
    judge_buf_c(&body, "{\"feedback_options\":{\"auto_trigger_retraining\":"
                       "true},\"feedback_entries\":[");
    for (i = 0; i < 12; i++) {
        judge_buf_printf(&body, "%s{\"evaluation_id\":\"%s\",\"type\":"
                         "\"correction\",\"content\":{\"corrected_scores\":{"
                         "\"%s\":1}}}", i ? "," : "", ids[i], e->grammar);
    }
    judge_buf_append(&body, "]}", 3);

    return t_sendf(api, "POST", body.data, "/batches/%s/feedback", batch);
}


static void
test_again(t_api_t *api, const t_eval_t *e, const char *const *ids)
{
    t_call_t    *c;
    const char  *batch, *waits, *made;

    batch = t_batch(api, ids, 12);
    waits = t_text(make(api, e->judge), "job_id");
    t_execute(api, t_format(api, "UPDATE training_jobs SET status = 'queued'"
                                 " WHERE id = '%s'", waits));
    c = again(api, e, ids, batch);
    t_is_str(t_get(c, "training_jobs[0].job_id"), waits,
             "a job that is queued will learn from the feedback");
    t_is_str(t_get(c, "training_jobs[0].judge_id"), e->judge,
             "the job that will learn is the judge's");
    c = t_sendf(api, "GET", NULL, "/training/jobs?judge_id=%s", e->judge);
    t_is_str(t_get(c, "jobs[0].job_id"), waits, "no other job is made");

    t_execute(api, t_format(api, "UPDATE training_jobs SET status ="
                                 " 'cancelled' WHERE id = '%s'", waits));
    made = t_text(again(api, e, ids, batch), "training_jobs[0].job_id");
    c = t_sendf(api, "GET", NULL, "/training/jobs?judge_id=%s", e->judge);
    t_is_str(t_get(c, "jobs[0].job_id"), made,
             "where none is queued the one is made that the answer names");

    t_execute(api, t_format(api, "UPDATE judges SET deleted_at = 1 WHERE id ="
                                 " '%s'", e->judge));
    t_ok(t_get(again(api, e, ids, batch), "training_jobs[0]").data == NULL,
         "a judge that was deleted learns from nothing");
}


/* --- Without a score ----------------------------------------------------- */

static t_call_t *
ran(t_api_t *api, const char *judge, const char *type, const char *config)
{
    t_call_t  *c;

    c = t_send(api, "POST", "/training/jobs", t_format(api,
                   "{\"judge_id\":\"%s\",\"training_type\":\"%s\","
                   "\"training_config\":%s}", judge, type, config));
    (void) executed(api, t_text(c, "job_id"), "standard");

    return t_sendf(api, "GET", NULL, "/training/jobs/%s?include_logs=true",
                   t_text(c, "job_id"));
}


/* Nothing judges the criterion before the judge has learned it. */

static void
test_unscored(t_api_t *api, const char *const *contents)
{
    size_t       i;
    t_call_t    *c;
    const char  *judge, *humour;

    c = t_send(api, "POST", "/judges", "{\"name\":\"J\",\"description\":\"\","
               "\"content_type\":\"text\",\"criteria\":[{\"name\":\"Humour\","
               "\"description\":\"Makes one laugh\"}]}");
    judge = t_text(c, "judge_id");
    humour = t_text(c, "criteria[0].criterion_id");
    c = ran(api, judge, "full_retrain", "{}");
    t_ok(t_has(c, "INSUFFICIENT") && !t_has(c, "training_type full_retrain")
         && !t_has(c, "feedback_cutoff_date and target_criteria"),
         "no fix is named that was taken already");

    for (i = 0; i < T_MANY; i++) {
        (void) t_say(api, t_evaluation(api, judge, contents[i]), t_format(api,
                     "{\"type\":\"correction\",\"content\":{"
                     "\"corrected_scores\":{\"%s\":%zu}}}", humour, 20 + i));
    }

    c = ran(api, judge, "validation", "{}");
    t_are(c, "status completed|results.validation_results.test_accuracy|"
          "results.validation_results.test_f1_score|"
          "results.validation_results.gain_beyond_shift|"
          "metrics.accuracy_improvement|results.deployment_reason a validation"
          " changes nothing; the version in use gives none of the scores that"
          " people gave", "a version without scores has no figures");
    t_ok(!t_has(c, "nan"), "a validation of no scores logs no number");

    c = ran(api, judge, "full_retrain", "{}");
    t_are(c, "results.performance_comparison.compared_with people's mean,"
          " since the version in use gives no score",
          "people's mean is not called the version in use");
    t_ok(!t_has(c, "of the version in use"),
         "the error of people's mean is told as such");

    c = ran(api, judge, "full_retrain", "{\"validation_split\":0}");
    t_are(c, "status completed|results.validation_results.test_accuracy|"
          "results.new_model_version 2", "what was held out by nobody has no"
          " figures");
    t_ok(!t_has(c, "nan"), "a training that measures nothing logs no number");
    c = t_sendf(api, "GET", NULL, "/judges/%s/versions", judge);
    t_ok(t_has(c, "said of 40 evaluations") && !t_has(c, "nan"),
         "the version bears no number that was not measured");
}


int
main(void)
{
    size_t       i;
    t_api_t     *api;
    t_eval_t     e;
    const char  *ids[T_MANY], *contents[T_MANY];

    api = t_api_create();
    e = t_feedback_on(api);

    for (i = 0; i < T_MANY; i++) {
        contents[i] = t_content(api, t_format(api, "Bus number %zu runs at"
                                " night. It is late by %zu.", i, i * i));
        ids[i] = t_evaluation(api, e.judge, contents[i]);
    }

    test_counts(api, &e, ids);

    /* 40 evaluations of 4 ms, learned from once and once for each fold. */
    estimates(api, e.judge, "minimal", 1000 + T_MANY * 4 * 3);
    estimates(api, e.judge, "high_performance", 1000 + T_MANY * 4 * 6);
    t_execute(api, "UPDATE training_jobs SET started_at = completed_at - 400,"
                   " items = 40 WHERE allocation = 'minimal'");
    estimates(api, e.judge, "minimal", 1000 + T_MANY * 10);

    test_unscored(api, contents);
    test_waiting(api, &e);
    test_again(api, &e, ids);

    t_api_destroy(api);

    return t_done();
}
