/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The evaluation record: how the interface shows an evaluation.  One that
 * has ended is rendered once, when it ends, and stored as it is sent. */


#ifndef JUDGE_EVALUATION_JSON_H
#define JUDGE_EVALUATION_JSON_H


#include "base/json/json.h"
#include "analysis/builtin/engine.h"
#include "work/service/service.h"


typedef struct {
    const char  *code;                 /* TIMED_OUT, … */
    judge_str_t  message;
    judge_str_t  answer;               /* a model's, its start; absent: none */
} judge_failure_t;

/* How far people's score of the same may lie from one that was given: nine of
 * ten times at most `width` points from `shift` above it. */
typedef struct {
    double   shift;
    double   width;
    int64_t  n;                        /* corrections that show it */
    bool     corrected;                /* false: known of other judges only */
} judge_width_t;

/* A language model that was asked in vain. */
typedef struct {
    judge_str_t  name;
    const char  *code;
    judge_str_t  message;
} judge_no_model_t;

/* Where a result comes from, unless it is the built-in engine. */
typedef struct {
    const char  *engine;
    const char  *version;
    judge_str_t  model;                /* as it was asked for */
    judge_str_t  fallback;             /* that answered instead; or absent */
    judge_no_model_t *failed;          /* those before the one that answered */
    size_t       nfailed;
    judge_str_t  served;               /* as it calls itself; absent: unsaid */
    judge_str_t  prompt_hash;          /* absent: none was asked */
    int64_t      tokens;
    size_t       samples;              /* wanted */
    size_t       answered;             /* of them */
    unsigned     reasons;              /* to look at it: JUDGE_REVIEW_... */
    bool         compared;             /* with what the judge learned from */
    bool         checked;              /* what follows is known */
    size_t       altered;              /* places of the item that were made
                                          harmless */
    size_t       missing;              /* quotes that are not in the item */
    unsigned     tolerated;            /* JUDGE_TOLERATED_..., of any answer */
    bool         has_interval;
    double       low, high, coverage;  /* of the overall score */
    const judge_width_t *widths;       /* by criterion, the overall one last;
                                          NULL: not known */
    judge_str_t  calibrator;           /* the training that it was brought to
                                          people's scores by; or absent */
    const float *raw;                  /* then: scores of the engine */
    double       raw_overall;
    bool         changed;              /* there is a model, but of other
                                          inputs: it was not applied */
    size_t       examples;             /* in the prompt */
    const char  *why;                  /* this engine decided, of a judge that
                                          also asks a model; or NULL */
    bool         reported;             /* the overall score was sent, and need
                                          not be the mean */
    bool         has_first;            /* the built-in engine's score, */
    double       first;                /* where the model was asked */
    judge_str_t  processing;           /* JSON: what a worker tells of its
                                          work; absent: nothing */
} judge_origin_t;

/* Whether there is an interval around it: not around what could not be
 * measured, and a score that checks alone have decided is sure. */
bool judge_score_unsure(const judge_criterion_score_t *score);

/* The reasons' names, by bit. */
#define JUDGE_REVIEW_REASONS  9

extern const char *const  judge_review_reasons[JUDGE_REVIEW_REASONS];

/* Writes needs_review and review_reasons, and reads them out of a record. */
void judge_review_json(judge_json_writer_t *w, unsigned reasons);
unsigned judge_review_read(const judge_json_t *record);

/* A verdict or a failure, or both where nothing could be judged: the verdict
 * says why.  origin may be NULL. */
judge_rc_e judge_evaluation_json_ended(judge_buf_t *out,
    const judge_job_t *job, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, const judge_failure_t *failure,
    const judge_origin_t *origin, judge_ms_t evaluated_at);

/* The record of the job out of the stored one of an evaluation that depended
 * on the same.  JUDGE_INVALID: that one can't be read. */
judge_rc_e judge_evaluation_json_again(judge_buf_t *out,
    const judge_job_t *job, judge_str_t stored, judge_ms_t evaluated_at,
    double *overall, int64_t *reasons);

/* {"code": …, "message": …, "at": …} */
judge_str_t judge_evaluation_error(judge_arena_t *arena,
    const judge_failure_t *failure, judge_ms_t at);

/* The record of a row that has ended; rows of older versions are stored
 * without "id", which is added.  Absent while it has not ended. */
judge_str_t judge_evaluation_body(judge_arena_t *arena,
    const judge_evaluation_row_t *row);

/* Writes the record of a row as a value; the duration is shown only on
 * retrieval of a single evaluation. */
void judge_evaluation_json(judge_json_writer_t *w,
    const judge_evaluation_row_t *row, bool with_duration);


#endif /* JUDGE_EVALUATION_JSON_H */
