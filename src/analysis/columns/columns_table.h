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


#include "base/csv/csv.h"
#include "analysis/columns/columns.h"


/* The kinds of values, and texts told apart; clients are told of words as
 * texts. */
enum {
    JUDGE_TYPE_EMPTY = JUDGE_VALUE_MISSING,
    JUDGE_TYPE_CATEGORY = JUDGE_VALUE_TEXT,
    JUDGE_TYPE_WORD,                   /* one in a cell: names, codes */
    JUDGE_TYPE_TEXT,
    JUDGE_TYPE_LONG_TEXT,
    JUDGE_TYPES
};

typedef struct {
    const char  *name;
    double       scores[JUDGE_COLUMN_FIELDS]; /* how much such values speak
                                          for each field, from 0 to 1 */
} judge_column_type_t;

extern const judge_column_type_t  judge_column_types[JUDGE_TYPES];

/* Marks of cells that a person has to do something about; NULL: there is
 * nothing to say. */

#define JUDGE_CELL_HTML     (1u << 16)
#define JUDGE_CELL_DAMAGED  (1u << 17)  /* U+FFFD, or UTF-8 read as 1252 */

typedef struct {
    unsigned     bits;                 /* JUDGE_VALUE_, JUDGE_CELL_ */
    bool         text;                 /* in columns of texts, too */
    const char  *transformation;
    const char  *issue;                /* in front of "in N of M rows" */
    const char  *advice;
} judge_column_mark_t;

extern const judge_column_mark_t  judge_column_marks[JUDGE_COLUMN_MARKS];

typedef struct judge_table_row_s  judge_table_row_t;

struct judge_table_row_s {
    judge_table_row_t  *next;
    uint64_t            line;
    bool                broken;        /* an import refuses it */
    judge_str_t         cells[];       /* of the table's columns; absent where
                                          the row has no more */
};

typedef struct {
    size_t                    n;
    const judge_table_row_t  *first;   /* NULL: none */
} judge_tally_t;

typedef struct judge_column_stat_s  judge_column_stat_t;

struct judge_column_stat_s {
    judge_str_t    name;
    bool           named;              /* the header has a name for it */
    size_t         type;
    size_t         filled;
    judge_tally_t  kinds[JUDGE_VALUE_KINDS];
    judge_tally_t  marks[JUDGE_COLUMN_MARKS];
    judge_tally_t  again;              /* values that were there before */
    size_t         distinct;
    size_t         single;             /* of one word */
    size_t         bytes;
    size_t         words;
    double         scores[JUDGE_COLUMN_FIELDS];  /* 0: below the threshold */
    int            field;              /* negative: none */
    double         confidence;
    const judge_column_stat_t  *rival; /* may hold the same; NULL: none */
};

typedef struct {
    judge_arena_t        *arena;
    judge_csv_sniff_t     sniff;
    judge_value_types_t   types;
    judge_column_stat_t  *columns;
    size_t                ncolumns;
    judge_table_row_t    *rows;        /* those that are looked at */
    judge_table_row_t    *last;
    size_t                nrows;
    uint64_t              total;       /* rows, also those not looked at */
    judge_tally_t         broken;
    double                longest;     /* bytes of a value, in the mean, of the
                                          column where it is most */
} judge_table_t;

judge_rc_e judge_table_read(judge_table_t *table, judge_str_t sample,
    judge_str_t *error);

/* `n` by the cells that are filled: a share, a mean; 0 where none is. */
static inline double
judge_column_share(const judge_column_stat_t *column, size_t n)
{
    return (column->filled == 0) ? 0 : (double) n / (double) column->filled;
}


/* names_table.txt */
typedef struct {
    const char  *name;                 /* a word in lower case */
    double       scores[JUDGE_COLUMN_FIELDS];
} judge_column_name_t;

extern const judge_column_name_t  judge_column_names[];
extern const size_t  judge_column_names_n;
extern const char *const  judge_column_properties[];

/* Fills out->detected, without transformations, and out->unmapped. */
judge_rc_e judge_columns_map(const judge_table_t *table,
    const judge_columns_request_t *request, judge_columns_t *out);


#endif /* JUDGE_COLUMNS_TABLE_H */
