-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Training jobs, for their organization and for the workers that run them.


$training_columns = org, id, judge_id, type, status, priority, attempts, seq,
        created_at, created_by, executed_at, execution_id, started_at,
        completed_at, allocation, max_duration, until, base_version,
        new_version, deployed, items, estimate, phase, epoch, epochs, progress,
        config, options, summary, error, refits

-- Jobs of a judge run one after the other: a job waits while another one of
-- the same judge has a lease that has not expired.
$training_ready =
    FROM training_jobs t
    WHERE t.queue_at <= $1 AND NOT EXISTS (SELECT 1
        FROM training_jobs a WHERE a.org = t.org
        AND a.judge_id = t.judge_id AND a.id <> t.id
        AND a.status IN ('preparing', 'training', 'validating')
        AND a.queue_at > $1)

$training_held =
    WHERE org = :org AND id = :id AND owner = $1
        AND status IN ('preparing', 'training', 'validating')

$training_log = INSERT INTO training_logs (org, job_id, at, level, message)
    VALUES (:org, :id, @at, @level, @message)


-- Feedback that gives a score to learn; other feedback only lowers weights.
$teaches = type = 'correction' OR approved = 1 OR rating > 3

-- The time of the last change, by which jobs choose entries and examples.
$taught_at = COALESCE(updated_at, submitted_at)

-- Counts the feedback, sums how long the last jobs of the tier took, and finds
-- the queued job of the judge.

%op training_summary bulk
%
SELECT :{COUNT(*) AS total, COUNT(*) FILTER (WHERE type <> 'comment') AS
        usable, COUNT(*) FILTER (WHERE type = 'correction') AS corrections,
        COUNT(*) FILTER (WHERE type = 'rating') AS ratings,
        MIN(submitted_at) AS earliest, MAX(submitted_at) AS latest,
        COUNT(*) FILTER (WHERE processed = 0) AS pending,
        COUNT(*) FILTER (WHERE $teaches) AS teaching,
        COUNT(DISTINCT CASE WHEN $teaches
        THEN evaluation_id END) AS evaluations}
    FROM feedback
    WHERE org = :org AND judge_id = :judge_id AND $taught_at > :since
        AND (:until? IS NULL OR $taught_at <= :until?)
%
SELECT :{SUM(completed_at - started_at) AS spent, SUM(items) AS spent_on}
    FROM (SELECT completed_at, started_at, items FROM training_jobs
        WHERE org = :org AND status = 'completed' AND items > 0
            AND COALESCE(allocation, 'standard')
                = COALESCE(:allocation, 'standard')
        ORDER BY id DESC LIMIT 20) AS ready
%
SELECT :{1 AS found, (SELECT t.id FROM training_jobs t WHERE t.org = :org
        AND t.judge_id = :judge_id AND t.status = 'queued'
        ORDER BY t.id LIMIT 1) AS waiting}
    FROM judges
    WHERE org = :org AND id = :judge_id AND deleted_at IS NULL


%op training_create write
% unless_changed=NOT_FOUND
INSERT INTO training_jobs (org, id, judge_id, type, status, priority, queue_at,
        executed_at, executed_by, created_at, created_by, execution_id,
        allocation, max_duration, estimate, epochs, config, options, summary,
        base_version, refits)
    SELECT :org, :row.id, :row.judge_id, :row.type, :row.status, :row.priority,
        :row.executed_at?, :row.executed_at?, CASE
        WHEN :row.executed_at? IS NULL THEN NULL ELSE :row.created_by END,
        :row.created_at, :row.created_by, :row.execution_id, :row.allocation,
        :row.max_duration?, :row.estimate, :row.epochs, :row.config,
        :row.options, :row.summary, :row.base_version?, :row.refits?
    FROM judges
    WHERE org = :org AND id = :row.judge_id AND deleted_at IS NULL
    ON CONFLICT DO NOTHING


-- Whether a version was, or is being, refitted for an engine.

%op refit_find inline
% unless_rows=NOT_FOUND
SELECT :{j.version = :version AS active, t.id IS NOT NULL AS tried,
        CASE WHEN t.completed_at IS NULL THEN t.created_at END AS since,
        CASE WHEN t.deployed = 1 THEN t.new_version END AS refitted}
    FROM judges j
    LEFT
    JOIN training_jobs t ON t.org = j.org AND t.judge_id = j.id
        AND t.base_version = :version AND t.refits = :engine
    WHERE j.org = :org AND j.id = :judge_id AND j.deleted_at IS NULL


%op training_find inline
% row=row unless_rows=NOT_FOUND
SELECT @{$training_columns, metrics, results}
    FROM training_jobs
    WHERE org = :org AND id = :id


