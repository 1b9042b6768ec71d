/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Suggestions for the wording of a judge's criteria: which of them people and
 * the judge read differently, and a clearer wording by a language model, which
 * is offered only where it agrees better with people on texts that the model
 * was not shown.  A suggestion is a row that a worker process claims, and
 * begins anew if its process ends.
 */


#ifndef JUDGE_SUGGEST_H
#define JUDGE_SUGGEST_H


#include "analysis/learning/difference.h"
#include "analysis/llm/assist_prompt.h"
#include "store/store_queue.h"
#include "store/store_settings.h"
#include "store/store_suggest.h"
#include "work/llm/llm_survey.h"
#include "work/training/training_data.h"
#include "api/http/request.h"
#include "api/judges/criteria.h"


#define JUDGE_SUGGEST_ITEMS   2000     /* evaluations that are read, the newest
                                          with feedback */
#define JUDGE_SUGGEST_WORST   5        /* texts that show a difference */
#define JUDGE_SUGGEST_SHOWN   8        /* texts that the model is shown */
#define JUDGE_SUGGEST_HELD    40       /* texts that wordings are tried on */
#define JUDGE_SUGGEST_LEAST   10       /* sources or texts, for a test */
#define JUDGE_SUGGEST_POINTS  5        /* a smaller mean distance is none */
#define JUDGE_SUGGEST_CHANCE  0.05     /* of naming a criterion, or offering a
                                          wording, where there is nothing */


/* --- Differences --------------------------------------------------------- */

/* Scores of people and those that the judge had given, in rows of ncriteria;
 * NaN: none, or not to be counted. */
typedef struct {
    size_t           nitems;
    size_t           ncriteria;
    const float     *people;
    const float     *given;
    const uint32_t  *group;            /* by item: of its source or text */
} judge_suggest_set_t;

typedef struct {
    size_t  n;                         /* scores of both */
    size_t  groups;
    double  distance;                  /* mean, points */
    double  shift;                     /* mean of people's minus the judge's */
    double  low;                       /* its interval, or NaN */
    double  high;
    double  slope;                     /* points that people give more where
                                          the judge gives one more; or NaN */
    double  p_shift;                   /* against no shift, */
    double  p_slope;                   /* and against a slope of 1: by Holm
                                          over both and all criteria */
    bool    differs;
    size_t  worst[JUDGE_SUGGEST_WORST];          /* items, the worst first */
    size_t  nworst;
} judge_suggest_difference_t;

/* Fills `out` by criterion.  JUDGE_OK or JUDGE_NOMEM; in any thread. */
judge_rc_e judge_suggest_differences(judge_arena_t *arena,
    const judge_suggest_set_t *set, judge_suggest_difference_t *out);

/* The one that differs most; ncriteria: none does. */
size_t judge_suggest_most(const judge_suggest_difference_t *differences,
    size_t ncriteria);

/* Whether a group of items is kept aside to measure wordings. */
bool judge_suggest_held(uint32_t group);

/* What a wording had to be sure of after so many that were measured before:
 * chances add up to JUDGE_SUGGEST_CHANCE, one-sided, however many come. */
double judge_suggest_level(int64_t tries);


/* --- A run --------------------------------------------------------------- */

typedef struct judge_suggest_run  judge_suggest_run_t;
typedef void (*judge_suggest_step_pt)(judge_suggest_run_t *run);

/* The criteria with one of two wordings, as a version of the judge has
 * them. */
typedef struct {
    judge_rubric_t   rubric;
    judge_rubric_t   asked;            /* those that a model judges */
    size_t          *at;               /* their indexes in the rubric */
    size_t           turn;             /* of the criterion in asked, if a model
                                          judges it; else asked.ncriteria */
} judge_suggest_wording_t;

struct judge_suggest_run {
    judge_suggestion_peek_t      peek; /* first: see judge_service_op() */
    judge_suggestion_claim_t     claim;
    judge_judge_find_t           find;
    judge_suggestion_load_t      load;
    judge_suggestion_words_t     words;
    judge_queue_load_t           contents;
    judge_suggestion_write_t     write;
    judge_suggestion_write_t     renewal;
    bool                         claimed;
    bool                         renewing;
    bool                         over; /* it is freed when that has ended */
    bool                         lost; /* another worker has it */
    judge_ms_t                   renew_at;
    judge_service_t             *service;
    judge_arena_t               *arena;
    judge_task_t                 task;
    judge_rc_e                 (*compute)(judge_suggest_run_t *run);
    judge_suggest_step_pt        next; /* after an operation or computation */
    judge_suggest_step_pt        asleep;         /* step after a wait; or
                                                    NULL */
    judge_ms_t                   wakes_at;
    judge_rc_e                   rc;

