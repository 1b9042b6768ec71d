/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The mapping from the columns of a table to the fields of a batch item.  A
 * column is named by its header or as #N, counted from 1.  If columns are
 * named as systems, a row has a text of each system. */


#ifndef JUDGE_BATCH_MAP_H
#define JUDGE_BATCH_MAP_H


#include "base/csv/csv.h"
#include "base/json/json.h"
#include "analysis/columns/columns.h"
#include "api/batches/batches.h"


#define JUDGE_BATCH_SYSTEMS_LEAST  2
#define JUDGE_BATCH_SYSTEMS_MAX    16
#define JUDGE_BATCH_TIE            "tie"         /* can't be a system's name */
#define JUDGE_BATCH_SYSTEM_NAME    100 /* characters */
#define JUDGE_BATCH_EMPTY_NAMED    20          /* empty rows that are listed */

/* Columns that become members of the metadata: the source of the texts, the
 * name of the system that people prefer, or "tie", the question that the texts
 * answer, and a reference text. */
#define JUDGE_COLUMN_SOURCE     0
#define JUDGE_COLUMN_PREFERRED  1
#define JUDGE_COLUMN_QUESTION   2
#define JUDGE_COLUMN_REFERENCE  3
#define JUDGE_COLUMN_ADDED      4

/* A column that becomes a member of the metadata. */
typedef struct {
    judge_str_t  key;
    size_t       column;
} judge_column_member_t;

typedef struct {
    judge_arena_t          *arena;
    judge_str_t             error;     /* sentence for JUDGE_INVALID */

    judge_str_t             wanted[JUDGE_COLUMN_FIELDS];  /* columns' names, or
                                          absent; metadata: a comma list */

    judge_str_t             added[JUDGE_COLUMN_ADDED];   /* likewise */
    judge_str_t             wanted_systems;    /* a comma list; or absent */
    bool                    empty_fails;       /* an empty text is an item
                                          whose evaluations fail */
    size_t                  nempty;
    uint64_t                empty[JUDGE_BATCH_EMPTY_NAMED];    /* rows */
    size_t                  nnamed;    /* rows in empty[] */

    judge_str_t             systems[JUDGE_BATCH_SYSTEMS_MAX];
    size_t                  texts[JUDGE_BATCH_SYSTEMS_MAX];  /* columns */
    size_t                  nsystems;
    judge_str_t             system;    /* of the item's text; or absent */
    size_t                  columns[JUDGE_COLUMN_FIELDS];
    size_t                  preferred;
    judge_column_member_t  *members;
    size_t                  nmembers;
    judge_str_t            *names;     /* NULL: there is no header */
    size_t                  nnames;
} judge_batch_map_t;


/* Sets m->error and returns JUDGE_INVALID, or JUDGE_NOMEM. */
judge_rc_e judge_batch_map_refuse(judge_batch_map_t *m,
    const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Finds the columns by the first row, which is copied if it is a header. */
judge_rc_e judge_batch_map_find(judge_batch_map_t *m,
    const judge_csv_row_t *row, bool header);

/* Makes an item of a row; its strings are copied to m->arena.  The text may
 * have max_text bytes. */
judge_rc_e judge_batch_map_item(judge_batch_map_t *m,
    const judge_csv_row_t *row, size_t max_text, judge_batch_item_t *item);

/* Removes the next part of a list that is separated by commas. */
judge_str_t judge_batch_map_part(judge_str_t *rest);


/* --- Rows as JSON -------------------------------------------------------- */

/* Bytes of a line that is read on the event loop. */
#define JUDGE_BATCH_JSONL_SHORT  65536

typedef struct {
    judge_str_t  name;
    size_t       column;
} judge_batch_place_t;

/* Reads lines of JSON objects as rows of a table.  The members of the first
 * object are the columns.  A string is a cell as it is, and another value is a
 * cell with its JSON.  The cell is empty if the line has null or no such
 * member. */

typedef struct {
    judge_arena_t     *arena;          /* of the names, and the error */
    judge_csv_row_pt   handler;        /* called with the names first */
    void              *data;

    judge_str_t        error;          /* sentence for JUDGE_INVALID; absent:
                                          the handler has its own */
    judge_str_t       *names;          /* private, as all below */
    size_t             nnames;
    judge_batch_place_t *places;       /* of the names, sorted by these */
    size_t             scanned;        /* bytes without the end of a line */
    bool               later;          /* the next line is not short */
    uint64_t           lines;
} judge_batch_jsonl_t;

/* Reads the complete lines of the text up to one that is not short, and
 * removes them from it.  `all` reads all lines, also the last, and belongs in
 * a thread. */
judge_rc_e judge_batch_jsonl_feed(judge_batch_jsonl_t *j, judge_buf_t *text,
    bool all);


#endif /* JUDGE_BATCH_MAP_H */
