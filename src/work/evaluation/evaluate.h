/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Evaluating a batch of claimed evaluations: their texts and judges are
 * loaded, a thread scores them, and the results are written in one
 * operation.  A content that several judges look at is read once, where its
 * evaluations are next to each other.
 */


#ifndef JUDGE_EVALUATE_H
#define JUDGE_EVALUATE_H


#include <stdatomic.h>

#include "analysis/builtin/engine.h"
#include "store/store_llm.h"
#include "work/calibration/calibrator_cache.h"
#include "work/calibration/escalate.h"
#include "work/evaluation/ticket.h"


#define JUDGE_EVALUATE_BATCH  32
#define JUDGE_EVALUATE_MOST   128      /* of batches, while many wait: their
                                          pages are written less often */

/* A judge, as the batch needs it. */
typedef struct {
    judge_rubric_t    rubric;
    judge_escalate_t  escalate;
    judge_scorer_t   *scorer;          /* NULL: not yet */
    size_t            canary;          /* the job of its canary; 0: none */
    judge_refit_t     refit;
} judge_evaluate_judge_t;

/* Called once, when nothing of the batch is under way any more; results and
 * the batch itself are gone afterwards. */
typedef void (*judge_evaluate_done_pt)(void *data, judge_evaluate_t *batch);

struct judge_evaluate {
    judge_arena_t              *arena;
    judge_arena_t              *scratch;  /* of the item that is scored */
    judge_arena_t              *texts; /* of what was read of its content */
    size_t                      read;  /* contents that were */
    size_t                      escalated;     /* evaluations left to a model,
                                          and */
    size_t                      spared; /* not, by judges that ask one */
    judge_service_t            *service;
    judge_ticket_t             *tickets;
    size_t                      count;
    judge_job_t               **jobs;  /* behind them one for each canary */
    size_t                      ncanaries;
    size_t                      canaries_failed;
    judge_result_t             *results;
    judge_calibrator_entry_t  **calibrators;  /* of each job's judge; shared by
                                          those of the same */
    judge_evaluate_judge_t     *judges;          /* at its first job */
    size_t                   held;     /* so many are there */
    judge_ms_t               now;      /* when scoring began */
    uint64_t                 inputs;   /* the identity of the features */
    size_t                   at;       /* the job that is scored */
    atomic_bool             *gone;     /* of each job: its evaluation was
                                          deleted meanwhile */
    atomic_bool              stopped;  /* all are to be tried again */
    judge_evaluate_t        *next;     /* of those that threads score */
    judge_op_t              *look;     /* whether any has gone; NULL: not under
                                          way */
    judge_ms_t               looked_at;
    judge_task_t             task;
    judge_queue_load_t       load;
    judge_queue_load_t       canaries;
    judge_queue_finish_t     finish;
    judge_evaluate_done_pt   done;
    void                    *data;

    /* Of a text at hand, see judge_evaluate_text(). */
    bool                   (*text)(judge_evaluate_t *batch);
    bool                   (*verdict)(judge_evaluate_t *batch,
                                      const judge_rubric_t *rubric,
                                      judge_verdict_t *verdict);
    bool                   (*scored)(judge_evaluate_t *batch);
};

/* Takes the tickets, a list of n from malloc(). */
void judge_evaluate(judge_service_t *service, judge_ticket_t *tickets,
    size_t n, judge_evaluate_done_pt done, void *data);

/*
 * A batch of one evaluation that is not stored yet, with its job's org,
 * judge_id, judge_version and identifiers to be set, then text(), which in a
 * thread sets text_content and metadata, verdict(), which there may change
 * what is said, and scored(), which on the loop submits what stores the
 * evaluation, claimed by this worker; its result follows.  false of any, and a
 * failed score: nothing is stored, and done() is called.  create: NULL: no
 * memory.
 */
judge_evaluate_t *judge_evaluate_create(judge_service_t *service);
void judge_evaluate_text(judge_evaluate_t *batch);

/* Looks whether what is scored for long is still wanted; leaving: gives it up,
 * so that nobody waits for it. */
void judge_evaluate_tick(judge_service_t *service, bool leaving);


#endif /* JUDGE_EVALUATE_H */
