/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Operations on uploads, files and reference texts; part of store.h. */


#ifndef JUDGE_STORE_UPLOAD_H
#define JUDGE_STORE_UPLOAD_H


#include "store/store.h"


/* A secret of the service itself, made once: what is given is taken unless
 * there is one already (any org). */
typedef struct {
    judge_op_t   op;
    judge_str_t  name;
    judge_str_t  value;                /* in and out */
} judge_secret_t;

typedef struct {
    judge_str_t  org;
    judge_str_t  id;                   /* of the content or reference */
    judge_str_t  kind;                 /* content, reference */
    judge_str_t  status;               /* waiting, received */
    judge_ms_t   queue_at;
    int64_t      attempts;
    judge_ms_t   created_at;
    judge_ms_t   expires_at;           /* 0: it was given up */
    int64_t      max_size;             /* bytes */
    int64_t      size;
    judge_str_t  file_type;
    judge_str_t  extension;            /* without a dot */
    judge_str_t  name;
    judge_str_t  evaluation_id;        /* from here on: may be absent */
    judge_str_t  file_path;
    judge_str_t  multipart;            /* of the bucket, for one in parts */
    judge_str_t  metadata;             /* JSON object */
} judge_upload_row_t;

/* Promises a place; with an evaluation, which is inserted too and waits for
 * the content.  A reference gets its row of texts. */
typedef struct {
    judge_op_t              op;
    judge_upload_row_t      row;       /* in */
    bool                    evaluates;
    judge_evaluation_row_t  evaluation;
} judge_upload_create_t;

typedef struct {
    judge_op_t          op;
    judge_str_t         id;
    judge_upload_row_t  row;           /* out */
} judge_upload_find_t;

/* The file is complete: the content appears, `uploaded`.  JUDGE_CONFLICT:
 * it has come before, or its time is over. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_str_t  file_path;
    int64_t      size;
    judge_ms_t   now;
} judge_upload_receive_t;

/* Is there anything to be looked at? */
typedef struct {                       /* any org */
    judge_op_t  op;
    judge_ms_t  now;
    bool        pending;               /* out */
} judge_upload_peek_t;

/* Takes one upload to look at; JUDGE_NOT_FOUND: there is none.  Its content
 * becomes `processing`.  One that is to come into a bucket is looked at again
 * and again until it expires: after one second at first, 15 at last. */
typedef struct {                       /* any org */
    judge_op_t          op;
    judge_ms_t          now;
    judge_lease_t       lease;         /* without an owner */
    judge_upload_row_t  row;           /* out */
    judge_job_t         job;           /* out, of its evaluation: org, id, …,
                                          attempts, created_at, deadline */
} judge_upload_claim_t;

/* Somebody says that these have come: looks at them now.  `known`: one is
 * waited for, or has come (any org). */
typedef struct {
    judge_op_t    op;
    judge_ms_t    now;
    judge_str_t  *orgs;
    judge_str_t  *ids;
    bool         *known;               /* out */
    size_t        count;
} judge_upload_hasten_t;

/* Gives it up; JUDGE_NOT_FOUND: it is not waited for. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_ms_t   now;
} judge_upload_abort_t;

/* What became of it: a reason means that it can't be used.  The upload's row
 * goes.  A waiting evaluation is queued, or ends with `failed`. */
typedef struct {
    judge_op_t      op;
    judge_str_t     id;
    bool            reference;
    bool            received;          /* false: it never came */
    judge_str_t     reason;            /* absent: fine */
    judge_str_t     text_content;      /* absent where it is no text */
    judge_str_t     metadata;          /* JSON; the content's new one */
    judge_str_t     evaluation_id;     /* absent: none */
    judge_ms_t      now;
    judge_ms_t      queue_at;          /* of the evaluation */
    judge_ms_t      deadline;
    judge_result_t  failed;            /* of the evaluation, if a reason */
} judge_upload_finish_t;

/* Which of these files belong to a content, a reference or an upload of that
 * id; each with its organization (any org). */
typedef struct {
    judge_op_t    op;
    judge_str_t  *orgs;
    judge_str_t  *ids;
    judge_str_t  *names;
    bool         *known;               /* out */
    size_t        count;
} judge_files_known_t;

/* Whether references exist: `missing` is the index of the first that does
 * not, or count; `pending` is whether any is still to be read. */
typedef struct {
    judge_op_t    op;
    judge_str_t  *ids;
    size_t        count;
    size_t        missing;             /* out */
    bool          pending;             /* out */
} judge_references_check_t;

typedef struct {
    judge_op_t             op;
    judge_str_t            id;
    judge_reference_row_t  row;        /* out */
    bool                   promised;   /* out: its file is still to come */
} judge_reference_find_t;


#endif /* JUDGE_STORE_UPLOAD_H */
