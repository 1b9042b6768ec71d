/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Addresses of videos on social media: the platform, the video, and the
 * canonical form of the address.  Nothing is fetched.
 */


#ifndef JUDGE_VIDEO_URL_H
#define JUDGE_VIDEO_URL_H


#include "base/core/str.h"


#define JUDGE_VIDEO_URL_MAX  2048      /* bytes */

typedef struct {
    const char   *platform;            /* youtube, tiktok, instagram, facebook,
                                          x, vimeo, linkedin, twitch,
                                          dailymotion, reddit; static */
    judge_str_t   video_id;            /* as the platform writes it */
    judge_str_t   canonical;           /* the same for all addresses of the
                                          video */
    bool          short_link;          /* video_id is a code that only the
                                          platform can resolve; the full
                                          address of the same video is not
                                          recognised as the same */
} judge_video_url_t;


/*
 * White space around the address is dropped.  Strings of *out lie in `arena`.
 * JUDGE_INVALID: it is not the http(s) address of a video on a known platform,
 * and *why (if not NULL) continues the sentence of an error after the name of
 * the field: "expected ...".  JUDGE_NOMEM.
 */
judge_rc_e judge_video_url_parse(judge_arena_t *arena, judge_str_t url,
    judge_video_url_t *out, judge_str_t *why);


/* --- Parts and forms ----------------------------------------------------- */

/*
 * The parts of an address, and the forms in which each platform writes the
 * address of a video.
 */

#define JUDGE_VIDEO_URL_SEGMENTS  12

typedef struct {
    judge_arena_t  *arena;
    judge_str_t     host;              /* in lower case */
    judge_str_t     segments[JUDGE_VIDEO_URL_SEGMENTS];
    size_t          nsegments;         /* of the path, none of them empty */
    judge_str_t     query;             /* without "?" and fragment */
} judge_video_url_parts_t;

#define JUDGE_CHAR_DIGIT  1
#define JUDGE_CHAR_LOWER  2
#define JUDGE_CHAR_UPPER  4
#define JUDGE_CHAR_DASH   8            /* "-" and "_" */
#define JUDGE_CHAR_ALNUM  (JUDGE_CHAR_DIGIT | JUDGE_CHAR_LOWER                \
                           | JUDGE_CHAR_UPPER)
#define JUDGE_CHAR_CODE   (JUDGE_CHAR_ALNUM | JUDGE_CHAR_DASH)

typedef struct {
    unsigned  chars;                   /* JUDGE_CHAR_ flags */
    size_t    min;
    size_t    max;
} judge_video_url_id_t;

#define judge_video_url_id(chars, min, max)                                   \
    (judge_video_url_id_t) { JUDGE_CHAR_##chars, min, max }

#define JUDGE_ID_NONE       judge_video_url_id(CODE, 1, 0)
#define JUDGE_ID_NUMBER     judge_video_url_id(DIGIT, 3, 25)
#define JUDGE_ID_VIDEO      judge_video_url_id(CODE, 11, 11)
#define JUDGE_ID_CODE       judge_video_url_id(CODE, 5, 100)
#define JUDGE_ID_LINK       judge_video_url_id(CODE, 4, 64)
#define JUDGE_ID_CLIP       judge_video_url_id(CODE, 20, 64)
#define JUDGE_ID_BASE36     judge_video_url_id(ALNUM, 4, 13)
#define JUDGE_ID_BROADCAST  judge_video_url_id(ALNUM, 8, 20)
#define JUDGE_ID_MEDIA      judge_video_url_id(ALNUM, 8, 16)


/* The tables of forms_table.txt. */

typedef struct {
    const char  *name;
    const char  *label;                /* the name that people see */
    const char  *domains;              /* separated by spaces */
    const char  *address;              /* with "#" for the identifier */
} judge_video_url_platform_t;

typedef struct {
    const char            *platform;
    const char            *host;
    const char            *form;       /* of path and query */
    judge_video_url_id_t   id;
    const char            *address;    /* "": that of the platform */
    const char            *link;       /* "short", or "" */
} judge_video_url_form_t;

extern const judge_video_url_platform_t  judge_video_url_platforms[];
extern const judge_video_url_form_t  judge_video_url_forms[];
extern const size_t  judge_video_url_platforms_n, judge_video_url_forms_n;
extern const char *const  judge_video_url_reserved[];


/* Splits an address, without the white space around it.  JUDGE_INVALID: *why
 * says what was expected; JUDGE_NOMEM. */
judge_rc_e judge_video_url_split(judge_video_url_parts_t *url,
    judge_arena_t *arena, judge_str_t s, judge_str_t *why);

/* Likewise for an address in the query of another one; it can't contain a
 * third. */
judge_rc_e judge_video_url_inside(const judge_video_url_parts_t *outer,
    judge_str_t s, judge_video_url_parts_t *url);

/* Returns a parameter of the query; absent: there is none. */
judge_str_t judge_video_url_query(const judge_video_url_parts_t *url,
    judge_str_t name);

/* Decodes percent-encoded bytes of a part; absent: out of memory. */
judge_str_t judge_video_url_decode(judge_arena_t *arena, judge_str_t s);


#endif /* JUDGE_VIDEO_URL_H */
