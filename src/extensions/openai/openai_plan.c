/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What a run asks for: the messages of its samples, and its graders. */


#include "extensions/openai/openai_work.h"
#include "work/llm/llm_catalog.h"


#define JUDGE_OPENAI_MESSAGES  64      /* of a template, at most */

static const char *const  judge_openai_types[] = {
    "jsonl", "completions", "responses", NULL
};

static const char *const  judge_openai_inputs[] = {
    "template", "item_reference", NULL
};

static const char *const  judge_openai_roles[] = {
    "user", "assistant", "system", "developer", NULL
};

static const judge_field_t  judge_openai_source_fields[] = {
    judge_field_as("type", judge_openai_plan_t, source.type, STRING,
                   JUDGE_REQUIRED, 0, 0),
    judge_field_as("content", judge_openai_plan_t, source.content, ANY, 0, 0,
                   0),
    { .name = NULL }
};

static const judge_field_t  judge_openai_input_fields[] = {
    judge_field_one_of(judge_openai_input_t, role, WORD, JUDGE_REQUIRED,
                       judge_openai_roles),
    judge_field(judge_openai_input_t, content, ANY, JUDGE_REQUIRED, 0, 0),
    { .name = NULL }
};

static const judge_field_t  judge_openai_inputs_fields[] = {
    judge_field_one_of_as("type", judge_openai_plan_t, input.type, WORD,
                          JUDGE_REQUIRED, judge_openai_inputs),
    { .name = "template", .type = JUDGE_FIELD_LIST,
      .offset = offsetof(judge_openai_plan_t, input.messages), .min = 1,
      .max = JUDGE_OPENAI_MESSAGES, .fields = judge_openai_input_fields,
      .item_size = sizeof(judge_openai_input_t) },
    judge_field_as("item_reference", judge_openai_plan_t, input.reference,
                   STRING, 0, 1, 200),
    { .name = NULL }
};

static const judge_field_t  judge_openai_plan_fields[] = {
    judge_field_one_of(judge_openai_plan_t, type, WORD, JUDGE_REQUIRED,
                       judge_openai_types),
    { .name = "source", .type = JUDGE_FIELD_OBJECT, .flags = JUDGE_REQUIRED,
      .fields = judge_openai_source_fields },
    judge_field_as("model", judge_openai_plan_t, wanted, STRING, 0, 0, 0),
    { .name = "input_messages", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_openai_inputs_fields },
    judge_field_as("sampling_params", judge_openai_plan_t, sampling,
                   ANY_OBJECT, 0, 0, 0),
    { .name = NULL }
};


/* --- Samples ------------------------------------------------------------- */

/* Adds the text of a message: a string, or parts of which each has a text. */

static bool
judge_openai_plan_text(judge_buf_t *buf, const judge_json_t *content)
{
    bool                 fine = true;
    judge_str_t          text;
    const judge_json_t  *v;

    if (content->type == JUDGE_JSON_ARRAY) {
        for (v = content->first; v && fine; v = v->next) {
            fine = v->type != JUDGE_JSON_ARRAY
                   && judge_openai_plan_text(buf, v);
        }
        return fine;
    }

    text = content->type == JUDGE_JSON_STRING
           ? content->string : judge_openai_string(content, "text");
    if (text.data) {
        judge_buf_str(buf, text);
    }

    return text.data != NULL;
}


/* `developer` is what others call `system`. */

static judge_rc_e
judge_openai_plan_message(judge_arena_t *arena, judge_openai_input_t *input,
    judge_str_t *error)
{
    judge_rc_e   rc;
    judge_buf_t  buf;
    judge_str_t  why;

    if (judge_str_eq_c(input->role, "developer")) {
        input->role = JUDGE_STR("system");
    }

    judge_buf_init(&buf, arena);

    if (!judge_openai_plan_text(&buf, input->content)) {
        return judge_openai_invalid(error, JUDGE_STR(
            "data_source.input_messages.template: expected texts; images and"
            " audio are not sent to models"));
    }

    input->text = judge_buf_view(&buf);
    rc = input->text.data ? judge_openai_template_check(arena, input->text,
                                                        false, &why)
                          : JUDGE_NOMEM;
    if (rc != JUDGE_INVALID) {
        return rc;
    }

    return judge_openai_invalid(error, judge_str_printf(arena,
               "data_source.input_messages.template: %.*s", (int) why.len,
               why.data));
}


