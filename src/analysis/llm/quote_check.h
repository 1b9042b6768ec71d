/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Whether a passage that a model quotes stands in the text at all.  Text and
 * quote are brought to one form first: white space of any kind and length is
 * one space, quotation marks and dashes of all shapes are the ASCII ones,
 * "..." is the ellipsis, ASCII letters are small, and what is invisible is
 * left out.
 */


#ifndef JUDGE_QUOTE_CHECK_H
#define JUDGE_QUOTE_CHECK_H


#include "base/core/str.h"


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


#endif /* JUDGE_QUOTE_CHECK_H */
