/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Writes the request that asks a language model for a verdict: the body of a
 * POST to /chat/completions, as OpenAI and servers compatible with it take it.
 * Several samples are several requests with other seeds.
 *
 * What stays the same for a judge comes first, in the system message (rules,
 * criteria, references, corrected examples), so that providers can cache it;
 * the item follows in the user message.  Criteria are called c1, c2, ... in
 * the order of the rubric: short, and hard to misspell.  The model is asked
 * for
 *
 *   {"criteria": {"c1": {"score": 87.5, "feedback": "...",
 *                        "evidence": ["...", ...]}, ...},
 *    "strengths": ["..."], "weaknesses": ["..."], "suggestions": ["..."],
 *    "summary": "..."}
 *
 * with each score before its reasons.  Where nothing but the prompt makes the
 * model answer in JSON (JUDGE_FORMAT_PLAIN), the answer must also begin with
 * "key": a value that is made from the item, so that no answer written into
 * an item can be taken for the model's.
 */


#ifndef JUDGE_PROMPT_H
#define JUDGE_PROMPT_H


#include "base/crypto/crypto.h"
#include "base/core/str.h"
#include "analysis/builtin/engine.h"


#define JUDGE_PROMPT_VERSION   "1"     /* of the words, see prompt.c */
#define JUDGE_PROMPT_CRITERIA  64      /* at most */
#define JUDGE_PROMPT_IMAGES    16      /* at most */
#define JUDGE_PROMPT_KEY_LEN   12

/* What a model's server was seen to refuse; see judge_provider_error_t. */
#define JUDGE_NO_SCHEMA       0x01     /* response_format json_schema */
#define JUDGE_NO_OBJECT       0x02     /* response_format json_object */
#define JUDGE_NO_MAX_TOKENS   0x04     /* wants max_completion_tokens */
#define JUDGE_NO_TEMPERATURE  0x08
#define JUDGE_NO_SEED         0x10
#define JUDGE_NO_SYSTEM       0x20     /* the system role: goes into the user's
                                          message */

typedef enum {
    JUDGE_FORMAT_SCHEMA,
    JUDGE_FORMAT_OBJECT,
    JUDGE_FORMAT_PLAIN
} judge_format_e;

/* An item that was judged before, with the scores that people gave it. */
typedef struct {
    judge_str_t    text;
    const double  *scores;             /* one per criterion; negative: none */
    judge_str_t    explanation;        /* absent: none */
} judge_prompt_example_t;

typedef struct {
    judge_str_t  type;                 /* image/png, jpeg, webp or gif */
    judge_str_t  bytes;
} judge_prompt_image_t;

typedef struct {
    judge_str_t                    model;
    unsigned                       unsupported; /* JUDGE_NO_... */
    bool                           has_temperature;
    double                         temperature;
    int64_t                        max_tokens; /* of the answer; 0: left out */
    bool                           has_seed;
    int64_t                        seed;
    const judge_rubric_t          *rubric;
    const judge_item_t            *item;
    const judge_prompt_image_t    *images;
    size_t                         nimages;
    const judge_prompt_example_t  *examples;
    size_t                         nexamples;

    /* To ask again after an answer that could not be used: its start, and
     * judge_reply_t.reason.  Absent: it is asked for the first time. */
    judge_str_t                    refused_answer;
    judge_str_t                    refused_reason;
} judge_prompt_t;

typedef struct {
    judge_str_t     body;              /* JSON */
    judge_format_e  format;
    judge_str_t     key;               /* absent but in PLAIN */
    judge_str_t     hash;              /* SHA-256 in hex of all words but the
                                          item's, its source's, and those
                                          about a refused answer */
    int64_t         tokens;            /* of body, roughly */
    size_t          altered;           /* places in the item and its source
                                          that were made harmless: they may
                                          have tried to speak to the model */
    const judge_rubric_t  *rubric;     /* of the verdict that is asked for;
                                          NULL: another object is */
    const judge_item_t    *item;       /* its text is searched for quotes; an
                                          empty one (an image) is not */
} judge_prompt_request_t;


/* The best form of answer that the server is not known to refuse. */
judge_format_e judge_format_choose(unsigned unsupported);

/*
 * Everything in *out is allocated in `arena`.  JUDGE_OK, JUDGE_NOMEM,
 * JUDGE_ERROR, or JUDGE_INVALID: too many criteria or images, none of the
 * former, or an image of another type.
 */
judge_rc_e judge_prompt_build(judge_arena_t *arena, const judge_prompt_t *p,
    judge_prompt_request_t *out);

/* Estimates the tokens of a text: a quarter for each ASCII character, a half
 * for one of two bytes in UTF-8, one for three bytes, two for four. */
int64_t judge_prompt_tokens(judge_str_t text);


/* --- The text of others in a prompt -------------------------------------- */

/*
 * What others have written stands in a prompt between two lines, its fence
 *
 *   ⟦ITEM 0123456789abcdef01234567 BEGIN⟧
 *   ⟦ITEM 0123456789abcdef01234567 END⟧
 *
 * whose number is a hash of the text itself, so that no text can hold the
 * line that ends it, while the same text makes the same prompt.  Inside, the
 * two brackets become ASCII ones, and what some chat templates read as a
 * change of roles, or what a reader does not see but a model does, is broken.
 */

#define JUDGE_DELIMITER_LEN  24

typedef struct {
    char  number[JUDGE_DELIMITER_LEN + 1];
} judge_delimiter_t;

/* Makes the number for n texts.  JUDGE_OK or JUDGE_ERROR. */
judge_rc_e judge_delimiter_make(judge_delimiter_t *fence,
    const judge_str_t *texts, size_t n);

/* Puts both lines with the harmless form of the text between them. */
void judge_delimiter_put(judge_buf_t *buf, const judge_delimiter_t *fence,
    const char *name, judge_str_t text, size_t *altered);

/*
 * Puts the harmless form of a text: valid UTF-8 in which nothing is a special
 * token, a bracket of the fence, a control but tab and new line, a tag
 * character, a hidden selector or an override of direction.  Adds to *altered,
 * unless that is NULL, how many places were changed for this, not counting
 * line ends and bytes that are not UTF-8.
 */
void judge_delimiter_text(judge_buf_t *buf, judge_str_t text, size_t *altered);


/* llm_table.txt; ended by NULL. */
extern const char *const  judge_delimiter_special[];


#endif /* JUDGE_PROMPT_H */
