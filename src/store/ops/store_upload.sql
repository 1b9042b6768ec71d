-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Uploads, from their creation until their file has been read; and references.


$upload_columns = org, id, kind, status, queue_at, attempts, created_at,
        expires_at, max_size, size, file_type, extension, name, evaluation_id,
        file_path, multipart, metadata


%op secret write
%
INSERT INTO service_secrets (name, value)
    VALUES (:name, :value#blob)
    ON CONFLICT DO NOTHING
%
SELECT :{value} FROM service_secrets WHERE name = :name


%op upload_create write
%
INSERT INTO uploads (org, id, kind, status, queue_at, created_at, expires_at,
        max_size, file_type, extension, name, evaluation_id, file_path,
        multipart, metadata)
    VALUES (:org, :row.id, :row.kind, 'waiting', :row.queue_at,
        :row.created_at, :row.expires_at, :row.max_size, :row.file_type,
        :row.extension, :row.name, :row.evaluation_id, :row.file_path,
        :row.multipart, :row.metadata)
%
INSERT INTO reference_texts (org, id, status, created_at, extension)
    SELECT :org, :row.id, 'waiting', :row.created_at, :row.extension
    WHERE :row.kind = 'reference'
% when=evaluates
INSERT INTO evaluations (org, id, status, priority, content_id, judge_id,
        judge_version, created_at, deadline, model, samples, fresh, trace)
    VALUES (:org, :evaluation.id, 'processing', :evaluation.priority,
        :evaluation.content_id, :evaluation.judge_id,
        :evaluation.judge_version, :evaluation.created_at,
        :evaluation.deadline, :evaluation.model, :evaluation.samples?,
        :evaluation.fresh?, :evaluation.trace)


%op upload_find inline
%
SELECT :{1 AS came}
    FROM contents
    WHERE org = :org AND id = :id
    UNION ALL SELECT 1
    FROM reference_texts
    WHERE org = :org AND id = :id AND file_path IS NOT NULL
% row=row unless_rows=NOT_FOUND
SELECT @{$upload_columns} FROM uploads WHERE org = :org AND id = :id


%op upload_receive write
% unless_changed=CONFLICT
UPDATE uploads
    SET status = 'received', file_path = :file_path, size = :size,
        queue_at = :now, attempts = 0
    WHERE org = :org AND id = :id AND status = 'waiting' AND expires_at > 0
%
INSERT INTO contents (org, id, file_type, status, size, created_at, name,
        file_path, metadata)
    SELECT org, id, file_type, 'uploaded', :size, :now, name, :file_path,
        metadata
    FROM uploads
    WHERE org = :org AND id = :id AND kind = 'content'
%
UPDATE reference_texts SET file_path = :file_path WHERE org = :org AND id = :id


%op upload_peek inline of=judge_peek_t
%
SELECT :{EXISTS (SELECT 1 FROM uploads WHERE queue_at <= :now) AS pending}


%op upload_claim write
% row=row unless_rows=NOT_FOUND
UPDATE uploads
    SET queue_at = CASE
            WHEN status = 'waiting' AND file_path IS NOT NULL
                AND :claim.now < expires_at + 60000
            THEN :claim.now
                + max(1000, min(15000, (:claim.now - created_at) / 8))
            WHEN file_path LIKE 's3:%' THEN :claim.now + 20000
            ELSE :claim.lease.until END,
        owner = :claim.lease.owner, attempts = attempts + 1
    WHERE (org, id) = (SELECT org, id FROM uploads
        WHERE queue_at <= :claim.now ORDER BY queue_at LIMIT 1 $skip_locked)
    RETURNING @{$upload_columns}
%
UPDATE contents
    SET status = 'processing'
    WHERE org = :row.org AND id = :row.id AND status = 'uploaded'
% when=row.evaluation_id
SELECT :{org AS job.org, id AS job.id, attempts AS job.attempts,
        created_at AS job.created_at,
        deadline AS job.deadline, content_id AS job.content_id,
        judge_id AS job.judge_id, judge_version AS job.judge_version}
    FROM evaluations
    WHERE org = :row.org AND id = :row.evaluation_id


%op upload_hasten write
% each=ids
UPDATE uploads
    SET queue_at = 0
    WHERE org = :orgs[] AND id = :ids[] AND status = 'waiting'
        AND file_path IS NOT NULL
% each=ids
SELECT :{1 AS :known[]}
    FROM uploads
    WHERE org = :orgs[] AND id = :ids[]
    UNION ALL SELECT 1
    FROM contents
    WHERE org = :orgs[] AND id = :ids[]
    UNION ALL SELECT 1
    FROM reference_texts
    WHERE org = :orgs[] AND id = :ids[]


%op upload_abort write
% unless_changed=NOT_FOUND
UPDATE uploads
    SET queue_at = :now, expires_at = 0
    WHERE org = :org AND id = :id AND status = 'waiting' AND expires_at > :now


%op upload_finish write end=upload_finish_end
% unless_changed=NOT_FOUND
DELETE FROM uploads WHERE org = :org AND id = :id
% when=received,!reference
UPDATE contents
    SET status = CASE WHEN :reason IS NULL THEN 'ready' ELSE 'error' END,
        text_content = :text_content, metadata = :metadata
    WHERE org = :org AND id = :id
% when=evaluation_id,!reason
UPDATE evaluations
    SET deadline = :deadline, queue_at = CASE WHEN model IS NULL
        THEN :queue_at ELSE :now END
    WHERE org = :org AND id = :evaluation_id AND status = 'processing'
% when=evaluation_id,reason read=upload_finish_failed
UPDATE evaluations
    SET status = 'failed', evaluated_at = :failed.evaluated_at,
        last_error = :failed.last_error
    WHERE org = :org AND id = :evaluation_id AND status = 'processing'
    RETURNING id
% when=evaluation_id,reason,changed row=failed
$result_insert(:org)
% when=reference
UPDATE reference_texts
    SET status = CASE WHEN :reason IS NULL THEN 'ready' ELSE 'error' END,
        text_content = :text_content, reason = :reason
    WHERE org = :org AND id = :id
% when=reference read=upload_finish_judge
SELECT f.judge_id
    FROM judge_references f
    JOIN judges j ON j.org = f.org AND j.id = f.judge_id
        AND j.version = f.version
    WHERE f.org = :org AND f.reference_id = :id


%op files_known bulk
% each=ids
SELECT :{1 AS :known[]}
    FROM uploads
    WHERE org = :orgs[] AND id = :ids[] AND file_path = :names[]
    UNION ALL SELECT 1
    FROM contents
    WHERE org = :orgs[] AND id = :ids[] AND file_path = :names[]
    UNION ALL SELECT 1
    FROM reference_texts
    WHERE org = :orgs[] AND id = :ids[] AND file_path = :names[]


%op references_check inline
% each=ids step=references_check_step read=references_check_read
SELECT status = 'waiting' FROM reference_texts WHERE org = :org AND id = @self


$reference_columns = t.id, t.extension, t.status, t.created_at, t.reason,
        t.file_path

-- $references_of(ORGANIZATION, JUDGE, VERSION)
$references_of = FROM judge_references f
    JOIN reference_texts t ON t.org = f.org AND t.id = f.reference_id
    WHERE f.org = $1 AND f.judge_id = $2 AND f.version = $3

-- Whether an evaluation waits for a reference that has not been read yet.
$references_waiting = EXISTS (SELECT 1 $references_of($1.org, $1.judge_id,
        $1.judge_version) AND t.status = 'waiting')


%op reference_find inline
% row=row unless_rows=NOT_FOUND
SELECT @{$reference_columns}
    FROM reference_texts t
    WHERE t.org = :org AND t.id = :id
%
SELECT :{1 AS promised}
    FROM uploads
    WHERE org = :org AND id = :id AND status = 'waiting'
