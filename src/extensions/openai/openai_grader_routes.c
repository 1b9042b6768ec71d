/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Graders by themselves: whether one is right, and what it says of one
 * sample. */


#include <string.h>

#include "store/store_settings.h"
#include "extensions/openai/openai.h"
#include "extensions/openai/openai_ask.h"
#include "extensions/openai/openai_grader.h"


#define JUDGE_OPENAI_RUN_TIME  50000   /* ms, for all that is asked */

typedef struct {
    judge_json_t          *grader;     /* of the body, as the next two */
    judge_json_t          *item;
    judge_str_t            model_sample;

    bool                   validate;
    openai_grader_t       *made;
    openai_problem_t       problem;
    openai_subject_t       subject;
    openai_call_t          calls[JUDGE_OPENAI_CALLS];
    openai_reply_t         replies[JUDGE_OPENAI_CALLS];
    judge_openai_usage_t   usage[JUDGE_OPENAI_CALLS];
    size_t                 n;
    size_t                 at;         /* the call that is made */
    judge_openai_ask_t     ask;
    judge_settings_find_t  settings;
    judge_ms_t             began;
    judge_rc_e             rc;
    openai_grade_t         grade;
} judge_openai_graders_t;


static void judge_openai_graders_run(judge_req_t *r);
static void judge_openai_graders_validate(judge_req_t *r);
static void judge_openai_graders_asked(judge_openai_ask_t *ask);


static const judge_field_t  judge_openai_grader_fields[] = {
    judge_field(judge_openai_graders_t, grader, ANY_OBJECT, JUDGE_REQUIRED, 0,
                0),
    { .name = NULL }
};

static const judge_field_t  judge_openai_sample_fields[] = {
    judge_field(judge_openai_graders_t, grader, ANY_OBJECT, JUDGE_REQUIRED, 0,
                0),
    judge_field(judge_openai_graders_t, model_sample, STRING, JUDGE_REQUIRED,
                0, JUDGE_OPENAI_TEMPLATE),
    judge_field(judge_openai_graders_t, item, ANY, 0, 0, 0),
    { .name = NULL }
};

const judge_route_t  judge_openai_grader_routes[] = {
    { judge_route(POST, JUDGE_OPENAI_PATH "/fine_tuning/alpha/graders/run",
                  JUDGE_MAY_WRITE_EVALUATIONS, 0, judge_openai_graders_t),
      .body = judge_openai_sample_fields,
      .handler = judge_openai_graders_run },
    { judge_route(POST,
                  JUDGE_OPENAI_PATH "/fine_tuning/alpha/graders/validate",
                  JUDGE_MAY_READ_JUDGES, 0, judge_openai_graders_t),
      .body = judge_openai_grader_fields,
      .handler = judge_openai_graders_validate },
    { .pattern = NULL }
};


/* The members of an answer's metadata.errors, and what sets them. */
static const struct {
    const char      *name;
    openai_fault_e   fault;
} judge_openai_flags[] = {
    { "formula_parse_error", JUDGE_OPENAI_FAULT_FORMULA },
    { "invalid_variable_error", JUDGE_OPENAI_FAULT_NONE },
    { "model_grader_parse_error", JUDGE_OPENAI_FAULT_REPLY },
    { "model_grader_refusal_error", JUDGE_OPENAI_FAULT_REFUSAL },
    { "model_grader_server_error", JUDGE_OPENAI_FAULT_SERVER },
    { "other_error", JUDGE_OPENAI_FAULT_NONE },
    { "python_grader_runtime_error", JUDGE_OPENAI_FAULT_NONE },
    { "python_grader_server_error", JUDGE_OPENAI_FAULT_NONE },
    { "sample_parse_error", JUDGE_OPENAI_FAULT_SAMPLE },
    { "truncated_observation_error", JUDGE_OPENAI_FAULT_NONE },
    { "unresponsive_reward_error", JUDGE_OPENAI_FAULT_NONE },
    { NULL, JUDGE_OPENAI_FAULT_NONE }
};


/* --- Making -------------------------------------------------------------- */

/* The sample is what OpenAI calls so: an object with the model's text. */

static void
judge_openai_graders_make(judge_req_t *r)
{
    judge_json_t            *text, *sample;
    judge_openai_graders_t  *c = r->ctx;

    c->made = judge_openai_grader_parse(r->arena, c->grader, true,
                                        &c->problem);
    if (c->made == NULL || c->validate) {
        return;
    }

    text = judge_calloc(r->arena, sizeof(judge_json_t));
    sample = judge_calloc(r->arena, sizeof(judge_json_t));
    if (text == NULL || sample == NULL) {
        c->made = NULL;
        return;
    }

    text->type = JUDGE_JSON_STRING;
    text->key = JUDGE_STR("output_text");
    text->string = c->model_sample;
    sample->type = JUDGE_JSON_OBJECT;
    sample->first = text;
    sample->last = text;
    sample->count = 1;

    c->subject.item = c->item;
    c->subject.sample = sample;
    c->n = judge_openai_grader_calls(r->arena, c->made, &c->subject, c->calls,
                                     JUDGE_OPENAI_CALLS);
}


