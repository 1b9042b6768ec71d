/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Operations on feedback and on the examples that are made of it; part of
 * store.h.
 */


#ifndef JUDGE_STORE_FEEDBACK_H
#define JUDGE_STORE_FEEDBACK_H


#include "store/store.h"


typedef struct {
    judge_str_t  org;                  /* out of a claim only */
    judge_str_t  id;
    judge_str_t  evaluation_id;
    judge_str_t  judge_id;             /* out: of the evaluation */
    int64_t      judge_version;        /* out */
    judge_str_t  type;                 /* correction, rating, approval,
                                          comment */
    bool         criterion_specific;
    judge_str_t  severity;             /* low, medium, high; may be absent */
    double       rating;               /* 1 to 5, if rated */
    bool         rated;
    bool         approved;             /* if decided */
    bool         decided;
    judge_str_t  submitted_by;         /* a key */
    judge_str_t  submitted_by_person;  /* as its owner says; may be absent */
    judge_ms_t   submitted_at;
    bool         processed;
    judge_str_t  processing_notes;     /* absent: not processed */
    judge_str_t  target_criteria;      /* JSON array */
    judge_str_t  given_scores;         /* JSON object; "" is the overall one */
    judge_str_t  content;              /* JSON object */
} judge_feedback_row_t;


/* --- Submitting ---------------------------------------------------------- */

/* An evaluation that feedback speaks about. */
typedef struct {
    judge_str_t  id;                   /* in */
    bool         found;                /* out, all of these */
    judge_str_t  status;
    judge_str_t  judge_id;
    int64_t      judge_version;
    judge_ms_t   evaluated_at;         /* 0: not yet */
    void        *scores;               /* the taker's */
} judge_feedback_target_t;

/*
 * Looks for evaluations; those outside of `batch_id`, if given, are not found.
 * take() is called in the store's thread for each that has a body, which is
 * gone afterwards: bodies are long and many, and hardly anything is wanted.
 */
typedef struct judge_feedback_targets  judge_feedback_targets_t;

struct judge_feedback_targets {
    judge_op_t                op;
    judge_str_t               batch_id;
    judge_feedback_target_t  *targets; /* in and out */
    size_t                    count;
    judge_rc_e              (*take)(judge_feedback_targets_t *o,
                                    judge_feedback_target_t *target,
                                    judge_str_t body);
};

/* What holds for a whole submission. */
typedef struct {
    judge_str_t  id;                   /* absent: a single entry */
    judge_str_t  batch_id;
    int64_t      rejected;
    bool         retrain;
    bool         notify_email;
    judge_str_t  notify_url;           /* may be absent */
} judge_feedback_session_t;

/*
 * Stores entries, all or none, to be processed from queue_at on.
 * JUDGE_NOT_FOUND: an evaluation is not there, or not completed, any more.
 */
typedef struct {
    judge_op_t                op;
    judge_feedback_session_t  session;
    judge_feedback_row_t     *rows;
    size_t                    count;
    judge_str_t               submitted_by;
    judge_ms_t                now;     /* submitted_at and queue_at */
} judge_feedback_create_t;


/* --- Reading ------------------------------------------------------------- */

typedef struct {
    judge_op_t             op;
    judge_page_t           page;
    judge_str_t            evaluation_id;
    judge_str_t            type;       /* absent: all; of the rows only */
    int64_t                total;      /* out; of all types, as these: */
    int64_t                corrections;
    int64_t                approvals;
    int64_t                rejections;
    int64_t                comments;
    int64_t                ratings;
    double                 rating_sum;
    judge_feedback_row_t  *rows;       /* newest first, without given_scores */
    size_t                 count;
} judge_feedback_list_t;

/* Entries that were submitted together; those whose evaluations are deleted
 * are gone from `total`. */
typedef struct {
    judge_op_t             op;
    judge_page_t           page;
    judge_str_t            id;
    judge_str_t            batch_id;   /* out */
    judge_str_t            submitted_by;
    judge_ms_t             submitted_at;
    int64_t                accepted;
    int64_t                rejected;
    int64_t                total;
    int64_t                pending;    /* to be processed */
    judge_feedback_row_t  *rows;       /* newest first, without given_scores */
    size_t                 count;
} judge_feedback_session_find_t;


/* --- Processing (any org) ------------------------------------------------ */

/* Is there anything to be processed? */
typedef struct {
    judge_op_t  op;
    judge_ms_t  now;
    bool        pending;               /* out */
} judge_feedback_peek_t;

/* An entry in the hands of a worker, and what comes of it. */

typedef struct {
    judge_str_t  criterion_id;         /* empty: the overall score */
    const char  *kind;                 /* correction, approval, rejection,
                                          rating */
    double       target;               /* 0 to 100 */
    double       weight;               /* below 0: takes away from others */
    double       given;                /* the judge's score */
    bool         known;                /* it gave one */
} judge_example_t;

