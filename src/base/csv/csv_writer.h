/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Writing CSV by RFC 4180: cells are separated by commas, rows end with CRLF.
 */


#ifndef JUDGE_CSV_WRITER_H
#define JUDGE_CSV_WRITER_H


#include "base/core/str.h"


typedef struct {
    judge_buf_t  *buf;
    bool          inside;              /* of a row */
} judge_csv_writer_t;

void judge_csv_begin(judge_csv_writer_t *w, judge_buf_t *buf);

/*
 * A cell of text; an absent one is empty.  A text that a spreadsheet would
 * take for a formula (it begins with = + - @ or their full-width forms, or
 * with a control character) gets an apostrophe in front, which spreadsheets
 * show as nothing and do not compute.
 */
void judge_csv_text(judge_csv_writer_t *w, judge_str_t s);

/* A cell that the service itself has made, such as a number. */
void judge_csv_plain(judge_csv_writer_t *w, judge_str_t s);
void judge_csv_number2(judge_csv_writer_t *w, double v);  /* two decimals */

void judge_csv_row_end(judge_csv_writer_t *w);


#endif /* JUDGE_CSV_WRITER_H */
