-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Evaluations of an organization, jobs that consist of several evaluations,
-- and results of external workers.


-- An evaluation of a large batch may be queued and claimed with its range.
$evaluation_range = (SELECT r.$1 FROM queue_ranges r
        WHERE status = 'processing' AND evaluations.queue_at IS NULL
        AND model IS NULL AND r.org = evaluations.org
        AND r.batch_id = evaluations.batch_id AND r.first <= evaluations.id
        AND r.last >= evaluations.id ORDER BY r.first DESC LIMIT 1)

$evaluation_columns = org, id, status, coalesce(queue_at,
        $evaluation_range(queue_at)) AS queue_at, priority, coalesce(owner,
        $evaluation_range(owner)) AS owner, attempts,
        content_id, judge_id, judge_version, batch_id, created_at, deadline,
        evaluated_at, last_error, $result(evaluations, body, bodies) AS
        body#packed, work_progress AS progress, given_back,
        status = 'processing' AND $references_waiting(evaluations) AS learning,
        status = 'processing' AND work_kind IS NULL
        AND EXISTS (SELECT 1 FROM training_jobs t
        WHERE t.org = evaluations.org AND t.judge_id = evaluations.judge_id
        AND t.base_version = evaluations.judge_version
        AND t.refits IS NOT NULL AND t.completed_at IS NULL
        AND t.created_at + $JUDGE_REFIT_WAIT > coalesce(evaluations.queue_at,
        0)) AS refitting,
        status = 'processing' AND model IS NULL AND queue_at = deadline
        AND (work_lease IS NULL OR work_until IS NULL) AS unclaimed

-- $result(EVALUATION, COLUMN OF results, COLUMN OF results_together): the
-- value, then its index if several evaluations share the row.
$result = CASE WHEN $1.result IS NULL THEN (SELECT $2 FROM results alone
        WHERE alone.org = $1.org AND alone.evaluation_id = $1.id)
        ELSE (SELECT $3 FROM results_together together
        WHERE together.org = $1.org
        AND together.number = $1.result / 64) END; $1.result % 64

