/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Graders as OpenAI has them.  One is made from JSON that a client sent, and
 * lives in the arena.  Grading does no I/O: prepare() says what has to be
 * asked of language models or judges, the caller asks, and grade() takes the
 * answers.  All but asking may run in any thread.
 */


#ifndef JUDGE_OPENAI_GRADER_H
#define JUDGE_OPENAI_GRADER_H


#include "api/http/request.h"
#include "store/store_settings.h"
#include "work/evaluation/waiters.h"
#include "work/llm/llm_call.h"


#define JUDGE_OPENAI_PARTS     16      /* of a grader, at most */
#define JUDGE_OPENAI_FORMULA   2000    /* bytes */
#define JUDGE_OPENAI_TEMPLATE  100000  /* characters of a template */
#define JUDGE_OPENAI_RENDERED  1048576 /* bytes of what becomes of it */
#define JUDGE_OPENAI_EXPECTED  500     /* tokens of an answer, roughly */

/* What an error is about. */
typedef enum {
    JUDGE_OPENAI_FAULT_NONE,
    JUDGE_OPENAI_FAULT_FORMULA,
    JUDGE_OPENAI_FAULT_SAMPLE,         /* a reference to what is not there */
    JUDGE_OPENAI_FAULT_REPLY,          /* a model's answer does not fit */
    JUDGE_OPENAI_FAULT_REFUSAL,
    JUDGE_OPENAI_FAULT_SERVER          /* of a model, or a judge */
} openai_fault_e;

/* --- Templates and formulas ---------------------------------------------- */

/*
 * Texts with references to what is graded: {{item.question}},
 * {{ item['a b'][0].c }}, {{sample.output_text}}, {{sample.output_json.y}}.
 * A string is put in as it is, anything else as JSON; what was put in is not
 * read again.
 */

typedef struct {
    const judge_json_t  *item;         /* an object, or NULL: there is none */
    const judge_json_t  *sample;       /* an object, or NULL.  Without a member
                                          output_json, it is what output_text
                                          is as JSON */
} openai_subject_t;

/* JUDGE_INVALID sets *error, a sentence that follows the name of the field:
 * something can't be read or is not there, or it is too long.  Without a
 * subject it is only checked.  `fenced`: what is put in is meant for a
 * language model as data, and stands between two lines (delimiter.h). */
judge_rc_e judge_openai_template_render(judge_arena_t *arena, judge_str_t text,
    const openai_subject_t *subject, bool fenced, judge_str_t *out,
    judge_str_t *error);

/* The formula of a grader of many: numbers, names, + - * / ^, parentheses, and
 * the functions min, max, abs, floor, ceil, exp, sqrt and log.  NULL, with
 * *out; or a sentence, whose memory is not freed.  Without `values`, it is
 * only checked. */
const char *judge_openai_calculate(judge_str_t formula,
    const judge_str_t *names, const double *values, size_t n, double *out);

/* --- Asking -------------------------------------------------------------- */

typedef struct {
    int64_t  prompt;
    int64_t  completion;
    int64_t  total;
    int64_t  cached;
} judge_openai_usage_t;

/* One question to a model of nginx.conf, as chat completions have it, whose
 * answer is taken as text; or to a judge, whose answer is a score. */
typedef struct {
    judge_str_t            model;      /* its name in nginx.conf */
    judge_str_t            messages;   /* JSON: an array */
    const judge_json_t    *sampling;   /* an object, or NULL; read are
                                          temperature, top_p, seed,
                                          max_completion_tokens (graders'
                                          max_completions_tokens),
                                          reasoning_effort */
    judge_str_t            format;     /* response_format, JSON; or absent */
    judge_str_t            judge_id;   /* if it is set: a judge is asked, */
    judge_id_t             evaluation; /* by this one, */
    judge_str_t            input;      /* about this text, */
    judge_str_t            source;     /* beside this; or absent */

    judge_str_t            error;      /* out, as all below: a sentence, why
                                          there is no answer */
    openai_fault_e         fault;      /* SAMPLE: it can't be asked */
    judge_str_t            text;       /* of the model */
    judge_str_t            finish;     /* finish_reason */
    judge_str_t            served;     /* the model's name, by its server */
    judge_openai_usage_t   usage;      /* zeros: it was not given */
    double                 score;      /* of the judge, from 0 to 100 */
} openai_call_t;

