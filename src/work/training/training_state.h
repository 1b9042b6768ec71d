/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A training job under way, for the files of training only.
 *
 * Its stages are: the model out of everything, and then as many folds, each
 * learned again without some of the items, which are then predicted and
 * compared with the scores of people.  A language model is then asked
 * about some of these again, with examples.
 */


#ifndef JUDGE_TRAINING_STATE_H
#define JUDGE_TRAINING_STATE_H


#include "analysis/learning/agreement.h"
#include "analysis/learning/gate.h"
#include "analysis/learning/learn.h"
#include "analysis/llm/fewshot.h"
#include "analysis/llm/rubric.h"
#include "store/store_settings.h"
#include "work/calibration/calibrator_cache.h"
#include "work/llm/llm_call.h"
#include "work/training/training.h"
#include "work/training/training_config.h"
#include "work/training/training_data.h"


#define JUDGE_TRAINING_ITEMS  150000   /* evaluations at most, the newest */
#define JUDGE_TRAINING_LEAST  5        /* evaluations to learn from */
#define JUDGE_TRAINING_OVERALL  10     /* overall scores, to learn those */
#define JUDGE_TRAINING_PASS  60.0      /* a score passes, unless there are
                                          thresholds */
#define JUDGE_TRAINING_LOG_LINES  32   /* between two writes */
#define JUDGE_TRAINING_ASKED  80       /* items that a model is asked about
                                          again, with examples */

/* What came of that, by item; 0: not yet asked. */
#define JUDGE_TRAINING_UNANSWERED  1
#define JUDGE_TRAINING_ANSWERED  2

typedef struct judge_training_state  judge_training_state_t;
typedef struct judge_training_fewshot  judge_training_fewshot_t;
typedef struct judge_training_remeasure  judge_training_remeasure_t;

/* A step on the loop; run->rc is how the one before it ended. */
typedef void (*judge_training_step_pt)(judge_training_state_t *run);

/* Why a job failed. */
typedef struct {
    const char  *code;                 /* NULL: it has not */
    judge_str_t  message;
} judge_training_failure_t;

struct judge_training_state {
    judge_arena_t               *arena;
    judge_service_t             *service;
    judge_training_t            *training;
    void                       (*end)(judge_training_state_t *run);
                                       /* lets go of the job; the run is gone
                                          afterwards */
    judge_training_row_t         row;
    judge_training_type_e        type;
    judge_training_allocation_e  allocation;
    judge_training_config_t      config;
    judge_training_options_t     options;
    judge_training_failure_t     failure;

    /* The judge, and the version in use. */
    judge_judge_find_t           find;
    judge_rubric_t               rubric;
    judge_calibrator_entry_t    *entry;
    const judge_calibrator_t    *base;  /* NULL: the engine alone */
    judge_str_t                  kept;  /* examples of a base whose models are
                                          of other inputs */
    judge_str_t              *ids;     /* targets, but for the overall one */
    size_t                   *at;      /* criterion of the rubric to target */
    double                    pass[JUDGE_LEARN_TARGETS];
    double                    share[JUDGE_LEARN_TARGETS];  /* in the overall
                                          score; their sum is 1 */

    /* What is learned from. */
    judge_training_summary_t    summary;
    judge_ms_t                  waiting_since;  /* for feedback; 0: not */
    judge_training_data_t       data;
    judge_training_remeasure_t *remeasure;
    bool                        gathered;
    char                        engine[JUDGE_CALIBRATOR_ENGINE];
    bool                        adds;  /* feedback that the base does not know
                                          is wanted */
    bool                        overall;
    size_t                      nitems;
    size_t                      nfeatures;
    size_t                      ntargets;
    float                      *features;  /* nitems x nfeatures */
    float                      *raw;   /* of the engine */
    float                      *before;  /* of the version in use */
    float                      *target;
    float                      *weight;
    judge_str_t                *texts;
    uint32_t                   *group;
    uint8_t                    *fold;
    bool                       *fresh;  /* the base has not learned from it */
    size_t                     *item;  /* of data */
    uint8_t                     frozen[JUDGE_LEARN_TARGETS];
    size_t                      nfresh;
    judge_ms_t                  newest;  /* feedback in it */
    uint64_t                    print;  /* of all that */

