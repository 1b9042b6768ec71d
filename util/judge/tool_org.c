/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Commands on organizations. */


#include <string.h>

#include "base/crypto/crypto.h"
#include "base/json/json.h"
#include "tool.h"


int
judge_tool_orgs(judge_tool_t *t, judge_org_list_t *list)
{
    memset(list, 0, sizeof(judge_org_list_t));
    judge_tool_run(t, &list->op, JUDGE_OP_ORG_LIST);

    return list->op.rc == JUDGE_OK ? JUDGE_TOOL_OK
                                   : judge_tool_fail_op(t, &list->op);
}


/* By identifier, else by name. */

int
judge_tool_org(judge_tool_t *t, const char *arg, judge_str_t *org)
{
    int               status;
    size_t            i, named;
    judge_org_list_t  list;

    status = judge_tool_orgs(t, &list);
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    named = 0;

    for (i = 0; i < list.count; i++) {
        if (judge_str_eq_c(list.rows[i].id, arg)) {
            *org = list.rows[i].id;
            return JUDGE_TOOL_OK;
        }
        if (judge_str_eq_c(list.rows[i].name, arg)) {
            *org = list.rows[i].id;
            named++;
        }
    }

    if (named != 1) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, named
                               ? "several organizations are called \"%s\";"
                                 " give the identifier"
                               : "there is no organization \"%s\"", arg);
    }

    return JUDGE_TOOL_OK;
}


static void
judge_org_created(judge_tool_t *t, const judge_org_row_t *org,
    const judge_key_row_t *row, judge_str_t key)
{
    judge_json_writer_t  w;

    if (!t->json) {
        judge_tool_pair(t, "Organization", org->name);
        judge_tool_pair(t, "Identifier", org->id);
        judge_tool_pair(t, "Key", row->id);
        judge_tool_pair(t, "API key", key);
        judge_tool_pair(t, "Webhook secret", org->webhook_secret);
        judge_buf_c(&t->out, "\nThe API key and the secret are not shown"
                             " again.\n");
        return;
    }

    judge_json_begin(&w, &t->out);
    judge_json_object(&w);
    judge_json_put_str(&w, "organization_id", org->id);
    judge_json_put_str(&w, "name", org->name);
    judge_json_put_time(&w, "created_at", org->created_at);
    judge_json_put_str(&w, "api_key_id", row->id);
    judge_json_put_str(&w, "api_key", key);
    judge_json_put_str(&w, "webhook_secret", org->webhook_secret);
    judge_json_object_end(&w);
    t->out.failed |= judge_json_finish(&w) != JUDGE_OK;
    judge_buf_c(&t->out, "\n");
}


/* Both rows in one commit: no organization without a way in. */

int
judge_org_create(judge_tool_t *t, const char **args, int n)
{
    judge_id_t           id;
    judge_str_t          key, name;
    judge_org_create_t   org;
    judge_key_create_t   first;

    name = judge_str_c(args[0]);
    if (judge_tool_name(name, "an organization") != JUDGE_TOOL_OK) {
        return JUDGE_TOOL_FAILED;
    }

    memset(&org, 0, sizeof(judge_org_create_t));
    memset(&first, 0, sizeof(judge_key_create_t));

    if (judge_id_make(&id, "org", t->now) != JUDGE_OK) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "no random bytes");
    }

    org.op.kind = JUDGE_OP_ORG_CREATE;
    org.op.arena = t->arena;
    org.op.next = &first.op;
    org.row.id = judge_id_str(&id);
    org.row.name = name;
    org.row.created_at = t->now;
    org.row.webhook_secret = judge_webhook_secret_make(t->arena);

    first.op.kind = JUDGE_OP_KEY_CREATE;
    first.op.arena = t->arena;
    key = judge_tool_new_key(t, &first, org.row.id, JUDGE_STR("first"));
    if (key.data == NULL || org.row.webhook_secret.data == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "no key could be made");
    }

    judge_runner_group(t->db, &org.op);

    if (org.op.rc != JUDGE_OK || first.op.rc != JUDGE_OK) {
        return judge_tool_fail_op(t, org.op.rc ? &org.op : &first.op);
    }

    judge_org_created(t, &org.row, &first.row, key);

    return JUDGE_TOOL_OK;
}


static const char *const  judge_org_heads[] = {
    "IDENTIFIER", "CREATED", "NAME"
};


int
judge_org_list(judge_tool_t *t, const char **args, int n)
{
    int                   status;
    size_t                i;
    judge_table_t         table = { .heads = judge_org_heads, .columns = 3 };
    judge_org_row_t      *row;
    judge_org_list_t      list;
    judge_json_writer_t   w;

    status = judge_tool_orgs(t, &list);
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    for (i = 0; i < list.count; i++) {
        row = &list.rows[i];

        if (!t->json) {
            judge_table_add(t, &table, row->id);
            judge_table_add(t, &table,
                            judge_time_str(t->arena, row->created_at));
            judge_table_add(t, &table, row->name);
            continue;
        }

        judge_json_begin(&w, &t->out);
        judge_json_object(&w);
        judge_json_put_str(&w, "organization_id", row->id);
        judge_json_put_str(&w, "name", row->name);
        judge_json_put_time(&w, "created_at", row->created_at);
        judge_json_object_end(&w);
        t->out.failed |= judge_json_finish(&w) != JUDGE_OK;
        judge_buf_c(&t->out, "\n");
    }

    if (!t->json) {
        judge_table_print(t, &table);
    }

    return JUDGE_TOOL_OK;
}
