/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The people of an organization, who have a key or a login each; part of
 * store.h. */


#ifndef JUDGE_STORE_PEOPLE_H
#define JUDGE_STORE_PEOPLE_H


#include "store/store_org.h"


typedef struct {
    judge_str_t  id;
    judge_str_t  name;
    judge_str_t  address;              /* in lower case; unique */
    judge_str_t  role;
    judge_str_t  key_id;               /* absent: none; unique */
    judge_str_t  login;                /* likewise */
    judge_ms_t   created_at;
    judge_ms_t   updated_at;
} judge_person_row_t;

/* Why a person can't be created, changed or deleted: the person is the last
 * owner, or has the last key with all permissions; or another person has the
 * address, login or key. */
#define JUDGE_PERSON_LAST_OWNER  1
#define JUDGE_PERSON_LAST_KEY    2
#define JUDGE_PERSON_ADDRESS     3
#define JUDGE_PERSON_LOGIN       4
#define JUDGE_PERSON_KEY         5

/* Creates a person, and a key if key.id is given; else row.key_id may name a
 * key.  JUDGE_CONFLICT: see `conflict`; JUDGE_NOT_FOUND: no such key. */
typedef struct {
    judge_op_t          op;
    judge_person_row_t  row;           /* in */
    judge_key_row_t     key;           /* in */
    int64_t             conflict;      /* out: JUDGE_PERSON_… */
} judge_person_create_t;

typedef struct {
    judge_op_t          op;
    judge_str_t         id;
    judge_person_row_t  row;           /* out */
} judge_person_find_t;

typedef struct {
    judge_op_t           op;
    judge_page_t         page;
    judge_str_t          role;         /* absent: all */
    judge_person_row_t  *rows;
    size_t               count;
} judge_person_list_t;

/* Changes the given members of a person.  The person's key gets the
 * permissions of the new role if it has those of the role before.
 * JUDGE_CONFLICT; JUDGE_STALE: there is no such key. */
typedef struct {
    judge_op_t          op;
    judge_person_row_t  row;           /* in: id and what changes; out */
    uint64_t            before;        /* permissions of the roles */
    uint64_t            after;
    judge_ms_t          now;
    int64_t             conflict;
} judge_person_update_t;

/* Deletes a person and the person's key. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_ms_t   now;
    int64_t      conflict;
} judge_person_delete_t;

/* Finds the person with a login in an organization (op.org), or, if that is
 * absent, in the only organization of the store. */
typedef struct {
    judge_op_t       op;
    judge_str_t      login;
    judge_key_row_t  row;              /* out: org, id, person, role */
} judge_login_find_t;


#endif /* JUDGE_STORE_PEOPLE_H */
