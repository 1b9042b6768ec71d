/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The forms in which each platform writes the address of a video.
 */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/social/video_url_parts.h"


#define JUDGE_ID_DIGIT  1
#define JUDGE_ID_LOWER  2
#define JUDGE_ID_UPPER  4
#define JUDGE_ID_DASH   8              /* "-" and "_" */
#define JUDGE_ID_ALNUM  (JUDGE_ID_DIGIT | JUDGE_ID_LOWER | JUDGE_ID_UPPER)
#define JUDGE_ID_CODE   (JUDGE_ID_ALNUM | JUDGE_ID_DASH)

typedef struct {
    unsigned  chars;                   /* JUDGE_ID_ flags */
    size_t    min;
    size_t    max;
} judge_video_url_id_t;

/*
 * A row of the table of paths.  `path` is segments with "/" between them: "*"
 * is any segment, "#" the identifier, and what follows is of no matter.
 */

typedef struct {
    const char            *host;       /* NULL: any host of the platform */
    const char            *path;
    judge_video_url_id_t   id;
    const char            *canonical;  /* with %.*s for the identifier */
    bool                   short_link;
} judge_video_url_path_t;


static const judge_video_url_id_t  judge_id_video = { JUDGE_ID_CODE, 11, 11 };
static const judge_video_url_id_t  judge_id_number = { JUDGE_ID_DIGIT, 3, 25 };

#define judge_id_digits  { JUDGE_ID_DIGIT, 3, 25 }
#define judge_id_tube    { JUDGE_ID_CODE, 11, 11 }
#define judge_id_code    { JUDGE_ID_CODE, 5, 100 }
#define judge_id_link    { JUDGE_ID_CODE, 4, 64 }
#define judge_id_base36  { JUDGE_ID_ALNUM, 4, 13 }

#define JUDGE_URL_YOUTUBE    "https://www.youtube.com/watch?v=%.*s"
#define JUDGE_URL_TIKTOK     "https://www.tiktok.com/@_/video/%.*s"
#define JUDGE_URL_INSTAGRAM  "https://www.instagram.com/p/%.*s/"
#define JUDGE_URL_FACEBOOK   "https://www.facebook.com/watch/?v=%.*s"
#define JUDGE_URL_X          "https://x.com/i/status/%.*s"
#define JUDGE_URL_VIMEO      "https://vimeo.com/%.*s"
#define JUDGE_URL_TWITCH     "https://www.twitch.tv/videos/%.*s"
#define JUDGE_URL_CLIP       "https://clips.twitch.tv/%.*s"
#define JUDGE_URL_DM         "https://www.dailymotion.com/video/%.*s"
#define JUDGE_URL_REDDIT     "https://www.reddit.com/comments/%.*s/"


static const judge_video_url_path_t  judge_youtube_paths[] = {
    { "youtu.be", "#", judge_id_tube, JUDGE_URL_YOUTUBE, false },
    { NULL, "watch/#", judge_id_tube, JUDGE_URL_YOUTUBE, false },
    { NULL, "v/#", judge_id_tube, JUDGE_URL_YOUTUBE, false },
    { NULL, "e/#", judge_id_tube, JUDGE_URL_YOUTUBE, false },
    { NULL, "vi/#", judge_id_tube, JUDGE_URL_YOUTUBE, false },
    { NULL, "embed/#", judge_id_tube, JUDGE_URL_YOUTUBE, false },
    { NULL, "shorts/#", judge_id_tube, JUDGE_URL_YOUTUBE, false },
    { NULL, "live/#", judge_id_tube, JUDGE_URL_YOUTUBE, false },
    { NULL, "video/#", judge_id_tube, JUDGE_URL_YOUTUBE, false },
    { NULL, "clip/#", { JUDGE_ID_CODE, 20, 64 },
      "https://www.youtube.com/clip/%.*s", true },
    { NULL, NULL, { 0, 0, 0 }, NULL, false }
};

