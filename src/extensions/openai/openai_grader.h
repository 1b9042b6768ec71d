/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Graders as OpenAI defines them.  A grader is parsed from the JSON of a
 * client, and lives in the arena.  Grading does no I/O: prepare() lists the
 * calls to language models or judges, the caller makes them, and grade() reads
 * the answers.  All functions may run in any thread.
 */


#ifndef JUDGE_OPENAI_GRADER_H
#define JUDGE_OPENAI_GRADER_H


#include "api/http/request.h"
#include "store/store_settings.h"


#define JUDGE_OPENAI_PARTS     16      /* parts of a grader, at most */
#define JUDGE_OPENAI_FORMULA   2000    /* bytes */
#define JUDGE_OPENAI_TEMPLATE  100000  /* characters of a template */
#define JUDGE_OPENAI_RENDERED  1048576 /* bytes of a rendered template */
#define JUDGE_OPENAI_ITEM      (8 * JUDGE_OPENAI_RENDERED)    /* of all those
                                          of an item */
#define JUDGE_OPENAI_EXPECTED  500     /* tokens of an answer, estimated */

/* Kinds of errors. */
typedef enum {
    JUDGE_OPENAI_FAULT_NONE,
    JUDGE_OPENAI_FAULT_FORMULA,
    JUDGE_OPENAI_FAULT_SAMPLE,         /* a reference finds nothing */
    JUDGE_OPENAI_FAULT_REPLY,          /* a model's answer has not the form */
    JUDGE_OPENAI_FAULT_REFUSAL,
    JUDGE_OPENAI_FAULT_SERVER,         /* the model or the judge failed */
    JUDGE_OPENAI_FAULT_OTHER
} openai_fault_e;

/* --- Templates and formulas ---------------------------------------------- */

/*
 * Templates: texts with references to the subject of grading:
 * {{item.question}}, {{ item['a b'][0].c }}, {{sample.output_text}},
 * {{sample.output_json.y}}.  A string is inserted as it is, anything else as
 * JSON.  Inserted text is not searched for references.
 */

typedef struct {
    judge_arena_t       *arena;        /* for what is made of it */
    const judge_json_t  *item;         /* an object, or NULL: there is none */
    const judge_json_t  *sample;       /* an object, or NULL */
    judge_allowance_t   *allowance;    /* steps of similarities, bytes of
                                          templates; NULL: nothing is graded */
} openai_subject_t;

/* Sets the sample.  If it has no output_json, that is its output_text, if this
 * is JSON.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_openai_subject_sample(openai_subject_t *subject,
    const judge_json_t *sample);

/* Renders a template.  JUDGE_INVALID: *error is a sentence that follows the
 * name of the field: something can't be parsed or found, or is too long.
 * Without item and sample, only checks the template.  `fenced`: inserted text
 * is data for a language model, and is put between two lines (prompt.h). */
judge_rc_e judge_openai_template_render(const openai_subject_t *subject,
    judge_str_t text, bool fenced, judge_str_t *out, judge_str_t *error);

/* Computes the formula of a multi grader: numbers, names, + - * / ^,
 * parentheses, and the functions min, max, abs, floor, ceil, exp, sqrt and
 * log.  Returns NULL and *out, or a sentence that need not be freed.  Without
 * `values`, only checks the formula. */
const char *judge_openai_calculate(judge_str_t formula,
    const judge_str_t *names, const double *values, size_t n, double *out);

/* --- Calls --------------------------------------------------------------- */

/* The tokens of a call, by their names, which end with NULL. */
typedef enum {
    JUDGE_OPENAI_PROMPT_TOKENS,
    JUDGE_OPENAI_COMPLETION_TOKENS,
    JUDGE_OPENAI_TOTAL_TOKENS,
    JUDGE_OPENAI_CACHED_TOKENS,
    JUDGE_OPENAI_TOKENS
} judge_openai_tokens_e;

extern const char *const  judge_openai_tokens[];

typedef struct openai_grader  openai_grader_t;

/* A call of a grader: to its model in the form of chat completions, whose
 * answer is a text; or to its judge, whose answer is a score. */
typedef struct {
    const openai_grader_t *grader;
    judge_str_t            messages;   /* for a model: a JSON array */
    judge_id_t             evaluation; /* for a judge: it judges ... */
    judge_str_t            input;      /* ... this text */
    judge_str_t            source;     /* the source of the text, or absent */

    judge_str_t            error;      /* out, as all below: why there is no
                                          answer */
    openai_fault_e         fault;
    judge_str_t            text;       /* of the model */
    judge_str_t            finish;     /* finish_reason */
    judge_str_t            served;     /* the model that its server names */
    int64_t                tokens[JUDGE_OPENAI_TOKENS];  /* 0: not known */
    double                 score;      /* of the judge, from 0 to 100 */
} openai_call_t;

/* --- Graders ------------------------------------------------------------- */

typedef struct {
    openai_call_t    call;             /* unless it is of a multi grader; its
                                          texts only, if it asks nobody */
    double           score;            /* as OpenAI defines it for the type */
    bool             passed;
    judge_str_t      error;            /* a sentence, or absent; with an error
                                          the score is 0 and passed is false */
    openai_fault_e   fault;
    const char      *note;             /* how the grade differs from OpenAI's;
                                          or NULL */
    judge_str_t      label;            /* chosen by a model; or absent */
    judge_str_t      reason;           /* of a model; or absent */
} openai_grade_t;

