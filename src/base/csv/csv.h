/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* CSV: RFC 4180 and the dialects that spreadsheets write.  The reader parses
 * bytes as they arrive, and has only one row in memory. */


#ifndef JUDGE_CSV_H
#define JUDGE_CSV_H


#include "base/core/str.h"


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
    uint64_t      number;              /* from 1; skipped rows and empty lines
                                          do not count */
    uint64_t      line;                /* where the row begins, from 1 */
    unsigned      flags;               /* JUDGE_CSV_ */
} judge_csv_row_t;

/* The reader stops at, and returns, any result other than JUDGE_OK. */
typedef judge_rc_e (*judge_csv_row_pt)(void *data,
    const judge_csv_row_t *row);


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


#endif /* JUDGE_CSV_H */
