/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Addresses of videos on social media. */


#include <string.h>

#include "extensions/media/video_url.h"
#include "tap.h"


typedef struct {
    const char  *url;
    const char  *platform;
    const char  *id;
    const char  *canonical;
    bool         short_link;
} row_t;


#define YT  "https://www.youtube.com/watch?v=dQw4w9WgXcQ"
#define TT  "https://www.tiktok.com/@_/video/7106594312292453675"
#define IG  "https://www.instagram.com/p/CvD-9KxLm_a/"
#define FB  "https://www.facebook.com/watch/?v=10153231379946729"
#define XX  "https://x.com/i/status/1585341984679469056"
#define LI  "https://www.linkedin.com/feed/update/urn:li:activity:"           \
            "7071234567890123456/"
#define CL  "https://clips.twitch.tv/AwkwardHelplessSalamander-Ab_1"
#define DM  "https://www.dailymotion.com/video/x8m2k1q"
#define RD  "https://www.reddit.com/comments/15bfi0l/"

static const row_t  rows[] = {
    { YT, "youtube", "dQw4w9WgXcQ", YT, false },
    { "http://youtube.com/watch?v=dQw4w9WgXcQ", "youtube", "dQw4w9WgXcQ", YT,
      false },
    { "https://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ&t=43s",
      "youtube", "dQw4w9WgXcQ", YT, false },
    { "HTTPS://YOUTU.BE/dQw4w9WgXcQ?si=AbCdEf", "youtube", "dQw4w9WgXcQ", YT,
      false },
    { "https://youtube.com/shorts/dQw4w9WgXcQ?feature=share", "youtube",
      "dQw4w9WgXcQ", YT, false },
    { "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0", "youtube",
      "dQw4w9WgXcQ", YT, false },
    { "https://www.youtube.com/live/dQw4w9WgXcQ", "youtube", "dQw4w9WgXcQ",
      YT, false },
    { "https://music.youtube.com/watch?v=dQw4w9WgXcQ&list=RD", "youtube",
      "dQw4w9WgXcQ", YT, false },
    { "https://www.youtube.com/v/dQw4w9WgXcQ", "youtube", "dQw4w9WgXcQ", YT,
      false },
    { "https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D"
      "dQw4w9WgXcQ%26feature%3Dshare", "youtube", "dQw4w9WgXcQ", YT, false },
    { "  https://www.youtube.com:443/watch?v=dQw4w9WgXcQ#t=1\n", "youtube",
      "dQw4w9WgXcQ", YT, false },
    { "https://www.youtube.com//watch/?v=dQw4w9WgXcQ", "youtube",
      "dQw4w9WgXcQ", YT, false },
    { "https://youtube.com/clip/UgkxU2HSeGL_NvmDJ-nQJrlLwllwMDBdGZFs",
      "youtube", "UgkxU2HSeGL_NvmDJ-nQJrlLwllwMDBdGZFs",
      "https://www.youtube.com/clip/UgkxU2HSeGL_NvmDJ-nQJrlLwllwMDBdGZFs",
      true },

    { "https://www.tiktok.com/@scout2015/video/7106594312292453675?lang=de",
      "tiktok", "7106594312292453675", TT, false },
    { "https://m.tiktok.com/v/7106594312292453675.html", "tiktok",
      "7106594312292453675", TT, false },
    { "https://www.tiktok.com/embed/v2/7106594312292453675", "tiktok",
      "7106594312292453675", TT, false },
    { "https://www.tiktok.com/share/video/7106594312292453675", "tiktok",
      "7106594312292453675", TT, false },
    { "https://vm.tiktok.com/ZMF6rgvXY/", "tiktok", "ZMF6rgvXY",
      "https://vm.tiktok.com/ZMF6rgvXY/", true },
    { "https://www.tiktok.com/t/ZTRC5xgJp/", "tiktok", "ZTRC5xgJp",
      "https://www.tiktok.com/t/ZTRC5xgJp/", true },

    { "https://www.instagram.com/reel/CvD-9KxLm_a/?igsh=abc", "instagram",
      "CvD-9KxLm_a", IG, false },
    { "https://instagram.com/p/CvD-9KxLm_a", "instagram", "CvD-9KxLm_a", IG,
      false },
    { "https://www.instagram.com/reels/CvD-9KxLm_a/", "instagram",
      "CvD-9KxLm_a", IG, false },
    { "https://www.instagram.com/nasa/reel/CvD-9KxLm_a/", "instagram",
      "CvD-9KxLm_a", IG, false },
    { "https://instagr.am/p/CvD-9KxLm_a/embed/", "instagram", "CvD-9KxLm_a",
      IG, false },
    { "https://www.instagram.com/stories/nasa/3141592653589793238/",
      "instagram", "3141592653589793238",
      "https://www.instagram.com/stories/nasa/3141592653589793238/", false },
    { "https://www.instagram.com/share/reel/_aBcDeFgH", "instagram",
      "_aBcDeFgH",
      "https://www.instagram.com/share/reel/_aBcDeFgH", true },

    { "https://www.facebook.com/watch/?v=10153231379946729", "facebook",
      "10153231379946729", FB, false },
    { "https://m.facebook.com/watch?v=10153231379946729&ref=share",
      "facebook", "10153231379946729", FB, false },
    { "https://www.facebook.com/facebook/videos/10153231379946729/",
      "facebook", "10153231379946729", FB, false },
    { "https://de-de.facebook.com/fb/videos/vb.123/10153231379946729/",
      "facebook", "10153231379946729", FB, false },
    { "https://www.facebook.com/reel/10153231379946729", "facebook",
      "10153231379946729", FB, false },
    { "https://www.facebook.com/plugins/video.php?height=314&href=https%3A"
      "%2F%2Fwww.facebook.com%2Ffacebook%2Fvideos%2F10153231379946729%2F",
      "facebook", "10153231379946729", FB, false },
    { "https://www.facebook.com/video.php?v=10153231379946729", "facebook",
      "10153231379946729", FB, false },
    { "https://fb.watch/kP3xY9abcd/", "facebook", "kP3xY9abcd",
      "https://fb.watch/kP3xY9abcd/", true },
    { "https://www.facebook.com/share/v/1AbCdEfGhI/?mibextid=x", "facebook",
      "1AbCdEfGhI", "https://www.facebook.com/share/v/1AbCdEfGhI/", true },

    { "https://twitter.com/NASA/status/1585341984679469056?s=20", "x",
      "1585341984679469056", XX, false },
    { "https://x.com/i/status/1585341984679469056", "x",
      "1585341984679469056", XX, false },
    { "https://mobile.twitter.com/NASA/status/1585341984679469056/video/1",
      "x", "1585341984679469056", XX, false },
    { "https://x.com/i/web/status/1585341984679469056", "x",
      "1585341984679469056", XX, false },

    { "https://vimeo.com/76979871", "vimeo", "76979871",
      "https://vimeo.com/76979871", false },
    { "https://player.vimeo.com/video/76979871?badge=0", "vimeo", "76979871",
      "https://vimeo.com/76979871", false },
    { "https://vimeo.com/channels/staffpicks/76979871", "vimeo", "76979871",
      "https://vimeo.com/76979871", false },
    { "https://vimeo.com/groups/name/videos/76979871", "vimeo", "76979871",
      "https://vimeo.com/76979871", false },
    { "https://vimeo.com/76979871/8272103f6e", "vimeo", "76979871",
      "https://vimeo.com/76979871/8272103f6e", false },
    { "https://player.vimeo.com/video/76979871?h=8272103f6e", "vimeo",
      "76979871", "https://vimeo.com/76979871/8272103f6e", false },

    { "https://www.linkedin.com/feed/update/urn:li:activity:"
      "7071234567890123456", "linkedin", "7071234567890123456", LI, false },
    { "https://www.linkedin.com/feed/update/urn%3Ali%3Aactivity%3A"
      "7071234567890123456/", "linkedin", "7071234567890123456", LI, false },
    { "https://de.linkedin.com/posts/jane-doe_activity-2-tips-activity-"
      "7071234567890123456-aBcD?utm_source=share", "linkedin",
      "7071234567890123456", LI, false },
    { "https://www.linkedin.com/embed/feed/update/urn:li:ugcPost:"
      "7071234567890123456", "linkedin", "7071234567890123456",
      "https://www.linkedin.com/feed/update/urn:li:ugcPost:"
      "7071234567890123456/", false },
    { "https://lnkd.in/eX4mple9", "linkedin", "eX4mple9",
      "https://lnkd.in/eX4mple9", true },

    { "https://www.twitch.tv/videos/1234567890?t=1h", "twitch", "1234567890",
      "https://www.twitch.tv/videos/1234567890", false },
    { "https://player.twitch.tv/?video=v1234567890&parent=a", "twitch",
      "1234567890", "https://www.twitch.tv/videos/1234567890", false },
    { "https://clips.twitch.tv/AwkwardHelplessSalamander-Ab_1", "twitch",
      "AwkwardHelplessSalamander-Ab_1", CL, false },
    { "https://www.twitch.tv/monster/clip/AwkwardHelplessSalamander-Ab_1",
      "twitch", "AwkwardHelplessSalamander-Ab_1", CL, false },
    { "https://clips.twitch.tv/embed?clip=AwkwardHelplessSalamander-Ab_1",
      "twitch", "AwkwardHelplessSalamander-Ab_1", CL, false },

    { "https://www.dailymotion.com/video/x8m2k1q", "dailymotion", "x8m2k1q",
      DM, false },
    { "https://dai.ly/x8m2k1q", "dailymotion", "x8m2k1q", DM, false },
    { "https://www.dailymotion.com/video/x8m2k1q_a-title_news",
      "dailymotion", "x8m2k1q", DM, false },
    { "https://www.dailymotion.com/embed/video/x8m2k1q?autoplay=1",
      "dailymotion", "x8m2k1q", DM, false },
    { "https://geo.dailymotion.com/player/xf7zn.html?video=x8m2k1q",
      "dailymotion", "x8m2k1q", DM, false },

    { "https://www.reddit.com/r/videos/comments/15bfi0l/a_title/", "reddit",
      "15bfi0l", RD, false },
    { "https://old.reddit.com/comments/15bfi0l", "reddit", "15bfi0l", RD,
      false },
    { "https://redd.it/15bfi0l", "reddit", "15bfi0l", RD, false },
    { "https://www.reddit.com/user/jane/comments/15bfi0l/x/", "reddit",
      "15bfi0l", RD, false },
    { "https://v.redd.it/jp9ck2nqzdeb1", "reddit", "jp9ck2nqzdeb1",
      "https://v.redd.it/jp9ck2nqzdeb1", false },
    { "https://www.reddit.com/video/jp9ck2nqzdeb1", "reddit",
      "jp9ck2nqzdeb1", "https://v.redd.it/jp9ck2nqzdeb1", false },
    { "https://www.reddit.com/r/videos/s/AbCdEf1234", "reddit",
      "AbCdEf1234", "https://www.reddit.com/r/videos/s/AbCdEf1234/", true }
};