/* false: it was answered. */

static bool
judge_openai_graders_made(judge_req_t *r)
{
    judge_openai_graders_t  *c = r->ctx;

    if (c->made) {
        return true;
    }

    if (c->problem.message.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
    } else {
        judge_fail(r, 400, "grader.%.*s: %.*s", (int) c->problem.param.len,
                   c->problem.param.data, (int) c->problem.message.len,
                   c->problem.message.data);
    }

    return false;                      /* the request may be gone */
}


static void
judge_openai_graders_valid(judge_req_t *r)
{
    judge_json_writer_t     *w;
    judge_openai_graders_t  *c = r->ctx;

    if (!judge_openai_graders_made(r)) {
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_json_key(w, "grader");
    judge_json_value(w, c->grader);
    judge_reply_end(r);
}


static void
judge_openai_graders_validate(judge_req_t *r)
{
    judge_openai_graders_t  *c = r->ctx;

    c->validate = true;
    judge_compute(r, judge_openai_graders_make, judge_openai_graders_valid);
}


/* --- Answering ----------------------------------------------------------- */

static void
judge_openai_graders_null(judge_json_writer_t *w, const char *name)
{
    judge_json_key(w, name);
    judge_json_null(w);
}


static void
judge_openai_graders_errors(judge_json_writer_t *w,
    const openai_grade_t *grade)
{
    size_t  i;

    judge_json_key_object(w, "errors");

    for (i = 0; judge_openai_flags[i].name; i++) {
        judge_json_put_bool(w, judge_openai_flags[i].name, grade->fault
                            && grade->fault == judge_openai_flags[i].fault);
    }

    if (grade->fault == JUDGE_OPENAI_FAULT_SERVER) {
        judge_json_put_c(w, "model_grader_server_error_details",
                         grade->error);
    } else {
        judge_openai_graders_null(w, "model_grader_server_error_details");
    }

    judge_openai_graders_null(w, "python_grader_runtime_error_details");
    judge_openai_graders_null(w, "python_grader_server_error_type");

    if (grade->error) {
        judge_json_put_c(w, "details", grade->error);    /* ours */
    }

    judge_json_object_end(w);
}


/* The first one that is set, of the grade and its parts. */

static judge_str_t
judge_openai_graders_model(const openai_grade_t *grade)
{
    size_t  i;

    for (i = 0; grade->model.data == NULL && i < grade->nparts; i++) {
        if (grade->parts[i].model.data) {
            return grade->parts[i].model;
        }
    }

    return grade->model;
}


static void
judge_openai_graders_metadata(judge_openai_graders_t *c,
    judge_json_writer_t *w, judge_ms_t now)
{
    size_t                 i;
    judge_str_t            model;
    const openai_grade_t  *part;

    judge_json_key_object(w, "metadata");
    judge_json_put_str(w, "name", judge_openai_grader_name(c->made));
    judge_json_put_str(w, "type", judge_openai_grader_type(c->made));
    judge_openai_graders_errors(w, &c->grade);
    judge_json_put_number(w, "execution_time",
                          (double) (now - c->began) / 1000);

    judge_json_key_object(w, "scores");
    for (i = 0; i < c->grade.nparts; i++) {
        judge_json_key_str(w, c->grade.parts[i].name);
        judge_json_number(w, c->grade.parts[i].score);
    }
    judge_json_object_end(w);

    model = judge_openai_graders_model(&c->grade);
    if (c->grade.tokens) {
        judge_json_put_int(w, "token_usage", c->grade.tokens);
    } else {
        judge_openai_graders_null(w, "token_usage");
    }

    judge_json_put_str(w, "sampled_model_name", model);
    if (model.data == NULL) {
        judge_openai_graders_null(w, "sampled_model_name");
    }

    judge_json_put_bool(w, "passed", c->grade.passed);   /* ours, as the next
                                                            ones are */
    judge_json_put_str(w, "label", c->grade.label);
    judge_json_put_str(w, "reasoning", c->grade.reason);

    judge_json_key_array(w, "notes");
    for (i = 0; i <= c->grade.nparts; i++) {
        part = i ? &c->grade.parts[i - 1] : &c->grade;
        if (part->note) {
            judge_json_str(w, judge_str_c(part->note));
        }
    }
    judge_json_array_end(w);
    judge_json_object_end(w);
}


/* By the names of the models in nginx.conf; a name stands once. */

static void
judge_openai_graders_usage(const judge_openai_graders_t *c,
    judge_json_writer_t *w)
{
    size_t                i, k;
    judge_openai_usage_t  sum;

    judge_json_key_object(w, "model_grader_token_usage_per_model");

    for (i = 0; i < c->n; i++) {
        for (k = 0; k < i && !judge_str_eq(c->calls[k].model,
                                           c->calls[i].model); k++)
        {
            /* void */
        }

        if (k < i || c->calls[i].model.data == NULL) {
            continue;
        }

        for (sum = c->usage[i], k = i + 1; k < c->n; k++) {
            if (judge_str_eq(c->calls[k].model, c->calls[i].model)) {
                sum.prompt += c->usage[k].prompt;
                sum.completion += c->usage[k].completion;
                sum.total += c->usage[k].total;
            }
        }

        judge_json_key_str(w, c->calls[i].model);
        judge_json_object(w);
        judge_json_put_int(w, "prompt_tokens", sum.prompt);
        judge_json_put_int(w, "completion_tokens", sum.completion);
        judge_json_put_int(w, "total_tokens", sum.total);
        judge_json_object_end(w);
    }

    judge_json_object_end(w);
}


static void
judge_openai_graders_graded(judge_req_t *r)
{
    size_t                   i;
    judge_json_writer_t     *w;
    judge_openai_graders_t  *c = r->ctx;

    if (!judge_check(r, c->rc, NULL)) {
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_json_put_number(w, "reward", c->grade.score);
    judge_openai_graders_metadata(c, w, judge_now(r->service));

    judge_json_key_object(w, "sub_rewards");
    for (i = 0; i < c->grade.nparts; i++) {
        judge_json_key_str(w, c->grade.parts[i].name);
        judge_json_number(w, c->grade.parts[i].score);
    }
    judge_json_object_end(w);

    judge_openai_graders_usage(c, w);
    judge_reply_end(r);
}


/* --- Running ------------------------------------------------------------- */

static void
judge_openai_graders_grade(judge_req_t *r)
{
    judge_openai_graders_t  *c = r->ctx;

    c->rc = judge_openai_grader_grade(r->arena, c->made, &c->subject,
                                      c->replies, c->n, &c->grade);
}


/* The request is held, because the question is a part of its context. */

static void
judge_openai_graders_ask(judge_req_t *r)
{
    size_t                       i;
    openai_call_t               *call;
    judge_openai_graders_t      *c = r->ctx;
    const judge_settings_t      *settings = &r->service->settings;
    const judge_llm_settings_t  *llm = &c->settings.llm;

    if (c->at < c->n) {
        call = &c->calls[c->at];

        if (call->judge_id.data) {
            judge_fail(r, 400, "grader.type: judges are not asked here; send"
                       " the text to POST /evaluations/single");
            return;
        }

        for (i = 0; i < settings->nmodels
                    && !judge_str_eq(settings->models[i].name, call->model);
             i++)
        {
            /* void */
        }

        if (i == settings->nmodels) {
            judge_fail(r, 400, "grader.model: there is no such model; see"
                       " judge_model in the directives");
            return;
        }

        c->ask.messages = call->messages;
        c->ask.sampling = call->sampling;
        c->ask.format = call->format;
        c->ask.done = judge_openai_graders_asked;
        c->ask.data = r;

        r->binding->hold(r);
        judge_openai_ask(&c->ask, r->service, r->arena, r->org, i,
                         &(judge_budget_limits_t) {
                             .requests = llm->requests_per_minute.value,
                             .tokens = llm->tokens_per_minute.value
                         }, c->began + JUDGE_OPENAI_RUN_TIME);
        return;
    }

    judge_compute(r, judge_openai_graders_grade, judge_openai_graders_graded);
}


static void
judge_openai_graders_asked(judge_openai_ask_t *ask)
{
    judge_req_t             *r = ask->data;
    openai_reply_t          *reply;
    judge_openai_graders_t  *c;

    if (!r->binding->release(r)) {
        return;
    }

    c = r->ctx;
    reply = &c->replies[c->at];
    reply->text = ask->text;
    reply->error = ask->error;
    reply->refused = ask->call.reply == JUDGE_REPLY_REFUSED;
    reply->model = ask->served;
    reply->tokens = ask->usage.total;
    c->usage[c->at++] = ask->usage;
    memset(ask, 0, sizeof(judge_openai_ask_t));

    judge_openai_graders_ask(r);
}


static void
judge_openai_graders_start(judge_req_t *r)
{
    judge_openai_graders_t  *c = r->ctx;

    if (!judge_openai_graders_made(r)) {
        return;
    }

    if (c->n == 0) {
        judge_openai_graders_ask(r);
        return;
    }

    if (!judge_openai_may_ask(r, "graders by models")) {
        return;
    }

    c->settings.op.kind = JUDGE_OP_SETTINGS_FIND;
    judge_await(r, &c->settings.op, judge_openai_graders_ask);
}


static void
judge_openai_graders_run(judge_req_t *r)
{
    judge_openai_graders_t  *c = r->ctx;

    c->began = judge_now(r->service);
    judge_compute(r, judge_openai_graders_make, judge_openai_graders_start);
}