    /* Learning. */
    size_t                    nfolds;
    size_t                    stage;
    size_t                    nstages;
    judge_arena_t            *scratch; /* of a stage */
    judge_learn_set_t         all;     /* what is learned from */
    judge_learn_set_t         set;     /* of a stage */
    judge_learner_t          *learner;
    judge_learn_progress_t    progress;
    judge_str_t               resume;  /* the learner's state to go on from */
    judge_buf_t               predictor;   /* on the heap */
    size_t                    nspreads;
    float                     spreads[JUDGE_LEARN_TARGETS];
    float                    *predicted;    /* for items held out; else NaN */
    int64_t                   best_epoch;
    bool                      stopped_early;
    bool                      step_ended;        /* the step ended a stage */
    judge_buf_t               state;   /* on the heap; the checkpoint */
    bool                      state_due;
    judge_training_epoch_t    loss;
    bool                      has_loss;

    /* With examples. */
    judge_training_fewshot_t       *trial;  /* NULL: not begun here */
    bool                            trial_over;
    judge_ms_t                      trial_at;
                                       /* the budget has room again; 0: it
                                          has */
    bool                      trial_wait;         /* that is waited for */
    float                    *answers;   /* scores by the model, ASKED x
                                          ntargets; else NaN */
    uint8_t                   answered[JUDGE_TRAINING_ASKED];
    judge_buf_t               examples;   /* on the heap: the examples, if they
                                          help */

    /* The end. */
    judge_str_t               metrics;
    judge_str_t               results;
    judge_str_t               changes;
    judge_buf_t               calibrator; /* on the heap; for the store */
    uint64_t                  inputs;  /* of it */
    bool                      ready;

    /* Work of the loop. */
    judge_task_t              task;
    judge_rc_e              (*work)(judge_training_state_t *run);
                                       /* of the task */
    judge_training_step_pt    next;    /* after a task or an operation */
    judge_training_step_pt    done;    /* after the steps of another file */
    judge_rc_e                rc;      /* of the last step */
    judge_training_log_t      logs[JUDGE_TRAINING_LOG_LINES];
    size_t                    nlogs;
    judge_training_checkpoint_t checkpoint;
    judge_training_progress_t write;
    judge_training_finish_t   finish;
    bool                      stopping;        /* the worker leaves */
    bool                      lost;    /* another worker has the job */
    judge_ms_t                leased_at;
    judge_ms_t                written_at;
    double                    notified;        /* the progress that
                                          webhooks know of */
};


/* A question of the few-shot trial to a language model. */
typedef struct {
    judge_llm_call_t         ask;
    judge_training_state_t  *run;
    size_t                   at;       /* of those to ask about */
    judge_item_t             item;
    judge_prompt_request_t   request;
    judge_reply_t            reply;
} judge_training_question_t;

#define JUDGE_TRAINING_QUESTIONS  4    /* under way at once */

struct judge_training_fewshot {
    judge_settings_find_t       settings;
    judge_reason_list_t         reasons;  /* of the pool, then of `item` */
    judge_queue_load_t          load;
    judge_job_t                *jobs;  /* by what is asked about */
    size_t                      item[JUDGE_TRAINING_ASKED];
                                       /* of the run, to ask about */
    size_t                      nitems;
    size_t                      from[JUDGE_FEWSHOT_ITEMS];
                                       /* of the run: the pool */
    size_t                      npool;
    judge_fewshot_t            *examples;
    judge_fewshot_pool_t       *pool;  /* NULL: no item is fit to be one */
    judge_rubric_t              asked; /* of the rubric, with the references */
    size_t                     *at;    /* its criteria in the rubric */
    judge_training_question_t   questions[JUDGE_TRAINING_QUESTIONS];
    size_t                      nquestions;
    size_t                      pending;
    judge_ms_t                  begun_at;
};

