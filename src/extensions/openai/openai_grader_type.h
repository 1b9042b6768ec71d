/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A grader from inside.  What is asked for samples is kept as one, too. */


#ifndef JUDGE_OPENAI_GRADER_TYPE_H
#define JUDGE_OPENAI_GRADER_TYPE_H


#include "base/json/fields.h"
#include "extensions/openai/openai_grader.h"


/* What is being parsed; error is set by judge_openai_parse_fail(). */
typedef struct {
    judge_arena_t           *arena;
    const judge_settings_t  *settings;
    judge_str_t              path;     /* of the grader */
    bool                     part;     /* of a multi grader */
    judge_str_t              error;
} judge_openai_parse_t;

/* What is being graded; parts take the answers in their order. */
typedef struct {
    judge_arena_t           *arena;
    const openai_subject_t  *subject;
    const openai_call_t     *calls;
    size_t                   n;
    size_t                   used;
} judge_openai_grading_t;

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
                                 openai_call_t *call, judge_str_t *error);
                                       /* NULL: it asks nobody */
    judge_rc_e           (*grade)(judge_openai_grading_t *g,
                                  const openai_grader_t *grader,
                                  const openai_call_t *call,
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
    judge_str_t                 input; /* a template, as the next two */
    judge_str_t                 reference;
    judge_str_t                 source;
    judge_choice_t              operation;
    judge_choice_t              metric;
    judge_number_t              threshold;

    judge_str_t                 model;
    judge_list_t                messages;    /* `input` */
    size_t                      leading;     /* messages of the system, */
    judge_str_t                 system;      /* and all of them, a template */
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
    openai_grader_t           **parts;
    judge_str_t                *names; /* in the formula */
    size_t                      nparts;

    judge_str_t                 judge_id;
};

extern const judge_field_t  judge_openai_message_fields[];

/* The sentence behind the path of the field; false. */
bool judge_openai_parse_fail(judge_openai_parse_t *p, const char *field,
    judge_str_t sentence);

/* Whether a template, which may be absent, can be read. */
bool judge_openai_parse_template(judge_openai_parse_t *p, const char *field,
    judge_str_t text);

/* Puts an error into a grade; JUDGE_OK, or JUDGE_NOMEM if there is none. */
judge_rc_e judge_openai_grade_fail(openai_grade_t *grade, openai_fault_e fault,
    judge_str_t error);

/* openai_grader_model.c: of the graders that ask a model.  The messages were
 * bound in the field `called`; without rules for the answer, what templates
 * put in is not fenced. */
bool judge_openai_messages_read(judge_openai_parse_t *p, const char *called,
    openai_grader_t *grader);
bool judge_openai_label_read(judge_openai_parse_t *p, openai_grader_t *grader);
bool judge_openai_score_read(judge_openai_parse_t *p, openai_grader_t *grader);
judge_rc_e judge_openai_model_call(judge_arena_t *arena,
    const openai_grader_t *grader, const openai_subject_t *subject,
    openai_call_t *call, judge_str_t *error);
judge_rc_e judge_openai_model_grade(judge_openai_grading_t *g,
    const openai_grader_t *grader, const openai_call_t *call,
    openai_grade_t *grade);


#endif /* JUDGE_OPENAI_GRADER_TYPE_H */
