/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * OpenAI's Evals, files, graders and moderations, as the clients of OpenAI
 * know them: the paths are below /openai/v1, and errors have OpenAI's form.
 */


#ifndef JUDGE_OPENAI_H
#define JUDGE_OPENAI_H


#include "analysis/checks/schema.h"
#include "base/core/allowance.h"
#include "extensions/openai/openai_grader.h"
#include "store/store_openai.h"
#include "work/evaluation/waiters.h"
#include "work/llm/llm_call.h"
#include "work/service/leased.h"


#define JUDGE_OPENAI_PATH      "/openai/v1"
#define JUDGE_OPENAI_EVALS     JUDGE_OPENAI_PATH "/evals"
#define JUDGE_OPENAI_RUNS      JUDGE_OPENAI_EVALS "/{eval_id}/runs"
#define JUDGE_OPENAI_OUTPUTS   JUDGE_OPENAI_RUNS "/{run_id}/output_items"
#define JUDGE_OPENAI_FILES     JUDGE_OPENAI_PATH "/files"

#define JUDGE_OPENAI_ID_MAX    80
#define JUDGE_OPENAI_CRITERIA  32      /* graders of an eval, at most */
#define JUDGE_OPENAI_NAME      512     /* characters */
#define JUDGE_OPENAI_ITEMS     10000   /* of a run */
#define JUDGE_OPENAI_TIME      (10 * 60 * 1000)          /* ms for all calls
                                                            of an item */

/* --- The plan of a run --------------------------------------------------- */

/* What all items of a run share; not changed while items are graded. */
typedef struct {
    judge_service_t      *service;
    judge_openai_parse_t  parse;
    judge_str_t           type;        /* of the data source */
    struct {
        judge_str_t       type;
        judge_json_t     *content;     /* NULL: the items are in a file */
    }                     source;
    judge_str_t           input;       /* type of input_messages */
    judge_str_t           reference;   /* their template in items, or absent */
    openai_grader_t       sampler;     /* the model, messages and parameters
                                          that make samples */
    bool                  samples;     /* a model makes samples */
    judge_id_t            evaluations; /* the first identifier of the range
                                          for evaluations by judges */
    judge_settings_find_t judges;      /* those of the graders, with the
                                          organization's settings */
    judge_step_pt         next;        /* the step after _plan_judges() */
} judge_openai_plan_t;

/* Sets the service and `parse`. */
void judge_openai_plan_begin(judge_openai_plan_t *plan,
    judge_service_t *service, judge_arena_t *arena, judge_str_t *error);

/* Reads the data source of a run and the criteria of its eval, in a thread.
 * JUDGE_INVALID: the error says what is not supported. */
judge_rc_e judge_openai_plan_read(judge_openai_plan_t *plan,
    const judge_json_t *source, const judge_json_t *criteria);

/* Prepares plan->judges for JUDGE_OP_SETTINGS_FIND, which is to succeed before
 * anything is asked.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_openai_plan_find(judge_openai_plan_t *plan);

/* Looks for the judges of a request, whose context begins with its plan,
 * checks that all can be asked, and calls plan->next().  A step. */
void judge_openai_plan_judges(judge_req_t *r);

/* --- Requests ------------------------------------------------------------ */

/* The context of the routes of evals, runs, files and items. */
typedef struct {
    judge_openai_plan_t    plan;       /* what is checked before an eval or a
                                          run is stored */

    judge_str_t            name;       /* this and others: out of bodies */
    judge_json_t          *metadata;
    judge_json_t          *criteria;
    judge_json_t          *source;
    struct {                           /* data_source_config */
        judge_str_t        type;
        judge_json_t      *schema;
        judge_boolean_t    samples;
    }                      config;

    judge_str_t            after;      /* this and others: out of queries */
    judge_str_t            order;
    judge_str_t            order_by;
    judge_str_t            status;
    judge_str_t            purpose;
    judge_integer_t        limit;

    judge_openai_create_t  create;
    judge_openai_one_t     one;
    judge_openai_list_t    list;

    judge_json_t          *eval;       /* of a run, as all below */
    judge_schema_t        *schema;
    judge_regex_t         *reader;
    size_t                 bytes;      /* of the items */
    judge_buf_t            upload;     /* the body of a file */
    judge_str_t            file;       /* its bytes */
} judge_openai_t;

