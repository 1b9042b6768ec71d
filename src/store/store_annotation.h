/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Annotation queues: evaluations that several people judge, each without
 * seeing the feedback of the others; part of store.h. */


#ifndef JUDGE_STORE_ANNOTATION_H
#define JUDGE_STORE_ANNOTATION_H


#include "store/store.h"


/* A sample is drawn from so many of the newest evaluations of a judge. */
#define JUDGE_ANNOTATION_OF  20000

/* At most so many people of a queue are shown. */
#define JUDGE_ANNOTATION_SHOWN  1000

typedef struct {
    judge_str_t  id;
    judge_str_t  name;
    judge_str_t  judge_id;
    judge_str_t  batch_id;             /* absent: any evaluation */
    judge_str_t  sampling;             /* random, review */
    int64_t      items;                /* in: at most */
    int64_t      people;               /* of an item */
    judge_ms_t   lease;                /* of a turn */
    judge_ms_t   created_at;
    int64_t      done;                 /* items that all people did */
} judge_annotation_row_t;

/* JUDGE_NOT_FOUND: no such judge; JUDGE_CONFLICT: nothing to be drawn. */
typedef struct {
    judge_op_t              op;
    judge_annotation_row_t  row;       /* in; items: also out */
} judge_annotation_create_t;

typedef struct {
    judge_op_t               op;
    judge_page_t             page;
    judge_annotation_row_t  *rows;
    size_t                   count;
} judge_annotation_list_t;

typedef struct {
    judge_str_t  person;
    judge_str_t  name;                 /* absent: removed */
    int64_t      done;
    int64_t      skipped;              /* left to others */
    int64_t      held;                 /* turns whose leases have not ended */
} judge_annotation_person_t;

typedef struct {
    judge_op_t                  op;
    judge_str_t                 id;
    judge_ms_t                  now;
    judge_str_t                 person;     /* who asks; absent: nobody */
    judge_annotation_row_t      row;   /* out, as all below */
    int64_t                     remaining;  /* what the person can be given */
    judge_annotation_person_t  *people;
    size_t                      npeople;
} judge_annotation_find_t;

/* Gives a person an item until `until`: the one that the person has, or else
 * another one.  JUDGE_CONFLICT: there is none left for this person. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_str_t  person;
    judge_ms_t   now;
    int64_t      people;               /* private, as the next two */
    judge_ms_t   lease;
    int64_t      seq;
    judge_str_t  evaluation_id;        /* out */
    judge_ms_t   until;                /* out */
} judge_annotation_next_t;

/* The person does not want the item.  JUDGE_NOT_FOUND: no such turn. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_str_t  person;
    judge_str_t  evaluation_id;
    judge_ms_t   now;
} judge_annotation_leave_t;

typedef struct {
    judge_op_t   op;
    judge_str_t  id;
} judge_annotation_delete_t;


#endif /* JUDGE_STORE_ANNOTATION_H */
