/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A conversation is what was said and which tools were called, with the places
 * of both in its transcript, which is the text of its content.  The messages
 * themselves are in the content's metadata; an extension reads them
 * (work/service/extension.h).
 */


#ifndef JUDGE_CONVERSATION_H
#define JUDGE_CONVERSATION_H


#include "analysis/builtin/engine.h"


/* The first member of the metadata of such a content. */
#define JUDGE_MESSAGES_KEY   "judge_messages"
#define JUDGE_MESSAGES_HEAD  "{\"" JUDGE_MESSAGES_KEY "\":["

#define JUDGE_TURNS_MAX  50            /* answers that are judged one by one */

typedef enum {
    JUDGE_ROLE_SYSTEM,
    JUDGE_ROLE_DEVELOPER,
    JUDGE_ROLE_USER,
    JUDGE_ROLE_ASSISTANT,
    JUDGE_ROLE_TOOL,                   /* the result of a call */
    JUDGE_ROLES
} judge_role_e;

extern const char *const  judge_role_names[JUDGE_ROLES + 1];

/* The scope of a judge is what it judges of a conversation. */
typedef enum {
    JUDGE_SCOPE_LAST,                  /* the last answer */
    JUDGE_SCOPE_EACH,                  /* each answer; the mean counts */
    JUDGE_SCOPE_WHOLE,                 /* the transcript */
    JUDGE_SCOPES
} judge_scope_e;

extern const char *const  judge_scope_names[JUDGE_SCOPES + 1];

/* Returns JUDGE_SCOPE_LAST where there is none of that name. */
judge_scope_e judge_scope_find(judge_str_t name);

/* A part of a conversation is a message.  One with tool calls may have several
 * parts: what a tool returned, or what is said between calls. */
typedef struct {
    judge_role_e  role;
    size_t        message;             /* its index among those that were
                                          sent */
    size_t        begin;               /* of what it says, in bytes of the
                                          transcript */
    size_t        end;
    size_t        next;                /* where the label ("User: ") of the
                                          next part begins, or the end */
    size_t        ncalls;
    double        latency;             /* of the message, in ms, with its first
                                          part; NAN: not given */
    double        tokens;              /* likewise */
} judge_part_t;

typedef struct {
    judge_str_t          id;           /* or absent */
    judge_str_t          name;
    judge_str_t          arguments;    /* as text */
    const judge_json_t  *value;        /* NULL: they are not JSON */
    size_t               part;         /* index of the part that calls */
    size_t               begin;        /* in bytes of the transcript */
    size_t               end;
    size_t               result;       /* index of the part with its result;
                                          0: there is none */
    bool                 failed;       /* the result is an error */
} judge_tool_call_t;

typedef struct judge_conversation {
    judge_str_t         text;          /* the transcript */
    judge_part_t       *parts;
    size_t              nparts;
    judge_tool_call_t  *calls;
    size_t              ncalls;
    size_t             *answers;       /* indexes of parts: what the assistant
                                          says, unless it goes on after a call
                                          before the user speaks again */
    size_t              nanswers;      /* at least 1 */
} judge_conversation_t;

/* Makes the item of a transcript that of its i-th answer; the question is what
 * the user said last before that, unless the item has one. */
void judge_conversation_answer(judge_item_t *item, size_t i);

/* Returns the transcript without the labels of its parts ("User: "), up to
 * its length; absent: no memory. */
judge_str_t judge_conversation_unlabelled(judge_arena_t *arena,
    const judge_conversation_t *c, judge_str_t transcript);

/* Returns the offset in the transcript of the byte at an offset in the text
 * without labels; the end of that text is the end of the last part. */
size_t judge_conversation_offset(const judge_conversation_t *c, size_t at);

/* Adds n to the places of all passages, so that they count from the beginning
 * of the content. */
void judge_verdict_shift(const judge_rubric_t *rubric,
    judge_verdict_t *verdict, size_t n);


#endif /* JUDGE_CONVERSATION_H */