/* Stores c->create, which a thread has filled in, and answers with it. */
void judge_openai_create(judge_req_t *r);

/* Makes an identifier in OpenAI's form, which sorts by time; absent: out of
 * memory or random numbers.  It begins a range (judge_id_make_range()) for the
 * identifiers of the evaluations of a run. */
judge_str_t judge_openai_id(judge_arena_t *arena, const char *prefix,
    judge_ms_t now);

/* Whether the key may ask language models; false: an error was answered. */
bool judge_openai_may_ask(judge_req_t *r, const char *what);

/* Writes the member `error`.  A sentence that begins with the path of a field
 * and a colon names the field, too. */
void judge_openai_error(judge_json_writer_t *w, int status,
    judge_str_t sentence);

/* Returns the i-th table of routes for locations with judge_openai. */
const judge_route_t *judge_openai_routes(size_t i);

extern const judge_route_t  judge_openai_eval_routes[];
extern const judge_route_t  judge_openai_file_routes[];
extern const judge_route_t  judge_openai_object_routes[];
extern const judge_route_t  judge_openai_moderation_routes[];
extern const judge_route_t  judge_openai_grader_routes[];

/* --- One item ------------------------------------------------------------ */

typedef struct judge_openai_output  judge_openai_output_t;

struct judge_openai_output {
    const judge_openai_plan_t  *plan;
    judge_str_t                 org;
    openai_subject_t            subject;         /* in: its own arena */
    judge_allowance_t           allowance;       /* of the subject */
    judge_openai_item_t        *row;   /* in: item, unless the subject is
                                          given; out: status, result */
    judge_ms_t                  deadline;        /* for all calls */
    bool                        repeats;         /* calls that failed for now,
                                          until the deadline */
    bool                      (*gone)(judge_openai_output_t *output);
                                       /* called after each call; true: nobody
                                          wants it any more, and it may be
                                          freed */
    void                      (*done)(judge_openai_output_t *output);
    void                       *data;

    judge_str_t                 error; /* why it can't be graded */
    openai_call_t               sample;
    openai_grade_t             *grades;          /* of plan->parse.n graders;
                                          NULL: not yet */
    size_t                      turn;  /* grades whose calls were made */
    size_t                      ncalls;          /* that graders have made */
    judge_rc_e                  rc;
    judge_task_t                task;

    openai_call_t              *about; /* the call to make, or under way; or
                                          NULL.  The rest is for
                                          openai_ask.c. */
    void                      (*asked)(judge_openai_output_t *output);
    judge_llm_call_t            call;
    size_t                      tries;
    judge_waiter_t              waiter;
    judge_evaluation_find_t     stored;          /* by a judge */
    judge_evaluation_create_t   create;
    judge_id_t                  content;
    bool                        created;
};

/* Grades an item, unless it has an error already, and calls done().  Without
 * memory, or if the worker exits, its row then has no result. */
void judge_openai_output_start(judge_openai_output_t *output);

/* Makes the call output->about, and calls output->asked(); the outcome of
 * output->call is JUDGE_LLM_CALL_STOPPED if the worker exits. */
void judge_openai_ask(judge_openai_output_t *output);

/* Writes the progress of a run of which nothing is done. */
void judge_openai_progress_write(judge_json_writer_t *w,
    const judge_openai_plan_t *plan, size_t total);

/* Writes the member `error` of a run or a sample: null without a message. */
void judge_openai_fault_write(judge_json_writer_t *w, const char *code,
    judge_str_t message);

/* Adds n to a number in an object. */
void judge_openai_add(judge_json_t *object, const char *name, int64_t n);

/* Counts a call in a list of objects, one for each model; does nothing for a
 * call without a model. */
void judge_openai_use(judge_arena_t *arena, judge_json_t *list,
    const openai_call_t *call);


#endif /* JUDGE_OPENAI_H */
