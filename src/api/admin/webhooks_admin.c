/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints that read, list and resend deliveries of webhooks, and send
 * a test event. */


#include "store/store_webhook.h"
#include "work/render/event_json.h"
#include "api/http/request.h"


typedef struct {
    judge_list_query_t     query;
    judge_delivery_list_t  list;
} judge_deliveries_list_t;

typedef struct {
    judge_id_t             event_id;
    judge_id_t             delivery_id;
    judge_delivery_test_t  test;
} judge_webhooks_test_t;


static void judge_deliveries_record(judge_req_t *r, judge_json_writer_t *w,
    const void *row);
static void judge_deliveries_write(judge_req_t *r, judge_json_writer_t *w);
static bool judge_webhooks_test(judge_req_t *r);
static void judge_webhooks_test_write(judge_req_t *r, judge_json_writer_t *w);


static const char *const  judge_delivery_statuses[] = {
    "pending", "delivered", "failed", NULL
};

static const judge_field_t  judge_deliveries_query[] = {
    judge_list_query_fields(judge_deliveries_list_t, query),
    judge_field_one_of_as("status", judge_deliveries_list_t, list.status,
                          WORD, 0, judge_delivery_statuses),
    judge_field_one_of_as("type", judge_deliveries_list_t, list.type, WORD, 0,
                          judge_event_names),
    judge_field_as("event_id", judge_deliveries_list_t, list.event_id, STRING,
                   0, 1, 100),
    { .name = NULL }
};

static const judge_resource_t  judge_deliveries_resource = {
    "whd", "delivery", "deliveries"
};


/* What a key needs to read a body, by the start of its event's type: as for
 * reading the resource that is in it. */
static const struct {
    const char  *type;
    uint64_t     permissions;
} judge_deliveries_need[] = {
    { "evaluation.", JUDGE_MAY_READ_EVALUATIONS },
    { "batch.", JUDGE_MAY_READ_EVALUATIONS },
    { "content.", JUDGE_MAY_READ_CONTENT },
    { "feedback.", JUDGE_MAY_READ_FEEDBACK },
    { "training.", JUDGE_MAY_READ_TRAINING },
    { "judge.", JUDGE_MAY_READ_JUDGES },
    { "webhook.", JUDGE_MAY_READ_CONFIG },
    { NULL, JUDGE_MAY_ALL }
};


const judge_route_t  judge_webhook_routes[] = {
    { judge_route(GET, "/webhooks/deliveries", JUDGE_MAY_READ_CONFIG, 0,
                  judge_deliveries_list_t),
      .query = judge_deliveries_query, .resource = &judge_deliveries_resource,
      .list = { judge_route_list(JUDGE_OP_DELIVERY_LIST,
                                 judge_deliveries_list_t,
                                 judge_delivery_row_t),
                .record = judge_deliveries_record } },
    { judge_route(GET, "/webhooks/deliveries/{delivery_id}",
                  JUDGE_MAY_READ_CONFIG, 0, judge_delivery_find_t),
      .resource = &judge_deliveries_resource,
      .op = { judge_route_op(JUDGE_OP_DELIVERY_FIND, judge_delivery_find_t, ),
              .write = judge_deliveries_write } },
    { judge_route(POST, "/webhooks/deliveries/{delivery_id}/redeliver",
                  JUDGE_MAY_WRITE_CONFIG, JUDGE_ROUTE_OPTIONAL_BODY,
                  judge_delivery_again_t),
      .resource = &judge_deliveries_resource,
      .op = { judge_route_op_now(JUDGE_OP_DELIVERY_AGAIN,
                                 judge_delivery_again_t, ),
              .conflict = "the delivery is under way at this moment",
              .record = judge_deliveries_record, .status = 202,
              .row = offsetof(judge_delivery_again_t, row) } },
    { judge_route(POST, "/config/webhooks/test", JUDGE_MAY_WRITE_CONFIG,
                  JUDGE_ROUTE_CREATES | JUDGE_ROUTE_OPTIONAL_BODY,
                  judge_webhooks_test_t),
      .op = { .kind = JUDGE_OP_DELIVERY_TEST,
              .op = offsetof(judge_webhooks_test_t, test.op),
              .prepare = judge_webhooks_test,
              .conflict = "webhooks have no url, or are not enabled: set them"
                          " at /config/webhooks",
              .write = judge_webhooks_test_write, .status = 202 } },
    { .pattern = NULL }
};


static void
judge_deliveries_record(judge_req_t *r, judge_json_writer_t *w,
    const void *record)
{
    const judge_delivery_row_t  *row = record;

    judge_json_put_id(w, "delivery_id", row->id);
    judge_json_put_str(w, "event_id", row->event_id);
    judge_json_put_str(w, "type", row->type);
    judge_json_put_str(w, "status", row->status);
    if (row->url.len) {
        judge_json_put_str(w, "url", row->url);
    }
    judge_json_put_int(w, "attempts", row->attempts);
    judge_json_put_time(w, "created_at", row->created_at);

    judge_json_put_time_if(w, "next_attempt_at",
                           row->under_way ? 0 : row->queue_at);
    judge_json_put_time_if(w, "last_attempt_at", row->attempted_at);
    judge_json_put_time_if(w, "delivered_at", row->delivered_at);

    if (row->last_status) {
        judge_json_put_int(w, "response_status", row->last_status);
    }

    judge_json_put_str(w, "last_error", row->last_error);
    judge_json_put_str(w, "response", row->answer);
}


static bool
judge_deliveries_readable(const judge_req_t *r, judge_str_t type)
{
    size_t       i;
    const char  *start;

    for (i = 0; (start = judge_deliveries_need[i].type) != NULL; i++) {
        if (judge_str_starts(type, judge_str_c(start))) {
            break;
        }
    }

    return judge_auth_may(r, judge_deliveries_need[i].permissions);
}


/* The record holds the body byte for byte as it is sent. */

static void
judge_deliveries_write(judge_req_t *r, judge_json_writer_t *w)
{
    judge_str_t             body;
    judge_delivery_find_t  *c = r->ctx;

    judge_deliveries_record(r, w, &c->row);
    if (!judge_deliveries_readable(r, c->row.type)) {
        return;
    }

    body = judge_event_body(r->arena, &c->row);
    judge_json_put_raw(w, "body", body);
    w->failed |= body.data == NULL;
}


static bool
judge_webhooks_test(judge_req_t *r)
{
    judge_ms_t              now;
    judge_event_t          *event;
    judge_webhooks_test_t  *c = r->ctx;

    if (r->service->settings.webhook_calls == 0) {
        return judge_fail(r, 409, "webhooks can't be sent: nginx.conf has no"
                          " location with judge_outbound");
    }

    now = judge_now(r->service);
    c->test.op.arena = r->arena;

    event = judge_event_add(&c->test.op, JUDGE_EVENT_WEBHOOK_TEST, r->org,
                            r->org);
    if (event == NULL || judge_id_make(&c->event_id, "evt", now) != JUDGE_OK
        || judge_id_make(&c->delivery_id, "whd", now) != JUDGE_OK)
    {
        return judge_fail_rc(r, JUDGE_ERROR);
    }

    event->id = c->event_id;
    event->delivery = c->delivery_id;
    event->always = true;

    return true;
}


static void
judge_webhooks_test_write(judge_req_t *r, judge_json_writer_t *w)
{
    judge_webhooks_test_t  *c = r->ctx;

    judge_json_put_id(w, "delivery_id", judge_id_str(&c->delivery_id));
    judge_json_put_str(w, "event_id", judge_id_str(&c->event_id));
    judge_json_put_c(w, "status", "pending");
}
