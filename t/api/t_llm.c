/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Evaluations by language models where time matters: leases, waits,
 * deadlines, budgets.  What servers say is tested over sockets, in t/llm.t.
 */


#include <string.h>

#include "harness.h"
#include "store/store_queue.h"


#define ANSWER(content)                                                       \
    "{\"model\":\"served\",\"choices\":[{\"index\":0,"                        \
    "\"finish_reason\":\"stop\",\"message\":{\"role\":\"assistant\","         \
    "\"content\":\"" content "\"}}],\"usage\":{\"prompt_tokens\":300,"        \
    "\"completion_tokens\":100,\"total_tokens\":400}}"

#define VERDICT                                                               \
    "{\\\"criteria\\\":{\\\"c1\\\":{\\\"score\\\":60,\\\"feedback\\\":"       \
    "\\\"Why.\\\",\\\"evidence\\\":[]},\\\"c2\\\":{\\\"score\\\":90,"         \
    "\\\"feedback\\\":\\\"Why.\\\",\\\"evidence\\\":[]}},\\\"strengths\\\":"  \
    "[],\\\"weaknesses\\\":[],\\\"suggestions\\\":[],\\\"summary\\\":"        \
    "\\\"It is.\\\"}"


static judge_llm_t    models[] = {
    { .name = judge_str("m"), .served = judge_str("m-1"), .timeout = 60000,
      .at_once = 4 }
};

static const char  *judge;
static const char  *content;


static t_call_t *
evaluate(t_api_t *api, const char *rest)
{
    return t_send(api, "POST", "/evaluations/single",
                  judge_str_printf(api->arena, "{\"judge_id\":\"%s\","
                                   "\"content_id\":\"%s\",\"model\":\"m\","
                                   "\"cache\":false%s}", judge, content, rest)
                  .data);
}


static t_call_t *
get(t_api_t *api, const char *id)
{
    return t_sendf(api, "GET", NULL, "/evaluations/%s", id);
}


static void
answer(judge_call_t *call, int status, const char *body,
    const char *retry_after)
{
    call->outcome = JUDGE_CALL_OK;
    call->status = status;
    call->answer = judge_str_c(body);
    if (retry_after) {
        call->retry_after = judge_str_c(retry_after);
    }
    call->done(call);
}


/* When it may be claimed, in ms from now; and what else the row says. */

static judge_ms_t
due(t_api_t *api, const char *id)
{
    judge_evaluation_find_t  find;

    memset(&find, 0, sizeof(find));
    find.id = judge_str_c(id);
    t_is_int(t_op(api, &find.op, JUDGE_OP_EVALUATION_FIND), JUDGE_OK,
             "an evaluation's row can be read");

    return find.row.queue_at - api->now;
}


static void
test_answer(t_api_t *api)
{
    t_call_t      *c;
    const char    *id;
    judge_call_t  *call;

    c = evaluate(api, "");
    t_is_status(c, 201, "an evaluation by a model can be created");
    id = t_text(c, "evaluation_id");
    t_is_str(t_get(c, "attempts"), "1",
             "an evaluation by a model is claimed at once");

    call = t_outgoing(api);
    t_ok(call != NULL, "the model is asked");
    t_is_str(call->route, "m", "the model is asked through its location");
    t_is_int(call->timeout, 60000, "the model is asked with its timeout");
    t_ok(t_outgoing(api) == NULL, "the model is asked once");

    answer(call, 200, ANSWER(VERDICT), NULL);
    c = get(api, id);
    t_is_str(t_get(c, "status"), "completed",
             "an evaluation is completed by the model's answer");
    t_is_str(t_get(c, "overall_score"), "80",
             "the overall score is the mean by the weights");
    t_is_str(t_get(c, "provenance.tokens_used"), "400",
             "the provenance has the tokens that were used");
    t_is_str(t_get(c, "provenance.model_served"), "served",
             "the provenance has the model that served");
}


static void
test_lease(t_api_t *api)
{
    const char    *id;
    judge_call_t  *call;

    id = t_text(evaluate(api, ""), "evaluation_id");
    call = t_outgoing(api);
    t_is_int(due(api, id), 30000, "an evaluation by a model is leased");

    t_tick(api, 9000);
    t_is_int(due(api, id), 21000, "a lease goes on for a while");
    t_tick(api, 2000);
    t_is_int(due(api, id), 30000,
             "a lease is prolonged while the model is asked");
    t_tick(api, 29000);
    t_is_int(due(api, id), 30000, "a lease is prolonged as often as needed");

    answer(call, 200, ANSWER(VERDICT), NULL);
    t_is_str(t_get(get(api, id), "status"), "completed",
             "an evaluation with a prolonged lease is completed");
    t_is_str(t_get(get(api, id), "provenance.attempts"), "1",
             "an evaluation with a prolonged lease has one attempt");
}


/* The content is deleted while the model is asked. */

