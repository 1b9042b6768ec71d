/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Runs in the background.  A worker claims a run under a lease and takes its
 * items slice by slice; each slice is one operation, which also notes how far
 * the run has come.  Whoever claims the run after a crash goes on behind the
 * last slice.
 */


#ifndef JUDGE_OPENAI_WORK_H
#define JUDGE_OPENAI_WORK_H


#include "extensions/openai/openai_grader.h"
#include "extensions/openai/openai_progress.h"
#include "work/service/extension.h"


#define JUDGE_OPENAI_SLICE  64         /* items at most */
#define JUDGE_OPENAI_CALLED (JUDGE_OPENAI_CRITERIA * JUDGE_OPENAI_CALLS)

typedef struct judge_openai_job     judge_openai_job_t;
typedef struct judge_openai_output  judge_openai_output_t;

/* What the items of a run have in common; read only while they are worked
 * off. */
typedef struct {
    judge_service_t         *service;
    judge_str_t              org;
    judge_budget_limits_t    limits;
    openai_grader_t         *graders[JUDGE_OPENAI_CRITERIA];
    size_t                   ngraders;
    bool                     samples;  /* a model makes them: */
    size_t                   model;    /* its index, */
    const judge_json_t      *messages; /* the template, or NULL: */
    judge_str_t              reference;          /* of the messages */
    const judge_json_t      *sampling; /* or NULL */
    judge_str_t              format;   /* response_format, or absent */
} judge_openai_plan_t;

/* One item, from its text to its result. */
struct judge_openai_output {
    judge_openai_job_t         *job;
    const judge_openai_plan_t  *plan;
    judge_arena_t              *arena; /* its own */
    void                      (*done)(judge_openai_output_t *output);
    judge_openai_item_t        *row;   /* in: item; out: status, result */

    judge_json_t               *line;
    openai_subject_t            subject;
    judge_str_t                 error; /* there is no sample, because */
    judge_str_t                 messages;
    openai_call_t              *calls; /* of all graders */
    size_t                      of[JUDGE_OPENAI_CRITERIA];     /* how many */
    size_t                      ncalls;
    size_t                      turn;  /* the call that is made */
    bool                        sampled;
    judge_openai_ask_t          ask;
    openai_call_t               sample;
    judge_openai_model_use_t   *used;  /* of each call, and the sample */
    size_t                      nused;
    size_t                      tries; /* of this call */
    judge_ms_t                  retry_at;        /* 0: it does not wait */
    judge_ms_t                  deadline;
    bool                        passed[JUDGE_OPENAI_CRITERIA];
    bool                        failed[JUDGE_OPENAI_CRITERIA];
    bool                        stopped;         /* the worker exits */
    judge_rc_e                  rc;
    judge_task_t                task;
};

/* Reads the data source of a run and the criteria of its eval, in a thread;
 * the service must be set.  JUDGE_INVALID: *error says what can't be done. */
judge_rc_e judge_openai_plan_read(judge_openai_plan_t *plan,
    judge_arena_t *arena, const judge_json_t *source,
    const judge_json_t *criteria, judge_str_t *error);

/* Its second part: the graders only. */
judge_rc_e judge_openai_plan_graders(judge_openai_plan_t *plan,
    judge_arena_t *arena, const judge_json_t *criteria, judge_str_t *error);

/* Works off an item, and calls done() in the end, unless it is stopped. */
void judge_openai_output_start(judge_openai_output_t *output);

/* To be called at each tick while it waits. */
void judge_openai_output_tick(judge_openai_output_t *output, judge_ms_t now);


/* What goes on beside requests; see judge_background_t. */
bool judge_openai_work_create(judge_service_t *service);
void judge_openai_work_destroy(judge_service_t *service);
void judge_openai_work_tick(judge_service_t *service);
void judge_openai_work_stop(judge_service_t *service);
bool judge_openai_work_busy(judge_service_t *service);


#endif /* JUDGE_OPENAI_WORK_H */
