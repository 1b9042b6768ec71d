/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Forms of numbers of people, and the rows of pii_table.txt and
 * secrets_table.txt. */


#ifndef JUDGE_DETECT_TABLE_H
#define JUDGE_DETECT_TABLE_H


#include <stdbool.h>
#include <stddef.h>


typedef struct judge_pii_number  judge_pii_number_t;

/* In a pattern '9' is a digit, 'A' a letter and 'X' either; ' ' is an optional
 * separator, '-' a required one; '(' and ')' stand for themselves. */
typedef struct {
    const char  *label;
    const char  *pattern;
    bool       (*check)(const judge_pii_number_t *v);    /* what else must
                                          hold */
} judge_pii_format_t;

typedef struct {
    char  country[3];
    int   len;
} judge_pii_iban_t;

typedef enum {
    JUDGE_SECRET_HEX,                  /* a to f are not in UPPER */
    JUDGE_SECRET_UPPER,                /* capitals and digits */
    JUDGE_SECRET_ALNUM,
    JUDGE_SECRET_WORD,                 /* also "_" and "-" */
    JUDGE_SECRET_BASE64                /* also "+", "/", "=" and "." */
} judge_secret_class_e;

typedef struct {
    const char            *label;
    const char            *prefix;
    judge_secret_class_e   set;
    size_t                 min;        /* characters after the prefix */
    size_t                 max;        /* 0: any number */
} judge_secret_format_t;

extern const judge_pii_format_t     judge_pii_formats[];
extern const size_t                 judge_pii_formats_n;
extern const judge_pii_iban_t       judge_pii_ibans[];
extern const size_t                 judge_pii_ibans_n;
extern const judge_secret_format_t  judge_secret_formats[];
extern const size_t                 judge_secret_formats_n;


#endif /* JUDGE_DETECT_TABLE_H */
