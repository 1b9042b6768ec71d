/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What clients watch is read once for all of them, and again when it has
 * changed. */


#include <string.h>

#include "feedback.h"
#include "harness.h"


static t_call_t *
job_of(t_api_t *api, const char *id, const char *query)
{
    return t_sendf(api, "GET", NULL, "/training/jobs/%s%s", id, query);
}


static void
test_job(t_api_t *api, const char *judge)
{
    size_t       ops;
    t_call_t    *c;
    const char  *id;
    judge_str_t  body, first;

    body = judge_str_printf(api->arena, "{\"judge_id\":\"%s\","
               "\"training_type\":\"validation\",\"training_config\":{}}",
               judge);
    c = t_send(api, "POST", "/training/jobs", body.data);
    t_is_status(c, 201, "a job");
    id = t_text(c, "job_id");

    first = job_of(api, id, "")->body;
    ops = api->ops;
    c = t_sendf(api, "GET", NULL, "/training-jobs/%s", id);
    t_is_int((int64_t) (api->ops - ops), 0, "nothing is read again");
    t_ok(first.len && judge_str_eq(c->body, first), "the same answer");

    c = job_of(api, id, "?include_logs=true");
    t_ok(t_get(c, "logs").data != NULL, "another question is answered, too,");
    c = job_of(api, id, "?include_metrics=false");
    t_ok(t_get(c, "metrics").data == NULL, "as it was asked,");
    t_ok(judge_str_eq(job_of(api, id, "")->body, first), "not remembered");

    t_execute(api, "UPDATE training_jobs SET epoch = 77");
    t_tick(api, 1000);
    t_is_str(t_get(job_of(api, id, ""), "progress.current_epoch"), "77",
             "the row is the truth, after a second");
    t_is_status(t_sendf(api, "POST", "{}", "/training/jobs/%s/execute", id),
                200, "it is queued");
    t_ok(!judge_str_eq_c(t_get(job_of(api, id, ""), "status"), "created"),
         "a change is seen at once");
    t_is_status(job_of(api, "trj_x", ""), 404, "there is no such job");
}


int
main(void)
{
    t_api_t     *api;
    const char  *judge;

    api = t_api_create();
    judge = t_judge(api, "text");
    test_job(api, judge);
    t_api_destroy(api);

    return t_done();
}
