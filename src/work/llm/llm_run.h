/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* One evaluation by language models; for the files of llm only. */


#ifndef JUDGE_LLM_RUN_H
#define JUDGE_LLM_RUN_H


#include "store/store_queue.h"
#include "store/store_settings.h"
#include "analysis/llm/panel.h"
#include "work/calibration/calibrator_cache.h"
#include "work/llm/llm_call.h"
#include "work/llm/llm_catalog.h"
#include "work/llm/llm_queue.h"
#include "work/render/evaluation_json.h"
#include "work/training/training_data.h"


#define JUDGE_LLM_TOGETHER  32         /* evaluations that load at once */

typedef struct judge_llm_group    judge_llm_group_t;
typedef struct judge_llm_run      judge_llm_run_t;

/* One of the questions of a run that are asked at once: a sample of the
 * current model, or what a member of the panel is asked. */
typedef struct {
    judge_llm_call_t   ask;
    judge_llm_run_t   *run;
} judge_llm_run_question_t;

struct judge_llm_run {
    judge_llm_queue_t    *queue;
    void                (*release)(judge_llm_run_t *run);  /* ends the run: the
                                          queue frees it, even if the result
                                          could not be stored */
    void                (*ready)(judge_llm_run_t *run);
    judge_service_t      *service;
    judge_arena_t        *arena;
    judge_llm_group_t    *group;
    judge_llm_run_t      *next;        /* in queue->first */
    judge_llm_run_t     **prev;
    judge_llm_run_t      *next_unloaded;         /* in queue->unloaded */

    judge_claimed_t            claimed;
    judge_job_t                job;
    judge_rubric_t             rubric;
    judge_rubric_t             asked;  /* the criteria that models judge */
    size_t                    *asked_index;  /* the index in `rubric` of each
                                          criterion of `asked` */
    judge_item_t               item;
    judge_prompt_image_t       image;
    judge_call_t               fetch;  /* reads a file that is not in the
                                          directory */
    uint8_t                    references[JUDGE_SHA256_LEN];  /* a digest of
                                          the judge's references */
    judge_failure_t            failure;  /* code NULL: none so far */
    judge_llm_settings_t       llm;    /* the organization's */
    judge_budget_limits_t      limits;
    judge_settings_find_t      settings;
    judge_answer_find_t        answer; /* an earlier answer that is stored */
    judge_str_t                answer_key;
    judge_calibrator_entry_t  *entry;  /* the judge's; NULL: not held yet */

    judge_panel_t         panel;       /* n 0: models are asked in turn */
    double               *weights;     /* of its members, by criterion that is
                                          asked; NULL: equal */
    judge_str_t          *asked_ids;   /* of the asked criteria */
    judge_llm_order_t     order;       /* of a panel: its members */
    size_t                turn;        /* index of the current model */
    judge_llm_run_question_t  *questions;
    size_t                nquestions;
    size_t                pending;     /* number of questions under way */
    int64_t               used;        /* tokens of all models */
    bool                  transient;   /* a failed model may succeed later */
    judge_attempt_t       attempt;     /* its failure */

    judge_task_t            task;
    float                  *features;  /* measured in a text; or NULL */
    size_t                  nfeatures;
    judge_verdict_t         verdict;
    judge_origin_t          origin;
    judge_result_t          result;
    judge_rc_e              rc;
    bool                    concluded; /* the verdict has been made */
    bool                    builtin_only;        /* no more models are asked:
                                          the built-in engine's score counts */
    bool                    without_examples;    /* the prompt was too long */
    unsigned                unsupported; /* JUDGE_NO_... of the first model
                                          when its questions were built */
    judge_queue_finish_t    finish;
    bool                    lost;      /* another worker has the lease */
};

/* Runs that are loaded together.  The group lies in the operation's arena and
 * is freed with the last of its runs. */
struct judge_llm_group {
    judge_queue_load_t      load;      /* first: see judge_service_op() */
    judge_llm_queue_t      *queue;
    judge_llm_run_t        *runs[JUDGE_LLM_TOGETHER];
    judge_job_t            *jobs[JUDGE_LLM_TOGETHER];
    size_t                  left;      /* runs that have not ended */
    size_t                  fetching;  /* runs whose settings or files are
                                          being read, and 1 while these reads
                                          are being started */
    judge_task_t            task;
};


/* What measures a group's texts in its thread. */
typedef struct {
    judge_arena_t          *arena;     /* holds the scorer */
    judge_arena_t          *scratch;   /* for one text */
    judge_scorer_t         *scorer;
    judge_str_t             judge_id;
    int64_t                 version;
} judge_llm_measure_t;


/* On the loop, after loading: reads the settings of the organization, chooses
 * the models, and calls ready(). */
void judge_llm_run_settings(judge_llm_run_t *run,
    void (*ready)(judge_llm_run_t *run));

/* Reads an image from a bucket into run->fetch, and calls done(); false: there
 * is none to read. */
bool judge_llm_run_fetch(judge_llm_run_t *run,
    void (*done)(judge_call_t *call));

/* These three run in a thread before any model is asked, and set run->failure
 * or run->rc if they fail.  _prepare() parses what was loaded, _measure() lets
 * the built-in engine measure the text's features, from which training learns,
 * and _questions() builds the questions. */
void judge_llm_run_prepare(judge_llm_run_t *run);
void judge_llm_run_measure(judge_llm_run_t *run, judge_llm_measure_t *measure);
void judge_llm_run_questions(judge_llm_run_t *run);

/* In a thread: reads what a model is shown. */
judge_rc_e judge_llm_item_load(judge_llm_run_t *run);

/* Whether the content is text. */
bool judge_llm_text(const judge_llm_run_t *run);

/* On the loop: asks the models; calls release() in the end. */
void judge_llm_run_begin(judge_llm_run_t *run);

/* Sets run->failure; the caller ends the run. */
void judge_llm_refuse(judge_llm_run_t *run, const char *code,
    judge_str_t message);


/* --- A panel, or one model: llm_panel.c ---------------------------------- */

/* Sets run->weights from corrections, if the panel weights its members by
 * these; then calls next(). */
void judge_llm_panel_weigh(judge_llm_run_t *run,
    void (*next)(judge_llm_run_t *run));

/* Whether this number of answers is enough for a verdict. */
bool judge_llm_enough(const judge_llm_run_t *run, size_t answered);

/* Notes for the record, once, that this model was asked and gave no answer. */
void judge_llm_note(judge_llm_run_t *run, const judge_llm_call_t *ask);

/* In a thread, if there is a panel: sets its score of the c-th asked
 * criterion, and those of its members; notes in the origin if these differ too
 * much.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_llm_panel_score(judge_llm_run_t *run, size_t c,
    judge_criterion_score_t *to);

/* In a thread: notes in the origin which of the models that were asked are
 * related to the one that the metadata names.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_llm_related(judge_llm_run_t *run);


/* Frees the questions that were asked, except the array itself. */
void judge_llm_questions_free(judge_llm_run_t *run);

/* In a thread: makes one verdict and its origin from the answers, of which
 * there is at least one; or by the built-in engine, if nothing was asked. */
judge_rc_e judge_llm_verdict(judge_llm_run_t *run);

/* The stored form of the features; absent: out of memory. */
judge_str_t judge_llm_features(const judge_llm_run_t *run);

/* A digest of all that an answer depends on; absent: there is none, because no
 * model is asked first, or memory is out. */
judge_str_t judge_llm_answer_key(judge_llm_run_t *run);


#endif /* JUDGE_LLM_RUN_H */
