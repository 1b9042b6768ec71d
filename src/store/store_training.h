/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Operations on training jobs and on the models that judges have learned;
 * part of store.h.
 */


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
    int64_t      attempts;             /* how often it was taken up */
    int64_t      seq;                  /* changes so far */
    judge_ms_t   created_at;
    judge_str_t  created_by;           /* a key */
    judge_ms_t   executed_at;          /* 0: not yet, as of all times */
    judge_str_t  execution_id;
    judge_ms_t   started_at;
    judge_ms_t   completed_at;
    judge_str_t  allocation;           /* absent: standard */
    judge_ms_t   max_duration;         /* 0: as long as it takes */
    judge_ms_t   until;                /* learns from what was submitted by
                                          then */
    int64_t      base_version;         /* it began with; 0: not begun */
    int64_t      new_version;          /* 0: none was made */
    bool         deployed;
    int64_t      items;                /* evaluations learned from */
    judge_ms_t   estimate;             /* of the whole run */
    judge_str_t  phase;
    int64_t      epoch;
    int64_t      epochs;
    double       progress;             /* 0 to 1, of everything */
    judge_str_t  config;               /* JSON objects from here on */
    judge_str_t  options;
    judge_str_t  summary;
    judge_str_t  metrics;              /* may be absent, as what follows */
    judge_str_t  results;
    judge_str_t  error;
    uint64_t     refits;               /* identity of the engine for which it
                                          fits base_version again; 0: it does
                                          not */
} judge_training_row_t;


/* --- Before a job -------------------------------------------------------- */

/* What has been said about a judge, by `until` and after `since`, but for
 * comments; and how long its organization's last jobs of a tier took. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    judge_ms_t   since;                /* 0: from the first */
    judge_ms_t   until;                /* 0: all */
    judge_str_t  allocation;           /* the tier; absent: standard */
    int64_t      total;                /* out, all of these; with comments */
    int64_t      usable;               /* without */
    int64_t      corrections;
    int64_t      ratings;
    judge_ms_t   earliest;             /* 0: there is none */
    judge_ms_t   latest;
    int64_t      pending;              /* not processed yet */
    int64_t      teaching;             /* entries that can teach a score */
    int64_t      evaluations;          /* that these speak about */
    judge_ms_t   spent;                /* by finished jobs */
    int64_t      spent_on;             /* items */
    bool         found;                /* the judge is there */
    judge_str_t  waiting;              /* its queued job; absent: none */
} judge_training_summary_t;

/* JUDGE_NOT_FOUND: there is no such judge; or one that refits was made. */
typedef struct {
    judge_op_t            op;
    judge_training_row_t  row;         /* in; status created or queued */
} judge_training_create_t;

#define JUDGE_REFIT_WAIT  600000       /* ms at most for which evaluations wait
                                          until a version is fitted again */

/* JUDGE_NOT_FOUND: there is no such judge. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    int64_t      version;
    uint64_t     engine;               /* identity */
    bool         active;               /* out, all of these */
    bool         tried;                /* there is a job, ended or not */
    judge_ms_t   since;                /* when that was made; 0: none is under
                                          way */
    int64_t      refitted;             /* the version that came of it; or 0 */
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

#define JUDGE_TRAINING_LOGS  1000      /* shown at most */

typedef struct {
    judge_op_t               op;
    judge_str_t              id;
    judge_training_row_t     row;      /* out */
} judge_training_find_t;

/* The last `limit` epochs, the oldest of them first; logs likewise. */
typedef struct {
    judge_op_t               op;
    judge_str_t              id;
    int64_t                  limit;    /* of epochs; 0: none */
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


/* --- Changes from outside ------------------------------------------------ */

/* JUDGE_CONFLICT: it is not `created`. */
typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    int64_t               priority;    /* -1: as it was created */
    judge_str_t           allocation;  /* absent: likewise */
    judge_ms_t            max_duration;          /* 0: likewise */
    judge_str_t           options;     /* JSON, as the summary */
    judge_str_t           summary;
    judge_ms_t            estimate;    /* of the whole run */
    judge_str_t           execution_id;
    judge_str_t           executed_by;
    judge_ms_t            now;
    int64_t               ahead;       /* out: jobs that go first */
    judge_ms_t            ahead_ms;    /* out: what these are expected to
                                          take */
    judge_training_row_t  row;         /* out */
} judge_training_execute_t;

/* JUDGE_CONFLICT: it has ended. */
typedef struct {
    judge_op_t            op;
    judge_str_t           id;
    judge_ms_t            now;
    bool                  changed;     /* while it runs */
    judge_training_row_t  row;         /* out */
} judge_training_cancel_t;


