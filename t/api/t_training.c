/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Training jobs: made, executed, cancelled, taken up again; and judges that
 * score as they have learned to. */


#include <stdio.h>
#include <string.h>

#include "feedback.h"
#include "store/store_training.h"
#include "work/calibration/calibrator_cache.h"
#include "work/training/training.h"


#define T_MANY  40

/* A judge with evaluations of different texts. */
typedef struct {
    const char  *judge;
    const char  *grammar;
    const char  *spelling;
    const char  *contents[T_MANY];
    const char  *evaluations[T_MANY];
    double       grammar_score[T_MANY];
    double       depth_score[T_MANY];
} t_course_t;

static const char *const  t_words[] = {
    "the buses were late", "because of the snow", "at night", "therefore",
    "it is too late", "the councillors said so", "nobody was there",
    "in the timetable", "although it was cold", "there is evidence",
    "the drivers had to wait", "we had to walk", "for the infrastructure",
    "on the way home", "consequently", "in the morning", "and a few of us",
    "the trains did not run"
};


/* --- What the tests begin with ------------------------------------------- */

static const char *
text_of(t_api_t *api, size_t number)
{
    size_t       i, n, k;
    judge_buf_t  buf;

    judge_buf_init(&buf, api->arena);
    n = 8 + number * 7 % 60;
    k = number * 2654435761u;

    for (i = 0; i < n; i++) {
        k = k * 1103515245u + 12345;
        judge_buf_c(&buf, t_words[(k >> 16 & 0x7fff) % 18]);
        judge_buf_c(&buf, i % (3 + number % 9) == 2 ? ". " : " ");
    }

    judge_buf_printf(&buf, "End %zu.", number);
    judge_buf_append(&buf, "", 1);

    return buf.data;
}


static double
score_of(t_call_t *call, const char *path)
{
    double  v;

    v = -1;
    (void) sscanf(t_text(call, path), "%lf", &v);

    return v;
}


static void
begin(t_api_t *api, t_course_t *course)
{
    size_t     i;
    t_call_t  *c;

    course->judge = t_judge(api, "text");
    c = t_sendf(api, "GET", NULL, "/judges/%s", course->judge);
    course->grammar = t_text(c, "criteria[0].criterion_id");
    course->spelling = t_text(c, "criteria[1].criterion_id");

    for (i = 0; i < T_MANY; i++) {
        course->contents[i] = t_content(api, text_of(api, i));
        course->evaluations[i] = t_evaluation(api, course->judge,
                                              course->contents[i]);
        c = t_sendf(api, "GET", NULL, "/evaluations/%s",
                    course->evaluations[i]);
        course->grammar_score[i] = score_of(c, "criteria_scores[0].score");
        course->depth_score[i] = score_of(c, "criteria_scores[1].score");
    }
}


/* People's scores lie on a line over the engine's, with some noise. */

static double
people(double score, double slope, double shift, size_t i)
{
    double  v;

    v = score * slope + shift + (double) (i * 7 % 5) - 2;

    return v < 0 ? 0 : v > 100 ? 100 : v;
}


static void
correct(t_api_t *api, t_course_t *course, size_t from, size_t to)
{
    size_t  i;

    for (i = from; i < to; i++) {
        t_is_status(t_say(api, course->evaluations[i], t_format(api,
                        "{\"type\":\"correction\",\"content\":{"
                        "\"corrected_scores\":{\"%s\":%.1f,\"%s\":%.1f}}}",
                        course->grammar,
                        people(course->grammar_score[i], 0.5, 0, i),
                        course->spelling,
                        people(course->depth_score[i], 0.6, -2, i + 1))),
                    201, "a correction is taken");
    }
}


static t_call_t *
make(t_api_t *api, const char *judge, const char *type, const char *config,
    const char *options)
{
    return t_send(api, "POST", "/training/jobs", t_format(api,
               "{\"judge_id\":\"%s\",\"training_type\":\"%s\","
               "\"training_config\":%s%s%s}", judge, type, config,
               options ? ",\"execution_options\":" : "",
               options ? options : ""));
}


static const char *
execute(t_api_t *api, t_call_t *made)
{
    const char  *id;

    t_is_status(made, 201, "a job is made");
    id = t_text(made, "job_id");
    t_is_status(t_sendf(api, "POST", "{}", "/training-jobs/%s/execute", id),
                200, "a job is executed");

    return id;
}


