/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The address of a video: platform, video and canonical address, or why it
 * is none. */


#include <string.h>

#include "analysis/social/video_url_parts.h"


judge_rc_e
judge_video_url_parse(judge_arena_t *arena, judge_str_t s,
    judge_video_url_t *out, judge_str_t *why)
{
    judge_rc_e                    rc;
    const char                   *reason;
    judge_str_t                   sentence;
    judge_video_url_parts_t       url;
    const judge_video_url_row_t  *row;

    memset(out, 0, sizeof(judge_video_url_t));
    memset(&url, 0, sizeof(judge_video_url_parts_t));
    url.arena = arena;
    row = NULL;

    rc = judge_video_url_split(&url, s, &reason);

    if (rc == JUDGE_OK) {
        row = judge_video_url_row(url.host);
        rc = (row == NULL) ? JUDGE_NOT_FOUND : row->form(&url, out);
    }

    if (rc != JUDGE_INVALID && rc != JUDGE_NOT_FOUND) {
        out->platform = (rc == JUDGE_OK) ? row->platform : NULL;
        return rc;
    }

    memset(out, 0, sizeof(judge_video_url_t));

    if (why == NULL) {
        return JUDGE_INVALID;
    }

    if (rc == JUDGE_INVALID) {
        sentence = judge_str_printf(arena, "expected %s", reason);

    } else if (row == NULL) {
        sentence = judge_str_printf(arena, "expected an address on YouTube, "
                       "TikTok, Instagram, Facebook, X, Vimeo, LinkedIn, "
                       "Twitch, Dailymotion or Reddit; \"%.*s\" is none of "
                       "them", (int) url.host.len, url.host.data);

    } else {
        sentence = judge_str_printf(arena, "expected the address of one "
                                    "video on %s", row->label);
    }

    *why = sentence;

    return (sentence.data == NULL) ? JUDGE_NOMEM : JUDGE_INVALID;
}
