/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Commands on API keys. */


#include <inttypes.h>
#include <string.h>

#include "base/crypto/crypto.h"
#include "base/json/json.h"
#include "api/http/request.h"
#include "tool.h"
#include "work/service/usage.h"


#define JUDGE_TOOL_PAGE  200           /* keys that are read at once */


static int
judge_tool_permissions(judge_tool_t *t, uint64_t *permissions)
{
    uint64_t      bit;
    const char   *p, *comma;
    judge_str_t   name;

    *permissions = JUDGE_MAY_ALL;

    if (t->permissions == NULL) {
        return JUDGE_TOOL_OK;
    }

    *permissions = 0;

    for (p = t->permissions; p; p = comma ? comma + 1 : NULL) {
        comma = strchr(p, ',');
        name.data = p;
        name.len = comma ? (size_t) (comma - p) : strlen(p);

        bit = judge_permission(name);
        if (bit == 0) {
            return judge_tool_fail(JUDGE_TOOL_FAILED, "there is no permission"
                                   " \"%.*s\"", (int) name.len, name.data);
        }
        *permissions |= bit;
    }

    return JUDGE_TOOL_OK;
}


static int
judge_tool_expires(judge_tool_t *t, judge_ms_t *expires)
{
    judge_str_t  time;

    *expires = 0;

    if (t->expires == NULL) {
        return JUDGE_TOOL_OK;
    }

    time = judge_str_c(t->expires);
    if (time.len == sizeof("2030-12-31") - 1) {
        time = judge_str_printf(t->arena, "%sT00:00:00Z", t->expires);
    }

    if (time.data == NULL || judge_time_parse(time, expires) != JUDGE_OK) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "\"%s\" is not a time such"
                               " as 2030-12-31T23:59:59Z", t->expires);
    }

    if (*expires <= t->now) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "%s has already passed",
                               t->expires);
    }

    return JUDGE_TOOL_OK;
}


/* The list of all, from just behind the identifier, begins with it. */

static int
judge_tool_key(judge_tool_t *t, const char *id, judge_key_row_t *row)
{
    judge_key_list_t  list;

    memset(&list, 0, sizeof(judge_key_list_t));
    list.now = t->now;
    list.page.limit = 1;
    list.page.before = judge_str_printf(t->arena, "%s ", id);
    if (list.page.before.data == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "out of memory");
    }

    judge_tool_run(t, &list.op, JUDGE_OP_KEY_LIST);

    if (list.op.rc != JUDGE_OK) {
        return judge_tool_fail_op(t, &list.op);
    }

    if (list.count == 0 || !judge_str_eq_c(list.rows[0].id, id)) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "there is no key \"%s\"",
                               id);
    }

    *row = list.rows[0];

    return JUDGE_TOOL_OK;
}


/* A new secret; its hash goes into the row. */

static judge_str_t
judge_tool_secret(judge_tool_t *t, judge_key_row_t *row)
{
    uint8_t     *hash;
    judge_str_t  key;

    key = judge_api_key_make(t->arena);
    hash = judge_alloc(t->arena, JUDGE_SHA256_LEN);
    if (key.data == NULL || hash == NULL
        || judge_sha256(key, hash) != JUDGE_OK)
    {
        return (judge_str_t) { 0, NULL };
    }

    row->hash = (judge_str_t) { JUDGE_SHA256_LEN, (char *) hash };

    return key;
}


/* Fills in a new row; the key itself, data NULL on a fault. */

