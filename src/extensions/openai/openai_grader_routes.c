/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints that validate a grader, and run it on one sample. */


#include "extensions/openai/openai.h"


#define JUDGE_OPENAI_RUN_TIME  50000   /* ms, for all calls */

typedef struct {
    judge_openai_plan_t       plan;    /* with this grader only: */
    judge_json_t             *grader;  /* of the body, as the next two */
    judge_json_t             *item;
    judge_str_t               model_sample;      /* absent: the grader is only
                                          validated */

    judge_openai_item_t       row;
    judge_openai_output_t     output;
    judge_ms_t                began;
} judge_openai_graders_t;


static void judge_openai_graders_run(judge_req_t *r);


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
      .handler = judge_openai_graders_run },
    { .pattern = NULL }
};

/* The members of metadata.errors: first, in the order of openai_fault_e, those
 * that can be true. */
static const char *const  judge_openai_errors[] = {
    "formula_parse_error", "sample_parse_error", "model_grader_parse_error",
    "model_grader_refusal_error", "model_grader_server_error", "other_error",
    "invalid_variable_error", "python_grader_runtime_error",
    "python_grader_server_error", "truncated_observation_error",
    "unresponsive_reward_error", NULL
};


/* --- Answering ----------------------------------------------------------- */

static void
judge_openai_graders_errors(judge_json_writer_t *w,
    const openai_grade_t *grade)
{
    size_t       i;
    judge_str_t  none = { 0, NULL };

    judge_json_key_object(w, "errors");

    for (i = 0; judge_openai_errors[i]; i++) {
        judge_json_put_bool(w, judge_openai_errors[i], grade->fault == i + 1);
    }

    judge_json_put_nullable(w, "model_grader_server_error_details",
                            grade->fault == JUDGE_OPENAI_FAULT_SERVER
                            ? grade->error : none);
    judge_json_put_nullable(w, "python_grader_runtime_error_details", none);
    judge_json_put_nullable(w, "python_grader_server_error_type", none);
    judge_json_put_str(w, "details", grade->error);      /* ours */
    judge_json_object_end(w);
}


static void
judge_openai_graders_scores(judge_json_writer_t *w, const char *name,
    const judge_openai_output_t *o)
{
    size_t                  i;
    const openai_grader_t  *grader = o->plan->parse.last;

    judge_json_key_object(w, name);

    for (i = 0; i < grader->nparts; i++) {
        judge_json_key_str(w, grader->names[i]);
        judge_json_number(w, o->grades[i].score);
    }

    judge_json_object_end(w);
}


/* The grade is the last one, behind those of its parts. */

static void
judge_openai_graders_metadata(judge_openai_graders_t *c,
    judge_json_writer_t *w, judge_ms_t now)
{
    int64_t                       tokens = 0;
    judge_str_t                   served = { 0, NULL };
    const openai_grade_t         *grade = c->output.grades, *last;
    const judge_openai_parse_t   *parsed = &c->plan.parse;

    last = grade + parsed->n - 1;
    judge_json_key_object(w, "metadata");
    judge_json_put_str(w, "name", parsed->last->name);
    judge_json_put_c(w, "type", parsed->last->type->name);
    judge_openai_graders_errors(w, last);
    judge_json_put_number(w, "execution_time",
                          (double) (now - c->began) / 1000);
    judge_openai_graders_scores(w, "scores", &c->output);
    judge_json_key_array(w, "notes");  /* ours */

    for ( /* void */ ; grade <= last; grade++) {
        if (grade->note) {
            judge_json_str(w, judge_str_c(grade->note));
        }

        served = served.data ? served : grade->call.served;
        tokens += grade->call.tokens[JUDGE_OPENAI_TOTAL_TOKENS];
    }

    judge_json_array_end(w);
    judge_json_key(w, "token_usage");
    if (tokens) {
        judge_json_int(w, tokens);
    } else {
        judge_json_null(w);
    }

    judge_json_put_nullable(w, "sampled_model_name", served);
    judge_json_put_bool(w, "passed", last->passed);      /* not of OpenAI, like
                                                            those below */
    judge_json_put_str(w, "label", last->label);
    judge_json_put_str(w, "reasoning", last->reason);
    judge_json_object_end(w);
}


