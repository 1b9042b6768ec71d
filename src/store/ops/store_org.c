/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Organizations, API keys, idempotency keys, and the probe. */


#include "store/ops/store_ops.h"


#define JUDGE_ORGS_MAX  10000

#define JUDGE_KEY_COLUMNS                                                     \
    "org, id, hash, name, status, permissions, created_at, expires_at,"       \
    " usage_month, requests, evaluations, last_used"

/* No other active key of the organization has every permission. */
#define JUDGE_KEY_IS_LAST                                                     \
    "SELECT 1 FROM api_keys WHERE org = ?1 AND id = ?2 AND status = 'active'" \
    " AND permissions & ?3 <> 0 AND (expires_at IS NULL OR expires_at > ?4)"  \
    " AND NOT EXISTS (SELECT 1 FROM api_keys WHERE org = ?1 AND id <> ?2"     \
    " AND status = 'active' AND permissions & ?3 <> 0"                        \
    " AND (expires_at IS NULL OR expires_at > ?4))"


static judge_step_e
judge_org_create_bind(judge_run_t *run)
{
    judge_org_row_t  *row = &((judge_org_create_t *) run->op)->row;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, row->id);
    judge_bind_str(run, 2, row->name);
    judge_bind_str(run, 3, row->webhook_secret);
    judge_bind_int(run, 4, row->created_at);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_org_create = {
    .name = "org_create",
    .place = JUDGE_OP_WRITE,
    .sql = { "INSERT INTO organizations (id, name, webhook_secret,"
             " created_at) VALUES (?1, ?2, ?3, ?4)" },
    .bind = judge_org_create_bind
};


