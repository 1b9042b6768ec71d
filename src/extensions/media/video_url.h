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


#endif /* JUDGE_VIDEO_URL_H */
