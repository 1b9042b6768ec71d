/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Splits an address, and rejects what programs parse in different ways,
 * because such addresses are used to pass checks. */


#include <string.h>

#include "base/net/url.h"
#include "base/text/ascii.h"
#include "extensions/media/video_url.h"


/* Takes the bytes before any of `stops`, with which s begins then. */

static judge_str_t
judge_video_url_upto(judge_str_t *s, const char *stops)
{
    size_t       i;
    judge_str_t  head;

    for (i = 0; i < s->len; i++) {
        if (strchr(stops, s->data[i]) != NULL) {
            break;
        }
    }

    head = (judge_str_t) { i, s->data };
    *s = judge_str_from(*s, i);

    return head;
}


/* Segments beyond the limit are dropped: no form is that long. */

static void
judge_video_url_path(judge_video_url_parts_t *url, judge_str_t path)
{
    judge_str_t  segment;

    while (path.len > 0 && url->nsegments < JUDGE_VIDEO_URL_SEGMENTS) {
        path = judge_str_from(path, 1);
        segment = judge_video_url_upto(&path, "/");

        if (segment.len > 0) {
            url->segments[url->nsegments++] = segment;
        }
    }
}


judge_rc_e
judge_video_url_split(judge_video_url_parts_t *url, judge_arena_t *arena,
    judge_str_t s, judge_str_t *why)
{
    judge_rc_e   rc;
    judge_url_t  address;

    memset(url, 0, sizeof(judge_video_url_parts_t));
    url->arena = arena;
    s = judge_str_trim(s, " \t\r\n");

    if (s.len > JUDGE_VIDEO_URL_MAX) {
        *why = JUDGE_STR("expected an address of at most 2048 bytes");
        return JUDGE_INVALID;
    }

    s = judge_video_url_upto(&s, "#");

    rc = judge_url_parse(arena, s, &address, why);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (!judge_str_eq(address.authority, address.host)) {
        *why = JUDGE_STR("expected the name of a host without a port");
        return JUDGE_INVALID;
    }

    url->host = address.host;
    judge_video_url_path(url, judge_video_url_upto(&address.target, "?"));

    if (address.target.len > 0) {
        url->query = judge_str_from(address.target, 1);
    }

    return JUDGE_OK;
}


judge_str_t
judge_video_url_query(const judge_video_url_parts_t *url, judge_str_t name)
{
    judge_str_t  rest, pair, key;

    rest = url->query;

    while (rest.len > 0) {
        pair = judge_video_url_upto(&rest, "&");
        key = judge_video_url_upto(&pair, "=");

        if (pair.len > 1 && judge_str_eq(key, name)) {
            return (judge_str_t) { pair.len - 1, pair.data + 1 };
        }

        if (rest.len > 0) {
            rest = judge_str_from(rest, 1);
        }
    }

    return (judge_str_t) { 0, NULL };
}


judge_str_t
judge_video_url_decode(judge_arena_t *arena, judge_str_t s)
{
    char    *p;
    size_t   i, n;

    p = judge_alloc(arena, s.len + 1);

    for (i = 0, n = 0; p != NULL && i < s.len; i++, n++) {
        p[n] = s.data[i];

        if (s.data[i] == '%' && s.len - i > 2) {
            p[n] = (char) (judge_ascii_hex(s.data[i + 1]) * 16
                           + judge_ascii_hex(s.data[i + 2]));
            i += 2;
        }
    }

    return (judge_str_t) { n, p };
}


judge_rc_e
judge_video_url_inside(const judge_video_url_parts_t *outer, judge_str_t s,
    judge_video_url_parts_t *url)
{
    judge_rc_e   rc;
    judge_str_t  address, why;

    address = judge_video_url_decode(outer->arena, s);

    if (address.len > 0 && address.data[0] == '/') {
        address = judge_str_printf(outer->arena, "https://%.*s%.*s",
                                   judge_str_args(outer->host),
                                   judge_str_args(address));
    }

    if (address.data == NULL) {
        return JUDGE_INVALID;
    }

    rc = judge_video_url_split(url, outer->arena, address, &why);

    if (rc == JUDGE_OK
        && (judge_video_url_query(url, JUDGE_STR("href")).data != NULL
            || judge_video_url_query(url, JUDGE_STR("u")).data != NULL))
    {
        return JUDGE_INVALID;
    }

    return rc;
}