static t_call_t *
job(t_api_t *api, const char *id)
{
    return t_sendf(api, "GET", NULL, "/training/jobs/%s?include_logs=true",
                   id);
}


/* --- From corrections to another version --------------------------------- */

static void
test_course(t_api_t *api)
{
    t_call_t    *c;
    t_course_t   course;
    const char  *id, *again;
    double       before, after, wanted;

    begin(api, &course);
    correct(api, &course, 0, T_MANY);

    id = execute(api, make(api, course.judge, "full_retrain", "{}",
                           "{\"auto_deploy\":true}"));
    c = job(api, id);
    t_are(c, "status completed|results.deployment_ready true|results.deployed "
          "true|results.new_model_version 2", "a better version is deployed");

    c = t_sendf(api, "GET", NULL, "/judges/%s", course.judge);
    t_are(c, "version_number 2|status ready",
          "the judge is ready with the deployed version");

    again = t_evaluation(api, course.judge, course.contents[3]);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", again);
    t_is_str(t_get(c, "provenance.calibrator"), id,
             "an evaluation names what has calibrated it");
    before = course.grammar_score[3];
    after = score_of(c, "criteria_scores[0].score");
    wanted = people(before, 0.5, 0, 2);
    t_ok(after - wanted < 6 && wanted - after < 6,
         "from %.1f to %.1f, where people say %.1f", before, after, wanted);
    t_ok(score_of(c, "criteria_scores[0].raw_score") == before,
         "the engine's score is told, too");
}


/* --- What is refused ----------------------------------------------------- */

static void
test_refusals(t_api_t *api)
{
    size_t       i;
    t_call_t    *c;
    const char  *judge, *id;
    static const struct {
        const char  *body;             /* %s: a judge */
        int          status;
        const char  *detail;
    } rows[] = {
        { "{\"training_type\":\"validation\",\"training_config\":{}}%.0s",
          400, "judge_id: required, expected a non-empty string of at most"
               " 200 characters" },
        { "{\"judge_id\":\"%s\",\"training_type\":\"validation\"}", 400,
          "training_config: required, expected an object" },
        { "{\"judge_id\":\"%s\",\"training_type\":\"more\","
          "\"training_config\":{}}", 400,
          "training_type: expected one of incremental, full_retrain,"
          " fine_tune, validation" },
        { "{\"judge_id\":\"jdg_x\",\"training_type\":\"validation\","
          "\"training_config\":{}}%.0s", 404, "there is no such judge" },
        { "{\"judge_id\":\"%s\",\"training_type\":\"validation\","
          "\"training_config\":{\"validation_split\":0.6}}", 400,
          "training_config.validation_split: expected a number from 0 to"
          " 0.5" },
        { "{\"judge_id\":\"%s\",\"training_type\":\"validation\","
          "\"training_config\":{\"target_criteria\":[\"crt_x\"]}}", 400,
          "training_config.target_criteria[0]: expected the identifier of a"
          " criterion of the judge" },
    };

    judge = t_judge(api, "text");

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        c = t_send(api, "POST", "/training/jobs",
                   t_format(api, rows[i].body, judge));
        t_is_detail(c, rows[i].status, rows[i].detail, rows[i].body);
    }

    c = make(api, judge, "incremental", "{}", "{\"webhook_url\":\"ftp:x\"}");
    t_is_status(c, 400, "an address that is none is refused");

    c = make(api, judge, "incremental", "{}", NULL);
    id = t_text(c, "job_id");
    t_is_str(t_get(c, "status"), "created", "a job waits to be executed");
    t_is_detail(t_sendf(api, "POST", "{\"confirmation\":{"
                        "\"acknowledge_cost\":false}}",
                        "/training-jobs/%s/execute", id), 428,
                "confirmation.acknowledge_cost: must be true where it is"
                " given", "the cost is not acknowledged");
    t_is_status(t_send(api, "POST", "/training/jobs/trj_x/execute", "{}"),
                404, "a job that does not exist can't be executed");
    t_is_status(t_sendf(api, "POST", NULL, "/training/jobs/%s/execute", id),
                200, "a job can be executed without a body");
    t_is_detail(t_sendf(api, "POST", "{}", "/training/jobs/%s/execute", id),
                409, "the job can't be executed: it is failed",
                "a job that has ended can't be executed");

    c = job(api, id);
    t_are(c, "error_info.error_code INSUFFICIENT_FEEDBACK|"
          "error_info.error_message 0 entries of feedback other than "
          "comments, 10 are needed", "nothing is learned without feedback");
    t_ok(t_get(c, "error_info.suggested_fixes[0]").len > 10,
         "the error says what to do");
    t_ok(t_get(c, "results").data == NULL, "a failed job has no results");
}