static void
test_lost(t_api_t *api)
{
    size_t         ops;
    const char    *id, *kept;
    judge_call_t  *call;

    kept = content;

    content = t_content(api, "Soon gone.");
    id = t_text(evaluate(api, ""), "evaluation_id");
    call = t_outgoing(api);
    t_is_status(t_sendf(api, "DELETE", NULL, "/content/%s", content), 204,
                "a content can be deleted while the model is asked");
    answer(call, 200, ANSWER(VERDICT), NULL);
    t_is_status(get(api, id), 404,
                "the answer for a deleted content comes to nothing");

    content = t_content(api, "Gone, too.");
    (void) evaluate(api, "");
    call = t_outgoing(api);
    t_is_status(t_sendf(api, "DELETE", NULL, "/content/%s", content), 204,
                "another content can be deleted while the model is asked");
    t_tick(api, 11000);
    ops = api->ops;
    answer(call, 503, "", NULL);
    t_is_int((int64_t) (api->ops - ops), 1,
             "a deletion seen in time has only the next one looked for");
    t_ok(t_outgoing(api) == NULL,
         "a model is not asked again for a deleted content");

    content = kept;
}


static void
test_retry(t_api_t *api)
{
    t_call_t    *c;
    judge_ms_t   wait;
    const char  *id;

    static const char  rate[] = "{\"error\":{\"message\":\"Too fast\","
                                "\"type\":\"requests\","
                                "\"code\":\"rate_limit_exceeded\"}}";

    id = t_text(evaluate(api, ""), "evaluation_id");
    answer(t_outgoing(api), 429, rate, "30");

    c = get(api, id);
    t_is_str(t_get(c, "status"), "processing",
             "an evaluation goes on after a 429");
    t_is_str(t_get(c, "last_error.code"), "MODEL_RATE",
             "the last error is that of a rate");
    t_is_str(t_get(c, "last_error.message"), "model m answered 429: Too fast",
             "the last error has the server's words");
    wait = due(api, id);
    t_ok(wait >= 30000 && wait <= 33000,
         "the next attempt waits for Retry-After and a tenth more");

    t_tick(api, 29000);
    t_ok(t_outgoing(api) == NULL, "no attempt is made before Retry-After");
    t_tick(api, 5000);
    answer(t_outgoing(api), 503, "", NULL);
    wait = due(api, id);
    t_ok(wait >= 1000 && wait <= 2000,
         "the wait doubles, and half of it is left to chance");

    t_tick(api, 5000);
    c = get(api, id);
    t_is_str(t_get(c, "attempts"), "3",
             "an evaluation by a model has three attempts");
    answer(t_outgoing(api), 500, "", NULL);
    c = get(api, id);
    t_is_str(t_get(c, "status"), "failed",
             "an evaluation fails with its last attempt");
    t_is_str(t_get(c, "error.code"), "MODEL_SERVER",
             "a failed evaluation has the code of the server's error");

    t_is_status(t_sendf(api, "POST", "{}", "/evaluations/%s/retry", id), 200,
                "a failed evaluation by a model can be tried again");
    t_tick(api, 50);
    answer(t_outgoing(api), 200, ANSWER(VERDICT), NULL);
    t_is_str(t_get(get(api, id), "status"), "completed",
             "an evaluation that is tried again is completed");
}


static void
test_deadline(t_api_t *api)
{
    t_call_t      *c;
    const char    *id;
    judge_call_t  *call;

    api->service.settings.deadline = 20000;
    id = t_text(evaluate(api, ""), "evaluation_id");
    call = t_outgoing(api);
    t_is_int(call->timeout, 20000,
             "a call may take no longer than the deadline");

    answer(call, 429, "", "3600");
    t_is_int(due(api, id), 20000, "a long Retry-After is cut to the deadline");
    t_tick(api, 20050);
    c = get(api, id);
    t_is_str(t_get(c, "status"), "failed",
             "an evaluation fails when its deadline has passed");
    t_is_str(t_get(c, "error.code"), "TIMED_OUT",
             "an evaluation that fails by its deadline has the code");
    t_ok(t_outgoing(api) == NULL, "a model is not asked after the deadline");
    api->service.settings.deadline = 3600 * 1000;
}


/* A worker that leaves hands back what it has begun. */

static void
test_stopped(t_api_t *api)
{
    const char    *id;
    judge_call_t  *call;

    id = t_text(evaluate(api, ""), "evaluation_id");
    call = t_outgoing(api);
    t_ok(judge_queue_busy(&api->service),
         "a worker is busy while a model is asked");
    call->outcome = JUDGE_CALL_STOPPED;
    call->done(call);

    /* Here it is this worker that takes it again: it does not leave. */
    t_is_str(t_get(get(api, id), "attempts"), "1",
             "a call that was stopped is no attempt");
    answer(t_outgoing(api), 200, ANSWER(VERDICT), NULL);
    t_is_str(t_get(get(api, id), "provenance.attempts"), "1",
             "a call that was answered is an attempt");
    t_ok(!judge_queue_busy(&api->service),
         "a worker is at rest when the model has answered");
}