typedef struct {
    judge_feedback_row_t  row;         /* out of CLAIM */
    int64_t               attempts;    /* with this one */
    bool                  judge_deleted;
    judge_str_t           notes;       /* into FINISH; absent: leave it */
    judge_example_t      *examples;
    size_t                nexamples;
} judge_feedback_job_t;

/* The oldest ones first. */
typedef struct {
    judge_op_t             op;
    judge_ms_t             now;
    judge_lease_t          lease;      /* without an owner */
    int64_t                limit;
    judge_feedback_job_t  *jobs;       /* out */
    size_t                 count;
} judge_feedback_claim_t;

/* A session, all of whose entries have been processed. */
typedef struct judge_feedback_done  judge_feedback_done_t;

struct judge_feedback_done {
    judge_str_t             org;
    judge_str_t             id;
    judge_str_t             batch_id;
    judge_ms_t              submitted_at;
    int64_t                 accepted;
    int64_t                 rejected;
    bool                    notify_email;
    int64_t                 ended;     /* entries, in one operation */
    judge_feedback_done_t  *next;
};

/* One that was processed or deleted meanwhile stays as it is; a judge that
 * was deleted gets no examples. */
typedef struct {
    judge_op_t             op;
    judge_feedback_job_t  *jobs;       /* of any org */
    size_t                 count;
    judge_feedback_done_t *sessions;   /* while it runs */
    judge_feedback_done_t *session;    /* likewise */
    size_t                 at;         /* likewise: a job, and one of */
    size_t                 next;       /* its examples, */
    judge_str_t            entry_org;  /* and whose it is */
    judge_str_t            entry_id;
} judge_feedback_finish_t;


/* --- Learning ------------------------------------------------------------ */

/*
 * What all entries about one score say together.  Corrections say what it
 * should be; the others add to, or take from, the weight with which the given
 * score is right, and together never below 0:
 *
 *   target = (sum(c * t) + e * s) / weight,  weight = sum(c) + max(0, e)
 *
 * over corrections to t with weight c; s is the given score, e the sum of the
 * other weights.
 */
typedef struct {
    judge_str_t  evaluation_id;
    judge_str_t  criterion_id;         /* empty: the overall score */
    judge_str_t  content_id;
    int64_t      judge_version;
    int64_t      entries;              /* so many speak about it */
    double       target;               /* 0 to 100 */
    double       weight;               /* 0: they teach nothing */
    judge_ms_t   first_at;             /* the oldest of these was submitted */
    judge_ms_t   last_at;
} judge_example_row_t;

/* The training examples of a judge by evaluation and criterion. */
typedef struct {
    judge_op_t            op;
    judge_str_t           judge_id;
    judge_ms_t            since;       /* submitted after; 0: all */
    judge_ms_t            until;       /* submitted by then; 0: all */
    judge_str_t           after_evaluation;  /* the last row before these; */
    judge_str_t           after_criterion;   /* absent: from the first */
    int64_t               limit;
    bool                  more;        /* out */
    judge_example_row_t  *rows;
    size_t                count;
} judge_example_list_t;

/* Corrections that are looked at, the newest. */
#define JUDGE_SPREAD_CORRECTIONS  4000
#define JUDGE_SPREAD_ROWS  65          /* criteria, and the overall score */

/* Corrections from which on it is known whether they lie above or below. */
#define JUDGE_SPREAD_SHIFTED  20

/* How far the scores of people lie from those that a version of a judge gave:
 * `shift` points above, and nine of ten corrections, as split-conformal
 * prediction counts them (Vovk et al. 2005), at most `width` from there. */
typedef struct {
    judge_str_t  criterion_id;         /* empty: the overall score */
    int64_t      n;                    /* corrections, 9 at least */
    double       shift;
    double       width;
} judge_spread_row_t;

typedef struct {
    judge_op_t           op;
    judge_str_t          judge_id;
    int64_t              version;
    judge_spread_row_t  *rows;
    size_t               count;
} judge_spread_list_t;

/* What one person (else a key) says a score should be; the mean, where more
 * than once. */
typedef struct {
    judge_str_t  evaluation_id;
    judge_str_t  criterion_id;         /* empty: the overall score */
    double       score;
} judge_opinion_t;

#define JUDGE_OPINIONS  20000

/* Of the scores of a judge that several people corrected; those about one
 * score stand together, in the same order of people. */
typedef struct {
    judge_op_t        op;
    judge_str_t       judge_id;
    judge_str_t       after;           /* evaluations; absent: all */
    judge_opinion_t  *rows;
    size_t            count;
} judge_opinion_list_t;


#endif /* JUDGE_STORE_FEEDBACK_H */