/* So many of the computations that wait for a thread. */

static void
step(t_api_t *api, size_t n)
{
    judge_task_t  *task;

    while (n-- && (task = api->tasks)) {
        api->tasks = task->next;
        task->run(task);
        task->done(task);
    }
}


/* --- Cancelling, crashes, time ------------------------------------------- */

static void
test_cancel(t_api_t *api, t_course_t *course)
{
    t_call_t    *c;
    const char  *id;

    c = make(api, course->judge, "full_retrain", "{}", NULL);
    id = t_text(c, "job_id");
    c = t_sendf(api, "POST", NULL, "/training-jobs/%s/cancel", id);
    t_is_status(c, 200, "a created job can be cancelled");
    t_are(c, "status cancelled", "a cancelled job is shown as such");
    t_is_status(t_sendf(api, "POST", NULL, "/training-jobs/%s/cancel", id),
                409, "a job can be cancelled once");

    api->later = true;
    id = execute(api, make(api, course->judge, "full_retrain", "{}",
                           "{\"auto_deploy\":true}"));
    step(api, 1);
    t_are(job(api, id), "status preparing", "an executed job is preparing");
    step(api, 2);
    t_are(job(api, id), "status training", "a prepared job is training");
    c = t_sendf(api, "GET", NULL, "/judges/%s", course->judge);
    t_are(c, "status training", "the judge of the job is in training");

    t_is_status(t_sendf(api, "POST", NULL, "/training-jobs/%s/cancel", id),
                200, "a job that is under way can be cancelled");
    step(api, 1000);
    api->later = false;

    c = job(api, id);
    t_are(c, "status cancelled", "a cancelled job stays cancelled");
    t_is_int(t_number(api, "SELECT count(*) FROM training_checkpoints"), 0,
             "a cancelled job leaves no checkpoint");
    t_ok(t_get(c, "error_info").data == NULL, "a cancelled job has no error");
    t_ok(t_get(c, "cancelled_at_epoch").data != NULL,
         "a cancelled job says at what epoch it ended");
    t_ok(t_has(c, "\"cancelled\""), "the log of a cancelled job says so");
    c = t_sendf(api, "GET", NULL, "/judges/%s", course->judge);
    t_are(c, "status ready", "a judge whose job was cancelled is ready");
}


/* The process dies after so many steps; another one goes on. */

static void
test_crash(t_api_t *api, t_course_t *course)
{
    t_call_t    *c;
    const char  *whole, *id;

    whole = execute(api, make(api, course->judge, "full_retrain", "{}",
                              NULL));

    api->later = true;
    id = execute(api, make(api, course->judge, "full_retrain", "{}", NULL));
    step(api, 5);

    c = job(api, id);
    t_ok(score_of(c, "progress.current_epoch") >= 1, "an epoch is learned");

    api->tasks = NULL;
    t_other_worker(api);
    t_tick(api, 1000);
    t_ok(!judge_leases_busy(&api->service), "a lease keeps others out");
    t_tick(api, 30000);
    t_ok(judge_leases_busy(&api->service), "an ended lease is taken over");
    step(api, 1000);
    api->later = false;

    c = job(api, id);
    t_are(c, "status completed", "a job that was taken over ends well");
    t_ok(t_has(c, "goes on from its checkpoint"),
         "a job that was taken over goes on from its checkpoint");
    t_is_int(t_number(api, t_format(api, "SELECT COUNT(DISTINCT model)"
                                    " FROM judge_calibrators WHERE job_id IN"
                                    " ('%s', '%s')", whole, id)), 1,
             "a job that was taken over learns the same to the bit");
    t_is_int(t_number(api, t_format(api, "SELECT COUNT(*)"
                                    " FROM judge_calibrators WHERE job_id IN"
                                    " ('%s', '%s')", whole, id)), 2,
             "both jobs have stored what they learned");
}


