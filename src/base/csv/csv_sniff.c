/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Detects the dialect of a table after van den Burg, Nazábal and Sutton
 * ("Wrangling messy CSV files by detecting row and type patterns", 2019): with
 * the right dialect rows have the same length and cells no delimiters. */


#include <string.h>

#include "base/csv/csv.h"


#define JUDGE_SNIFF_BYTES    65536
#define JUDGE_SNIFF_ROWS     200
#define JUDGE_SNIFF_COLUMNS  255       /* longer rows count as this */
#define JUDGE_SNIFF_WIDE     64        /* columns that vote on the header */
#define JUDGE_SNIFF_TOP      16        /* rows that may precede the header */

typedef struct {
    unsigned  typed;                   /* numbers, dates, addresses */
    unsigned  filled;
    unsigned  same;                    /* as in the first row */
    size_t    bytes;
} judge_sniff_column_t;

typedef struct {
    judge_csv_dialect_t   dialect;
    judge_csv_sniff_t    *out;
    size_t                rows;
    size_t                cells;
    double                clean;
    size_t                strays;
    size_t                quoted;      /* cells in single quotes */
    size_t                width[JUDGE_SNIFF_COLUMNS + 1];
    size_t                top[JUDGE_SNIFF_TOP]; /* fields of the first rows */
    bool                  unclosed;
} judge_sniff_t;

typedef struct {
    judge_arena_t         *arena;
    judge_value_types_t    types;
    judge_str_t            first[JUDGE_SNIFF_WIDE];
    size_t                 nfirst;
    size_t                 rows;
    judge_sniff_column_t   columns[JUDGE_SNIFF_WIDE];
} judge_sniff_header_t;


/* Whether the cell contains the delimiter of another dialect. */

static bool
judge_sniff_other(const judge_sniff_t *s, judge_str_t cell, char delimiter)
{
    return s->dialect.delimiter != delimiter
           && memchr(cell.data, delimiter, cell.len) != NULL;
}


static judge_rc_e
judge_sniff_row(void *data, const judge_csv_row_t *row)
{
    size_t          i, n;
    judge_str_t     cell;
    judge_sniff_t  *s;

    s = data;

    if (s->rows == JUDGE_SNIFF_ROWS) {
        return JUDGE_DENIED;           /* stops the reader */
    }

    /* ignore the last row of a sample, which may be truncated */

    if ((row->flags & JUDGE_CSV_LAST) != 0 && s->rows > 1) {
        s->unclosed = (row->flags & JUDGE_CSV_UNCLOSED) != 0;
        return JUDGE_OK;
    }

    n = (row->nfields < JUDGE_SNIFF_COLUMNS) ? row->nfields
                                             : JUDGE_SNIFF_COLUMNS;
    s->width[n]++;

    /* a row of empty fields can't be the header */

    for (i = 0; i < row->nfields && row->fields[i].len == 0; i++) {
        /* void */
    }

    if (s->rows < JUDGE_SNIFF_TOP) {
        s->top[s->rows] = (i < row->nfields) ? n : 0;
    }

    s->rows++;
    s->strays += (row->flags & (JUDGE_CSV_STRAY | JUDGE_CSV_UNCLOSED)) != 0;

    for (i = 0; i < row->nfields; i++) {
        cell = row->fields[i];
        s->cells++;
        s->clean += 1;

        if (cell.len == 0) {
            continue;
        }

        if (cell.data[0] == ' ' || cell.data[cell.len - 1] == ' ') {
            s->clean -= 0.4;
        }

        if (memchr(cell.data, '\n', cell.len) == NULL
            && (judge_sniff_other(s, cell, ';')
                || judge_sniff_other(s, cell, '\t')
                || judge_sniff_other(s, cell, '|')))
        {
            s->clean -= 0.2;
        }

        s->quoted += cell.len > 1 && cell.data[0] == '\''
                     && cell.data[cell.len - 1] == '\'';
    }

    return JUDGE_OK;
}


/* Reads the rows of a sample with one dialect. */

