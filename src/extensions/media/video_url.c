/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Reads the address of a video: platform, video and canonical address, or why
 * it is not one. */


#include <string.h>

#include "base/text/ascii.h"
#include "extensions/media/video_url.h"


#define JUDGE_VIDEO_URL_NAME  64       /* bytes of a user's or group's */

/* The parts that a form extracts from an address. */

typedef struct {
    judge_str_t  id;
    judge_str_t  name;
    judge_str_t  inner;                /* an address in the query */
} judge_video_url_found_t;


static bool
judge_video_url_is_id(judge_str_t s, judge_video_url_id_t id)
{
    char      c;
    size_t    i;
    unsigned  kind;

    if (s.data == NULL || s.len < id.min || s.len > id.max) {
        return false;
    }

    for (i = 0; i < s.len; i++) {
        c = s.data[i];
        kind = judge_ascii_digit(c) ? JUDGE_CHAR_DIGIT
               : (c == '-' || c == '_') ? JUDGE_CHAR_DASH
               : !judge_ascii_letter(c) ? 0
               : c >= 'a' ? JUDGE_CHAR_LOWER : JUDGE_CHAR_UPPER;

        if ((kind & id.chars) == 0) {
            return false;
        }
    }

    i = judge_str_index_c(judge_video_url_reserved, s);

    return judge_video_url_reserved[i] == NULL;
}


static bool
judge_video_url_on(const judge_video_url_parts_t *url, const char *host)
{
    judge_str_t  name = url->host;

    if (*host == '\0') {
        return true;
    }

    if (*host == '!') {
        return !judge_video_url_on(url, host + 1);
    }

    if (judge_str_starts(name, JUDGE_STR("www."))) {
        name = judge_str_from(name, 4);
    }

    return judge_str_eq_c(name, host);
}


/* Finds the identifier in s by a pattern like "#", "#_", "v#" or "#.html". */

static bool
judge_video_url_take(judge_str_t s, judge_str_t pattern, judge_str_t *id)
{
    size_t       before, behind;
    const char  *mark, *cut;

    mark = memchr(pattern.data, '#', pattern.len);
    before = (size_t) (mark - pattern.data);
    behind = pattern.len - before - 1;

    if (behind == 1 && mark[1] == '_') {
        cut = memchr(s.data, '_', s.len);
        *id = (judge_str_t) { cut ? (size_t) (cut - s.data) : s.len, s.data };
        return true;
    }

    if (s.len <= before + behind || memcmp(s.data, pattern.data, before) != 0
        || memcmp(s.data + s.len - behind, mark + 1, behind) != 0)
    {
        return false;
    }

    *id = (judge_str_t) { s.len - before - behind, s.data + before };

    return true;
}


static bool
judge_video_url_segment(judge_str_t s, judge_str_t pattern,
    judge_video_url_found_t *found)
{
    switch (pattern.data[0]) {

    case '*':
        return true;

    case '$':
        found->name = s;
        return s.len <= JUDGE_VIDEO_URL_NAME
               && memchr(s.data, '%', s.len) == NULL;

    default:
        return memchr(pattern.data, '#', pattern.len) != NULL
               ? judge_video_url_take(s, pattern, &found->id)
               : judge_str_eq(s, pattern);
    }
}


static bool
judge_video_url_match(const judge_video_url_parts_t *url, const char *form,
    judge_video_url_found_t *found)
{
    size_t       i, n;
    judge_str_t  value;

    for (i = 0; *form != '\0' && *form != '?'; i++) {
        n = strcspn(form, "/?");

        if (*form == '!' ? i < url->nsegments
            : i >= url->nsegments
              || !judge_video_url_segment(url->segments[i],
                                          (judge_str_t) { n, form }, found))
        {
            return false;
        }

        form += n;
        form += (*form == '/');
    }

    if (*form == '\0') {
        return true;
    }

    n = strcspn(form, "=");
    value = judge_video_url_query(url, (judge_str_t) { n - 1, form + 1 });
    form += n + 1;

    if (*form == '&') {
        found->inner = value;
        return value.data != NULL;
    }

    return value.data != NULL
           && judge_video_url_take(value, judge_str_c(form), &found->id);
}


