/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The table that the parts of judge_columns work on: the cells of the sample
 * and what was counted in each column.
 */


#ifndef JUDGE_COLUMNS_TABLE_H
#define JUDGE_COLUMNS_TABLE_H


#include "base/csv/value_type.h"
#include "analysis/columns/columns.h"


/* What lies behind the limit is counted, not looked at. */
#define JUDGE_TABLE_CELLS  200000

typedef enum {
    JUDGE_TYPE_EMPTY,
    JUDGE_TYPE_INTEGER,
    JUDGE_TYPE_NUMBER,
    JUDGE_TYPE_BOOLEAN,
    JUDGE_TYPE_DATE,
    JUDGE_TYPE_URL,
    JUDGE_TYPE_EMAIL,
    JUDGE_TYPE_JSON,
    JUDGE_TYPE_CATEGORY,
    JUDGE_TYPE_TEXT,
    JUDGE_TYPE_LONG_TEXT
} judge_column_type_e;

#define JUDGE_COLUMN_FLAGS  16         /* the bits of JUDGE_VALUE_ */

typedef struct {
    judge_str_t          name;
    bool                 named;        /* the header has a name for it */
    judge_column_type_e  type;
    size_t               filled;
    size_t               empty;
    size_t               markers;      /* "N/A" and the like */
    size_t               kinds[JUDGE_VALUE_KINDS];
    size_t               flags[JUDGE_COLUMN_FLAGS];
    size_t               bytes;
    size_t               longest;
    size_t               words;
    size_t               tokens;       /* cells without a space inside */
    size_t               digits;       /* of those, with a digit */
    size_t               lists;        /* "a; b; c": short words */
    size_t               html;
    size_t               entities;
    size_t               formulas;
    size_t               damaged;      /* U+FFFD, or UTF-8 read as 1252 */
    size_t               distinct;
    size_t               folded;       /* distinct without regard to case */
    judge_str_t          twice;        /* a value that is there twice */
    judge_str_t          odd;          /* a value of another type */
} judge_column_stat_t;

typedef struct {
    judge_str_t  *cells;               /* of the table's columns; absent where
                                          the row has no more */
    size_t        nfields;             /* that the row has in the file */
    uint64_t      line;
    unsigned      flags;               /* JUDGE_CSV_ */
} judge_table_row_t;

typedef struct {
    judge_arena_t        *arena;
    judge_csv_sniff_t     sniff;
    judge_column_stat_t  *columns;
    size_t                ncolumns;
    judge_table_row_t    *rows;
    size_t                nrows;
    size_t                rows_size;
    size_t                cells;
    uint64_t              total;       /* rows, also those not looked at */
    size_t                blank;       /* rows of empty cells, left out */
    size_t                repeated;    /* rows that are there before */
    uint64_t              repeated_line;
    bool                  cut;         /* the last row was cut off */
} judge_table_t;

/* `n` by the cells that are filled: a share, a mean; 0 where none is. */
static inline double
judge_column_share(const judge_column_stat_t *column, size_t n)
{
    return (column->filled == 0) ? 0 : (double) n / (double) column->filled;
}

/* How many cells have the flag. */
static inline size_t
judge_column_flag(const judge_column_stat_t *column, unsigned flag)
{
    return column->flags[__builtin_ctz(flag)];
}


/* A list of sentences that grows. */

typedef struct {
    judge_arena_t  *arena;
    judge_str_t    *items;
    size_t          n;
    bool            failed;
} judge_notes_t;

void judge_notes_add(judge_notes_t *notes, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* A value to be quoted in a sentence: on one line and not long. */
judge_str_t judge_notes_quote(judge_arena_t *arena, judge_str_t value);


/* columns_read.c */
judge_rc_e judge_table_read(judge_table_t *table, judge_str_t sample,
    judge_str_t *error);
const char *judge_column_type_name(judge_column_type_e type);

/* names_table.txt */
typedef struct {
    const char  *name;                 /* words in lower case */
    double       scores[JUDGE_COLUMN_FIELDS];
} judge_column_name_t;

extern const judge_column_name_t  judge_column_names[];
extern const size_t  judge_column_names_n;
extern const char *const  judge_column_owners[];
extern const char *const  judge_column_properties[];

/* columns_names.c: 0 to 1; and whether the name is of something that is
 * a usual property of an item, as "author" or "date". */
double judge_column_named(judge_str_t name, judge_column_field_e field);
bool judge_column_about(judge_str_t name);

/* columns_map.c: fills out->detected, without transformations, and
 * out->unmapped */
judge_rc_e judge_columns_map(const judge_table_t *table,
    const judge_columns_request_t *request, judge_columns_t *out,
    judge_notes_t *issues);

/* columns_report.c */
void judge_columns_issues(const judge_table_t *table,
    const judge_columns_request_t *request, const judge_columns_t *out,
    judge_notes_t *issues, judge_notes_t *recommendations);
judge_rc_e judge_columns_transform(const judge_table_t *table,
    judge_columns_t *out);
judge_rc_e judge_columns_preview(const judge_table_t *table,
    const judge_columns_request_t *request, judge_columns_t *out);


#endif /* JUDGE_COLUMNS_TABLE_H */
