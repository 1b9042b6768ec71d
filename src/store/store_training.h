/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Operations on training jobs and on the models that judges have learned;
 * part of store.h. */


#ifndef JUDGE_STORE_TRAINING_H
#define JUDGE_STORE_TRAINING_H


#include "store/store.h"


typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    judge_str_t  judge_id;
    judge_str_t  type;                 /* incremental, full_retrain,
                                          fine_tune, validation */
    judge_str_t  status;               /* created, queued, preparing,
                                          training, validating, completed,
                                          failed, cancelled */
    int64_t      priority;
    int64_t      attempts;             /* number of claims */
    int64_t      seq;                  /* number of changes */
    judge_ms_t   created_at;
    judge_str_t  created_by;           /* id of a key */
    judge_ms_t   executed_at;          /* 0: not yet; likewise all times */
    judge_str_t  execution_id;
    judge_ms_t   started_at;
    judge_ms_t   completed_at;
    judge_str_t  allocation;           /* absent: standard */
    judge_ms_t   max_duration;         /* 0: no limit */
    judge_ms_t   until;                /* later feedback is ignored */
    int64_t      base_version;         /* version it builds on; 0: not begun */
    int64_t      new_version;          /* 0: none was made */
    bool         deployed;
    int64_t      items;                /* evaluations learned from */
    judge_ms_t   estimate;             /* duration of the whole run */
    judge_str_t  phase;
    int64_t      epoch;
    int64_t      epochs;
    double       progress;             /* 0 to 1 */
    judge_str_t  config;               /* JSON objects from here on */
    judge_str_t  options;
    judge_str_t  summary;
    judge_str_t  metrics;              /* may be absent, as all below */
    judge_str_t  results;
    judge_str_t  error;
    uint64_t     refits;               /* a refit of base_version: identity of
                                          the engine's inputs; else 0 */
} judge_training_row_t;


/* --- Before a job -------------------------------------------------------- */

/* Counts the feedback on a judge, after `since` and until `until`; and how
 * long its organization's last jobs of a tier took. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    judge_ms_t   since;                /* 0: from the first */
    judge_ms_t   until;                /* 0: all */
    judge_str_t  allocation;           /* the tier; absent: standard */
    int64_t      total;                /* out, as all below */
    int64_t      usable;               /* without comments */
    int64_t      corrections;
    int64_t      ratings;
    judge_ms_t   earliest;             /* 0: there is no feedback */
    judge_ms_t   latest;
    int64_t      pending;              /* not processed yet */
    int64_t      teaching;             /* entries with a score to learn from */
    int64_t      evaluations;          /* evaluations that these are about */
    judge_ms_t   spent;                /* time that finished jobs took */
    int64_t      spent_on;             /* items that these learned from */
    bool         found;                /* the judge exists */
    judge_str_t  waiting;              /* its queued job; absent: none */
} judge_training_summary_t;

/* JUDGE_NOT_FOUND: there is no such judge; or the refit exists already. */
typedef struct {
    judge_op_t            op;
    judge_training_row_t  row;         /* in; status created or queued */
} judge_training_create_t;

#define JUDGE_REFIT_WAIT  600000       /* ms that evaluations wait for a refit,
                                          at most */

/* JUDGE_NOT_FOUND: there is no such judge. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    int64_t      version;
    uint64_t     engine;               /* identity */
    bool         active;               /* out, as all below */
    bool         tried;                /* there is a job, ended or not */
    judge_ms_t   since;                /* its creation; 0: it has ended, or
                                          there is none */
    int64_t      refitted;             /* the version that it made; or 0 */
} judge_refit_find_t;


/* --- Reading ------------------------------------------------------------- */

typedef struct {
    int64_t  epoch;
    double   training_loss;
    double   validation_loss;
    bool     validated;
} judge_training_epoch_t;

typedef struct {
    judge_ms_t   at;
    judge_str_t  level;                /* info, warning, error */
    judge_str_t  message;
} judge_training_log_t;

#define JUDGE_TRAINING_LOGS  1000      /* lines shown, at most */

typedef struct {
    judge_op_t               op;
    judge_str_t              id;
    judge_training_row_t     row;      /* out */
} judge_training_find_t;

/* Reads the last `limit` epochs and last lines of the log, oldest first. */
typedef struct {
    judge_op_t               op;
    judge_str_t              id;
    int64_t                  limit;    /* number of epochs */
    bool                     with_logs;
    judge_training_epoch_t  *epochs;
    size_t                   nepochs;
    judge_training_log_t    *logs;
    size_t                   nlogs;
} judge_training_course_t;

typedef struct {
    judge_op_t             op;
    judge_page_t           page;
    judge_str_t            judge_id;   /* absent: all */
    judge_str_t            status;
    judge_training_row_t  *rows;       /* newest first, without metrics and
                                          results */
    size_t                 count;
} judge_training_list_t;


/* --- Changes by clients -------------------------------------------------- */

