/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What a run asks for: the messages of its samples, and its graders. */


#include "extensions/openai/openai_work.h"
#include "work/llm/llm_catalog.h"


#define JUDGE_OPENAI_MESSAGES  64      /* of a template, at most */

static const char *const  judge_openai_roles[] = {
    "user", "assistant", "system", "developer", NULL
};


static judge_rc_e
judge_openai_plan_refuse(judge_str_t *error, judge_str_t sentence)
{
    *error = sentence;

    return sentence.data ? JUDGE_INVALID : JUDGE_NOMEM;
}


/* The text of a message: a string, or parts of which each has a text. */

static judge_rc_e
judge_openai_plan_content(judge_arena_t *arena, const judge_json_t *content,
    judge_str_t *error)
{
    judge_str_t          text, why;
    judge_rc_e           rc;
    const judge_json_t  *v;

    if (content && content->type == JUDGE_JSON_ARRAY) {
        for (v = content->first; v; v = v->next) {
            rc = judge_openai_plan_content(arena, v, error);
            if (rc != JUDGE_OK || v->type == JUDGE_JSON_ARRAY) {
                return rc == JUDGE_OK ? JUDGE_INVALID : rc;
            }
        }
        return JUDGE_OK;
    }

    text = content && content->type == JUDGE_JSON_STRING
           ? content->string : judge_openai_string(content, "text");
    if (text.data == NULL) {
        return judge_openai_plan_refuse(error, JUDGE_STR(
            "data_source.input_messages.template: expected texts; images and"
            " audio are not sent to models"));
    }

    rc = judge_openai_template_check(arena, text, false, &why);
    if (rc != JUDGE_INVALID) {
        return rc;
    }

    return judge_openai_plan_refuse(error, judge_str_printf(arena,
               "data_source.input_messages.template: %.*s", (int) why.len,
               why.data));
}


