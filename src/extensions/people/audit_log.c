/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints of the audit log: page by page, and all of it as lines of
 * JSON. */


#include "extensions/people/people.h"
#include "store/store_audit.h"


#define JUDGE_AUDIT_LINES    500       /* lines of a piece of the stream */
#define JUDGE_AUDIT_RESERVE  (2 * JUDGE_PAGE_BYTES)

typedef struct {
    judge_list_query_t  query;
    judge_instant_t     from, to;
    judge_audit_list_t  list;
    judge_id_t          last;          /* of the lines written so far */
    judge_str_t         text;
    bool                begun;
} judge_auditing_t;


static void judge_audit_record(judge_req_t *r, judge_json_writer_t *w,
    const void *row);
static void judge_audit_page(judge_req_t *r);
static void judge_audit_export(judge_req_t *r);


#define judge_audit_filters                                                   \
    judge_field(judge_auditing_t, from, TIME, 0, 0, 0),                       \
    judge_field(judge_auditing_t, to, TIME, 0, 0, 0),                         \
    judge_field_as("person", judge_auditing_t, list.person, STRING, 0, 1,     \
                   40),                                                       \
    judge_field_as("key", judge_auditing_t, list.key_id, STRING, 0, 1, 40),   \
    judge_field_as("object", judge_auditing_t, list.object, STRING, 0, 1, 200)

static const judge_field_t  judge_audit_query[] = {
    judge_list_query_fields(judge_auditing_t, query),
    judge_audit_filters,
    { .name = NULL }
};

static const judge_field_t  judge_audit_export_query[] = {
    judge_audit_filters,
    { .name = NULL }
};

static const judge_resource_t  judge_audit_resource = {
    "aud", "entry", "entries"
};

const judge_route_t  judge_audit_routes[] = {
    { judge_route(GET, "/audit", JUDGE_MAY_READ_AUDIT, 0, judge_auditing_t),
      .query = judge_audit_query, .resource = &judge_audit_resource,
      .list = { judge_route_list(JUDGE_OP_AUDIT_LIST, judge_auditing_t,
                                 judge_audit_t),
                .record = judge_audit_record },
      .handler = judge_audit_page },
    { judge_route(GET, "/audit/export", JUDGE_MAY_READ_AUDIT, 0,
                  judge_auditing_t),
      .query = judge_audit_export_query, .handler = judge_audit_export },
    { .pattern = NULL }
};


static void
judge_audit_record(judge_req_t *r, judge_json_writer_t *w, const void *record)
{
    const judge_audit_t  *row = record;

    judge_json_put_id(w, "entry_id", row->id);
    judge_json_put_time(w, "at", row->at);
    judge_json_put_str(w, "changed_by", row->key_id);
    judge_json_put_str(w, "changed_by_person", row->person);
    judge_json_put_str(w, "action", row->action);
    judge_json_put_str(w, "object", row->object);
    judge_json_put_raw(w, "fields", row->fields);
    judge_json_put_raw(w, "values", row->given);
}


/* Reads the filters; false: the request has been answered. */

static bool
judge_audit_filter(judge_req_t *r)
{
    judge_auditing_t  *c = r->ctx;

    if (c->from.set && c->to.set && c->from.value >= c->to.value) {
        return judge_fail(r, 400, "from: expected a time before \"to\"");
    }

    c->list.op.kind = JUDGE_OP_AUDIT_LIST;
    c->list.from = c->from.set ? c->from.value : 0;
    c->list.to = c->to.set ? c->to.value : 0;

    return true;
}


static void
judge_audit_page(judge_req_t *r)
{
    if (judge_audit_filter(r)) {
        judge_resource_list(r);
    }
}


/* --- Lines of JSON ------------------------------------------------------- */

static judge_rc_e
judge_audit_lines(judge_req_t *r, judge_buf_t *out)
{
    size_t                i;
    judge_rc_e            rc;
    judge_json_writer_t   w;
    judge_auditing_t     *c = r->ctx;

    for (i = 0; i < c->list.count; i++) {
        judge_json_begin(&w, out);
        judge_json_object(&w);
        judge_audit_record(r, &w, &c->list.rows[i]);
        judge_json_object_end(&w);

        rc = judge_json_finish(&w);
        if (rc != JUDGE_OK) {
            return rc;
        }

        judge_buf_append(out, "\n", 1);
    }

    if (c->list.count) {
        judge_id_set(&c->last, c->list.rows[c->list.count - 1].id);
    }

    return out->failed ? JUDGE_NOMEM : JUDGE_OK;
}


static void
judge_audit_send(judge_req_t *r)
{
    judge_auditing_t  *c = r->ctx;

    if (c->list.page.more) {
        judge_stream_write(r, c->text, judge_audit_export);
    } else {
        judge_stream_end(r, c->text);
    }
}


static void
judge_audit_exported(judge_req_t *r)
{
    judge_rc_e         rc;
    judge_buf_t        out;
    judge_auditing_t  *c = r->ctx;

    judge_buf_init(&out, c->list.op.arena);
    rc = judge_audit_lines(r, &out);
    if (!judge_check(r, rc, NULL)) {
        return;
    }

    c->text = out.len ? judge_req_keep(r, judge_buf_view(&out))
                      : JUDGE_STR("");

    if (c->begun) {
        judge_audit_send(r);
        return;
    }

    c->begun = true;
    r->reserve = c->list.page.more ? JUDGE_AUDIT_RESERVE : 0;
    judge_reply_header(r, "Content-Disposition",
                       JUDGE_STR("attachment; filename=\"audit.jsonl\""));
    judge_stream_begin(r, 200, "application/x-ndjson", judge_audit_send);
}


static void
judge_audit_export(judge_req_t *r)
{
    judge_auditing_t  *c = r->ctx;

    if (!judge_audit_filter(r)) {
        return;
    }

    c->list.page = (judge_page_t) { .limit = JUDGE_AUDIT_LINES };
    c->list.rows = NULL;
    c->list.count = 0;

    if (c->last.text[0]) {
        c->list.page.before = judge_id_str(&c->last);
    }

    judge_await_page(r, &c->list.op, judge_audit_exported);
}
