/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A running training job, for the files of training only.
 *
 * Its first stage learns a model from all items.  Each further stage learns
 * without the items of one fold, predicts these and compares them with
 * people's scores.  Afterwards a language model is asked about some of these
 * items again, with examples: the few-shot trial.
 */


#ifndef JUDGE_TRAINING_STATE_H
#define JUDGE_TRAINING_STATE_H


#include "analysis/learning/agreement.h"
#include "analysis/learning/learn.h"
#include "analysis/llm/fewshot.h"
#include "analysis/builtin/engine.h"
#include "store/store_queue.h"
#include "store/store_settings.h"
#include "work/calibration/calibrator_cache.h"
#include "work/llm/llm_call.h"
#include "work/training/training.h"
#include "work/training/training_config.h"
#include "work/training/training_data.h"


#define JUDGE_TRAINING_ITEMS  150000   /* evaluations, at most; the newest */
#define JUDGE_TRAINING_LEAST  5        /* evaluations, at least */
#define JUDGE_TRAINING_OVERALL  10     /* overall scores, to learn them */
#define JUDGE_TRAINING_PASS  60.0      /* passing score of a criterion without
                                          thresholds */
#define JUDGE_TRAINING_LOG_LINES  32   /* lines between two writes, at most */
#define JUDGE_TRAINING_ASKED  80       /* items of the few-shot trial */

typedef struct judge_training_state  judge_training_state_t;
typedef struct judge_training_fewshot  judge_training_fewshot_t;
typedef struct judge_training_remeasure  judge_training_remeasure_t;

/* What a checkpoint begins with; the predictor, the predictions and the
 * answers of the few-shot trial follow. */
typedef struct {
    uint64_t                magic;
    uint64_t                print;     /* fingerprint of what is learned from
                                          and how */
    uint64_t                stage;
    int64_t                 best_epoch;
    uint64_t                stopped_early;
    uint64_t                predictor; /* bytes */
    judge_learn_progress_t  progress;  /* of the stage */
    uint8_t                 answered[JUDGE_TRAINING_ASKED];
                                       /* the states of the questions */
} judge_training_saved_t;

/* Why a job failed. */
typedef struct {
    const char  *code;                 /* NULL: it has not failed */
    judge_str_t  message;
} judge_training_failure_t;

struct judge_training_state {
    judge_leased_t               work;   /* first: see leased.h */
    judge_training_claim_t       claim;
    judge_training_type_e        type;
    judge_training_allocation_e  allocation;
    judge_training_config_t      config;
    judge_training_options_t     options;
    judge_training_failure_t     failure;

    /* The judge, and the version in use. */
    judge_judge_find_t           find;
    judge_rubric_t               rubric;
    judge_calibrator_entry_t    *entry;
    const judge_calibrator_t    *base;  /* NULL: nothing was learned */
    judge_str_t                  kept;  /* examples of a base whose models were
                                          learned from other inputs */
    judge_str_t              *ids;     /* of the criteria that are targets */
    size_t                   *targets;  /* the target of each criterion */
    double                    pass[JUDGE_LEARN_TARGETS];
    double                    share[JUDGE_LEARN_TARGETS];  /* weight, with the
                                          sum 1 */

    /* The items to learn from. */
    judge_training_summary_t    summary;
    judge_ms_t                  waiting_since;  /* for feedback; or 0 */
    judge_training_data_t       data;
    judge_training_remeasure_t *remeasure;
    bool                        gathered;
    const char                 *engine;    /* that scored the items */
    bool                        adds;  /* learns only from feedback that is
                                          newer than the base's */
    bool                        overall;
    size_t                      nitems;
    size_t                      nfeatures;
    size_t                      ntargets;  /* with the overall score */
    judge_learn_set_t           set;   /* of these items */
    float                      *before;  /* the scores of the version in use */
    bool                       *fresh;  /* by item: new to the base */
    uint8_t                     frozen[JUDGE_LEARN_TARGETS];
    size_t                      nfresh;
    uint64_t                    languages;  /* a bit for each of the texts */
    judge_ms_t                  newest;  /* time of the newest feedback */

