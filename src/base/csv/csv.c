/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The CSV reader.  One buffer has the bytes of all fields of a row.  Fields
 * get pointers when the row ends, because the buffer moves when it grows. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv/csv.h"


#define JUDGE_CSV_HEAD  16             /* fits a BOM and a sep= line */

typedef enum {
    JUDGE_CSV_START,                   /* at the start of a field */
    JUDGE_CSV_PLAIN,                   /* in a field without quotes */
    JUDGE_CSV_QUOTED,                  /* between quotes */
    JUDGE_CSV_ESCAPED,                 /* after the escape character */
    JUDGE_CSV_CLOSED                   /* after a quote that may close */
} judge_csv_state_e;

struct judge_csv {
    judge_csv_dialect_t  dialect;
    judge_csv_limits_t   limits;
    judge_csv_row_pt     handler;
    void                *data;
    judge_csv_state_e    state;
    judge_rc_e           rc;           /* the error that stopped parsing */

    judge_buf_t          row;
    judge_str_t         *fields;       /* point into row */
    size_t               nfields;
    size_t               fields_size;
    size_t               begin;        /* offset of this field in row */
    size_t               blank;        /* offset up to which it is known to
                                          have spaces only */
    size_t               quoted_end;   /* row.len at the last quote */

    uint64_t             line;
    uint64_t             row_line;     /* line where this row began */
    uint64_t             quote_line;   /* line of the last opening quote */
    uint64_t             number;
    uint64_t             skipped;
    size_t               columns;      /* fields of the first row */
    unsigned             flags;
    bool                 nonempty;     /* the row is not an empty line */
    bool                 after_cr;

    char                 head[JUDGE_CSV_HEAD];
    size_t               nhead;
    bool                 body;         /* the head has been read */
    char                 error[160];
};


judge_csv_t *
judge_csv_create(const judge_csv_dialect_t *dialect,
    const judge_csv_limits_t *limits, judge_csv_row_pt handler, void *data)
{
    judge_csv_t  *csv;

    csv = calloc(1, sizeof(judge_csv_t));
    if (csv == NULL) {
        return NULL;
    }

    csv->dialect = *dialect;
    csv->handler = handler;
    csv->data = data;
    csv->line = 1;
    csv->row_line = 1;

    csv->limits = (judge_csv_limits_t) {
        (limits && limits->field_bytes) ? limits->field_bytes
                                        : JUDGE_CSV_FIELD_MAX,
        (limits && limits->row_bytes) ? limits->row_bytes : JUDGE_CSV_ROW_MAX,
        (limits && limits->columns) ? limits->columns : JUDGE_CSV_COLUMNS_MAX
    };
    judge_buf_init(&csv->row, NULL);

    return csv;
}


void
judge_csv_free(judge_csv_t *csv)
{
    if (csv == NULL) {
        return;
    }

    judge_buf_free(&csv->row);
    free(csv->fields);
    free(csv);
}


judge_csv_dialect_t
judge_csv_dialect(const judge_csv_t *csv)
{
    return csv->dialect;
}


judge_str_t
judge_csv_error(const judge_csv_t *csv)
{
    if (csv->error[0] == '\0') {
        return (judge_str_t) { 0, NULL };
    }

    return judge_str_c(csv->error);
}


static judge_rc_e
judge_csv_fail(judge_csv_t *csv, judge_rc_e rc, const char *what, size_t limit)
{
    int  n;

    csv->rc = rc;

    if (rc != JUDGE_INVALID) {
        return rc;
    }

    n = snprintf(csv->error, sizeof(csv->error), "line %llu: %s %zu",
                 (unsigned long long) csv->row_line, what, limit);

    if ((csv->state == JUDGE_CSV_QUOTED || csv->state == JUDGE_CSV_ESCAPED)
        && csv->line > csv->quote_line && n > 0)
    {
        (void) snprintf(csv->error + n, sizeof(csv->error) - (size_t) n,
                        " (the quote on line %llu is not closed)",
                        (unsigned long long) csv->quote_line);
    }

    return rc;
}