/* What is measured of what was learned. */
typedef struct {
    judge_training_state_t  *run;
    judge_arena_t           *arena;
    size_t                   n;        /* items that are compared */
    size_t                  *item;     /* of the run */
    float                   *human;
    float                   *predicted;
    float                   *before;
    uint8_t                 *model;    /* NULL: all by one */
    uint32_t                *group;
    judge_agreement_t        agree[JUDGE_LEARN_TARGETS + 1];
    judge_agreement_t       *mean;
    uint8_t                  passed[JUDGE_LEARN_TARGETS];  /* as it was */
    size_t                   npassed;
    judge_gate_t             gate;
    double                   slower;   /* ms an item */
    const char              *reason;   /* why it is ready, or not */

    bool                     shifted;  /* a shift of the mean would have done
                                          as well */
    judge_agreement_value_t  beyond;   /* the gain over that */
    bool                     adopted;  /* examples are */
    size_t                   nanswers;  /* answers that were compared */
    double                   with;     /* error on these */
    double                   without;
} judge_training_measure_t;


/* --- Learning, in a thread ----------------------------------------------- */

/* Puts together what is learned from; run->failure says why it can't be. */
judge_rc_e judge_training_prepare(judge_training_state_t *run);

/* Goes on from a checkpoint, if it is about the same. */
judge_rc_e judge_training_resume(judge_training_state_t *run,
    judge_str_t state);

/* Copies n items of a set, given by their numbers. */
judge_rc_e judge_training_subset(judge_arena_t *arena,
    const judge_learn_set_t *from, const size_t *item, size_t n,
    judge_learn_set_t *set);

/* Reads what a learner wrote, with room for predictions. */
judge_rc_e judge_training_predictor(judge_arena_t *arena,
    const judge_buf_t *bytes, judge_predictor_t **model, float **scratch);

/* One epoch of the present stage. */
judge_rc_e judge_training_step(judge_training_state_t *run);

/* Measures, decides, and writes down. */
judge_rc_e judge_training_measure(judge_training_state_t *run);

/* Compares m->predicted and m->before with the scores of people, in
 * m->agree and m->mean. */
judge_rc_e judge_training_compare(judge_training_measure_t *m,
    bool intervals);

/* Whether examples make a language model's scores better than what would be
 * deployed without; then everything that is compared is about the items that
 * it was asked about, and run->ready is set. */
judge_rc_e judge_training_compare_fewshot(judge_training_measure_t *m);

/* Writes run->state, if it is time for that. */
void judge_training_save(judge_training_state_t *run);


/* --- The course, on the loop --------------------------------------------- */

#define JUDGE_TRAINING_LEASE  20000    /* ms */

void judge_training_start(judge_training_state_t *run);

/* Measures again what was measured in another way; in done() run->rc is
 * JUDGE_STALE where it had to stop. */
void judge_training_remeasure(judge_training_state_t *run,
    judge_training_step_pt done);
void judge_training_remeasure_free(judge_training_state_t *run);

/* Counts the feedback, and goes on when all of it is processed. */
void judge_training_count(judge_training_state_t *run);

/* Stores how far it is, and goes on if it may; or ends it. */
void judge_training_store(judge_training_state_t *run);
void judge_training_complete(judge_training_state_t *run);

/* The next step, or the end. */
void judge_training_next(judge_training_state_t *run);

/* Asks about some items.  After done() with trial_over all are asked; else it
 * is called again when the state has been stored. */
void judge_training_fewshot(judge_training_state_t *run,
    judge_training_step_pt done);

/* How far it is, 0 to 1. */
double judge_training_fewshot_part(const judge_training_state_t *run);

/* Computes in a thread, or submits an operation of the run: next() follows
 * with the outcome in run->rc. */
void judge_training_compute(judge_training_state_t *run,
    judge_rc_e (*work)(judge_training_state_t *run),
    judge_training_step_pt next);
void judge_training_op(judge_training_state_t *run, judge_op_t *op,
    judge_op_kind_e kind, judge_training_step_pt next);


/* --- What they share ----------------------------------------------------- */

void judge_training_log(judge_training_state_t *run, const char *level,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void judge_training_fail(judge_training_state_t *run, const char *code,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The overall score that the criteria's scores make. */
double judge_training_overall(const judge_training_state_t *run,
    const float *scores);

/* {"error_code": …} with what may help. */
judge_str_t judge_training_error(judge_arena_t *arena,
    const judge_training_failure_t *failure, int64_t epoch);


#endif /* JUDGE_TRAINING_STATE_H */
