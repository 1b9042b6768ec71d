/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Writes CSV by RFC 4180: commas separate cells, CRLF ends rows.
 */


#ifndef JUDGE_CSV_WRITER_H
#define JUDGE_CSV_WRITER_H


#include "base/core/str.h"


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


#endif /* JUDGE_CSV_WRITER_H */
