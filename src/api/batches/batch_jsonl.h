/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Reads lines of JSON objects as rows of a table.  The members of the first
 * object are the columns.  A string is a cell as it is, and another value is a
 * cell with its JSON.  The cell is empty if the line has null or no such
 * member. */


#ifndef JUDGE_BATCH_JSONL_H
#define JUDGE_BATCH_JSONL_H


#include "base/csv/csv.h"
#include "base/json/json.h"


typedef struct {
    judge_arena_t     *arena;          /* of the names, and the error */
    judge_csv_row_pt   handler;        /* called with the names first */
    void              *data;

    judge_str_t        error;          /* sentence for JUDGE_INVALID; absent:
                                          the handler has its own */
    judge_str_t       *names;          /* private, as all below */
    size_t             nnames;
    size_t             scanned;        /* bytes without the end of a line */
    uint64_t           lines;
} judge_batch_jsonl_t;

/* Reads the complete lines of the text, or with `all` the last one, too, and
 * removes them from it.  Any thread. */
judge_rc_e judge_batch_jsonl_feed(judge_batch_jsonl_t *j, judge_buf_t *text,
    bool all);


#endif /* JUDGE_BATCH_JSONL_H */
