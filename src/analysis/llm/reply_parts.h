/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Between the two halves of reading an answer: the envelope of the server,
 * and the verdict of the model in it.
 */


#ifndef JUDGE_REPLY_PARTS_H
#define JUDGE_REPLY_PARTS_H


#include "analysis/llm/reply.h"


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

/* A member of an object; NULL: there is none of that type. */
const judge_json_t *judge_reply_member(const judge_json_t *object,
    const char *name, judge_json_type_e type);

/* Likewise of a number: false if there is none. */
bool judge_reply_number(const judge_json_t *object, const char *name,
    double *value);

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


#endif /* JUDGE_REPLY_PARTS_H */
