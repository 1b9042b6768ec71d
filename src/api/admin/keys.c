/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* API keys: listed, created, updated, deleted. */


#include "work/service/usage.h"
#include "api/http/request.h"


#define JUDGE_KEYS_LAST                                                       \
    "this is the last active key with the permission *; make another one"     \
    " first"

typedef struct {
    judge_str_t         name;
    judge_list_t        permissions;
    judge_instant_t     expires_at;
    judge_id_t          id;
    uint8_t             hash[JUDGE_SHA256_LEN];
    judge_str_t         key;
    judge_key_create_t  create;
} judge_keys_create_t;

typedef struct {
    judge_str_t         name;
    judge_choice_t      status;
    judge_list_t        permissions;
    judge_instant_t     expires_at;
    judge_key_get_t     get;
    judge_key_update_t  update;
} judge_keys_update_t;

typedef struct {
    judge_list_query_t  query;
    judge_key_list_t    list;
} judge_keys_list_t;


static void judge_keys_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row);
static void judge_keys_create(judge_req_t *r);
static judge_rc_e judge_keys_create_row(judge_req_t *r,
    uint64_t permissions);
static void judge_keys_created(judge_req_t *r);
static void judge_keys_update(judge_req_t *r);
static void judge_keys_update_found(judge_req_t *r);
static bool judge_keys_grants(const judge_keys_update_t *c);
static void judge_keys_updated(judge_req_t *r);
static bool judge_keys_delete(judge_req_t *r);
static void judge_keys_failed(judge_req_t *r, judge_rc_e rc);
static bool judge_keys_permissions(judge_req_t *r, const judge_list_t *names,
    uint64_t *permissions);
static bool judge_keys_may_grant(judge_req_t *r, uint64_t permissions);
static bool judge_keys_expiry_ok(judge_req_t *r, judge_instant_t expires_at);
static void judge_keys_record(judge_json_writer_t *w,
    const judge_key_row_t *row,
    judge_ms_t now);
static const char *judge_keys_status(const judge_key_row_t *row,
    judge_ms_t now);


/* NULL for expires_at is "never". */

#define judge_keys_fields(of, is_required)                                    \
    { .name = "name", .type = JUDGE_FIELD_STRING, .flags = is_required,       \
      .offset = offsetof(of, name), .min = 1, .max = 200 },                   \
    { .name = "permissions", .type = JUDGE_FIELD_STRINGS,                     \
      .flags = is_required, .offset = offsetof(of, permissions), .min = 1,    \
      .max = 64, .item_max = 64 },                                            \
    { .name = "expires_at", .type = JUDGE_FIELD_TIME,                         \
      .flags = JUDGE_NULLABLE, .offset = offsetof(of, expires_at) }

static const judge_field_t  judge_keys_create_fields[] = {
    judge_keys_fields(judge_keys_create_t, JUDGE_REQUIRED),
    { .name = NULL }
};

static const judge_field_t  judge_keys_update_fields[] = {
    judge_keys_fields(judge_keys_update_t, 0),
    judge_field_one_of(judge_keys_update_t, status, CHOICE, 0,
                       judge_key_settings),
    { .name = NULL }
};

static const judge_field_t  judge_keys_list_query[] = {
    judge_list_query_fields(judge_keys_list_t, query),
    judge_field_one_of_as("status", judge_keys_list_t, list.status, WORD, 0,
                          judge_key_statuses),
    { .name = NULL }
};

static const judge_resource_t  judge_keys_resource = {
    "key", "API key", "api_keys"
};


