/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What else a language model is asked for: criteria out of prose, what the
 * columns of a table are, and a clearer wording of a criterion.  The results
 * of the first two have the form of those that the built-in engine finds
 * (criteria_parse.h, columns.h).  An answer that does not fit is not used.
 */


#ifndef JUDGE_ASSIST_PROMPT_H
#define JUDGE_ASSIST_PROMPT_H


#include "analysis/columns/columns.h"
#include "analysis/criteria/criteria_parse.h"
#include "analysis/llm/reply.h"


#define JUDGE_ASSIST_SAMPLE   8192     /* bytes of a table in a prompt */
#define JUDGE_ASSIST_COLUMNS  200      /* of a table, at most */
#define JUDGE_ASSIST_WORDING  1000     /* characters of a wording, at most */

/* A text that people and a judge have scored by a criterion. */
typedef struct {
    judge_str_t  text;
    judge_str_t  comments;             /* what people wrote of it; or absent */
    double       given;                /* the judge's score; NAN: none */
    double       people;
} judge_wording_text_t;

typedef struct {
    judge_str_t            name;       /* of the criterion */
    judge_str_t            description;
    judge_wording_text_t  *texts;
    size_t                 ntexts;
} judge_wording_request_t;

/*
 * Write a question; all of `p` is used but rubric, item, images and examples.
 * JUDGE_OK, JUDGE_INVALID (too many columns), JUDGE_NOMEM or JUDGE_ERROR.
 */
judge_rc_e judge_assist_prompt_criteria(judge_arena_t *arena,
    const judge_prompt_t *p, const judge_parse_request_t *request,
    judge_prompt_request_t *out);
judge_rc_e judge_assist_prompt_columns(judge_arena_t *arena,
    const judge_prompt_t *p, const judge_columns_request_t *request,
    size_t ncolumns, judge_prompt_request_t *out);
judge_rc_e judge_assist_prompt_wording(judge_arena_t *arena,
    const judge_prompt_t *p, const judge_wording_request_t *request,
    judge_prompt_request_t *out);

/*
 * Read the body of an answer with status 200 into *out, or into hints (room
 * for ncolumns), and return what judge_reply_read() does.  The present wording
 * can't be used as a new one.
 */
judge_rc_e judge_assist_reply_criteria(judge_arena_t *arena,
    const judge_prompt_request_t *asked, const judge_parse_request_t *request,
    judge_str_t body, judge_reply_t *reply, judge_parsed_criteria_t *out);
judge_rc_e judge_assist_reply_columns(judge_arena_t *arena,
    const judge_prompt_request_t *asked,
    const judge_columns_request_t *request, size_t ncolumns, judge_str_t body,
    judge_reply_t *reply, judge_column_hint_t *hints);
judge_rc_e judge_assist_reply_wording(judge_arena_t *arena,
    const judge_prompt_request_t *asked,
    const judge_wording_request_t *request, judge_str_t body,
    judge_reply_t *reply, judge_str_t *out);


#endif /* JUDGE_ASSIST_PROMPT_H */