    judge_list_t                 criteria;       /* judge_criterion_row_t */
    judge_str_t                 *ids;
    int64_t                     *since;          /* by criterion: the first
                                          version with its wording */
    judge_training_data_t        data; /* target: people's scores that count */
    judge_suggest_difference_t  *differences;
    size_t                       chosen;         /* the criterion that is
                                          worded; ncriteria: none */
    const char                  *why;  /* nothing was worded or measured, or
                                          no better; NULL: it is better */

    size_t                       model;          /* index in the settings */
    judge_wording_request_t      shown;
    judge_llm_call_t             ask;
    judge_str_t                  wording;        /* absent: none came */
    judge_str_t                  failure;        /* of the model */
    judge_ms_t                   until;          /* nothing is asked later */

    judge_list_t                 worded;         /* the criteria with it */
    judge_suggest_wording_t      wordings[2];
    size_t                       held[JUDGE_SUGGEST_HELD];      /* items */
    size_t                       nheld;
    judge_job_t                  jobs[JUDGE_SUGGEST_HELD];
    float                        said[JUDGE_SUGGEST_HELD][2];   /* by the
                                                                   model */
    float                        scores[JUDGE_SUGGEST_HELD][2];
    uint8_t                      asked[2 * JUDGE_SUGGEST_HELD];  /* states of
                                          questions: of each item by the
                                          present wording, then by the new */
    judge_llm_survey_t           survey;
    judge_difference_t           gain; /* of the distances; n 0: unknown */
    double                       given;          /* mean distance of the scores
                                          that the judge had given */
};

/* Of one worker process. */
typedef struct {
    judge_suggest_run_t  *run;         /* NULL: none */
    bool                  stopped;
    judge_ms_t            looked_at;
} judge_suggest_work_t;

judge_suggest_work_t *judge_suggest_work(const judge_service_t *service);

/* _submit() calls done() itself; _free() ends a run of which nothing is to be
 * stored. */
void judge_suggest_submit(judge_suggest_run_t *run, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op));
void judge_suggest_free(judge_suggest_run_t *run);

/* Submits an operation, or computes in a thread, and goes on with next(); a
 * failure gives the run back. */
void judge_suggest_op(judge_suggest_run_t *run, judge_op_t *op,
    judge_op_kind_e kind, judge_suggest_step_pt next);
void judge_suggest_compute(judge_suggest_run_t *run,
    judge_rc_e (*compute)(judge_suggest_run_t *run),
    judge_suggest_step_pt next);

/* Words the chosen criterion and measures that.  _end() writes what came of a
 * run; _give_back() lets it be claimed again. */
void judge_suggest_trial(judge_suggest_run_t *run);
void judge_suggest_end(judge_suggest_run_t *run);
void judge_suggest_give_back(judge_suggest_run_t *run);

/* Writes the result's JSON; data NULL: no memory. */
judge_str_t judge_suggest_result(judge_suggest_run_t *run);

/* What people wrote about an evaluation and a criterion of it, an entry a
 * line, as text, or as members of an array. */
void judge_suggest_comments(judge_arena_t *arena,
    const judge_suggestion_text_t *row, judge_str_t criterion,
    judge_buf_t *text, judge_json_writer_t *w);


/* --- Beside requests, and for them --------------------------------------- */

bool judge_suggest_create(judge_service_t *service);
void judge_suggest_destroy(judge_service_t *service);    /* at rest only */
void judge_suggest_tick(judge_service_t *service);
void judge_suggest_stop(judge_service_t *service);
bool judge_suggest_busy(judge_service_t *service);

/* Looks for a suggestion to make. */
void judge_suggest_wake(judge_service_t *service);

extern const judge_route_t  judge_suggest_routes[];


#endif /* JUDGE_SUGGEST_H */
