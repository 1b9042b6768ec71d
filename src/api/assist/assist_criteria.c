/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* POST /llm/parse-criteria: criteria out of a description in words.  POST
 * /llm/test asks one model for the criteria of a short text, as a test. */


#include "analysis/checks/require.h"
#include "api/assist/assist_call.h"
#include "api/http/request.h"


typedef struct {
    judge_integer_t  max_criteria_count;
    judge_boolean_t  include_weights;
    judge_boolean_t  include_thresholds;
} judge_assist_criteria_options_t;

typedef struct {
    judge_assist_t                   llm;
    judge_str_t                      description;
    judge_str_t                      content_type;
    judge_assist_criteria_options_t  options;
    judge_parse_request_t            request;
    judge_parsed_criteria_t          builtin;
    judge_parsed_criteria_t          modelled;
    judge_required_t                *required;   /* by criterion */
} judge_assist_criteria_t;


static void judge_assist_criteria(judge_req_t *r);
static void judge_assist_test(judge_req_t *r);


#define JUDGE_ASSIST_TEST  "The text is polite. It answers the question."


static const judge_field_t  judge_assist_criteria_options[] = {
    judge_field_as("max_criteria_count", judge_assist_criteria_t,
                   options.max_criteria_count, INTEGER, 0, 1,
                   JUDGE_PARSE_CRITERIA),
    judge_field_as("include_weights", judge_assist_criteria_t,
                   options.include_weights, BOOLEAN, 0, 0, 0),
    judge_field_as("include_thresholds", judge_assist_criteria_t,
                   options.include_thresholds, BOOLEAN, 0, 0, 0),
    { .name = NULL }
};

static const judge_field_t  judge_assist_criteria_fields[] = {
    judge_field(judge_assist_criteria_t, description, STRING, JUDGE_REQUIRED,
                1, JUDGE_PARSE_MAX),
    judge_field_one_of(judge_assist_criteria_t, content_type, WORD,
                       JUDGE_REQUIRED, judge_content_types),
    { .name = "parsing_options", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_assist_criteria_options },
    judge_field_as("model", judge_assist_criteria_t, llm.choice.model, STRING,
                   0, 1, JUDGE_LLM_NAME),
    { .name = NULL }
};

static const judge_field_t  judge_assist_test_fields[] = {
    judge_field_as("model", judge_assist_criteria_t, llm.choice.model, STRING,
                   JUDGE_REQUIRED, 1, JUDGE_LLM_NAME),
    { .name = NULL }
};


const judge_route_t  judge_assist_criteria_routes[] = {
    { judge_route(POST, "/llm/parse-criteria", JUDGE_MAY_USE_LLM, 0,
                  judge_assist_criteria_t),
      .body = judge_assist_criteria_fields, .handler = judge_assist_criteria },
    { judge_route(POST, "/llm/test", JUDGE_MAY_USE_LLM, 0,
                  judge_assist_criteria_t),
      .body = judge_assist_test_fields, .handler = judge_assist_test },
    { .pattern = NULL }
};


static judge_rc_e
judge_assist_criteria_builtin(judge_req_t *r)
{
    judge_assist_criteria_t  *c = r->ctx;

    c->request.description = c->description;
    c->request.content_type = judge_str_index(judge_parse_types,
                                              JUDGE_PARSE_IMAGE,
                                              c->content_type);
    c->request.max_criteria = c->options.max_criteria_count.set
                              ? (unsigned) c->options.max_criteria_count.value
                              : 0;
    c->request.weights = !c->options.include_weights.set
                         || c->options.include_weights.value;
    c->request.thresholds = !c->options.include_thresholds.set
                            || c->options.include_thresholds.value;

    return judge_criteria_parse(r->arena, &c->request, &c->builtin,
                                &c->llm.error);
}


static judge_rc_e
judge_assist_criteria_prompt(judge_req_t *r, judge_llm_call_t *ask)
{
    judge_assist_criteria_t  *c = r->ctx;

    return judge_assist_prompt_criteria(ask->arena, &ask->prompt, &c->request,
                                        &c->llm.ask.request);
}


static judge_rc_e
judge_assist_criteria_read(judge_req_t *r, judge_arena_t *arena,
    judge_str_t answer)
{
    judge_assist_criteria_t  *c = r->ctx;

    return judge_assist_reply_criteria(arena, &c->llm.ask.request, &c->request,
                                       answer, &c->llm.ask.answer,
                                       &c->modelled);
}


static judge_rc_e
judge_assist_criteria_kept(judge_req_t *r, judge_arena_t *arena)
{
    judge_assist_criteria_t  *c = r->ctx;

    return judge_criteria_keep(arena, &c->request, &c->builtin, &c->modelled);
}


