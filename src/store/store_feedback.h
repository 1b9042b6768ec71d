/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Operations on feedback and on training examples made from it; part of
 * store.h. */


#ifndef JUDGE_STORE_FEEDBACK_H
#define JUDGE_STORE_FEEDBACK_H


#include "store/store.h"


typedef struct {
    judge_str_t  org;                  /* set by claims only */
    judge_str_t  id;
    judge_str_t  evaluation_id;
    judge_str_t  judge_id;             /* out: the evaluation's */
    int64_t      judge_version;        /* out */
    judge_str_t  type;                 /* correction, rating, approval,
                                          comment */
    bool         criterion_specific;
    judge_str_t  severity;             /* low, medium, high; may be absent */
    double       rating;               /* 1 to 5, if rated */
    bool         rated;
    bool         approved;             /* else rejected, if decided */
    bool         decided;
    judge_str_t  submitted_by;         /* id of a key */
    judge_str_t  submitted_by_person;  /* named by the client; or absent */
    judge_ms_t   submitted_at;
    judge_str_t  updated_by;           /* likewise of the last change, */
    judge_str_t  updated_by_person;
    judge_ms_t   updated_at;           /* 0: it was not changed */
    bool         processed;
    judge_str_t  processing_notes;     /* absent: not processed */
    judge_str_t  target_criteria;      /* JSON array */
    judge_str_t  given_scores;         /* JSON object; "": overall score */
    judge_str_t  content;              /* JSON object */
} judge_feedback_row_t;


/* --- Submitting ---------------------------------------------------------- */

/* An evaluation that feedback is about. */
typedef struct {
    judge_str_t  id;                   /* in */
    bool         found;                /* out, as all below */
    judge_str_t  status;
    judge_str_t  judge_id;
    int64_t      judge_version;
    judge_ms_t   evaluated_at;         /* 0: not yet */
    void        *scores;               /* set by take() */
} judge_feedback_target_t;

/* Reads evaluations; those outside of `batch_id`, if given, are not found.
 * take() is called in the store's thread for each body, which is not copied:
 * bodies are many and long, and only their scores are needed. */
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

/* The members that all entries of a submission share. */
typedef struct {
    judge_str_t  id;                   /* absent: a single entry */
    judge_str_t  batch_id;
    int64_t      rejected;
    bool         retrain;
    bool         notify_email;
    judge_str_t  notify_url;           /* may be absent */
} judge_feedback_session_t;

/* Stores all entries or none, to be processed from queue_at on.
 * JUDGE_NOT_FOUND: an evaluation was deleted or retried meanwhile. */
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
    judge_str_t            type;       /* filters the rows; absent: all */
    judge_str_t            blind;      /* a person who must not see others'
                                          feedback too early; or absent */
    int64_t                total;      /* out, as the next; of all types */
    int64_t                corrections;
    int64_t                approvals;
    int64_t                rejections;
    int64_t                comments;
    int64_t                ratings;
    double                 rating_sum;
    judge_feedback_row_t  *rows;       /* newest first, without given_scores */
    size_t                 count;
} judge_feedback_list_t;

/* Entries that were submitted together; `total` does not count those that have
 * been deleted, also with their evaluations. */
typedef struct {
    judge_op_t             op;
    judge_page_t           page;
    judge_str_t            id;
    judge_str_t            blind;      /* for the rows, as in a list */
    judge_str_t            batch_id;   /* out */
    judge_str_t            submitted_by;
    judge_ms_t             submitted_at;
    int64_t                accepted;
    int64_t                rejected;
    int64_t                total;
    int64_t                pending;    /* not processed yet */
    judge_feedback_row_t  *rows;       /* newest first, without given_scores */
    size_t                 count;
} judge_feedback_session_find_t;


/* --- Processing (any org) ------------------------------------------------ */

/* An entry that a worker has claimed, and the examples made from it. */

typedef struct {
    judge_str_t  criterion_id;         /* empty: the overall score */
    const char  *kind;                 /* correction, approval, rejection,
                                          rating */
    double       target;               /* 0 to 100 */
    double       weight;               /* negative: lowers others' weight */
    double       given;                /* the judge's score */
    bool         known;                /* the judge gave a score */
} judge_example_t;

typedef struct {
    judge_feedback_row_t  row;         /* out of CLAIM */
    int64_t               attempts;    /* this one included */
    bool                  judge_deleted;
    judge_str_t           notes;       /* for FINISH; absent: skip it */
    judge_example_t      *examples;
    size_t                nexamples;
    bool                  ended;       /* by FINISH; its examples are stored */
} judge_feedback_job_t;

/* Claims the oldest entries.  JUDGE_NOT_FOUND: none is due. */
typedef struct {
    judge_claim_t          claim;      /* its owner is not stored */
    judge_feedback_job_t  *jobs;       /* out */
    size_t                 count;
} judge_feedback_claim_t;

/* A session whose entries have all been processed. */
typedef struct judge_feedback_done  judge_feedback_done_t;

struct judge_feedback_done {
    judge_str_t             org;
    judge_str_t             id;
    judge_str_t             batch_id;
    judge_ms_t              submitted_at;
    int64_t                 accepted;
    int64_t                 rejected;
    bool                    notify_email;
    int64_t                 ended;     /* entries of it in an operation */
    judge_feedback_done_t  *next;
};

