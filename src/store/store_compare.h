/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Batches whose contents are the answers of systems to the same items, and
 * which of them people prefer; part of store.h. */


#ifndef JUDGE_STORE_COMPARE_H
#define JUDGE_STORE_COMPARE_H


#include "store/store_batch.h"


typedef struct {
    judge_str_t  name;
    judge_str_t  description;
    judge_str_t  criteria;             /* JSON; absent: it was deleted */
    judge_str_t  scope;                /* may be absent */
    judge_str_t  panel;                /* JSON; may be absent */
} judge_comparison_judge_t;

/* JUDGE_NOT_FOUND: also a batch without systems, unless `any`. */
typedef struct {
    judge_op_t         op;
    judge_str_t        id;
    judge_str_t        judge_id;       /* absent: the batch's first one */
    bool               any;            /* without content_ids */
    judge_batch_row_t  row;            /* out, with content_ids: those of the
                                          first item in the order of systems,
                                          then of the next one */
    judge_str_t        systems;        /* out: JSON, an array of names */
    int64_t            pairs;          /* questions for pairs at most; 0: none
                                          are asked */
    judge_ms_t         pairs_at;       /* 0: no more are asked */
    int64_t            calls;          /* questions that were asked */
    judge_comparison_judge_t  judge;   /* in the version of the batch */
} judge_comparison_find_t;

typedef struct {
    judge_str_t  id;
    judge_str_t  name;
    judge_str_t  status;
    int64_t      total;
    judge_ms_t   created_at;
    judge_ms_t   completed_at;         /* 0: not yet */
    judge_str_t  judge_ids;            /* JSON array */
    judge_str_t  systems;
} judge_comparison_row_t;

typedef struct {
    judge_op_t               op;
    judge_page_t             page;
    judge_comparison_row_t  *rows;
    size_t                   count;
} judge_comparison_list_t;

typedef struct {
    int64_t      item;                 /* from 0 on */
    judge_str_t  criterion_id;         /* empty: the text as a whole */
    judge_str_t  submitted_by;         /* key */
    judge_str_t  person;               /* or empty */
    int64_t      winner;               /* place in systems; -1: a tie */
    judge_ms_t   submitted_at;
    judge_str_t  comment;              /* may be absent */
} judge_preference_row_t;

typedef struct {
    judge_op_t              op;
    judge_str_t             id;        /* of the batch */
    judge_preference_row_t  row;
} judge_preference_create_t;


/* --- Pairs that a language model compares -------------------------------- */

/* Claims a batch with pairs to compare.  JUDGE_NOT_FOUND: there is none. */
typedef struct {
    judge_claim_t  claim;
    judge_str_t    organization;       /* out */
    judge_str_t    id;                 /* out */
    judge_str_t    judge_ids;          /* out: JSON array */
    judge_ms_t     completed_at;       /* out: when its evaluations ended */
    int64_t        tries;              /* out: attempts since the last answer,
                                          this one included */
} judge_pairs_claim_t;

/* Prolongs a lease, or gives it back.  JUDGE_CONFLICT: another worker has it,
 * or the batch was deleted. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_str_t  owner;
    judge_ms_t   due_at;               /* end of the lease, or when the next
                                          questions are due; 0: none are */
    bool         release;
    bool         spare;                /* the attempt does not count */
} judge_pairs_lease_t;

/* The answer which of two texts is better; they were shown in this order. */
typedef struct {
    int64_t      item;
    int64_t      first;                /* places in systems */
    int64_t      second;
    judge_ms_t   answered_at;
    judge_str_t  model;
    int64_t      calls;                /* questions, repetitions included */
    int64_t      tokens;
    judge_str_t  answer;               /* JSON */
} judge_pair_answer_t;

/* Stores an answer; JUDGE_CONFLICT: as above. */
typedef struct {
    judge_op_t           op;
    judge_str_t          id;
    judge_str_t          owner;
    judge_str_t          judge_id;
    judge_pair_answer_t  row;
} judge_pair_create_t;

/* What is stored about some contents and items of a batch, by one judge. */
typedef struct {
    judge_op_t                 op;
    judge_str_t                id;
    judge_str_t                judge_id;
    int64_t                    max_text;
    judge_batch_scores_row_t  *rows;   /* in: content_id; out: id (absent: it
                                          was deleted), body, size, text,
                                          metadata, model */
    size_t                     count;
    int64_t                    first;  /* items from this one on, */
    int64_t                    last;   /* to this one */
    int64_t                    max_answers;
    judge_pair_answer_t       *answers;          /* out */
    size_t                     nanswers;
    int64_t                    max_preferences;  /* 0: none are read */
    judge_preference_row_t    *preferences;      /* out */
    size_t                     npreferences;
} judge_comparison_load_t;


#endif /* JUDGE_STORE_COMPARE_H */
