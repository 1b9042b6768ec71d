/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the files of the judges have in common. */


#ifndef JUDGES_H
#define JUDGES_H


#include "api/judges/criteria.h"
#include "api/evaluations/model_choice.h"
#include "api/judges/references.h"

/* A row of a body's table: the member is a judge_list_t of judge_str_t. */
#define judge_references_field(of, member)                                    \
    { .name = "reference_content_uri",                                        \
      .type = JUDGE_FIELD_STRING_OR_STRINGS,                                  \
      .offset = offsetof(of, member), .min = 0,                               \
      .max = JUDGE_REFERENCES_MAX, .item_max = 2000 }

/* Rows of a body's table: what the judge wants to be judged by. */
#define judge_judges_wish_fields(of)                                          \
    { .name = "model", .type = JUDGE_FIELD_STRING,                            \
      .offset = offsetof(of, model), .min = 0, .max = 100 },                  \
    { .name = "samples", .type = JUDGE_FIELD_INTEGER,                         \
      .offset = offsetof(of, samples), .min = 1, .max = 10 }

extern const judge_resource_t  judge_judges_resource;

/* false: something is wrong with them, and it has answered. */
bool judge_judges_check(judge_req_t *r, const judge_list_t *criteria);

/* A JSON array, absent where there are none; failure: see _check(). */
judge_rc_e judge_judges_references(judge_arena_t *arena,
    const judge_list_t *references, judge_str_t *json);

/* As it is stored: absent instead of "". */
judge_str_t judge_judges_wish(judge_str_t model);

/* The version as an entity tag in ETag. */
void judge_judges_tag(judge_req_t *r, int64_t version);

/* Whether If-Match or If-None-Match names this version; weak tags count
 * only where `weak` is given. */
bool judge_judges_tagged(judge_str_t header, int64_t version, bool weak);


#endif /* JUDGES_H */
