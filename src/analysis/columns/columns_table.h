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


/* Texts are told apart further than clients are told. */
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
    JUDGE_TYPE_CODE,                   /* a word each, with digits */
    JUDGE_TYPE_WORD,
    JUDGE_TYPE_PHRASE,
    JUDGE_TYPE_SENTENCE,
    JUDGE_TYPE_LINE,                   /* short for a text */
    JUDGE_TYPE_LONG_TEXT,
    JUDGE_TYPES
} judge_column_type_e;

/* What a cell can be, above the bits of JUDGE_VALUE_. */
#define JUDGE_CELL_TOKEN    (1u << 16)  /* no space inside */
#define JUDGE_CELL_CODE     (1u << 17)  /* a token with a digit */
#define JUDGE_CELL_LIST     (1u << 18)  /* "a; b; c": short items */
#define JUDGE_CELL_HTML     (1u << 19)
#define JUDGE_CELL_ENTITY   (1u << 20)
#define JUDGE_CELL_FORMULA  (1u << 21)
#define JUDGE_CELL_DAMAGED  (1u << 22)  /* U+FFFD, or UTF-8 read as 1252 */
#define JUDGE_CELL_BITS     23

typedef struct judge_table_row_s  judge_table_row_t;

struct judge_table_row_s {
    judge_table_row_t  *next;
    judge_str_t        *cells;         /* of the table's columns; absent where
                                          the row has no more */
    size_t              nfields;       /* that the row has in the file */
    uint64_t            line;
    unsigned            flags;         /* JUDGE_CSV_ */
};

/* Values that come again. */
typedef struct {
    size_t                    distinct;
    size_t                    again;   /* that were there before */
    const judge_table_row_t  *first;   /* of those */
} judge_table_values_t;

typedef struct {
    judge_str_t           name;
    bool                  named;       /* the header has a name for it */
    judge_column_type_e   type;
    size_t                filled;
    size_t                kinds[JUDGE_VALUE_KINDS];
    judge_str_t           example[JUDGE_VALUE_KINDS];
    size_t                bits[JUDGE_CELL_BITS];
    size_t                bytes;
    size_t                longest;
    size_t                words;
    judge_table_values_t  values;
    size_t                folded;      /* distinct without regard to case */
} judge_column_stat_t;

typedef struct {
    judge_arena_t         *arena;
    judge_csv_sniff_t      sniff;
    judge_column_stat_t   *columns;
    size_t                 ncolumns;
    judge_table_row_t     *rows;       /* those that are looked at */
    judge_table_row_t     *last;
    size_t                 nrows;
    uint64_t               total;      /* rows, also those not looked at */
    size_t                 blank;      /* rows of empty cells, left out */
    judge_table_values_t   values;     /* of rows */
    bool                   cut;        /* the last row was cut off */
} judge_table_t;

judge_rc_e judge_table_read(judge_table_t *table, judge_str_t sample,
    judge_str_t *error);

bool judge_table_missing(judge_str_t cell);
const char *judge_column_type_name(judge_column_type_e type);

/* The kinds of values, 1u << kind, that are in their place in a column of
 * that type. */
unsigned judge_column_type_kinds(judge_column_type_e type);

/* How many of its cells have the bits, each counted. */
size_t judge_column_count(const judge_column_stat_t *column, unsigned bits);

static inline bool
judge_column_is_short(const judge_column_stat_t *column)
{
    return column->type >= JUDGE_TYPE_CODE
           && column->type <= JUDGE_TYPE_SENTENCE;
}

/* `n` by the cells that are filled: a share, a mean; 0 where none is. */
static inline double
judge_column_share(const judge_column_stat_t *column, size_t n)
{
    return (column->filled == 0) ? 0 : (double) n / (double) column->filled;
}


/* A list of sentences that grows, up to some. */

typedef struct {
    judge_arena_t  *arena;
    judge_str_t    *items;
    size_t          n;
    bool            failed;
} judge_notes_t;

void judge_notes_add(judge_notes_t *notes, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* A value to be quoted in a sentence: on one line and not long. */
const char *judge_notes_quote(judge_arena_t *arena, judge_str_t value);


/* names_table.txt */
typedef struct {
    const char  *name;                 /* words in lower case */
    double       scores[JUDGE_COLUMN_FIELDS];
} judge_column_name_t;

extern const judge_column_name_t  judge_column_names[];
extern const size_t  judge_column_names_n;
extern const char *const  judge_column_owners[];
extern const char *const  judge_column_properties[];

/* From 0 to 1; and whether the name is of something that is a usual property
 * of an item, as "author" or "date". */
double judge_column_named(judge_str_t name, judge_column_field_e field);
bool judge_column_about(judge_str_t name);


/* Fills out->detected, without transformations, and out->unmapped. */
judge_rc_e judge_columns_map(const judge_table_t *table,
    const judge_columns_request_t *request, judge_columns_t *out,
    judge_notes_t *issues);

/* The column that holds the field; NULL: none does. */
const judge_column_t *judge_columns_mapped(const judge_columns_t *out,
    judge_column_field_e field);

void judge_columns_issues(const judge_table_t *table,
    const judge_columns_request_t *request, const judge_columns_t *out,
    judge_notes_t *issues, judge_notes_t *advice);
judge_rc_e judge_columns_transform(const judge_table_t *table,
    judge_columns_t *out);


#endif /* JUDGE_COLUMNS_TABLE_H */