judge_str_t
judge_tool_new_key(judge_tool_t *t, judge_key_create_t *o, judge_str_t org,
    judge_str_t name)
{
    judge_id_t  *id;

    id = judge_alloc(t->arena, sizeof(judge_id_t));
    if (id == NULL || judge_id_make(id, "key", t->now) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    o->op.org = org;
    o->row.org = org;
    o->row.id = judge_id_str(id);
    o->row.name = name;
    o->row.status = JUDGE_STR("active");
    o->row.permissions = JUDGE_MAY_ALL;
    o->row.created_at = t->now;

    return judge_tool_secret(t, &o->row);
}


static const char *
judge_key_status(judge_tool_t *t, const judge_key_row_t *row)
{
    if (!judge_str_eq_c(row->status, "active")) {
        return "suspended";
    }

    return row->expires_at && row->expires_at <= t->now ? "expired"
                                                        : "active";
}


/* The record of the API; `key` where there is a new one to show. */

static void
judge_key_json(judge_tool_t *t, const judge_key_row_t *row, judge_str_t key,
    int64_t month)
{
    judge_json_writer_t  w;

    judge_json_begin(&w, &t->out);
    judge_json_object(&w);
    judge_json_put_str(&w, "api_key_id", row->id);
    judge_json_put_str(&w, "organization_id", row->org);
    judge_json_put_str(&w, "name", row->name);
    judge_json_put_c(&w, "status", judge_key_status(t, row));
    judge_json_put_str(&w, "api_key", key);
    judge_json_key(&w, "permissions");
    judge_permissions_write(&w, row->permissions);
    judge_json_key(&w, "usage_stats");
    judge_json_object(&w);
    judge_json_put_int(&w, "requests_this_month",
                       row->usage_month == month ? row->requests : 0);
    judge_json_put_int(&w, "evaluations_this_month",
                       row->usage_month == month ? row->evaluations : 0);
    if (row->last_used) {
        judge_json_put_time(&w, "last_used", row->last_used);
    }
    judge_json_object_end(&w);
    judge_json_put_time(&w, "created_at", row->created_at);
    if (row->expires_at) {
        judge_json_put_time(&w, "expires_at", row->expires_at);
    }
    judge_json_object_end(&w);
    t->out.failed |= judge_json_finish(&w) != JUDGE_OK;
    judge_buf_c(&t->out, "\n");
}


static judge_str_t
judge_key_permissions(judge_tool_t *t, uint64_t permissions)
{
    judge_buf_t  buf;
    const char  *name;

    judge_buf_init(&buf, t->arena);

    while (*(name = judge_permission_name(permissions)) != '\0') {
        judge_buf_c(&buf, buf.len ? "," : "");
        judge_buf_c(&buf, name);
        permissions &= ~judge_permission(judge_str_c(name));
    }

    return judge_buf_view(&buf);
}


static void
judge_key_row(judge_tool_t *t, judge_table_t *table,
    const judge_key_row_t *row, int64_t month)
{
    judge_str_t  never = { 0, NULL };

    judge_table_add(t, table, row->id);
    judge_table_add(t, table, row->org);
    judge_table_add(t, table, judge_str_c(judge_key_status(t, row)));
    judge_table_add(t, table, row->expires_at
                              ? judge_time_str(t->arena, row->expires_at)
                              : never);
    judge_table_add(t, table, row->last_used
                              ? judge_time_str(t->arena, row->last_used)
                              : never);
    judge_table_add(t, table, judge_str_printf(t->arena, "%" PRId64,
                        row->usage_month == month ? row->requests : 0));
    judge_table_add(t, table, row->name);
    judge_table_add(t, table, judge_key_permissions(t, row->permissions));
}


static void
judge_key_shown(judge_tool_t *t, const judge_key_row_t *row, judge_str_t key)
{
    if (t->json) {
        judge_key_json(t, row, key, judge_usage_month(t->now));
        return;
    }

    judge_tool_pair(t, "Key", row->id);
    judge_tool_pair(t, "Name", row->name);
    judge_tool_pair(t, "Status", judge_str_c(judge_key_status(t, row)));
    judge_tool_pair(t, "Permissions",
                    judge_key_permissions(t, row->permissions));
    if (row->expires_at) {
        judge_tool_pair(t, "Expires",
                        judge_time_str(t->arena, row->expires_at));
    }
    judge_tool_pair(t, "API key", key);
    judge_buf_c(&t->out, "\nThe API key is not shown again.\n");
}


int
judge_key_create(judge_tool_t *t, const char **args, int n)
{
    int                  status;
    judge_str_t          key, name, org;
    judge_key_create_t   o;

    memset(&o, 0, sizeof(judge_key_create_t));
    name = judge_str_c(args[1]);

    status = judge_tool_name(name, "a key");
    if (status == JUDGE_TOOL_OK) {
        status = judge_tool_org(t, args[0], &org);
    }
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    key = judge_tool_new_key(t, &o, org, name);
    if (key.data == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "no key could be made");
    }

    if (judge_tool_permissions(t, &o.row.permissions) != JUDGE_TOOL_OK
        || judge_tool_expires(t, &o.row.expires_at) != JUDGE_TOOL_OK)
    {
        return JUDGE_TOOL_FAILED;
    }

    judge_tool_run(t, &o.op, JUDGE_OP_KEY_CREATE);

    if (o.op.rc != JUDGE_OK) {
        return judge_tool_fail_op(t, &o.op);
    }

    judge_key_shown(t, &o.row, key);

    return JUDGE_TOOL_OK;
}


