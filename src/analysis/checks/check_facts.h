/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The tables of words_table.txt. */


#ifndef JUDGE_CHECK_FACTS_H
#define JUDGE_CHECK_FACTS_H


typedef struct {
    const char  *digits;
    const char  *words;                /* separated by spaces */
} judge_check_digit_t;

extern const judge_check_digit_t  judge_check_digits[];
extern const size_t               judge_check_digits_n;
extern const char *const          judge_check_no_names[];
extern const char *const          judge_check_before_names[];
extern const char *const          judge_check_profane[];


#endif /* JUDGE_CHECK_FACTS_H */
