/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Videos on social media: told apart, made evaluations, given up. */


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
test_submit(t_api_t *api)
{
    t_call_t    *c, *got;
    const char  *judge, *job, *content;

    judge = t_judge(api, "video");
    c = submit(api, judge,
               "\"https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=43s\","
               "\"https://vimeo.com/76979871\","
               "\"http://youtu.be/dQw4w9WgXcQ\"");
    t_is_status(c, 202, "three addresses are taken");
    t_is_str(t_get(c, "status"), "processing", "the job is processing");
    job = t_text(c, "job_id");
    t_ok(judge_id_wellformed(judge_str_c(job), "job"),
         "the job has an identifier");
    t_is_str(t_get(c, "items[0].url"),
             "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=43s",
             "an item has the address as it came");
    t_is_str(t_get(c, "items[0].platform"), "youtube",
             "an item has its platform");
    t_is_str(t_get(c, "items[0].video_id"), "dQw4w9WgXcQ",
             "an item has the identifier of its video");
    t_is_str(t_get(c, "items[0].status"), "processing",
             "an item is processing");
    t_is_str(t_get(c, "items[1].platform"), "vimeo",
             "the second item has its platform");
    t_ok(judge_str_eq(t_get(c, "items[0].evaluation_id"),
                      t_get(c, "items[2].evaluation_id"))
         && judge_str_eq(t_get(c, "items[0].content_id"),
                         t_get(c, "items[2].content_id")),
         "a video is judged once, however it is written");
    t_ok(!judge_str_eq(t_get(c, "items[0].evaluation_id"),
                       t_get(c, "items[1].evaluation_id")),
         "another video has an evaluation of its own");
    t_ok(t_get(c, "items[3]").data == NULL,
         "there are as many items as addresses");

    content = t_text(c, "items[0].content_id");
    got = t_sendf(api, "GET", NULL, "/content/%s", content);
    t_is_str(t_get(got, "file_type"), "video",
             "a video is a content of that type");
    t_is_str(t_get(got, "status"), "ready",
             "a content on social media is ready at once");
    t_is_str(t_get(got, "file_url"),
             "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
             "a content has the address that all forms share");
    t_is_str(t_get(got, "metadata"), "{\"platform\":\"youtube\",\"video_id\":"
             "\"dQw4w9WgXcQ\",\"url\":"
             "\"https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=43s\","
             "\"campaign\":7}", "a content has what is known of its video");

    got = t_sendf(api, "GET", NULL, "/evaluations/results/%s", job);
    t_is_status(got, 200, "the results of the job can be read");
    t_is_str(t_get(got, "job_id"), job,
             "the results have the identifier of the job");
    t_is_str(t_get(got, "status"), "processing",
             "a job whose evaluations are processed is processing");
    t_is_str(t_get(got, "total"), "2", "a job counts its evaluations");
    t_is_str(t_get(got, "completed"), "0",
             "a job counts no evaluation before it has ended");
    t_is_str(t_get(got, "results[1].evaluation_id"),
             t_text(c, "items[0].evaluation_id"),
             "the newest evaluation of a job comes first");

    got = t_sendf(api, "GET", NULL, "/evaluations/results/%s?limit=1", job);
    t_ok(t_get(got, "results[1]").data == NULL,
         "a page has as many results as its limit");
    got = t_sendf(api, "GET", NULL, "/evaluations/results/%s?limit=1"
                  "&cursor=%s", job, t_text(got, "next_cursor"));
    t_is_str(t_get(got, "results[0].evaluation_id"),
             t_text(c, "items[0].evaluation_id"),
             "the next page has the other evaluation");
    t_ok(t_get(got, "next_cursor").data == NULL,
         "the last page has no cursor");

    t_is_status(t_sendf(api, "DELETE", NULL, "/content/%s", content), 204,
                "a content of a job can be deleted");
    got = t_sendf(api, "GET", NULL, "/evaluations/results/%s", job);
    t_is_str(t_get(got, "total"), "1",
             "an evaluation whose content is deleted is not counted");

    t_api_organization(api);
    t_is_status(t_sendf(api, "GET", NULL, "/evaluations/results/%s", job),
                404, "another organization does not see the job");
    t_is_status(submit(api, judge, "\"https://vimeo.com/76979871\""), 404,
                "another organization does not have the judge");
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


static void
test_once(t_api_t *api)
{
    int          i;
    t_call_t    *c;
    judge_str_t  body;
    const char  *first;

    first = NULL;
    body = judge_str_printf(api->arena, "{\"judge_id\":\"%s\",\"urls\":"
               "[\"https://vimeo.com/76979871\"]}", t_judge(api, "video"));

    for (i = 0; i < 2; i++) {
        t_header(api, JUDGE_HEADER_IDEMPOTENCY_KEY, "k1");
        c = t_send(api, "POST", PATH, body.data);
        t_is_status(c, 202, "addresses can be sent with an Idempotency-Key");
        if (first) {
            t_is_str(t_get(c, "job_id"), first,
                     "the same Idempotency-Key gives the same job");
        }
        first = t_text(c, "job_id");
    }
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_submit(api);
    test_refuse(api);
    test_deadline(api);
    test_once(api);

    t_api_destroy(api);

    return t_done();
}