%op training_course bulk
% when=limit list=epochs:nepochs limit=limit
SELECT @{epoch, training_loss, validation_loss AS validation_loss?validated}
    FROM (SELECT * FROM training_epochs WHERE org = :org
        AND job_id = :id ORDER BY epoch DESC LIMIT :limit) AS ready
    ORDER BY epoch
% when=with_logs list=logs:nlogs most=JUDGE_TRAINING_LOGS
SELECT @{at, level, message}
    FROM (SELECT rowid AS n, * FROM training_logs WHERE org = :org
        AND job_id = :id ORDER BY rowid DESC LIMIT $JUDGE_TRAINING_LOGS) AS
        ready
    ORDER BY n


$training_list =
    SELECT @{$training_columns}
    FROM training_jobs
    WHERE org = :org AND id < coalesce(:page.before, '~') $1
    ORDER BY id DESC LIMIT :page.limit + 1

%op training_list bulk page
% list=rows when=judge_id,status
$training_list(AND judge_id = :judge_id AND status = :status)
% list=rows when=judge_id,!status
$training_list(AND judge_id = :judge_id)
% list=rows when=!judge_id,status
$training_list(AND status = :status)
% list=rows when=!judge_id,!status
$training_list()


-- Queues the job, reads it, and counts the jobs that run before it.

%op training_execute write
% unless_changed=CONFLICT
UPDATE training_jobs
    SET status = 'queued', queue_at = :now, executed_at = :now,
        executed_by = :executed_by, execution_id = :execution_id,
        seq = seq + 1, priority = CASE WHEN :priority < 0 THEN priority
        ELSE :priority END, allocation = COALESCE(:allocation, allocation),
        max_duration = COALESCE(:max_duration?, max_duration),
        options = :options, summary = :summary, estimate = :estimate
    WHERE org = :org AND id = :id AND status = 'created'
% row=row unless_rows=NOT_FOUND
SELECT @{$training_columns} FROM training_jobs WHERE org = :org AND id = :id
%
SELECT :{COUNT(org) AS ahead, SUM(estimate) AS ahead_ms}
    FROM training_jobs
    WHERE queue_at IS NOT NULL AND (status <> 'queued'
        OR priority < :row.priority OR (priority = :row.priority
        AND executed_at < :now))


%op training_cancel write end=training_cancel_end
% changes=changed
UPDATE training_jobs
    SET status = 'cancelled', queue_at = NULL, owner = NULL,
        completed_at = :now, seq = seq + 1
    WHERE org = :org AND id = :id AND status NOT IN ('completed', 'failed',
        'cancelled')
% row=row unless_rows=NOT_FOUND
SELECT @{$training_columns} FROM training_jobs WHERE org = :org AND id = :id
%
INSERT INTO training_logs (org, job_id, at, level, message)
    VALUES (:org, :id, :now, 'warning', 'cancelled')
%
DELETE FROM training_checkpoints WHERE org = :org AND job_id = :id


%op training_peek inline of=judge_peek_t
%
SELECT :{EXISTS (SELECT 1 $training_ready(:now)) AS pending}


-- An advisory lock of PostgreSQL, which lasts until the transaction ends,
-- keeps two nodes from starting jobs of the same judge at the same time.

%op training_claim write
%
SELECT 1
%= postgresql
SELECT pg_advisory_xact_lock(1785033830, 2)
% row=row unless_rows=NOT_FOUND
UPDATE training_jobs
    SET queue_at = :claim.lease.until, owner = :claim.lease.owner,
        attempts = attempts + 1, seq = seq + 1,
        status = CASE WHEN status = 'queued' THEN 'preparing' ELSE status END,
        started_at = COALESCE(started_at, :claim.now)
    WHERE (org, id) IN (SELECT t.org, t.id $training_ready(:claim.now)
        ORDER BY t.priority, t.executed_at LIMIT 1 $skip_locked)
    RETURNING @{$training_columns}


%op training_checkpoint bulk
%
SELECT :{state} FROM training_checkpoints WHERE org = :org AND job_id = :id


%op training_progress write
% unless_changed=CONFLICT
UPDATE training_jobs
    SET queue_at = :lease.until, owner = CASE WHEN :release = 1 THEN NULL
        ELSE owner END, attempts = attempts - :release, seq = seq + 1,
        status = COALESCE(:status, status), phase = COALESCE(:phase, phase),
        base_version = COALESCE(:base_version?, base_version),
        until = COALESCE(:until?, until), items = COALESCE(:items?, items),
        epoch = CASE WHEN :epoch < 0 THEN epoch ELSE :epoch END,
        epochs = COALESCE(:epochs?, epochs), progress = CASE
        WHEN :progress < 0 THEN progress ELSE :progress END
        $training_held(:lease.owner)
