/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The language models that nginx.conf has locations for: by name, by what
 * they can look at, and in the order in which they are asked. */


#ifndef JUDGE_LLM_CATALOG_H
#define JUDGE_LLM_CATALOG_H


#include "analysis/builtin/engine.h"
#include "work/service/service.h"


#define JUDGE_LLM_ENGINE     "llm"
#define JUDGE_LLM_NAME       100       /* bytes of a model's name at most */
#define JUDGE_LLM_TRIES      9         /* the wanted one and 8 fallbacks */
#define JUDGE_LLM_NONE       ((size_t) -1)

/* In place of a model's number: the built-in engine, as a fallback. */
#define JUDGE_LLM_BUILTIN    (JUDGE_LLM_NONE - 1)

/* Which are asked, one after the other: each once. */
typedef struct {
    size_t  models[JUDGE_LLM_TRIES]; /* of settings.models, or BUILTIN */
    size_t  count;
} judge_llm_order_t;

/* Of settings.models; JUDGE_LLM_NONE: no model has that name. */
size_t judge_llm_catalog_find(const judge_settings_t *settings,
    judge_str_t name);

/* Whether there is a model of that name, or it is that of the built-in
 * engine. */
bool judge_llm_catalog_has(const judge_settings_t *settings, judge_str_t name);

/* Whether there is one that takes this type of content. */
bool judge_llm_catalog_any(const judge_settings_t *settings,
    judge_str_t file_type);

/* Whether what it can look at includes this type of content. */
bool judge_llm_catalog_takes(const judge_llm_t *model, judge_str_t file_type);

/*
 * The wanted one first, then the organization's fallbacks (a JSON array of
 * names, or absent).  Passed over are a model that nginx.conf has no more, or
 * that can't look at this content, and the built-in engine where there is no
 * text.
 */
void judge_llm_catalog_order(judge_llm_order_t *order, judge_arena_t *arena,
    const judge_settings_t *settings, judge_str_t wanted,
    judge_str_t fallbacks, judge_str_t file_type, bool has_text);

/* Another one, behind them; unless it is there, or can't be asked. */
void judge_llm_catalog_add(judge_llm_order_t *order,
    const judge_settings_t *settings, judge_str_t name, judge_str_t file_type,
    bool has_text);

/* "builtin, ...": what a wrong name should have been one of. */
judge_str_t judge_llm_catalog_names(judge_arena_t *arena,
    const judge_settings_t *settings);


#endif /* JUDGE_LLM_CATALOG_H */
