/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Evaluates a group of claimed evaluations: loads their texts and judges,
 * scores them in a thread, and writes the results in one operation.  A text is
 * analysed once for consecutive evaluations of it. */


#ifndef JUDGE_EVALUATE_H
#define JUDGE_EVALUATE_H


#include <stdatomic.h>

#include "store/store_queue.h"
#include "analysis/builtin/engine.h"
#include "work/calibration/calibrator_cache.h"
#include "work/calibration/residual_intervals.h"
#include "work/evaluation/claimed_evaluation.h"


#define JUDGE_EVALUATE_GROUP  32       /* evaluations of a group, at most; */
#define JUDGE_EVALUATE_MOST   128      /* those of batches, if so many wait: a
                                          larger commit writes fewer pages */
#define JUDGE_EVALUATE_MEMORY  (32 << 20)        /* bytes beside the texts: a
                                          group that has them takes no more
                                          evaluations, because each judge may
                                          have large patterns */

/* A judge of the group. */
typedef struct {
    judge_rubric_t    rubric;
    judge_escalate_t  escalate;
    judge_scorer_t   *scorer;          /* NULL: not made yet */
    size_t            canary;          /* index of the canary's job; 0: none */
    judge_refit_t     refit;
} judge_evaluate_judge_t;

/* Called once, when nothing of the group is under way any more; afterwards the
 * results and the group are freed. */
typedef void (*judge_evaluate_done_pt)(void *data, judge_evaluate_t *group);

struct judge_evaluate {
    judge_arena_t              *arena;
    judge_arena_t              *scratch;  /* for scoring one evaluation */
    judge_arena_t              *texts;  /* for the analysis of one text */
    judge_arena_t              *turns;  /* and of a part of a conversation;
                                          NULL: not needed yet */
    size_t                      read;  /* number of texts analysed */
    size_t                      escalated;       /* number of evaluations, */
    size_t                      not_escalated;   /* and of those of which the
                                          engine was sure enough */
    judge_service_t            *service;
    judge_claimed_t            *claimed;
    size_t                      count;
    size_t                      tried; /* jobs that were loaded and fit in
                                          memory: the others have to be queued
                                          again */
    judge_job_t               **jobs;  /* `count`, then the canaries' */
    size_t                      ncanaries;
    size_t                      canaries_failed;
    judge_result_t             *results;
    judge_calibrator_entry_t  **calibrators;  /* by job; jobs of one judge
                                          share an entry */
    judge_evaluate_judge_t     *judges;          /* by job; a judge's data are
                                          at the index of its first job */
    size_t                      held;  /* calibrators held */
    judge_ms_t                  now;   /* when scoring began */
    uint64_t                    inputs;  /* judge_calibrator_inputs_hash() */
    size_t                      current;  /* index of the current job */
    atomic_bool                *deleted;  /* by job: the evaluation was deleted
                                          meanwhile */
    atomic_bool                 stopped;  /* scoring is given up, and all
                                          will be claimed again */
    judge_evaluate_t           *next;  /* in service->computing */
    judge_op_t                 *check; /* the read that sets `deleted`; NULL:
                                          none is under way */
    judge_ms_t                  checked_at;
    judge_task_t                task;
    judge_queue_load_t          load;
    judge_queue_load_t          canaries;
    judge_queue_finish_t        finish;
    judge_evaluate_done_pt      done;
    void                       *data;

    /* For judge_evaluate_start(). */
    bool                   (*text)(judge_evaluate_t *group);
    bool                   (*verdict)(judge_evaluate_t *group,
                                      const judge_rubric_t *rubric,
                                      judge_verdict_t *verdict);
    bool                   (*scored)(judge_evaluate_t *group);
};

/* Takes over `claimed`, a list of n, and frees each with free(). */
void judge_evaluate(judge_service_t *service, judge_claimed_t *claimed,
    size_t n, judge_evaluate_done_pt done, void *data);

/*
 * _create() makes a group of n evaluations; NULL: out of memory.  For one that
 * is not stored yet the caller sets org, judge_id, judge_version, attempts,
 * times and identifiers of its job, and done, data, text, verdict and scored.
 * _start() then calls in a thread text(), which sets text_content and
 * metadata, and verdict(), which may change the verdict, and is not called if
 * the evaluation fails without one.  On the loop it calls
 * scored(), which submits the operation that stores the evaluation as claimed
 * by this worker; then it stores the result.  If one of these functions
 * returns false or scoring fails, nothing is stored.  done() is always called,
 * and the group freed after it; one that is not started is freed by
 * judge_arena_destroy(group->arena).
 */
judge_evaluate_t *judge_evaluate_create(judge_service_t *service, size_t n);
void judge_evaluate_start(judge_evaluate_t *group);

/* Cancels evaluations that were deleted while they are being scored; leaving:
 * cancels all, so that the process can end. */
void judge_evaluate_tick(judge_service_t *service, bool leaving);


/* --- One text of a group ------------------------------------------------- */

/* An arena's first block: enough to score a usual text. */
#define JUDGE_EVALUATE_SCRATCH  (512 * 1024)

/* The text that is being scored. */
typedef struct {
    size_t            content;         /* index of the first job with it */
    judge_item_t      item;
    judge_reading_t  *reading;         /* NULL: not analysed yet, or it is a
                                          conversation: its parts are then */
} judge_evaluate_text_t;

/* Whether scoring should be given up: the evaluation was deleted, or the
 * worker exits; data is the group. */
bool judge_evaluate_cancelled(void *data);

/* Scores the text, or what the judge's scope says of a conversation, by the
 * judge of that index; applies what the judge has learned, and then the
 * checks.  *part is what was scored; the next call frees it.  JUDGE_OK,
 * JUDGE_NOMEM, or JUDGE_STALE: cancelled. */
judge_rc_e judge_evaluate_scope(judge_evaluate_t *group, size_t judge,
    const judge_evaluate_text_t *text, judge_evaluate_text_t *part,
    judge_verdict_t *verdict, judge_origin_t *origin);


/* --- Canaries ------------------------------------------------------------ */

/* A canary is a version that judges beside the judge's active one.  These make
 * pairs of the scores that both give, in any thread. */

/* Whether an evaluation belongs to the share, 0 to 1.  This depends on its
 * identifier only: a retry decides alike, and a larger share contains it. */
bool judge_canary_takes(double share, judge_str_t id);

/* Makes the stored form of the pair (store_watch.h) with the active version's
 * scores and room for the canary's.  Absent: out of memory. */
judge_str_t judge_canary_given(judge_arena_t *arena,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict);

/* Fills in the canary's scores for the criteria that `base` has, too. */
void judge_canary_scored(judge_str_t scores, const judge_rubric_t *base,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict);


#endif /* JUDGE_EVALUATE_H */
