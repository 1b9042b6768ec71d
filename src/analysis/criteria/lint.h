/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a reader of a criterion would stumble over, by its words alone, which
 * are those of English.
 */


#ifndef JUDGE_LINT_H
#define JUDGE_LINT_H


#include "base/core/str.h"


/* Of lint_table.txt. */
typedef struct {
    const char  *phrase;               /* "en WORD" */
    char         kind;
    const char  *name;                 /* "": of its own */
} judge_lint_word_t;

extern const judge_lint_word_t  judge_lint_words[];
extern const size_t             judge_lint_words_n;


/*
 * Whether a text can meet a part of the description and miss another, so that
 * one score says nothing of either: two qualities that don't say the same,
 * two things that it does, two questions.  *one and *other are the words;
 * one->len 0: no two words show it.
 */
bool judge_lint_several(judge_str_t description, judge_str_t *one,
    judge_str_t *other);

/* Whether it only says that a text is to be good, by words that each reader
 * takes otherwise, and nothing that can be seen in it; or is one word, of any
 * language. */
bool judge_lint_vague(judge_str_t description);


#endif /* JUDGE_LINT_H */
