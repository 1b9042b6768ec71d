/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Results of a batch as a table: a row for each evaluation, a column for each
 * name that a criterion of the batch's judges has.
 */


#ifndef JUDGE_RESULTS_CSV_H
#define JUDGE_RESULTS_CSV_H


#include "base/csv/csv_writer.h"
#include "base/json/json.h"
#include "store/store_batch.h"


typedef struct {
    judge_str_t  *names;
    size_t        count;
} judge_results_csv_columns_t;

/* The names in the criteria of some judges (JSON, as they are stored), each
 * once, in their order.  They lie in the arena. */
judge_rc_e judge_results_csv_columns(judge_arena_t *arena,
    const judge_str_t *criteria, size_t n,
    judge_results_csv_columns_t *columns);

void judge_results_csv_head(judge_csv_writer_t *w,
    const judge_results_csv_columns_t *columns);

/* The arena is for what is needed on the way. */
judge_rc_e judge_results_csv_row(judge_csv_writer_t *w, judge_arena_t *arena,
    const judge_results_csv_columns_t *columns,
    const judge_batch_result_row_t *row);


#endif /* JUDGE_RESULTS_CSV_H */