% each=losses:nlosses
INSERT INTO training_epochs (org, job_id, epoch, training_loss,
        validation_loss)
    VALUES (:org, :id, @epoch, @training_loss, @validation_loss?validated)
    ON CONFLICT (org, job_id, epoch) DO UPDATE SET training_loss =
        excluded.training_loss, validation_loss = excluded.validation_loss
% each=logs:nlogs
$training_log
% when=state
INSERT INTO training_checkpoints (org, job_id, state)
    VALUES (:org, :id, :state#blob)
    ON CONFLICT (org, job_id) DO UPDATE SET state = excluded.state


%op training_finish write end=training_finish_end
% when=model unless_rows=STALE
UPDATE judges
    SET latest = latest + 1, updated_at = :now, version = CASE
        WHEN :deploy = 1 THEN latest + 1 ELSE version END
    WHERE org = :org AND id = :judge_id AND version = :base_version
        AND deleted_at IS NULL
    RETURNING :{latest AS version}
% when=model
INSERT INTO judge_versions (org, judge_id, version, created_at, criteria_count,
        name, changes_summary, samples, $version_texts())
    SELECT org, judge_id, :version, :now, criteria_count, name,
        :changes_summary, samples, $version_texts()
    FROM judge_versions
    WHERE org = :org AND judge_id = :judge_id AND version = :base_version
% when=criteria
UPDATE judge_versions
    SET criteria = :criteria
    WHERE org = :org AND judge_id = :judge_id
        AND version = coalesce(:version?, :base_version)
% when=model
INSERT INTO judge_references (org, judge_id, version, position, reference_id)
    SELECT org, judge_id, :version, position, reference_id
    FROM judge_references
    WHERE org = :org AND judge_id = :judge_id AND version = :base_version
% when=model
INSERT INTO judge_calibrators (org, judge_id, version, job_id, created_at,
        trained_until, items, inputs, model)
    SELECT :org, :judge_id, :version, :id, :now, :trained_until, :items,
        :inputs, :model#blob
    WHERE :base_version > 0
% unless_changed=CONFLICT
UPDATE training_jobs
    SET status = :status, completed_at = :now, queue_at = NULL, owner = NULL,
        seq = seq + 1, metrics = :metrics, results = :results, error = :error,
        new_version = :version?, deployed = CASE WHEN :version? IS NULL
        THEN 0 ELSE :deploy END, items = COALESCE(:items?, items),
        phase = CASE WHEN :status = 'completed' THEN :status ELSE phase END,
        progress = CASE WHEN :status = 'completed' THEN 1
        ELSE progress END $training_held(:owner)
% each=logs:nlogs
$training_log
%
DELETE FROM training_checkpoints WHERE org = :org AND job_id = :id


-- $review_newest(INDEX, STATUS): the newest evaluations of :judge_id.
$review_newest = SELECT * FROM (SELECT org, id, content_id, judge_version,
            evaluated_at, overall_score, review, result, error_code
        FROM evaluations INDEXED BY evaluations_judge_$1
        WHERE org = :org AND judge_id = :judge_id AND status = '$2'
        ORDER BY id DESC LIMIT $JUDGE_REVIEW_ITEMS) newest


%op review_list bulk
% list=rows most=JUDGE_REVIEW_ITEMS
SELECT @{newest.id, newest.content_id, c.name, newest.judge_version,
        newest.evaluated_at, newest.overall_score, newest.review,
        $result(newest, features, features) AS features#packed,
        EXISTS (SELECT 1 FROM feedback f WHERE f.org = newest.org
        AND f.evaluation_id = newest.id) AS known}
    FROM ($review_newest(done, completed)
        UNION ALL $review_newest(failed, failed)
        WHERE error_code = 'NOT_JUDGED'
        ORDER BY id DESC LIMIT $JUDGE_REVIEW_ITEMS) newest
    LEFT
    JOIN contents c ON c.org = newest.org AND c.id = newest.content_id
    ORDER BY newest.id DESC


%op reason_list bulk
% each=rows
SELECT @{e.content_id, (SELECT f.content FROM feedback f WHERE f.org = :org
        AND f.evaluation_id = @id AND f.type IN ('correction', 'rating',
        'approval') AND (f.content LIKE '%"explanation"%'
        OR f.content LIKE '%"comment"%') ORDER BY f.submitted_at DESC,
        f.id DESC LIMIT 1) AS content}
    FROM evaluations e
    WHERE e.org = :org AND e.id = @id


%op example_start bulk
%
SELECT :{DISTINCT evaluation_id AS id}
    FROM examples
    WHERE org = :org AND judge_id = :judge_id
    ORDER BY evaluation_id DESC LIMIT 1 OFFSET :newest


%op calibrator_find bulk
% unless_rows=NOT_FOUND
SELECT :{job_id, created_at, trained_until, items, inputs, model}
    FROM judge_calibrators
    WHERE org = :org AND judge_id = :judge_id AND version = :version
