/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Taking the address of a video apart.  What browsers would repair
 * (backslashes, missing schemes, letters outside ASCII in a host) is refused:
 * two programs that read an address in two ways are how checks are passed.
 */


#include <string.h>

#include "analysis/social/video_url_parts.h"


static judge_rc_e judge_video_url_split(judge_video_url_url_t *url,
    judge_str_t s, const char **why);
static judge_rc_e judge_video_url_host(judge_video_url_url_t *url,
    judge_str_t authority, bool tls, const char **why);
static void judge_video_url_path(judge_video_url_url_t *url, judge_str_t path);
static const judge_video_url_row_t *judge_video_url_row(judge_str_t host);


judge_rc_e
judge_video_url_parse(judge_arena_t *arena, judge_str_t s,
    judge_video_url_t *out, judge_str_t *why)
{
    judge_rc_e                    rc;
    const char                   *reason;
    judge_str_t                   sentence;
    judge_video_url_url_t         url;
    const judge_video_url_row_t  *row;

    memset(out, 0, sizeof(judge_video_url_t));
    memset(&url, 0, sizeof(judge_video_url_url_t));
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


static judge_str_t
judge_video_url_trim(judge_str_t s)
{
    while (s.len > 0 && strchr(" \t\r\n", s.data[0]) != NULL
           && s.data[0] != '\0')
    {
        s.data++;
        s.len--;
    }

    while (s.len > 0 && strchr(" \t\r\n", s.data[s.len - 1]) != NULL
           && s.data[s.len - 1] != '\0')
    {
        s.len--;
    }

    return s;
}


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
    s->data += i;
    s->len -= i;

    return head;
}


static judge_rc_e
judge_video_url_split(judge_video_url_url_t *url, judge_str_t s,
    const char **why)
{
    bool         tls;
    size_t       i;
    judge_rc_e   rc;
    judge_str_t  scheme, authority, path;

    s = judge_video_url_trim(s);

    if (s.len > JUDGE_VIDEO_URL_URL_MAX) {
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

    s.data += 3;
    s.len -= 3;
    authority = judge_video_url_upto(&s, "/?#");

    rc = judge_video_url_host(url, authority, tls, why);
    if (rc != JUDGE_OK) {
        return rc;
    }

    path = judge_video_url_upto(&s, "?#");
    judge_video_url_path(url, path);

    if (s.len > 0 && s.data[0] == '?') {
        s.data++;
        s.len--;
        url->query = judge_video_url_upto(&s, "#");
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_video_url_host(judge_video_url_url_t *url, judge_str_t authority,
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
        c = (c >= 'A' && c <= 'Z') ? (char) (c | 0x20) : c;

        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'
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
judge_video_url_path(judge_video_url_url_t *url, judge_str_t path)
{
    judge_str_t  segment;

    while (path.len > 0 && url->nsegments < JUDGE_VIDEO_URL_SEGMENTS) {
        path.data++;
        path.len--;
        segment = judge_video_url_upto(&path, "/");

        if (segment.len > 0) {
            url->segments[url->nsegments++] = segment;
        }
    }
}


static const judge_video_url_row_t *
judge_video_url_row(judge_str_t host)
{
    size_t                        i;
    judge_str_t                   domain, tail;
    const judge_video_url_row_t  *row;

    for (row = judge_video_url_rows; row->platform != NULL; row++) {
        for (i = 0; row->domains[i] != NULL; i++) {
            domain = judge_str_c(row->domains[i]);

            if (host.len < domain.len) {
                continue;
            }

            tail = (judge_str_t) { domain.len,
                                   host.data + host.len - domain.len };

            if (judge_str_eq(tail, domain)
                && (host.len == domain.len || tail.data[-1] == '.'))
            {
                return row;
            }
        }
    }

    return NULL;
}


judge_str_t
judge_video_url_query(const judge_video_url_url_t *url, const char *name)
{
    judge_str_t  rest, pair, key;

    rest = url->query;

    while (rest.len > 0) {
        pair = judge_video_url_upto(&rest, "&");
        key = judge_video_url_upto(&pair, "=");

        if (pair.len > 1 && judge_str_eq_c(key, name)) {
            return (judge_str_t) { pair.len - 1, pair.data + 1 };
        }

        if (rest.len > 0) {
            rest.data++;
            rest.len--;
        }
    }

    return (judge_str_t) { 0, NULL };
}


static int
judge_video_url_hex(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    c |= 0x20;

    return (c >= 'a' && c <= 'f') ? c - 'a' + 10 : -1;
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

        hi = judge_video_url_hex(s.data[i + 1]);
        lo = judge_video_url_hex(s.data[i + 2]);

        if (hi < 0 || lo < 0) {
            return (judge_str_t) { 0, NULL };
        }

        p[n++] = (char) (hi * 16 + lo);
        i += 2;
    }

    return (judge_str_t) { n, p };
}


judge_rc_e
judge_video_url_inner(const judge_video_url_url_t *outer, judge_str_t inner,
    const char *platform, judge_video_url_t *out)
{
    judge_rc_e                    rc;
    const char                   *why;
    judge_str_t                   address;
    judge_video_url_url_t         url;
    const judge_video_url_row_t  *row;

    address = judge_video_url_decode(outer->arena, inner);

    if (address.data != NULL && address.len > 0 && address.data[0] == '/') {
        address = judge_str_printf(outer->arena, "https://%.*s%.*s",
                                   (int) outer->host.len, outer->host.data,
                                   (int) address.len, address.data);
    }

    if (address.data == NULL) {
        return JUDGE_NOT_FOUND;
    }

    memset(&url, 0, sizeof(judge_video_url_url_t));
    url.arena = outer->arena;

    rc = judge_video_url_split(&url, address, &why);
    if (rc != JUDGE_OK) {
        return (rc == JUDGE_INVALID) ? JUDGE_NOT_FOUND : rc;
    }

    row = judge_video_url_row(url.host);

    if (row == NULL || strcmp(row->platform, platform) != 0) {
        return JUDGE_NOT_FOUND;
    }

    /* without its query an address can't hold another one */

    if (judge_video_url_query(&url, "href").data != NULL
        || judge_video_url_query(&url, "u").data != NULL)
    {
        return JUDGE_NOT_FOUND;
    }

    return row->form(&url, out);
}