static void
test_time(t_api_t *api, t_course_t *course)
{
    t_call_t    *c;
    const char  *id;

    api->later = true;
    c = make(api, course->judge, "full_retrain", "{}", NULL);
    id = t_text(c, "job_id");
    t_is_status(t_sendf(api, "POST", "{\"execution_override\":{"
                        "\"max_duration_minutes\":1,\"priority\":\"high\","
                        "\"resource_allocation\":\"minimal\"}}",
                        "/training-jobs/%s/execute", id), 200, "a job runs");
    step(api, 3);
    api->now += 61000;
    step(api, 1000);
    api->later = false;
    t_are(job(api, id), "error_info.error_code TIMED_OUT", "a job is timed");
}


static void
test_changed(t_api_t *api, t_course_t *course)
{
    t_call_t    *c;
    const char  *id;

    api->later = true;
    id = execute(api, make(api, course->judge, "full_retrain", "{}",
                           "{\"auto_deploy\":true}"));
    step(api, 3);
    c = t_sendf(api, "PUT", "{\"description\":\"Otherwise\"}", "/judges/%s",
                course->judge);
    step(api, 1000);
    t_is_status(c, 200, "a judge changes");
    api->later = false;
    t_is_str(t_get(job(api, id), "error_info.error_code"), "JUDGE_CHANGED",
             "what it has learned is about another version");
}


/* --- The types ----------------------------------------------------------- */

static void
test_types(t_api_t *api)
{
    double       before;
    t_call_t    *c;
    t_course_t   course;
    const char  *id, *again;

    begin(api, &course);
    correct(api, &course, 0, 25);

    id = execute(api, make(api, course.judge, "validation", "{}", NULL));
    c = job(api, id);
    t_are(c, "status completed|results.deployment_ready false|"
          "results.new_model_version", "a validation deploys nothing");
    t_ok(score_of(c, "results.validation_results.mean.rmse.value") > 5,
         "a validation tells how far the judge is off");

    /* Only grammar. */
    id = execute(api, make(api, course.judge, "fine_tune",
                           t_format(api, "{\"target_criteria\":[\"%s\"]}",
                                    course.grammar),
                           "{\"auto_deploy\":true}"));
    t_are(job(api, id), "results.deployed true", "fine tuning is deployed");
    again = t_evaluation(api, course.judge, course.contents[5]);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", again);
    t_ok(score_of(c, "criteria_scores[0].score") < course.grammar_score[5] - 5,
         "the criterion that was named is scored as people do");
    t_ok(score_of(c, "criteria_scores[1].score") == course.depth_score[5],
         "the criterion that was not named is scored as before");

    /* All of it again, once something is new. */
    id = execute(api, make(api, course.judge, "incremental", "{}", NULL));
    c = job(api, id);
    t_is_str(t_get(c, "error_info.error_message"), "0 entries of feedback"
             " other than comments came since the version in use was trained,"
             " 10 are needed", "an incremental training needs new feedback");
    api->now += 1000;
    correct(api, &course, 25, T_MANY);
    id = execute(api, make(api, course.judge, "incremental", "{}",
                           "{\"auto_deploy\":true}"));
    c = job(api, id);
    t_are(c, "results.deployed true", "an incremental job is deployed");
    t_ok(t_has(c, "40 evaluations with scores by people, 15 of them new"),
         "an incremental training is measured on what is new");
    again = t_evaluation(api, course.judge, course.contents[6]);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", again);
    before = score_of(c, "criteria_scores[1].score");
    t_ok(before < course.depth_score[6] - 1,
         "an incremental training learns the other criterion, too");

    /* Everything once more: what is in use has learned from all of it. */
    id = execute(api, make(api, course.judge, "full_retrain", "{}",
                           "{\"auto_deploy\":true,\"resource_allocation\":"
                           "\"high_performance\"}"));
    c = job(api, id);
    t_are(c, "status completed|results.deployment_ready false",
          "a full retraining without new feedback is not better");

    /* The former version is there to go back to. */
    t_is_status(t_sendf(api, "POST", NULL, "/judges/%s/versions/1/activate",
                        course.judge), 200, "version 1 is activated");
    again = t_evaluation(api, course.judge, course.contents[6]);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", again);
    t_ok(score_of(c, "criteria_scores[1].score") == course.depth_score[6],
         "the first version scores as it did");
}


