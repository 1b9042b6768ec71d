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


/* The words of a prompt and where they come from.  A prompt that does not
 * ask for a verdict has no rubric, but a schema, its name, and how to ask
 * again. */

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
    void                   (*schema)(judge_json_writer_t *json);
    const char              *schema_name;
    const char              *again;
} judge_prompt_words_t;


/* Writes out->body and adds to out->tokens.  JUDGE_OK, JUDGE_NOMEM or
 * JUDGE_ERROR. */
judge_rc_e judge_prompt_write(judge_prompt_words_t *w);

/* The value of which an answer must be the first member; from w->fence. */
judge_rc_e judge_prompt_key(judge_prompt_words_t *w);

/* The subset of JSON Schema that strict modes share: every member required,
 * no other ones, no bounds.  object() begins one; type() and strings() are
 * members of it. */
void judge_schema_object(judge_json_writer_t *json);
void judge_schema_type(judge_json_writer_t *json, const char *key,
    const char *type);
void judge_schema_strings(judge_json_writer_t *json, const char *key);
void judge_schema_required(judge_json_writer_t *json, const char *const *names,
    size_t n);


#endif /* JUDGE_PROMPT_TEXT_H */
