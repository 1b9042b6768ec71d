/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The record of an evaluation, as the interface shows it.  It is rendered once
 * when the evaluation ends, in the compact form of store/packing, of which
 * judge_unpack() makes the JSON that clients get. */


#ifndef JUDGE_EVALUATION_JSON_H
#define JUDGE_EVALUATION_JSON_H


#include "base/json/json.h"
#include "analysis/builtin/engine.h"
#include "work/service/service.h"


typedef struct {
    const char  *code;                 /* such as TIMED_OUT */
    judge_str_t  message;
    judge_str_t  answer;               /* start of a model's; may be absent */
} judge_failure_t;

/* An interval for people's score, which is at most `width` points away from
 * the given score plus `shift`: nine times in ten if it is `corrected`, else
 * without a promise. */
typedef struct {
    double   shift;
    double   width;
    int64_t  n;                        /* corrections, or items of a training
                                          that were held out, it was measured
                                          by; 0: it is not known */
    bool     corrected;                /* false: measured by other judges or
                                          in a training */
} judge_width_t;

/* A language model that was asked and gave no answer. */
typedef struct {
    judge_str_t  name;
    const char  *code;
    judge_str_t  message;
} judge_no_model_t;

/* How a result was made: by which engine, models and calibrator, and how
 * reliable it is. */
typedef struct {
    const char  *engine;
    const char  *version;
    judge_str_t  model;                /* the one that was wanted */
    judge_str_t  fallback;             /* model that answered instead */
    judge_no_model_t *failed;          /* models asked before it */
    size_t       nfailed;
    judge_str_t *related;              /* models that are of one family with
                                          the one that wrote the item */
    size_t       nrelated;
    judge_str_t  served;               /* the server's name for it, if known */
    judge_str_t  prompt_hash;          /* absent: no model was asked */
    int64_t      tokens;
    size_t       samples;              /* number asked for */
    size_t       answered;             /* number answered */
    unsigned     reasons;              /* to review it: JUDGE_REVIEW_... */
    bool         checked;              /* the next three are known */
    size_t       altered;              /* places in the item where markup of
                                          prompts was neutralized */
    size_t       missing;              /* quotes that are not in the item */
    unsigned     tolerated;            /* JUDGE_TOLERATED_..., any answer's */
    bool         has_interval;
    double       low, high, coverage;  /* the overall score's interval */
    const judge_width_t *widths;       /* by criterion, then the overall
                                          score's; NULL: not known */
    judge_str_t  calibrator;           /* the training job whose calibrator was
                                          applied; or absent */
    const float *raw;                  /* the engine's scores before that */
    double       raw_overall;
    bool         changed;              /* a calibrator was not applied: it was
                                          learned by other inputs */
    size_t       examples;             /* number in the prompt */
    const char  *why;                  /* why this engine decided, if the judge
                                          may escalate; or NULL */
    bool         reported;             /* a worker sent the overall score: it
                                          need not be the mean */
    bool         has_first;            /* the evaluation was escalated, */
    double       first;                /* with this score of the engine */
    judge_str_t  processing;           /* JSON: a worker's own metadata; or
                                          absent */
} judge_origin_t;

/* Whether the score has an interval: not if there is no score, nor if checks
 * alone decided it. */
bool judge_score_has_interval(const judge_criterion_score_t *score);

/* The interval of the overall score; NULL: it has none, as checks alone
 * decided it, and people's corrections do not show another. */
const judge_width_t *judge_overall_width(const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, const judge_origin_t *origin);

/* The number of reasons for a review, each of which is a bit. */
#define JUDGE_REVIEW_REASONS  10

/* Writes needs_review and review_reasons. */
void judge_review_json(judge_json_writer_t *w, unsigned reasons);

/* Renders a verdict or a failure; or both if nothing could be judged, because
 * the verdict then has the reasons.  origin may be NULL. */
judge_rc_e judge_evaluation_json_ended(judge_buf_t *out,
    const judge_job_t *job, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, const judge_failure_t *failure,
    const judge_origin_t *origin, judge_ms_t evaluated_at);

/* Renders the job's record from the stored record of another evaluation with
 * the same answer key.  JUDGE_INVALID: that record can't be read. */
judge_rc_e judge_evaluation_json_again(judge_buf_t *out,
    const judge_job_t *job, judge_str_t stored, judge_ms_t evaluated_at,
    double *overall, int64_t *reasons);

/* {"code": …, "message": …, "at": …} */
judge_str_t judge_evaluation_error(judge_arena_t *arena,
    const judge_failure_t *failure, judge_ms_t at);

/* The record of a row, absent unless it has ended; "id" is added, which older
 * versions did not store. */
judge_str_t judge_evaluation_body(judge_arena_t *arena,
    const judge_evaluation_row_t *row);

/* Writes the record of a row as a value.  Only GET of a single evaluation
 * shows the duration. */
void judge_evaluation_json(judge_json_writer_t *w,
    const judge_evaluation_row_t *row, bool with_duration);

/* Returns the same as text; data NULL: out of memory. */
judge_str_t judge_evaluation_text(judge_arena_t *arena,
    const judge_evaluation_row_t *row, bool with_duration);


#endif /* JUDGE_EVALUATION_JSON_H */
