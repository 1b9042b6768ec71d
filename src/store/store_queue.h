/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Operations that peek at the queue of evaluations, claim from it, release
 * claims and count it. */


#ifndef JUDGE_STORE_QUEUE_H
#define JUDGE_STORE_QUEUE_H


#include "store/store.h"


typedef struct {
    judge_op_t     op;
    judge_job_t  **jobs;               /* in and out */
    size_t         count;              /* out: fewer, if the texts are long */
    size_t         job;                /* private, while it runs */
} judge_queue_load_t;

/* Whether there is anything to claim. */
typedef struct {
    judge_op_t  op;
    judge_ms_t  now;
    bool        models;                /* also evaluations by models, */
    bool        ranges;                /* and ranges */
    bool        pending;               /* out */
} judge_queue_peek_t;

/* When the earliest row of any queue of the store is due. */
typedef struct {
    judge_op_t  op;
    bool        evaluates;             /* also of the evaluations' queues */
    judge_ms_t  due;                   /* out; 0: no row is queued */
} judge_queue_due_t;

/*
 * Claims up to `limit` evaluations for the built-in engine and up to `models`
 * for language models, the most urgent ones: priority classes are strict, but
 * a row rises by one class for each `aging` that it has waited.  If ranges are
 * wanted, the most urgent range follows as a whole, unless `limit` evaluations
 * are more urgent; among equally urgent ranges, that of the organization after
 * `served`, so that none is delayed by one with many.  An evaluation for the
 * built-in engine whose earlier claim ended without a result may crash the
 * process: at most one such is claimed, and only if `again` is set.
 */
typedef struct {
    judge_op_t     op;
    judge_lease_t  lease;
    judge_ms_t     now;
    judge_ms_t     aging;
    int64_t        limit;
    int64_t        models;
    bool           ranges;
    judge_str_t    served;             /* organization of the range that was
                                          claimed before; absent: none */
    bool           may_retry;          /* may claim one whose earlier claim had
                                          no result; out: false if it did */
    judge_job_t  **jobs;               /* room for limit, models and a range */
    size_t         count;              /* out */
    size_t         alone;              /* out: jobs before the range's */
    size_t         passed;             /* private: skipped, because they were
                                          claimed before */
    int64_t        before;             /* private: evaluations that are more
                                          urgent than the range */
    int64_t        fresh;              /* private: 1: none claimed before */
    int64_t        more;               /* private: more rows to examine */
    judge_queue_range_t  range;        /* out: the range that was chosen; */
    bool           whole;              /* it was claimed as a whole, or */
    bool           broken;             /* split up into its evaluations */
} judge_queue_claim_t;

/* Releases all leases of an owner (evaluations, ranges, deliveries, training
 * jobs, uploads), because that process exits or has died. */
typedef struct {
    judge_op_t   op;
    judge_str_t  owner;                /* absent: all owners */
    judge_ms_t   now;
    judge_ms_t   until;                /* end of the longest lease there can
                                          be: leases are looked for up to it */
    int64_t      left;                 /* 1: a regular exit, so that these
                                          attempts don't count */
} judge_queue_release_t;

/* Counts evaluations that have not ended, by engine (built-in, models) and
 * priority, up to a limit, which bounds its cost. */
#define JUDGE_QUEUE_DEPTH_MAX  10000
#define JUDGE_QUEUES           2

typedef struct {
    judge_op_t  op;
    judge_ms_t  now;
    int64_t     due[JUDGE_QUEUES][JUDGE_PRIORITIES];     /* out */
    int64_t     later[JUDGE_QUEUES][JUDGE_PRIORITIES];   /* claimed, or not
                                                            due yet */
} judge_queue_depth_t;


/* --- Evaluations by language models -------------------------------------- */

/* Operations for evaluations by language models; part of store.h. */

/* An evaluation whose lease is to be prolonged. */
typedef struct {
    judge_str_t  org;
    judge_str_t  id;
    bool         held;                 /* out; false: it was deleted, ended or
                                          claimed by another worker */
} judge_held_t;

typedef struct {                       /* any org */
    judge_op_t     op;
    judge_lease_t  lease;
    judge_held_t  *rows;
    size_t         count;
} judge_queue_prolong_t;

/* Sets `held` for evaluations that have not ended; it must be false before. */
typedef struct {                       /* any org */
    judge_op_t     op;
    judge_held_t  *rows;
    size_t         count;
} judge_queue_held_t;

/* The record of a completed evaluation with the same answer key. */
typedef struct {
    judge_op_t   op;
    judge_str_t  key;                  /* judge_result_t.answer_key */
    judge_str_t  body;                 /* out */
} judge_answer_find_t;


/* --- Results of one row -------------------------------------------------- */

/* Results of several evaluations that are stored in one row. */

struct judge_results_together {
    int64_t                    number;
    judge_str_t                org;    /* the same for all */
    int64_t                    kept;   /* number of results still stored */
    judge_str_t                features;         /* see packing.h */
    judge_str_t                bodies;
    judge_results_together_t  *next;
};

/* Packs the results in advance.  Otherwise the operation packs them, while
 * other writes wait.  `scratch` can be freed afterwards. */
judge_rc_e judge_queue_finish_pack(judge_queue_finish_t *o,
    judge_arena_t *scratch);

/* Removes the results of deleted or retried evaluations from rows that several
 * share.  The runner runs this operation after such writes. */
typedef struct {                       /* any org */
    judge_op_t                 op;
    judge_str_t                org_id; /* private: an organization, */
    int64_t                    from;   /* and the first result to find */
    judge_results_together_t  *rows;
} judge_results_gone_t;


#endif /* JUDGE_STORE_QUEUE_H */