static judge_rc_e
judge_csv_field(judge_csv_t *csv)
{
    size_t        size;
    judge_str_t  *fields;

    if (csv->state == JUDGE_CSV_CLOSED) {
        /* drops spaces between the quote and the delimiter */
        csv->row.len = csv->quoted_end;
    }

    if (csv->nfields == csv->limits.columns) {
        return judge_csv_fail(csv, JUDGE_INVALID,
                              "the number of columns is above",
                              csv->limits.columns);
    }

    if (csv->nfields == csv->fields_size) {
        size = csv->fields_size * 2 + 16;
        fields = realloc(csv->fields, size * sizeof(judge_str_t));
        if (fields == NULL) {
            return judge_csv_fail(csv, JUDGE_NOMEM, NULL, 0);
        }

        csv->fields = fields;
        csv->fields_size = size;
    }

    csv->fields[csv->nfields++].len = csv->row.len - csv->begin;
    csv->begin = csv->row.len;
    csv->blank = csv->begin;
    csv->state = JUDGE_CSV_START;

    return JUDGE_OK;
}


/* The handler must not keep the fields: the next row reuses their buffer. */

static judge_rc_e
judge_csv_deliver(judge_csv_t *csv)
{
    size_t            i;
    const char       *p;
    judge_csv_row_t   row;

    p = (csv->row.len == 0) ? "" : csv->row.data;

    for (i = 0; i < csv->nfields; i++) {
        csv->fields[i].data = p;
        p += csv->fields[i].len;
    }

    if (csv->columns == 0) {
        csv->columns = csv->nfields;
    }

    if (csv->columns != csv->nfields) {
        csv->flags |= JUDGE_CSV_UNEVEN;
    }

    row = (judge_csv_row_t) { csv->fields, csv->nfields, ++csv->number,
                              csv->row_line, csv->flags };
    csv->rc = csv->handler(csv->data, &row);

    return csv->rc;
}


static judge_rc_e
judge_csv_end_row(judge_csv_t *csv)
{
    judge_rc_e  rc;

    rc = JUDGE_OK;

    if (csv->nonempty) {
        rc = judge_csv_field(csv);

        if (rc == JUDGE_OK) {
            if (csv->skipped < csv->dialect.skip_rows) {
                csv->skipped++;

            } else {
                rc = judge_csv_deliver(csv);
            }
        }

    } else if (csv->number > 0) {
        csv->number++;                 /* a spreadsheet has a row for it */
    }

    csv->row.len = 0;
    csv->nfields = 0;
    csv->begin = 0;
    csv->blank = 0;
    csv->flags = 0;
    csv->nonempty = false;
    csv->state = JUDGE_CSV_START;
    csv->row_line = csv->line;

    return rc;
}


static judge_rc_e
judge_csv_append(judge_csv_t *csv, const char *p, size_t n)
{
    if (n > csv->limits.field_bytes - (csv->row.len - csv->begin)) {
        return judge_csv_fail(csv, JUDGE_INVALID,
                              "the bytes of a field are above",
                              csv->limits.field_bytes);
    }

    if (n > csv->limits.row_bytes - csv->row.len) {
        return judge_csv_fail(csv, JUDGE_INVALID,
                              "the bytes of a row are above",
                              csv->limits.row_bytes);
    }

    judge_buf_append(&csv->row, p, n);

    if (csv->row.failed) {
        return judge_csv_fail(csv, JUDGE_NOMEM, NULL, 0);
    }

    return JUDGE_OK;
}


/* Whether the field has only spaces so far and the dialect ignores these.
 * Each space is looked at once, however many quotes follow. */

