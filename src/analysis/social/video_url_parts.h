/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The parts of an address, and the forms in which each platform writes the
 * address of a video.
 */


#ifndef JUDGE_VIDEO_URL_PARTS_H
#define JUDGE_VIDEO_URL_PARTS_H


#include "analysis/social/video_url.h"


#define JUDGE_VIDEO_URL_SEGMENTS  12

typedef struct {
    judge_arena_t  *arena;
    judge_str_t     host;              /* in lower case */
    judge_str_t     segments[JUDGE_VIDEO_URL_SEGMENTS];
    size_t          nsegments;         /* of the path, none of them empty */
    judge_str_t     query;             /* without "?" and fragment */
} judge_video_url_parts_t;

/* JUDGE_NOT_FOUND: there is no video in this address. */
typedef judge_rc_e (*judge_video_url_form_pt)(
    const judge_video_url_parts_t *url, judge_video_url_t *out);

typedef struct {
    const char               *platform;
    const char               *label;   /* as people write it */
    const char               *domains[6]; /* and all hosts below them */
    judge_video_url_form_pt   form;
} judge_video_url_row_t;


/* video_url_parts.c: takes an address apart, without the white space around
 * it.  JUDGE_INVALID: *why says what was expected; JUDGE_NOMEM. */
judge_rc_e judge_video_url_split(judge_video_url_parts_t *url, judge_str_t s,
    const char **why);

/* Absent where the address has no such parameter. */
judge_str_t judge_video_url_query(const judge_video_url_parts_t *url,
    const char *name);

/* Percent signs resolved; absent when one is wrong or memory exhausted. */
judge_str_t judge_video_url_decode(judge_arena_t *arena, judge_str_t s);

/* video_url_table.c: the platform of a host; NULL: of none. */
const judge_video_url_row_t *judge_video_url_row(judge_str_t host);


#endif /* JUDGE_VIDEO_URL_PARTS_H */