static judge_rc_e
judge_video_url_write(const judge_video_url_parts_t *url,
    const judge_video_url_found_t *found, const char *address,
    judge_video_url_t *out)
{
    judge_buf_t  buf;

    judge_buf_init(&buf, url->arena);

    for ( /* void */ ; *address != '\0'; address++) {
        if (*address == '#') {
            judge_buf_str(&buf, found->id);

        } else if (*address == '$') {
            judge_buf_str(&buf, found->name);

        } else {
            judge_buf_append(&buf, address, 1);
        }
    }

    out->video_id = judge_str_dup(url->arena, found->id);
    out->canonical = judge_buf_view(&buf);

    return (buf.failed || out->video_id.data == NULL) ? JUDGE_NOMEM
                                                      : JUDGE_OK;
}


/* Unlisted videos of Vimeo need a hash in their address; keep it. */

static judge_rc_e
judge_video_url_vimeo(const judge_video_url_parts_t *url,
    judge_video_url_t *out)
{
    judge_str_t                  hash;
    const judge_video_url_id_t   form = {
        JUDGE_CHAR_DIGIT | JUDGE_CHAR_LOWER, 8, 16
    };

    hash = judge_video_url_query(url, JUDGE_STR("h"));

    if (hash.data == NULL && url->nsegments == 2
        && judge_str_eq(url->segments[0], out->video_id))
    {
        hash = url->segments[1];
    }

    if (judge_video_url_is_id(hash, form)) {
        out->canonical = judge_str_printf(url->arena, "%.*s/%.*s",
                              judge_str_args(out->canonical),
                              judge_str_args(hash));
    }

    return (out->canonical.data == NULL) ? JUDGE_NOMEM : JUDGE_OK;
}


/*
 * Finds the number after "activity", "share" or "ugcPost" and a colon (in a
 * URN) or a dash (in the name of a post).  The last one counts, because the
 * text of a post comes first.
 */

static judge_str_t
judge_video_url_urn(judge_str_t s, const char *kind, char sign)
{
    size_t       i, n, from;
    judge_str_t  id;

    n = strlen(kind);
    id = (judge_str_t) { 0, NULL };

    for (i = 0; s.len >= n + 1 && i <= s.len - n - 1; i++) {
        if (memcmp(s.data + i, kind, n) != 0 || s.data[i + n] != sign) {
            continue;
        }

        from = i + n + 1;
        id = (judge_str_t) { 0, s.data + from };

        while (from + id.len < s.len && judge_ascii_digit(id.data[id.len])) {
            id.len++;
        }
    }

    return id;
}


static judge_rc_e
judge_video_url_linkedin(const judge_video_url_parts_t *url,
    judge_video_url_t *out)
{
    bool                     post;
    size_t                   i, k;
    judge_str_t              s;
    judge_video_url_found_t  found;
    static const char *const  kinds[] = { "activity", "ugcPost", "share" };

    for (i = 0; i < url->nsegments; i++) {
        post = i > 0 && judge_str_eq_c(url->segments[i - 1], "posts");
        s = judge_video_url_decode(url->arena, url->segments[i]);

        if (s.data == NULL
            || (!post && !judge_str_starts(s, JUDGE_STR("urn:li:"))))
        {
            continue;
        }

        for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
            found.id = judge_video_url_urn(s, kinds[k], post ? '-' : ':');
            found.name = judge_str_c(kinds[k]);

            if (judge_video_url_is_id(found.id, JUDGE_ID_NUMBER)) {
                return judge_video_url_write(url, &found,
                   "https://www.linkedin.com/feed/update/urn:li:$:#/", out);
            }
        }
    }

    return JUDGE_NOT_FOUND;
}