static judge_rc_e
judge_openai_plan_reference(judge_openai_plan_t *plan, judge_arena_t *arena,
    judge_str_t *error)
{
    judge_rc_e   rc;
    judge_str_t  why, path = plan->input.reference;

    plan->input.reference = judge_str_printf(arena, "{{%.*s}}", (int) path.len,
                                             path.data ? path.data : "");
    rc = plan->input.reference.data
         ? judge_openai_template_check(arena, plan->input.reference, false,
                                       &why) : JUDGE_NOMEM;
    if (rc != JUDGE_INVALID) {
        return rc;
    }

    return judge_openai_invalid(error, JUDGE_STR(
               "data_source.input_messages.item_reference: expected the path"
               " of a member, such as item.input"));
}


/* `text.format` of responses has the members of `json_schema` beside its
 * type. */

static judge_rc_e
judge_openai_plan_format(judge_openai_plan_t *plan, judge_arena_t *arena)
{
    judge_buf_t           buf;
    const judge_json_t   *format;
    judge_json_writer_t   w;

    format = judge_openai_object(plan->sampling, "response_format");
    if (format) {
        plan->format = judge_json_value_text(arena, format);
        return plan->format.data ? JUDGE_OK : JUDGE_NOMEM;
    }

    format = judge_openai_object(plan->sampling, "text");
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

    plan->format = judge_json_text(&w);

    return plan->format.data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_openai_plan_samples(judge_openai_plan_t *plan, judge_arena_t *arena,
    judge_str_t *error)
{
    size_t                   i;
    judge_rc_e               rc;
    judge_str_t              names;
    judge_json_t            *tools;
    judge_openai_input_t    *inputs = plan->input.messages.items;
    const judge_settings_t  *settings = &plan->service->settings;

    plan->samples = plan->asks = true;
    plan->model = judge_llm_catalog_find(settings, plan->wanted);
    if (plan->model >= settings->nmodels) {
        names = judge_llm_catalog_names(arena, settings);
        return judge_openai_invalid(error, judge_str_printf(arena,
                   "data_source.model: expected a model that this service"
                   " routes (of %.*s)", (int) names.len,
                   names.data ? names.data : ""));
    }

    tools = plan->sampling ? judge_json_get(plan->sampling, "tools") : NULL;
    if (tools && tools->type == JUDGE_JSON_ARRAY && tools->count) {
        return judge_openai_invalid(error, JUDGE_STR(
            "data_source.sampling_params.tools: models get no tools here"));
    }

    if (plan->input.type.data == NULL
        || (judge_str_eq_c(plan->input.type, "template") && inputs == NULL))
    {
        return judge_openai_invalid(error, JUDGE_STR(
            "data_source.input_messages: expected a \"template\", or an"
            " \"item_reference\""));
    }

    rc = JUDGE_OK;

    if (judge_str_eq_c(plan->input.type, "item_reference")) {
        plan->input.messages.count = 0;
        rc = judge_openai_plan_reference(plan, arena, error);
    }

    for (i = 0; i < plan->input.messages.count && rc == JUDGE_OK; i++) {
        rc = judge_openai_plan_message(arena, &inputs[i], error);
    }

    return rc == JUDGE_OK ? judge_openai_plan_format(plan, arena) : rc;
}


/* --- Graders ------------------------------------------------------------- */

judge_rc_e
judge_openai_plan_graders(judge_openai_plan_t *plan, judge_arena_t *arena,
    const judge_json_t *criteria, judge_str_t *error)
{
    size_t                  n;
    judge_str_t             path;
    openai_grader_t        *grader;
    const judge_json_t     *v;
    const openai_grader_t  *of[JUDGE_OPENAI_CALLS];

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
        plan->asks |= judge_openai_grader_asks(grader, false, of) > 0;
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