static judge_rc_e
judge_openai_plan_template(judge_openai_plan_t *plan, judge_arena_t *arena,
    judge_str_t *error)
{
    judge_rc_e           rc;
    judge_str_t          role;
    const judge_json_t  *v;

    if (plan->messages == NULL || plan->messages->type != JUDGE_JSON_ARRAY
        || plan->messages->count == 0
        || plan->messages->count > JUDGE_OPENAI_MESSAGES)
    {
        return judge_openai_plan_refuse(error, judge_str_printf(arena,
                   "data_source.input_messages.template: expected an array of"
                   " 1 to %d messages", JUDGE_OPENAI_MESSAGES));
    }

    for (v = plan->messages->first; v; v = v->next) {
        role = judge_openai_string(v, "role");

        if (role.data == NULL || !judge_str_caseamong(role,
                                                      judge_openai_roles))
        {
            return judge_openai_plan_refuse(error, JUDGE_STR(
                "data_source.input_messages.template: expected messages with"
                " the role user, assistant, system or developer"));
        }

        rc = judge_openai_plan_content(arena, judge_json_get(v, "content"),
                                       error);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
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
    if (format == NULL) {
        format = judge_openai_object(plan->sampling, "text");
        format = judge_openai_object(format, "format");

        if (format && judge_str_eq_c(judge_openai_string(format, "type"),
                                     "json_schema"))
        {
            judge_json_begin_object(&w, &buf, arena);
            judge_json_put_c(&w, "type", "json_schema");
            judge_json_key(&w, "json_schema");
            judge_json_value(&w, format);
            plan->format = judge_json_text(&w);
            return plan->format.data ? JUDGE_OK : JUDGE_NOMEM;
        }
    }

    if (format) {
        plan->format = judge_json_value_text(arena, format);
    }

    return format && plan->format.data == NULL ? JUDGE_NOMEM : JUDGE_OK;
}


static judge_rc_e
judge_openai_plan_samples(judge_openai_plan_t *plan, judge_arena_t *arena,
    const judge_json_t *source, judge_str_t *error)
{
    judge_rc_e           rc;
    judge_str_t          type;
    judge_json_t        *tools;
    const judge_json_t  *input;

    plan->samples = true;
    plan->model = judge_llm_catalog_find(&plan->service->settings,
                                         judge_openai_string(source,
                                                             "model"));
    if (plan->model >= plan->service->settings.nmodels) {
        type = judge_llm_catalog_names(arena, &plan->service->settings);
        return judge_openai_plan_refuse(error, judge_str_printf(arena,
                   "data_source.model: expected a model that this service"
                   " routes (of %.*s)", (int) type.len,
                   type.data ? type.data : ""));
    }

    plan->sampling = judge_openai_object(source, "sampling_params");
    tools = plan->sampling ? judge_json_get(plan->sampling, "tools") : NULL;
    if (tools && tools->type == JUDGE_JSON_ARRAY && tools->count) {
        return judge_openai_plan_refuse(error, JUDGE_STR(
            "data_source.sampling_params.tools: models get no tools here"));
    }

    input = judge_openai_object(source, "input_messages");
    type = judge_openai_string(input, "type");

    if (judge_str_eq_c(type, "item_reference")) {
        type = judge_openai_string(input, "item_reference");
        plan->reference = judge_str_printf(arena, "{{%.*s}}",
                                           (int) (type.len < 200 ? type.len
                                                                 : 200),
                                           type.data ? type.data : "");
        rc = plan->reference.data
             ? judge_openai_template_check(arena, plan->reference, false,
                                           error) : JUDGE_NOMEM;
        if (rc == JUDGE_INVALID) {
            rc = judge_openai_plan_refuse(error, JUDGE_STR(
                     "data_source.input_messages.item_reference: expected the"
                     " path of a member, such as item.input"));
        }

    } else if (judge_str_eq_c(type, "template")) {
        plan->messages = judge_json_get(input, "template");
        rc = judge_openai_plan_template(plan, arena, error);

    } else {
        rc = judge_openai_plan_refuse(error, JUDGE_STR(
            "data_source.input_messages: expected the type \"template\" or"
            " \"item_reference\""));
    }

    return rc == JUDGE_OK ? judge_openai_plan_format(plan, arena) : rc;
}


judge_rc_e
judge_openai_plan_graders(judge_openai_plan_t *plan, judge_arena_t *arena,
    const judge_json_t *criteria, judge_str_t *error)
{
    size_t               i;
    judge_str_t          path;
    const judge_json_t  *v;

    if (criteria == NULL || criteria->type != JUDGE_JSON_ARRAY
        || criteria->count == 0 || criteria->count > JUDGE_OPENAI_CRITERIA)
    {
        return judge_openai_plan_refuse(error, judge_str_printf(arena,
                   "testing_criteria: expected an array of 1 to %d graders",
                   JUDGE_OPENAI_CRITERIA));
    }

    for (i = 0, v = criteria->first; v; i++, v = v->next) {
        path = judge_str_printf(arena, "testing_criteria[%zu]", i);
        if (path.data == NULL) {
            return JUDGE_NOMEM;
        }

        plan->graders[i] = judge_openai_grader_parse(arena,
                               &plan->service->settings, path, v, error);
        if (plan->graders[i] == NULL) {
            return error->data ? JUDGE_INVALID : JUDGE_NOMEM;
        }
    }

    plan->ngraders = i;

    return JUDGE_OK;
}


judge_rc_e
judge_openai_plan_read(judge_openai_plan_t *plan, judge_arena_t *arena,
    const judge_json_t *source, const judge_json_t *criteria,
    judge_str_t *error)
{
    judge_rc_e   rc;
    judge_str_t  type;

    type = judge_openai_string(source, "type");
    rc = JUDGE_OK;

    if (judge_str_eq_c(type, "completions")
        || judge_str_eq_c(type, "responses"))
    {
        rc = judge_openai_plan_samples(plan, arena, source, error);

    } else if (!judge_str_eq_c(type, "jsonl")) {
        rc = judge_openai_plan_refuse(error, JUDGE_STR(
                 "data_source.type: expected \"jsonl\", \"completions\" or"
                 " \"responses\""));
    }

    return rc == JUDGE_OK ? judge_openai_plan_graders(plan, arena, criteria,
                                                      error) : rc;
}