static const judge_video_url_path_t  judge_tiktok_paths[] = {
    { "vm.tiktok.com", "#", judge_id_link, "https://vm.tiktok.com/%.*s/",
      true },
    { "vt.tiktok.com", "#", judge_id_link, "https://vt.tiktok.com/%.*s/",
      true },
    { NULL, "t/#", judge_id_link, "https://www.tiktok.com/t/%.*s/", true },
    { NULL, "*/video/#", judge_id_digits, JUDGE_URL_TIKTOK, false },
    { NULL, "v/#", judge_id_digits, JUDGE_URL_TIKTOK, false },
    { NULL, "embed/*/#", judge_id_digits, JUDGE_URL_TIKTOK, false },
    { NULL, "embed/#", judge_id_digits, JUDGE_URL_TIKTOK, false },
    { NULL, "player/v1/#", judge_id_digits, JUDGE_URL_TIKTOK, false },
    { NULL, NULL, { 0, 0, 0 }, NULL, false }
};

static const judge_video_url_path_t  judge_instagram_paths[] = {
    { NULL, "share/reel/#", judge_id_link,
      "https://www.instagram.com/share/reel/%.*s", true },
    { NULL, "share/p/#", judge_id_link,
      "https://www.instagram.com/share/p/%.*s", true },
    { NULL, "p/#", judge_id_code, JUDGE_URL_INSTAGRAM, false },
    { NULL, "tv/#", judge_id_code, JUDGE_URL_INSTAGRAM, false },
    { NULL, "reel/#", judge_id_code, JUDGE_URL_INSTAGRAM, false },
    { NULL, "reels/#", judge_id_code, JUDGE_URL_INSTAGRAM, false },
    { NULL, "*/p/#", judge_id_code, JUDGE_URL_INSTAGRAM, false },
    { NULL, "*/tv/#", judge_id_code, JUDGE_URL_INSTAGRAM, false },
    { NULL, "*/reel/#", judge_id_code, JUDGE_URL_INSTAGRAM, false },
    { NULL, NULL, { 0, 0, 0 }, NULL, false }
};

static const judge_video_url_path_t  judge_facebook_paths[] = {
    { "fb.watch", "#", judge_id_link, "https://fb.watch/%.*s/", true },
    { "fb.watch", "v/#", judge_id_link, "https://fb.watch/%.*s/", true },
    { NULL, "share/v/#", judge_id_link,
      "https://www.facebook.com/share/v/%.*s/", true },
    { NULL, "share/r/#", judge_id_link,
      "https://www.facebook.com/share/r/%.*s/", true },
    { NULL, "reel/#", judge_id_digits, JUDGE_URL_FACEBOOK, false },
    { NULL, "watch/#", judge_id_digits, JUDGE_URL_FACEBOOK, false },
    { NULL, "videos/#", judge_id_digits, JUDGE_URL_FACEBOOK, false },
    { NULL, "*/videos/#", judge_id_digits, JUDGE_URL_FACEBOOK, false },
    { NULL, "*/videos/*/#", judge_id_digits, JUDGE_URL_FACEBOOK, false },
    { NULL, NULL, { 0, 0, 0 }, NULL, false }
};

static const judge_video_url_path_t  judge_x_paths[] = {
    { NULL, "i/web/status/#", judge_id_digits, JUDGE_URL_X, false },
    { NULL, "i/videos/tweet/#", judge_id_digits, JUDGE_URL_X, false },
    { NULL, "i/videos/#", judge_id_digits, JUDGE_URL_X, false },
    { NULL, "i/broadcasts/#", { JUDGE_ID_ALNUM, 8, 20 },
      "https://x.com/i/broadcasts/%.*s", false },
    { NULL, "*/status/#", judge_id_digits, JUDGE_URL_X, false },
    { NULL, "*/statuses/#", judge_id_digits, JUDGE_URL_X, false },
    { NULL, NULL, { 0, 0, 0 }, NULL, false }
};

static const judge_video_url_path_t  judge_vimeo_paths[] = {
    { NULL, "#", judge_id_digits, JUDGE_URL_VIMEO, false },
    { NULL, "video/#", judge_id_digits, JUDGE_URL_VIMEO, false },
    { NULL, "channels/*/#", judge_id_digits, JUDGE_URL_VIMEO, false },
    { NULL, "ondemand/*/#", judge_id_digits, JUDGE_URL_VIMEO, false },
    { NULL, "groups/*/videos/#", judge_id_digits, JUDGE_URL_VIMEO, false },
    { NULL, "album/*/video/#", judge_id_digits, JUDGE_URL_VIMEO, false },
    { NULL, "showcase/*/video/#", judge_id_digits, JUDGE_URL_VIMEO, false },
    { NULL, "manage/videos/#", judge_id_digits, JUDGE_URL_VIMEO, false },
    { NULL, "*/review/#", judge_id_digits, JUDGE_URL_VIMEO, false },
    { NULL, NULL, { 0, 0, 0 }, NULL, false }
};

