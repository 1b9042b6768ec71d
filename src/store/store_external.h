/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Evaluations by external workers: claims under a lease, releases, and the
 * key frames that workers send; part of store.h.  Results come by the callback
 * (store_job.h), which does not check the lease. */


#ifndef JUDGE_STORE_EXTERNAL_H
#define JUDGE_STORE_EXTERNAL_H


#include "store/store.h"


#define JUDGE_WORK_KINDS     3         /* video, audio, image */
#define JUDGE_WORK_FILES     0x1       /* uploaded files */
#define JUDGE_WORK_SOCIAL    0x2       /* addresses of social media */
#define JUDGE_WORK_CLAIMS    16        /* evaluations per claim, at most */
#define JUDGE_WORK_LATE      100       /* expired leases ended per claim */
#define JUDGE_KEYFRAMES_MAX  8         /* per evaluation */

/* What a worker accepts. */
typedef struct {
    judge_str_t  kinds[JUDGE_WORK_KINDS];                /* unused ones are
                                                            absent */
    int64_t      sources;              /* set of JUDGE_WORK_... */
} judge_work_filter_t;

typedef struct {
    judge_str_t          id;
    judge_str_t          content_id;
    judge_str_t          judge_id;
    int64_t              judge_version;
    judge_str_t          batch_id;     /* may be absent */
    int64_t              priority;
    int64_t              attempts;     /* with this one */
    judge_ms_t           created_at;
    judge_ms_t           deadline;
    judge_content_row_t  content;      /* id, file_type, size, name,
                                          file_path, file_url, metadata */
    judge_str_t          judge_name;
    judge_str_t          judge_description;
    judge_str_t          criteria;     /* JSON */
    judge_str_t          reference_uris;       /* JSON array; or absent */
    bool                 learning;     /* a reference is not read yet; never
                                          set by a claim */
} judge_work_item_t;

typedef struct {
    judge_op_t           op;
    judge_work_filter_t  filter;
    judge_ms_t           now;
    bool                 pending;      /* out */
} judge_work_peek_t;

/* An evaluation that was chosen, locked until the end of the transaction. */
typedef struct {
    judge_str_t  id;
    bool         tried;                /* was claimed too often */
    bool         unread;               /* its judge has an unread reference */
} judge_work_found_t;

/* Claims up to `limit` evaluations, most urgent first, as judge_queue_claim_t
 * does.  One that was claimed `attempts` times is not claimed again after its
 * lease: it is queued as if its deadline had passed. */
typedef struct {
    judge_op_t           op;
    judge_work_filter_t  filter;
    judge_lease_t        lease;
    judge_ms_t           now;
    judge_ms_t           aging;
    int64_t              attempts;
    int64_t              limit;        /* JUDGE_WORK_CLAIMS at most */
    judge_work_item_t   *items;        /* out */
    size_t               count;
    judge_work_found_t  *found;        /* NULL; the rest is private */
    size_t               nfound;
    int64_t              wanted;       /* by all claims that share a search */
    bool                 shared;       /* false in; another claim searched */
    bool                 tried;        /* any found is, as below */
    bool                 unread;
} judge_work_claim_t;

/* Prolongs a lease, or stores progress.  JUDGE_NOT_FOUND: there is no such
 * evaluation; JUDGE_CONFLICT: it has ended, or another worker claimed it. */
typedef struct {
    judge_op_t     op;
    judge_str_t    id;
    judge_lease_t  lease;              /* owner absent: any lease, which is not
                                          prolonged; until must be 0 then */
    double         progress;           /* percent; 0: unchanged */
} judge_work_prolong_t;

/* Releases a claim, whose attempt does not count.  Errors as above. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_str_t  owner;
    judge_str_t  last_error;           /* JSON: why */
    judge_ms_t   again_at;             /* earliest next claim */
} judge_work_release_t;

/* Replaces the key frame of a position.  Errors as above. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_str_t  owner;
    int64_t      position;             /* below JUDGE_KEYFRAMES_MAX */
    judge_ms_t   media_ms;             /* time within the medium */
    judge_str_t  jpeg;
} judge_keyframe_put_t;

typedef struct {
    int64_t     position;
    judge_ms_t  media_ms;
    int64_t     size;                  /* bytes */
} judge_keyframe_row_t;

/* JUDGE_NOT_FOUND: there is no such evaluation. */
typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    judge_keyframe_row_t *rows;        /* out */
    size_t                count;
} judge_keyframe_list_t;

typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    int64_t      position;
    judge_str_t  jpeg;                 /* out */
} judge_keyframe_find_t;


#endif /* JUDGE_STORE_EXTERNAL_H */