$result_insert = INSERT INTO results (org, evaluation_id, status, features,
        body)
    VALUES ($1, @id, @status, @features#floats, @body#packed)

$evaluation_list =
    SELECT @{$evaluation_columns}
    FROM evaluations $1
    WHERE org = :org AND id < :before $2
        AND (:batch_id IS NULL OR batch_id = :batch_id)
        AND (:status IS NULL OR status = :status)
        AND (:needs_review IS NULL OR (review > 0) = (:needs_review <> 0))
    ORDER BY id DESC LIMIT :page.limit + 1

$evaluation_of_judge =
    SELECT *
    FROM (SELECT id FROM evaluations INDEXED BY evaluations_judge_$1
        WHERE org = :org AND judge_id = :judge_id AND status = '$2'
        AND id >= :from AND id < :before
        AND (:batch_id IS NULL OR batch_id = :batch_id)
        ORDER BY id DESC LIMIT :page.limit + 1)

-- The evaluation before walk.id.  After 50 evaluations in a row that are not
-- completed it is the next completed one, found by the indexes by judge.
$evaluation_below = CASE WHEN walk.gap < 50 THEN (SELECT max(below.id)
        FROM evaluations below WHERE below.org = :org AND below.id < walk.id)
        ELSE (SELECT max((SELECT max(done.id) FROM evaluations done
        INDEXED BY evaluations_judge_done WHERE done.org = :org
        AND done.judge_id = judges.id AND done.status = 'completed'
        AND done.id < walk.id)) FROM judges WHERE judges.org = :org) END

-- Whether the service itself judges the evaluation, and no external worker.
$evaluation_inside = (model IS NOT NULL OR (SELECT content_type
        FROM judges WHERE org = :org AND id = evaluations.judge_id) = 'text')


%op pair_find inline
%
SELECT :{j.version AS active.version, j.content_type AS active.content_type,
        $judge_active_model AS active.model, v.samples AS active.samples,
        c.file_type, c.status AS content_status, (SELECT default_model
        FROM org_settings WHERE org = j.org) AS default_model}
    FROM judges j
    JOIN judge_versions v ON $judge_active
    LEFT
    JOIN contents c ON c.org = j.org AND c.id = :content_id
    WHERE j.org = :org AND j.id = :active.judge_id AND j.deleted_at IS NULL
% when=content_id,!file_type
SELECT :{file_type, 'processing' AS content_status}
    $content_promised(:content_id)


-- If the content or the judge does not exist, a NOT NULL column would be NULL,
-- and the row is ignored.  INSERT ... SELECT would need a temporary table.
-- Evaluations for external workers are queued by an update, here and below,
-- because the triggers that notify these workers fire on updates only.

%op evaluation_create write
% when=content.id
INSERT INTO contents (org, id, file_type, status, size, created_at, name,
        metadata, text_content)
    VALUES (:org, :content.id, :content.file_type, :content.status,
        :content.size, :content.created_at, :content.name, :content.metadata,
        :content.text_content)
% unless_changed=NOT_FOUND
INSERT OR IGNORE INTO evaluations (org, id, status, queue_at, priority, owner,
        attempts, content_id, judge_id, judge_version, batch_id, created_at,
        deadline, model, samples, fresh, trace)
    VALUES (:org, :row.id, 'processing', CASE WHEN :waits = 0
        THEN :row.queue_at END, :row.priority, :row.owner, :row.attempts,
        (SELECT id FROM contents WHERE org = :org AND id = :row.content_id),
        (SELECT id FROM judges WHERE org = :org AND id = :row.judge_id
        AND deleted_at IS NULL), :row.judge_version, :row.batch_id,
        :row.created_at, :row.deadline, :row.model, :row.samples?, :row.fresh?,
        :row.trace)
% when=waits
UPDATE evaluations
    SET queue_at = deadline, deadline = deadline
    WHERE org = :org AND id = :row.id


-- The most frequent operation.  The body of an ended evaluation has all of
-- its members, so no other column is read then.

%op evaluation_find inline
%
SELECT :{$result(evaluations, body, bodies) AS row.body#packed,
        status AS row.status}
    FROM evaluations
    WHERE org = :org AND id = :id
% row=row when=!row.body unless_rows=NOT_FOUND
SELECT @{$evaluation_columns} FROM evaluations WHERE org = :org AND id = :id


-- One statement for each index; judge_evaluation_list_by() chooses one.  Few
-- evaluations are processing, have failed or need a review, so these have
-- partial indexes.  A judge's evaluations have one index for each status: a
-- new evaluation is in only one of them.  The ids of a batch are close to each
-- other, so each index also finds its part of a batch.  There is no index of
-- all completed evaluations, because these are the majority; if many others
-- are between them, $evaluation_below skips those.

%op evaluation_list bulk page
% step=evaluation_list_step
SELECT :{(SELECT min(e.id) FROM evaluations e WHERE e.org = :org
        AND e.batch_id = :batch_id) AS from, (SELECT max(e.id) || '~'
        FROM evaluations e WHERE e.org = :org AND e.batch_id = :batch_id
        AND e.id < coalesce(:page.before, '~')) AS before}
    FROM batches
    WHERE org = :org AND id = :batch_id
% list=rows step=evaluation_list_step
$evaluation_list(INDEXED BY evaluations_batch, AND batch_id = :batch_id)
% list=rows step=evaluation_list_step
$evaluation_list(INDEXED BY evaluations_content,
        AND content_id = :content_id AND (:judge_id IS NULL
        OR judge_id = :judge_id))
% list=rows step=evaluation_list_step
$evaluation_list(INDEXED BY evaluations_judge_failed,
        AND id >= :from AND status = 'failed' AND judge_id = :judge_id)
% list=rows step=evaluation_list_step
$evaluation_list(INDEXED BY evaluations_failed,
        AND id >= :from AND status = 'failed')
% list=rows step=evaluation_list_step
$evaluation_list(INDEXED BY evaluations_judge_open,
        AND id >= :from AND status = 'processing' AND judge_id = :judge_id)
% list=rows step=evaluation_list_step
$evaluation_list(INDEXED BY evaluations_open,
        AND id >= :from AND status = 'processing')
% list=rows step=evaluation_list_step
$evaluation_list(INDEXED BY evaluations_judge_review,
        AND id >= :from AND review > 0 AND judge_id = :judge_id)
% list=rows step=evaluation_list_step
$evaluation_list(INDEXED BY evaluations_review,
        AND id >= :from AND review > 0)
% list=rows step=evaluation_list_step
$evaluation_list(INDEXED BY evaluations_judge_done,
        AND id >= :from AND status = 'completed' AND judge_id = :judge_id)
% list=rows step=evaluation_list_step
SELECT @{$evaluation_columns}
    FROM evaluations
    WHERE org = :org AND id IN ($evaluation_of_judge(done, completed)
        UNION ALL $evaluation_of_judge(failed, failed)
        UNION ALL $evaluation_of_judge(open, processing))
    ORDER BY id DESC LIMIT :page.limit + 1
% list=rows step=evaluation_list_step
WITH RECURSIVE walk (id, hit, gap) AS (SELECT :before, 1 = 0, 0
        UNION ALL SELECT e.id, e.status = 'completed' AND (:batch_id IS NULL
        OR e.batch_id = :batch_id) AND (:needs_review IS NULL
        OR e.review = 0), CASE e.status WHEN 'completed' THEN 0
        ELSE walk.gap + 1 END
        FROM walk CROSS JOIN evaluations e
        WHERE e.org = :org AND e.id = $evaluation_below AND e.id >= :from)
SELECT @{$evaluation_columns}
    FROM evaluations
    WHERE org = :org AND id IN (SELECT id FROM walk WHERE hit
        LIMIT :page.limit + 1)
    ORDER BY id DESC
% list=rows step=evaluation_list_step
$evaluation_list(,)


%op evaluation_retry write end=evaluation_retry_end
% read=evaluation_retry_read
UPDATE evaluations
    SET status = 'processing', queue_at = CASE WHEN $evaluation_inside
        THEN :now ELSE :callback_deadline END, deadline = CASE
        WHEN $evaluation_inside THEN :deadline ELSE :callback_deadline END,
        attempts = 0, given_back = 0, owner = NULL, last_error = NULL,
        evaluated_at = NULL,
        overall_score = NULL, error_code = NULL, batch_seq = NULL
    WHERE org = :org AND id = :id AND status = 'failed'
        AND EXISTS (SELECT 1 FROM contents c WHERE c.org = :org
        AND c.id = evaluations.content_id)
    RETURNING batch_id
% chain=batches read=batch_count_read
$batch_count
% row=row unless_rows=NOT_FOUND
SELECT @{$evaluation_columns} FROM evaluations WHERE org = :org AND id = :id


%op job_create write
% of=judge_evaluation_row_t step=job_create_step unless_changed=NOT_FOUND
INSERT INTO jobs (org, id, kind, created_at, judge_id, judge_version)
    SELECT :org, :id, :kind, :created_at, @judge_id, @judge_version
    WHERE EXISTS (SELECT 1 FROM judges WHERE org = :org AND id = @judge_id
        AND deleted_at IS NULL)
% each=contents
INSERT INTO contents (org, id, file_type, status, size, created_at, name,
        file_url, metadata)
    VALUES (:org, @id, @file_type, @status, @size, @created_at, @name,
        @file_url, @metadata)
% each=evaluations
INSERT INTO evaluations (org, id, status, priority, content_id, judge_id,
        judge_version, created_at, deadline, trace)
    VALUES (:org, @id, 'processing', @priority, @content_id, @judge_id,
        @judge_version, @created_at, @deadline, @trace)
% each=evaluations
UPDATE evaluations
    SET queue_at = deadline, deadline = deadline
    WHERE org = :org AND id = @id
% each=evaluations
INSERT INTO job_evaluations (org, job_id, evaluation_id)
    VALUES (:org, :id, @id)


%op job_find bulk
% unless_rows=NOT_FOUND
SELECT :{COUNT(e.id) AS total, COUNT(*) FILTER (WHERE e.status = 'completed')
        AS completed, COUNT(*) FILTER (WHERE e.status = 'failed') AS failed}
    FROM jobs j
    LEFT
    JOIN job_evaluations m ON m.org = j.org AND m.job_id = j.id
    LEFT
    JOIN evaluations e ON e.org = m.org AND e.id = m.evaluation_id
    WHERE j.org = :org AND j.id = :id
    GROUP BY j.id


%op job_results bulk page
% list=rows
SELECT @{$evaluation_columns}
    FROM evaluations
    WHERE org = :org AND id IN (SELECT evaluation_id FROM job_evaluations
        WHERE org = :org AND job_id = :id AND (:page.before IS NULL
        OR evaluation_id < :page.before)
        ORDER BY evaluation_id DESC LIMIT :page.limit + 1)
    ORDER BY id DESC


-- A callback names no organization, so the evaluation is found by its id
-- alone, but only if it is one for external workers.

%op callback_find bulk
% unless_rows=NOT_FOUND
SELECT :{o.id AS row.org, o.webhook_secret AS secret}
    FROM organizations o
    WHERE o.id = (SELECT org FROM evaluations WHERE id = :id
        AND work_kind IS NOT NULL)
% row=row unless_rows=NOT_FOUND
SELECT @{$evaluation_columns}
    FROM evaluations
    WHERE org = :row.org AND id = :id
% unless_rows=NOT_FOUND
SELECT :{j.content_type, v.name AS judge_name,
        v.description AS judge_description, v.review, v.criteria}
    FROM judge_versions v
    JOIN judges j ON j.org = v.org AND j.id = v.judge_id
    WHERE v.org = :row.org AND v.judge_id = :row.judge_id
        AND v.version = :row.judge_version
% list=former:nformer most=JUDGE_FORMER_SECRETS
SELECT @{secret, until}
    FROM former_secrets
    WHERE org = :row.org
    ORDER BY until DESC LIMIT $JUDGE_FORMER_SECRETS
% list=references:nreferences most=JUDGE_REFERENCES_MAX
SELECT @{$reference_columns}
    $references_of(:row.org, :row.judge_id, :row.judge_version)
    ORDER BY f.position


%op callback_finish write
% unless_rows=CONFLICT read=callback_finish_read
UPDATE evaluations
    SET status = :result.status, queue_at = NULL,
        evaluated_at = :result.evaluated_at,
        overall_score = :result.overall_score?scored,
        review = :result.review?scored, last_error = :result.last_error,
        error_code = :result.error_code,
        attempts = :attempts, owner = NULL, work_until = NULL,
        work_lease = NULL, batch_seq = (SELECT b.last_seq + 1
        FROM batches b WHERE b.org = :org AND b.id = evaluations.batch_id
        $locked)
    WHERE org = :org AND id = :result.id AND status = 'processing'
    RETURNING batch_id
% row=result
$result_insert(:org)
% chain=batches read=batch_count_read
$batch_count
