/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Operations for evaluations by language models; part of store.h. */


#ifndef JUDGE_STORE_LLM_H
#define JUDGE_STORE_LLM_H


#include "store/store.h"


/* An evaluation whose lease is to be prolonged. */
typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    bool         held;                 /* out; false: it was deleted, ended or
                                          claimed by another worker */
} judge_held_t;

typedef struct {                       /* any org */
    judge_op_t     op;
    judge_lease_t  lease;
    judge_held_t  *rows;
    size_t         count;
} judge_queue_prolong_t;

/* Sets `held` for evaluations that have not ended; it must be false before. */
typedef struct {                       /* any org */
    judge_op_t     op;
    judge_held_t  *rows;
    size_t         count;
} judge_queue_held_t;

/* The record of a completed evaluation with the same answer key. */
typedef struct {
    judge_op_t   op;
    judge_str_t  key;                  /* judge_result_t.answer_key */
    judge_str_t  body;                 /* out */
} judge_answer_find_t;


#endif /* JUDGE_STORE_LLM_H */
