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


#include "base/json/json.h"
#include "analysis/llm/reply.h"


typedef struct {
    judge_arena_t               *arena;
    const judge_reply_wanted_t  *wanted;
    judge_reply_t               *reply;
} judge_reply_reader_t;


/* Sets outcome and reason.  JUDGE_INVALID, or JUDGE_NOMEM. */
judge_rc_e judge_reply_fail(judge_reply_reader_t *r,
    judge_reply_outcome_e outcome, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

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