static const judge_video_url_path_t  judge_twitch_paths[] = {
    { "clips.twitch.tv", "#", judge_id_code, JUDGE_URL_CLIP, false },
    { NULL, "clip/#", judge_id_code, JUDGE_URL_CLIP, false },
    { NULL, "*/clip/#", judge_id_code, JUDGE_URL_CLIP, false },
    { NULL, "videos/#", judge_id_digits, JUDGE_URL_TWITCH, false },
    { NULL, "*/v/#", judge_id_digits, JUDGE_URL_TWITCH, false },
    { NULL, "*/video/#", judge_id_digits, JUDGE_URL_TWITCH, false },
    { NULL, NULL, { 0, 0, 0 }, NULL, false }
};

static const judge_video_url_path_t  judge_dailymotion_paths[] = {
    { "dai.ly", "#", judge_id_base36, JUDGE_URL_DM, false },
    { NULL, "video/#", judge_id_base36, JUDGE_URL_DM, false },
    { NULL, "*/video/#", judge_id_base36, JUDGE_URL_DM, false },
    { NULL, NULL, { 0, 0, 0 }, NULL, false }
};

static const judge_video_url_path_t  judge_reddit_paths[] = {
    { "v.redd.it", "#", { JUDGE_ID_ALNUM, 8, 16 }, "https://v.redd.it/%.*s",
      false },
    { "redd.it", "#", judge_id_base36, JUDGE_URL_REDDIT, false },
    { NULL, "video/#", { JUDGE_ID_ALNUM, 8, 16 }, "https://v.redd.it/%.*s",
      false },
    { NULL, "comments/#", judge_id_base36, JUDGE_URL_REDDIT, false },
    { NULL, "*/*/comments/#", judge_id_base36, JUDGE_URL_REDDIT, false },
    { NULL, NULL, { 0, 0, 0 }, NULL, false }
};

/* Words that stand where an identifier may, and have its form. */

static const char *const  judge_video_url_reserved[] = {
    "videoseries", "live_stream", "audio", "create", "embed", "explore",
    "player", "directory", "category", "categories", "channels", "settings",
    "submit", NULL
};


static bool
judge_video_url_is_id(judge_str_t s, const judge_video_url_id_t *id)
{
    char      c;
    size_t    i;
    unsigned  kind;

    if (s.data == NULL || s.len < id->min || s.len > id->max) {
        return false;
    }

    for (i = 0; i < s.len; i++) {
        c = s.data[i];

        if (judge_ascii_digit(c)) {
            kind = JUDGE_ID_DIGIT;

        } else if (c >= 'a' && c <= 'z') {
            kind = JUDGE_ID_LOWER;

        } else if (c >= 'A' && c <= 'Z') {
            kind = JUDGE_ID_UPPER;

        } else {
            kind = (c == '-' || c == '_') ? JUDGE_ID_DASH : 0;
        }

        if ((kind & id->chars) == 0) {
            return false;
        }
    }

    for (i = 0; judge_video_url_reserved[i] != NULL; i++) {
        if (judge_str_eq_c(s, judge_video_url_reserved[i])) {
            return false;
        }
    }

    return true;
}


static judge_rc_e
judge_video_url_found(const judge_video_url_parts_t *url, judge_str_t id,
    const char *canonical, judge_video_url_t *out)
{
    judge_buf_t  buf;
    const char  *mark;

    mark = strstr(canonical, "%.*s");

    judge_buf_init(&buf, url->arena);
    judge_buf_append(&buf, canonical, (size_t) (mark - canonical));
    judge_buf_str(&buf, id);
    judge_buf_c(&buf, mark + 4);

    out->video_id = judge_str_dup(url->arena, id);
    out->canonical = judge_buf_view(&buf);

    if (buf.failed || out->video_id.data == NULL) {
        return JUDGE_NOMEM;
    }

    return JUDGE_OK;
}


