/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Operations on jobs of several evaluations, and on results that somebody
 * else brings; part of store.h.
 */


#ifndef JUDGE_STORE_JOB_H
#define JUDGE_STORE_JOB_H


#include "store/store.h"


/* One content and its evaluation each, all by the same judge and version.
 * JUDGE_NOT_FOUND: the judge has gone meanwhile, and nothing is stored. */
typedef struct {
    judge_op_t               op;
    judge_str_t              id;
    judge_str_t              kind;     /* social_media */
    judge_ms_t               created_at;
    judge_content_row_t     *contents;
    judge_evaluation_row_t  *evaluations;
    size_t                   count;    /* of both; 1 at least */
} judge_job_create_t;

/* Evaluations that were deleted with their content are not counted. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    int64_t      total;                /* out, all of these */
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
    judge_ms_t   until;                /* it is valid before that */
} judge_former_secret_t;

/* What is needed to take a result: the evaluation, its judge, and the secrets
 * of the organization that it turns out to belong to. */
typedef struct {                       /* any org: by the evaluation */
    judge_op_t              op;
    judge_str_t             id;
    judge_evaluation_row_t  row;       /* out, all of these */
    judge_str_t             secret;
    judge_former_secret_t  *former;    /* newest first; some may have ended */
    size_t                  nformer;
    judge_str_t             content_type;                /* of the judge */
    judge_str_t             judge_name;
    judge_str_t             judge_description;
    judge_str_t             criteria;  /* JSON */
    judge_str_t             review;    /* JSON; may be absent */
    judge_reference_row_t  *references;
    size_t                  nreferences;
} judge_callback_find_t;

/* Ends an evaluation whoever holds it.  JUDGE_CONFLICT: it has ended
 * otherwise, or has gone. */
typedef struct {
    judge_op_t            op;
    judge_result_t        result;
    int64_t               attempts;
    judge_batch_deltas_t  batches;
} judge_callback_finish_t;


#endif /* JUDGE_STORE_JOB_H */
