/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A grader from inside; only the files openai_grader*.c include it. */


#ifndef JUDGE_OPENAI_GRADER_TYPE_H
#define JUDGE_OPENAI_GRADER_TYPE_H


#include "base/json/fields.h"
#include "extensions/openai/openai_grader.h"


typedef enum {
    JUDGE_OPENAI_STRING_CHECK,
    JUDGE_OPENAI_TEXT_SIMILARITY,
    JUDGE_OPENAI_LABEL_MODEL,
    JUDGE_OPENAI_SCORE_MODEL,
    JUDGE_OPENAI_MULTI,
    JUDGE_OPENAI_JUDGE
} judge_openai_grader_e;

typedef enum {
    JUDGE_OPENAI_EQ,
    JUDGE_OPENAI_NE,
    JUDGE_OPENAI_LIKE,
    JUDGE_OPENAI_ILIKE
} judge_openai_operation_e;

typedef struct {
    judge_str_t  role;
    judge_str_t  text;                 /* a template */
} judge_openai_message_t;

/* Read calls and replies in one order. */
typedef struct {
    judge_arena_t           *arena;
    const openai_subject_t  *subject;
    const openai_reply_t    *replies;
    size_t                   n;
    size_t                   used;
} judge_openai_grading_t;

struct openai_grader {
    judge_openai_grader_e    type;
    judge_str_t              name;
    judge_str_t              input;    /* a template, as the next two */
    judge_str_t              reference;
    judge_str_t              source;
    judge_choice_t           operation;
    judge_choice_t           metric;
    judge_number_t           threshold;

    judge_str_t              model;
    judge_json_t            *asked;    /* `input` as messages */
    judge_openai_message_t  *messages;
    size_t                   nmessages;
    judge_list_t             labels;   /* of judge_str_t */
    judge_list_t             passing;
    judge_json_t            *range;
    judge_json_t            *sampling;
    double                   low;
    double                   high;

    judge_json_t            *graders;
    judge_str_t              formula;
    openai_grader_t        **parts;
    judge_str_t             *names;    /* in the formula */
    size_t                   nparts;

    judge_str_t              judge_id;
};

/* Puts an error into a grade; JUDGE_OK, or JUDGE_NOMEM if there is none. */
judge_rc_e judge_openai_grade_fail(openai_grade_t *grade, openai_fault_e fault,
    judge_str_t error);

/* openai_grader_model.c: what is asked of a model, and its answer. */
judge_rc_e judge_openai_model_call(judge_arena_t *arena,
    const openai_grader_t *grader, const openai_subject_t *subject,
    openai_call_t *call, judge_str_t *error);
judge_rc_e judge_openai_model_grade(judge_arena_t *arena,
    const openai_grader_t *grader, const openai_reply_t *reply,
    openai_grade_t *grade);


#endif /* JUDGE_OPENAI_GRADER_TYPE_H */