/* Writes the outcome.  An entry that was processed or deleted meanwhile is not
 * changed; a judge that was deleted gets no examples. */
typedef struct {
    judge_op_t             op;
    judge_feedback_job_t  *jobs;       /* of any org */
    size_t                 count;
    judge_feedback_done_t *sessions;   /* private, as all below */
    size_t                 job;        /* index of a job, */
    size_t                 next;       /* of one of its examples, */
    judge_str_t            entry_org;  /* and the entry's organization */
    judge_str_t            entry_id;
} judge_feedback_finish_t;


/* --- One entry ----------------------------------------------------------- */

/* Reads, changes or deletes the entry row.id; the latter two delete its
 * examples.  JUDGE_NOT_FOUND: there is no such entry. */
typedef struct {
    judge_op_t             op;
    judge_feedback_row_t   row;        /* without given_scores, if read */
    judge_ms_t             now;        /* of a change */
    judge_str_t            blind;      /* of FIND and DELETE, as in a list */
    judge_feedback_done_t  session;    /* private */
} judge_feedback_one_t;


/* --- Learning ------------------------------------------------------------ */

/*
 * The sum of all entries about one score.  Corrections give another score; the
 * other entries raise or lower the weight of the given score, which together
 * is never below 0:
 *
 *   target = (sum(c * t) + e * s) / weight,  weight = sum(c) + max(0, e)
 *
 * over corrections to t with weight c; s is the given score, e the sum of the
 * other weights.
 */
typedef struct {
    judge_str_t  evaluation_id;
    judge_str_t  criterion_id;         /* empty: the overall score */
    int64_t      entries;              /* number of entries about it */
    double       target;               /* 0 to 100 */
    double       weight;               /* 0: nothing can be learned */
    double       human;                /* mean of the corrections, if any */
    bool         corrected;
    judge_ms_t   first_at;             /* when the oldest was submitted */
    judge_ms_t   last_at;
} judge_example_row_t;

/* An evaluation that feedback is about. */
typedef struct {
    judge_str_t  id;
    int64_t      judge_version;
    judge_str_t  body;                 /* absent: it is not completed */
    judge_str_t  features;             /* as in judge_result_t; may be
                                          absent, as all below */
    judge_str_t  text;
    judge_str_t  name;                 /* the content's */
    judge_str_t  metadata;             /* its JSON */
    bool         review;               /* a review was recommended */
} judge_taught_t;

#define JUDGE_EXAMPLE_PAGE  200        /* evaluations of a page, at most */
#define JUDGE_EXAMPLE_ROWS  13000      /* all of their examples */

/* The evaluations of a judge that feedback is about, and its training
 * examples, both sorted by evaluation. */
typedef struct {
    judge_op_t            op;
    judge_str_t           judge_id;
    judge_ms_t            until;       /* submitted by then; 0: all */
    judge_str_t           batch_id;    /* absent: in any batch or none */
    judge_str_t           after;       /* the last evaluation of the page
                                          before; absent: none */
    judge_str_t           before;      /* evaluations with smaller ids; absent:
                                          all */
    int64_t               limit;       /* number of evaluations */
    int64_t               max_text;    /* bytes of a text; 0: no texts */
    judge_taught_t       *items;
    size_t                count;
    judge_example_row_t  *rows;
    size_t                nrows;
} judge_example_list_t;

/* The number of corrections that are used, the newest ones. */
#define JUDGE_RESIDUAL_CORRECTIONS  4000
#define JUDGE_RESIDUAL_ROWS  65        /* criteria, and the overall score */

/* The number of corrections from which on `shift` is estimated. */
#define JUDGE_RESIDUAL_SHIFTED  20

/* How far people's scores lie from those of a version of a judge.  Their
 * median is `shift` points above the judge's score, and nine of ten of them,
 * as split-conformal prediction counts (Vovk et al. 2005), are at most `width`
 * points from that. */
typedef struct {
    judge_str_t  criterion_id;         /* empty: the overall score */
    int64_t      n;                    /* number of corrections, at least 9 */
    double       shift;
    double       width;
} judge_residual_row_t;

typedef struct {
    judge_op_t             op;
    judge_str_t            judge_id;
    int64_t                version;
    judge_residual_row_t  *rows;
    size_t                 count;
} judge_residual_list_t;

/* The score that a person, or else a key, gave; the mean if there are more. */
typedef struct {
    judge_str_t  evaluation_id;
    judge_str_t  criterion_id;         /* empty: the overall score */
    double       score;
} judge_opinion_t;

#define JUDGE_OPINIONS  20000

/* Scores of a judge that several people have corrected; or those of the items
 * of an annotation queue that enough people have corrected or approved.  Rows
 * about the same score are adjacent, and sorted by person. */
typedef struct {
    judge_op_t        op;
    judge_str_t       judge_id;
    judge_str_t       queue_id;        /* of annotation_opinions */
    judge_str_t       after;           /* id of an evaluation; absent: all */
    judge_opinion_t  *rows;
    size_t            count;
} judge_opinion_list_t;


#endif /* JUDGE_STORE_FEEDBACK_H */
