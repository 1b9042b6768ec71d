/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints that list, create, update and delete API keys. */


#include "store/store_org.h"
#include "work/service/usage.h"
#include "api/http/request.h"


#define JUDGE_KEYS_LAST                                                       \
    "this is the last active key with the permission *; make another one"     \
    " first"

typedef struct {
    judge_list_t        permissions;
    judge_instant_t     expires_at;
    judge_id_t          id;
    uint8_t             hash[JUDGE_SHA256_LEN];
    judge_str_t         key;
    judge_key_create_t  create;
} judge_keys_create_t;

typedef struct {
    judge_list_t        permissions;
    judge_instant_t     expires_at;
    judge_key_get_t     get;
    judge_key_update_t  update;
} judge_keys_update_t;

typedef struct {
    judge_list_query_t  query;
    judge_key_list_t    list;
} judge_keys_list_t;


static void judge_keys_record(judge_req_t *r, judge_json_writer_t *w,
    const void *row);
static bool judge_keys_create(judge_req_t *r);
static void judge_keys_created(judge_req_t *r);
static void judge_keys_update(judge_req_t *r);
static void judge_keys_update_found(judge_req_t *r);


/* A null expires_at means that the key never expires. */

#define judge_keys_fields(obj, row, need)                                     \
    judge_field_as("name", obj, row.name, STRING, need, 1, 200),              \
    judge_field_strings(obj, permissions, need, 1, 64, 64),                   \
    judge_field(obj, expires_at, TIME, 0, 0, 0)

static const judge_field_t  judge_keys_create_fields[] = {
    judge_keys_fields(judge_keys_create_t, create.row, JUDGE_REQUIRED),
    { .name = NULL }
};

static const judge_field_t  judge_keys_update_fields[] = {
    judge_keys_fields(judge_keys_update_t, update.row, 0),
    judge_field_one_of_as("status", judge_keys_update_t, update.row.status,
                          WORD, 0, judge_key_settings),
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
    { judge_route(GET, "/api-keys", JUDGE_MAY_READ_KEYS, 0, judge_keys_list_t),
      .query = judge_keys_list_query, .resource = &judge_keys_resource,
      .list = { judge_route_list(JUDGE_OP_KEY_LIST, judge_keys_list_t,
                                 judge_key_row_t),
                .now = offsetof(judge_keys_list_t, list.now),
                .record = judge_keys_record } },
    { judge_route(POST, "/api-keys", JUDGE_MAY_WRITE_KEYS, JUDGE_ROUTE_CREATES,
                  judge_keys_create_t),
      .body = judge_keys_create_fields,
      .op = { .kind = JUDGE_OP_KEY_CREATE,
              .op = offsetof(judge_keys_create_t, create.op),
              .now = offsetof(judge_keys_create_t, create.row.created_at),
              .prepare = judge_keys_create, .record = judge_keys_record,
              .row = offsetof(judge_keys_create_t, create.row),
              .status = 201, .next = judge_keys_created },
      .location = "/api-keys/{id}" },
    { judge_route(GET, "/api-keys/{api_key_id}", JUDGE_MAY_READ_KEYS, 0,
                  judge_key_get_t),
      .resource = &judge_keys_resource,
      .op = { judge_route_op(JUDGE_OP_KEY_GET, judge_key_get_t, ),
              .record = judge_keys_record,
              .row = offsetof(judge_key_get_t, row) } },
    { judge_route(PATCH, "/api-keys/{api_key_id}", JUDGE_MAY_WRITE_KEYS, 0,
                  judge_keys_update_t),
      .body = judge_keys_update_fields, .resource = &judge_keys_resource,
      .handler = judge_keys_update,
      .op = { .kind = JUDGE_OP_KEY_UPDATE,
              .op = offsetof(judge_keys_update_t, update.op),
              .id = offsetof(judge_keys_update_t, update.row.id),
              .now = offsetof(judge_keys_update_t, update.now),
              .conflict = JUDGE_KEYS_LAST, .committed = judge_auth_changed,
              .record = judge_keys_record,
              .row = offsetof(judge_keys_update_t, update.row) } },
    { judge_route(DELETE, "/api-keys/{api_key_id}", JUDGE_MAY_WRITE_KEYS, 0,
                  judge_key_delete_t),
      .resource = &judge_keys_resource,
      .op = { judge_route_op_now(JUDGE_OP_KEY_DELETE, judge_key_delete_t, ),
              .conflict = JUDGE_KEYS_LAST, .committed = judge_auth_changed } },
    { .pattern = NULL }
};