/* The state of parsing. */
typedef struct {
    judge_arena_t           *arena;
    const judge_settings_t  *settings; /* with the models */
    judge_str_t              path;     /* of the grader */
    bool                     part;     /* of a multi grader */
    openai_grader_t         *first;    /* out: all graders in a list, parts of
                                          a multi grader before it */
    openai_grader_t         *last;
    size_t                   n;        /* graders in the list */
    bool                     asks;     /* out: one asks a model */
    judge_str_t             *error;    /* out: after JUDGE_INVALID, a sentence
                                          after the path of a member */
} judge_openai_parse_t;

/* A type of graders. */
typedef struct {
    const char            *name;
    const judge_field_t   *fields;
    double                 threshold;  /* by default */
    judge_rc_e           (*read)(judge_openai_parse_t *p,
                                 openai_grader_t *grader);
                                       /* NULL: there is no more to read */
    judge_rc_e           (*prepare)(const openai_grader_t *grader,
                                    const openai_subject_t *subject,
                                    openai_call_t *call);
                                       /* NULL: nothing is to be prepared */
    judge_rc_e           (*grade)(const openai_grader_t *grader,
                                  const openai_subject_t *subject,
                                  openai_grade_t *grade);
                                       /* NULL: the score of the call; the
                                          grades of parts stand before it */
} judge_openai_type_t;

typedef struct {
    judge_str_t    role;
    judge_json_t  *content;            /* as it was sent */
    judge_str_t    text;               /* a template */
} judge_openai_message_t;

struct openai_grader {
    const judge_openai_type_t  *type;
    judge_str_t                 path;  /* in the body of the request */
    judge_str_t                 name;
    bool                        part;  /* of a multi grader */
    openai_grader_t            *next;
    judge_str_t                 input; /* a template, as the next */
    judge_str_t                 reference;   /* source of a judge */
    judge_choice_t              operation;
    judge_choice_t              metric;
    judge_number_t              threshold;

    judge_str_t                 model; /* its name in nginx.conf */
    judge_list_t                messages;    /* `input` */
    judge_str_t                 rules; /* instructions for the answer */
    judge_str_t                 format;      /* response_format, JSON; or
                                                absent */
    judge_list_t                labels;      /* of judge_str_t */
    judge_list_t                passing;
    judge_json_t               *range;
    judge_json_t               *sampling;    /* an object with the members
                                          temperature, top_p, seed,
                                          max_completion_tokens (graders:
                                          max_completions_tokens),
                                          reasoning_effort; or NULL */
    double                      low;
    double                      high;

    judge_json_t               *graders;
    judge_str_t                 formula;
    judge_str_t                *names; /* of its parts, in the formula */
    size_t                      nparts;

    judge_str_t                 judge_id;
    judge_judge_model_t        *judge; /* found by _plan_find() */
};

/* Parses a grader, whose models must be in the settings, and appends it, after
 * its parts, to the list. */
judge_rc_e judge_openai_grader_parse(judge_openai_parse_t *p,
    const judge_json_t *value);

/* Prepares the zeroed grades of a list of graders. */
judge_rc_e judge_openai_graders_prepare(const openai_grader_t *first,
    const openai_subject_t *subject, openai_grade_t *grades);

/* Whether a prepared call is to be made, to a model or a judge. */
bool judge_openai_call_due(const openai_call_t *call);

/* Grades after all calls were made.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_openai_graders_grade(const openai_grader_t *first,
    const openai_subject_t *subject, openai_grade_t *grades);

/* --- Parts of graders ---------------------------------------------------- */

extern const judge_field_t  judge_openai_message_fields[];

/* Sets the error: the sentence after the path of the field.  Returns
 * JUDGE_INVALID, or JUDGE_NOMEM if the sentence is absent. */
judge_rc_e judge_openai_parse_fail(judge_openai_parse_t *p, const char *field,
    judge_str_t sentence);

/* Check that a template, which may be absent, can be parsed; that a model,
 * which will be asked, is one of nginx.conf. */
judge_rc_e judge_openai_parse_template(judge_openai_parse_t *p,
    const char *field, judge_str_t text);
judge_rc_e judge_openai_parse_model(judge_openai_parse_t *p, const char *field,
    judge_str_t model);

/* Sets the error of a grade; JUDGE_OK, or JUDGE_NOMEM if it is absent. */
judge_rc_e judge_openai_grade_fail(openai_grade_t *grade, openai_fault_e fault,
    judge_str_t error);

/* openai_grader_model.c: graders that ask a model.  `called` is the name of
 * the field of messages in errors.  If a grader has no `rules`, inserted text
 * is not fenced. */
judge_rc_e judge_openai_messages_read(judge_openai_parse_t *p,
    const char *called, openai_grader_t *grader);
judge_rc_e judge_openai_label_read(judge_openai_parse_t *p,
    openai_grader_t *grader);
judge_rc_e judge_openai_score_read(judge_openai_parse_t *p,
    openai_grader_t *grader);
judge_rc_e judge_openai_model_prepare(const openai_grader_t *grader,
    const openai_subject_t *subject, openai_call_t *call);
judge_rc_e judge_openai_model_grade(const openai_grader_t *grader,
    const openai_subject_t *subject, openai_grade_t *grade);


#endif /* JUDGE_OPENAI_GRADER_H */
