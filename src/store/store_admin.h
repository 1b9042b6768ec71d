/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Operations for whoever keeps a store running: what is wrong in it, how much
 * there is and how old it is, and what is deleted for its age.  All of any
 * organization.
 */


#ifndef JUDGE_STORE_ADMIN_H
#define JUDGE_STORE_ADMIN_H


#include "store/store.h"


/* The version of the schema that the store has. */
typedef struct {
    judge_op_t  op;
    int64_t     version;               /* out */
} judge_store_version_t;


#define JUDGE_CHECK_ROWS  50

/* What is wrong.  PAGES: broken pages, of whatever schema; CHECK: rows that
 * refer to rows that are not there, batches that count other evaluations than
 * they have. */
typedef struct {
    judge_str_t  text;
} judge_check_row_t;

typedef struct {
    judge_op_t          op;
    judge_check_row_t  *rows;          /* out: at most JUDGE_CHECK_ROWS */
    size_t              count;
} judge_store_check_t;


#define JUDGE_FILE_ROWS  500

/* The files that contents or references have, in the order of their rows. */
typedef struct {
    int64_t      at;                   /* its row's number */
    judge_str_t  path;                 /* its name in the folder of files */
} judge_file_row_t;

typedef struct {
    judge_op_t         op;
    bool               references;
    int64_t            after;          /* a row; 0: the first ones */
    judge_file_row_t  *rows;           /* out: at most JUDGE_FILE_ROWS */
    size_t             count;
} judge_file_list_t;


#define JUDGE_TABLE_ROWS  32

/* A table: rows, bytes of the database with its indexes, and when the oldest
 * and the newest row were made; 0: there is none, or it has no time. */
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
    int64_t      bytes;                /* of the contents */
    int64_t      evaluations;
    int64_t      waiting;              /* of them: have not ended */
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
 * What is too old, one organization after another and in each a window of
 * rows by their identifiers: contents with all that hangs on them, ended
 * evaluations with their results and feedback, batches and jobs of which no
 * evaluation is left, and feedback.  Kept are contents of evaluations that
 * have not ended, and evaluations of batches that have not.
 */
typedef struct {
    judge_op_t            op;
    judge_id_t            from;        /* the organization to go on with: this
                                          one, or empty: the first */
    bool                  skip;        /* or the one behind it */
    judge_id_t            after;       /* in it; empty: from the first row */
    judge_id_t            until;       /* judge_id_bound() of `before` */
    judge_ms_t            before;
    judge_ms_t            now;
    int64_t               limit;       /* rows looked at */
    judge_str_t           at;          /* out: the organization; absent: there
                                          is none more */
    judge_str_t           last;        /* out: the last row looked at */
    int64_t               looked;      /* out */
    int64_t               gone;        /* out: rows deleted */
    judge_batch_deltas_t  batches;
} judge_old_t;


#endif /* JUDGE_STORE_ADMIN_H */