/* The segment that stands for the identifier; absent: another path. */

static judge_str_t
judge_video_url_match(const judge_video_url_parts_t *url, const char *path)
{
    size_t       i, n;
    judge_str_t  id;

    id = (judge_str_t) { 0, NULL };

    for (i = 0; *path != '\0'; i++) {
        n = strcspn(path, "/");

        if (i == url->nsegments) {
            return (judge_str_t) { 0, NULL };
        }

        if (*path == '#') {
            id = url->segments[i];

        } else if (*path != '*'
                   && !judge_str_eq(url->segments[i],
                                    (judge_str_t) { n, path }))
        {
            return (judge_str_t) { 0, NULL };
        }

        path += n;
        path += (*path == '/');
    }

    return id;
}


static bool
judge_video_url_on(const judge_video_url_parts_t *url, const char *host)
{
    judge_str_t  name;

    name = url->host;

    if (judge_str_starts(name, JUDGE_STR("www."))) {
        name.data += 4;
        name.len -= 4;
    }

    return judge_str_eq_c(name, host);
}


static judge_rc_e
judge_video_url_paths(const judge_video_url_parts_t *url,
    const judge_video_url_path_t *row, judge_video_url_t *out)
{
    judge_str_t  id;

    for ( ; row->path != NULL; row++) {
        if (row->host != NULL && !judge_video_url_on(url, row->host)) {
            continue;
        }

        id = judge_video_url_match(url, row->path);

        if (judge_video_url_is_id(id, &row->id)) {
            out->short_link = row->short_link;
            return judge_video_url_found(url, id, row->canonical, out);
        }
    }

    return JUDGE_NOT_FOUND;
}


/* An identifier that is good only below the name of its user or group. */

static judge_rc_e
judge_video_url_within(const judge_video_url_parts_t *url, const char *prefix,
    size_t name, const char *between, size_t id, judge_video_url_t *out)
{
    judge_str_t  segment;

    segment = url->segments[name];

    if (segment.len > 64
        || memchr(segment.data, '%', segment.len) != NULL)
    {
        return JUDGE_NOT_FOUND;
    }

    out->video_id = judge_str_dup(url->arena, url->segments[id]);
    out->canonical = judge_str_printf(url->arena, "%s/%.*s%s/%.*s/", prefix,
                                      (int) segment.len, segment.data,
                                      between,
                                      (int) out->video_id.len,
                                      out->video_id.data);

    if (out->video_id.data == NULL || out->canonical.data == NULL) {
        return JUDGE_NOMEM;
    }

    return JUDGE_OK;
}


/* An address inside an address, one level deep. */

