/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The parts of a body of multipart/form-data (RFC 7578). */


#ifndef JUDGE_OPENAI_FORM_H
#define JUDGE_OPENAI_FORM_H


#include "base/core/str.h"


typedef struct {
    const char   *name;                /* in; NULL ends the array */
    judge_str_t   value;               /* absent: there is no such part */
    judge_str_t   filename;            /* likewise */
} judge_openai_form_t;

/* Finds the parts; others are passed over.  They point into the body.
 * JUDGE_INVALID: it is no form, or has a part twice; JUDGE_NOMEM. */
judge_rc_e judge_openai_form(judge_arena_t *arena, judge_str_t content_type,
    judge_str_t body, judge_openai_form_t *parts);


#endif /* JUDGE_OPENAI_FORM_H */
