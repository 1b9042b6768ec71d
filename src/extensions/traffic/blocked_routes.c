/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* GET /traffic/blocked: what guards of this node blocked, masked or tagged. */


#include "api/http/request.h"
#include "extensions/traffic/blocked.h"
#include "extensions/traffic/extension_traffic.h"


typedef struct {
    judge_choice_t   action;
    judge_integer_t  limit;
} judge_blocked_query_t;


static void
judge_blocked_json(judge_json_writer_t *w, const judge_blocked_t *b)
{
    judge_json_put_id(w, "blocked_id", judge_id_str(&b->id));
    judge_json_put_time(w, "at", b->noted_at);
    judge_json_put_c(w, "of", b->asks ? "request" : "answer");
    judge_json_put_c(w, "action", judge_detect_actions[b->action]);
    judge_json_put_str(w, "rule", b->rule);
    judge_json_put_str(w, "reason", b->reason);
    judge_json_put_str(w, "location", b->location);
    judge_json_put_str(w, "method", b->method);
    judge_json_put_str(w, "path", b->path);
    judge_json_put_str(w, "request_id", b->request_id);
    judge_json_put_str(w, "content_type", b->type);
    judge_json_put_str(w, "evaluation_id", b->evaluation_id);
    if (b->scored) {
        judge_json_put_number2(w, "overall_score", b->score);
        judge_json_put_number2(w, "minimum", b->min);
    }
    judge_json_put_str(w, "text", b->text);
    if (b->cut) {
        judge_json_put_bool(w, "text_cut", true);
    }
}


static void
judge_blocked_show(judge_req_t *r)
{
    size_t                        i, n;
    judge_blocked_t              *rows;
    judge_json_writer_t          *w;
    const judge_blocked_query_t  *q = r->ctx;

    if (judge_blocked_list(judge_extensions_shared(r->service,
                                                   &judge_extension_traffic),
                           r->arena, r->org,
                           q->action.set ? q->action.value : -1,
                           q->limit.set ? (size_t) q->limit.value : 50,
                           &rows, &n)
        != JUDGE_OK)
    {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_json_key_array(w, "blocked");
    for (i = 0; i < n; i++) {
        judge_json_object(w);
        judge_blocked_json(w, &rows[i]);
        judge_json_object_end(w);
    }
    judge_json_array_end(w);
    judge_reply_end(r);
}


static const judge_field_t  judge_blocked_query[] = {
    judge_field_one_of(judge_blocked_query_t, action, CHOICE, 0,
                       judge_detect_actions),
    judge_field(judge_blocked_query_t, limit, INTEGER, 0, 1, 100),
    { .name = NULL }
};

const judge_route_t  judge_blocked_routes[] = {
    { judge_route(GET, "/traffic/blocked", JUDGE_MAY_READ_CONTENT, 0,
                  judge_blocked_query_t),
      .query = judge_blocked_query, .handler = judge_blocked_show },
    { .pattern = NULL }
};
