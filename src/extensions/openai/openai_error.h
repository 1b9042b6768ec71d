/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Errors in OpenAI's form: {"error": {message, type, param, code}}. */


#ifndef JUDGE_OPENAI_ERROR_H
#define JUDGE_OPENAI_ERROR_H


#include "base/json/json.h"


/* Why something that a client sent is refused. */
typedef struct {
    judge_str_t  param;                /* its path, such as
                                          testing_criteria[0].name; may be
                                          absent */
    judge_str_t  message;              /* a sentence */
} openai_problem_t;

/* Writes the member `error`.  A sentence that begins with the path of a field
 * and a colon names the field, too. */
void judge_openai_error(judge_json_writer_t *w, int status,
    judge_str_t sentence);


#endif /* JUDGE_OPENAI_ERROR_H */