static const struct {
    const char  *url;
    const char  *why;                  /* a part of it */
} refused[] = {
    { "", "begins with http" },
    { "youtube.com/watch?v=dQw4w9WgXcQ", "begins with http" },
    { "//youtube.com/watch?v=dQw4w9WgXcQ", "begins with http" },
    { "ftp://youtube.com/watch?v=dQw4w9WgXcQ", "begins with http" },
    { "javascript:alert(1)//youtube.com/watch?v=dQw4w9WgXcQ",
      "begins with http" },
    { "https:/youtube.com/watch?v=dQw4w9WgXcQ", "begins with http" },
    { "https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ", "user name" },
    { "https://user:pw@youtube.com/watch?v=dQw4w9WgXcQ", "user name" },
    { "https://youtube.com:8443/watch?v=dQw4w9WgXcQ", "a port" },
    { "https://youtube.com:/watch?v=dQw4w9WgXcQ", "a port" },
    { "http://youtube.com:443/watch?v=dQw4w9WgXcQ", "a port" },
    { "https://youtube.com\\@evil.example/watch?v=dQw4w9WgXcQ",
      "user name" },
    { "https://youtube.com\\evil.example/watch?v=dQw4w9WgXcQ", "a host of" },
    { "https://youtube.com/watch?v=dQw4w9WgXcQ x", "spaces" },
    { "https://youtub\xc3\xa9.com/watch?v=dQw4w9WgXcQ", "a host of" },
    { "https://youtube.com./watch?v=dQw4w9WgXcQ", "a host of" },
    { "https://youtube%2ecom/watch?v=dQw4w9WgXcQ", "a host of" },
    { "https:///watch?v=dQw4w9WgXcQ", "a host of" },
    { "https://.youtube.com/watch?v=dQw4w9WgXcQ", "a host of" },
    { "https://[::1]/watch?v=dQw4w9WgXcQ", "without a port" },
    { "https://notyoutube.com/watch?v=dQw4w9WgXcQ", "none of them" },
    { "https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ",
      "none of them" },
    { "https://example.org/?u=https://youtu.be/dQw4w9WgXcQ",
      "\"example.org\" is none of them" },
    { "https://127.0.0.1/watch?v=dQw4w9WgXcQ", "none of them" },
    { "https://www.youtube.com/", "one video on YouTube" },
    { "https://www.youtube.com/watch?v=short", "one video on YouTube" },
    { "https://www.youtube.com/@channel/videos", "one video on YouTube" },
    { "https://www.youtube.com/playlist?list=PLabc", "on YouTube" },
    { "https://www.youtube.com/embed/videoseries?list=PL", "on YouTube" },
    { "https://www.youtube.com/attribution_link?u=https%3A%2F%2Fevil.example"
      "%2Fwatch%3Fv%3DdQw4w9WgXcQ", "on YouTube" },
    { "https://www.youtube.com/attribution_link?u=%2Fattribution_link%3Fu%3D"
      "%2Fwatch", "on YouTube" },
    { "https://www.tiktok.com/@scout2015", "on TikTok" },
    { "https://www.tiktok.com/@scout2015/photo/7106594312292453675",
      "on TikTok" },
    { "https://www.instagram.com/nasa/", "on Instagram" },
    { "https://www.instagram.com/reels/audio/123456/", "on Instagram" },
    { "https://www.facebook.com/nasa", "on Facebook" },
    { "https://x.com/NASA", "on X" },
    { "https://vimeo.com/staffpicks", "on Vimeo" },
    { "https://www.linkedin.com/in/jane-activity-7071234567890123456",
      "on LinkedIn" },
    { "https://www.twitch.tv/monster", "on Twitch" },
    { "https://clips.twitch.tv/create", "on Twitch" },
    { "https://player.twitch.tv/?channel=monster", "on Twitch" },
    { "https://www.dailymotion.com/us", "on Dailymotion" },
    { "https://i.redd.it/jp9ck2nqzdeb1.jpg", "on Reddit" },
    { "https://www.reddit.com/r/videos/", "on Reddit" }
};


