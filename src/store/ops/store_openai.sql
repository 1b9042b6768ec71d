-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Evals, runs and files of OpenAI's interface, and the items of runs.  To
-- delete one is to mark it: the worker that claims it deletes its items slice
-- by slice, and at last its row.


$openai_columns = org, id, parent, status, created_at, attempts, name,
        metadata, progress, body

$openai_of = FROM openai_objects
    WHERE org = :org AND kind = :kind AND parent = :parent
        AND status <> 'deleted' AND (:status IS NULL OR status = :status)


%op openai_create write
% when=child unless_rows=NOT_FOUND
SELECT 1 FROM openai_objects
    WHERE org = :org AND id = :row.parent AND status <> 'deleted'
%
INSERT INTO openai_objects (org, id, kind, parent, status, created_at,
        updated_at, queue_at, name, metadata, progress, body)
    VALUES (:org, :row.id, :kind, :row.parent, :row.status, :row.created_at,
        :row.created_at, :queue_at?, :row.name, :row.metadata, :row.progress,
        :row.body)
% each=items
INSERT INTO openai_items (org, parent, position, status, created_at, item)
    VALUES (:org, :row.id, :turn, 'queued', :row.created_at, @self)


%op openai_find inline of=judge_openai_one_t
% row=row unless_rows=NOT_FOUND
SELECT @{$openai_columns} FROM openai_objects
    WHERE org = :org AND id = :id AND kind = :kind
        AND parent = :parent AND status <> 'deleted'
% when=reads
SELECT :{i.item AS bytes} FROM openai_items i
    JOIN openai_objects o ON o.org = i.org AND o.id = i.parent
    WHERE i.org = :org AND i.parent = :file AND i.position = 0
        AND o.kind = 'file' AND o.status <> 'deleted'


%op openai_list bulk page
% when=after,by_update unless_rows=NOT_FOUND
SELECT 1 FROM openai_objects
    WHERE org = :org AND id = :after AND kind = :kind
% list=rows when=ascending,!by_update
SELECT @{$openai_columns} $openai_of AND id > coalesce(:after, '')
    ORDER BY id LIMIT :page.limit + 1
% list=rows when=!ascending,!by_update
SELECT @{$openai_columns} $openai_of AND id < coalesce(:after, '~')
    ORDER BY id DESC LIMIT :page.limit + 1
% list=rows when=ascending,by_update
SELECT @{$openai_columns} $openai_of AND (:after IS NULL
        OR (updated_at, id) > (SELECT a.updated_at, a.id
        FROM openai_objects a WHERE a.org = :org AND a.id = :after))
    ORDER BY updated_at, id LIMIT :page.limit + 1
% list=rows when=!ascending,by_update
SELECT @{$openai_columns} $openai_of AND (:after IS NULL
        OR (updated_at, id) < (SELECT a.updated_at, a.id
        FROM openai_objects a WHERE a.org = :org AND a.id = :after))
    ORDER BY updated_at DESC, id DESC LIMIT :page.limit + 1


%op openai_update write of=judge_openai_one_t
% unless_changed=NOT_FOUND
UPDATE openai_objects
    SET name = coalesce(:name, name), metadata = coalesce(:metadata,
        metadata), updated_at = :now
    WHERE org = :org AND id = :id AND kind = :kind AND status <> 'deleted'
% row=row unless_rows=NOT_FOUND
SELECT @{$openai_columns} FROM openai_objects
    WHERE org = :org AND id = :id


%op openai_delete write of=judge_openai_one_t
% unless_changed=NOT_FOUND
UPDATE openai_objects
    SET status = 'deleted', queue_at = :now, owner = NULL
    WHERE org = :org AND id = :id AND kind = :kind AND parent = :parent
        AND status <> 'deleted'
%
UPDATE openai_objects
    SET status = 'deleted', queue_at = :now, owner = NULL
    WHERE org = :org AND kind = 'run' AND parent = :id


%op openai_cancel write of=judge_openai_one_t
%
UPDATE openai_objects
    SET status = 'canceled', queue_at = NULL, owner = NULL, updated_at = :now
    WHERE org = :org AND id = :id AND kind = 'run' AND parent = :parent
        AND status IN ('queued', 'in_progress')
