/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a cell of a table is by its form: a number, a date, an address.
 */


#ifndef JUDGE_CELL_H
#define JUDGE_CELL_H


#include "base/judge_str.h"


typedef enum {
    JUDGE_CELL_MISSING,                /* empty, or a word for it: "N/A" */
    JUDGE_CELL_INTEGER,
    JUDGE_CELL_NUMBER,
    JUDGE_CELL_BOOLEAN,                /* true false yes no y n on off */
    JUDGE_CELL_DATE,
    JUDGE_CELL_URL,                    /* http, https, or www. */
    JUDGE_CELL_EMAIL,
    JUDGE_CELL_JSON,                   /* has the brackets; not parsed */
    JUDGE_CELL_TEXT,
    JUDGE_CELL_KINDS
} judge_cell_e;

#define JUDGE_CELL_SPACED    0x0001    /* spaces around it */
#define JUDGE_CELL_MARKER    0x0002    /* missing: not empty, but "N/A" */
#define JUDGE_CELL_COMMA     0x0004    /* a decimal comma */
#define JUDGE_CELL_GROUPED   0x0008    /* thousands are set apart */
#define JUDGE_CELL_PERCENT   0x0010
#define JUDGE_CELL_CURRENCY  0x0020    /* with a sign or code of a currency */
#define JUDGE_CELL_ZEROS     0x0040    /* an integer with zeros in front */
#define JUDGE_CELL_BIT       0x0080    /* the integer 0 or 1 */
#define JUDGE_CELL_WORDS     0x0100    /* a boolean that is not true/false */
#define JUDGE_CELL_YMD       0x0200    /* a date: the order of its parts */
#define JUDGE_CELL_DMY       0x0400
#define JUDGE_CELL_MDY       0x0800    /* with DMY: it may be either */
#define JUDGE_CELL_TIME      0x1000    /* a date with the time of day */
#define JUDGE_CELL_NAMED     0x2000    /* a date with the name of its month */
#define JUDGE_CELL_SHORT     0x4000    /* a date with two digits of its year */
#define JUDGE_CELL_ISO       0x8000    /* a date as ISO 8601 has it */

/* *flags gets JUDGE_CELL_ bits. Time is linear in the cell's length. */
judge_cell_e judge_cell_kind(judge_str_t cell, unsigned *flags);

const char *judge_cell_name(judge_cell_e kind);          /* "integer" */

/* Without the white space around it. */
judge_str_t judge_cell_trim(judge_str_t cell);


#endif /* JUDGE_CELL_H */
