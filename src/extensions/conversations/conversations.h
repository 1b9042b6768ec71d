/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Conversations: contents that come as messages, and spans of OpenTelemetry
 * that are converted to such contents. */


#ifndef JUDGE_CONVERSATIONS_H
#define JUDGE_CONVERSATIONS_H


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
extern const judge_route_t      judge_traces_routes[];

/* See judge_extension_t. */
judge_rc_e judge_messages_read(judge_arena_t *arena,
    const judge_json_t *messages, judge_str_t path, judge_conversation_t *c,
    judge_str_t *error);


#endif /* JUDGE_CONVERSATIONS_H */
