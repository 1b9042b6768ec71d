/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The form of a table's cell: whether it is a number, a date and so on. */


#ifndef JUDGE_VALUE_TYPE_H
#define JUDGE_VALUE_TYPE_H


#include "base/core/str.h"


typedef enum {
    JUDGE_VALUE_MISSING,               /* empty, or a word such as "N/A" */
    JUDGE_VALUE_INTEGER,
    JUDGE_VALUE_NUMBER,
    JUDGE_VALUE_BOOLEAN,               /* true false yes no y n on off */
    JUDGE_VALUE_DATE,
    JUDGE_VALUE_URL,                   /* http, https, or www. */
    JUDGE_VALUE_EMAIL,
    JUDGE_VALUE_JSON,                  /* in brackets; it is not parsed */
    JUDGE_VALUE_TEXT,
    JUDGE_VALUE_KINDS
} judge_value_type_e;

#define JUDGE_VALUE_SPACED   0x0001    /* spaces around it */
#define JUDGE_VALUE_MARKER   0x0002    /* a word such as "N/A" for missing */
#define JUDGE_VALUE_COMMA    0x0004    /* a decimal comma */
#define JUDGE_VALUE_GROUPED  0x0008    /* with separators of thousands */
#define JUDGE_VALUE_PERCENT  0x0010
#define JUDGE_VALUE_CURRENCY  0x0020   /* with a sign or code of a currency */
#define JUDGE_VALUE_ZEROS    0x0040    /* an integer with leading zeros */
#define JUDGE_VALUE_WORDS    0x0080    /* a boolean that is not true/false */
#define JUDGE_VALUE_DMY      0x0100    /* a date whose day comes first, */
#define JUDGE_VALUE_MDY      0x0200    /* or its month; both: either may */

/* Generated from value_table.txt. */
extern const char *const  judge_value_type_missing[];
extern const char *const  judge_value_type_booleans[];
extern const char *const  judge_value_type_currencies[];
extern const char *const  judge_value_type_months[];
extern const char *const  judge_value_type_days[];
extern const char *const  judge_csv_sniff_names[];

/* Sets *flags to JUDGE_VALUE_ bits, in time linear in the cell's length. */
judge_value_type_e judge_value_type_of(judge_str_t cell, unsigned *flags);

/* Removes white space around the cell. */
judge_str_t judge_value_type_trim(judge_str_t cell);


#endif /* JUDGE_VALUE_TYPE_H */
