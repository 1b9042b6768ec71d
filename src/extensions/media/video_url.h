/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Addresses of videos on social media: which platform, which video, and the
 * one address that all forms of it share.  Nothing is fetched.
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
    judge_str_t   canonical;           /* two addresses of one video have the
                                          same */
    bool          short_link;          /* video_id is the code of a link that
                                          only the platform can resolve: its
                                          full address is not recognised as
                                          the same video */
} judge_video_url_t;


/*
 * White space around the address is dropped.  Strings of *out lie in `arena`.
 * JUDGE_INVALID: it is not the http(s) address of a video on a platform that
 * we know, and *why (if not NULL) says so in words that follow the name of
 * the field, "expected ...".  JUDGE_NOMEM.
 */
judge_rc_e judge_video_url_parse(judge_arena_t *arena, judge_str_t url,
    judge_video_url_t *out, judge_str_t *why);


#endif /* JUDGE_VIDEO_URL_H */
