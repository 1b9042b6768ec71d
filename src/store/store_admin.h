/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Operations for administrators of a store: consistency checks, sizes and ages
 * of tables, and the deletion of old rows.  All are "any org". */


#ifndef JUDGE_STORE_ADMIN_H
#define JUDGE_STORE_ADMIN_H


#include "store/store.h"


/* The version of the schema that the store has. */
typedef struct {
    judge_op_t  op;
    int64_t     version;               /* out */
} judge_store_version_t;


#define JUDGE_CHECK_ROWS  50

/* JUDGE_OP_STORE_PAGES finds corrupt pages, with any schema; _CHECK finds rows
 * that refer to missing rows, and batches whose counts are wrong. */
typedef struct {
    judge_str_t  text;
} judge_check_row_t;

typedef struct {
    judge_op_t          op;
    judge_check_row_t  *rows;          /* out: at most JUDGE_CHECK_ROWS */
    size_t              count;
} judge_store_check_t;


#define JUDGE_FILE_ROWS  500

/* The files of contents or references, in the order of their rows. */
typedef struct {
    int64_t      rowid;                /* number of its row */
    judge_str_t  path;                 /* its name in the directory */
} judge_file_row_t;

typedef struct {
    judge_op_t         op;
    bool               references;
    int64_t            after;          /* number of a row; 0: from the first */
    judge_file_row_t  *rows;           /* out: at most JUDGE_FILE_ROWS */
    size_t             count;
} judge_file_list_t;


#define JUDGE_TABLE_ROWS  32

/* A table: its rows, its bytes with all indexes, and the times of its oldest
 * and newest row; 0: it has no rows, or no times. */
typedef struct {
    judge_str_t  name;
    int64_t      rows;
    int64_t      bytes;
    judge_ms_t   oldest;
    judge_ms_t   newest;
} judge_table_row_t;

typedef struct {
    judge_op_t          op;
    judge_table_row_t  *rows;          /* out */
    size_t              count;
} judge_table_stats_t;

#define JUDGE_ORG_STATS  100000

typedef struct {
    judge_str_t  id;
    judge_str_t  name;
    int64_t      judges;
    int64_t      contents;
    int64_t      bytes;                /* sum of the contents */
    int64_t      evaluations;
    int64_t      waiting;              /* those that have not ended */
    int64_t      feedback;
    int64_t      deliveries;
    judge_ms_t   oldest;               /* content; 0: there is none */
} judge_org_stats_row_t;

typedef struct {
    judge_op_t              op;
    judge_org_stats_row_t  *rows;      /* out: at most JUDGE_ORG_STATS */
    size_t                  count;
} judge_org_stats_t;


/*
 * Deletes old rows, one organization after the other, and within it a window
 * of rows by their identifiers: contents with all that belongs to them, ended
 * evaluations with their results and feedback, batches and jobs without
 * evaluations, and feedback.  It does not delete contents of evaluations that
 * have not ended, or evaluations of batches that have not ended.
 */
typedef struct {
    judge_op_t            op;
    judge_id_t            from;        /* organization to continue with; empty:
                                          the first one */
    bool                  skip;        /* with the organization after that */
    judge_id_t            after;       /* last row examined; empty: none */
    judge_id_t            until;       /* judge_id_bound() of `before` */
    judge_ms_t            before;
    judge_ms_t            now;
    int64_t               limit;       /* rows to examine */
    judge_str_t           org_id;      /* out: the organization; absent: no
                                          more */
    judge_str_t           last;        /* out: the last row examined */
    int64_t               looked;      /* out: rows examined */
    int64_t               gone;        /* out: rows deleted */
    judge_batch_delta_t  *batches;
} judge_old_t;

/* Deletes older rows, at most `limit` of each kind. */
typedef struct {                       /* any org */
    judge_op_t  op;
    judge_ms_t  keys_before;
    judge_ms_t  logs_before;
    judge_ms_t  deliveries_before;
    judge_ms_t  audit_before;          /* 0: none is too old */
    int64_t     limit;
    int64_t     gone[JUDGE_PURGE_COUNT];         /* out: rows deleted */
} judge_purge_t;


#endif /* JUDGE_STORE_ADMIN_H */
