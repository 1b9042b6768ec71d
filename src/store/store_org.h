/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Organizations and their API keys; part of store.h. */


#ifndef JUDGE_STORE_ORG_H
#define JUDGE_STORE_ORG_H


#include "store/store.h"


typedef struct {
    judge_str_t  id;
    judge_str_t  name;
    judge_str_t  webhook_secret;
    judge_ms_t   created_at;
} judge_org_row_t;

typedef struct {                       /* any org */
    judge_op_t       op;
    judge_org_row_t  row;              /* in */
} judge_org_create_t;

typedef struct {                       /* any org */
    judge_op_t        op;
    judge_org_row_t  *rows;
    size_t            count;
} judge_org_list_t;


/* The bit of `permissions` that means all of them: 1 << 62. */
#define JUDGE_KEY_MAY_ALL  4611686018427387904

typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    judge_str_t  hash;                 /* SHA-256 of the key */
    judge_str_t  name;
    judge_str_t  status;               /* active or suspended */
    uint64_t     permissions;          /* bit set; see api/http/request.h */
    judge_ms_t   created_at;
    judge_ms_t   expires_at;           /* 0: never */
    int64_t      usage_month;          /* year * 12 + month - 1, in UTC */
    int64_t      requests;             /* in that month */
    int64_t      evaluations;
    judge_ms_t   last_used;            /* 0: never */
    judge_str_t  person;               /* who has the key, and the role; only
                                          of KEY_FIND; absent: nobody */
    judge_str_t  role;
} judge_key_row_t;

typedef struct {
    judge_op_t       op;
    judge_key_row_t  row;              /* in */
} judge_key_create_t;

typedef struct {                       /* any org: by the key's hash */
    judge_op_t       op;
    judge_str_t      hash;
    judge_key_row_t  row;              /* out */
} judge_key_find_t;

typedef struct {
    judge_op_t       op;
    judge_str_t      id;
    judge_key_row_t  row;              /* out */
} judge_key_get_t;

typedef struct {
    judge_op_t        op;              /* org absent: all, for the tool */
    judge_page_t      page;
    judge_str_t       status;          /* active, suspended, expired; absent:
                                          all */
    judge_ms_t        now;
    judge_key_row_t  *rows;
    size_t            count;
} judge_key_list_t;

/* Changes the given members of a key in one step, so that concurrent changes
 * of others are not lost.  JUDGE_CONFLICT: no active key with all permissions
 * would be left. */
typedef struct {
    judge_op_t       op;
    judge_key_row_t  row;              /* in: id, expires_at, and if given
                                          name, status, hash, permissions (0:
                                          not given).  Out: the new row */
    bool             keep_expiry;      /* expires_at is not given */
    bool             force;            /* even the last active key with all
                                          permissions */
    judge_ms_t       now;
} judge_key_update_t;

typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_ms_t   now;
} judge_key_delete_t;

typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    int64_t      month;
    int64_t      requests;             /* to add */
    int64_t      evaluations;
    judge_ms_t   last_used;
} judge_usage_row_t;

typedef struct {                       /* any org */
    judge_op_t          op;
    judge_usage_row_t  *rows;
    size_t              count;
} judge_key_usage_t;


#endif /* JUDGE_STORE_ORG_H */