% row=row unless_rows=NOT_FOUND
SELECT @{$openai_columns} FROM openai_objects
    WHERE org = :org AND id = :id AND kind = 'run'
        AND parent = :parent AND status <> 'deleted'


%op openai_peek inline of=judge_peek_t
%
SELECT :{EXISTS (SELECT 1 FROM openai_objects WHERE queue_at <= :now)
        AS pending}


%op openai_claim write
% row=row unless_rows=NOT_FOUND
UPDATE openai_objects
    SET queue_at = :claim.lease.until, owner = :claim.lease.owner,
        attempts = attempts + 1, status = CASE WHEN status = 'queued'
        THEN 'in_progress' ELSE status END
    WHERE (org, id) = (SELECT org, id FROM openai_objects
        WHERE queue_at <= :claim.now ORDER BY queue_at LIMIT 1 $skip_locked)
    RETURNING @{$openai_columns}


%op openai_load bulk
% unless_rows=NOT_FOUND
SELECT :{body AS eval} FROM openai_objects
    WHERE org = :org AND id = :parent AND status <> 'deleted'
% list=items limit=limit
SELECT @{position, item} FROM openai_items
    WHERE org = :org AND parent = :id AND position >= :position
        AND status = 'queued'
    ORDER BY position LIMIT :limit


-- Only the owner of the lease may end items: others' results are not stored.

%op openai_slice write
% unless_changed=STALE
UPDATE openai_objects
    SET status = :status, progress = coalesce(:progress, progress),
        attempts = :attempts,
        queue_at = :queue_at?, owner = CASE WHEN :queue_at? IS NULL THEN NULL
        ELSE owner END, updated_at = :now
    WHERE org = :org AND id = :id AND owner = :owner
        AND status = 'in_progress'
% each=items
UPDATE openai_items
    SET status = @status, result = @result, created_at = :now
    WHERE org = :org AND parent = :id AND position = @position


%op openai_sweep write
%
DELETE FROM openai_items
    WHERE org = :org AND parent = :id AND position IN (SELECT position
        FROM openai_items WHERE org = :org AND parent = :id
        ORDER BY position LIMIT 1000)
%
UPDATE openai_objects SET queue_at = :now, owner = NULL, attempts = 0
    WHERE org = :org AND id = :id
%
DELETE FROM openai_objects
    WHERE org = :org AND id = :id AND status = 'deleted'
        AND NOT EXISTS (SELECT 1 FROM openai_items i WHERE i.org = :org
        AND i.parent = :id)


-- Items that have ended, and the bytes of files.  The identifier of an item
-- consists of that of its run and its position.

$openai_item = 'outputitem_' || substr(i.parent, 9) || '_'
            || substr(CAST(100000 + i.position AS TEXT), 2) AS id, i.parent,
        i.position, i.status, i.created_at, i.item AS body,
        i.result AS progress

$openai_items_of = SELECT @{$openai_item}
    FROM openai_items i
    WHERE i.org = :org AND i.parent = :parent AND i.status <> 'queued'
        AND (:status IS NULL OR i.status = :status)

%op openai_item_list bulk page of=judge_openai_list_t
% unless_rows=NOT_FOUND
SELECT 1 FROM openai_objects
    WHERE org = :org AND id = :parent AND parent = :eval_id
        AND status <> 'deleted'
% list=rows when=ascending
$openai_items_of AND i.position > :position
    ORDER BY i.position LIMIT :page.limit + 1
% list=rows when=!ascending
$openai_items_of AND i.position < :position
    ORDER BY i.position DESC LIMIT :page.limit + 1


%op openai_item_find inline of=judge_openai_one_t
% row=row unless_rows=NOT_FOUND
SELECT @{$openai_item}
    FROM openai_items i
    JOIN openai_objects o ON o.org = i.org AND o.id = i.parent
    WHERE i.org = :org AND i.parent = :parent AND i.position = :position
        AND o.parent = :eval_id AND o.status <> 'deleted'
        AND (i.status <> 'queued' OR o.kind = 'file')