static void
judge_keys_record(judge_req_t *r, judge_json_writer_t *w, const void *record)
{
    bool                    current;
    const char             *status;
    judge_ms_t              now = judge_now(r->service);
    const judge_key_row_t  *row = record;

    current = row->usage_month == judge_usage_month(now);
    status = judge_str_eq_c(row->status, "suspended") ? "suspended"
             : row->expires_at && row->expires_at <= now ? "expired"
                                                         : "active";

    judge_json_put_id(w, "api_key_id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_c(w, "status", status);
    judge_json_key(w, "permissions");
    judge_permissions_write(w, row->permissions);

    judge_json_key_object(w, "usage_stats");
    judge_json_put_int(w, "requests_this_month", current ? row->requests : 0);
    judge_json_put_int(w, "evaluations_this_month",
                       current ? row->evaluations : 0);
    judge_json_put_time_if(w, "last_used", row->last_used);
    judge_json_object_end(w);

    judge_json_put_time(w, "created_at", row->created_at);
    judge_json_put_time_if(w, "expires_at", row->expires_at);
}


/* Sets the bits of all named permissions; false: a name is unknown or
 * expires_at has passed, and the request has been answered. */

static bool
judge_keys_check(judge_req_t *r, const judge_list_t *names,
    judge_instant_t expires_at, uint64_t *permissions)
{
    size_t              i;
    uint64_t            bit;
    const judge_str_t  *name = names->items;

    for (i = 0; i < names->count; i++) {
        bit = judge_permission(name[i]);
        if (bit == 0) {
            return judge_fail(r, 400, "permissions[%zu]: expected the name of"
                              " a permission, such as judges:read or *", i);
        }
        *permissions |= bit;
    }

    if (expires_at.set && expires_at.value <= judge_now(r->service)) {
        return judge_fail(r, 400, "expires_at: expected a time in the future");
    }

    return true;
}


/* The answer that is stored for an Idempotency-Key leaves out the API key, so
 * that no API key can be read from the store. */

static bool
judge_keys_create(judge_req_t *r)
{
    judge_rc_e            rc;
    judge_keys_create_t  *c = r->ctx;
    judge_key_row_t      *row = &c->create.row;

    if (!judge_keys_check(r, &c->permissions, c->expires_at,
                          &row->permissions)
        || !judge_auth_may_grant(r, row->permissions))
    {
        return false;
    }

    c->key = judge_api_key_make(r->arena);
    if (c->key.data == NULL) {
        return judge_fail_rc(r, JUDGE_ERROR);
    }

    rc = judge_sha256(c->key, c->hash);
    rc = rc ? rc : judge_id_make(&c->id, "key", row->created_at);

    row->id = judge_id_str(&c->id);
    row->hash = (judge_str_t) { JUDGE_SHA256_LEN, (const char *) c->hash };
    row->status = JUDGE_STR("active");
    row->expires_at = c->expires_at.value;

    return judge_check(r, rc, NULL);
}


static void
judge_keys_created(judge_req_t *r)
{
    judge_json_writer_t  *w;
    judge_keys_create_t  *c = r->ctx;

    w = judge_reply_begin(r, 201);
    judge_keys_record(r, w, &c->create.row);
    judge_json_put_str(w, "api_key", c->key);
    judge_reply_end(r);
}


static void
judge_keys_update(judge_req_t *r)
{
    judge_keys_update_t  *c = r->ctx;

    if (judge_keys_check(r, &c->permissions, c->expires_at,
                         &c->update.row.permissions))
    {
        c->get.op.kind = JUDGE_OP_KEY_GET;
        c->get.id = r->params[0];
        judge_await_found(r, &c->get.op, NULL, judge_keys_update_found);
    }
}


/* Activating a key or changing its expiry grants its permissions anew. */

static void
judge_keys_update_found(judge_req_t *r)
{
    bool                  grants;
    uint64_t              permissions;
    judge_keys_update_t  *c = r->ctx;
    judge_key_row_t      *row = &c->update.row;

    c->update.keep_expiry = !c->expires_at.set
                            && judge_json_get(r->body, "expires_at") == NULL;
    permissions = row->permissions ? row->permissions
                                   : c->get.row.permissions;
    grants = c->permissions.set || !c->update.keep_expiry
             || judge_str_eq_c(row->status, "active");

    if (!grants || judge_auth_may_grant(r, permissions)) {
        row->expires_at = c->expires_at.value;
        judge_resource_run(r);
    }
}