static void
test_known(judge_arena_t *arena)
{
    size_t             i;
    judge_rc_e         rc;
    judge_video_url_t  got;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        rc = judge_video_url_parse(arena, judge_str_c(rows[i].url), &got,
                                   NULL);
        t_ok(rc == JUDGE_OK && strcmp(got.platform, rows[i].platform) == 0
             && judge_str_eq_c(got.video_id, rows[i].id)
             && got.short_link == rows[i].short_link,
             "the address names the video: %s", rows[i].url);
        t_is_str(got.canonical, rows[i].canonical,
                 "the video has one address in the end: %s", rows[i].url);

        if (rc == JUDGE_OK) {
            rc = judge_video_url_parse(arena, got.canonical, &got, NULL);
            t_ok(rc == JUDGE_OK
                 && judge_str_eq_c(got.video_id, rows[i].id),
                 "that one address names the same video: %s", rows[i].url);
        }
    }
}


static void
test_refused(judge_arena_t *arena)
{
    size_t             i;
    judge_rc_e         rc;
    judge_str_t        why;
    judge_video_url_t  got;

    for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        why = (judge_str_t) { 0, NULL };
        rc = judge_video_url_parse(arena, judge_str_c(refused[i].url), &got,
                                   &why);
        t_ok(rc == JUDGE_INVALID && why.data != NULL
             && strstr(why.data, refused[i].why) != NULL,
             "an address is refused: \"%s\": %s", refused[i].url,
             (why.data == NULL) ? "" : why.data);
    }
}


static void
test_long(judge_arena_t *arena)
{
    char               url[3000];
    judge_str_t        why;
    judge_video_url_t  got;

    memset(url, '/', sizeof(url));
    memcpy(url, "https://youtu.be/dQw4w9WgXcQ?", 29);

    t_is_int(judge_video_url_parse(arena, (judge_str_t) { 2048, url }, &got,
                                   &why), JUDGE_OK,
             "an address of 2,048 bytes is taken");
    t_is_int(judge_video_url_parse(arena, (judge_str_t) { 2049, url }, &got,
                                   &why), JUDGE_INVALID,
             "an address of 2,049 bytes is refused");
    t_is_int(judge_video_url_parse(arena, (judge_str_t) { 0, NULL }, &got,
                                   &why), JUDGE_INVALID,
             "an address that is absent is refused");
}


int
main(void)
{
    judge_arena_t  *arena;

    arena = judge_arena_create(4096);
    if (arena == NULL) {
        return 1;
    }

    test_known(arena);
    test_refused(arena);
    test_long(arena);

    judge_arena_destroy(arena);

    return t_done();
}