/* --- Running ------------------------------------------------------------- */

/* The request is held, because what is asked is a part of its context. */

static bool
judge_openai_graders_gone(judge_openai_output_t *o)
{
    judge_req_t  *r = o->data;

    if (!r->binding->release(r)) {
        return true;
    }

    r->binding->hold(r);

    return false;
}


static void
judge_openai_graders_graded(judge_openai_output_t *o)
{
    size_t                   i;
    judge_req_t             *r = o->data;
    judge_json_t             usage = { .type = JUDGE_JSON_ARRAY };
    const judge_json_t      *v;
    judge_json_writer_t     *w;
    judge_openai_graders_t  *c;

    if (!r->binding->release(r)) {
        return;
    }

    c = r->ctx;
    if (!judge_check(r, o->row->result.data ? JUDGE_OK
                        : o->rc ? o->rc : JUDGE_BUSY, NULL))
    {
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_json_put_number(w, "reward", o->grades[c->plan.parse.n - 1].score);
    judge_openai_graders_metadata(c, w, judge_now(r->service));
    judge_openai_graders_scores(w, "sub_rewards", o);
    judge_json_key_object(w, "model_grader_token_usage_per_model");

    for (i = 0; i < o->turn; i++) {
        judge_openai_use(r->arena, &usage, &o->grades[i].call);
    }

    for (v = usage.first; v; v = v->next) {
        judge_json_key_str(w, judge_json_string(v, "model_name"));
        judge_json_value(w, v);
    }

    judge_json_object_end(w);
    judge_reply_end(r);
}


static void
judge_openai_graders_start(judge_req_t *r)
{
    judge_openai_graders_t  *c = r->ctx;

    c->output = (judge_openai_output_t) {
        .plan = &c->plan, .org = r->org, .row = &c->row,
        .gone = judge_openai_graders_gone,
        .done = judge_openai_graders_graded, .data = r,
        .subject = { .arena = r->arena, .item = c->item },
        .sample.text = c->model_sample,
        .deadline = c->began + JUDGE_OPENAI_RUN_TIME
    };

    r->binding->hold(r);
    judge_openai_output_start(&c->output);
}


/* --- Making -------------------------------------------------------------- */

static void
judge_openai_graders_make(judge_req_t *r)
{
    judge_openai_graders_t  *c = r->ctx;

    judge_openai_plan_begin(&c->plan, r->service, r->arena, &r->error);
    c->plan.parse.path = JUDGE_STR("grader");
    c->plan.samples = true;            /* the client has asked the model */
    r->rc = judge_id_make_range(&c->plan.evaluations, "evl", c->began);
    r->rc = r->rc ? r->rc
            : judge_openai_grader_parse(&c->plan.parse, c->grader);
}


static void
judge_openai_graders_ready(judge_req_t *r)
{
    judge_json_writer_t     *w;
    judge_openai_graders_t  *c = r->ctx;

    if (c->model_sample.data) {
        judge_openai_graders_start(r);
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_json_key(w, "grader");
    judge_json_value(w, c->grader);
    judge_reply_end(r);
}


static void
judge_openai_graders_made(judge_req_t *r)
{
    judge_openai_graders_t  *c = r->ctx;

    if (c->model_sample.data && c->plan.parse.asks
        && !judge_openai_may_ask(r, "graders by models"))
    {
        return;
    }

    judge_openai_plan_judges(r);
}


static void
judge_openai_graders_run(judge_req_t *r)
{
    judge_openai_graders_t  *c = r->ctx;

    c->began = judge_now(r->service);
    c->plan.next = judge_openai_graders_ready;
    judge_compute(r, judge_openai_graders_make, judge_openai_graders_made);
}