/* --- Features that are measured in another way --------------------------- */

/* As a process that is new: nothing of what was read before. */

static void
forget(t_api_t *api)
{
    judge_calibrator_cache_empty(&api->service);
    api->warnings = 0;
}


static t_call_t *
evaluated(t_api_t *api, const t_course_t *course, size_t i)
{
    return t_evaluated(api, course->judge, course->contents[i]);
}


/* The model was learned from other features than this build has. */

static void
test_features(t_api_t *api)
{
    double       trained;
    t_call_t    *c;
    t_course_t   course;
    const char  *id;

    begin(api, &course);
    correct(api, &course, 0, T_MANY);
    c = t_sendf(api, "GET", NULL, "/judges/%s", course.judge);
    t_are(c, "trained", "a judge has learned nothing at first");

    id = execute(api, make(api, course.judge, "full_retrain", "{}",
                           "{\"auto_deploy\":true}"));
    c = t_sendf(api, "GET", NULL, "/judges/%s", course.judge);
    t_is_str(t_get(c, "trained.job_id"), id,
             "a judge names the job that has trained it");
    t_are(c, "trained.state ready", "what a judge has learned is used");
    trained = score_of(evaluated(api, &course, 3),
                       "criteria_scores[0].score");
    forget(api);
    c = evaluated(api, &course, 3);
    t_ok(score_of(c, "criteria_scores[0].score") == trained,
         "the same inputs give the same score");
    t_is_int((int64_t) api->warnings, 0, "the same features log nothing");

    t_execute(api, "UPDATE feedback SET type = 'comment'");  /* no refit */
    t_execute(api,
              t_format(api, "UPDATE judge_calibrators SET inputs = inputs + 1"
                                 " WHERE judge_id = '%s'", course.judge));
    forget(api);
    c = t_sendf(api, "GET", NULL, "/judges/%s", course.judge);
    t_are(c, "trained.state features_changed", "changed features are told");
    t_ok(strstr(t_text(c, "trained.message"), "train the judge again")
         != NULL, "a judge says what to do when features have changed");
    c = t_send(api, "GET", "/judges?limit=1", NULL);
    t_is_str(t_get(c, "judges[0].trained.state"), "features_changed",
             "a list of judges says that features have changed");

    c = evaluated(api, &course, 3);
    t_ok(score_of(c, "criteria_scores[0].score") == course.grammar_score[3],
         "the engine scores alone when features have changed");
    t_is_str(t_get(c, "provenance.calibrator_state"), "features_changed",
             "an evaluation says that features have changed");
    t_ok(t_get(c, "provenance.calibrator").data == NULL
         && t_get(c, "criteria_scores[0].raw_score").data == NULL,
         "nothing learned is applied when features have changed");
    t_ok(strstr(t_text(c, "summary"), "train the judge again") != NULL,
         "the summary says what to do when features have changed");
    (void) evaluated(api, &course, 4);
    t_is_int((int64_t) api->warnings, 1, "changed features are logged once");

    t_execute(api, t_format(api, "UPDATE judge_calibrators SET inputs = NULL,"
                                 " model = substr(model, 1, 100)"
                                 " WHERE judge_id = '%s'", course.judge));
    forget(api);
    c = evaluated(api, &course, 3);
    t_is_str(t_get(c, "provenance.calibrator_state"), "features_changed",
             "a model that can't be read counts as changed features");
    t_ok(score_of(c, "criteria_scores[0].score") == course.grammar_score[3],
         "the engine scores alone when a model can't be read");
}


/* What was measured in another way is measured again, or left out. */

