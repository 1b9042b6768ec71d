/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the files of this folder share: the words of a prompt and the JSON
 * around them; an answer's envelope and the verdict in it; llm_table.txt.
 */


#ifndef JUDGE_LLM_PARTS_H
#define JUDGE_LLM_PARTS_H


#include "analysis/llm/prompt.h"
#include "analysis/llm/reply.h"


/* --- Prompts ------------------------------------------------------- */

/* The words of a prompt and where they come from. */

typedef struct {
    const judge_prompt_t    *p;
    judge_arena_t           *arena;
    judge_format_e           format;
    judge_delimiter_t        fence;    /* around the data */
    judge_delimiter_t        rubric;   /* around references and examples */
    judge_buf_t              system;
    judge_buf_t              user;
    size_t                   altered;
    judge_prompt_request_t  *out;
    judge_str_t              schema;   /* of the answer */
} judge_prompt_words_t;


/* Makes the fence around these texts, and the value of which an answer must be
 * the first member where the format asks for one.  JUDGE_OK, JUDGE_NOMEM or
 * JUDGE_ERROR. */
judge_rc_e judge_prompt_begin(judge_prompt_words_t *w, judge_arena_t *arena,
    const judge_prompt_t *p, const judge_str_t *texts, size_t n,
    judge_prompt_request_t *out);

/* The judge's name, description and criteria, by their numbers. */
void judge_prompt_rubric(judge_buf_t *buf, const judge_rubric_t *rubric);

/* Begins the form of the answer in w->system: "in this form:\n{".  If a key is
 * asked for, it comes first, and `what` names the part of the prompt that it
 * follows. */
void judge_prompt_form(judge_prompt_words_t *w, size_t members,
    const char *what);

/* Puts data with its fence into w->user. */
void judge_prompt_data(judge_prompt_words_t *w, const char *name,
    judge_str_t text);

/* Sets w->schema: an object of the criteria, each as in `each`, and `rest`. */
void judge_prompt_schema(judge_prompt_words_t *w, const char *each,
    const char *rest);

/* Writes all of out but key and hash; `name` is the schema's, `task` what to
 * do again where an answer could not be used ("Judge the item").  JUDGE_OK,
 * JUDGE_NOMEM or JUDGE_ERROR. */
judge_rc_e judge_prompt_write(judge_prompt_words_t *w, const char *name,
    const char *task);

/* llm_table.txt */
extern const char  judge_prompt_rules[];
extern const char  judge_prompt_criterion_schema[];
extern const char  judge_prompt_lists_schema[];
extern const char  judge_pair_rules[];
extern const char  judge_assist_criteria_rules[];
extern const char  judge_assist_criteria_form[];
extern const char  judge_assist_criteria_schema[];
extern const char  judge_assist_columns_rules[];
extern const char  judge_assist_columns_schema[];
extern const char  judge_assist_wording_rules[];
extern const char  judge_assist_wording_schema[];


/* --- Replies ------------------------------------------------------- */

#define JUDGE_REPLY_ENTRY  1000        /* bytes of a strength, of a quote */

typedef struct {
    judge_arena_t               *arena;
    const judge_reply_wanted_t  *wanted;
    judge_reply_t               *reply;
} judge_reply_reader_t;

/* A finish_reason that ends the reading. */
typedef struct {
    const char             *name;
    judge_reply_outcome_e   outcome;
    const char             *reason;
} judge_reply_finish_t;

extern const judge_reply_finish_t  judge_reply_finishes[];
extern const size_t  judge_reply_finishes_n;


/* Sets outcome and reason.  JUDGE_INVALID, or JUDGE_NOMEM. */
judge_rc_e judge_reply_fail(judge_reply_reader_t *r,
    judge_reply_outcome_e outcome, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#define judge_reply_invalid(r, ...)                                           \
    judge_reply_fail(r, JUDGE_REPLY_INVALID, __VA_ARGS__)

/* An array of strings that may be left out; empty ones, and those beyond the
 * maximum, don't count. */
judge_rc_e judge_reply_list(judge_reply_reader_t *r,
    const judge_json_t *array, const char *name, size_t max,
    judge_str_t **items, size_t *n);

/* A piece of somebody's words that fits into a reason. */
judge_str_t judge_reply_piece(judge_str_t s);

/* The JSON object in the model's text, by the format that was asked for.
 * JUDGE_OK, JUDGE_NOMEM, or JUDGE_INVALID with the reason in the reply; so
 * do the others. */
judge_rc_e judge_reply_extract(judge_reply_reader_t *r, judge_str_t text,
    judge_json_t **root);

/* The verdict and its quotes out of that object. */
judge_rc_e judge_reply_verdict(judge_reply_reader_t *r,
    const judge_json_t *root);


/* --- Quotes -------------------------------------------------------- */

/*
 * Whether a passage that a model quotes stands in the text at all.  Text and
 * quote are brought to one form first: white space of any kind and length is
 * one space, quotation marks and dashes of all shapes are the ASCII ones,
 * "..." is the ellipsis, ASCII letters are small, and what is invisible is
 * left out.
 */

typedef struct {
    judge_str_t     text;              /* in the one form */
    judge_arena_t  *arena;
} judge_quote_check_t;

/* llm_table.txt: what a range of characters becomes; NULL: nothing. */
typedef struct {
    uint32_t     first;
    uint32_t     last;
    const char  *to;
} judge_quote_check_form_t;

extern const judge_quote_check_form_t  judge_quote_check_forms[];
extern const size_t  judge_quote_check_forms_n;

/* JUDGE_OK or JUDGE_NOMEM.  Any bytes are safe. */
judge_rc_e judge_quote_check_create(judge_quote_check_t *e,
    judge_arena_t *arena,
    judge_str_t text);

/*
 * JUDGE_OK when the quote stands there; quotation marks and ellipses around
 * it don't count, and the parts of one that is cut with "..." or "[...]"
 * must stand there in order.  JUDGE_NOT_FOUND, also for a quote with nothing
 * in it, or JUDGE_NOMEM.  Time is linear in text and quote.
 */
judge_rc_e judge_quote_check_find(const judge_quote_check_t *e,
    judge_str_t quote);


#endif /* JUDGE_LLM_PARTS_H */
