/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The engine `llm`: evaluations that a language model is asked for, in one
 * worker process.  Hundreds are under way at once, each waiting for a server;
 * nothing here waits.  Their leases are prolonged meanwhile.
 *
 * An evaluation asks the model that is wanted, then those that its
 * organization falls back to; each once more when an answer can't be used.
 * What may pass (limits, faults of servers) sends it back into the queue; an
 * answer that can't be read never becomes a score.
 */


#ifndef JUDGE_LLM_QUEUE_H
#define JUDGE_LLM_QUEUE_H


#include "analysis/builtin/engine.h"
#include "work/evaluation/queue.h"


#define JUDGE_LLM_ENGINE     "llm"
#define JUDGE_LLM_RUNS       512       /* evaluations under way at most */
#define JUDGE_LLM_NAME       100       /* bytes of a model's name at most */
#define JUDGE_LLM_SAMPLES    10        /* at most */
#define JUDGE_LLM_IMAGE      (8 * 1024 * 1024)   /* bytes of a file at most */
#define JUDGE_LLM_TRIES      9         /* the wanted one and 8 fallbacks */
#define JUDGE_LLM_NONE       ((size_t) -1)

/* In place of a model's number: the built-in engine, as a fallback. */
#define JUDGE_LLM_BUILTIN    (JUDGE_LLM_NONE - 1)

/* Which are asked, one after the other: each once. */
typedef struct {
    size_t  models[JUDGE_LLM_TRIES]; /* of settings.models, or BUILTIN */
    size_t  count;
} judge_llm_order_t;

typedef struct judge_llm_queue  judge_llm_queue_t;

judge_llm_queue_t *judge_llm_queue_create(judge_service_t *service);
void judge_llm_queue_destroy(judge_llm_queue_t *models);  /* at rest only */

/* Whether there is room for one more; and for how many one should claim now:
 * what all models answer at once and some that wait, so that other workers
 * have the rest. */
bool judge_llm_queue_room(const judge_llm_queue_t *models);
size_t judge_llm_queue_wanted(const judge_llm_queue_t *models);

/* A claimed evaluation; the ticket is copied. */
void judge_llm_queue_push(judge_llm_queue_t *models,
    const judge_ticket_t *ticket);

/* As the work's: leases are prolonged. */
void judge_llm_queue_tick(judge_llm_queue_t *models);
bool judge_llm_queue_busy(const judge_llm_queue_t *models);

/* Of settings.models; JUDGE_LLM_NONE: no model has that name. */
size_t judge_llm_find(const judge_settings_t *settings, judge_str_t name);

/* Whether what it can look at includes this type of content. */
bool judge_llm_takes(const judge_llm_t *model, judge_str_t file_type);

/*
 * The wanted one first, then the organization's fallbacks (a JSON array of
 * names, or absent).  Passed over are a model that nginx.conf has no more, or
 * that can't look at this content, and the built-in engine where there is no
 * text.
 */
void judge_llm_order(judge_llm_order_t *order, judge_arena_t *arena,
    const judge_settings_t *settings, judge_str_t wanted,
    judge_str_t fallbacks, judge_str_t file_type, bool has_text);

/* A sentence's end for a name that is none: "expected one of builtin, ..." */
judge_str_t judge_llm_names(judge_arena_t *arena,
    const judge_settings_t *settings);


#endif /* JUDGE_LLM_QUEUE_H */