static judge_step_e
judge_org_list_bind(judge_run_t *run)
{
    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_int(run, 1, JUDGE_ORGS_MAX);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_org_list_read(judge_run_t *run)
{
    judge_org_row_t   *row;
    judge_org_list_t  *o = (judge_org_list_t *) run->op;

    o->rows = judge_row_room(run, o->rows, JUDGE_ORGS_MAX,
                             sizeof(judge_org_row_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    row = &o->rows[o->count++];
    row->id = judge_column_str(run, 0);
    row->name = judge_column_str(run, 1);
    row->webhook_secret = judge_column_str(run, 2);
    row->created_at = judge_column_int(run, 3);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_org_list = {
    .name = "org_list",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT id, name, webhook_secret, created_at"
             " FROM organizations ORDER BY id LIMIT ?1" },
    .bind = judge_org_list_bind,
    .read = judge_org_list_read
};


static judge_step_e
judge_key_create_bind(judge_run_t *run)
{
    judge_key_row_t  *row = &((judge_key_create_t *) run->op)->row;

    if (run->st == NULL) {
        run->op->rc = run->changes ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, row->id);
    judge_bind_blob(run, 3, row->hash);
    judge_bind_str(run, 4, row->name);
    judge_bind_str(run, 5, row->status);
    judge_bind_int(run, 6, (int64_t) row->permissions);
    judge_bind_int(run, 7, row->created_at);
    judge_bind_when(run, 8, row->expires_at);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_key_create = {
    .name = "key_create",
    .place = JUDGE_OP_WRITE,
    .sql = { "INSERT INTO api_keys (org, id, hash, name, status,"
             " permissions, created_at, expires_at)"
             " SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8"
             " FROM organizations WHERE id = ?1" },
    .bind = judge_key_create_bind
};


static void
judge_key_row_read(judge_run_t *run, judge_key_row_t *row)
{
    row->org = judge_column_str(run, 0);
    row->id = judge_column_str(run, 1);
    row->hash = judge_column_str(run, 2);
    row->name = judge_column_str(run, 3);
    row->status = judge_column_str(run, 4);
    row->permissions = (uint64_t) judge_column_int(run, 5);
    row->created_at = judge_column_int(run, 6);
    row->expires_at = judge_column_int(run, 7);
    row->usage_month = judge_column_int(run, 8);
    row->requests = judge_column_int(run, 9);
    row->evaluations = judge_column_int(run, 10);
    row->last_used = judge_column_int(run, 11);
}


static judge_step_e
judge_key_find_bind(judge_run_t *run)
{
    if (run->st == NULL) {
        run->op->rc = run->rows ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_blob(run, 1, ((judge_key_find_t *) run->op)->hash);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_key_find_read(judge_run_t *run)
{
    judge_key_row_read(run, &((judge_key_find_t *) run->op)->row);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_key_find = {
    .name = "key_find",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT " JUDGE_KEY_COLUMNS " FROM api_keys WHERE hash = ?1" },
    .bind = judge_key_find_bind,
    .read = judge_key_find_read
};


static judge_step_e
judge_key_get_bind(judge_run_t *run)
{
    if (run->st == NULL) {
        run->op->rc = run->rows ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, ((judge_key_get_t *) run->op)->id);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_key_get_read(judge_run_t *run)
{
    judge_key_row_read(run, &((judge_key_get_t *) run->op)->row);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_key_get = {
    .name = "key_get",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT " JUDGE_KEY_COLUMNS
             " FROM api_keys WHERE org = ?1 AND id = ?2" },
    .bind = judge_key_get_bind,
    .read = judge_key_get_read
};


/* Statement 0 lists an organization's keys, 1 those of all of them. */

static judge_step_e
judge_key_list_bind(judge_run_t *run)
{
    judge_key_list_t  *o = (judge_key_list_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if ((run->step == 0) != (o->op.org.data != NULL)) {
        return JUDGE_STEP_SKIP;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->page.before);
    judge_bind_str(run, 3, o->status);
    judge_bind_int(run, 4, o->now);
    judge_bind_int(run, 5, o->page.limit + 1);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_key_list_read(judge_run_t *run)
{
    judge_key_list_t  *o = (judge_key_list_t *) run->op;

    o->rows = judge_row_room(run, o->rows, (size_t) o->page.limit,
                             sizeof(judge_key_row_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    judge_key_row_read(run, &o->rows[o->count++]);

    return JUDGE_OK;
}


#define JUDGE_KEY_STATUS_IS                                                   \
    " AND (?3 IS NULL OR ?3 = CASE WHEN status = 'suspended'"                 \
    " THEN 'suspended' WHEN expires_at <= ?4 THEN 'expired'"                  \
    " ELSE 'active' END) ORDER BY id DESC LIMIT ?5"

const judge_op_spec_t  judge_op_key_list = {
    .name = "key_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_key_list_t, page),
    .sql = { "SELECT " JUDGE_KEY_COLUMNS " FROM api_keys WHERE org = ?1"
             " AND id < coalesce(?2, '~')" JUDGE_KEY_STATUS_IS,
             "SELECT " JUDGE_KEY_COLUMNS " FROM api_keys WHERE ?1 IS NULL"
             " AND id < coalesce(?2, '~')" JUDGE_KEY_STATUS_IS },
    .bind = judge_key_list_bind,
    .read = judge_key_list_read
};


/* Statement 0 looks whether the last key of its kind would be lost by it. */

static judge_step_e
judge_key_update_bind(judge_run_t *run)
{
    judge_key_update_t  *o = (judge_key_update_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->rows ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    if (run->step == 1 && run->rows) {
        o->op.rc = JUDGE_CONFLICT;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->row.id);
    judge_bind_str(run, 5, o->row.status);
    judge_bind_when(run, 6, (int64_t) o->row.permissions);
    judge_bind_when(run, 7, o->row.expires_at);
    judge_bind_int(run, 8, o->keep_expiry);

    if (run->step == 0) {
        judge_bind_int(run, 3, (int64_t) o->all);
        judge_bind_int(run, 4, o->now);
    } else {
        judge_bind_str(run, 9, o->row.name);
        judge_bind_blob(run, 10, o->row.hash);
    }

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_key_update_read(judge_run_t *run)
{
    if (run->step == 1) {
        judge_key_row_read(run, &((judge_key_update_t *) run->op)->row);
    }

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_key_update = {
    .name = "key_update",
    .place = JUDGE_OP_WRITE,
    .sql = { JUDGE_KEY_IS_LAST
             " AND NOT (coalesce(?5, status) = 'active'"
             " AND coalesce(?6, permissions) & ?3 <> 0"
             " AND coalesce(CASE WHEN ?8 = 1 THEN expires_at ELSE ?7 END,"
             " ?4 + 1) > ?4)",
             "UPDATE api_keys SET status = coalesce(?5, status),"
             " permissions = coalesce(?6, permissions),"
             " expires_at = CASE WHEN ?8 = 1 THEN expires_at ELSE ?7 END,"
             " name = coalesce(?9, name), hash = coalesce(?10, hash)"
             " WHERE org = ?1 AND id = ?2 RETURNING " JUDGE_KEY_COLUMNS },
    .bind = judge_key_update_bind,
    .read = judge_key_update_read
};


static judge_step_e
judge_key_delete_bind(judge_run_t *run)
{
    judge_key_delete_t  *o = (judge_key_delete_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->changes ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    if (run->step == 1 && run->rows) {
        o->op.rc = JUDGE_CONFLICT;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    if (run->step == 0) {
        judge_bind_int(run, 3, (int64_t) o->all);
        judge_bind_int(run, 4, o->now);
    }

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_key_delete = {
    .name = "key_delete",
    .place = JUDGE_OP_WRITE,
    .sql = { JUDGE_KEY_IS_LAST,
             "DELETE FROM api_keys WHERE org = ?1 AND id = ?2" },
    .bind = judge_key_delete_bind
};


/* Adds within a month; a new month starts from nothing. */

static judge_step_e
judge_key_usage_bind(judge_run_t *run)
{
    judge_usage_row_t  *row;
    judge_key_usage_t  *o = (judge_key_usage_t *) run->op;

    if (run->st == NULL || run->turn == o->count) {
        return JUDGE_STEP_END;
    }

    row = &o->rows[run->turn];

    judge_bind_str(run, 1, row->org);
    judge_bind_str(run, 2, row->id);
    judge_bind_int(run, 3, row->month);
    judge_bind_int(run, 4, row->requests);
    judge_bind_int(run, 5, row->evaluations);
    judge_bind_when(run, 6, row->last_used);

    return JUDGE_STEP_REPEAT;
}


const judge_op_spec_t  judge_op_key_usage = {
    .name = "key_usage",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE api_keys SET"
             " requests = ?4 + CASE WHEN usage_month = ?3 THEN requests"
             " ELSE 0 END,"
             " evaluations = ?5 + CASE WHEN usage_month = ?3"
             " THEN evaluations ELSE 0 END,"
             " usage_month = ?3, last_used = ?6"
             " WHERE org = ?1 AND id = ?2" },
    .bind = judge_key_usage_bind
};


static judge_step_e
judge_idempotency_find_bind(judge_run_t *run)
{
    if (run->st == NULL) {
        run->op->rc = run->rows ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, ((judge_idempotency_find_t *) run->op)->found.key);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_idempotency_find_read(judge_run_t *run)
{
    judge_idempotency_t  *found;

    found = &((judge_idempotency_find_t *) run->op)->found;
    found->fingerprint = judge_column_str(run, 0);
    found->status = judge_column_int(run, 1);
    found->body = judge_column_str(run, 2);
    found->now = judge_column_int(run, 3);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_idempotency_find = {
    .name = "idempotency_find",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT fingerprint, status, body, created_at FROM idempotency"
             " WHERE org = ?1 AND key = ?2" },
    .bind = judge_idempotency_find_bind,
    .read = judge_idempotency_find_read
};


static judge_step_e
judge_idempotency_purge_bind(judge_run_t *run)
{
    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_int(run, 1, ((judge_idempotency_purge_t *) run->op)->before);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_idempotency_purge = {
    .name = "idempotency_purge",
    .place = JUDGE_OP_WRITE,
    .sql = { "DELETE FROM idempotency WHERE (org, key) IN (SELECT org, key"
             " FROM idempotency WHERE created_at < ?1 LIMIT 1000)" },
    .bind = judge_idempotency_purge_bind
};


/* Touches no row, yet needs the write lock and a commit of its own. */

static judge_step_e
judge_probe_bind(judge_run_t *run)
{
    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_int(run, 1, ((judge_probe_t *) run->op)->now);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_probe = {
    .name = "probe",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE organizations SET created_at = ?1 WHERE id = ''" },
    .bind = judge_probe_bind
};