static void
test_measured_again(t_api_t *api)
{
    t_call_t    *c;
    t_course_t   course;
    const char  *id, *of;

    begin(api, &course);
    correct(api, &course, 0, T_MANY);
    (void) execute(api, make(api, course.judge, "full_retrain", "{}",
                             "{\"auto_deploy\":true}"));

    /* Vectors without an identity, of another one, and cut off. */
    of = t_format(api, " WHERE kept = 1 AND number IN (SELECT result / 64"
                  " FROM evaluations WHERE judge_id = '%s')", course.judge);
    t_execute(api, t_format(api, "UPDATE results_together SET features = CASE"
                 " WHEN number %% 3 = 0 THEN x'01140000' || substr(features,"
                 " 13, 20) WHEN number %% 3 = 1 THEN x'01140000' ||"
                 " zeroblob(20) WHEN number %% 9 = 2 THEN x'010a0000' ||"
                 " substr(features, 5, 10) ELSE features END%s;"
                 "UPDATE judge_calibrators SET inputs = 7"
                 " WHERE judge_id = '%s'", of, course.judge));
    forget(api);

    id = execute(api, make(api, course.judge, "incremental", "{}",
                           "{\"auto_deploy\":true}"));
    c = job(api, id);
    t_are(c, "results.deployed true", "a judge can be trained again");
    t_ok(t_has(c, "in another way: measured again")
         && t_has(c, "Everything is learned anew")
         && t_has(c, "40 evaluations with scores by people, 40 of them new"),
         "old features are measured again");
    t_is_int(t_number(api, t_format(api, "SELECT count(DISTINCT model) FROM"
                                         " judge_calibrators WHERE judge_id ="
                                         " '%s'", course.judge)), 1,
             "the same features make the same model to the bit");
    c = t_sendf(api, "GET", NULL, "/judges/%s", course.judge);
    t_are(c, "trained.state ready", "a judge trained again is ready");
    c = evaluated(api, &course, 3);
    t_ok(t_get(c, "criteria_scores[0].raw_score").data != NULL,
         "a judge that was trained again scores as it has learned");

    t_execute(api, t_format(api, "UPDATE results_together SET features"
                                 " = x'0101000000'%s;"
                                 "DELETE FROM contents WHERE id = '%s'",
                            of, course.contents[0]));
    api->later = true;
    id = execute(api, make(api, course.judge, "full_retrain", "{}", NULL));
    step(api, 2);
    judge_leases_stop(&api->service);
    step(api, 1000);
    t_ok(!judge_leases_busy(&api->service), "a measuring job can be left");
    t_other_worker(api);
    t_tick(api, 1000);
    step(api, 1000);
    api->later = false;
    c = job(api, id);
    t_are(c, "status completed", "a job that was left is completed");
    t_ok(t_has(c, "1 evaluation measured in another way, without a text"),
         "an evaluation without a text is left out and counted");
    t_ok(t_has(c, "39 evaluations with scores"), "all others are kept");
}


/* --- What can't be learned ----------------------------------------------- */

static void
test_noise(t_api_t *api)
{
    size_t       i;
    t_call_t    *c;
    t_course_t   course;
    const char  *id;

    begin(api, &course);

    /* Half of the people say the contrary of the others. */
    for (i = 0; i < T_MANY; i++) {
        (void) t_say(api, course.evaluations[i], t_format(api,
                         "{\"type\":\"correction\",\"content\":{"
                         "\"corrected_scores\":{\"%s\":%d}}}", course.grammar,
                         (i * 2654435761u >> 8) % 2
                         ? 100 : 0));
    }

    id = execute(api, make(api, course.judge, "full_retrain", "{}",
                           "{\"auto_deploy\":true}"));
    c = job(api, id);
    t_are(c, "status completed", "a training by noise is completed");
    t_ok(t_get(c, "results.validation_results.criteria_scores").data != NULL,
         "a training by noise was measured");
    c = t_sendf(api, "GET", NULL, "/judges/%s/versions", course.judge);
    printf("# %.*s\n", (int) c->body.len, c->body.data);
}


/* --- Following, listing, agreement --------------------------------------- */

