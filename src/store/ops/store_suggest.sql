-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Suggestions for the wording of criteria, and the feedback for making them.


$suggestion_columns = org, id, judge_id, version, criterion_id, model, status,
        created_at, created_by, completed_at, attempts, result

-- A judge has one at a time, because each is measured on the same texts.

%op suggestion_create write
% if_rows=CONFLICT
SELECT 1 FROM suggestions
    WHERE org = :org AND judge_id = :row.judge_id AND queue_at IS NOT NULL
    LIMIT 1
% unless_changed=NOT_FOUND
INSERT INTO suggestions (org, id, judge_id, version, criterion_id, model,
        status, created_at, created_by, queue_at)
    SELECT :org, :row.id, :row.judge_id, :row.version, :row.criterion_id,
        :row.model, 'queued', :row.created_at, :row.created_by,
        :row.created_at
    FROM judges
    WHERE org = :org AND id = :row.judge_id AND deleted_at IS NULL


%op suggestion_find inline
% row=row unless_rows=NOT_FOUND
SELECT @{$suggestion_columns} FROM suggestions
    WHERE org = :org AND id = :id AND judge_id = :judge_id


%op suggestion_list bulk page
% unless_rows=NOT_FOUND
$judge_lives(:judge_id)
% list=rows
SELECT @{$suggestion_columns} FROM suggestions
    WHERE org = :org AND judge_id = :judge_id
        AND id < coalesce(:page.before, '~')
    ORDER BY id DESC LIMIT :page.limit + 1


-- An entry of feedback, and the criteria that it is about.
$suggestion_entry = (SELECT '[' || f.content || ','
        || f.target_criteria || ']' FROM feedback f
        WHERE f.org = :org AND f.evaluation_id = @id
        AND (f.content LIKE '%"explanation"%' OR f.content LIKE '%"comment"%')
        ORDER BY f.submitted_at DESC, f.id DESC LIMIT 1 OFFSET $1)

%op suggestion_words bulk
% each=rows:count
SELECT @{e.content_id, c.name, $suggestion_entry(0) AS entries[0],
        $suggestion_entry(1) AS entries[1], $suggestion_entry(2) AS entries[2]}
    FROM evaluations e
    JOIN contents c ON c.org = e.org AND c.id = e.content_id
    WHERE e.org = :org AND e.id = @id


-- Reads a version and those before it, newest first; the number of wordings
-- that were measured for it before; and the settings of the organization.

%op suggestion_load bulk
% list=rows most=JUDGE_SUGGESTION_VERSIONS
SELECT @{version, criteria} FROM judge_versions
    WHERE org = :org AND judge_id = :judge_id AND version <= :version
    ORDER BY version DESC LIMIT $JUDGE_SUGGESTION_VERSIONS
%
SELECT :{COUNT(*) AS tries} FROM suggestions
    WHERE org = :org AND judge_id = :judge_id AND version = :version
        AND tried = 1
%
SELECT :{$settings_llm}
    FROM organizations
    LEFT
    JOIN org_settings ON org = id
    WHERE id = :org


%op suggestion_peek inline of=judge_peek_t
%
SELECT :{EXISTS (SELECT 1 FROM suggestions WHERE queue_at <= :now)
        AS pending}


%op suggestion_claim write
% row=row unless_rows=NOT_FOUND
UPDATE suggestions
    SET queue_at = :claim.lease.until, owner = :claim.lease.owner,
        attempts = attempts + 1, status = 'running'
    WHERE (org, id) = (SELECT org, id FROM suggestions
        WHERE queue_at <= :claim.now ORDER BY queue_at LIMIT 1 $skip_locked)
    RETURNING @{$suggestion_columns}


%op suggestion_write write
% unless_changed=CONFLICT
UPDATE suggestions
    SET status = coalesce(:status, status), queue_at = :queue_at?,
        owner = CASE WHEN :release = 1 THEN NULL ELSE owner END,
        attempts = attempts - :release, tried = :tried,
        completed_at = :completed_at?, result = :result
    WHERE org = :org AND id = :id AND owner = :owner
        AND status = 'running'
