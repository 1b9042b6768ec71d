-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The people of an organization.


$person_columns = id, name, address, role, key_id, login, created_at,
        updated_at

$person_of = org = :org AND id

$person_taken =
    SELECT :{CASE WHEN address = :row.address
        THEN $JUDGE_PERSON_ADDRESS WHEN login = :row.login
        THEN $JUDGE_PERSON_LOGIN ELSE $JUDGE_PERSON_KEY END AS conflict}
    FROM people
    WHERE org = :org AND id <> :row.id AND (address = :row.address
        OR login = :row.login OR key_id = :row.key_id)
    LIMIT 1

$person_key_there =
    SELECT 1 FROM api_keys WHERE org = :org AND id = :row.key_id

-- $person_is_last(ID): a row if the person is the last owner.
$person_is_last =
    SELECT :{$JUDGE_PERSON_LAST_OWNER AS conflict}
    FROM people
    WHERE org = :org AND id = $1 AND role = 'owner' AND NOT EXISTS (SELECT 1
        FROM people p WHERE p.org = :org AND p.id <> $1 AND p.role = 'owner')

-- $person_key_is_last(ID): a row if the last key with all permissions is ID's.
$person_key_is_last =
    SELECT :{$JUDGE_PERSON_LAST_KEY AS conflict}
    FROM people p
    WHERE p.org = :org AND p.id = $1 AND EXISTS ($key_is_last(p.key_id))


%op person_create write
% if_rows=CONFLICT
$person_taken
% when=row.key_id,!key.id unless_rows=NOT_FOUND
$person_key_there
% when=key.id
INSERT INTO api_keys (org, id, hash, name, status, permissions, created_at,
        expires_at)
    VALUES (:org, :key.id, :key.hash#blob, :key.name, :key.status,
        :key.permissions, :key.created_at, :key.expires_at?)
%
INSERT INTO people (org, id, name, address, role, key_id, login, created_at,
        updated_at)
    VALUES (:org, :row.id, :row.name, :row.address, :row.role, :row.key_id,
        :row.login, :row.created_at, :row.created_at)


%op person_find inline
% row=row unless_rows=NOT_FOUND
SELECT @{$person_columns} FROM people WHERE $person_of = :id


%op person_list bulk page
% list=rows
SELECT @{$person_columns}
    FROM people
    WHERE org = :org AND id < coalesce(:page.before, '~')
        AND (:role IS NULL OR role = :role)
    ORDER BY id DESC LIMIT :page.limit + 1


%op person_update write
% if_rows=CONFLICT
$person_taken
% when=row.key_id unless_rows=STALE
$person_key_there
% if_rows=CONFLICT
$person_is_last(:row.id) AND coalesce(:row.role, role) <> 'owner'
% when=after if_rows=CONFLICT
$person_key_is_last(:row.id) AND :after & $JUDGE_KEY_MAY_ALL = 0
% when=after
UPDATE api_keys
    SET permissions = :after
    WHERE org = :org AND permissions = :before AND id = (SELECT key_id
        FROM people WHERE $person_of = :row.id)
% row=row unless_rows=NOT_FOUND
UPDATE people
    SET name = coalesce(:row.name, name),
        address = coalesce(:row.address, address),
        role = coalesce(:row.role, role), login = coalesce(:row.login, login),
        key_id = coalesce(:row.key_id, key_id), updated_at = :now
    WHERE org = :org AND id = :row.id
    RETURNING @{$person_columns}


%op person_delete write
% if_rows=CONFLICT
$person_is_last(:id)
% if_rows=CONFLICT
$person_key_is_last(:id)
%
DELETE FROM api_keys WHERE org = :org AND id = (SELECT key_id FROM people
        WHERE $person_of = :id)
% unless_changed=NOT_FOUND
DELETE FROM people WHERE $person_of = :id


%op login_find inline
% row=row unless_rows=NOT_FOUND
SELECT @{org, id, id AS person, role}
    FROM people
    WHERE login = :login AND org = coalesce(:org, (SELECT id
        FROM organizations WHERE id = (SELECT min(id) FROM organizations)
        AND id = (SELECT max(id) FROM organizations)))
