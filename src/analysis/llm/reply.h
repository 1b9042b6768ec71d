/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Makes a verdict out of what a language model answered, the body of a
 * chat-completions response, or says why there is none.  What people would
 * read past is tolerated and noted.  Nothing is guessed, and no score is moved
 * into its bounds: an answer that does not fit gives none.
 */


#ifndef JUDGE_REPLY_H
#define JUDGE_REPLY_H


#include "base/json/json.h"
#include "analysis/llm/prompt.h"


#define JUDGE_REPLY_START    500       /* bytes of an answer that are kept */
#define JUDGE_REPLY_MAX      1048576   /* bytes of a body that is read */
#define JUDGE_REPLY_QUOTES   10        /* of a criterion that are kept */
#define JUDGE_REPLY_LIST     20        /* strengths etc. that are kept */

typedef enum {
    JUDGE_REPLY_OK,
    JUDGE_REPLY_TRUNCATED,             /* the model ran into a limit */
    JUDGE_REPLY_REFUSED,               /* it or a filter refused */
    JUDGE_REPLY_EMPTY,                 /* there is no answer */
    JUDGE_REPLY_INVALID                /* there is one that can't be used */
} judge_reply_outcome_e;

/* What was read past, as bits in the order of the names, which end with
 * NULL. */
#define JUDGE_TOLERATED_THOUGHTS  0x1  /* before the answer */
#define JUDGE_TOLERATED_FENCE     0x2  /* of Markdown, around it */
#define JUDGE_TOLERATED_TEXT      0x4  /* any other around it */
#define JUDGE_TOLERATED_SCORE     0x8  /* a number in a string */

extern const char *const  judge_tolerated_names[];

typedef struct {
    judge_reply_outcome_e  outcome;
    judge_str_t            reason;     /* unless OK: one sentence without a
                                          full stop, at most 300 bytes */
    judge_str_t            start;      /* of the answer, or of the body when
                                          there is none in it */
    judge_str_t            model;      /* that served; absent: not given */
    judge_str_t            finish;     /* finish_reason; absent: not given */
    int64_t                prompt_tokens;      /* negative: not given */
    int64_t                answer_tokens;
    int64_t                total_tokens;
    int64_t                cached_tokens;      /* of the prompt's */
    judge_str_t            text;       /* of the answer, as it came; absent:
                                          there is none */

    /* when OK */
    const judge_json_t    *object;     /* the answer */
    judge_verdict_t        verdict;    /* scores in the order of the criteria;
                                          quotes stand in the feedback, too;
                                          no features */
    size_t                 missing;    /* quotes that were not found */
    unsigned               tolerated;  /* JUDGE_TOLERATED_... */
} judge_reply_t;


/*
 * Reads the body of an answer with status 200.  Everything in *reply is
 * allocated in `arena` or part of the rubric.  The JSON may stand behind
 * thoughts, between other words or in a fence of Markdown, but there must be
 * exactly one object that may be meant: one with the key, or where there is
 * none, one that is not quoted from the item.  If `asked` is NULL, the text is
 * all that is read, also one that was cut off.
 *
 * Like all readers of answers: JUDGE_OK; JUDGE_INVALID, if there is an outcome
 * other than JUDGE_REPLY_OK, with its reason; or JUDGE_NOMEM.
 */
judge_rc_e judge_reply_read(judge_arena_t *arena,
    const judge_prompt_request_t *asked, judge_str_t body,
    judge_reply_t *reply);

/* The same for the text of an answer, where the one object in it is wanted. */
judge_rc_e judge_reply_object(judge_arena_t *arena, judge_str_t text,
    judge_reply_t *reply);


/* --- Errors of servers --------------------------------------------------- */

/*
 * Reads answers of model servers that are errors: of what kind they are,
 * whether to try again, and what to leave out of the next request.
 */

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
    JUDGE_PROVIDER_SERVER              /* it failed: wait */
} judge_provider_kind_e;

typedef struct {
    judge_provider_kind_e  kind;
    bool                   transient;  /* the same request may succeed later */
    unsigned               unsupported; /* JUDGE_NO_..., to be added */
    judge_str_t            message;    /* the server's words, on one line */
} judge_provider_error_t;

/* llm_table.txt: a word of errors, and the kind or the JUDGE_NO_... for which
 * it stands. */
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

/* Returns what such a body says is wrong; absent: it does not say it. */
judge_str_t judge_provider_message(judge_arena_t *arena,
    const judge_json_t *root);

/* Returns the start of a server's words on one line: white space and controls,
 * however many, become a space.  Data NULL: out of memory. */
judge_str_t judge_provider_line(judge_arena_t *arena, judge_str_t s);


/* --- Which of two items is better ---------------------------------------- */

/*
 * Asks a language model which of two items is the better one by each criterion
 * of a rubric.  Models tend to prefer what they are shown first (or second),
 * so that a pair is to be asked in both orders.
 */

/* Writes the question; the items are shown in this order, with the source of
 * items[0].  Everything in *out is allocated in `arena`; of `p` all is used
 * but item, images and examples.  JUDGE_OK, JUDGE_NOMEM, JUDGE_ERROR, or
 * JUDGE_INVALID: there are no criteria, or too many. */
judge_rc_e judge_pair_prompt(judge_arena_t *arena, const judge_prompt_t *p,
    const judge_item_t *const items[2], judge_prompt_request_t *out);

/* Reads the body of an answer with status 200, and sets signs, by criterion:
 * 1 where the first item is better, -1 where the second is, 0 for a tie.
 * Returns what judge_reply_read() does. */
judge_rc_e judge_pair_reply(judge_arena_t *arena,
    const judge_prompt_request_t *asked, size_t ncriteria, judge_str_t body,
    judge_reply_t *reply, int8_t *signs);


#endif /* JUDGE_REPLY_H */