    /* Learning. */
    judge_training_saved_t    saved;
    size_t                    nfolds;
    size_t                    nstages;
    judge_learner_t          *learner;
    judge_buf_t               predictor;   /* on the heap */
    size_t                    nresiduals;
    float                     residuals[JUDGE_LEARN_TARGETS];
    float                    *predicted;    /* scores of held-out items, or
                                          NaN */
    bool                      step_ended;        /* the step ended a stage */
    judge_buf_t               state;   /* the checkpoint; on the heap */
    bool                      state_due;
    judge_training_epoch_t    loss;
    bool                      has_loss;

    /* The few-shot trial. */
    judge_training_fewshot_t       *trial;  /* NULL: not begun */
    bool                            trial_over;
    judge_ms_t                      trial_at;
                                       /* when the budget has room again; 0:
                                          it has */
    float                    *answers;   /* the model's scores, ASKED x
                                          ntargets; NaN: none */
    judge_buf_t               examples;   /* on the heap; empty unless examples
                                          help */

    /* The end. */
    judge_str_t               metrics;
    judge_str_t               results;
    judge_str_t               changes;
    judge_str_t               criteria;  /* JSON: who judges them by now */
    judge_buf_t               calibrator; /* to be stored; on the heap */
    uint64_t                  inputs;  /* the calibrator's */
    bool                      ready;

    /* Steps and operations. */
    judge_leased_step_pt      done;    /* step after a trial or remeasuring */
    judge_training_log_t      logs[JUDGE_TRAINING_LOG_LINES];
    size_t                    nlogs;
    judge_training_checkpoint_t checkpoint;
    judge_training_progress_t write;
    judge_training_progress_t renewal;         /* of the lease */
    judge_training_finish_t   finish;
    judge_ms_t                written_at;
    double                    notified;        /* progress at the last
                                          event */
};


struct judge_training_fewshot {
    judge_settings_find_t       settings;
    judge_reason_list_t         reasons;  /* the pool's, then the items' */
    judge_queue_load_t          load;
    judge_job_t                *jobs;  /* one for each item */
    size_t                      item[JUDGE_TRAINING_ASKED];
                                       /* the run's items to ask about */
    size_t                      nitems;
    size_t                      pool_items[JUDGE_FEWSHOT_ITEMS];
                                       /* the run's items in the pool */
    size_t                      npool;
    judge_fewshot_t            *examples;
    judge_fewshot_pool_t       *pool;  /* NULL: no item can be an example */
    judge_rubric_t              asked; /* criteria that the model judges */
    size_t                     *asked_index;  /* their indexes in the rubric */
    judge_llm_survey_t          survey;
    judge_ms_t                  begun_at;
};

/* The measurement of what was learned. */
typedef struct {
    judge_training_state_t  *run;
    judge_arena_t           *arena;
    size_t                   n;        /* number of items compared */
    float                   *human;    /* NaN: the item is not compared, or
                                          the target is frozen */
    float                   *predicted;
    float                   *before;
    bool                     folds;    /* each fold has a model of its own */
    bool                     learned;  /* the version in use has learned from
                                          the items */
    bool                     unrelated;  /* what was learned of a target tells
                                          no more than people's mean */
    uint8_t                  filled[JUDGE_LEARN_TARGETS];  /* nothing judged it
                                          before */
    judge_agreement_t        agree[JUDGE_LEARN_TARGETS + 1];
    judge_agreement_t       *mean;
    uint8_t                  unchanged[JUDGE_LEARN_TARGETS];  /* it stays as it
                                          is in the version in use */
    size_t                   nunchanged;
    uint8_t                  model[JUDGE_LEARN_TARGETS];  /* what judges it */
    judge_gate_t             gate;
    double                   slower;   /* additional ms per item */
    const char              *reason;   /* why it is ready or not, */
    char                     said[320];         /* or that, made of parts */

    bool                     shifted;  /* a shift of the mean errs as little */
    judge_agreement_value_t  beyond;   /* the gain over such a shift */
    bool                     adopted;  /* examples are adopted */
    size_t                   nanswers;  /* number of answers compared */
    double                   error_with;  /* with examples */
    double                   error_without;
} judge_training_measure_t;


