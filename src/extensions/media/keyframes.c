/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Key frames: small pictures that a worker stores with the evaluation it works
 * on, so that people can see what was judged. */


#include <string.h>

#include "store/store_external.h"
#include "extensions/media/extension_media.h"


#define JUDGE_KEYFRAME_BYTES  (256 * 1024)
#define JUDGE_KEYFRAME_TIME  1e6       /* s, at most */


typedef struct {
    judge_number_t        at;
    judge_buf_t           jpeg;
    judge_keyframe_put_t  put;
} judge_keyframes_put_t;


static void judge_keyframes_piece(judge_req_t *r, const char *data,
    size_t len);
static bool judge_keyframes_put(judge_req_t *r);
static void judge_keyframes_list(judge_req_t *r, judge_json_writer_t *w);
static bool judge_keyframes_get(judge_req_t *r);
static void judge_keyframes_got(judge_req_t *r);
static bool judge_keyframes_position(judge_str_t s, int64_t *position);


static const char *const  judge_keyframes_types[] = { "image/jpeg", NULL };

static const judge_field_t  judge_keyframes_put_query[] = {
    judge_field_as("lease_id", judge_keyframes_put_t, put.owner, STRING, 0, 1,
                   200),
    judge_field(judge_keyframes_put_t, at, NUMBER, 0, 0, JUDGE_KEYFRAME_TIME),
    { .name = NULL }
};

/* The path of both resources has the identifier of the evaluation; they differ
 * in what a 404 says is missing. */
static const judge_resource_t  judge_keyframes_evaluation = {
    .prefix = "evl", .name = "evaluation"
};

static const judge_resource_t  judge_keyframes_frame = {
    .prefix = "evl", .name = "frame"
};


const judge_route_t  judge_keyframe_routes[] = {
    { judge_route(PUT, "/work/{evaluation_id}/frames/{position}",
                  JUDGE_MAY_CLAIM_WORK, 0, judge_keyframes_put_t),
      .query = judge_keyframes_put_query,
      .op = { judge_route_run(JUDGE_OP_FRAME_PUT, judge_keyframes_put_t, put.),
              .prepare = judge_keyframes_put,
              .missing = "there is no such evaluation",
              .conflict = "lease_id: the evaluation has ended, or it is in the"
                          " hands of another worker" },
      .consume = judge_keyframes_piece, .accepts = judge_keyframes_types },
    { judge_route(GET, "/evaluations/{evaluation_id}/frames",
                  JUDGE_MAY_READ_EVALUATIONS, 0, judge_keyframe_list_t),
      .resource = &judge_keyframes_evaluation,
      .op = { judge_route_op(JUDGE_OP_FRAME_LIST, judge_keyframe_list_t, ),
              .write = judge_keyframes_list } },
    { judge_route(GET, "/evaluations/{evaluation_id}/frames/{position}",
                  JUDGE_MAY_READ_EVALUATIONS, 0, judge_keyframe_find_t),
      .resource = &judge_keyframes_frame,
      .op = { judge_route_op(JUDGE_OP_FRAME_FIND, judge_keyframe_find_t, ),
              .prepare = judge_keyframes_get, .next = judge_keyframes_got } },
    { .pattern = NULL }
};


/* --- PUT /work/{evaluation_id}/frames/{position} ------------------------- */

static void
judge_keyframes_piece(judge_req_t *r, const char *data, size_t len)
{
    judge_keyframes_put_t  *c = r->ctx;

    if (c->jpeg.arena == NULL) {
        judge_buf_init(&c->jpeg, r->arena);
    }

    if (len > JUDGE_KEYFRAME_BYTES - c->jpeg.len) {
        judge_req_refuse(r, 413, judge_str_printf(r->arena, "the frame is"
                                                  " larger than %d bytes",
                                                  JUDGE_KEYFRAME_BYTES));
        return;
    }

    judge_buf_append(&c->jpeg, data, len);
}


static bool
judge_keyframes_put(judge_req_t *r)
{
    judge_keyframes_put_t  *c = r->ctx;
    judge_keyframe_put_t   *put = &c->put;

    if (c->jpeg.failed) {
        return judge_fail_rc(r, JUDGE_NOMEM);
    }

    if (put->owner.data == NULL) {
        return judge_fail(r, 400, "lease_id: required, expected a string");
    }

    if (!judge_id_wellformed(r->params[0], "evl")) {
        return judge_fail(r, 404, "there is no such evaluation");
    }

    if (!judge_keyframes_position(r->params[1], &put->position)) {
        return judge_fail(r, 404, "a frame has a position from 0 to %d",
                          JUDGE_KEYFRAMES_MAX - 1);
    }

    if (c->jpeg.len < 4 || memcmp(c->jpeg.data, "\xff\xd8\xff", 3) != 0) {
        return judge_fail(r, 400, "body: expected a JPEG");
    }

    put->id = r->params[0];
    put->media_ms = (judge_ms_t) (c->at.value * 1000 + 0.5);
    put->jpeg = judge_buf_view(&c->jpeg);

    return true;
}


/* --- GET /evaluations/{evaluation_id}/frames ----------------------------- */

static void
judge_keyframes_list(judge_req_t *r, judge_json_writer_t *w)
{
    size_t                  i;
    judge_keyframe_list_t  *c = r->ctx;

    judge_json_put_str(w, "evaluation_id", c->id);
    judge_json_key_array(w, "frames");

    for (i = 0; i < c->count; i++) {
        judge_json_object(w);
        judge_json_put_int(w, "position", c->rows[i].position);
        judge_json_put_number(w, "at", (double) c->rows[i].media_ms / 1000);
        judge_json_put_int(w, "size", c->rows[i].size);
        judge_json_put_str(w, "url",
                           judge_str_printf(r->arena,
                               "%.*s/evaluations/%.*s/frames/%d",
                               judge_str_args(r->base_url), (int) c->id.len,
                               c->id.data, (int) c->rows[i].position));
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


/* --- GET /evaluations/{evaluation_id}/frames/{position} ------------------ */

static bool
judge_keyframes_position(judge_str_t s, int64_t *position)
{
    if (s.len != 1 || s.data[0] < '0'
        || s.data[0] >= '0' + JUDGE_KEYFRAMES_MAX)
    {
        return false;
    }

    *position = s.data[0] - '0';

    return true;
}


static bool
judge_keyframes_get(judge_req_t *r)
{
    judge_keyframe_find_t  *c = r->ctx;

    if (!judge_keyframes_position(r->params[1], &c->position)) {
        judge_resource_missing(r);
        return false;
    }

    return true;
}


static void
judge_keyframes_got(judge_req_t *r)
{
    judge_keyframe_find_t  *c = r->ctx;

    /* A worker sent these bytes: a browser must take them for a picture. */
    judge_reply_header(r, "X-Content-Type-Options", JUDGE_STR("nosniff"));
    r->answer.status = 200;
    r->answer.content_type = "image/jpeg";
    r->answer.body = c->jpeg;
    judge_reply_send(r);
}
