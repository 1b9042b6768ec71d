/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Videos on social media: addresses that are refused, and the deadline of
 * those that nobody takes.  The rest is in t/social.t. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"


#define PATH  "/v1/evaluations/social-media"


static t_call_t *
submit(t_api_t *api, const char *judge, const char *urls)
{
    judge_str_t  body;

    body = judge_str_printf(api->arena, "{\"judge_id\":\"%s\",\"urls\":[%s],"
                            "\"metadata\":{\"campaign\":7,\"platform\":"
                            "\"mine\"}}", judge, urls);

    return t_send(api, "POST", PATH, body.data);
}


static void
test_refuse(t_api_t *api)
{
    size_t        i;
    t_call_t     *c;
    judge_buf_t   buf;
    const char   *judge;
    static const struct {
        const char  *urls, *detail;
    } rows[] = {
        { "", "urls: expected " },
        { "\"https://vimeo.com/76979871\",\"https://example.com/v/1\"",
          "urls[1]: expected an address on YouTube, TikTok, Instagram,"
          " Facebook, X, Vimeo, LinkedIn, Twitch, Dailymotion or Reddit;"
          " \"example.com\" is none of them" },
        { "\"https://vimeo.com/76979871\",\"ftp://vimeo.com/76979872\"",
          "urls[1]: " },
        { "\"https://vimeo.com/76979871\",\"javascript:alert(1)\"",
          "urls[1]: expected " },
        { "\"https://vimeo.com.example.com/76979871\"", "urls[0]: " },
        { "\"https://vimeo.com/76979871\",2", "urls[1]: " },
        { "\"https://www.youtube.com/\"", "urls[0]: expected the address of"
                                          " one video on YouTube" },
    };

    judge = t_judge(api, "video");

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        c = submit(api, judge, rows[i].urls);
        t_is_status(c, 400, rows[i].urls);
        t_ok(strncmp(t_text(c, "detail"), rows[i].detail,
                     strlen(rows[i].detail)) == 0, "%s", rows[i].detail);
    }

    t_is_detail(submit(api, t_judge(api, "text"),
                       "\"https://vimeo.com/76979871\""), 400,
                "judge_id: expected a judge of content type video; this one"
                " is of text", "a judge of texts is refused");
    t_is_detail(submit(api, "jdg_00000000000000000000000000",
                       "\"https://vimeo.com/76979871\""), 404,
                "judge_id: there is no such judge",
                "a judge that does not exist is refused");

    judge_buf_init(&buf, api->arena);
    for (i = 0; i < 101; i++) {
        judge_buf_printf(&buf, "%s\"https://vimeo.com/%zu\"", i ? "," : "",
                         i + 76979000);
    }
    judge_buf_append(&buf, "", 1);
    t_is_status(submit(api, judge, buf.data), 400,
                "too many addresses are refused");
    *strrchr(buf.data, ',') = '\0';
    t_is_status(submit(api, judge, buf.data), 202,
                "as many addresses as may be are taken");
}


/* Nobody brings a result: the deadline ends it. */

static void
test_deadline(t_api_t *api)
{
    t_call_t    *c;
    const char  *id, *job;

    c = submit(api, t_judge(api, "video"), "\"https://vimeo.com/76979871\"");
    id = t_text(c, "items[0].evaluation_id");
    job = t_text(c, "job_id");

    t_tick(api, api->service.settings.callback_deadline - 1);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", id);
    t_is_str(t_get(c, "status"), "processing",
             "a video is waited for until its deadline");
    t_tick(api, 1);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", id);
    t_is_str(t_get(c, "error.code"), "NO_WORKER",
             "a video that nobody has judged fails at its deadline");
    c = t_sendf(api, "GET", NULL, "/evaluations/results/%s", job);
    t_is_str(t_get(c, "status"), "failed",
             "a job whose evaluations have all failed is failed");

    c = t_sendf(api, "POST", NULL, "/evaluations/%s/retry", id);
    t_is_str(t_get(c, "status"), "processing",
             "a video that nobody has judged can be tried again");
    t_tick(api, api->service.settings.callback_deadline - 1);
    c = t_sendf(api, "GET", NULL, "/evaluations/%s", id);
    t_is_str(t_get(c, "status"), "processing",
             "a video that is tried again is waited for as long");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_refuse(api);
    test_deadline(api);

    t_api_destroy(api);

    return t_done();
}
