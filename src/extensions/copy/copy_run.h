/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A run of a copy, for the files of this folder only: its statements, and the
 * layout of both stores' tables. */


#ifndef JUDGE_COPY_RUN_H
#define JUDGE_COPY_RUN_H


#include "extensions/copy/copy.h"
#include "store/store_open.h"


#define JUDGE_COPY_COLUMNS  64
#define JUDGE_COPY_KEYS     6

typedef struct {
    judge_str_t  name;
    char         type;                 /* as for prepare() in driver.h */
    bool         key;                  /* part of the target's key */
} judge_copy_column_t;

typedef struct {
    judge_copy_table_t  *counted;
    judge_copy_column_t  columns[JUDGE_COPY_COLUMNS + 1];
    size_t               n;
    size_t               keys[2][JUDGE_COPY_KEYS];  /* of each side: indexes
                                                       of columns, ordered */
    size_t               nkeys[2];
    bool                 scoped;       /* has a column "org" */
    bool                 shared;       /* only an organization is copied, and
                                          the target's key is without it: that
                                          of another one may be the same */
    bool                 copied;
    bool                 numbered;     /* has no key, but row numbers, which
                                          differ between the stores */
} judge_copy_layout_t;

typedef struct {
    const judge_driver_t  *driver;
    judge_connection_t    *c;
} judge_copy_side_t;

/* A page has the rows of one side whose key is greater than `last`. */
typedef struct {
    judge_copy_t          *copy;
    judge_arena_t         *arena;
    judge_copy_side_t      sides[2];
    judge_copy_layout_t   *table;
    judge_statement_t     *insert;     /* NULL: only read */
    struct {
        int64_t      number;
        judge_str_t  text;
    }                      last[JUDGE_COPY_KEYS];
} judge_copy_run_t;


/* Sets the sentence of the error, and returns rc. */
judge_rc_e judge_copy_fail(judge_copy_run_t *run, unsigned side,
    judge_rc_e rc);

/* Prepares a statement with "?" for its parameters, in their order. */
judge_rc_e judge_copy_prepare(judge_copy_run_t *run, unsigned side,
    judge_buf_t *sql, const char *types, judge_statement_t **st);

/* Reads the schema of a side into `tables`, a judge_copy_layout_t each.
 * Columns have the types of the side that is read first, of PostgreSQL if
 * there is one; the keys of both sides may differ. */
judge_rc_e judge_copy_read(judge_copy_run_t *run, unsigned side,
    judge_buf_t *tables);


#endif /* JUDGE_COPY_RUN_H */
