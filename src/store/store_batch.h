/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Operations on batches; part of store.h.
 *
 * Every operation that ends, retries or deletes evaluations updates the counts
 * of their batches in the same transaction.
 */


#ifndef JUDGE_STORE_BATCH_H
#define JUDGE_STORE_BATCH_H


#include "store/store.h"


#define JUDGE_BATCH_SCORES  10         /* 0 to 9, …, 90 to 100 */

typedef struct {
    judge_str_t  id;
    judge_str_t  status;               /* created, evaluating, completed,
                                          failed */
    judge_str_t  content_type;         /* the same for judges and contents */
    int64_t      priority;
    judge_ms_t   created_at;
    judge_ms_t   started_at;           /* 0: not yet */
    judge_ms_t   completed_at;         /* 0: not yet */
    int64_t      total;
    int64_t      completed;
    int64_t      failed;
    int64_t      escalated;            /* evaluations escalated so far */
    int64_t      last_seq;             /* the highest batch_seq given */
    int64_t      score_sum;            /* in hundredths */
    int64_t      score_count;
    int64_t      scores[JUDGE_BATCH_SCORES];
    judge_str_t  judge_ids;            /* JSON array */
    judge_str_t  judge_versions;       /* JSON array, in the same order */
    judge_str_t  name;
    judge_str_t  description;          /* may be absent */
    judge_str_t  content_ids;          /* JSON array */
} judge_batch_row_t;

/* The number of evaluations that had ended, but were retried or deleted. */

static inline int64_t
judge_batch_undone(const judge_batch_row_t *row)
{
    return row->last_seq - row->completed - row->failed;
}


typedef struct {
    judge_judge_model_t     active;
    judge_evaluation_row_t  wanted;    /* members of its evaluations: model,
                                          samples, fresh, deadline, queue_at
                                          (0: before the start, or for an
                                          external worker) */
} judge_batch_judge_t;

typedef struct {
    judge_str_t  id;                   /* in */
    bool         found;                /* out, as all below */
    judge_str_t  file_type;
    judge_str_t  status;
} judge_batch_content_t;

/* Reads what a batch needs: its judges and contents. */
typedef struct {
    judge_op_t              op;
    judge_batch_judge_t    *judges;
    size_t                  njudges;
    judge_batch_content_t  *contents;
    size_t                  ncontents;
    judge_str_t             default_model;       /* out: the organization's */
} judge_batch_check_t;

/* A large batch is written in slices: one transaction writes so many
 * evaluations, or texts with so many bytes.  The worker that wrote a slice
 * writes the next one; if its lease ends, another worker does. */
#define JUDGE_SLICE_ROWS   250
#define JUDGE_RANGE_ROWS   400      /* evaluations of a range */
#define JUDGE_SLICE_TEXTS  400
#define JUDGE_SLICE_BYTES  (1024 * 1024)
#define JUDGE_SLICE_LEASE  5000        /* ms */

/* Stores a slice of the texts of a batch that will be created; the ids of all
 * texts are from `first` to `last`.  JUDGE_BUSY: they are being deleted,
 * because the lease has run out. */
typedef struct {
    judge_op_t            op;
    judge_str_t           id;          /* the batch */
    judge_str_t           first;
    judge_str_t           last;
    judge_ms_t            until;
    judge_content_row_t  *rows;
    size_t                count;
    bool                  continued;   /* not the first slice */
} judge_batch_texts_t;

/* Deletes the texts of a batch that was never created.  JUDGE_NOT_FOUND: none
 * are left, or the batch has been created. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_ms_t   now;
} judge_batch_texts_drop_t;

/*
 * Creates a batch: its row, the contents that come with it, and an evaluation
 * of every content by every judge, with identifiers from `ids`, sorted by
 * content.  The evaluations of a large one are added by slices.
 * JUDGE_NOT_FOUND: a judge or content was deleted, and nothing is stored.
 */
typedef struct {
    judge_op_t             op;
    judge_batch_row_t      row;
    judge_content_row_t   *inlined;
    size_t                 ninlined;
    judge_batch_judge_t   *judges;
    size_t                 njudges;
    judge_str_t           *content_ids;
    size_t                 ncontents;
    bool                   waits;      /* some wait for external workers, */
    judge_ms_t             waits_until;          /* until this deadline */
    judge_str_t            trace;      /* traceparent; may be absent */
    judge_str_t            systems;    /* JSON: names of the systems that wrote
                                          each item's contents; or absent */
    int64_t                pairs;      /* questions about pairs, at most, */
    judge_ms_t             pairs_at;   /* and when they begin; both 0: none */
    bool                   stored;     /* its texts are stored already */
    bool                   large;
    judge_ms_t             until;      /* end of the lease of its slices */
    judge_str_t            first;      /* id of the first evaluation */
    int64_t                contents;   /* ncontents */
    judge_id_t            *ids;        /* not large: njudges * ncontents */
    judge_str_t            content_id; /* private, while it runs */
} judge_batch_create_t;

typedef struct {
    judge_op_t         op;
    judge_str_t        id;
    bool               brief;          /* without description, content_ids */
    judge_batch_row_t  row;            /* out */
} judge_batch_find_t;

