/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Answers of model servers that are errors: what kind, whether to try again,
 * and what to leave out of the request the next time.
 */


#ifndef JUDGE_PROVIDER_ERROR_H
#define JUDGE_PROVIDER_ERROR_H


#include "base/json/json.h"
#include "analysis/llm/prompt.h"


#define JUDGE_PROVIDER_MESSAGE  300    /* bytes of a message that are kept */

typedef enum {
    JUDGE_PROVIDER_REQUEST,            /* the request: the same fails again */
    JUDGE_PROVIDER_FEATURE,            /* what `unsupported` names: ask again
                                          at once without it */
    JUDGE_PROVIDER_LENGTH,             /* the item is too long for the model */
    JUDGE_PROVIDER_FILTER,             /* the item was refused */
    JUDGE_PROVIDER_KEY,                /* credentials, permissions */
    JUDGE_PROVIDER_MODEL,              /* there is no such model */
    JUDGE_PROVIDER_QUOTA,              /* out of money: waiting won't help */
    JUDGE_PROVIDER_RATE,               /* too fast: wait */
    JUDGE_PROVIDER_SERVER              /* its own trouble: wait */
} judge_provider_kind_e;

typedef struct {
    judge_provider_kind_e  kind;
    bool                   transient;  /* the same request may succeed later */
    unsigned               unsupported; /* JUDGE_NO_..., to be added */
    judge_str_t            message;    /* the server's words, on one line */
} judge_provider_error_t;

/* llm_table.txt: words of errors, and the kind or the JUDGE_NO_... that they
 * stand for. */
typedef struct {
    const char  *word;
    unsigned     meaning;
} judge_provider_word_t;

extern const judge_provider_word_t  judge_provider_kinds[];
extern const size_t  judge_provider_kinds_n;
extern const judge_provider_word_t  judge_provider_quota[];
extern const size_t  judge_provider_quota_n;
extern const judge_provider_word_t  judge_provider_features[];
extern const size_t  judge_provider_features_n;


/*
 * Reads the body of an answer whose status is not 200 (0: there was none):
 * {"error": {"message", "type", "code", "param"}} of OpenAI, its kin
 * ({"error": "..."}, {"message": ...}, {"detail": ...}, the same in an
 * array), or any text.  Of `request` only features that it has, its own
 * `unsupported` left out, can be reported as unsupported: asking again without
 * them comes to an end.
 * JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_provider_error_read(judge_arena_t *arena, int status,
    judge_str_t body, const judge_prompt_t *request,
    judge_provider_error_t *error);

/* What such a body says is wrong; absent: nothing. */
judge_str_t judge_provider_message(judge_arena_t *arena,
    const judge_json_t *root);

/* The start of a server's words on one line: white space and controls of any
 * length are a space.  Data NULL: no memory. */
judge_str_t judge_provider_line(judge_arena_t *arena, judge_str_t s);


#endif /* JUDGE_PROVIDER_ERROR_H */
