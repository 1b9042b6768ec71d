/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Operations on batches; part of store.h.
 *
 * The counts of a batch are kept by whatever changes its evaluations, in the
 * same transaction: their end, their retry, and the deletion of a content.
 */


#ifndef JUDGE_STORE_BATCH_H
#define JUDGE_STORE_BATCH_H


#include "store/store.h"


#define JUDGE_BATCH_SCORES  10         /* 0 to 9, …, 90 to 100 */

typedef struct {
    judge_str_t  id;
    judge_str_t  status;               /* created, evaluating, completed,
                                          failed */
    judge_str_t  content_type;         /* of all its judges and contents */
    int64_t      priority;
    judge_ms_t   created_at;
    judge_ms_t   started_at;           /* 0: not yet */
    judge_ms_t   completed_at;         /* 0: not yet */
    int64_t      total;
    int64_t      completed;
    int64_t      failed;
    int64_t      escalated;            /* to a language model, so far */
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

/* How many evaluations had ended and were retried or deleted since. */

static inline int64_t
judge_batch_undone(const judge_batch_row_t *row)
{
    return row->last_seq - row->completed - row->failed;
}


/* What has to be there before a batch is made. */

typedef struct {
    judge_str_t  id;                   /* in */
    bool         found;                /* out, all of these */
    int64_t      version;
    judge_str_t  content_type;
    judge_evaluation_row_t  wanted;    /* of its evaluations, only: model,
                                          samples, fresh, deadline, and
                                          queue_at, 0 before the start
                                          or where it waits */
} judge_batch_judge_t;

typedef struct {
    judge_str_t  id;                   /* in */
    bool         found;                /* out, all of these */
    judge_str_t  file_type;
    judge_str_t  status;
} judge_batch_content_t;

typedef struct {
    judge_op_t              op;
    judge_batch_judge_t    *judges;
    size_t                  njudges;
    judge_batch_content_t  *contents;
    size_t                  ncontents;
} judge_batch_check_t;

/*
 * What is more goes in slices: a transaction takes so many evaluations, or
 * texts of so many bytes.  Who has taken one goes on; somebody else does after
 * the lease, in ms.
 */
#define JUDGE_SLICE_ROWS   250
#define JUDGE_RANGE_ROWS   400      /* made, and then evaluated, together */
#define JUDGE_SLICE_TEXTS  100
#define JUDGE_SLICE_BYTES  (256 * 1024)
#define JUDGE_SLICE_LEASE  5000

/* Texts of a batch to come, of which the first and the last are named.
 * JUDGE_BUSY: they are being taken back. */
typedef struct {
    judge_op_t            op;
    judge_str_t           id;          /* the batch */
    judge_str_t           first;
    judge_str_t           last;
    judge_ms_t            until;
    judge_content_row_t  *rows;
    size_t                count;
    bool                  again;       /* some are there already */
} judge_batch_texts_t;

/* JUDGE_NOT_FOUND: none are left, or they are being used. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_ms_t   now;
} judge_batch_texts_drop_t;

/*
 * A batch: its row, the contents that come with it, and an evaluation of every
 * content by every judge, whose identifiers stand in `ids`, all of the first
 * content first.  A large one gets them by slices.  JUDGE_NOT_FOUND: a judge
 * or content has gone meanwhile, and nothing is stored.
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
    bool                   waits;      /* some, for external workers, */
    judge_ms_t             waits_until;          /* their deadline */
    bool                   stored;     /* its texts are there already */
    bool                   large;
    judge_ms_t             until;      /* of that: who goes on with it */
    judge_str_t            first;      /* the range of evaluations */
    int64_t                contents;   /* ncontents */
    judge_id_t            *ids;        /* not large: njudges * ncontents */
    judge_str_t            content_id; /* while it runs */
} judge_batch_create_t;

typedef struct {
    judge_op_t         op;
    judge_str_t        id;
    bool               brief;          /* without description, content_ids */
    judge_batch_row_t  row;            /* out */
} judge_batch_find_t;

typedef struct {
    judge_op_t          op;
    judge_page_t        page;
    judge_str_t         status;        /* absent: all */
    judge_batch_row_t  *rows;          /* without content_ids */
    size_t              count;
} judge_batch_list_t;

/* Its evaluations enter the queue, by slices, and count as made now.
 * JUDGE_CONFLICT: it has been started before. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_ms_t   now;
    judge_ms_t   deadline;
    judge_ms_t   callback_deadline;    /* where an external worker judges */
} judge_batch_start_t;

/* The failed ones go back into the queue, by slices; JUDGE_CONFLICT: there are
 * none. */
typedef judge_batch_start_t  judge_batch_retry_t;

/* The next slice of a batch; JUDGE_NOT_FOUND: there is none left. */
typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    judge_ms_t            now;
    judge_str_t           kind;        /* while it runs, all of these */
    bool                  making;
    bool                  starting;
    bool                  retrying;
    bool                  over;
    judge_str_t           first;
    judge_str_t           last;
    judge_str_t           upto;
    int64_t               done;
    int64_t               items;       /* contents whose evaluations are
                                          made */
    judge_ms_t            at;
    judge_ms_t            deadline;
    judge_ms_t            callback_deadline;
    judge_batch_deltas_t  batches;
} judge_batch_slice_t;

/* The batch and its evaluations; its contents stay. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    bool         again;                /* of one that was deleted before: the
                                          next slice of its evaluations */
} judge_batch_delete_t;

#define JUDGE_DELETION_ROWS  50        /* evaluations in a transaction */

/* One of those that nobody goes on with; JUDGE_NOT_FOUND: there is none.
 * Where a batch, a content or a judge was deleted, the operation that did it
 * is to be run `again`. */
typedef struct {
    judge_op_t   op;
    judge_ms_t   now;
    judge_str_t  at;                   /* out: its organization */
    judge_str_t  kind;                 /* or making, retrying, starting, of a
                                          batch, or its texts */
    judge_str_t  id;
} judge_slice_next_t;

#define JUDGE_BATCH_FAILURES  50

typedef struct {
    judge_str_t  code;
    int64_t      count;
} judge_batch_failure_t;

typedef struct {                       /* the most frequent ones first */
    judge_op_t              op;
    judge_str_t             id;
    judge_batch_failure_t  *rows;
    size_t                  count;
} judge_batch_failures_t;

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
    int64_t                  after;    /* a batch_seq */
    judge_batch_item_row_t  *rows;
    size_t                   count;
} judge_batch_items_t;

/* Evaluations in the order in which they were made. */

typedef struct {
    judge_evaluation_row_t  evaluation;
    judge_str_t             content_name;
} judge_batch_result_row_t;

typedef struct {
    judge_op_t                 op;
    judge_str_t                id;
    judge_page_t               page;   /* without `before` */
    judge_str_t                after;  /* an evaluation; absent: from the
                                          first */
    judge_batch_result_row_t  *rows;
    size_t                     count;
} judge_batch_results_t;

/* The criteria of judges in some version, JSON; absent where there is none. */
typedef struct {
    judge_op_t    op;
    judge_str_t  *judge_ids;
    int64_t      *versions;
    judge_str_t  *criteria;            /* out; room for count */
    size_t        count;
} judge_batch_criteria_t;


#endif /* JUDGE_STORE_BATCH_H */
