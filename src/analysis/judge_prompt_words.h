/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Between the two halves of a prompt: its words and the JSON around them.
 */


#ifndef JUDGE_PROMPT_WORDS_H
#define JUDGE_PROMPT_WORDS_H


#include "analysis/judge_fence.h"
#include "analysis/judge_prompt.h"


/* The words of a prompt and where they come from. */

typedef struct {
    const judge_prompt_t    *p;
    judge_arena_t           *arena;
    judge_format_e           format;
    judge_fence_t            fence;    /* of the item */
    judge_fence_t            rubric;   /* of references and examples */
    judge_str_t              system;
    judge_str_t              user;
    size_t                   altered;
    judge_prompt_request_t  *out;
} judge_prompt_words_t;


/* Writes out->body and adds to out->tokens.  JUDGE_OK, JUDGE_NOMEM or
 * JUDGE_ERROR. */
judge_rc_e judge_prompt_write(judge_prompt_words_t *w);


#endif /* JUDGE_PROMPT_WORDS_H */
