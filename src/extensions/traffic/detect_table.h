/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The rows of pii_table.txt and secrets_table.txt. */


#ifndef JUDGE_DETECT_TABLE_H
#define JUDGE_DETECT_TABLE_H


#include <stddef.h>


typedef enum {
    JUDGE_PII_NANP,
    JUDGE_PII_SSN,
    JUDGE_PII_NINO,
    JUDGE_PII_STEUER,
    JUDGE_PII_NIR,
    JUDGE_PII_DNI,
    JUDGE_PII_FISCAL,
    JUDGE_PII_CPF,
    JUDGE_PII_VERHOEFF,
    JUDGE_PII_CHECKS
} judge_pii_check_e;

/* In a pattern '9' is a digit, 'A' a letter and 'X' either; ' ' is an optional
 * separator, '-' a required one; '(' and ')' stand for themselves. */
typedef struct {
    const char         *label;
    const char         *pattern;
    judge_pii_check_e   check;
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
