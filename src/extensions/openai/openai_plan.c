/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What a run asks for: the messages of its samples, and its graders. */


#include "extensions/openai/openai_work.h"

#define JUDGE_OPENAI_MESSAGES  64      /* of a template, at most */

static const char *const  judge_openai_types[] = {
    "jsonl", "completions", "responses", NULL
};

static const char *const  judge_openai_inputs[] = {
    "template", "item_reference", NULL
};

static const judge_field_t  judge_openai_source_fields[] = {
    judge_field_as("type", judge_openai_plan_t, source.type, STRING,
                   JUDGE_REQUIRED, 0, 0),
    judge_field_as("content", judge_openai_plan_t, source.content, ANY, 0, 0,
                   0),
    { .name = NULL }
};

static const judge_field_t  judge_openai_input_fields[] = {
    judge_field_one_of_as("type", judge_openai_plan_t, input, WORD,
                          JUDGE_REQUIRED, judge_openai_inputs),
    { .name = "template", .type = JUDGE_FIELD_LIST,
      .offset = offsetof(judge_openai_plan_t, sampler.messages), .min = 1,
      .max = JUDGE_OPENAI_MESSAGES, .fields = judge_openai_message_fields,
      .item_size = sizeof(judge_openai_message_t) },
    judge_field_as("item_reference", judge_openai_plan_t, reference, STRING, 0,
                   1, 200),
    { .name = NULL }
};

static const judge_field_t  judge_openai_plan_fields[] = {
    judge_field_one_of(judge_openai_plan_t, type, WORD, JUDGE_REQUIRED,
                       judge_openai_types),
    { .name = "source", .type = JUDGE_FIELD_OBJECT, .flags = JUDGE_REQUIRED,
      .fields = judge_openai_source_fields },
    judge_field_as("model", judge_openai_plan_t, sampler.model, STRING, 0, 0,
                   0),
    { .name = "input_messages", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_openai_input_fields },
    judge_field_as("sampling_params", judge_openai_plan_t, sampler.sampling,
                   ANY_OBJECT, 0, 0, 0),
    { .name = NULL }
};


/* --- Samples ------------------------------------------------------------- */

/* `text.format` of responses has the members of `json_schema` beside its
 * type. */

static judge_rc_e
judge_openai_plan_format(judge_openai_plan_t *plan, judge_arena_t *arena)
{
    judge_buf_t           buf;
    const judge_json_t   *format;
    judge_json_writer_t   w;

    format = judge_openai_object(plan->sampler.sampling, "response_format");
    if (format) {
        plan->sampler.format = judge_json_value_text(arena, format);
        return plan->sampler.format.data ? JUDGE_OK : JUDGE_NOMEM;
    }

    format = judge_openai_object(plan->sampler.sampling, "text");
    format = judge_openai_object(format, "format");
    if (format == NULL) {
        return JUDGE_OK;
    }

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_str(&w, "type", judge_openai_string(format, "type"));

    if (judge_str_eq_c(judge_openai_string(format, "type"), "json_schema")) {
        judge_json_key(&w, "json_schema");
        judge_json_value(&w, format);
    }

    plan->sampler.format = judge_json_text(&w);

    return plan->sampler.format.data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_openai_plan_samples(judge_openai_plan_t *plan, judge_arena_t *arena,
    judge_str_t *error)
{
    bool                   fine;
    judge_json_t          *tools;
    openai_grader_t       *sampler = &plan->sampler;
    judge_openai_parse_t   p = {
        .arena = arena, .settings = &plan->service->settings,
        .path = JUDGE_STR("data_source")
    };

    plan->samples = plan->asks = true;

    if (!judge_openai_parse_model(&p, "model", sampler->model)) {
        return judge_openai_invalid(error, p.error);
    }

    tools = judge_json_get(sampler->sampling, "tools");
    if (tools && tools->type == JUDGE_JSON_ARRAY && tools->count) {
        return judge_openai_invalid(error, JUDGE_STR(
            "data_source.sampling_params.tools: models get no tools here"));
    }

    if (judge_str_eq_c(plan->input, "template") && sampler->messages.count) {
        plan->reference = (judge_str_t) { 0, NULL };
        fine = judge_openai_messages_read(&p, "input_messages.template",
                                          sampler);

    } else if (judge_str_eq_c(plan->input, "item_reference")
               && plan->reference.data)
    {
        sampler->messages.count = 0;
        plan->reference = judge_str_printf(arena, "{{%.*s}}",
                                           (int) plan->reference.len,
                                           plan->reference.data);
        fine = plan->reference.data
               && judge_openai_messages_read(&p, "", sampler)
               && judge_openai_parse_template(&p,
                                              "input_messages.item_reference",
                                              plan->reference);
    } else {
        return judge_openai_invalid(error, JUDGE_STR(
            "data_source.input_messages: expected a \"template\", or an"
            " \"item_reference\""));
    }

    return fine ? judge_openai_plan_format(plan, arena)
                : judge_openai_invalid(error, p.error);
}


/* --- Graders ------------------------------------------------------------- */

judge_rc_e
judge_openai_plan_graders(judge_openai_plan_t *plan, judge_arena_t *arena,
    const judge_json_t *criteria, judge_str_t *error)
{
    size_t               n;
    judge_str_t          path;
    openai_grader_t     *grader;
    const judge_json_t  *v;

    if (criteria == NULL || criteria->type != JUDGE_JSON_ARRAY
        || criteria->count == 0 || criteria->count > JUDGE_OPENAI_CRITERIA)
    {
        return judge_openai_invalid(error, judge_str_printf(arena,
                   "testing_criteria: expected an array of 1 to %d graders",
                   JUDGE_OPENAI_CRITERIA));
    }

    for (n = 0, v = criteria->first; v; n++, v = v->next) {
        path = judge_str_printf(arena, "testing_criteria[%zu]", n);
        grader = path.data
                 ? judge_openai_grader_parse(arena, &plan->service->settings,
                                             path, v, error) : NULL;
        if (grader == NULL) {
            return path.data && error->data ? JUDGE_INVALID : JUDGE_NOMEM;
        }

        plan->graders[n] = grader;
        plan->asks |= grader->asks;
    }

    plan->ngraders = n;

    return JUDGE_OK;
}


judge_rc_e
judge_openai_plan_read(judge_openai_plan_t *plan, judge_arena_t *arena,
    const judge_json_t *source, const judge_json_t *criteria,
    judge_str_t *error)
{
    judge_rc_e   rc;
    judge_str_t  type;

    rc = judge_fields_bind(arena, judge_openai_plan_fields, source,
                           JUDGE_STR("data_source"), plan, error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    type = plan->source.type;

    if (judge_str_eq_c(type, "stored_completions")
        || judge_str_eq_c(type, "responses"))
    {
        return judge_openai_invalid(error, JUDGE_STR(
            "data_source.source.type: no completions and responses are stored"
            " here; give the items as \"file_content\" or \"file_id\""));
    }

    if (!judge_str_eq_c(type, "file_content")
        && !judge_str_eq_c(type, "file_id"))
    {
        return judge_openai_invalid(error, JUDGE_STR(
            "data_source.source.type: expected \"file_content\" or"
            " \"file_id\""));
    }

    if (!judge_str_eq_c(plan->type, "jsonl")) {
        rc = judge_openai_plan_samples(plan, arena, error);
    }

    return rc == JUDGE_OK ? judge_openai_plan_graders(plan, arena, criteria,
                                                      error) : rc;
}