static void
test_budget(t_api_t *api)
{
    size_t      i;
    const char *ids[4];

    t_is_status(t_send(api, "PUT", "/config/llm", "{\"rate_limits\":"
                       "{\"requests_per_minute\":1}}"), 200,
                "a budget of one request a minute can be set");

    for (i = 0; i < 4; i++) {
        ids[i] = t_text(evaluate(api, ""), "evaluation_id");
    }

    answer(t_outgoing(api), 200, ANSWER(VERDICT), NULL);
    t_ok(t_outgoing(api) == NULL, "one request is made in a minute");
    t_is_str(t_get(get(api, ids[0]), "status"), "completed",
             "the first evaluation is completed");
    t_is_int(due(api, ids[1]), 60000,
             "the second evaluation is due after a minute");
    t_is_int(due(api, ids[2]), 120000,
             "the third evaluation is due after two minutes");
    t_is_int(due(api, ids[3]), 180000,
             "the fourth evaluation is due after three minutes");
    t_is_str(t_get(get(api, ids[3]), "last_error.code"), "BUDGET",
             "an evaluation that waits names the budget as the reason");

    t_tick(api, 60050);
    answer(t_outgoing(api), 200, ANSWER(VERDICT), NULL);
    t_is_str(t_get(get(api, ids[1]), "status"), "completed",
             "the second evaluation is completed after a minute");
    t_ok(t_outgoing(api) == NULL, "the third evaluation is not asked for yet");

    t_is_str(t_get(evaluate(api, ",\"samples\":3"), "status"), "processing",
             "more samples than the budget has can be asked for");
    t_is_str(t_get(t_send(api, "GET", "/evaluations?limit=1", NULL),
                   "evaluations[0].error.code"), "BUDGET",
             "more samples than the budget has fail at once");

    t_is_status(t_send(api, "PUT", "/config/llm", "{\"rate_limits\":"
                       "{\"requests_per_minute\":0}}"), 200,
                "a budget can be taken away");
    t_tick(api, 180000);
    answer(t_outgoing(api), 200, ANSWER(VERDICT), NULL);
    answer(t_outgoing(api), 200, ANSWER(VERDICT), NULL);
    t_is_str(t_get(get(api, ids[3]), "status"), "completed",
             "all evaluations are completed without a budget");
}


/* At once four, and four that wait, in this worker; the rest is for others,
 * or for later. */

static void
test_room(t_api_t *api)
{
    size_t         i, n;
    const char    *ids[10];
    judge_call_t  *calls[10];

    for (i = 0; i < 10; i++) {
        ids[i] = t_text(evaluate(api, ""), "evaluation_id");
    }

    for (n = 0; n < 10 && (calls[n] = t_outgoing(api)); n++) {
        /* void */
    }

    t_is_int((int64_t) n, 8, "eight evaluations are taken by one worker");
    t_is_str(t_get(get(api, ids[8]), "attempts"), "0",
             "what is more than eight is left to others");
    t_tick(api, 50);
    t_ok(t_outgoing(api) == NULL, "no more are asked for until there is room");

    for (i = 0; i < n; i++) {
        answer(calls[i], 200, ANSWER(VERDICT), NULL);
    }

    for (n = 0; (calls[n] = t_outgoing(api)); n++) {
        answer(calls[n], 200, ANSWER(VERDICT), NULL);
    }

    t_is_int((int64_t) n, 2, "those that were left follow without a tick");
    t_is_str(t_get(get(api, ids[9]), "status"), "completed",
             "the last evaluation is completed");
}


/* The built-in engine's are not held up by any number of the others. */

static void
test_beside(t_api_t *api)
{
    size_t         i;
    const char    *id;
    judge_call_t  *call;

    api->service.settings.evaluates = false;
    for (i = 0; i < 100; i++) {
        (void) evaluate(api, ",\"priority\":\"high\"");
    }
    id = t_evaluation(api, t_judge(api, "text"), content);
    api->service.settings.evaluates = true;

    t_tick(api, 50);
    t_is_str(t_get(get(api, id), "status"), "completed",
             "an evaluation by the engine overtakes a hundred by a model");

    for (i = 0; (call = t_outgoing(api)); i++) {
        answer(call, 200, ANSWER(VERDICT), NULL);
    }
    t_is_int((int64_t) i, 100,
             "all of a hundred evaluations by a model have their turn");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();
    api->answers = true;
    api->service.settings.models = models;
    api->service.settings.nmodels = 1;
    judge = t_text(t_send(api, "POST", "/judges", "{\"name\":\"Style\","
                          "\"description\":\"How it is written\","
                          "\"content_type\":\"text\",\"criteria\":["
                          "{\"name\":\"Wit\",\"description\":\"Funny\"},"
                          "{\"name\":\"Charm\",\"description\":\"Warm\","
                          "\"weight\":2}]}"), "judge_id");
    content = t_content(api, "Brief. Dense.");

    test_answer(api);
    test_lease(api);
    test_lost(api);
    test_retry(api);
    test_deadline(api);
    test_stopped(api);
    test_budget(api);
    test_room(api);
    test_beside(api);

    t_api_destroy(api);

    return t_done();
}