#define JUDGE_BATCH_FAILURES  50       /* codes */

typedef struct {
    judge_str_t  code;
    int64_t      count;
} judge_batch_failure_t;

/* The same with the failures of its evaluations by their codes, the most
 * frequent ones first. */
typedef struct {
    judge_op_t              op;
    judge_str_t             id;
    bool                    brief;
    judge_batch_row_t       row;       /* out, as all below */
    judge_batch_failure_t  *failures;
    size_t                  nfailures;
} judge_batch_get_t;

typedef struct {
    judge_op_t          op;
    judge_page_t        page;
    judge_str_t         status;        /* absent: all */
    judge_batch_row_t  *rows;          /* without content_ids */
    size_t              count;
} judge_batch_list_t;

/* Queues a batch's evaluations, by slices, with the current time as their
 * created_at.  JUDGE_CONFLICT: it has been started already. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_ms_t   now;
    judge_ms_t   deadline;
    judge_ms_t   callback_deadline;    /* for external workers */
} judge_batch_start_t;

/* Queues the failed evaluations again, by slices; JUDGE_CONFLICT: none has
 * failed. */
typedef judge_batch_start_t  judge_batch_retry_t;

/* Writes the next slice of a batch; JUDGE_NOT_FOUND: there is none. */
typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    judge_ms_t            now;
    judge_str_t           kind;        /* private, as all below */
    bool                  making;
    bool                  starting;
    bool                  retrying;
    bool                  over;
    judge_str_t           first;
    judge_str_t           last;
    judge_str_t           upto;
    int64_t               done;
    int64_t               items;       /* contents that have evaluations */
    judge_ms_t            at;
    judge_ms_t            deadline;
    judge_ms_t            callback_deadline;
    judge_batch_delta_t  *batches;
} judge_batch_slice_t;

/* Deletes the batch and its evaluations, but not its contents. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    bool         compared;             /* only if it has systems */
    bool         continued;            /* the batch is deleted already: deletes
                                          the next slice of evaluations */
} judge_batch_delete_t;

#define JUDGE_DELETION_ROWS  50        /* evaluations in a transaction */

/* Finds slices whose worker's lease has run out; JUDGE_NOT_FOUND: none.  If a
 * batch, content or judge was deleted, the deleting operation must be
 * submitted with `again`. */
typedef struct {
    judge_op_t   op;
    judge_ms_t   now;
    judge_str_t  org_id;               /* out: the organization */
    judge_str_t  kind;                 /* what is deleted; or making, retrying,
                                          starting or texts of a batch */
    judge_str_t  id;
} judge_slice_next_t;

/* Evaluations in the order in which they ended. */

typedef struct {
    int64_t      seq;
    judge_str_t  id;
    judge_str_t  content_id;
    judge_str_t  judge_id;
    judge_str_t  status;
    double       overall_score;
    bool         scored;
    judge_str_t  error_code;           /* may be absent */
} judge_batch_item_row_t;

typedef struct {
    judge_op_t               op;
    judge_str_t              id;
    judge_page_t             page;     /* without `before` */
    int64_t                  after;    /* batch_seq */
    judge_batch_item_row_t  *rows;
    size_t                   count;
} judge_batch_items_t;

/* Evaluations in the order in which they were created. */

typedef struct {
    judge_evaluation_row_t  evaluation;
    judge_str_t             content_name;
    judge_str_t             content_metadata;  /* with an excerpt only */
    judge_str_t             content_excerpt;
} judge_batch_result_row_t;

typedef struct {
    judge_op_t                 op;
    judge_str_t                id;
    judge_page_t               page;   /* without `before` */
    judge_str_t                after;  /* id of an evaluation; absent: from
                                          the first */
    int64_t                    excerpt;  /* characters of each text; or 0 */
    judge_batch_result_row_t  *rows;
    size_t                     count;
} judge_batch_results_t;

/* A page of a batch's evaluations by one judge, in the order in which they
 * were created, with what identifies the same item in another batch. */

typedef struct {
    judge_str_t  id;
    judge_str_t  content_id;
    judge_str_t  body;                 /* may be absent, as all below */
    judge_str_t  name;
    judge_str_t  metadata;
    judge_str_t  text;                 /* its first max_text bytes */
    int64_t      size;                 /* bytes of the whole text */
    judge_str_t  model;                /* of comparisons only */
} judge_batch_scores_row_t;

typedef struct {
    judge_op_t                 op;
    judge_str_t                id;
    judge_str_t                judge_id;
    judge_str_t                after;
    int64_t                    max_text;
    judge_page_t               page;   /* without `before` */
    judge_batch_scores_row_t  *rows;
    size_t                     count;
} judge_batch_scores_t;

/* Reads the criteria of versions of judges: JSON; absent: no such version. */
typedef struct {
    judge_op_t    op;
    judge_str_t  *judge_ids;
    int64_t      *versions;
    judge_str_t  *criteria;            /* out; room for count */
    size_t        count;
} judge_batch_criteria_t;


#endif /* JUDGE_STORE_BATCH_H */
