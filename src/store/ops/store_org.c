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


#undef JUDGE_OF
#define JUDGE_OF  judge_org_create_t

const judge_op_spec_t  judge_op_org_create = {
    .name = "org_create",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO organizations (id, name, webhook_secret,"
          " created_at) VALUES (?1, ?2, ?3, ?4)",
          .in = JUDGE_VALUES(JUDGE_V(row.id), JUDGE_V(row.name),
              JUDGE_V(row.webhook_secret), JUDGE_V(row.created_at)) }
    }
};


#undef JUDGE_ROW
#define JUDGE_ROW  judge_org_row_t

const judge_op_spec_t  judge_op_org_list = {
    .name = "org_list",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT id, name, webhook_secret, created_at"
          " FROM organizations ORDER BY id LIMIT "
          JUDGE_SQL_NUMBER(JUDGE_ORGS_MAX),
          .out = JUDGE_VALUES(JUDGE_R(id), JUDGE_R(name),
              JUDGE_R(webhook_secret), JUDGE_R(created_at)),
          .list = JUDGE_ROWS(judge_org_list_t, rows, count),
          .most = JUDGE_ORGS_MAX }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_key_create_t

const judge_op_spec_t  judge_op_key_create = {
    .name = "key_create",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO api_keys (org, id, hash, name, status,"
          " permissions, created_at, expires_at)"
          " SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8"
          " FROM organizations WHERE id = ?1",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.id),
              JUDGE_V_BLOB(row.hash), JUDGE_V(row.name),
              JUDGE_V(row.status), JUDGE_V(row.permissions),
              JUDGE_V(row.created_at), JUDGE_V_NULL(row.expires_at)),
          .unless_changed = JUDGE_NOT_FOUND }
    }
};


#undef JUDGE_ROW
#define JUDGE_ROW  judge_key_row_t

static const judge_value_t  judge_key_row_out[] = {
    JUDGE_R(org), JUDGE_R(id), JUDGE_R(hash), JUDGE_R(name), JUDGE_R(status),
    JUDGE_R(permissions), JUDGE_R(created_at), JUDGE_R(expires_at),
    JUDGE_R(usage_month), JUDGE_R(requests), JUDGE_R(evaluations),
    JUDGE_R(last_used), JUDGE_END
};


#undef JUDGE_OF
#define JUDGE_OF  judge_key_find_t

const judge_op_spec_t  judge_op_key_find = {
    .name = "key_find",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT " JUDGE_KEY_COLUMNS " FROM api_keys WHERE hash = ?1",
          .in = JUDGE_VALUES(JUDGE_V_BLOB(hash)), .out = judge_key_row_out,
          .row = offsetof(judge_key_find_t, row),
          .unless_rows = JUDGE_NOT_FOUND }
    }
};


const judge_op_spec_t  judge_op_key_get = {
    .name = "key_get",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT " JUDGE_KEY_COLUMNS
          " FROM api_keys WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_key_get_t), .out = judge_key_row_out,
          .row = offsetof(judge_key_get_t, row),
          .unless_rows = JUDGE_NOT_FOUND }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_key_list_t

static const judge_value_t  judge_key_list_in[] = {
    JUDGE_V(op.org), JUDGE_V(page.before), JUDGE_V(status), JUDGE_V(now),
    JUDGE_V_MORE(page.limit), JUDGE_END
};


/* Statement 0 lists an organization's keys, 1 those of all of them. */

static judge_step_e
judge_key_list_step(judge_run_t *run)
{
    bool  all = run->op->org.data == NULL;

    return run->st && (run->step == 1) != all ? JUDGE_STEP_SKIP
                                              : judge_run_next(run);
}


#define JUDGE_KEY_STATUS_IS                                                   \
    " AND (?3 IS NULL OR ?3 = CASE WHEN status = 'suspended'"                 \
    " THEN 'suspended' WHEN expires_at <= ?4 THEN 'expired'"                  \
    " ELSE 'active' END) ORDER BY id DESC LIMIT ?5"

const judge_op_spec_t  judge_op_key_list = {
    .name = "key_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_key_list_t, page),
    .statements = {
        { "SELECT " JUDGE_KEY_COLUMNS " FROM api_keys WHERE org = ?1"
          " AND id < coalesce(?2, '~')" JUDGE_KEY_STATUS_IS,
          .in = judge_key_list_in, .out = judge_key_row_out,
          .list = JUDGE_ROWS(judge_key_list_t, rows, count) },
        { "SELECT " JUDGE_KEY_COLUMNS " FROM api_keys WHERE ?1 IS NULL"
          " AND id < coalesce(?2, '~')" JUDGE_KEY_STATUS_IS,
          .in = judge_key_list_in, .out = judge_key_row_out,
          .list = JUDGE_ROWS(judge_key_list_t, rows, count) }
    },
    .step = judge_key_list_step
};


