/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Asks a language model which of two items is the better one by each criterion
 * of a rubric.  Models tend to prefer what they are shown first (or second),
 * so that a pair is to be asked in both orders.
 */


#ifndef JUDGE_PAIR_H
#define JUDGE_PAIR_H


#include "analysis/llm/reply.h"


/* How an answer names what it is asked for, by the sign of the winner. */
typedef enum {
    JUDGE_PAIR_SECOND = -1,
    JUDGE_PAIR_TIE,
    JUDGE_PAIR_FIRST
} judge_pair_sign_e;

/* In the order in which they are shown; the source is that of items[0].
 * Everything in *out is allocated in `arena`; of `p` all is used but item,
 * images and examples.  JUDGE_OK, JUDGE_NOMEM, JUDGE_ERROR, or JUDGE_INVALID:
 * there are no criteria, or too many. */
judge_rc_e judge_pair_prompt(judge_arena_t *arena, const judge_prompt_t *p,
    const judge_item_t *const items[2], judge_prompt_request_t *out);

/* The body of an answer with status 200; reply->outcome says whether signs, by
 * criterion, can be used.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_pair_reply(judge_arena_t *arena,
    const judge_prompt_request_t *asked, size_t ncriteria, judge_str_t body,
    judge_reply_t *reply, int8_t *signs);


#endif /* JUDGE_PAIR_H */
