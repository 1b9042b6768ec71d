/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the files of this folder share: the words of a prompt and the JSON
 * around them; the readers of an answer; the tables of llm_table.txt.
 */


#ifndef JUDGE_LLM_PARTS_H
#define JUDGE_LLM_PARTS_H


#include "analysis/llm/prompt.h"
#include "analysis/llm/reply.h"


/* --- Prompts ------------------------------------------------------- */

/* A prompt while it is written. */

typedef struct {
    const judge_prompt_t    *p;
    judge_arena_t           *arena;
    judge_format_e           format;
    judge_delimiter_t        fence;    /* around the data */
    judge_delimiter_t        rubric;   /* around references and examples */
    judge_buf_t              system;   /* the system message */
    judge_buf_t              user;     /* the user's message */
    size_t                   altered;
    judge_rc_e               rc;       /* the first failure, which
                                          judge_prompt_write() returns */
    judge_prompt_request_t  *out;
    judge_str_t              schema;   /* of the answer */
} judge_prompt_words_t;


/* Begins a prompt: makes the fence around these texts and, in the PLAIN
 * format, the key with which the answer must begin. */
void judge_prompt_begin(judge_prompt_words_t *w, judge_arena_t *arena,
    const judge_prompt_t *p, const judge_str_t *texts, size_t n,
    judge_prompt_request_t *out);

/* Writes the judge's name and description, and the criteria as c1, c2, …, into
 * w->system; a rubric with none or too many is JUDGE_INVALID. */
void judge_prompt_rubric(judge_prompt_words_t *w);

/* Begins the form of the answer in w->system: "in this form:\n{", and the key
 * if one is asked for; `what` names the part of the prompt after which its
 * value is given. */
void judge_prompt_form(judge_prompt_words_t *w, size_t members,
    const char *what);

/* Puts data with its fence into w->user. */
void judge_prompt_data(judge_prompt_words_t *w, const char *name,
    judge_str_t text);

/* Sets w->schema: an object with "criteria", the schema of each of which is
 * `each`; `rest` ends it. */
void judge_prompt_schema(judge_prompt_words_t *w, const char *each,
    const char *rest);

/* Writes all of w->out but key and hash.  `name` is that of the schema, `task`
 * what the model is told to do again if its answer could not be used ("Judge
 * the item").  JUDGE_OK, or what has failed since judge_prompt_begin(). */
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
    judge_arena_t                 *arena;
    const judge_prompt_request_t  *asked;
    judge_reply_t                 *reply;
    judge_str_t                    item;   /* its text, in the form of quotes,
                                              while a verdict is read */
} judge_reply_reader_t;

/* A finish_reason with which no answer is read. */
typedef struct {
    const char             *name;
    judge_reply_outcome_e   outcome;
    const char             *reason;
} judge_reply_finish_t;

extern const judge_reply_finish_t  judge_reply_finishes[];
extern const size_t  judge_reply_finishes_n;


/* Sets outcome and reason.  Returns JUDGE_INVALID, or JUDGE_NOMEM. */
judge_rc_e judge_reply_fail(judge_reply_reader_t *r,
    judge_reply_outcome_e outcome, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#define judge_reply_invalid(r, ...)                                           \
    judge_reply_fail(r, JUDGE_REPLY_INVALID, __VA_ARGS__)

/* Reads an array of strings, which may be absent; skips empty strings, those
 * with a zero byte, and those beyond the maximum. */
judge_rc_e judge_reply_list(judge_reply_reader_t *r,
    const judge_json_t *array, const char *name, size_t max,
    judge_str_t **items, size_t *n);

/* Returns the start of somebody's words, short enough for a reason. */
judge_str_t judge_reply_piece(judge_str_t s);

/* Finds the JSON object in the model's text, by the format that was asked for.
 * Like the other readers, returns what judge_reply_read() does. */
judge_rc_e judge_reply_extract(judge_reply_reader_t *r, judge_str_t text,
    judge_json_t **root);

/* Reads the verdict and its quotes out of that object. */
judge_rc_e judge_reply_verdict(judge_reply_reader_t *r,
    const judge_json_t *root);


/* --- Quotes -------------------------------------------------------- */

/*
 * Whether a passage that a model quotes stands in the text at all.  Text and
 * quote are brought to one form first: white space of any kind and length
 * becomes one space, quotation marks and dashes of all shapes become those of
 * ASCII, the ellipsis becomes "...", ASCII letters become small, and what is
 * invisible is left out.
 */

/* llm_table.txt: what a range of characters becomes; NULL: nothing. */
typedef struct {
    uint32_t     first;
    uint32_t     last;
    const char  *to;
} judge_quote_form_t;

extern const judge_quote_form_t  judge_quote_forms[];
extern const size_t  judge_quote_forms_n;

/* Returns a text in that form; absent: out of memory.  Any bytes are safe. */
judge_str_t judge_quote_form(judge_arena_t *arena, judge_str_t text);

/*
 * Whether a quote stands in a text, both in that form.  Quotation marks and
 * ellipses around it don't count, and the parts of one that is cut with "..."
 * or "[...]" must follow each other.  False for a quote with nothing in it.
 * Time is linear in text and quote.
 */
bool judge_quote_stands(judge_str_t text, judge_str_t quote);


#endif /* JUDGE_LLM_PARTS_H */