static judge_rc_e
judge_sniff_read(judge_str_t sample, const judge_csv_dialect_t *dialect,
    judge_csv_row_pt handler, void *data, judge_csv_dialect_t *used)
{
    judge_rc_e           rc;
    judge_csv_t         *csv;
    judge_csv_limits_t   limits = { .columns = JUDGE_SNIFF_BYTES };

    csv = judge_csv_create(dialect, &limits, handler, data);
    if (csv == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_csv_feed(csv, sample);
    if (rc == JUDGE_OK) {
        rc = judge_csv_finish(csv);
    }

    if (used != NULL) {
        *used = judge_csv_dialect(csv);
    }

    judge_csv_free(csv);

    /* other errors: the handler has enough rows, or a row is too long */

    return (rc == JUDGE_NOMEM) ? rc : JUDGE_OK;
}


static size_t
judge_sniff_mode(const judge_sniff_t *s)
{
    size_t  i, mode;

    mode = 1;

    for (i = 2; i <= JUDGE_SNIFF_COLUMNS; i++) {
        if (s->width[i] > s->width[mode]
            || (s->width[i] == s->width[mode] && s->width[i] > 0))
        {
            mode = i;
        }
    }

    return mode;
}


/* Reports have titles and dates above the table.  Counts the rows before the
 * first one that has as many fields as most rows. */

static unsigned
judge_sniff_skip(const judge_sniff_t *s, size_t columns)
{
    unsigned  i;

    for (i = 0; i < JUDGE_SNIFF_TOP && columns >= 3 && i + 3 <= s->rows; i++) {
        if (s->top[i] == columns) {
            return i;
        }
    }

    return 0;
}


static double
judge_sniff_score(const judge_sniff_t *s, size_t mode)
{
    double  share, clean, score;

    if (s->rows == 0 || mode < 2) {
        return 0;
    }

    share = (double) s->width[mode] / (double) s->rows;
    clean = s->clean / (double) s->cells;

    /* sentences with commas would be a table of two uneven columns */

    if (share < 0.5 || (clean < 0.75 && share < 0.95)
        || (mode == 2 && s->top[0] == 1))
    {
        return 0;
    }

    score = share * clean * (0.8 + 0.2 * (double) (mode - 1) / (double) mode);

    return score * (1 - 0.5 * (double) s->strays / (double) s->rows)
           * (s->unclosed ? 0.8 : 1);
}


static bool
judge_sniff_has(judge_str_t s, char a, char b)
{
    const char  pair[2] = { a, b };

    return judge_str_find(s, (judge_str_t) { 2, pair }) != NULL;
}


static judge_rc_e
judge_sniff_try(judge_str_t sample, const judge_csv_dialect_t *dialect,
    judge_csv_sniff_t *best, double *best_score)
{
    size_t               mode;
    double               score;
    judge_rc_e           rc;
    judge_sniff_t        s;
    judge_csv_dialect_t  used;

    memset(&s, 0, sizeof(judge_sniff_t));
    s.dialect = *dialect;

    rc = judge_sniff_read(sample, dialect, judge_sniff_row, &s, &used);
    if (rc != JUDGE_OK) {
        return rc;
    }

    mode = judge_sniff_mode(&s);
    score = judge_sniff_score(&s, mode);

    if (used.delimiter != dialect->delimiter) {
        /* a "sep=" line is trusted even if rows are uneven */
        score += (score == 0) ? 0.3 : 0;
    }

    /* if many cells are in single quotes, these are the table's quotes */

    if (dialect->quote == '\'' && score > 0) {
        score *= 1.05;
    }

    if (dialect->quote == '"' && s.quoted * 4 > s.cells) {
        score *= 0.8;
    }

    if (score > *best_score + 1e-9) {
        *best_score = score;
        best->dialect = used;
        best->dialect.skip_rows = judge_sniff_skip(&s, mode);
        best->columns = mode;
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_sniff_dialects(judge_str_t sample, judge_csv_sniff_t *out)
{
    char                 quote;
    double               score;
    size_t               i;
    judge_rc_e           rc;
    judge_csv_dialect_t  dialect;
    static const char  delimiters[] = ",;\t|,;\t|";

    score = 0;

    for (i = 0; i < 8; i++) {
        quote = (i < 4) ? '"' : '\'';

        if (quote == '\'' && (sample.len == 0
            || (sample.data[0] != '\'' && !judge_sniff_has(sample, '\n', '\'')
                && !judge_sniff_has(sample, ',', '\'')
                && !judge_sniff_has(sample, ';', '\''))))
        {
            break;
        }

        dialect = (judge_csv_dialect_t) { .delimiter = delimiters[i],
                                          .quote = quote, .spaces = true };

        rc = judge_sniff_try(sample, &dialect, out, &score);

        if (rc == JUDGE_OK && judge_sniff_has(sample, '\\', quote)) {
            dialect.escape = '\\';
            rc = judge_sniff_try(sample, &dialect, out, &score);
        }

        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    out->confidence = (score < 1) ? score : 1;

    return JUDGE_OK;
}


/* Whether any word of the cell, such as "review_text", is usual in headers. */

static bool
judge_sniff_named(judge_str_t cell)
{
    char         c;
    size_t       i, start;
    judge_str_t  word;

    for (i = 0, start = 0; i <= cell.len; i++) {
        c = (i < cell.len) ? cell.data[i] : ' ';

        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z' && (i == start
            || (cell.data[i - 1] >= 'A' && cell.data[i - 1] <= 'Z'))))
        {
            continue;
        }

        word = (judge_str_t) { i - start, cell.data + start };
        start = (c >= 'A' && c <= 'Z') ? i : i + 1;

        if (judge_str_caseamong(word, judge_csv_sniff_names)) {
            return true;
        }
    }

    return false;
}


static bool
judge_sniff_typed(const judge_sniff_header_t *h, judge_str_t cell)
{
    unsigned            flags;
    judge_value_type_e  kind;

    kind = judge_value_type_of(&h->types, cell, &flags);

    return kind != JUDGE_VALUE_TEXT && kind != JUDGE_VALUE_MISSING;
}


static judge_rc_e
judge_sniff_header_row(void *data, const judge_csv_row_t *row)
{
    size_t                 i;
    judge_str_t            cell;
    judge_sniff_header_t  *h;

    h = data;

    if (h->rows == JUDGE_SNIFF_ROWS) {
        return JUDGE_DENIED;
    }

    for (i = 0; i < row->nfields && i < JUDGE_SNIFF_WIDE; i++) {
        cell = judge_value_type_trim(row->fields[i]);

        if (h->rows == 0) {
            h->first[i] = judge_str_dup(h->arena, cell);

            if (h->first[i].data == NULL) {
                return JUDGE_NOMEM;
            }

            h->nfirst = i + 1;

        } else if (i < h->nfirst && cell.len > 0) {
            h->columns[i].filled++;
            h->columns[i].bytes += cell.len;
            h->columns[i].typed += judge_sniff_typed(h, cell);
            h->columns[i].same += judge_str_eq(cell, h->first[i]);
        }
    }

    h->rows++;

    return JUDGE_OK;
}


/* The result is positive if the first row is a header.  The sum begins above
 * 0, because most tables have a header, in any language.  Numbers and dates in
 * the first row count against it, and so do cells longer than those below. */

static double
judge_sniff_votes(const judge_sniff_header_t *h)
{
    size_t                       i, k;
    double                       votes;
    judge_str_t                  cell;
    const judge_sniff_column_t  *column;

    votes = 0.75;

    for (i = 0; i < h->nfirst; i++) {
        cell = h->first[i];
        column = &h->columns[i];

        if (cell.len == 0) {
            votes -= 0.25;
            continue;
        }

        if (judge_sniff_typed(h, cell)) {
            votes -= 3;
            continue;
        }

        if (cell.len > 60
            || (cell.len > 30
                && cell.len * column->filled * 2 > column->bytes * 3))
        {
            votes -= 1.5;

        } else if (judge_sniff_named(cell)) {
            votes += (cell.len <= 30) ? 1.5 : 0.25;
        }

        if (column->filled > 0) {
            if (column->typed * 10 >= column->filled * 8) {
                votes += 2;

            } else if (column->bytes > (cell.len * 2 + 16) * column->filled) {
                votes += 1;
            }

            votes -= (column->same > 0) ? 1.5 : 0;
        }

        for (k = 0; k < i; k++) {
            votes -= judge_str_caseeq(cell, h->first[k]) ? 0.5 : 0;
        }
    }

    return votes;
}


static judge_rc_e
judge_sniff_header(judge_str_t sample, judge_csv_sniff_t *out)
{
    judge_rc_e            rc;
    judge_sniff_header_t  h;

    memset(&h, 0, sizeof(judge_sniff_header_t));

    h.arena = judge_arena_create(4096);
    if (h.arena == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_value_types_init(&h.types, h.arena);

    if (rc == JUDGE_OK) {
        rc = judge_sniff_read(sample, &out->dialect, judge_sniff_header_row,
                              &h, NULL);
    }

    if (rc == JUDGE_OK && h.nfirst > 0) {
        out->dialect.header = judge_sniff_votes(&h) > 0;
    }

    judge_arena_destroy(h.arena);

    return rc;
}


judge_rc_e
judge_csv_sniff(judge_str_t sample, judge_csv_sniff_t *out)
{
    judge_rc_e  rc;

    memset(out, 0, sizeof(judge_csv_sniff_t));

    if (sample.len > JUDGE_SNIFF_BYTES) {
        sample.len = JUDGE_SNIFF_BYTES;
    }

    rc = judge_sniff_dialects(sample, out);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (out->columns == 0) {
        /* the table has one column: commas are part of the text */
        out->columns = 1;
        out->dialect = (judge_csv_dialect_t) {
            .quote = '"', .spaces = true
        };
    }

    return judge_sniff_header(sample, out);
}
