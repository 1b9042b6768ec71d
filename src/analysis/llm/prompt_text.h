/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Between the two halves of a prompt: its words and the JSON around them.
 */


#ifndef JUDGE_PROMPT_TEXT_H
#define JUDGE_PROMPT_TEXT_H


#include "base/json/json.h"
#include "analysis/llm/delimiter.h"
#include "analysis/llm/prompt.h"


/* The words of a prompt and where they come from.  The schema of a verdict is
 * made where it is absent. */

typedef struct {
    const judge_prompt_t    *p;
    judge_arena_t           *arena;
    judge_format_e           format;
    judge_delimiter_t        fence;    /* of the item */
    judge_delimiter_t        rubric;   /* of references and examples */
    judge_str_t              system;
    judge_str_t              user;
    size_t                   altered;
    judge_prompt_request_t  *out;
    judge_str_t              schema;
    const char              *schema_name;
    const char              *again;
} judge_prompt_words_t;


/* Writes out->body and adds to out->tokens.  JUDGE_OK, JUDGE_NOMEM or
 * JUDGE_ERROR. */
judge_rc_e judge_prompt_write(judge_prompt_words_t *w);

/* The value of which an answer must be the first member; from w->fence. */
judge_rc_e judge_prompt_key(judge_prompt_words_t *w);

/* Ends what is written to the user: if there is a key, with a sentence about
 * it. */
void judge_prompt_key_put(judge_buf_t *buf, const judge_prompt_words_t *w);

/* llm_table.txt */
extern const char  judge_prompt_rules[];
extern const char  judge_prompt_criterion_schema[];
extern const char  judge_prompt_lists_schema[];
extern const char  judge_assist_criteria_rules[];
extern const char  judge_assist_criteria_form[];
extern const char  judge_assist_criteria_schema[];
extern const char  judge_assist_columns_rules[];
extern const char  judge_assist_columns_schema[];


#endif /* JUDGE_PROMPT_TEXT_H */
