/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The panel of a version: several language models in place of one. */


#include "analysis/llm/panel.h"
#include "work/llm/llm_catalog.h"
#include "api/judges/judge_version.h"


const judge_field_t  judge_version_panel_fields[] = {
    judge_field_strings(judge_panel_fields_t, models, 0, 2,
                        JUDGE_PANEL_MEMBERS, JUDGE_LLM_NAME),
    judge_field_one_of(judge_panel_fields_t, take, WORD, 0, judge_panel_takes),
    judge_field_as("agree_within", judge_panel_fields_t, within, NUMBER,
                   JUDGE_EXCLUSIVE, 0, 100),
    { .name = NULL }
};


/* JUDGE_INVALID with *error unless each is a model for this content and is
 * named once. */

static judge_rc_e
judge_version_panel_check(judge_req_t *r, const judge_list_t *models,
    judge_str_t content_type, judge_str_t *error)
{
    size_t                   i, model;
    judge_str_t              names;
    const char              *wrong;
    const judge_str_t       *name = models->items;
    const judge_settings_t  *settings = &r->service->settings;

    for (i = 0; i < models->count; i++) {
        model = judge_llm_catalog_find(settings, name[i]);
        wrong = model == JUDGE_LLM_NONE
                ? "no model has this name"
                : !judge_llm_catalog_takes(&settings->models[model],
                                           content_type)
                ? "this model can't judge content of the judge's type"
                : judge_str_index(name, i, name[i]) < i
                ? "this model is named twice" : NULL;

        if (wrong) {
            names = judge_llm_catalog_names(r->arena, settings);
            names = settings->nmodels
                    ? judge_str_from(names, sizeof(JUDGE_ENGINE_NAME))
                    : JUDGE_STR(" none");
            return judge_invalid(error, judge_str_printf(r->arena,
                       "panel.models[%zu]: %s; expected another of:%.*s", i,
                       wrong, (int) names.len, names.data ? names.data : ""));
        }
    }

    return JUDGE_OK;
}


static judge_str_t
judge_version_panel_json(judge_arena_t *arena,
    const judge_panel_fields_t *sent)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_strings(&w, "models", sent->models.items,
                           sent->models.count);
    judge_json_put_str(&w, "take", sent->take.data ? sent->take
                                   : judge_str_c(judge_panel_takes[0]));
    judge_json_put_number(&w, "agree_within", sent->within.set
                                              ? sent->within.value
                                              : JUDGE_PANEL_WITHIN);

    return judge_json_text(&w);
}


/* Returns what is wrong with a panel beside other fields; absent: nothing. */

static judge_str_t
judge_version_panel_clash(const judge_version_body_t *body,
    const judge_judge_row_t *row)
{
    return body->row.model.len
           ? JUDGE_STR("panel: expected either model or panel, not both")
           : row->escalate.data
           ? JUDGE_STR("panel: expected either escalate or panel, not both;"
                       " a panel is asked about every text")
           : row->samples > 1
           ? JUDGE_STR("samples: expected none or 1 with a panel, whose"
                       " members answer once each")
           : (judge_str_t) { 0, NULL };
}


judge_rc_e
judge_version_panel(judge_req_t *r, const judge_version_body_t *body,
    judge_str_t content_type, judge_judge_row_t *row, judge_str_t *error)
{
    judge_rc_e                   rc;
    const judge_panel_fields_t  *sent = &body->panel;

    if (body->row.model.data || sent->set) {
        row->model = body->row.model.len ? body->row.model
                                         : (judge_str_t) { 0, NULL };
        row->panel = (judge_str_t) { 0, NULL };
    }

    if (sent->set && sent->models.count) {
        rc = judge_version_panel_check(r, &sent->models, content_type, error);
        if (rc != JUDGE_OK) {
            return rc;
        }

        row->model = JUDGE_STR(JUDGE_PANEL_NAME);
        row->panel = judge_version_panel_json(r->arena, sent);
        if (row->panel.data == NULL) {
            return JUDGE_NOMEM;
        }

    } else if (sent->set && (sent->take.data || sent->within.set)) {
        *error = JUDGE_STR("panel.models: required, expected the names of 2"
                           " to 7 language models");
        return JUDGE_INVALID;
    }

    if (row->panel.data) {
        *error = judge_version_panel_clash(body, row);
        return error->data ? JUDGE_INVALID : JUDGE_OK;
    }

    return JUDGE_OK;
}