/* --- Working (any org) --------------------------------------------------- */

typedef struct {
    judge_op_t  op;
    judge_ms_t  now;
    bool        pending;               /* out */
} judge_training_peek_t;

/* The most urgent one; its status becomes preparing when it was queued. */
typedef struct {
    judge_op_t            op;
    judge_lease_t         lease;
    judge_ms_t            now;
    bool                  claimed;     /* out */
    judge_training_row_t  row;         /* out */
} judge_training_claim_t;

/* Where a job that was begun before goes on; absent: from the beginning. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
    judge_str_t  state;                /* out */
} judge_training_checkpoint_t;

/* JUDGE_CONFLICT: somebody else has it, or it was cancelled. */
typedef struct {
    judge_op_t               op;
    judge_str_t              id;
    judge_lease_t            lease;
    judge_str_t              status;   /* absent: as it is, as all of these */
    judge_str_t              phase;
    int64_t                  base_version;       /* 0: as it is */
    judge_ms_t               until;
    int64_t                  items;
    int64_t                  epoch;    /* -1: as it is */
    int64_t                  epochs;
    double                   progress; /* < 0: as it is */
    const judge_training_epoch_t  *losses;
    size_t                   nlosses;
    const judge_training_log_t    *logs;
    size_t                   nlogs;
    judge_str_t              state;    /* the new checkpoint; absent: as it
                                          is */
    bool                     release;  /* to be taken up by another; then
                                          this attempt was none */
} judge_training_progress_t;

/*
 * Ends a job.  With a model the judge gets a new version, a copy of the
 * base with it, which becomes the active one if wanted.  JUDGE_CONFLICT:
 * somebody else has the job, or it was cancelled.  JUDGE_STALE: the judge
 * was changed or deleted since it began; nothing is done.
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
    judge_ms_t                   trained_until;
    int64_t                      items;
    uint64_t                     inputs;         /* of the model: identity */
    bool                         deploy;
    int64_t                      version;        /* out: the new one */
} judge_training_finish_t;


/* --- What is learned from ------------------------------------------------ */

/* Evaluations with what was measured of them; one that is not there or not
 * completed has no body. */
typedef struct {
    judge_str_t  id;                   /* in */
    judge_str_t  body;                 /* out */
    judge_str_t  features;             /* as results have them; may be
                                          absent */
    judge_str_t  text;                 /* may be absent */
    judge_str_t  name;                 /* of the content */
    judge_str_t  metadata;             /* of it, JSON; may be absent */
} judge_measured_t;

typedef struct {
    judge_op_t         op;
    judge_measured_t  *rows;
    size_t             count;
    int64_t            max_text;       /* bytes of each; 0: no texts */
} judge_measured_list_t;

/* The newest completed evaluations of a judge, with or without feedback. */
typedef struct {
    judge_str_t  id;
    judge_str_t  content_id;
    judge_str_t  name;                 /* of the content */
    int64_t      judge_version;
    judge_ms_t   evaluated_at;
    double       overall_score;
    int64_t      review;               /* JUDGE_REVIEW_... */
    judge_str_t  features;             /* as results have them; may be
                                          absent */
    bool         known;                /* a person has said something */
} judge_review_row_t;

typedef struct {
    judge_op_t           op;
    judge_str_t          judge_id;
    judge_review_row_t  *rows;
    size_t               count;
} judge_review_list_t;

#define JUDGE_REVIEW_ITEMS  500

/* What people said of evaluations in words, the newest of it, and which
 * contents these are about. */
typedef struct {
    judge_str_t  id;                   /* in: of the evaluation */
    judge_str_t  content_id;           /* out; absent: it is not there */
    judge_str_t  said;                 /* out: feedback's content, JSON; may
                                          be absent */
} judge_reason_t;

typedef struct {
    judge_op_t       op;
    judge_reason_t  *rows;
    size_t           count;
} judge_reason_list_t;

/* The evaluation behind which there are `newest` ones with examples; absent:
 * there are no more than these. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    int64_t      newest;
    judge_str_t  id;                   /* out */
} judge_example_start_t;


/* --- Models -------------------------------------------------------------- */

/* JUDGE_NOT_FOUND: that version has learned nothing. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    int64_t      version;
    judge_str_t  job_id;               /* out, all of these */
    judge_ms_t   created_at;
    judge_ms_t   trained_until;
    int64_t      items;
    uint64_t     inputs;               /* of the model; 0: not known */
    judge_str_t  model;
} judge_calibrator_find_t;


#endif /* JUDGE_STORE_TRAINING_H */
