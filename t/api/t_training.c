/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Training jobs: made, executed, cancelled, taken up again; and judges that
 * score as they have learned to. */


#include <stdio.h>
#include <string.h>

#include "feedback.h"
#include "store/judge_store_training.h"
#include "work/judge_train.h"


#define T_MANY  40

/* A judge with evaluations of different texts. */
typedef struct {
    const char  *judge;
    const char  *clarity;
    const char  *depth;
    const char  *contents[T_MANY];
    const char  *evaluations[T_MANY];
    double       clarity_score[T_MANY];
    double       depth_score[T_MANY];
} t_course_t;

static const char *const  t_words[] = {
    "buses", "because", "night", "therefore", "late", "councillors",
    "nobody", "timetable", "although", "evidence", "drivers", "walk",
    "infrastructure", "home", "consequently", "the", "a", "trains"
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
    course->clarity = t_text(c, "criteria[0].criterion_id");
    course->depth = t_text(c, "criteria[1].criterion_id");

    for (i = 0; i < T_MANY; i++) {
        course->contents[i] = t_content(api, text_of(api, i));
        course->evaluations[i] = t_evaluation(api, course->judge,
                                              course->contents[i]);
        c = t_sendf(api, "GET", NULL, "/evaluations/%s",
                    course->evaluations[i]);
        course->clarity_score[i] = score_of(c, "criteria_scores[0].score");
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
                        course->clarity,
                        people(course->clarity_score[i], 0.5, 10, i),
                        course->depth,
                        people(course->depth_score[i], 0.6, 5, i + 1))),
                    201, "a correction");
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
                200, "it is executed");

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
    printf("# %.*s\n", (int) c->body.len, c->body.data);
    t_is_str(t_get(c, "status"), "completed", "it is done at once here");
    t_is_str(t_get(c, "results.deployment_ready"), "true", "it is better");
    t_is_str(t_get(c, "results.deployed"), "true", "and in use");
    t_is_str(t_get(c, "results.new_model_version"), "2", "as version 2");

    c = t_sendf(api, "GET", NULL, "/judges/%s", course.judge);
    t_is_str(t_get(c, "version_number"), "2", "the judge's version");
    t_is_str(t_get(c, "status"), "ready", "the judge's status");

    again = t_evaluation(api, course.judge, course.contents[3]);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", again);
    printf("# %.*s\n", (int) c->body.len, c->body.data);
    t_is_str(t_get(c, "provenance.calibrator"), id, "the calibrator");
    before = course.clarity_score[3];
    after = score_of(c, "criteria_scores[0].score");
    wanted = people(before, 0.5, 10, 2);
    t_ok(after - wanted < 6 && wanted - after < 6,
         "from %.1f to %.1f, where people say %.1f", before, after, wanted);
    t_ok(score_of(c, "criteria_scores[0].raw_score") == before,
         "the engine's score is told, too");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_course(api);

    t_api_destroy(api);

    return t_done();
}
