-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Contents.


$content_columns = id, file_type, status, size, created_at, name, description,
        file_path, file_url, metadata


%op content_create write
%
INSERT INTO contents (org, id, file_type, status, size, created_at, name,
        description, file_path, file_url, metadata, text_content)
    VALUES (:org, :row.id, :row.file_type, :row.status, :row.size,
        :row.created_at, :row.name, :row.description, :row.file_path,
        :row.file_url, :row.metadata, :row.text_content)


-- A content whose file has not been uploaded yet.
$content_promised = FROM uploads
    WHERE org = :org AND id = $1 AND kind = 'content' AND status = 'waiting'
        AND expires_at > 0


-- This read runs in a thread (bulk), because a text may be long.

%op content_find bulk
% row=row
SELECT @{$content_columns, text_content}
    FROM contents
    WHERE org = :org AND id = :id
% row=row when=!row.id unless_rows=NOT_FOUND
SELECT @{id, file_type, 'processing' AS status, created_at, name, metadata,
        1 AS promised}
    $content_promised(:id)


$content_list =
    SELECT @{$content_columns}
    FROM contents $1
    WHERE org = :org AND id < coalesce(:page.before, '~') $2
        AND (:file_type IS NULL OR file_type = :file_type)
        AND (:status IS NULL OR status = :status)
    ORDER BY id DESC LIMIT :page.limit + 1


-- Most contents are ready texts, so that only the others have indexes.

%op content_list bulk page
% list=rows step=content_list_step
$content_list(INDEXED BY contents_rare, AND status <> 'ready'
        AND status = :status)
% list=rows step=content_list_step
$content_list(INDEXED BY contents_media, AND file_type <> 'text'
        AND file_type = :file_type)
% list=rows step=content_list_step
$content_list(,)


$of_content = SELECT id FROM evaluations
        WHERE org = :org AND content_id = :id

$slice_of_content = ($of_content ORDER BY id LIMIT $JUDGE_DELETION_ROWS)


%op content_delete write
% when=!continued unless_rows=NOT_FOUND
SELECT :{file_path} FROM contents WHERE org = :org AND id = :id
    UNION ALL SELECT NULL $content_promised(:id)
% read=content_delete_read
SELECT batch_id, status, overall_score
    FROM evaluations
    WHERE org = :org AND id IN $slice_of_content AND batch_id IS NOT NULL
    ORDER BY batch_id $locked
% chain=batches read=batch_count_read
$batch_count
%
DELETE FROM feedback WHERE org = :org AND evaluation_id IN $slice_of_content
%
DELETE FROM examples WHERE org = :org AND evaluation_id IN $slice_of_content
%
DELETE FROM evaluations WHERE org = :org AND id IN $slice_of_content
% when=!continued
DELETE FROM contents WHERE org = :org AND id = :id
% when=!continued
$deletion_noted(content, $of_content)
% when=continued
$deletion_over(content, $of_content)
% when=!continued
UPDATE uploads
    SET queue_at = :now, expires_at = 0
    WHERE org = :org AND id = :id AND status = 'waiting'