const judge_route_t  judge_key_routes[] = {
    { .method = JUDGE_GET, .pattern = "/api-keys",
      .permission = JUDGE_MAY_READ_KEYS,
      .ctx_size = sizeof(judge_keys_list_t),
      .query = judge_keys_list_query, .resource = &judge_keys_resource,
      .list = { judge_route_list(JUDGE_OP_KEY_LIST, judge_keys_list_t,
                                 judge_key_row_t),
                .now = offsetof(judge_keys_list_t, list.now),
                .write = judge_keys_write_row } },
    { .method = JUDGE_POST, .pattern = "/api-keys",
      .permission = JUDGE_MAY_WRITE_KEYS, .flags = JUDGE_ROUTE_CREATES,
      .ctx_size = sizeof(judge_keys_create_t),
      .body = judge_keys_create_fields, .handler = judge_keys_create },
    { .method = JUDGE_PATCH, .pattern = "/api-keys/{api_key_id}",
      .permission = JUDGE_MAY_WRITE_KEYS,
      .ctx_size = sizeof(judge_keys_update_t),
      .body = judge_keys_update_fields, .resource = &judge_keys_resource,
      .handler = judge_keys_update },
    { .method = JUDGE_DELETE, .pattern = "/api-keys/{api_key_id}",
      .permission = JUDGE_MAY_WRITE_KEYS,
      .ctx_size = sizeof(judge_key_delete_t),
      .resource = &judge_keys_resource,
      .op = { judge_route_op(JUDGE_OP_KEY_DELETE, judge_key_delete_t, ),
              .now = offsetof(judge_key_delete_t, now),
              .prepare = judge_keys_delete,
              .conflict = JUDGE_KEYS_LAST } },
    { .pattern = NULL }
};


static void
judge_keys_write_row(judge_req_t *r, judge_json_writer_t *w, const void *row)
{
    judge_keys_list_t  *c = r->ctx;

    judge_json_object(w);
    judge_keys_record(w, row, c->list.now);
    judge_json_object_end(w);
}


/*
 * The answer that is stored for an Idempotency-Key is without the key itself:
 * no key can be read from the store.
 */

static void
judge_keys_create(judge_req_t *r)
{
    uint64_t              permissions;
    judge_rc_e            rc;
    judge_json_writer_t  *w;
    judge_keys_create_t  *c = r->ctx;

    if (!judge_keys_permissions(r, &c->permissions, &permissions)
        || !judge_keys_expiry_ok(r, c->expires_at)
        || !judge_keys_may_grant(r, permissions))
    {
        return;
    }

    rc = judge_keys_create_row(r, permissions);
    if (rc != JUDGE_OK) {
        judge_fail_rc(r, rc);
        return;
    }

    w = judge_reply_begin(r, 201);
    judge_keys_record(w, &c->create.row, c->create.row.created_at);
    if (!judge_reply_ready(r)) {
        return;
    }

    c->create.op.kind = JUDGE_OP_KEY_CREATE;
    judge_await_create(r, &c->create.op, NULL, judge_keys_created);
}


static judge_rc_e
judge_keys_create_row(judge_req_t *r, uint64_t permissions)
{
    judge_ms_t            now;
    judge_rc_e            rc;
    judge_keys_create_t  *c = r->ctx;

    now = judge_now(r->service);

    c->key = judge_api_key_make(r->arena);
    if (c->key.data == NULL) {
        return JUDGE_ERROR;
    }

    rc = judge_sha256(c->key, c->hash);
    if (rc == JUDGE_OK) {
        rc = judge_id_make(&c->id, "key", now);
    }

    c->create.row = (judge_key_row_t) {
        .id = judge_id_str(&c->id),
        .hash = { JUDGE_SHA256_LEN, (const char *) c->hash },
        .name = c->name,
        .status = JUDGE_STR("active"),
        .permissions = permissions,
        .created_at = now,
        .expires_at = c->expires_at.value
    };

    return rc;
}


static void
judge_keys_created(judge_req_t *r)
{
    judge_json_writer_t  *w;
    judge_keys_create_t  *c = r->ctx;

    if (c->create.op.rc != JUDGE_OK) {
        judge_fail_rc(r, c->create.op.rc);
        return;
    }

    w = judge_reply_begin(r, 201);
    judge_keys_record(w, &c->create.row, c->create.row.created_at);
    judge_json_put_str(w, "api_key", c->key);
    judge_reply_end(r);
}


static void
judge_keys_update(judge_req_t *r)
{
    judge_keys_update_t  *c = r->ctx;

    if (!judge_keys_permissions(r, &c->permissions,
                                &c->update.row.permissions)
        || !judge_keys_expiry_ok(r, c->expires_at))
    {
        return;
    }

    c->get.op.kind = JUDGE_OP_KEY_GET;
    c->get.id = r->params[0];
    judge_await(r, &c->get.op, judge_keys_update_found);
}


