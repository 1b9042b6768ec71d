/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "analysis/builtin/engine.h"
#include "analysis/llm/panel.h"
#include "work/llm/llm_catalog.h"
#include "api/evaluations/model_choice.h"
#include "api/http/request.h"


/* Answers with 400 and returns false. */

static bool
judge_model_choice_unfit(judge_req_t *r, judge_str_t name,
    judge_str_t file_type)
{
    judge_str_t  names;

    if (judge_llm_catalog_has(&r->service->settings, name)) {
        return judge_fail(r, 400, "model: this one can't judge content of the"
                          " type %.*s", judge_str_args(file_type));
    }

    names = judge_llm_catalog_names(r->arena, &r->service->settings);
    return judge_fail(r, 400, "model: expected one of %.*s", (int) names.len,
                      names.data ? names.data : "");
}


bool
judge_model_choice_check(judge_req_t *r, judge_str_t name,
    judge_str_t file_type)
{
    size_t                   i;
    const judge_settings_t  *settings = &r->service->settings;

    i = judge_llm_catalog_find(settings, name);

    return name.len == 0 || judge_str_eq_c(name, JUDGE_ENGINE_NAME)
           || (i != JUDGE_LLM_NONE
               && judge_llm_catalog_takes(&settings->models[i], file_type))
           || judge_model_choice_unfit(r, name, file_type);
}


bool
judge_model_choice_named(const judge_settings_t *settings, judge_str_t name,
    judge_str_t common, judge_str_t file_type)
{
    size_t  i;

    if (name.data) {
        return !judge_str_eq_c(name, JUDGE_ENGINE_NAME);
    }

    i = judge_llm_catalog_find(settings, common);

    return i != JUDGE_LLM_NONE
           && judge_llm_catalog_takes(&settings->models[i], file_type);
}


bool
judge_model_choice_asks(judge_req_t *r, judge_str_t name)
{
    if (name.data == NULL
        || judge_llm_catalog_find(&r->service->settings, name)
           != JUDGE_LLM_NONE)
    {
        return true;
    }

    return judge_fail(r, 400, "escalate.model: expected the name of a language"
                      " model that is configured");
}


bool
judge_model_choice_apply(judge_req_t *r, const judge_model_choice_t *choice,
    const judge_judge_model_t *by_judge, judge_str_t common,
    judge_str_t file_type, judge_evaluation_row_t *row)
{
    size_t                   i;
    judge_str_t              name;
    const judge_settings_t  *settings = &r->service->settings;

    name = choice->model.data ? choice->model
           : by_judge->model.data ? by_judge->model : common;

    if (name.data == NULL || judge_str_eq_c(name, JUDGE_ENGINE_NAME)) {
        return true;
    }

    i = judge_llm_catalog_find(settings, name);

    if (i == JUDGE_LLM_NONE
        || !judge_llm_catalog_takes(&settings->models[i], file_type))
    {
        if (choice->model.data) {
            return judge_model_choice_unfit(r, name, file_type);
        }

        if (by_judge->model.data == NULL) {
            return true;
        }
    }

    if (choice->samples.set && choice->samples.value > 1
        && judge_str_eq_c(name, JUDGE_PANEL_NAME))
    {
        return judge_fail(r, 400, "samples: expected none or 1; the judge has"
                          " a panel, whose members answer once each");
    }

    row->model = name;
    row->samples = choice->samples.set ? choice->samples.value
                                       : by_judge->samples;
    row->fresh = choice->cache.set && !choice->cache.value;

    return true;
}
