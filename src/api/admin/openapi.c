/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* GET /openapi.json: the interface's description, with the base URL that the
 * request was sent to. */


#include "base/crypto/crypto.h"
#include "api/admin/openapi.h"
#include "api/http/request.h"


#define JUDGE_OPENAPI_TAG_LEN  16      /* bytes, before they become hex */


static void
judge_openapi_answer(judge_req_t *r)
{
    judge_rc_e           rc;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_buf_init(&buf, r->arena);
    judge_buf_append(&buf, judge_openapi_head, judge_openapi_head_len);

    judge_json_begin(&w, &buf);
    judge_json_array(&w);
    judge_json_object(&w);
    judge_json_put_str(&w, "url", r->base_url);
    judge_json_object_end(&w);
    judge_json_array_end(&w);
    rc = judge_json_finish(&w);

    judge_buf_append(&buf, judge_openapi_tail, judge_openapi_tail_len);

    if (rc != JUDGE_OK || buf.failed) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_reply_raw(r, 200, judge_buf_view(&buf));
}


/* The tag covers the base URL, which is part of the document. */

static void
judge_openapi(judge_req_t *r)
{
    uint8_t      hash[JUDGE_SHA256_LEN];
    judge_str_t  text, tag;

    text = judge_str_printf(r->arena, "%s %.*s", judge_openapi_hash,
                            judge_str_args(r->base_url));
    if (text.data == NULL || judge_sha256(text, hash) != JUDGE_OK) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    tag = judge_hex(r->arena, hash, JUDGE_OPENAPI_TAG_LEN);
    if (tag.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_reply_header(r, "ETag", judge_str_printf(r->arena, "\"%.*s\"",
                                                   judge_str_args(tag)));
    judge_reply_header(r, "Cache-Control", JUDGE_STR("public, max-age=300"));

    if (judge_etag_matches(r->headers[JUDGE_HEADER_IF_NONE_MATCH], tag, true))
    {
        judge_reply_empty(r, 304);
    } else {
        judge_openapi_answer(r);
    }
}


const judge_route_t  judge_openapi_routes[] = {
    { .method = JUDGE_GET, .pattern = "/openapi.json",
      .flags = JUDGE_ROUTE_PUBLIC, .handler = judge_openapi },
    { .pattern = NULL }
};
