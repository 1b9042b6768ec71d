/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Operations on uploads, files and reference texts; part of store.h. */


#ifndef JUDGE_STORE_UPLOAD_H
#define JUDGE_STORE_UPLOAD_H


#include "store/store.h"


/* A secret of the service itself: stores the given one, unless one exists, and
 * returns it (any org). */
typedef struct {
    judge_op_t   op;
    judge_str_t  name;
    judge_str_t  value;                /* in and out */
} judge_secret_t;

typedef struct {
    judge_str_t  org;
    judge_str_t  id;                   /* the content's or reference's */
    judge_str_t  kind;                 /* content, reference */
    judge_str_t  status;               /* waiting, received */
    judge_ms_t   queue_at;
    int64_t      attempts;
    judge_ms_t   created_at;
    judge_ms_t   expires_at;           /* 0: it was aborted */
    int64_t      max_size;             /* bytes */
    int64_t      size;
    judge_str_t  file_type;
    judge_str_t  extension;            /* without a dot */
    judge_str_t  name;
    judge_str_t  evaluation_id;        /* may be absent, as all below */
    judge_str_t  file_path;
    judge_str_t  multipart;            /* id of a multipart upload */
    judge_str_t  metadata;             /* JSON object */
} judge_upload_row_t;

/* Creates an upload, and an evaluation that waits for the content, if one is
 * given.  A reference gets its own row, too. */
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
    bool                came;          /* out: the file is there */
} judge_upload_find_t;

/* To be called when the file is complete: creates the content, as "uploaded".
 * JUDGE_CONFLICT: the file was uploaded already, or the upload has expired. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_str_t  file_path;
    int64_t      size;
    judge_ms_t   now;
} judge_upload_receive_t;

/* Claims an upload; JUDGE_NOT_FOUND: there is none.  Its content becomes
 * "processing".  While its file is missing in an object store, it is claimed
 * again at intervals that grow from 1 s to 15 s, until it expires. */
typedef struct {                       /* any org */
    judge_claim_t       claim;
    judge_upload_row_t  row;           /* out */
    judge_job_t         job;           /* out, of its evaluation: org, id, …,
                                          attempts, created_at, deadline */
} judge_upload_claim_t;

/* Makes uploads due at once, because a notice says that their files exist.
 * `known`: the upload exists, or its file is stored already (any org). */
typedef struct {
    judge_op_t    op;
    judge_ms_t    now;
    judge_str_t  *orgs;
    judge_str_t  *ids;
    bool         *known;               /* out */
    size_t        count;
} judge_upload_hasten_t;

/* Aborts an upload; JUDGE_NOT_FOUND: there is none that waits for a file. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_ms_t   now;
} judge_upload_abort_t;

/* Ends an upload and deletes its row; with a reason, the file can't be used.
 * A waiting evaluation is queued, or ends with `failed`. */
typedef struct {
    judge_op_t      op;
    judge_str_t     id;
    bool            reference;
    bool            received;          /* false: there is no file */
    judge_str_t     reason;            /* absent: the file can be used */
    judge_str_t     text_content;      /* absent unless it is text */
    judge_str_t     metadata;          /* JSON; the content's new one */
    judge_str_t     evaluation_id;     /* absent: none */
    judge_ms_t      now;
    judge_ms_t      queue_at;          /* the evaluation's */
    judge_ms_t      deadline;
    judge_result_t  failed;            /* the evaluation's, with a reason */
} judge_upload_finish_t;

/* Sets `known` for files that belong to a content, reference or upload with
 * that organization and id (any org). */
typedef struct {
    judge_op_t    op;
    judge_str_t  *orgs;
    judge_str_t  *ids;
    judge_str_t  *names;
    bool         *known;               /* out */
    size_t        count;
} judge_files_known_t;

/* Checks references: `missing` is the index of the first that does not exist,
 * or count; `pending` says whether any has not been read yet. */
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
    bool                   promised;   /* out: its file is not uploaded yet */
} judge_reference_find_t;


#endif /* JUDGE_STORE_UPLOAD_H */
