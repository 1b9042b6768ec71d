/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "base/json/json.h"
#include "work/llm/llm_catalog.h"


size_t
judge_llm_catalog_find(const judge_settings_t *settings, judge_str_t name)
{
    size_t  i;

    for (i = 0; i < settings->nmodels; i++) {
        if (judge_str_eq(settings->models[i].name, name)) {
            return i;
        }
    }

    return JUDGE_LLM_NONE;
}


bool
judge_llm_catalog_has(const judge_settings_t *settings, judge_str_t name)
{
    return judge_str_eq_c(name, JUDGE_ENGINE_NAME)
           || judge_llm_catalog_find(settings, name) != JUDGE_LLM_NONE;
}


bool
judge_llm_catalog_any(const judge_settings_t *settings, judge_str_t file_type)
{
    size_t  i;

    for (i = 0; i < settings->nmodels; i++) {
        if (judge_llm_catalog_takes(&settings->models[i], file_type)) {
            return true;
        }
    }

    return false;
}


bool
judge_llm_catalog_takes(const judge_llm_t *model, judge_str_t file_type)
{
    return judge_str_eq_c(file_type, "text")
           || (model->images && judge_str_eq_c(file_type, "image"));
}


void
judge_llm_catalog_order(judge_llm_order_t *order, judge_arena_t *arena,
    const judge_settings_t *settings, judge_str_t wanted,
    const judge_panel_t *panel, judge_str_t fallbacks, judge_str_t file_type,
    bool has_text)
{
    size_t         i;
    judge_json_t  *root, *name;

    order->count = 0;

    if (panel && panel->n && judge_str_eq_c(wanted, JUDGE_PANEL_NAME)) {
        for (i = 0; i < panel->n; i++) {
            judge_llm_catalog_add(order, settings, panel->models[i], file_type,
                                  false);
        }
        return;
    }

    judge_llm_catalog_add(order, settings, wanted, file_type, has_text);

    if (fallbacks.data == NULL
        || judge_json_parse(arena, fallbacks, &root, NULL) != JUDGE_OK
        || root->type != JUDGE_JSON_ARRAY)
    {
        return;
    }

    for (name = root->first; name; name = name->next) {
        if (name->type == JUDGE_JSON_STRING) {
            judge_llm_catalog_add(order, settings, name->string, file_type,
                                  has_text);
        }
    }
}


void
judge_llm_catalog_add(judge_llm_order_t *order,
    const judge_settings_t *settings, judge_str_t name, judge_str_t file_type,
    bool has_text)
{
    size_t  i, model;

    model = judge_llm_catalog_find(settings, name);

    if (judge_str_eq_c(name, JUDGE_ENGINE_NAME)) {
        model = JUDGE_LLM_BUILTIN;
    }

    if (model == JUDGE_LLM_NONE || order->count == JUDGE_LLM_TRIES
        || (model == JUDGE_LLM_BUILTIN && !has_text)
        || (model != JUDGE_LLM_BUILTIN
            && !judge_llm_catalog_takes(&settings->models[model], file_type)))
    {
        return;
    }

    for (i = 0; i < order->count; i++) {
        if (order->models[i] == model) {
            return;
        }
    }

    order->models[order->count++] = model;
}


judge_str_t
judge_llm_catalog_names(judge_arena_t *arena, const judge_settings_t *settings)
{
    size_t       i;
    judge_buf_t  names;

    judge_buf_init(&names, arena);
    judge_buf_c(&names, JUDGE_ENGINE_NAME);

    for (i = 0; i < settings->nmodels; i++) {
        judge_buf_c(&names, ", ");
        judge_buf_str(&names, settings->models[i].name);
    }

    return judge_buf_view(&names);
}