static judge_rc_e
judge_video_url_inner(const judge_video_url_parts_t *outer, judge_str_t inner,
    const char *platform, judge_video_url_t *out)
{
    judge_rc_e                    rc;
    const char                   *why;
    judge_str_t                   address;
    judge_video_url_parts_t       url;
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

    memset(&url, 0, sizeof(judge_video_url_parts_t));
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


static judge_rc_e
judge_video_url_youtube(const judge_video_url_parts_t *url,
    judge_video_url_t *out)
{
    judge_str_t  id, inner;

    id = judge_video_url_query(url, "v");

    if (id.data == NULL) {
        id = judge_video_url_query(url, "vi");
    }

    if (!judge_video_url_on(url, "youtu.be")
        && judge_video_url_is_id(id, &judge_id_video))
    {
        return judge_video_url_found(url, id, JUDGE_URL_YOUTUBE, out);
    }

    inner = judge_video_url_query(url, "u");

    if (inner.data != NULL && url->nsegments == 1
        && judge_str_eq_c(url->segments[0], "attribution_link"))
    {
        return judge_video_url_inner(url, inner, "youtube", out);
    }

    return judge_video_url_paths(url, judge_youtube_paths, out);
}


static judge_rc_e
judge_video_url_tiktok(const judge_video_url_parts_t *url,
    judge_video_url_t *out)
{
    judge_str_t              id;
    judge_video_url_parts_t  page;

    /* m.tiktok.com/v/123.html */

    if (url->nsegments == 2 && judge_str_eq_c(url->segments[0], "v")) {
        id = url->segments[1];

        if (id.len > 5 && memcmp(id.data + id.len - 5, ".html", 5) == 0) {
            page = *url;
            page.segments[1].len -= 5;
            return judge_video_url_paths(&page, judge_tiktok_paths, out);
        }
    }

    return judge_video_url_paths(url, judge_tiktok_paths, out);
}


static judge_rc_e
judge_video_url_instagram(const judge_video_url_parts_t *url,
    judge_video_url_t *out)
{
    if (url->nsegments >= 3 && judge_str_eq_c(url->segments[0], "stories")
        && judge_video_url_is_id(url->segments[2], &judge_id_number))
    {
        return judge_video_url_within(url, "https://www.instagram.com/stories",
                                      1, "", 2, out);
    }

    return judge_video_url_paths(url, judge_instagram_paths, out);
}


static judge_rc_e
judge_video_url_facebook(const judge_video_url_parts_t *url,
    judge_video_url_t *out)
{
    size_t       i;
    judge_str_t  id, inner;
    static const char *const  names[] = { "v", "video_id", "story_fbid" };

    inner = judge_video_url_query(url, "href");

    if (inner.data != NULL && url->nsegments > 0
        && judge_str_eq_c(url->segments[0], "plugins"))
    {
        return judge_video_url_inner(url, inner, "facebook", out);
    }

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        id = judge_video_url_query(url, names[i]);

        if (!judge_video_url_on(url, "fb.watch")
            && judge_video_url_is_id(id, &judge_id_number))
        {
            return judge_video_url_found(url, id, JUDGE_URL_FACEBOOK, out);
        }
    }

    return judge_video_url_paths(url, judge_facebook_paths, out);
}


static judge_rc_e
judge_video_url_x(const judge_video_url_parts_t *url, judge_video_url_t *out)
{
    return judge_video_url_paths(url, judge_x_paths, out);
}


/* An unlisted video opens only with its hash. */

static judge_rc_e
judge_video_url_vimeo(const judge_video_url_parts_t *url,
    judge_video_url_t *out)
{
    judge_rc_e   rc;
    judge_str_t  hash;
    static const judge_video_url_id_t  form = {
        JUDGE_ID_DIGIT | JUDGE_ID_LOWER, 8, 16
    };

    rc = judge_video_url_paths(url, judge_vimeo_paths, out);
    if (rc != JUDGE_OK) {
        return rc;
    }

    hash = judge_video_url_query(url, "h");

    if (hash.data == NULL && url->nsegments == 2
        && judge_str_eq(url->segments[0], out->video_id))
    {
        hash = url->segments[1];
    }

    if (judge_video_url_is_id(hash, &form)) {
        out->canonical = judge_str_printf(url->arena, "%.*s/%.*s",
                              (int) out->canonical.len, out->canonical.data,
                              (int) hash.len, hash.data);

        return (out->canonical.data == NULL) ? JUDGE_NOMEM : JUDGE_OK;
    }

    return JUDGE_OK;
}


/*
 * The number behind "activity", "share" or "ugcPost", with a colon before it
 * in an URN and a dash in the name of a post.  The last one counts: the text
 * of a post stands before it.
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
    bool         post;
    size_t       i, k;
    judge_str_t  s, id, canonical;
    static const char *const  kinds[] = { "activity", "ugcPost", "share" };

    if (judge_video_url_on(url, "lnkd.in")) {
        static const judge_video_url_path_t  row[] = {
            { NULL, "*/#", judge_id_link, "https://lnkd.in/p/%.*s", true },
            { NULL, "#", judge_id_link, "https://lnkd.in/%.*s", true },
            { NULL, NULL, { 0, 0, 0 }, NULL, false }
        };

        return judge_video_url_paths(url, row, out);
    }

    for (i = 0; i < url->nsegments; i++) {
        post = i > 0 && judge_str_eq_c(url->segments[i - 1], "posts");
        s = judge_video_url_decode(url->arena, url->segments[i]);

        if (s.data == NULL
            || (!post && !judge_str_starts(s, JUDGE_STR("urn:li:"))))
        {
            continue;
        }

        for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
            id = judge_video_url_urn(s, kinds[k], post ? '-' : ':');

            if (!judge_video_url_is_id(id, &judge_id_number)) {
                continue;
            }

            canonical = judge_str_printf(url->arena,
                   "https://www.linkedin.com/feed/update/urn:li:%s:%%.*s/",
                   kinds[k]);
            if (canonical.data == NULL) {
                return JUDGE_NOMEM;
            }

            return judge_video_url_found(url, id, canonical.data, out);
        }
    }

    return JUDGE_NOT_FOUND;
}


