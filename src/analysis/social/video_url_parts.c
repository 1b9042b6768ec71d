/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The parts of an address.  What browsers would repair (backslashes, missing
 * schemes, letters outside ASCII in a host) is refused: two programs that
 * read an address in two ways are how checks are passed.
 */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/social/video_url_parts.h"


/* The bytes up to any of `stops`, which s then begins with. */

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


static judge_rc_e
judge_video_url_host(judge_video_url_parts_t *url, judge_str_t authority,
    bool tls, const char **why)
{
    char         c, *p;
    size_t       i;
    judge_str_t  host;

    if (memchr(authority.data, '@', authority.len) != NULL) {
        *why = "an address without a user name before the host";
        return JUDGE_INVALID;
    }

    host = judge_video_url_upto(&authority, ":");

    if (authority.len > 0
        && !judge_str_eq_c(authority, tls ? ":443" : ":80"))
    {
        *why = "an address without a port";
        return JUDGE_INVALID;
    }

    p = judge_alloc(url->arena, host.len + 1);
    if (p == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < host.len; i++) {
        c = host.data[i];
        c = judge_ascii_lower(c);

        if (!(judge_ascii_letter(c) || judge_ascii_digit(c) || c == '-'
              || (c == '.' && i > 0 && p[i - 1] != '.')))
        {
            break;
        }

        p[i] = c;
    }

    if (i == 0 || i < host.len || p[i - 1] == '.') {
        *why = "an address with the name of a host";
        return JUDGE_INVALID;
    }

    url->host = (judge_str_t) { i, p };

    return JUDGE_OK;
}


/* Segments beyond the limit carry nothing: no form is that long. */

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
    judge_str_t s, const char **why)
{
    bool         tls;
    size_t       i;
    judge_rc_e   rc;
    judge_str_t  scheme, authority, path;

    memset(url, 0, sizeof(judge_video_url_parts_t));
    url->arena = arena;
    s = judge_str_trim(s, " \t\r\n");

    if (s.len > JUDGE_VIDEO_URL_MAX) {
        *why = "an address of at most 2048 bytes";
        return JUDGE_INVALID;
    }

    for (i = 0; i < s.len; i++) {
        if (s.data[i] <= ' ' || s.data[i] >= 0x7f || s.data[i] == '\\') {
            *why = "an address of printable ASCII characters without spaces "
                   "and backslashes";
            return JUDGE_INVALID;
        }
    }

    scheme = judge_video_url_upto(&s, ":/?#");
    tls = judge_str_caseeq(scheme, JUDGE_STR("https"));

    if ((!tls && !judge_str_caseeq(scheme, JUDGE_STR("http")))
        || !judge_str_starts(s, JUDGE_STR("://")))
    {
        *why = "an address that begins with http:// or https://";
        return JUDGE_INVALID;
    }

    s = judge_str_from(s, 3);
    authority = judge_video_url_upto(&s, "/?#");

    rc = judge_video_url_host(url, authority, tls, why);
    if (rc != JUDGE_OK) {
        return rc;
    }

    path = judge_video_url_upto(&s, "?#");
    judge_video_url_path(url, path);

    if (s.len > 0 && s.data[0] == '?') {
        s = judge_str_from(s, 1);
        url->query = judge_video_url_upto(&s, "#");
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
    int     hi, lo;
    char   *p;
    size_t  i, n;

    p = judge_alloc(arena, s.len + 1);
    if (p == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    for (i = 0, n = 0; i < s.len; i++) {
        if (s.data[i] != '%') {
            p[n++] = s.data[i];
            continue;
        }

        if (s.len - i < 3) {
            return (judge_str_t) { 0, NULL };
        }

        hi = judge_ascii_hex(s.data[i + 1]);
        lo = judge_ascii_hex(s.data[i + 2]);

        if (hi < 0 || lo < 0) {
            return (judge_str_t) { 0, NULL };
        }

        p[n++] = (char) (hi * 16 + lo);
        i += 2;
    }

    return (judge_str_t) { n, p };
}


judge_rc_e
judge_video_url_inside(const judge_video_url_parts_t *outer, judge_str_t s,
    judge_video_url_parts_t *url)
{
    judge_rc_e   rc;
    const char  *why;
    judge_str_t  address;

    address = judge_video_url_decode(outer->arena, s);

    if (address.len > 0 && address.data[0] == '/') {
        address = judge_str_printf(outer->arena, "https://%.*s%.*s",
                                   (int) outer->host.len, outer->host.data,
                                   (int) address.len, address.data);
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
