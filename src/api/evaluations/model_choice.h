/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Which language model judges: the one that a request names, else the judge's,
 * else the organization's, else none: then the built-in engine judges. */


#ifndef JUDGE_MODEL_CHOICE_H
#define JUDGE_MODEL_CHOICE_H


#include "store/store_settings.h"
#include "api/http/request.h"


typedef struct {
    judge_str_t      model;            /* the request's; absent: none */
    judge_integer_t  samples;
    judge_boolean_t  cache;
} judge_model_choice_t;

/* Rows of a request's table of fields; `member` of the context type `obj` is
 * its judge_model_choice_t. */
#define judge_model_choice_fields(obj, member)                                \
    judge_field_as("model", obj, member.model, STRING, 0, 1, 100),            \
    judge_field_as("samples", obj, member.samples, INTEGER, 0, 1, 10),        \
    judge_field_as("cache", obj, member.cache, BOOLEAN, 0, 0, 0)

/* Whether a judge of that content type may name this model ("": none); false:
 * the request has been answered. */
bool judge_model_choice_check(judge_req_t *r, judge_str_t name,
    judge_str_t file_type);

/* Whether evaluations by a judge with this model (absent: none) call a model
 * if the request names none; `common` is the organization's model. */
bool judge_model_choice_named(const judge_settings_t *settings,
    judge_str_t name, judge_str_t common, judge_str_t file_type);

/* Whether a judge of texts may escalate to this model (absent: it does not
 * escalate); false: the request has been answered. */
bool judge_model_choice_asks(judge_req_t *r, judge_str_t name);

/*
 * Puts the model for content of that type into the row.  A model that the
 * request names must exist and take this content; the judge's is taken even if
 * only its fallbacks can be called; the organization's, `common`, is taken if
 * it takes this content.  false: the request has been answered.
 */
bool judge_model_choice_apply(judge_req_t *r,
    const judge_model_choice_t *choice, const judge_judge_model_t *by_judge,
    judge_str_t common, judge_str_t file_type, judge_evaluation_row_t *row);


#endif /* JUDGE_MODEL_CHOICE_H */