/* Statement 0 looks whether the last key of its kind would be lost by it. */

#undef JUDGE_OF
#define JUDGE_OF  judge_key_update_t

const judge_op_spec_t  judge_op_key_update = {
    .name = "key_update",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { JUDGE_KEY_IS_LAST
          " AND NOT (coalesce(?5, status) = 'active'"
          " AND coalesce(?6, permissions) & ?3 <> 0"
          " AND coalesce(CASE WHEN ?8 = 1 THEN expires_at ELSE ?7 END,"
          " ?4 + 1) > ?4)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.id), JUDGE_V(all),
              JUDGE_V(now), JUDGE_V(row.status),
              JUDGE_V_NULL(row.permissions), JUDGE_V_NULL(row.expires_at),
              JUDGE_V(keep_expiry)),
          .if_rows = JUDGE_CONFLICT },
        { "UPDATE api_keys SET status = coalesce(?5, status),"
          " permissions = coalesce(?6, permissions),"
          " expires_at = CASE WHEN ?8 = 1 THEN expires_at ELSE ?7 END,"
          " name = coalesce(?9, name), hash = coalesce(?10, hash)"
          " WHERE org = ?1 AND id = ?2 RETURNING " JUDGE_KEY_COLUMNS,
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.id), JUDGE_V(all),
              JUDGE_V(now), JUDGE_V(row.status),
              JUDGE_V_NULL(row.permissions), JUDGE_V_NULL(row.expires_at),
              JUDGE_V(keep_expiry), JUDGE_V(row.name),
              JUDGE_V_BLOB(row.hash)),
          .out = judge_key_row_out,
          .row = offsetof(judge_key_update_t, row),
          .unless_rows = JUDGE_NOT_FOUND }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_key_delete_t

const judge_op_spec_t  judge_op_key_delete = {
    .name = "key_delete",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { JUDGE_KEY_IS_LAST,
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(all),
              JUDGE_V(now)),
          .if_rows = JUDGE_CONFLICT },
        { "DELETE FROM api_keys WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_key_delete_t),
          .unless_changed = JUDGE_NOT_FOUND }
    }
};


/* Adds within a month; a new month starts from nothing. */

#undef JUDGE_ROW
#define JUDGE_ROW  judge_usage_row_t

const judge_op_spec_t  judge_op_key_usage = {
    .name = "key_usage",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE api_keys SET"
          " requests = ?4 + CASE WHEN usage_month = ?3 THEN requests"
          " ELSE 0 END,"
          " evaluations = ?5 + CASE WHEN usage_month = ?3"
          " THEN evaluations ELSE 0 END,"
          " usage_month = ?3, last_used = ?6"
          " WHERE org = ?1 AND id = ?2",
          .in = JUDGE_VALUES(JUDGE_R(org), JUDGE_R(id), JUDGE_R(month),
              JUDGE_R(requests), JUDGE_R(evaluations),
              JUDGE_R_NULL(last_used)),
          .each = JUDGE_ROWS(judge_key_usage_t, rows, count) }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_idempotency_find_t

const judge_op_spec_t  judge_op_idempotency_find = {
    .name = "idempotency_find",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT fingerprint, status, body, created_at FROM idempotency"
          " WHERE org = ?1 AND key = ?2",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(found.key)),
          .out = JUDGE_VALUES(JUDGE_V(found.fingerprint),
              JUDGE_V(found.status), JUDGE_V(found.body),
              JUDGE_V(found.now)),
          .unless_rows = JUDGE_NOT_FOUND }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_idempotency_purge_t

const judge_op_spec_t  judge_op_idempotency_purge = {
    .name = "idempotency_purge",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "DELETE FROM idempotency WHERE (org, key) IN (SELECT org, key"
          " FROM idempotency WHERE created_at < ?1 LIMIT 1000)",
          .in = JUDGE_VALUES(JUDGE_V(before)) }
    }
};


/* Changes a page, so that the commit writes to the disk. */

#undef JUDGE_OF
#define JUDGE_OF  judge_probe_t

const judge_op_spec_t  judge_op_probe = {
    .name = "probe",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO probes (id, at) VALUES (1, ?1)"
          " ON CONFLICT (id) DO UPDATE SET at = excluded.at",
          .in = JUDGE_VALUES(JUDGE_V(now)) }
    }
};
