/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Which language model judges: the one that a request asks for, else what the
 * judge wants, else the organization's own, else none, and the built-in engine
 * does.
 */


#ifndef JUDGE_MODEL_CHOICE_H
#define JUDGE_MODEL_CHOICE_H


#include "store/store_settings.h"
#include "api/http/request.h"


typedef struct {
    judge_str_t            model;      /* of the request; absent: none */
    judge_integer_t        samples;
    judge_boolean_t        cache;
    judge_settings_find_t  settings;   /* to be read first */
} judge_model_choice_t;

/* The fields of a request, where `member` of `of` is its choice. */
#define judge_model_choice_fields(of, member)                                 \
    judge_field_as("model", of, member.model, STRING, 0, 1, 100),             \
    judge_field_as("samples", of, member.samples, INTEGER, 0, 1, 10),         \
    judge_field_as("cache", of, member.cache, BOOLEAN, 0, 0, 0)

/* Reads the organization's settings; the last call of a step. */
void judge_model_choice_read(judge_req_t *r, judge_model_choice_t *choice,
    judge_step_pt next);

/* The same, and what these judges want: an array with their identifiers. */
void judge_model_choice_read_for(judge_req_t *r, judge_model_choice_t *choice,
    judge_judge_model_t *judges, size_t n, judge_step_pt next);

/* Whether a judge of that content may want this model ("": none); false: it
 * has answered. */
bool judge_model_choice_check(judge_req_t *r, judge_str_t name,
    judge_str_t file_type);

/* Whether evaluations by a judge that wants this model (absent: none) ask one
 * where the request names none; `common` is the organization's own. */
bool judge_model_choice_named(const judge_settings_t *settings,
    judge_str_t name, judge_str_t common, judge_str_t file_type);

/* Whether a judge of texts may leave results to this model (absent: to none);
 * false: it has answered. */
bool judge_model_choice_asks(judge_req_t *r, judge_str_t name);

/*
 * Afterwards: what is wanted for content of that type goes into the row.  A
 * model that was asked for must be there and take this content; one that the
 * judge wants is asked, or its fallbacks; the organization's own is used where
 * it can be.  `by_judge` is what the judge wants, NULL without one.  false: it
 * has answered.
 */
bool judge_model_choice_apply(judge_req_t *r,
    const judge_model_choice_t *choice, const judge_judge_model_t *by_judge,
    judge_str_t file_type, judge_evaluation_row_t *row);


#endif /* JUDGE_MODEL_CHOICE_H */
