/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Which column of a table becomes what of an item, and making items out of
 * rows by that.  A column is named by its header or, from 1 on, as #N.
 */


#ifndef JUDGE_CSV_MAPPING_H
#define JUDGE_CSV_MAPPING_H


#include "analysis/columns/columns.h"
#include "api/batches/batches.h"


#define JUDGE_COLUMN_NONE  SIZE_MAX

/* A column that becomes a member of the metadata. */
typedef struct {
    judge_str_t  key;
    size_t       column;
} judge_column_member_t;

typedef struct {
    judge_arena_t          *arena;
    judge_str_t             error;     /* the sentence, of JUDGE_INVALID */

    judge_str_t             wanted[JUDGE_COLUMN_FIELDS];  /* absent: none; of
                                          the metadata, separated by commas */

    size_t                  columns[JUDGE_COLUMN_FIELDS];
    judge_column_member_t  *members;
    size_t                  nmembers;
    judge_str_t            *names;     /* absent: no header */
    size_t                  nnames;
} judge_csv_mapping_t;


/*
 * Finds the columns by the first row, which is the header or, if `header` is
 * false, a row like the others.  JUDGE_INVALID, or JUDGE_NOMEM.
 */
judge_rc_e judge_csv_mapping_find(judge_csv_mapping_t *m,
    const judge_csv_row_t *row, bool header);

/* The item of a row, whose texts are copied into the arena; likewise. */
judge_rc_e judge_csv_mapping_item(judge_csv_mapping_t *m,
    const judge_csv_row_t *row, size_t max_text, judge_batch_item_t *item);

/* Sets the sentence; JUDGE_INVALID, or JUDGE_NOMEM. */
judge_rc_e judge_csv_mapping_refuse(judge_csv_mapping_t *m, const char *fmt,
    ...) __attribute__((format(printf, 2, 3)));


#endif /* JUDGE_CSV_MAPPING_H */