static bool
judge_csv_blank(judge_csv_t *csv)
{
    while (csv->blank < csv->row.len && csv->row.data[csv->blank] == ' ') {
        csv->blank++;
    }

    return csv->dialect.spaces && csv->blank == csv->row.len;
}


static judge_rc_e
judge_csv_open_quote(judge_csv_t *csv)
{
    csv->row.len = csv->begin;
    csv->blank = csv->begin;
    csv->state = JUDGE_CSV_QUOTED;
    csv->quote_line = csv->line;
    csv->nonempty = true;

    return JUDGE_OK;
}


/* The number of leading bytes without delimiter, quote or line end. */

static size_t
judge_csv_run(const judge_csv_t *csv, const char *p, const char *end)
{
    char         c, quote, other;
    const char  *start;

    quote = csv->dialect.quote;
    other = (csv->state == JUDGE_CSV_QUOTED) ? csv->dialect.escape
                                             : csv->dialect.delimiter;

    for (start = p; p < end; p++) {
        c = *p;

        if (c == '\n' || c == '\r'
            || (c != '\0' && (c == quote || c == other)))
        {
            break;
        }
    }

    return (size_t) (p - start);
}


/* Handles a byte at which judge_csv_run() stopped, outside of quotes. */

static judge_rc_e
judge_csv_unquoted(judge_csv_t *csv, char c)
{
    if (c == '\n' || c == '\r') {
        csv->line++;
        csv->after_cr = (c == '\r');
        return judge_csv_end_row(csv);
    }

    if (c == csv->dialect.delimiter) {
        csv->nonempty = true;
        return judge_csv_field(csv);
    }

    if (csv->state == JUDGE_CSV_START) {
        return judge_csv_open_quote(csv);
    }

    if (csv->state == JUDGE_CSV_CLOSED) {
        if (csv->quoted_end == csv->row.len) {
            /* the quote is doubled */
            csv->state = JUDGE_CSV_QUOTED;
            return judge_csv_append(csv, &c, 1);
        }

        csv->state = JUDGE_CSV_PLAIN;

    } else if (judge_csv_blank(csv)) {
        return judge_csv_open_quote(csv);
    }

    /* the quote is inside a field that is not quoted */

    csv->flags |= JUDGE_CSV_STRAY;

    return judge_csv_append(csv, &c, 1);
}


/* Handles a byte at which judge_csv_run() stopped, between quotes. */

static judge_rc_e
judge_csv_quoted(judge_csv_t *csv, char c)
{
    if (c == '\n' || c == '\r') {
        csv->line++;
        csv->after_cr = (c == '\r');
        return judge_csv_append(csv, "\n", 1);
    }

    if (c == csv->dialect.quote) {
        csv->state = JUDGE_CSV_CLOSED;
        csv->quoted_end = csv->row.len;
        return JUDGE_OK;
    }

    csv->state = JUDGE_CSV_ESCAPED;

    return JUDGE_OK;
}


static judge_rc_e
judge_csv_escaped(judge_csv_t *csv, char c)
{
    judge_rc_e  rc;

    csv->state = JUDGE_CSV_QUOTED;

    if (c == csv->dialect.quote || c == csv->dialect.escape) {
        return judge_csv_append(csv, &c, 1);
    }

    /* the escape character was an ordinary one */

    rc = judge_csv_append(csv, &csv->dialect.escape, 1);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (c == '\n' || c == '\r') {
        return judge_csv_quoted(csv, c);
    }

    return judge_csv_append(csv, &c, 1);
}


/* If text follows a closing quote, the quote did not close the field. */

static judge_rc_e
judge_csv_piece(judge_csv_t *csv, const char *p, size_t n)
{
    size_t  i;

    csv->nonempty = true;

    if (csv->state == JUDGE_CSV_START) {
        csv->state = JUDGE_CSV_PLAIN;

    } else if (csv->state == JUDGE_CSV_CLOSED) {
        for (i = 0; i < n && p[i] == ' '; i++) {
            /* void */
        }

        if (i < n) {
            csv->flags |= JUDGE_CSV_STRAY;
            csv->state = JUDGE_CSV_PLAIN;
        }
    }

    return judge_csv_append(csv, p, n);
}


