/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Videos on social media: each address becomes a content and an evaluation
 * for an external worker.  The service itself fetches nothing. */


#include "extensions/media/video_url.h"
#include "store/store_job.h"
#include "work/service/usage.h"
#include "extensions/media/extension_media.h"


#define JUDGE_SOCIAL_URLS     100
#define JUDGE_SOCIAL_ID_IN_NAME  200   /* bytes of a video_id in a name */


/* An address and the index of its video; several addresses may share it. */
typedef struct {
    judge_video_url_t  video;
    size_t             index;
} judge_social_item_t;

typedef struct {
    judge_str_t           judge_id;
    judge_list_t          urls;
    judge_choice_t        priority;
    judge_json_t         *metadata;
    judge_social_item_t  *items;
    judge_id_t            id;
    judge_id_t           *ids;         /* of contents and evaluations */
    judge_judge_find_t    judge;
    judge_job_create_t    create;
} judge_social_t;


static const judge_field_t  judge_social_fields[] = {
    judge_field(judge_social_t, judge_id, STRING, JUDGE_REQUIRED, 1, 200),
    judge_field_strings(judge_social_t, urls, JUDGE_REQUIRED, 1,
                        JUDGE_SOCIAL_URLS, JUDGE_VIDEO_URL_MAX),
    judge_field_one_of(judge_social_t, priority, CHOICE, 0, judge_priorities),
    judge_field(judge_social_t, metadata, ANY_OBJECT, 0, 0, 65536),
    { .name = NULL }
};


/* Parses all addresses and finds those of the same video; false: one is not
 * the address of a video, and the request has been answered. */

static bool
judge_social_urls(judge_req_t *r)
{
    size_t                i, k;
    judge_rc_e            rc;
    judge_str_t           why;
    judge_social_t       *c = r->ctx;
    judge_social_item_t  *items;
    const judge_str_t    *url = c->urls.items;

    items = judge_array_alloc(r->arena, c->urls.count,
                              sizeof(judge_social_item_t));
    if (items == NULL) {
        return judge_fail_rc(r, JUDGE_NOMEM);
    }

    c->items = items;

    for (i = 0; i < c->urls.count; i++) {
        rc = judge_video_url_parse(r->arena, url[i], &items[i].video, &why);

        if (rc == JUDGE_INVALID) {
            return judge_fail(r, 400, "urls[%zu]: %.*s", i,
                              judge_str_args(why));
        }

        if (!judge_check(r, rc, NULL)) {
            return false;
        }

        for (k = 0; !judge_str_eq(items[k].video.canonical,
                                  items[i].video.canonical); k++)
        {
            /* void */
        }

        items[i].index = k < i ? items[k].index : c->create.count++;
    }

    return true;
}


/* Merges the client's metadata with the video's, whose members come first and
 * win. */