static void
judge_keys_update_found(judge_req_t *r)
{
    uint64_t              permissions;
    judge_keys_update_t  *c = r->ctx;

    if (c->get.op.rc != JUDGE_OK) {
        judge_keys_failed(r, c->get.op.rc);
        return;
    }

    permissions = c->update.row.permissions;
    permissions = permissions ? permissions : c->get.row.permissions;
    c->update.keep_expiry = !c->expires_at.set
                            && judge_json_get(r->body, "expires_at") == NULL;

    if (judge_keys_grants(c) && !judge_keys_may_grant(r, permissions)) {
        return;
    }

    c->update.op.kind = JUDGE_OP_KEY_UPDATE;
    c->update.row.id = c->get.id;
    c->update.row.name = c->name;
    c->update.row.status = judge_enum_name(judge_key_settings, c->status);
    c->update.row.expires_at = c->expires_at.value;
    c->update.all = JUDGE_MAY_ALL;
    c->update.now = judge_now(r->service);
    r->committed = judge_auth_changed;
    judge_await(r, &c->update.op, judge_keys_updated);
}


/* Activating a key or extending its life grants its permissions again. */

static bool
judge_keys_grants(const judge_keys_update_t *c)
{
    return c->permissions.set || !c->update.keep_expiry
           || judge_str_eq_c(judge_enum_name(judge_key_settings, c->status),
                             "active");
}


static void
judge_keys_updated(judge_req_t *r)
{
    judge_json_writer_t  *w;
    judge_keys_update_t  *c = r->ctx;

    if (c->update.op.rc != JUDGE_OK) {
        judge_keys_failed(r, c->update.op.rc);
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_keys_record(w, &c->update.row, c->update.now);
    judge_reply_end(r);
}


static bool
judge_keys_delete(judge_req_t *r)
{
    judge_key_delete_t  *c = r->ctx;

    c->all = JUDGE_MAY_ALL;
    r->committed = judge_auth_changed;

    return true;
}


static void
judge_keys_failed(judge_req_t *r, judge_rc_e rc)
{
    if (rc == JUDGE_CONFLICT) {
        judge_fail(r, 409, "%s", JUDGE_KEYS_LAST);
        return;
    }

    judge_resource_missing(r);
}


/* The bits of all names; false: one is unknown, and it has answered. */

static bool
judge_keys_permissions(judge_req_t *r, const judge_list_t *names,
    uint64_t *permissions)
{
    size_t              i;
    uint64_t            bit;
    const judge_str_t  *name;

    name = names->items;
    *permissions = 0;

    for (i = 0; i < names->count; i++) {
        bit = judge_permission(name[i]);
        if (bit == 0) {
            judge_fail(r, 400, "permissions[%zu]: expected the name of a"
                               " permission, such as judges:read or *", i);
            return false;
        }
        *permissions |= bit;
    }

    return true;
}


static bool
judge_keys_may_grant(judge_req_t *r, uint64_t permissions)
{
    uint64_t  missing;

    missing = r->permissions & JUDGE_MAY_ALL ? 0
              : permissions & ~r->permissions;
    if (missing == 0) {
        return true;
    }

    judge_fail(r, 403, "the API key lacks the permission %s and can't grant"
                       " it", judge_permission_name(missing));

    return false;
}


static bool
judge_keys_expiry_ok(judge_req_t *r, judge_instant_t expires_at)
{
    if (!expires_at.set || expires_at.value > judge_now(r->service)) {
        return true;
    }

    judge_fail(r, 400, "expires_at: expected a time in the future");

    return false;
}


static void
judge_keys_record(judge_json_writer_t *w, const judge_key_row_t *row,
    judge_ms_t now)
{
    bool  current;

    current = row->usage_month == judge_usage_month(now);

    judge_json_put_str(w, "api_key_id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_c(w, "status", judge_keys_status(row, now));
    judge_json_key(w, "permissions");
    judge_permissions_write(w, row->permissions);

    judge_json_key(w, "usage_stats");
    judge_json_object(w);
    judge_json_put_int(w, "requests_this_month", current ? row->requests : 0);
    judge_json_put_int(w, "evaluations_this_month",
                       current ? row->evaluations : 0);
    if (row->last_used) {
        judge_json_put_time(w, "last_used", row->last_used);
    }
    judge_json_object_end(w);

    judge_json_put_time(w, "created_at", row->created_at);
    if (row->expires_at) {
        judge_json_put_time(w, "expires_at", row->expires_at);
    }
}


static const char *
judge_keys_status(const judge_key_row_t *row, judge_ms_t now)
{
    if (judge_str_eq_c(row->status, "suspended")) {
        return "suspended";
    }

    return row->expires_at && row->expires_at <= now ? "expired" : "active";
}
