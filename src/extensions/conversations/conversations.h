/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Conversations: contents that come as messages, and spans of OpenTelemetry
 * that are converted to such contents. */


#ifndef JUDGE_CONVERSATIONS_H
#define JUDGE_CONVERSATIONS_H


#include "base/json/json.h"
#include "work/service/extension.h"
#include "api/http/request.h"


#define JUDGE_MESSAGES_MAX     10000   /* of a conversation */
#define JUDGE_MESSAGES_PARTS   20000   /* parts of these; a string is one */
#define JUDGE_MESSAGES_CALLS   10000
#define JUDGE_MESSAGES_OPEN    200     /* the newest calls, to which results
                                          are assigned */
#define JUDGE_MESSAGES_RESULT  1048576 /* bytes; longer results are not
                                          searched for errors */

#define JUDGE_TRACES_MAX       100     /* conversations in a request */
#define JUDGE_TRACES_TOOLS     50      /* tool calls in a conversation with
                                          spans of their own */
#define JUDGE_SPAN_OLDER       200     /* messages of a span in the older
                                          attributes */

extern const judge_extension_t  judge_extension_conversations;

/* See judge_extension_t. */
judge_rc_e judge_messages_read(judge_arena_t *arena,
    const judge_json_t *messages, judge_str_t path, judge_conversation_t *c,
    judge_str_t *error);


/* --- Spans --------------------------------------------------------------- */

/* Reads spans of OpenTelemetry that describe calls of models and tools. */

bool judge_span_wellformed(const judge_json_t *span);
bool judge_span_of_model(const judge_json_t *span);      /* any gen_ai.… */
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


#endif /* JUDGE_CONVERSATIONS_H */