static judge_rc_e
judge_social_metadata(judge_req_t *r, const judge_video_url_t *video,
    judge_str_t url, judge_str_t *json)
{
    judge_buf_t           buf;
    judge_json_writer_t   w;
    judge_social_t       *c = r->ctx;

    static const char *const  of_video[] = { "platform", "video_id", "url",
                                             NULL };

    judge_json_begin_object(&w, &buf, r->arena);
    judge_json_put_c(&w, "platform", video->platform);
    judge_json_put_str(&w, "video_id", video->video_id);
    judge_json_put_str(&w, "url", url);

    judge_json_members(&w, c->metadata, of_video);
    *json = judge_json_text(&w);

    return json->data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Sets the rows of a video; i is the first item that names it. */

static judge_rc_e
judge_social_video(judge_req_t *r, size_t i, judge_ms_t now)
{
    int                         id_len;
    size_t                      n;
    judge_ms_t                  deadline;
    judge_rc_e                  rc;
    judge_str_t                 url;
    judge_social_t             *c = r->ctx;
    judge_content_row_t        *content;
    const judge_video_url_t    *video = &c->items[i].video;

    n = c->items[i].index;
    url = ((judge_str_t *) c->urls.items)[i];
    content = &c->create.contents[n];
    deadline = now + r->service->settings.callback_deadline;

    rc = judge_id_make(&c->ids[n], "cnt", now);
    rc = rc ? rc : judge_id_make(&c->ids[c->create.count + n], "evl", now);
    rc = rc ? rc : judge_social_metadata(r, video, url, &content->metadata);
    if (rc != JUDGE_OK) {
        return rc;
    }

    id_len = video->video_id.len < JUDGE_SOCIAL_ID_IN_NAME
            ? (int) video->video_id.len : JUDGE_SOCIAL_ID_IN_NAME;
    content->id = judge_id_str(&c->ids[n]);
    content->file_type = JUDGE_STR("video");
    content->status = JUDGE_STR("ready");
    content->created_at = now;
    content->file_url = video->canonical;
    content->name = judge_str_printf(r->arena, "%s %.*s", video->platform,
                                     id_len, video->video_id.data);

    c->create.evaluations[n] = (judge_evaluation_row_t) {
        .id = judge_id_str(&c->ids[c->create.count + n]),
        .priority = c->priority.set ? c->priority.value
                                    : JUDGE_PRIORITY_NORMAL,
        .content_id = content->id,
        .judge_id = c->judge_id,
        .judge_version = c->judge.row.version,
        .created_at = now,
        .deadline = deadline,
        .trace = r->headers[JUDGE_HEADER_TRACEPARENT]
    };

    return content->name.data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_social_rows(judge_req_t *r)
{
    size_t               i;
    judge_ms_t           now;
    judge_rc_e           rc;
    judge_social_t      *c = r->ctx;
    judge_job_create_t  *create = &c->create;

    now = judge_now(r->service);
    c->ids = judge_array_alloc(r->arena, 2 * create->count,
                               sizeof(judge_id_t));
    create->contents = judge_array_alloc(r->arena, create->count,
                                         sizeof(judge_content_row_t));
    create->evaluations = judge_array_alloc(r->arena, create->count,
                                            sizeof(judge_evaluation_row_t));
    if (!c->ids || !create->contents || !create->evaluations) {
        return JUDGE_NOMEM;
    }

    rc = judge_id_make(&c->id, "job", now);
    create->id = judge_id_str(&c->id);
    create->kind = JUDGE_STR("social_media");

    for (i = 0; rc == JUDGE_OK && i < c->urls.count; i++) {
        if (create->contents[c->items[i].index].id.data == NULL) {
            rc = judge_social_video(r, i, now);
        }
    }

    return rc;
}


static void
judge_social_judge(judge_req_t *r)
{
    judge_str_t      type;
    judge_social_t  *c = r->ctx;

    type = c->judge.row.content_type;
    if (!judge_str_eq_c(type, "video")) {
        judge_fail(r, 400, "judge_id: expected a judge of content type video;"
                           " this one is of %.*s", judge_str_args(type));
        return;
    }

    if (judge_check(r, judge_social_rows(r), NULL)) {
        judge_resource_run(r);
    }
}


static void
judge_social(judge_req_t *r)
{
    judge_social_t  *c = r->ctx;

    if (!judge_social_urls(r)) {
        return;
    }

    c->judge.op.kind = JUDGE_OP_JUDGE_FIND;
    c->judge.id = c->judge_id;
    judge_await_found(r, &c->judge.op, "judge_id: there is no such judge",
                      judge_social_judge);
}


static void
judge_social_write(judge_req_t *r, judge_json_writer_t *w)
{
    size_t                    i, n;
    judge_social_t           *c = r->ctx;
    const judge_str_t        *url = c->urls.items;
    const judge_video_url_t  *video;

    judge_json_put_id(w, "job_id", c->create.id);
    judge_json_put_c(w, "status", "processing");
    judge_json_key_array(w, "items");

    for (i = 0; i < c->urls.count; i++) {
        n = c->items[i].index;
        video = &c->items[i].video;

        judge_json_object(w);
        judge_json_put_str(w, "url", url[i]);
        judge_json_put_c(w, "platform", video->platform);
        judge_json_put_str(w, "video_id", video->video_id);
        judge_json_put_str(w, "content_id", c->create.contents[n].id);
        judge_json_put_str(w, "evaluation_id", c->create.evaluations[n].id);
        judge_json_put_c(w, "status", "processing");
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_social_committed(judge_req_t *r, judge_op_t *op)
{
    judge_job_create_t  *create = (judge_job_create_t *) op;

    judge_usage_add(r->service->usage, r->org, r->key_id, 0,
                    (int64_t) create->count, create->created_at);
}


const judge_route_t  judge_social_routes[] = {
    { judge_route(POST, "/evaluations/social-media",
                  JUDGE_MAY_WRITE_EVALUATIONS, JUDGE_ROUTE_CREATES,
                  judge_social_t),
      .body = judge_social_fields, .handler = judge_social,
      .op = { judge_route_run(JUDGE_OP_JOB_CREATE, judge_social_t, create.),
              .now = offsetof(judge_social_t, create.created_at),
              .write = judge_social_write, .status = 202,
              .missing = "judge_id: the judge has just been deleted",
              .committed = judge_social_committed },
      .location = "/evaluations/results/{id}" },
    { .pattern = NULL }
};
