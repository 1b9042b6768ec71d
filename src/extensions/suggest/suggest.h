/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Suggestions for the wording of a judge's criteria.  Tests find which
 * criteria people and the judge read differently; a language model writes a
 * clearer wording, which is offered only if it agrees better with people's
 * scores on texts that the model was not shown.  A suggestion is a row that a
 * worker process claims; if the process ends, another one begins it anew.
 */


#ifndef JUDGE_SUGGEST_H
#define JUDGE_SUGGEST_H


#include "analysis/learning/difference.h"
#include "analysis/llm/assist_prompt.h"
#include "store/store_queue.h"
#include "store/store_settings.h"
#include "store/store_suggest.h"
#include "work/llm/llm_call.h"
#include "work/service/extension.h"
#include "work/training/training_data.h"
#include "api/http/request.h"
#include "api/judges/criteria.h"


#define JUDGE_SUGGEST_ITEMS   2000     /* the newest evaluations that
                                          have feedback */
#define JUDGE_SUGGEST_WORST   5        /* texts that show a difference */
#define JUDGE_SUGGEST_SHOWN   8        /* texts that the model is shown */
#define JUDGE_SUGGEST_HELD    40       /* held-out texts, for tests */
#define JUDGE_SUGGEST_LEAST   10       /* groups, for a test */
#define JUDGE_SUGGEST_POINTS  5        /* a smaller mean distance does not
                                          count */
#define JUDGE_SUGGEST_CHANCE  0.05     /* significance level: of naming a
                                          criterion or offering a wording */


/* --- Differences --------------------------------------------------------- */

/* Scores of people and of the judge, in rows that begin with those of the
 * criteria; NaN: there is none, or it does not count. */
typedef struct {
    size_t           nitems;
    size_t           ncriteria;
    size_t           width;            /* of a row */
    const float     *people;
    const float     *given;
    const uint32_t  *group;            /* by item: its source or text */
} judge_suggest_set_t;

typedef struct {
    size_t  n;                         /* scores of both */
    size_t  groups;
    double  distance;                  /* mean, points */
    double  shift;                     /* mean of people's minus the judge's */
    double  low;                       /* its interval, or NaN */
    double  high;
    double  slope;                     /* slope of people's scores over those
                                          of the judge; or NaN */
    double  p_shift;                   /* that the shift is 0 */
    double  p_slope;                   /* that the slope is 1; both with Holm's
                                          correction */
    bool    differs;
    size_t  worst[JUDGE_SUGGEST_WORST];          /* items, the worst first */
    size_t  nworst;
} judge_suggest_difference_t;

/* Fills `out` by criterion; runs in any thread.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_suggest_differences(judge_arena_t *arena,
    const judge_suggest_set_t *set, judge_suggest_difference_t *out);

/* Returns the criterion that differs most; ncriteria: none differs. */
size_t judge_suggest_most(const judge_suggest_difference_t *differences,
    size_t ncriteria);

/* Whether a group of items is held out to test wordings. */
bool judge_suggest_held(uint32_t group);

/* Returns the one-sided significance level for the test after `tries` others:
 * the sum over any number of tests is at most JUDGE_SUGGEST_CHANCE. */
double judge_suggest_level(int64_t tries);


/* --- A run --------------------------------------------------------------- */

/* The criteria of a version of the judge that has one of two wordings. */
typedef struct {
    judge_rubric_t  rubric;
    judge_rubric_t  asked;             /* those that a model judges */
    size_t          chosen;            /* index in asked of the criterion that
                                          is worded; ncriteria: not in it */
} judge_suggest_wording_t;

typedef struct {
    judge_leased_t                 work; /* first: see leased.h */
    judge_suggestion_claim_t     claim;
    judge_judge_find_t           find;
    judge_suggestion_load_t      load;
    judge_suggestion_words_t     words;
    judge_queue_load_t           contents;
    judge_suggestion_write_t     write;
    judge_suggestion_write_t     renewal;

    judge_report_criteria_t      criteria;
    int64_t                     *first_version;  /* by criterion: the first
                                          version with this wording */
    judge_training_data_t        data; /* its target: scores of people that
                                          count */
    judge_suggest_difference_t  *differences;
    size_t                       chosen;         /* index of the criterion;
                                          ncriteria: none */
    const char                  *why;  /* why there is no better wording; or
                                          NULL */

    size_t                       model;          /* index in the settings */
    judge_wording_request_t      shown;
    judge_wording_text_t         texts[JUDGE_SUGGEST_SHOWN];
    judge_suggestion_text_t      said[JUDGE_SUGGEST_SHOWN
                                      + JUDGE_SUGGEST_HELD];     /* comments on
                                          both: first the texts shown */
    judge_llm_call_t             ask;
    judge_str_t                  wording;        /* absent: no reply */
    judge_str_t                  failure;        /* of the model */
    judge_ms_t                   deadline;       /* of the last question */

    judge_list_t                 worded;         /* with that wording */
    judge_suggest_wording_t      wordings[2];
    size_t                       held[JUDGE_SUGGEST_HELD];      /* items */
    size_t                       nheld;
    judge_job_t                  jobs[JUDGE_SUGGEST_HELD];
    judge_job_t                 *loaded[JUDGE_SUGGEST_HELD];    /* the same */
    float                        replies[JUDGE_SUGGEST_HELD][2];
    float                        scores[JUDGE_SUGGEST_HELD][2];
    uint8_t                      asked[2 * JUDGE_SUGGEST_HELD];  /* state of
                                          each question: items by the old
                                          wording, then by the new one */
    judge_llm_survey_t           survey;
    judge_difference_t           gain; /* in distance; n 0: unknown */
    double                       given;          /* mean distance of the scores
                                          that the judge gave */
    float                        usual;          /* mean score of people in
                                          the model's half: that of a criterion
                                          that nothing judges */
} judge_suggest_run_t;

/* Has a model word the chosen criterion and tests the wording.  _end() stores
 * the result of a run; _give_back() lets another worker claim it, also after a
 * failure. */
void judge_suggest_trial(judge_suggest_run_t *run);
void judge_suggest_end(judge_suggest_run_t *run);
void judge_suggest_give_back(judge_leased_t *work);

/* Writes people's comments on an evaluation and one of its criteria: one per
 * line to `text`, or as members of an array to `w`. */
void judge_suggest_comments(judge_arena_t *arena,
    const judge_suggestion_text_t *row, judge_str_t criterion,
    judge_buf_t *text, judge_json_writer_t *w);


/* --- Beside requests, and for them --------------------------------------- */

extern const judge_leased_kind_t  judge_suggest_runs;
extern const judge_extension_t   judge_extension_suggest;


#endif /* JUDGE_SUGGEST_H */
