/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The language models that nginx.conf configures: by name, by the types of
 * content that they take, and in the order in which they are asked. */


#ifndef JUDGE_LLM_CATALOG_H
#define JUDGE_LLM_CATALOG_H


#include "analysis/builtin/engine.h"
#include "analysis/llm/panel.h"
#include "work/service/service.h"


#define JUDGE_LLM_ENGINE     "llm"
#define JUDGE_LLM_NAME       100       /* bytes of a model's name at most */
#define JUDGE_LLM_TRIES      9         /* a model and 8 fallbacks */
#define JUDGE_LLM_NONE       ((size_t) -1)

/* In place of a model's index: the built-in engine, as a fallback. */
#define JUDGE_LLM_BUILTIN    (JUDGE_LLM_NONE - 1)

/* The models in the order in which they are asked, each once. */
typedef struct {
    size_t  models[JUDGE_LLM_TRIES];   /* indexes in settings.models, or
                                          JUDGE_LLM_BUILTIN */
    size_t  count;
} judge_llm_order_t;

/* The index in settings.models; JUDGE_LLM_NONE: no model has that name. */
size_t judge_llm_catalog_find(const judge_settings_t *settings,
    judge_str_t name);

/* Whether the name is that of a model or of the built-in engine. */
bool judge_llm_catalog_has(const judge_settings_t *settings, judge_str_t name);

/* Whether any model takes this type of content. */
bool judge_llm_catalog_any(const judge_settings_t *settings,
    judge_str_t file_type);

/* Whether the model takes this type of content. */
bool judge_llm_catalog_takes(const judge_llm_t *model, judge_str_t file_type);

/*
 * Sets the order: the members of the panel, if JUDGE_PANEL_NAME is wanted and
 * `panel` is not NULL; else the wanted model, then the organization's
 * fallbacks (a JSON array of names, or absent).
 * Skips models that nginx.conf does not configure or that don't take this type
 * of content; and the built-in engine in a panel, or if there is no text.
 */
void judge_llm_catalog_order(judge_llm_order_t *order, judge_arena_t *arena,
    const judge_settings_t *settings, judge_str_t wanted,
    const judge_panel_t *panel, judge_str_t fallbacks, judge_str_t file_type,
    bool has_text);

/* Appends a model, unless it is in the order already or would be skipped. */
void judge_llm_catalog_add(judge_llm_order_t *order,
    const judge_settings_t *settings, judge_str_t name, judge_str_t file_type,
    bool has_text);

/* "builtin, ...": the valid names, for an error sentence. */
judge_str_t judge_llm_catalog_names(judge_arena_t *arena,
    const judge_settings_t *settings);


#endif /* JUDGE_LLM_CATALOG_H */