/* --- Learning, in a thread ----------------------------------------------- */

/* Prepares the items to learn from. */
judge_rc_e judge_training_prepare(judge_leased_t *work);

/* Continues from a checkpoint, if the run has the same fingerprint. */
judge_rc_e judge_training_resume(judge_training_state_t *run,
    judge_str_t state);

/* Predicts the items of a fold by the learner, which has learned without this
 * fold, in rows of ntargets. */
judge_rc_e judge_training_predict(judge_learner_t *learner,
    const judge_learn_set_t *set, size_t fold, float *predicted);

/* Runs one epoch of the current stage. */
judge_rc_e judge_training_step(judge_leased_t *work);

/* Measures what was learned, decides, and writes metrics and results. */
judge_rc_e judge_training_measure(judge_leased_t *work);

/* Rows of scores for n items, all NaN; NULL: out of memory. */
float *judge_training_unknown(const judge_training_state_t *run,
    judge_arena_t *arena, size_t n);

/* Whether scores can be compared on this item; fresh: it must be new to the
 * version in use. */
bool judge_training_counts(const judge_training_state_t *run, size_t i,
    bool fresh);

/* Sets m->agree and m->mean by comparing m->predicted and m->before with
 * people's scores. */
judge_rc_e judge_training_compare(judge_training_measure_t *m);

/* Decides whether examples improve a language model's scores over what would
 * be deployed without them; if so, m is replaced by the comparison on the
 * trial's items, and run->ready is set. */
judge_rc_e judge_training_compare_fewshot(judge_training_measure_t *m);

/* Names what the scores are compared with: where it gave none, people's mean
 * stands in, whose error is not that of a version. */
const char *judge_training_rival(const judge_training_measure_t *m,
    bool brief);

/* Write run->metrics, and run->results with run->changes; what could not be
 * measured is left out. */
judge_rc_e judge_training_write_metrics(judge_training_measure_t *m);
judge_rc_e judge_training_write_results(judge_training_measure_t *m);

/* Writes the checkpoint to run->state, if it is time for one. */
void judge_training_save(judge_training_state_t *run);


/* --- Steps, on the loop -------------------------------------------------- */

#define JUDGE_TRAINING_LEASE  20000    /* ms */

void judge_training_start(judge_leased_t *work);

/* _remeasure() loads the references, with which _item() then measures an item
 * again, in a thread. */
void judge_training_remeasure(judge_training_state_t *run,
    judge_leased_step_pt done);
judge_rc_e judge_training_remeasure_item(judge_training_data_t *data,
    size_t item, const judge_taught_t *row);
void judge_training_remeasure_free(judge_training_state_t *run);

/* Stores the progress, and then continues or releases the job. */
void judge_training_store(judge_leased_t *work);

/* Writes the end of the job: completed, or failed if run->failure says why. */
void judge_training_complete(judge_leased_t *work);

/* Asks the model about some items, then calls done().  The caller then stores
 * the state, and calls again unless run->trial_over is set. */
void judge_training_fewshot(judge_training_state_t *run,
    judge_leased_step_pt done);

/* The progress of the trial, 0 to 1. */
double judge_training_fewshot_part(const judge_training_state_t *run);


/* --- What the steps share ------------------------------------------------ */

void judge_training_log(judge_training_state_t *run, const char *level,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Sets run->failure.  Returns JUDGE_DENIED, for which judge_leased_go()
 * completes the job in place of the next step. */
judge_rc_e judge_training_fail(judge_training_state_t *run, const char *code,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The overall score that follows from the criteria's scores. */
double judge_training_overall(const judge_training_state_t *run,
    const float *scores);

/* Renders {"error_code": …} of run->failure, with suggestions that can help
 * this job. */
judge_str_t judge_training_error(const judge_training_state_t *run);


#endif /* JUDGE_TRAINING_STATE_H */
