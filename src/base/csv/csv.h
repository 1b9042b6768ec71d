/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* CSV: RFC 4180 and the dialects that spreadsheets write.  The reader parses
 * bytes as they arrive, and has only one row in memory. */


#ifndef JUDGE_CSV_H
#define JUDGE_CSV_H


#include "base/core/str.h"
#include "base/text/regex.h"


#define JUDGE_CSV_FIELD_MAX    (1u << 20)      /* bytes */
#define JUDGE_CSV_ROW_MAX      (4u << 20)
#define JUDGE_CSV_COLUMNS_MAX  1000

typedef struct {
    char      delimiter;               /* ',' ';' '\t' '|'; 0: none, each
                                          line is a cell */
    char      quote;                   /* '"' or '\''; 0: none */
    char      escape;                  /* '\\': escapes a quote; 0: quotes
                                          are doubled */
    bool      spaces;                  /* ignores spaces before a quote */
    bool      header;                  /* the first row has the names */
    unsigned  skip_rows;               /* rows before the header */
} judge_csv_dialect_t;

typedef struct {
    size_t  field_bytes;               /* 0 means JUDGE_CSV_FIELD_MAX etc. */
    size_t  row_bytes;
    size_t  columns;
} judge_csv_limits_t;

#define JUDGE_CSV_UNEVEN    0x1        /* not as many fields as row 1 */
#define JUDGE_CSV_STRAY     0x2        /* a quote at a wrong place */
#define JUDGE_CSV_UNCLOSED  0x4        /* the input ended between quotes */
#define JUDGE_CSV_LAST      0x8        /* the input ended in this row, which
                                          may be truncated */

typedef struct {
    judge_str_t  *fields;              /* valid until the handler returns;
                                          data is never NULL */
    size_t        nfields;             /* at least 1 */
    uint64_t      number;              /* from 1; empty lines below the first
                                          row count, skipped rows do not */
    uint64_t      line;                /* where the row begins, from 1 */
    unsigned      flags;               /* JUDGE_CSV_ */
} judge_csv_row_t;

/* The reader stops at, and returns, any result other than JUDGE_OK. */
typedef judge_rc_e (*judge_csv_row_pt)(void *data, const judge_csv_row_t *row);


/*
 * The reader.  Rows end with LF, CRLF or CR; a byte order mark and a line
 * "sep=;" at the beginning are skipped (the latter overrides the dialect's
 * delimiter), and so are empty lines.  The handler gets malformed rows, too,
 * with a flag, and decides what to do with them.  The encoding is not checked.
 * limits may be NULL.  Returns NULL if memory is exhausted.
 */

typedef struct judge_csv  judge_csv_t;

judge_csv_t *judge_csv_create(const judge_csv_dialect_t *dialect,
    const judge_csv_limits_t *limits, judge_csv_row_pt handler, void *data);

/* JUDGE_INVALID: a limit is exceeded; error() names the limit and the line.
 * After an error, also one of the handler, all calls return that error. */
judge_rc_e judge_csv_feed(judge_csv_t *csv, judge_str_t bytes);
judge_rc_e judge_csv_finish(judge_csv_t *csv);
judge_str_t judge_csv_error(const judge_csv_t *csv);     /* absent: no error */
judge_csv_dialect_t judge_csv_dialect(const judge_csv_t *csv);
void judge_csv_free(judge_csv_t *csv);                   /* NULL is allowed */


/*
 * Detects the dialect of a table by its beginning, in UTF-8, of which at most
 * 64 KiB and 200 rows are used.  Every delimiter and quote is tried; the best
 * ones give rows of the same length, and cells without other delimiters.
 * confidence is 0 to 1; 1 column means that no delimiter was found.
 */

typedef struct {
    judge_csv_dialect_t  dialect;
    size_t               columns;      /* of most rows */
    double               confidence;
} judge_csv_sniff_t;

/* JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_csv_sniff(judge_str_t sample, judge_csv_sniff_t *out);


/* --- Writing ------------------------------------------------------------- */

/*
 * Writes CSV by RFC 4180: commas separate cells, CRLF ends rows.
 */

typedef struct {
    judge_buf_t  *buf;
    bool          inside;              /* the row has a cell already */
} judge_csv_writer_t;

void judge_csv_begin(judge_csv_writer_t *w, judge_buf_t *buf);

/*
 * Writes a cell of text, which is empty if s is absent.  A spreadsheet might
 * run a text that begins with = + - @, their full-width forms or a control
 * character as a formula; therefore it gets an apostrophe before it, by which
 * spreadsheets mark a text, and which they don't show.
 */
void judge_csv_text(judge_csv_writer_t *w, judge_str_t s);

/* Writes text of the service itself, such as a number, without a check. */
void judge_csv_plain(judge_csv_writer_t *w, judge_str_t s);
void judge_csv_number2(judge_csv_writer_t *w, double v);  /* "87.5" */

void judge_csv_row_end(judge_csv_writer_t *w);


/* --- Values of cells ----------------------------------------------------- */

/* The form of a table's cell: whether it is a number, a date and so on. */

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
extern const char *const  judge_csv_sniff_names[];

#define JUDGE_VALUE_FORMS    6

/* Expressions that one thread uses at a time. */
typedef struct {
    judge_regex_t  *forms[JUDGE_VALUE_FORMS];
} judge_value_types_t;

judge_rc_e judge_value_types_init(judge_value_types_t *types,
    judge_arena_t *arena);

/* Sets *flags to JUDGE_VALUE_ bits, in time linear in the cell's length. */
judge_value_type_e judge_value_type_of(const judge_value_types_t *types,
    judge_str_t cell, unsigned *flags);
bool judge_value_type_email(judge_str_t s);

/* Removes white space around the cell. */
judge_str_t judge_value_type_trim(judge_str_t cell);


#endif /* JUDGE_CSV_H */