typedef struct judge_openai_ask  judge_openai_ask_t;

/* It must stay in place until done() is called, once, on the loop. */
struct judge_openai_ask {
    openai_call_t         *about;
    void                 (*done)(judge_openai_ask_t *ask);
    void                  *data;

    judge_llm_call_t           call;   /* the outcome is for callers, too */

    judge_evaluation_find_t    stored; /* for a judge, as all below */
    judge_settings_find_t      find;
    judge_judge_model_t        judge;
    judge_evaluation_create_t  create;
    judge_id_t                 content;
    bool                       created;
    uint64_t                   changes;          /* before it was read */
    judge_waiter_t             waiter;
};

/* Asks before the deadline.  What comes of it is in `arena`, which nothing
 * else may use meanwhile. */
void judge_openai_ask(judge_openai_ask_t *ask, judge_service_t *service,
    judge_arena_t *arena, judge_str_t org, const judge_budget_limits_t *limits,
    judge_ms_t deadline);

/* openai_model.c: asks a model.  _end() ends a question, with a sentence if it
 * failed. */
void judge_openai_ask_model(judge_openai_ask_t *ask);
void judge_openai_ask_end(judge_openai_ask_t *ask,
    judge_llm_call_outcome_e outcome, judge_str_t error);

/* Sets call->evaluation for the n-th call of the item at that position: an
 * identifier of the range that begins with `first`, or a new one if that is
 * empty.  JUDGE_OK, or what judge_id_make() returned. */
judge_rc_e judge_openai_judge_number(judge_service_t *service,
    openai_call_t *call, const judge_id_t *first, int64_t position, size_t n);

/* --- Graders ------------------------------------------------------------- */

typedef struct openai_grade   openai_grade_t;
typedef struct openai_grader  openai_grader_t;

struct openai_grade {
    openai_call_t    call;             /* of a part, if its type asks */
    double           score;            /* as OpenAI defines it for the type */
    bool             passed;
    judge_str_t      error;            /* a sentence, or absent; with one the
                                          score is 0 and passed false */
    openai_fault_e   fault;
    const char      *note;             /* how it differs from OpenAI's; or
                                          NULL */
    judge_str_t      label;            /* that a model chose; or absent */
    judge_str_t      reason;           /* of a model; or absent */
    openai_grade_t  *parts;            /* as many as the grader has */
};

/* What is being parsed; error is set by judge_openai_parse_fail(). */
typedef struct {
    judge_arena_t           *arena;
    const judge_settings_t  *settings;
    judge_str_t              path;     /* of the grader */
    bool                     part;     /* of a multi grader */
    judge_str_t              error;
} judge_openai_parse_t;

/* What a type of graders is. */
typedef struct {
    const char            *name;
    const judge_field_t   *fields;
    double                 threshold;  /* by default */
    bool                 (*read)(judge_openai_parse_t *p,
                                 openai_grader_t *grader);
    judge_rc_e           (*call)(judge_arena_t *arena,
                                 const openai_grader_t *grader,
                                 const openai_subject_t *subject,
                                 openai_call_t *call);
                                       /* NULL: it asks nobody */
    judge_rc_e           (*grade)(judge_arena_t *arena,
                                  const openai_grader_t *grader,
                                  const openai_subject_t *subject,
                                  openai_grade_t *grade);
                                       /* NULL: the score of the call */
} judge_openai_type_t;

typedef struct {
    judge_str_t    role;
    judge_json_t  *content;            /* as it was sent */
    judge_str_t    text;               /* a template */
} judge_openai_message_t;

struct openai_grader {
    const judge_openai_type_t  *type;
    judge_str_t                 path;  /* in what was sent */
    judge_str_t                 name;
    bool                        asks;  /* a model, or a part does */
    judge_str_t                 input; /* a template, as the next two */
    judge_str_t                 reference;   /* of a judge: the source */
    judge_choice_t              operation;
    judge_choice_t              metric;
    judge_number_t              threshold;

