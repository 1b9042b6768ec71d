/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Judges as graders: whether they can be asked, and asking one. */


#ifndef JUDGE_OPENAI_JUDGE_H
#define JUDGE_OPENAI_JUDGE_H


#include "api/http/request.h"
#include "extensions/openai/openai_grader.h"


/* Reads the organization's settings, and the judges that these ask; must be
 * the last call of a step. */
void judge_openai_judges_find(judge_req_t *r, openai_grader_t *const *graders,
    size_t n, judge_settings_find_t *find, judge_step_pt next);

/* Whether all of them can be asked; false: it was answered. */
bool judge_openai_judges_check(judge_req_t *r, openai_grader_t *const *graders,
    size_t n, const judge_settings_find_t *find);

/* For judge_openai_ask(). */
void judge_openai_judge_ask(judge_openai_ask_t *ask);


#endif /* JUDGE_OPENAI_JUDGE_H */
