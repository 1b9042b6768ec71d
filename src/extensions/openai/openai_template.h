/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Texts with references to what is graded: {{item.question}},
 * {{ item['a b'][0].c }}, {{sample.output_text}}, {{sample.output_json.y}}.
 * A string is put in as it is, anything else as JSON; what was put in is not
 * read again.
 */


#ifndef JUDGE_OPENAI_TEMPLATE_H
#define JUDGE_OPENAI_TEMPLATE_H


#include "base/json/json.h"


#define JUDGE_OPENAI_TEMPLATE  100000  /* characters of a template */
#define JUDGE_OPENAI_RENDERED  1048576 /* bytes of what becomes of it */

typedef struct {
    const judge_json_t  *item;         /* an object, or NULL: there is none */
    const judge_json_t  *sample;       /* an object, or NULL.  Without a member
                                          output_json, it is what output_text
                                          is as JSON */
} openai_subject_t;

/* Whether all references can be read.  JUDGE_INVALID sets *error, a sentence
 * that follows the name of the field.  `sample`: there may be samples. */
judge_rc_e judge_openai_template_check(judge_arena_t *arena, judge_str_t text,
    bool sample, judge_str_t *error);

/* JUDGE_INVALID sets *error: something is not there, or it is too long.
 * `fenced`: what is put in is meant for a language model as data, and stands
 * between two lines (delimiter.h). */
judge_rc_e judge_openai_template_render(judge_arena_t *arena, judge_str_t text,
    const openai_subject_t *subject, bool fenced, judge_str_t *out,
    judge_str_t *error);


#endif /* JUDGE_OPENAI_TEMPLATE_H */