static const judge_video_url_platform_t *
judge_video_url_platform(judge_str_t host)
{
    size_t       i, n;
    const char  *domain;

    for (i = 0; i < judge_video_url_platforms_n; i++) {
        domain = judge_video_url_platforms[i].domains;

        for ( /* void */ ; *domain != '\0'; domain += n + (domain[n] == ' ')) {
            n = strcspn(domain, " ");

            if (host.len >= n
                && memcmp(host.data + host.len - n, domain, n) == 0
                && (host.len == n || host.data[host.len - n - 1] == '.'))
            {
                return &judge_video_url_platforms[i];
            }
        }
    }

    return NULL;
}


/*
 * JUDGE_NOT_FOUND: there is no video in this address.  An address in the query
 * is followed one level deep; that one can't contain a third.
 */

static judge_rc_e
judge_video_url_find(const judge_video_url_parts_t *url,
    const judge_video_url_platform_t *platform, judge_video_url_t *out)
{
    size_t                         i;
    judge_rc_e                     rc;
    judge_video_url_parts_t        inner;
    judge_video_url_found_t        found;
    const judge_video_url_form_t  *form;

    for (i = 0; i < judge_video_url_forms_n; i++) {
        form = &judge_video_url_forms[i];
        found = (judge_video_url_found_t) { { 0, NULL }, { 0, NULL },
                                            { 0, NULL } };

        if (strcmp(form->platform, platform->name) != 0
            || !judge_video_url_on(url, form->host)
            || !judge_video_url_match(url, form->form, &found))
        {
            continue;
        }

        if (found.inner.data != NULL) {
            rc = judge_video_url_inside(url, found.inner, &inner);

            if (rc != JUDGE_OK) {
                return (rc == JUDGE_INVALID) ? JUDGE_NOT_FOUND : rc;
            }

            return (judge_video_url_platform(inner.host) == platform)
                   ? judge_video_url_find(&inner, platform, out)
                   : JUDGE_NOT_FOUND;
        }

        if (judge_video_url_is_id(found.id, form->id)) {
            out->short_link = *form->link != '\0';
            rc = judge_video_url_write(url, &found, *form->address != '\0'
                                       ? form->address : platform->address,
                                       out);

            return (rc == JUDGE_OK && strcmp(platform->name, "vimeo") == 0)
                   ? judge_video_url_vimeo(url, out) : rc;
        }
    }

    return (strcmp(platform->name, "linkedin") == 0
            && judge_video_url_on(url, "!lnkd.in"))
           ? judge_video_url_linkedin(url, out) : JUDGE_NOT_FOUND;
}


judge_rc_e
judge_video_url_parse(judge_arena_t *arena, judge_str_t s,
    judge_video_url_t *out, judge_str_t *why)
{
    judge_rc_e                         rc;
    judge_str_t                        sentence;
    judge_video_url_parts_t            url;
    const judge_video_url_platform_t  *platform;

    memset(out, 0, sizeof(judge_video_url_t));
    platform = NULL;

    rc = judge_video_url_split(&url, arena, s, &sentence);

    if (rc == JUDGE_OK) {
        platform = judge_video_url_platform(url.host);
        rc = (platform == NULL) ? JUDGE_NOT_FOUND
                                : judge_video_url_find(&url, platform, out);
    }

    if (rc != JUDGE_INVALID && rc != JUDGE_NOT_FOUND) {
        out->platform = (rc == JUDGE_OK) ? platform->name : NULL;
        return rc;
    }

    memset(out, 0, sizeof(judge_video_url_t));

    if (why == NULL) {
        return JUDGE_INVALID;
    }

    if (rc == JUDGE_NOT_FOUND && platform == NULL) {
        sentence = judge_str_printf(arena, "expected an address on YouTube, "
                       "TikTok, Instagram, Facebook, X, Vimeo, LinkedIn, "
                       "Twitch, Dailymotion or Reddit; \"%.*s\" is none of "
                       "them", judge_str_args(url.host));

    } else if (rc == JUDGE_NOT_FOUND) {
        sentence = judge_str_printf(arena, "expected the address of one "
                                    "video on %s", platform->label);
    }

    *why = sentence;

    return (sentence.data == NULL) ? JUDGE_NOMEM : JUDGE_INVALID;
}
