/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "analysis/judge_engine.h"
#include "api/judge_model_choice.h"
#include "work/judge_model.h"


void
judge_model_choose(judge_req_t *r, judge_model_choice_t *choice,
    judge_step_pt next)
{
    choice->settings.op.kind = JUDGE_OP_SETTINGS_FIND;
    judge_await(r, &choice->settings.op, next);
}


bool
judge_model_chosen(judge_req_t *r, const judge_model_choice_t *choice,
    judge_str_t file_type, judge_evaluation_row_t *row)
{
    size_t                   i;
    judge_str_t              name, names;
    const judge_settings_t  *settings = &r->service->settings;

    name = choice->model.data ? choice->model
                              : choice->settings.llm.default_model;

    if (name.data == NULL || judge_str_eq_c(name, JUDGE_ENGINE_NAME)) {
        return true;
    }

    i = judge_model_find(settings, name);

    if (i != JUDGE_MODEL_NONE
        && judge_model_takes(&settings->models[i], file_type))
    {
        row->model = settings->models[i].name;
        row->samples = choice->samples.set ? choice->samples.value : 0;
        row->fresh = choice->cache.set && !choice->cache.value;
        return true;
    }

    if (choice->model.data == NULL) {
        return true;
    }

    if (i != JUDGE_MODEL_NONE) {
        judge_fail(r, 400, "model: this one can't judge content of the type"
                           " %.*s", (int) file_type.len, file_type.data);
        return false;
    }

    names = judge_model_names(r->arena, settings);
    judge_fail(r, 400, "model: %.*s", (int) names.len,
               names.data ? names.data : "");

    return false;
}
