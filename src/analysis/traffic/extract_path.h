/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#ifndef JUDGE_EXTRACT_PATH_H
#define JUDGE_EXTRACT_PATH_H


#include "base/json/json.h"


#define JUDGE_EXTRACT_STEPS  16
#define JUDGE_EXTRACT_ALL    INT64_MAX

/* Where a text lies in JSON: "$.a.b[0].c"; [*] are all elements. */
typedef struct {
    struct {
        judge_str_t  key;              /* absent: an element */
        int64_t      index;            /* JUDGE_EXTRACT_ALL */
    } steps[JUDGE_EXTRACT_STEPS];
    size_t  n;
} judge_extract_path_t;

/* Where texts lie in the requests and answers of a service. */
typedef struct {
    judge_extract_path_t  answer;
    judge_extract_path_t  delta;       /* in an event */
    judge_extract_path_t  request;
    const char           *event;       /* the type of events that bring text;
                                          NULL: any */
    const char           *last;        /* that of the last one, or its data;
                                          NULL: streams have no such */
} judge_extract_format_t;

typedef struct {
    const judge_extract_format_t *formats;     /* the first that gives a text
                                                  counts */
    size_t                        n;
} judge_extract_formats_t;

/* "auto", one of the names openai-chat, openai-responses, anthropic-messages,
 * or a path of one's own; it stays in place.  false: it is none of these. */
bool judge_extract_formats(judge_arena_t *arena, judge_str_t name,
    judge_extract_formats_t *formats);
bool judge_extract_path(judge_str_t text, judge_extract_path_t *path);

/* Appends the texts that lie there. */
void judge_extract_at(const judge_extract_path_t *path,
    const judge_json_t *root, judge_buf_t *out);


#endif /* JUDGE_EXTRACT_PATH_H */