static const char *const  judge_key_heads[] = {
    "KEY", "ORGANIZATION", "STATUS", "EXPIRES", "LAST USED", "REQUESTS",
    "NAME", "PERMISSIONS"
};


/* All pages: the tool is for the operator of the whole store. */

int
judge_key_list(judge_tool_t *t, const char **args, int n)
{
    size_t            i;
    int64_t           month;
    judge_str_t       none = { 0, NULL };
    judge_table_t     table = { .heads = judge_key_heads, .columns = 8 };
    judge_key_list_t  list;

    memset(&list, 0, sizeof(judge_key_list_t));
    month = judge_usage_month(t->now);

    if (n == 1 && judge_tool_org(t, args[0], &list.op.org) != JUDGE_TOOL_OK) {
        return JUDGE_TOOL_FAILED;
    }

    do {
        list.rows = NULL;
        list.count = 0;
        list.now = t->now;
        list.page.limit = JUDGE_TOOL_PAGE;
        list.page.more = false;
        judge_tool_run(t, &list.op, JUDGE_OP_KEY_LIST);

        if (list.op.rc != JUDGE_OK) {
            return judge_tool_fail_op(t, &list.op);
        }

        for (i = 0; i < list.count; i++) {
            if (t->json) {
                judge_key_json(t, &list.rows[i], none, month);
            } else {
                judge_key_row(t, &table, &list.rows[i], month);
            }
            list.page.before = list.rows[i].id;
        }

    } while (list.page.more);

    if (!t->json) {
        judge_table_print(t, &table);
    }

    return JUDGE_TOOL_OK;
}


static int
judge_key_update(judge_tool_t *t, judge_key_row_t *row)
{
    judge_key_update_t  o;

    memset(&o, 0, sizeof(judge_key_update_t));
    o.op.org = row->org;
    o.row = *row;
    o.force = t->force;
    o.now = t->now;
    judge_tool_run(t, &o.op, JUDGE_OP_KEY_UPDATE);

    switch (o.op.rc) {
    case JUDGE_OK:
        return JUDGE_TOOL_OK;

    case JUDGE_CONFLICT:
        return judge_tool_fail(JUDGE_TOOL_FAILED, "it is the last active key"
                               " of every permission that its organization"
                               " has; make another one first, or --force");

    case JUDGE_NOT_FOUND:
        return judge_tool_fail(JUDGE_TOOL_FAILED, "the key is gone");

    default:
        return judge_tool_fail_op(t, &o.op);
    }
}


static int
judge_key_set_status(judge_tool_t *t, const char *id, judge_str_t status)
{
    int              rc;
    judge_str_t      none = { 0, NULL };
    judge_key_row_t  row;

    rc = judge_tool_key(t, id, &row);
    if (rc != JUDGE_TOOL_OK) {
        return rc;
    }

    row.status = status;
    rc = judge_key_update(t, &row);
    if (rc != JUDGE_TOOL_OK) {
        return rc;
    }

    if (t->json) {
        judge_key_json(t, &row, none, judge_usage_month(t->now));

    } else {
        judge_buf_printf(&t->out, "%s is %s\n", id,
                         judge_key_status(t, &row));
    }

    return JUDGE_TOOL_OK;
}


int
judge_key_suspend(judge_tool_t *t, const char **args, int n)
{
    return judge_key_set_status(t, args[0], JUDGE_STR("suspended"));
}


int
judge_key_activate(judge_tool_t *t, const char **args, int n)
{
    return judge_key_set_status(t, args[0], JUDGE_STR("active"));
}


int
judge_key_rotate(judge_tool_t *t, const char **args, int n)
{
    int              status;
    judge_str_t      key;
    judge_key_row_t  row;

    status = judge_tool_key(t, args[0], &row);
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    key = judge_tool_secret(t, &row);
    if (key.data == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "no key could be made");
    }

    status = judge_key_update(t, &row);
    if (status == JUDGE_TOOL_OK) {
        judge_key_shown(t, &row, key);
    }

    return status;
}
