/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Evaluations that have ended and are still to be exported; part of store.h.
 * A row is noted in the transaction that ends its evaluation. */


#ifndef JUDGE_STORE_EXPORT_H
#define JUDGE_STORE_EXPORT_H


#include "store/store.h"


typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    judge_ms_t   noted_at;
    int64_t      repeat;               /* in: to be exported again, later */
    bool         found;                /* out of EXPORT_LOAD, as all below */
    judge_str_t  body;                 /* the record */
    judge_str_t  trace;                /* traceparent; may be absent */
    judge_str_t  metadata;             /* JSON: the content's; likewise */
    judge_str_t  judge_name;
    judge_str_t  review;               /* JSON; may be absent */
    judge_str_t  criteria;             /* JSON */
} judge_export_row_t;

/* Claims due rows; the end of the lease identifies the claim. */
typedef struct {                       /* any org */
    judge_claim_t        claim;        /* without an owner */
    judge_export_row_t  *rows;         /* out */
    size_t               count;
} judge_export_claim_t;

typedef struct {                       /* any org */
    judge_op_t           op;
    judge_export_row_t  *rows;         /* in and out */
    size_t               count;
} judge_export_load_t;

/* Ends a claim: deletes its rows, or makes them due again at a later time,
 * unless the evaluations ended once more meanwhile. */
typedef struct {                       /* any org */
    judge_op_t           op;
    judge_ms_t           until;
    judge_ms_t           repeat_at;
    judge_export_row_t  *rows;
    size_t               count;
} judge_export_finish_t;


#endif /* JUDGE_STORE_EXPORT_H */