static judge_rc_e
judge_video_url_twitch(const judge_video_url_parts_t *url,
    judge_video_url_t *out)
{
    judge_str_t  id;
    static const judge_video_url_id_t  slug = { JUDGE_ID_CODE, 5, 100 };

    if (judge_video_url_on(url, "player.twitch.tv")) {
        id = judge_video_url_query(url, "video");

        if (id.len > 1 && id.data[0] == 'v') {
            id.data++;
            id.len--;
        }

        if (!judge_video_url_is_id(id, &judge_id_number)) {
            return JUDGE_NOT_FOUND;
        }

        return judge_video_url_found(url, id, JUDGE_URL_TWITCH, out);
    }

    if (judge_video_url_on(url, "clips.twitch.tv")) {
        id = judge_video_url_query(url, "clip");

        if (judge_video_url_is_id(id, &slug)) {
            return judge_video_url_found(url, id, JUDGE_URL_CLIP, out);
        }
    }

    return judge_video_url_paths(url, judge_twitch_paths, out);
}


static judge_rc_e
judge_video_url_dailymotion(const judge_video_url_parts_t *url,
    judge_video_url_t *out)
{
    char                    *cut;
    size_t                   i;
    judge_str_t              id;
    judge_video_url_parts_t  plain;
    static const judge_video_url_id_t  form = judge_id_base36;

    id = judge_video_url_query(url, "video");

    if (judge_video_url_is_id(id, &form)) {
        return judge_video_url_found(url, id, JUDGE_URL_DM, out);
    }

    /* video/x8abc_the-title */

    plain = *url;

    for (i = 0; i < plain.nsegments; i++) {
        cut = memchr(plain.segments[i].data, '_', plain.segments[i].len);

        if (cut != NULL) {
            plain.segments[i].len = (size_t) (cut - plain.segments[i].data);
        }
    }

    return judge_video_url_paths(&plain, judge_dailymotion_paths, out);
}


static judge_rc_e
judge_video_url_reddit(const judge_video_url_parts_t *url,
    judge_video_url_t *out)
{
    static const judge_video_url_id_t  code = judge_id_link;

    if (url->nsegments >= 4 && judge_str_eq_c(url->segments[0], "r")
        && judge_str_eq_c(url->segments[2], "s")
        && judge_video_url_is_id(url->segments[3], &code))
    {
        out->short_link = true;
        return judge_video_url_within(url, "https://www.reddit.com/r", 1,
                                      "/s", 3, out);
    }

    return judge_video_url_paths(url, judge_reddit_paths, out);
}


static const judge_video_url_row_t  judge_video_url_rows[] = {
    { "youtube", "YouTube", { "youtube.com", "youtu.be",
      "youtube-nocookie.com", NULL }, judge_video_url_youtube },
    { "tiktok", "TikTok", { "tiktok.com", NULL }, judge_video_url_tiktok },
    { "instagram", "Instagram", { "instagram.com", "instagr.am", NULL },
      judge_video_url_instagram },
    { "facebook", "Facebook", { "facebook.com", "fb.com", "fb.watch", NULL },
      judge_video_url_facebook },
    { "x", "X", { "x.com", "twitter.com", NULL }, judge_video_url_x },
    { "vimeo", "Vimeo", { "vimeo.com", NULL }, judge_video_url_vimeo },
    { "linkedin", "LinkedIn", { "linkedin.com", "lnkd.in", NULL },
      judge_video_url_linkedin },
    { "twitch", "Twitch", { "twitch.tv", NULL }, judge_video_url_twitch },
    { "dailymotion", "Dailymotion", { "dailymotion.com", "dai.ly", NULL },
      judge_video_url_dailymotion },
    { "reddit", "Reddit", { "reddit.com", "redd.it", NULL },
      judge_video_url_reddit },
    { NULL, NULL, { NULL }, NULL }
};


const judge_video_url_row_t *
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
