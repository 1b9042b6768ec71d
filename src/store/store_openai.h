/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Evals, runs and files of OpenAI's interface, and items; part of store.h. */


#ifndef JUDGE_STORE_OPENAI_H
#define JUDGE_STORE_OPENAI_H


#include "store/store.h"


/* An eval, a run or a file, or an item of a run. */
typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    judge_str_t  parent;               /* of a run: its eval; of an item: its
                                          run; else empty */
    judge_str_t  status;
    judge_ms_t   created_at;
    int64_t      attempts;             /* claims since the last slice */
    int64_t      position;             /* of an item, from 0 on */
    judge_str_t  name;                 /* may be absent, as the next two */
    judge_str_t  metadata;             /* JSON */
    judge_str_t  progress;             /* JSON; of an item: its result */
    judge_str_t  body;                 /* JSON, or the bytes of a file */
} judge_openai_row_t;

/* JUDGE_NOT_FOUND: a parent is named and does not exist. */
typedef struct {
    judge_op_t           op;
    const char          *kind;         /* eval, run, file */
    judge_openai_row_t   row;          /* in */
    bool                 child;        /* it has a parent */
    judge_ms_t           queue_at;     /* 0: there is no work to do */
    judge_str_t         *items;        /* texts, from position 0 on */
    size_t               count;
} judge_openai_create_t;

/* Finds, changes, cancels or deletes one of them; it is deleted with its
 * children.  A run that has ended is not canceled.  Finding reads a file's
 * bytes, too. */
typedef struct {
    judge_op_t          op;
    const char         *kind;
    judge_str_t         id;
    judge_str_t         parent;        /* empty, or as in a row */
    judge_str_t         eval_id;       /* of an item: the eval of its run; else
                                          empty */
    int64_t             position;      /* of an item */
    judge_str_t         name;          /* absent: as it was, as the next */
    judge_str_t         metadata;
    judge_ms_t          now;
    bool                reads;         /* a file is named: */
    judge_str_t         file;
    judge_openai_row_t  row;           /* out, unless it was deleted */
    judge_str_t         bytes;         /* out; absent: there is no such file */
} judge_openai_one_t;

/* JUDGE_NOT_FOUND: there is no such run, whose items were asked for; or
 * nothing has the id `after`, from whose last change on pages go. */
typedef struct {
    judge_op_t           op;
    judge_page_t         page;         /* limit and more only */
    const char          *kind;
    judge_str_t          parent;       /* as in judge_openai_one_t */
    judge_str_t          eval_id;
    judge_str_t          status;       /* absent: any */
    judge_str_t          after;        /* id; absent: from the beginning */
    int64_t              position;     /* the same of items */
    bool                 ascending;
    bool                 by_update;
    judge_openai_row_t  *rows;
    size_t               count;
} judge_openai_list_t;


/* --- Running (any org) --------------------------------------------------- */

typedef struct {
    int64_t      position;
    judge_str_t  item;                 /* JSON: item, and sample if given */
    judge_str_t  status;               /* pass, fail, error */
    judge_str_t  result;               /* JSON */
} judge_openai_item_t;

/* Claims a run; or a deleted object, whose status is `deleted`. */
typedef struct {
    judge_claim_t       claim;
    judge_openai_row_t  row;           /* out */
} judge_openai_claim_t;

/* Reads the next items of a run, and the eval that grades them.
 * JUDGE_NOT_FOUND: the eval was deleted. */
typedef struct {
    judge_op_t             op;
    judge_str_t            id;
    judge_str_t            parent;
    int64_t                position;   /* of the first one */
    int64_t                limit;
    judge_str_t            eval;       /* its body */
    judge_openai_item_t   *items;      /* position and item only */
    size_t                 count;
} judge_openai_load_t;

/* Ends items of a run and notes its progress.  JUDGE_STALE: it has another
 * owner, or was canceled or deleted. */
typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    judge_str_t           owner;
    judge_str_t           status;
    judge_str_t           progress;    /* absent: unchanged */
    int64_t               attempts;
    judge_ms_t            queue_at;    /* when it may be claimed; 0: the run
                                          has ended */
    judge_ms_t            now;
    judge_openai_item_t  *items;       /* position, status, result */
    size_t                count;
} judge_openai_slice_t;

/* Deletes a slice of a deleted object's items; after the last, the object. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_ms_t   now;
} judge_openai_sweep_t;


#endif /* JUDGE_STORE_OPENAI_H */
