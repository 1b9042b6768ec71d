/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Operations on jobs of several evaluations, and on results of external
 * workers; part of store.h. */


#ifndef JUDGE_STORE_JOB_H
#define JUDGE_STORE_JOB_H


#include "store/store.h"


/* Creates contents, each with an evaluation, all by the same version of a
 * judge. JUDGE_NOT_FOUND: the judge was deleted, and nothing is stored. */
typedef struct {
    judge_op_t               op;
    judge_str_t              id;
    judge_str_t              kind;     /* social_media */
    judge_ms_t               created_at;
    judge_content_row_t     *contents;
    judge_evaluation_row_t  *evaluations;
    size_t                   count;    /* of both; at least 1 */
} judge_job_create_t;

/* Deleted evaluations are not counted. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    int64_t      total;                /* out, as all below */
    int64_t      completed;
    int64_t      failed;
} judge_job_find_t;

typedef struct {
    judge_op_t               op;
    judge_str_t              id;
    judge_page_t             page;
    judge_evaluation_row_t  *rows;     /* newest first */
    size_t                   count;
} judge_job_results_t;


typedef struct {
    judge_str_t  secret;
    judge_ms_t   until;                /* end of its validity */
} judge_former_secret_t;

/* Reads what a callback needs: the evaluation, its judge, and the secrets of
 * the organization that it belongs to. */
typedef struct {                       /* any org: by the evaluation */
    judge_op_t              op;
    judge_str_t             id;
    judge_evaluation_row_t  row;       /* out, as all below */
    judge_str_t             secret;
    judge_former_secret_t  *former;    /* newest first; some may be expired */
    size_t                  nformer;
    judge_str_t             content_type;                /* the judge's */
    judge_str_t             judge_name;
    judge_str_t             judge_description;
    judge_str_t             criteria;  /* JSON */
    judge_str_t             review;    /* JSON; may be absent */
    judge_reference_row_t  *references;
    size_t                  nreferences;
} judge_callback_find_t;

/* Ends an evaluation, even if another worker has its lease.  JUDGE_CONFLICT:
 * it has ended already, or was deleted. */
typedef struct {
    judge_op_t            op;
    judge_result_t        result;
    int64_t               attempts;
    judge_batch_delta_t  *batches;
} judge_callback_finish_t;


#endif /* JUDGE_STORE_JOB_H */
