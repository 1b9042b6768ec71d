/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Runs in the background.  A worker claims the next items of a run under a
 * lease and grades them; one operation ends them and notes how far the run has
 * come.  Whoever claims the run then, or after a crash, goes on behind them.
 */


#ifndef JUDGE_OPENAI_WORK_H
#define JUDGE_OPENAI_WORK_H


#include "extensions/openai/openai.h"
#include "extensions/openai/openai_grader.h"
#include "work/service/extension.h"


#define JUDGE_OPENAI_TIME  (10 * 60 * 1000)    /* ms for all calls of an
                                                  item */

/* --- What a run asks for ------------------------------------------------- */

/* What the items of a run have in common; read only while they are graded. */
typedef struct {
    judge_service_t      *service;
    judge_str_t           type;        /* of the data source */
    struct {
        judge_str_t       type;
        judge_json_t     *content;     /* NULL: the items are in a file */
    }                     source;
    judge_str_t           input;       /* type of input_messages */
    judge_str_t           reference;   /* their template in items, or absent */
    openai_grader_t       sampler;     /* what is asked for a sample, */
    bool                  samples;     /* if a model makes them */
    openai_grader_t      *graders[JUDGE_OPENAI_CRITERIA];
    size_t                ngraders;
    bool                  asks;        /* models, for samples or grades */
} judge_openai_plan_t;

/* Reads the data source of a run and the criteria of its eval, in a thread;
 * the service must be set.  JUDGE_INVALID: *error says what can't be done. */
judge_rc_e judge_openai_plan_read(judge_openai_plan_t *plan,
    judge_arena_t *arena, const judge_json_t *source,
    const judge_json_t *criteria, judge_str_t *error);

/* --- One item ------------------------------------------------------------ */

typedef struct judge_openai_output  judge_openai_output_t;

struct judge_openai_output {
    const judge_openai_plan_t  *plan;
    judge_str_t                 org;
    judge_budget_limits_t       limits;
    judge_arena_t              *arena; /* its own */
    judge_openai_item_t        *row;   /* in: item, unless the subject is
                                          given; out: status, result */
    judge_ms_t                  deadline;        /* for all calls */
    bool                      (*waits)(judge_openai_output_t *output);
                                       /* NULL: calls that fail are tried
                                          again.  false: nobody waits for it
                                          any more, and it is freed */
    void                      (*done)(judge_openai_output_t *output);
    void                       *data;

    openai_subject_t            subject;
    judge_str_t                 error; /* it can't be graded, because */
    openai_call_t               sample;
    openai_call_t              *calls; /* of all graders; NULL: not yet */
    size_t                      of[JUDGE_OPENAI_CRITERIA];     /* how many */
    size_t                      ncalls;
    size_t                      turn;  /* the call that is made */
    judge_openai_ask_t          ask;
    size_t                      tries; /* of this call */
    judge_ms_t                  retry_at;        /* 0: it does not wait */
    openai_grade_t              grades[JUDGE_OPENAI_CRITERIA];
    judge_rc_e                  rc;
    judge_task_t                task;
};

/* Grades an item, unless it has an error already, and calls done() in the end:
 * its row has no result then if memory is out or the worker exits. */
void judge_openai_output_start(judge_openai_output_t *output);

/* To be called at each tick while it waits; `stop`: it waits no more. */
void judge_openai_output_tick(judge_openai_output_t *output, judge_ms_t now,
    bool stop);

/* Adds to a number of an object. */
void judge_openai_add(judge_json_t *object, const char *name, int64_t n);

/* Counts a call in a list of objects by the names of models, unless it was
 * about none. */
void judge_openai_use(judge_arena_t *arena, judge_json_t *list,
    const openai_call_t *call);

/* --- Beside requests (judge_background_t) -------------------------------- */

bool judge_openai_work_create(judge_service_t *service);
void judge_openai_work_destroy(judge_service_t *service);
void judge_openai_work_tick(judge_service_t *service);
void judge_openai_work_stop(judge_service_t *service);
bool judge_openai_work_busy(judge_service_t *service);


#endif /* JUDGE_OPENAI_WORK_H */
