/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Writes cells that readers read back unchanged and spreadsheets don't run. */


#include <string.h>

#include "base/csv/csv.h"
#include "base/text/number.h"


static const judge_str_t  judge_csv_formulas[] = {
    judge_str("="), judge_str("+"), judge_str("-"), judge_str("@"),
    judge_str("\xef\xbc\x9d"), judge_str("\xef\xbc\x8b"),
    judge_str("\xef\xbc\x8d"), judge_str("\xef\xbc\xa0")
};


/* Some programs remove leading spaces, which therefore don't protect. */

static bool
judge_csv_formula(judge_str_t s)
{
    size_t  i;

    s = judge_str_trim(s, " ");

    if (s.len == 0) {
        return false;
    }

    for (i = 0; i < sizeof(judge_csv_formulas) / sizeof(judge_str_t); i++) {
        if (judge_str_starts(s, judge_csv_formulas[i])) {
            return true;
        }
    }

    return (unsigned char) s.data[0] < ' ';
}


/* Some readers would drop spaces at either end if they were not quoted. */

static bool
judge_csv_needs_quotes(judge_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len; i++) {
        if (memchr(",\"\n\r\t", s.data[i], 5) != NULL) {
            return true;
        }
    }

    return s.data[0] == ' ' || s.data[s.len - 1] == ' ';
}


static void
judge_csv_cell(judge_csv_writer_t *w, judge_str_t s, bool guarded)
{
    bool         quoted;
    const char  *p, *end, *quote;

    if (w->inside) {
        judge_buf_append(w->buf, ",", 1);
    }
    w->inside = true;

    if (s.len == 0) {
        return;
    }

    quoted = judge_csv_needs_quotes(s);

    if (quoted) {
        judge_buf_append(w->buf, "\"", 1);
    }

    if (guarded) {
        judge_buf_append(w->buf, "'", 1);
    }

    end = s.data + s.len;
    for (p = s.data; (quote = memchr(p, '"', (size_t) (end - p)));
         p = quote + 1)
    {
        judge_buf_append(w->buf, p, (size_t) (quote - p) + 1);
        judge_buf_append(w->buf, "\"", 1);
    }
    judge_buf_append(w->buf, p, (size_t) (end - p));

    if (quoted) {
        judge_buf_append(w->buf, "\"", 1);
    }
}


void
judge_csv_begin(judge_csv_writer_t *w, judge_buf_t *buf)
{
    w->buf = buf;
    w->inside = false;
}


void
judge_csv_text(judge_csv_writer_t *w, judge_str_t s)
{
    judge_csv_cell(w, s, judge_csv_formula(s));
}


void
judge_csv_plain(judge_csv_writer_t *w, judge_str_t s)
{
    judge_csv_cell(w, s, false);
}


void
judge_csv_number2(judge_csv_writer_t *w, double v)
{
    char    text[JUDGE_NUMBER_LEN];
    size_t  len;

    len = judge_number2_format(v, text);
    judge_csv_cell(w, (judge_str_t) { len, text }, false);
}


void
judge_csv_row_end(judge_csv_writer_t *w)
{
    judge_buf_append(w->buf, "\r\n", 2);
    w->inside = false;
}