static void
judge_assist_criteria_one(judge_json_writer_t *w,
    const judge_parsed_criteria_t *parsed, const judge_parsed_criterion_t *c,
    const judge_required_t *required)
{
    judge_json_object(w);
    judge_json_put_str(w, "name", c->name);
    judge_json_put_str(w, "description", c->description);

    if (parsed->weights) {
        judge_json_put_number(w, "suggested_weight", c->weight);
    }

    if (parsed->thresholds) {
        judge_json_key_object(w, "suggested_thresholds");
        judge_json_put_number2(w, "excellent", c->excellent);
        judge_json_put_number2(w, "good", c->good);
        judge_json_put_number2(w, "fair", c->fair);
        judge_json_put_number2(w, "poor", c->poor);
        judge_json_object_end(w);
    }

    judge_json_put_strings(w, "examples", c->examples, c->nexamples);
    judge_checks_write(w, &required->checks);
    judge_json_object_end(w);
}


/* The criteria that are answered. */

static const judge_parsed_criteria_t *
judge_assist_criteria_parsed(const judge_assist_criteria_t *c)
{
    return c->llm.answered ? &c->modelled : &c->builtin;
}


static void
judge_assist_criteria_found(judge_req_t *r)
{
    size_t                          i;
    judge_str_t                     fallback;
    judge_json_writer_t            *w;
    const judge_parsed_criteria_t  *parsed;
    judge_assist_criteria_t        *c = r->ctx;

    parsed = judge_assist_criteria_parsed(c);
    fallback = judge_assist_fallback(r);

    w = judge_reply_begin(r, 200);
    judge_json_key_array(w, "parsed_criteria");

    for (i = 0; i < parsed->ncriteria; i++) {
        judge_assist_criteria_one(w, parsed, &parsed->criteria[i],
                                  &c->required[i]);
    }

    judge_json_array_end(w);
    judge_json_put_number2(w, "parsing_confidence", parsed->confidence);
    judge_assist_strings(w, "suggestions", parsed->suggestions,
                         parsed->nsuggestions, fallback);
    judge_json_put_strings(w, "questions", parsed->questions,
                           parsed->nquestions);
    judge_json_put_int(w, "tokens_used", c->llm.used);
    judge_reply_end(r);
}


/* Runs in a thread: looks for the checks of the descriptions. */

static void
judge_assist_criteria_require(judge_req_t *r)
{
    size_t                          i;
    const judge_parsed_criteria_t  *parsed;
    judge_assist_criteria_t        *c = r->ctx;

    parsed = judge_assist_criteria_parsed(c);
    c->required = judge_array_alloc(r->arena, parsed->ncriteria,
                                    sizeof(judge_required_t));
    r->rc = c->required ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; i < parsed->ncriteria && r->rc == JUDGE_OK; i++) {
        r->rc = judge_require(r->arena, parsed->criteria[i].description,
                              &c->required[i]);
    }
}


static void
judge_assist_criteria_answer(judge_req_t *r)
{
    judge_compute(r, judge_assist_criteria_require,
                  judge_assist_criteria_found);
}


static const judge_assist_steps_t  judge_assist_criteria_steps = {
    judge_assist_criteria_builtin, judge_assist_criteria_prompt,
    judge_assist_criteria_read, judge_assist_criteria_kept,
    judge_assist_criteria_answer
};

static void
judge_assist_criteria(judge_req_t *r)
{
    judge_assist_run(r, &judge_assist_criteria_steps);
}


/* No other model takes the place of the one that is tested. */

static judge_rc_e
judge_assist_test_builtin(judge_req_t *r)
{
    judge_assist_criteria_t  *c = r->ctx;

    if (c->llm.order.count == 0
        || c->llm.order.models[0] == JUDGE_LLM_BUILTIN)
    {
        c->llm.error = JUDGE_STR("model: expected a language model; the"
                                 " built-in engine needs no call");
        return JUDGE_INVALID;
    }

    c->llm.order.count = 1;
    c->description = JUDGE_STR(JUDGE_ASSIST_TEST);
    c->content_type = JUDGE_STR("text");

    return judge_assist_criteria_builtin(r);
}


static void
judge_assist_test_answer(judge_req_t *r)
{
    judge_json_writer_t      *w;
    judge_assist_criteria_t  *c = r->ctx;
    const judge_llm_call_t   *ask = &c->llm.ask;

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "model", c->llm.choice.model);
    judge_json_put_bool(w, "usable", c->llm.answered);
    judge_json_put_str(w, "question", JUDGE_STR(JUDGE_ASSIST_TEST));
    judge_json_put_str(w, "answer", c->llm.ask.answer.start);

    if (!c->llm.answered) {
        judge_json_key_object(w, "error");
        judge_json_put_c(w, "code", ask->code);
        judge_json_put_str(w, "message", c->llm.failure);
        judge_json_object_end(w);
    }

    judge_json_put_int(w, "tokens_used", c->llm.used);
    judge_json_put_int(w, "duration_ms", judge_now(r->service) - c->llm.began);
    judge_reply_end(r);
}


static const judge_assist_steps_t  judge_assist_test_steps = {
    judge_assist_test_builtin, judge_assist_criteria_prompt,
    judge_assist_criteria_read, judge_assist_criteria_kept,
    judge_assist_test_answer
};


static void
judge_assist_test(judge_req_t *r)
{
    judge_assist_run(r, &judge_assist_test_steps);
}