static void
test_views(t_api_t *api, t_course_t *course)
{
    t_call_t    *c;
    const char  *id;

    c = make(api, course->judge, "validation", "{}", NULL);
    id = t_text(c, "job_id");
    c = t_sendf(api, "GET", NULL, "/training/jobs/%s/events", id);
    t_run(api);
    t_run(api);
    t_ok(c->status == 200 && !c->ended
         && strstr(c->pieces.data, "event: progress") != NULL,
         "a stream of events begins with the progress");
    t_is_status(t_sendf(api, "POST", "{}", "/training/jobs/%s/execute", id),
                200, "a job can be executed while somebody follows");
    t_tick(api, 1000);
    t_tick(api, 1000);
    t_run(api);
    t_ok(c->ended && strstr(c->pieces.data, "event: done") != NULL,
         "a stream of events ends with the job");

    c = t_sendf(api, "GET", NULL, "/training/jobs?judge_id=%s&limit=1",
                course->judge);
    t_is_str(t_get(c, "jobs[0].job_id"), id, "the newest job comes first");
    t_ok(t_get(c, "next_cursor").len > 0, "a page has a cursor to the next");

    c = t_sendf(api, "GET", NULL,
                "/training/jobs/%s?include_metrics=false", id);
    t_ok(t_get(c, "metrics").data == NULL && t_get(c, "logs").data == NULL,
         "metrics and logs are left out where they are not wanted");

    c = t_sendf(api, "GET", NULL, "/judges/%s/agreement", course->judge);
    t_is_status(c, 200, "the agreement of a judge can be read");
    t_are(c, "criteria[0].items 40", "the agreement counts corrections");
    t_ok(score_of(c, "criteria[0].bias") > 5
         && score_of(c, "criteria[0].spearman.value") > 0.5,
         "the agreement tells that the judge is too kind and ranks well");
    t_ok(score_of(c, "disagreements[0].given_score")
         - score_of(c, "disagreements[0].people_score") > 10,
         "the disagreements are the largest ones");
    t_is_status(t_send(api, "GET", "/judges/jdg_x/agreement", NULL), 404,
                "a judge that does not exist has no agreement");

    t_api_organization(api);
    t_is_status(job(api, id), 404, "another organization sees no job");
    t_is_status(t_sendf(api, "GET", NULL, "/judges/%s/agreement",
                        course->judge), 404, "others can't see agreement");
}


/* --- Asked for by feedback ----------------------------------------------- */

static void
test_again(t_api_t *api)
{
    size_t        i;
    t_call_t     *c;
    t_course_t    course;
    judge_buf_t   body;
    const char   *batch, *id;

    begin(api, &course);
    batch = t_batch(api, course.evaluations, 30);

    judge_buf_init(&body, api->arena);
    judge_buf_c(&body, "{\"feedback_options\":{\"auto_trigger_retraining\":"
                       "true},\"feedback_entries\":[");
    for (i = 0; i < 30; i++) {
        judge_buf_printf(&body, "%s{\"evaluation_id\":\"%s\",\"type\":"
                         "\"correction\",\"content\":{\"corrected_scores\":{"
                         "\"%s\":%.1f}}}", i ? "," : "",
                         course.evaluations[i], course.grammar,
                         people(course.grammar_score[i], 0.5, -4, i));
    }
    judge_buf_c(&body, "]}");
    judge_buf_append(&body, "", 1);

    c = t_sendf(api, "POST", body.data, "/batches/%s/feedback", batch);
    t_is_status(c, 201, "feedback can ask for a retraining");
    t_is_str(t_get(c, "impact_analysis.retraining_recommended"), "true",
             "feedback of thirty corrections recommends a retraining");
    id = t_text(c, "training_jobs[0].job_id");
    t_tick(api, 1000);
    t_tick(api, 1000);

    c = t_sendf(api, "GET", NULL, "/training/jobs?judge_id=%s",
                course.judge);
    t_is_str(t_get(c, "jobs[0].job_id"), id,
             "feedback has made the job that it named");
    t_are(c, "jobs[0].training_type incremental|jobs[0].status completed",
          "the job that feedback made is incremental and completed");
    c = t_sendf(api, "GET", NULL, "/judges/%s", course.judge);
    t_are(c, "version_number 2", "the judge has learned from feedback");
}


int
main(void)
{
    t_api_t     *api;
    t_course_t   course;

    api = t_api_create();

    test_course(api);
    test_refusals(api);
    test_types(api);
    test_features(api);
    test_measured_again(api);
    test_noise(api);
    test_again(api);

    begin(api, &course);
    correct(api, &course, 0, T_MANY);
    test_cancel(api, &course);
    test_crash(api, &course);
    test_time(api, &course);
    test_changed(api, &course);
    test_views(api, &course);

    t_api_destroy(api);

    return t_done();
}
