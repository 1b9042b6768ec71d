/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Why an answer cannot be used. */


#include <stdio.h>

#include "base/text/utf8.h"
#include "analysis/llm/reply_parts.h"


#define JUDGE_REPLY_REASON  300        /* bytes */
#define JUDGE_REPLY_PIECE   80


/* A reason may hold a model's words: one line, no controls, not long. */

judge_rc_e
judge_reply_fail(judge_reply_reader_t *r, judge_reply_outcome_e outcome,
    const char *fmt, ...)
{
    int          n;
    char         text[JUDGE_REPLY_REASON + 1];
    size_t       i;
    va_list      args;
    judge_str_t  reason;

    va_start(args, fmt);
    n = vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);

    if (n < 0) {
        return JUDGE_NOMEM;
    }

    for (i = 0; text[i]; i++) {
        if ((unsigned char) text[i] < 0x20 || text[i] == 0x7f) {
            text[i] = ' ';
        }
    }

    /* vsnprintf() may have cut a character in two */

    reason = (judge_str_t) { i, text };
    reason.len = judge_utf8_check(reason);

    r->reply->outcome = outcome;
    r->reply->reason = judge_str_dup(r->arena, reason);

    return r->reply->reason.data ? JUDGE_INVALID : JUDGE_NOMEM;
}


judge_str_t
judge_reply_piece(judge_str_t s)
{
    return judge_utf8_prefix(s, JUDGE_REPLY_PIECE);
}
