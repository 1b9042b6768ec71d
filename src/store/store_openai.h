/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Evals, runs and files of OpenAI's interface, and items; part of store.h. */


#ifndef JUDGE_STORE_OPENAI_H
#define JUDGE_STORE_OPENAI_H


#include "store/store.h"


typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    judge_str_t  parent;               /* of a run: its eval; else empty */
    judge_str_t  status;
    judge_ms_t   created_at;
    judge_ms_t   updated_at;
    int64_t      attempts;             /* claims since the last slice */
    judge_str_t  name;                 /* may be absent, as the next two */
    judge_str_t  metadata;             /* JSON */
    judge_str_t  progress;             /* JSON */
    judge_str_t  body;                 /* JSON */
} judge_openai_row_t;

typedef struct {
    int64_t      position;             /* within its run, from 0 on */
    judge_str_t  status;               /* queued, pass, fail, error */
    judge_ms_t   created_at;
    judge_str_t  item;                 /* JSON: item, and sample if given */
    judge_str_t  result;               /* JSON; absent while it is queued */
} judge_openai_item_t;

/* JUDGE_NOT_FOUND: `child` is set and the parent does not exist. */
typedef struct {
    judge_op_t           op;
    const char          *kind;         /* eval, run, file */
    judge_openai_row_t   row;          /* in */
    bool                 child;
    judge_ms_t           queue_at;     /* 0: it is no work */
    judge_str_t         *items;        /* texts, from position 0 on */
    size_t               count;
} judge_openai_create_t;

typedef struct {
    judge_op_t          op;
    const char         *kind;
    judge_str_t         id;
    judge_str_t         parent;        /* empty, or that of a run */
    judge_openai_row_t  row;           /* out */
} judge_openai_find_t;

typedef struct {
    judge_op_t           op;
    judge_page_t         page;         /* limit and more only */
    const char          *kind;
    judge_str_t          parent;
    judge_str_t          status;       /* absent: any */
    judge_str_t          after;        /* id; absent: from the beginning */
    bool                 ascending;
    bool                 by_update;
    judge_openai_row_t  *rows;
    size_t               count;
} judge_openai_list_t;

typedef struct {
    judge_op_t          op;
    const char         *kind;
    judge_str_t         id;
    judge_str_t         name;          /* absent: as it was, as the next */
    judge_str_t         metadata;
    judge_ms_t          now;
    judge_openai_row_t  row;           /* out */
} judge_openai_update_t;

/* Deletes with all that hangs on it. */
typedef struct {
    judge_op_t   op;
    const char  *kind;
    judge_str_t  id;
    judge_str_t  parent;
    judge_ms_t   now;
} judge_openai_delete_t;

/* A run that has ended is left as it is. */
typedef struct {
    judge_op_t          op;
    judge_str_t         id;
    judge_str_t         parent;
    judge_ms_t          now;
    judge_openai_row_t  row;           /* out */
} judge_openai_cancel_t;


/* --- Working off runs (any org) ------------------------------------------ */

typedef struct {
    judge_op_t  op;
    judge_ms_t  now;
    bool        pending;               /* out */
} judge_openai_peek_t;

/* Claims a run, or what is to be removed: its status is `deleted` then. */
typedef struct {
    judge_op_t          op;
    judge_ms_t          now;
    judge_lease_t       lease;
    judge_openai_row_t  row;           /* out, as the next */
    judge_str_t         eval;          /* body of the run's eval */
} judge_openai_claim_t;

typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    int64_t               after;       /* position; -1: from the first */
    int64_t               limit;
    judge_openai_item_t  *items;       /* position and item only */
    size_t                count;
} judge_openai_next_t;

/* Ends items of a run and notes its progress, or prolongs the lease.
 * JUDGE_STALE: it has another owner, or was canceled or deleted. */
typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    judge_str_t           owner;
    judge_str_t           status;
    judge_str_t           progress;    /* absent: as it was */
    int64_t               attempts;
    judge_ms_t            queue_at;    /* end of the lease; 0: the run ends */
    judge_ms_t            now;
    judge_openai_item_t  *items;       /* position, status, result */
    size_t                count;
} judge_openai_slice_t;

/* Removes a slice of what was deleted, and itself behind the last. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_ms_t   now;
} judge_openai_sweep_t;


/* --- Items that have ended ----------------------------------------------- */

typedef struct {
    judge_op_t            op;
    judge_page_t          page;        /* limit and more only */
    judge_str_t           parent;      /* the run */
    judge_str_t           status;      /* absent: any */
    int64_t               after;       /* position */
    bool                  ascending;
    judge_openai_item_t  *rows;
    size_t                count;
} judge_openai_item_list_t;

typedef struct {
    judge_op_t           op;
    judge_str_t          parent;       /* the run or the file */
    int64_t              position;
    judge_openai_item_t  row;          /* out */
} judge_openai_item_find_t;


#endif /* JUDGE_STORE_OPENAI_H */
