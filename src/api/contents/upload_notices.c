/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Notices by clients that files were uploaded to an object store; and uploads
 * that they abort.  A notice only makes the service ask the store sooner, so
 * that it may come twice, too early, or be wrong. */


#include "store/store_upload.h"
#include "work/uploads/upload_reader.h"
#include "api/http/request.h"


typedef struct {
    judge_str_t             id;
    bool                    known;
    judge_upload_hasten_t   hasten;
} judge_upload_notice_t;


static const judge_resource_t  judge_upload_notice_resource = {
    "cnt", "upload", "uploads"
};


static void
judge_upload_noticed(judge_req_t *r)
{
    judge_json_writer_t        *w;
    judge_upload_notice_t  *c = r->ctx;

    if (!c->known) {
        judge_resource_missing(r);
        return;
    }

    judge_leases_wake(r->service, &judge_upload_reads);
    w = judge_reply_begin(r, 202);
    judge_json_put_id(w, "content_id", c->id);
    judge_reply_end(r);
}


static void
judge_upload_notice(judge_req_t *r)
{
    judge_upload_notice_t  *c = r->ctx;

    c->id = r->params[0];
    c->hasten = (judge_upload_hasten_t) {
        .op.kind = JUDGE_OP_UPLOAD_HASTEN, .now = judge_now(r->service),
        .orgs = &r->org, .ids = &c->id, .known = &c->known, .count = 1
    };
    judge_await(r, &c->hasten.op, judge_upload_noticed);
}


const judge_route_t  judge_upload_notice_routes[] = {
    { judge_route(POST, "/evaluations/presigned-upload/{content_id}/complete",
                  JUDGE_MAY_WRITE_CONTENT, 0, judge_upload_notice_t),
      .resource = &judge_upload_notice_resource,
      .handler = judge_upload_notice },
    { judge_route(DELETE, "/evaluations/presigned-upload/{content_id}",
                  JUDGE_MAY_WRITE_CONTENT, 0, judge_upload_abort_t),
      .resource = &judge_upload_notice_resource,
      .op = { judge_route_op_now(JUDGE_OP_UPLOAD_ABORT, judge_upload_abort_t,
                                 ) } },
    { .pattern = NULL }
};
