/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Reads spans of OpenTelemetry that describe calls of models and tools. */


#ifndef JUDGE_SPAN_H
#define JUDGE_SPAN_H


#include "base/json/json.h"


bool judge_span_wellformed(const judge_json_t *span);
bool judge_span_of_model(const judge_json_t *span);      /* any gen_ai.… */
bool judge_span_of_tool(const judge_json_t *span);       /* execute_tool */
bool judge_span_has_messages(const judge_json_t *span);

/* Returns an attribute of the span or of one of its events; absent: there is
 * none, or it is not a string. */
judge_str_t judge_span_string(const judge_json_t *span, const char *name);

/* In nanoseconds since 1970; 0: the span has no such time. */
int64_t judge_span_time(const judge_json_t *span, const char *name);

/* Writes the messages: the model's input, and its output with latency and
 * tokens.  If the input has no tool call, those of the n spans follow it.
 * false: no memory. */
bool judge_span_messages(judge_json_writer_t *w, judge_arena_t *arena,
    const judge_json_t *span, const judge_json_t *const *tools, size_t n);


#endif /* JUDGE_SPAN_H */
