/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Who changed what; part of store.h. */


#ifndef JUDGE_STORE_AUDIT_H
#define JUDGE_STORE_AUDIT_H


#include "store/store.h"


struct judge_audit {
    judge_str_t  id;
    judge_ms_t   at;
    judge_str_t  key_id;               /* as in submitted_by of feedback */
    judge_str_t  person;               /* absent: nobody that is registered */
    judge_str_t  action;               /* method and route */
    judge_str_t  object;               /* identifier, or the route's path */
    judge_str_t  fields;               /* JSON array; absent: no body */
    judge_str_t  given;                /* JSON object; likewise */
};

/* Run by the runner after an operation with `audit`. */
typedef struct {
    judge_op_t     op;
    judge_audit_t  row;
} judge_audit_keep_t;

typedef struct {
    judge_op_t      op;
    judge_page_t    page;
    judge_ms_t      from;              /* 0: all */
    judge_ms_t      to;                /* before; 0: all */
    judge_str_t     person;            /* absent: all, as the next two */
    judge_str_t     key_id;
    judge_str_t     object;
    judge_audit_t  *rows;
    size_t          count;
} judge_audit_list_t;


#endif /* JUDGE_STORE_AUDIT_H */
