/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Operations on suggestions for the wording of criteria; part of store.h. */


#ifndef JUDGE_STORE_SUGGEST_H
#define JUDGE_STORE_SUGGEST_H


#include "store/store_settings.h"


typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    judge_str_t  judge_id;
    int64_t      version;              /* of the judge */
    judge_str_t  criterion_id;         /* absent: any */
    judge_str_t  model;                /* that words criteria; absent: none */
    judge_str_t  status;               /* queued, running, completed,
                                          failed */
    judge_ms_t   created_at;
    judge_str_t  created_by;           /* id of a key */
    judge_ms_t   completed_at;         /* 0: not yet */
    int64_t      attempts;             /* number of claims */
    judge_str_t  result;               /* JSON; absent: not yet */
} judge_suggestion_row_t;

/* JUDGE_CONFLICT: the judge has one that has not ended; JUDGE_NOT_FOUND: there
 * is no such judge. */
typedef struct {
    judge_op_t              op;
    judge_suggestion_row_t  row;
} judge_suggestion_create_t;

typedef struct {
    judge_op_t              op;
    judge_str_t             id;
    judge_str_t             judge_id;
    judge_suggestion_row_t  row;       /* out */
} judge_suggestion_find_t;

typedef struct {
    judge_op_t               op;
    judge_page_t             page;
    judge_str_t              judge_id;
    judge_suggestion_row_t  *rows;     /* newest first */
    size_t                   count;
} judge_suggestion_list_t;

#define JUDGE_SUGGESTION_ENTRIES  3    /* entries of feedback in words */

/* The feedback in words on an evaluation; all but the id are out, and absent
 * if there is none or the evaluation was deleted. */
typedef struct {
    judge_str_t  id;
    judge_str_t  content_id;
    judge_str_t  name;                 /* the content's */
    judge_str_t  entries[JUDGE_SUGGESTION_ENTRIES];  /* newest first: JSON, an
                                          array of an entry's content and the
                                          criteria that it is about */
} judge_suggestion_text_t;

typedef struct {
    judge_op_t                op;
    judge_suggestion_text_t  *rows;
    size_t                    count;
} judge_suggestion_words_t;

#define JUDGE_SUGGESTION_VERSIONS  200

typedef struct {
    int64_t      version;
    judge_str_t  criteria;             /* JSON */
} judge_suggestion_version_t;

typedef struct {
    judge_op_t                   op;
    judge_str_t                  judge_id;
    int64_t                      version;
    judge_suggestion_version_t  *rows; /* out: this version and earlier ones,
                                          newest first */
    size_t                       count;
    int64_t                      tries;          /* out: wordings measured for
                                                    it before */
    judge_llm_settings_t         llm;  /* out */
} judge_suggestion_load_t;


/* --- For workers (any org) ----------------------------------------------- */

/* JUDGE_NOT_FOUND: there is none to claim. */
typedef struct {
    judge_claim_t           claim;
    judge_suggestion_row_t  row;       /* out */
} judge_suggestion_claim_t;

/* Prolongs a lease, gives it back, or writes the end.  JUDGE_CONFLICT: another
 * worker has it, or it was deleted. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_str_t  owner;
    judge_str_t  status;               /* absent: unchanged */
    judge_ms_t   queue_at;             /* 0: it has ended */
    bool         release;              /* the attempt does not count */
    bool         tried;                /* a wording was measured */
    judge_ms_t   completed_at;         /* 0: not yet */
    judge_str_t  result;
} judge_suggestion_write_t;


#endif /* JUDGE_STORE_SUGGEST_H */