    judge_str_t                 model;
    judge_list_t                messages;    /* `input` */
    size_t                      leading;     /* messages of the system with
                                                which `messages` begins */
    judge_str_t                 system;      /* their texts together, a
                                                template */
    judge_str_t                 rules; /* how to answer, for the model */
    judge_str_t                 format;      /* of the answer: JSON Schema */
    judge_list_t                labels;      /* of judge_str_t */
    judge_list_t                passing;
    judge_json_t               *range;
    judge_json_t               *sampling;
    double                      low;
    double                      high;

    judge_json_t               *graders;
    judge_str_t                 formula;
    openai_grader_t            *self;  /* the only part of a grader that is
                                          not of many */
    openai_grader_t           **parts; /* what is asked and graded */
    judge_str_t                *names; /* of parts in the formula; NULL: there
                                          is no formula */
    size_t                      nparts;

    judge_str_t                 judge_id;
};

/* Makes a grader, whose models must be among the settings'.  NULL: *error is a
 * sentence after the path of a member, which begins with `path`; it is absent
 * if memory is out. */
openai_grader_t *judge_openai_grader_parse(judge_arena_t *arena,
    const judge_settings_t *settings, judge_str_t path,
    const judge_json_t *value, judge_str_t *error);

/* Makes the parts of a grade.  What they have to ask is added to calls[], of
 * which there are *n. */
judge_rc_e judge_openai_grader_prepare(judge_arena_t *arena,
    const openai_grader_t *grader, const openai_subject_t *subject,
    openai_grade_t *grade, openai_call_t **calls, size_t *n);

/* After all of it was asked.  JUDGE_OK, or JUDGE_NOMEM. */
judge_rc_e judge_openai_grader_grade(judge_arena_t *arena,
    const openai_grader_t *grader, const openai_subject_t *subject,
    openai_grade_t *grade);

/* openai_ask.c.  find() reads the organization's settings, and the
 * judges that these ask; it must be the last call of a step. */
void judge_openai_judges_find(judge_req_t *r, openai_grader_t *const *graders,
    size_t n, judge_settings_find_t *find, judge_step_pt next);

/* Then: whether all of them can be asked; false: it was answered. */
bool judge_openai_judges_check(judge_req_t *r, openai_grader_t *const *graders,
    size_t n, const judge_settings_find_t *find);

/* --- Parts of graders ---------------------------------------------------- */

extern const judge_field_t  judge_openai_message_fields[];

/* Sets the sentence, after the path of the field, and returns false. */
bool judge_openai_parse_fail(judge_openai_parse_t *p, const char *field,
    judge_str_t sentence);

/* Whether a template, which may be absent, can be read; whether the model is
 * one of nginx.conf. */
bool judge_openai_parse_template(judge_openai_parse_t *p, const char *field,
    judge_str_t text);
bool judge_openai_parse_model(judge_openai_parse_t *p, const char *field,
    judge_str_t model);

/* Puts an error into a grade; JUDGE_OK, or JUDGE_NOMEM if there is none. */
judge_rc_e judge_openai_grade_fail(openai_grade_t *grade, openai_fault_e fault,
    judge_str_t error);

/* openai_grader_model.c: of the graders that ask a model.  `called` is the
 * name of the messages' field in errors.  Where a grader has no `rules` for
 * the answer, what templates put in is not fenced. */
bool judge_openai_messages_read(judge_openai_parse_t *p, const char *called,
    openai_grader_t *grader);
bool judge_openai_label_read(judge_openai_parse_t *p, openai_grader_t *grader);
bool judge_openai_score_read(judge_openai_parse_t *p, openai_grader_t *grader);
judge_rc_e judge_openai_model_call(judge_arena_t *arena,
    const openai_grader_t *grader, const openai_subject_t *subject,
    openai_call_t *call);
judge_rc_e judge_openai_model_grade(judge_arena_t *arena,
    const openai_grader_t *grader, const openai_subject_t *subject,
    openai_grade_t *grade);


#endif /* JUDGE_OPENAI_GRADER_H */