static judge_rc_e
judge_csv_parse(judge_csv_t *csv, const char *p, size_t len)
{
    char         c;
    size_t       n;
    const char  *end;
    judge_rc_e   rc;

    rc = JUDGE_OK;

    for (end = p + len; p < end && rc == JUDGE_OK; /* void */) {
        c = *p;

        if (csv->after_cr) {
            csv->after_cr = false;

            if (c == '\n') {
                p++;
                continue;
            }
        }

        if (csv->state == JUDGE_CSV_ESCAPED) {
            rc = judge_csv_escaped(csv, c);
            p++;
            continue;
        }

        n = judge_csv_run(csv, p, end);

        if (n > 0) {
            rc = (csv->state == JUDGE_CSV_QUOTED)
                 ? judge_csv_append(csv, p, n) : judge_csv_piece(csv, p, n);
            p += n;
            continue;
        }

        rc = (csv->state == JUDGE_CSV_QUOTED) ? judge_csv_quoted(csv, c)
                                              : judge_csv_unquoted(csv, c);
        p++;
    }

    return rc;
}


/* Skips a byte order mark and Excel's line "sep=;", which may be quoted, and
 * parses the rest of the head. */

static judge_rc_e
judge_csv_head(judge_csv_t *csv)
{
    size_t  i, n, quoted;
    char   *p;

    p = csv->head;
    n = csv->nhead;
    csv->body = true;

    if (n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
        p += 3;
        n -= 3;
    }

    quoted = (n > 0 && p[0] == '"');

    if (n >= 6 + 2 * quoted
        && judge_str_caseeq((judge_str_t) { 4, p + quoted }, JUDGE_STR("sep="))
        && (!quoted || p[6] == '"'))
    {
        i = 5 + 2 * quoted;

        if ((p[i] == '\n' || p[i] == '\r')
            && memchr(",;\t|:^~", p[4 + quoted], 7) != NULL)
        {
            csv->dialect.delimiter = p[4 + quoted];
            p += i;
            n -= i;
        }
    }

    return judge_csv_parse(csv, p, n);
}


judge_rc_e
judge_csv_feed(judge_csv_t *csv, judge_str_t bytes)
{
    size_t      n;
    judge_rc_e  rc;

    if (csv->rc != JUDGE_OK || bytes.len == 0) {
        return csv->rc;
    }

    if (!csv->body) {
        n = JUDGE_CSV_HEAD - csv->nhead;
        n = (bytes.len < n) ? bytes.len : n;

        memcpy(csv->head + csv->nhead, bytes.data, n);
        csv->nhead += n;
        bytes = judge_str_from(bytes, n);

        if (csv->nhead < JUDGE_CSV_HEAD) {
            return JUDGE_OK;
        }

        rc = judge_csv_head(csv);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return judge_csv_parse(csv, bytes.data, bytes.len);
}


judge_rc_e
judge_csv_finish(judge_csv_t *csv)
{
    judge_rc_e  rc;

    if (csv->rc != JUDGE_OK) {
        return csv->rc;
    }

    if (!csv->body) {
        rc = judge_csv_head(csv);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    if (csv->state == JUDGE_CSV_ESCAPED) {
        rc = judge_csv_append(csv, &csv->dialect.escape, 1);
        if (rc != JUDGE_OK) {
            return rc;
        }

        csv->state = JUDGE_CSV_QUOTED;
    }

    csv->flags |= JUDGE_CSV_LAST;

    if (csv->state == JUDGE_CSV_QUOTED) {
        csv->flags |= JUDGE_CSV_UNCLOSED;
    }

    return judge_csv_end_row(csv);
}
