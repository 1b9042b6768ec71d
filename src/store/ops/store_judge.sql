-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Judges and their versions.


-- A judge is learning while a reference of its active version is unread, and
-- in training while one of its jobs runs.  If v, the version to return, is the
-- active one and has no references, the tables of references are not read.
$judge_status = CASE WHEN EXISTS (SELECT 1 FROM training_jobs a
        WHERE a.org = j.org AND a.judge_id = j.id
        AND a.status IN ('preparing', 'training', 'validating'))
        THEN 'training' WHEN (v.version <> j.version
        OR v.reference_uris IS NOT NULL) AND EXISTS (SELECT 1
        FROM judge_references f JOIN reference_texts t ON t.org = f.org
        AND t.id = f.reference_id WHERE f.org = j.org AND f.judge_id = j.id
        AND f.version = j.version AND t.status = 'waiting')
        THEN 'learning' ELSE j.status END

$judge_columns = j.id, j.content_type, $judge_status AS status,
        j.version AS active, j.latest, j.created_at, j.updated_at, v.version,
        v.created_at AS version_created_at, v.criteria_count, v.name,
        v.changes_summary, v.samples, $version_texts(v.),
        m.job_id AS trained_by, m.inputs AS trained_inputs,
        (SELECT s.default_model FROM org_settings s WHERE s.org = j.org)
        AS default_model

$judge_model =
    LEFT JOIN judge_calibrators m ON m.org = v.org AND m.judge_id = v.judge_id
        AND m.version = v.version

-- What a trained version takes over, each behind $1.
$version_texts = $1description, $1criteria, $1reference_uris, $1model,
        $1feedback_language, $1review, $1escalate, $1scope, $1panel

$version_insert = INSERT INTO judge_versions (org, judge_id, version,
        created_at, criteria_count, name, changes_summary, samples,
        $version_texts())
    VALUES (:org, :row.id, :row.version, :row.version_created_at,
        :row.criteria_count, :row.name, :row.changes_summary, :row.samples?,
        $version_texts(:row.))

$reference_insert = INSERT INTO judge_references (org, judge_id, version,
        position, reference_id)
    VALUES (:org, :row.id, :row.version, :turn, @self)


%op judge_create write end=judge_create_end
%
INSERT INTO judges (org, id, content_type, status, version, latest, created_at,
        updated_at)
    VALUES (:org, :row.id, :row.content_type, :row.status, 1, 1,
        :row.created_at, :row.created_at)
%
$version_insert
% each=row.reference_ids:row.nreferences
$reference_insert


%op judge_find inline
% row=row unless_rows=NOT_FOUND
SELECT @{$judge_columns}
    FROM judges j
    JOIN judge_versions v ON v.org = j.org AND v.judge_id = j.id
        AND v.version = coalesce(:version?, j.version) $judge_model
    WHERE j.org = :org AND j.id = :id AND j.deleted_at IS NULL
% list=references:nreferences when=row.reference_uris most=JUDGE_REFERENCES_MAX
SELECT @{$reference_columns}
    $references_of(:org, :id, :row.version)
    ORDER BY f.position


%op judge_list bulk page
% list=rows
SELECT @{$judge_columns}
    FROM judges j
    JOIN judge_versions v ON v.org = j.org AND v.judge_id = j.id
        AND v.version = j.version $judge_model
    WHERE j.org = :org AND j.id < coalesce(:page.before, '~')
        AND j.deleted_at IS NULL AND (:content_type IS NULL
        OR j.content_type = :content_type) AND (:status IS NULL
        OR :status = $judge_status)
    ORDER BY j.id DESC LIMIT :page.limit + 1


%op judge_update write end=judge_create_end
% unless_changed=STALE
UPDATE judges
    SET version = CASE WHEN :inactive = 1 THEN version ELSE :row.version END,
        latest = :row.version, updated_at = :row.version_created_at,
        status = :row.status
    WHERE org = :org AND id = :row.id AND latest = :row.latest
        AND version = :row.active AND deleted_at IS NULL
%
$version_insert
% each=row.reference_ids:row.nreferences
$reference_insert
% when=keep_model
INSERT INTO judge_calibrators (org, judge_id, version, job_id, created_at,
        trained_until, items, inputs, model)
    SELECT org, judge_id, :row.version, job_id, created_at, trained_until,
        items, inputs, model
    FROM judge_calibrators
    WHERE org = :org AND judge_id = :row.id AND version = :row.active


%op judge_activate write
% unless_changed=NOT_FOUND
UPDATE judges
    SET version = :version, updated_at = :now
    WHERE org = :org AND id = :id AND deleted_at IS NULL
        AND EXISTS (SELECT 1 FROM judge_versions v WHERE v.org = :org
        AND v.judge_id = :id AND v.version = :version)
%
$canary_gone(:id) AND version = :version
% when=changed
$canary_scores_gone(:id)


%op judge_versions bulk
% unless_rows=NOT_FOUND
SELECT :{version AS active, latest}
    FROM judges
    WHERE org = :org AND id = :id AND deleted_at IS NULL
% list=rows limit=latest
SELECT @{version, created_at AS version_created_at, criteria_count, name,
        changes_summary, model, panel, samples}
    FROM judge_versions
    WHERE org = :org AND judge_id = :id
    ORDER BY version DESC


-- The evaluations and feedback of a deleted judge can still be read.  Its
-- examples are deleted, because no more training jobs will read them.

$of_judge = SELECT evaluation_id FROM examples
        WHERE org = :org AND judge_id = :id


%op judge_delete write
% when=version unless_rows=STALE
SELECT 1
    FROM judges
    WHERE org = :org AND id = :id AND version = :version
        AND deleted_at IS NULL $locked
% when=!continued if_rows=CONFLICT
SELECT 1 FROM making_judges WHERE org = :org AND judge_id = :id LIMIT 1
% when=!continued if_rows=CONFLICT
SELECT 1
    FROM evaluations INDEXED BY evaluations_judge_open
    WHERE org = :org AND judge_id = :id AND status = 'processing' LIMIT 1
%
DELETE
    FROM examples
    WHERE org = :org AND judge_id = :id AND evaluation_id IN ($of_judge
        ORDER BY evaluation_id LIMIT $JUDGE_DELETION_ROWS)
% when=!continued unless_changed=NOT_FOUND
UPDATE judges
    SET deleted_at = :now
    WHERE org = :org AND id = :id AND deleted_at IS NULL
% when=!continued
UPDATE drifts SET queue_at = :now WHERE org = :org AND judge_id = :id
% when=!continued
DELETE FROM alerts WHERE org = :org AND judge_id = :id
% when=!continued
DELETE FROM suggestions WHERE org = :org AND judge_id = :id
% when=!continued
$canary_gone(:id)
% when=!continued
$canary_scores_gone(:id)
% when=!continued
$deletion_noted(judge, $of_judge)
% when=continued
$deletion_over(judge, $of_judge)
