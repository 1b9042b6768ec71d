/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What a span of OpenTelemetry says of a call of a model. */


#ifndef JUDGE_SPAN_H
#define JUDGE_SPAN_H


#include "base/json/json.h"


bool judge_span_wellformed(const judge_json_t *span);
bool judge_span_of_model(const judge_json_t *span);      /* any gen_ai.… */
bool judge_span_of_tool(const judge_json_t *span);       /* execute_tool */
bool judge_span_has_messages(const judge_json_t *span);

/* An attribute of the span or of one of its events; absent: it is none, or no
 * string. */
judge_str_t judge_span_string(const judge_json_t *span, const char *name);

/* Nanoseconds since 1970; 0: it is not given. */
int64_t judge_span_time(const judge_json_t *span, const char *name);

/* Writes the messages: what went in, and what came out, with how long it took
 * and how many tokens.  Where no call of a tool went in, those of the n spans
 * stand between.  false: no memory. */
bool judge_span_messages(judge_json_writer_t *w, judge_arena_t *arena,
    const judge_json_t *span, const judge_json_t *const *tools, size_t n);


#endif /* JUDGE_SPAN_H */
