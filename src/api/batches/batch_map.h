/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Which column of a table becomes what of an item, and making items out of
 * rows by that.  A column is named by its header or, from 1 on, as #N.
 */


#ifndef JUDGE_BATCH_MAP_H
#define JUDGE_BATCH_MAP_H


#include "analysis/columns/columns.h"
#include "api/batches/batches.h"
#include "base/csv/csv.h"


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
} judge_batch_map_t;


/* Sets m->error to the sentence: JUDGE_INVALID, or JUDGE_NOMEM. */
judge_rc_e judge_batch_map_refuse(judge_batch_map_t *m,
    const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* By the first row, which is copied if it is a header. */
judge_rc_e judge_batch_map_find(judge_batch_map_t *m,
    const judge_csv_row_t *row, bool header);

/* max_text in bytes; what the item holds is copied to m->arena. */
judge_rc_e judge_batch_map_item(judge_batch_map_t *m,
    const judge_csv_row_t *row, size_t max_text, judge_batch_item_t *item);


#endif /* JUDGE_BATCH_MAP_H */