/* Queues a job; JUDGE_CONFLICT: its status is not "created". */
typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    int64_t               priority;    /* -1: unchanged */
    judge_str_t           allocation;  /* absent: unchanged */
    judge_ms_t            max_duration;          /* 0: unchanged */
    judge_str_t           options;     /* JSON; summary, too */
    judge_str_t           summary;
    judge_ms_t            estimate;    /* duration of the whole run */
    judge_str_t           execution_id;
    judge_str_t           executed_by;
    judge_ms_t            now;
    int64_t               ahead;       /* out: jobs that run before it */
    judge_ms_t            ahead_ms;    /* out: the time that these are expected
                                          to take */
    judge_training_row_t  row;         /* out */
} judge_training_execute_t;

/* Cancels a job; JUDGE_CONFLICT: it has ended. */
typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    judge_ms_t            now;
    int64_t               changed;     /* private, while it runs */
    judge_training_row_t  row;         /* out */
} judge_training_cancel_t;


/* --- For workers (any org) ----------------------------------------------- */

/* Claims the most urgent job; if it was queued, it becomes "preparing".
 * JUDGE_NOT_FOUND: none is due. */
typedef struct {
    judge_claim_t         claim;
    judge_training_row_t  row;         /* out */
} judge_training_claim_t;

/* The checkpoint where a job continues; absent: at the beginning. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_str_t  state;                /* out */
} judge_training_checkpoint_t;

/* Stores progress.  JUDGE_CONFLICT: another worker has the job, or it was
 * cancelled. */
typedef struct {
    judge_op_t               op;
    judge_str_t              id;
    judge_lease_t            lease;
    judge_str_t              status;   /* absent: unchanged, as all below */
    judge_str_t              phase;
    int64_t                  base_version;       /* 0: unchanged */
    judge_ms_t               until;
    int64_t                  items;
    int64_t                  epoch;    /* -1: unchanged */
    int64_t                  epochs;
    double                   progress; /* < 0: unchanged */
    const judge_training_epoch_t  *losses;
    size_t                   nlosses;
    const judge_training_log_t    *logs;
    size_t                   nlogs;
    judge_str_t              state;    /* new checkpoint; absent: unchanged */
    bool                     release;  /* ends the claim, whose attempt does
                                          not count */
} judge_training_progress_t;

/*
 * Ends a job.  With a model the judge gets a new version, a copy of the base
 * with that model, which becomes active if `deploy` is set.  JUDGE_CONFLICT:
 * another worker has the job, or it was cancelled.  JUDGE_STALE: the judge was
 * changed or deleted since the job began; nothing is written.
 */
typedef struct {
    judge_op_t                   op;
    judge_str_t                  id;
    judge_str_t                  owner;
    judge_str_t                  status;
    judge_ms_t                   now;
    judge_str_t                  metrics;        /* JSON; absent: none */
    judge_str_t                  results;
    judge_str_t                  error;
    const judge_training_log_t  *logs;
    size_t                       nlogs;
    judge_str_t                  judge_id;
    int64_t                      base_version;
    judge_str_t                  model;          /* absent: no new version */
    judge_str_t                  changes_summary;
    judge_str_t                  criteria;       /* of the new version, or
                                          else of the base; absent: as they
                                          are */
    judge_ms_t                   trained_until;
    int64_t                      items;
    uint64_t                     inputs;         /* the model's identity */
    bool                         deploy;
    int64_t                      version;        /* out: the new version */
} judge_training_finish_t;


/* --- Evaluations and feedback -------------------------------------------- */

typedef struct {
    judge_str_t  id;
    judge_str_t  content_id;
    judge_str_t  name;                 /* the content's */
    int64_t      judge_version;
    judge_ms_t   evaluated_at;
    double       overall_score;
    int64_t      review;               /* JUDGE_REVIEW_... */
    judge_str_t  features;             /* as in judge_result_t; may be
                                          absent */
    bool         known;                /* it has feedback */
} judge_review_row_t;

/* The newest completed evaluations of a judge, with or without feedback. */
typedef struct {
    judge_op_t           op;
    judge_str_t          judge_id;
    judge_review_row_t  *rows;
    size_t               count;
} judge_review_list_t;

#define JUDGE_REVIEW_ITEMS  500

/* Reads the newest feedback in words on evaluations, and their contents. */
typedef struct {
    judge_str_t  id;                   /* in: the evaluation's */
    judge_str_t  content_id;           /* out; absent: does not exist */
    judge_str_t  content;              /* out: feedback's, JSON; may
                                          be absent */
} judge_reason_t;

typedef struct {
    judge_op_t       op;
    judge_reason_t  *rows;
    size_t           count;
} judge_reason_list_t;

/* Finds the evaluation after which there are `newest` others with examples;
 * absent: there are no more in all. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    int64_t      newest;
    judge_str_t  id;                   /* out */
} judge_example_start_t;


/* --- Models -------------------------------------------------------------- */

/* JUDGE_NOT_FOUND: the version has learned nothing. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    int64_t      version;
    judge_str_t  job_id;               /* out, as all below */
    judge_ms_t   created_at;
    judge_ms_t   trained_until;
    int64_t      items;
    uint64_t     inputs;               /* the model's; 0: not known */
    judge_str_t  model;
} judge_calibrator_find_t;


#endif /* JUDGE_STORE_TRAINING_H */
