/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How far a run has come: what stands in its row beside what it was asked for,
 * and is written with each slice of its items. */


#ifndef JUDGE_OPENAI_PROGRESS_H
#define JUDGE_OPENAI_PROGRESS_H


#include "extensions/openai/openai.h"
#include "extensions/openai/openai_ask.h"


#define JUDGE_OPENAI_MODELS  16        /* whose usage is counted by name */

typedef struct {
    judge_str_t           model;
    int64_t               calls;
    judge_openai_usage_t  usage;
} judge_openai_model_use_t;

typedef struct {
    int64_t                   total;
    int64_t                   passed;
    int64_t                   failed;
    int64_t                   errored;
    int64_t                   criteria[JUDGE_OPENAI_CRITERIA][2];  /* passed,
                                          failed */
    size_t                    ncriteria;
    judge_openai_model_use_t  models[JUDGE_OPENAI_MODELS];
    size_t                    nmodels;
    judge_str_t               error;   /* why the run has failed; or absent */
} judge_openai_progress_t;

/* Both are its JSON; read() takes what is missing for zeros. */
judge_str_t judge_openai_progress_text(judge_arena_t *arena,
    const judge_openai_progress_t *progress);
judge_rc_e judge_openai_progress_read(judge_arena_t *arena, judge_str_t text,
    judge_openai_progress_t *progress);

/* Counts a call; the name must live as long as the progress. */
void judge_openai_progress_used(judge_openai_progress_t *progress,
    judge_str_t model, const judge_openai_usage_t *usage);

/* Writes the members of a run that tell it; `names` are those of graders. */
void judge_openai_progress_write(judge_json_writer_t *w,
    const judge_openai_progress_t *progress, const judge_json_t *names);


#endif /* JUDGE_OPENAI_PROGRESS_H */
