-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Organizations, their keys, idempotency and the probe.


$key_columns = org, id, hash, name, status, permissions, created_at,
        expires_at, usage_month, requests, evaluations, last_used

-- $key_person(COLUMN): a column of the person who has the key k.
$key_person = (SELECT p.$1 FROM people p WHERE p.org = k.org
        AND p.key_id = k.id)

-- Finds the key if it is the last active one that has all permissions.
$key_is_last =
    SELECT 1
    FROM api_keys
    WHERE org = :org AND id = $1 AND status = 'active'
        AND permissions & $JUDGE_KEY_MAY_ALL <> 0 AND (expires_at IS NULL
        OR expires_at > :now) AND NOT EXISTS (SELECT 1 FROM api_keys
        WHERE org = :org AND id <> $1 AND status = 'active'
        AND permissions & $JUDGE_KEY_MAY_ALL <> 0 AND (expires_at IS NULL
        OR expires_at > :now))

$key_status_is = AND (:status IS NULL OR :status = CASE
        WHEN status = 'suspended' THEN 'suspended' WHEN expires_at <= :now
        THEN 'expired' ELSE 'active' END)
    ORDER BY id DESC LIMIT :page.limit + 1


%op org_create write
%
INSERT INTO organizations (id, name, webhook_secret, created_at)
    VALUES (:row.id, :row.name, :row.webhook_secret, :row.created_at)


%op org_list bulk
% list=rows most=JUDGE_ORGS_MAX
SELECT @{id, name, webhook_secret, created_at}
    FROM organizations
    ORDER BY id LIMIT $JUDGE_ORGS_MAX


%op key_create write
% unless_changed=NOT_FOUND
INSERT INTO api_keys (org, id, hash, name, status, permissions, created_at,
        expires_at)
    SELECT id, :row.id, :row.hash#blob, :row.name, :row.status,
        :row.permissions, :row.created_at, :row.expires_at?
    FROM organizations
    WHERE id = :org


%op key_find inline
% row=row unless_rows=NOT_FOUND
SELECT @{$key_columns, $key_person(id) AS person, $key_person(role) AS role}
    FROM api_keys k
    WHERE hash = :hash#blob


%op key_get inline
% row=row unless_rows=NOT_FOUND
SELECT @{$key_columns} FROM api_keys WHERE org = :org AND id = :id


-- The first statement lists the keys of one organization, the second all keys.

%op key_list bulk page
% list=rows when=org
SELECT @{$key_columns}
    FROM api_keys
    WHERE org = :org AND id < coalesce(:page.before, '~') $key_status_is
% list=rows when=!org
SELECT @{$key_columns}
    FROM api_keys
    WHERE :org IS NULL AND id < coalesce(:page.before, '~') $key_status_is


-- The first statement prevents that no key with all permissions is left.

%op key_update write
% when=!force if_rows=CONFLICT
$key_is_last(:row.id) AND NOT (coalesce(:row.status, status) = 'active'
        AND coalesce(:row.permissions?, permissions) & $JUDGE_KEY_MAY_ALL <> 0
        AND coalesce(CASE WHEN :keep_expiry = 1 THEN expires_at
        ELSE :row.expires_at? END, :now + 1) > :now)
% row=row unless_rows=NOT_FOUND
UPDATE api_keys
    SET status = coalesce(:row.status, status),
        permissions = coalesce(:row.permissions?, permissions),
        expires_at = CASE WHEN :keep_expiry = 1 THEN expires_at
        ELSE :row.expires_at? END, name = coalesce(:row.name, name),
        hash = coalesce(:row.hash#blob, hash)
    WHERE org = :org AND id = :row.id
    RETURNING @{$key_columns}


%op key_delete write
% if_rows=CONFLICT
$key_is_last(:id)
%
UPDATE people SET key_id = NULL WHERE org = :org AND key_id = :id
% unless_changed=NOT_FOUND
DELETE FROM api_keys WHERE org = :org AND id = :id


-- Adds to the counts of the same month; those of a new month start at 0.

%op key_usage write
% each=rows
UPDATE api_keys
    SET requests = @requests + CASE WHEN usage_month = @month
        THEN requests ELSE 0 END, evaluations = @evaluations + CASE
        WHEN usage_month = @month THEN evaluations ELSE 0 END,
        usage_month = @month, last_used = @last_used?
    WHERE org = @org AND id = @id


%op idempotency_keep write
% unless_changed=CONFLICT
INSERT INTO idempotency (org, key, fingerprint, created_at, status, body)
    VALUES (:org, :row.key, :row.fingerprint#blob, :row.now, :row.status,
        :row.body)
    ON CONFLICT DO NOTHING


%op idempotency_find inline
% unless_rows=NOT_FOUND
SELECT :{fingerprint AS found.fingerprint, status AS found.status,
        body AS found.body, created_at AS found.now}
    FROM idempotency
    WHERE org = :org AND key = :found.key


-- Old deliveries are deleted even if they are pending: no worker delivers them
-- any more.  The last two statements select the same deliveries.

$delivery_old = (SELECT org, id FROM deliveries
        WHERE created_at < :deliveries_before AND owner IS NULL
        ORDER BY created_at LIMIT :limit)

%op purge write
% changes=gone[0]
DELETE
    FROM idempotency
    WHERE (org, key) IN (SELECT org, key FROM idempotency
        WHERE created_at < :keys_before ORDER BY created_at LIMIT :limit)
% changes=gone[1]
DELETE
    FROM training_logs
    WHERE rowid IN (SELECT rowid FROM training_logs
        WHERE at < :logs_before ORDER BY at LIMIT :limit)
% changes=gone[2]
DELETE FROM delivery_bodies WHERE (org, id) IN $delivery_old
% changes=gone[3]
DELETE FROM deliveries WHERE (org, id) IN $delivery_old
% changes=gone[4]
DELETE
    FROM audit
    WHERE (org, id) IN (SELECT org, id FROM audit
        WHERE at < :audit_before ORDER BY at LIMIT :limit)


-- Changes a page, so that the commit writes to the disk.

%op probe write
%
INSERT INTO probes (id, at)
    VALUES (1, :now)
    ON CONFLICT (id) DO UPDATE SET at = excluded.at
