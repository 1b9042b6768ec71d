-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Batches.


$batch_all = completed + @completed + failed + @failed >= total + @total

$batch_count = UPDATE batches
    SET total = total + @total, completed = completed + @completed,
        failed = failed + @failed, last_seq = last_seq + @seq,
        escalated = escalated + @escalated,
        score_sum = score_sum + @score_sum,
        score_count = score_count + @score_count,
        scores_00 = scores_00 + @scores[0], scores_10 = scores_10 + @scores[1],
        scores_20 = scores_20 + @scores[2], scores_30 = scores_30 + @scores[3],
        scores_40 = scores_40 + @scores[4], scores_50 = scores_50 + @scores[5],
        scores_60 = scores_60 + @scores[6], scores_70 = scores_70 + @scores[7],
        scores_80 = scores_80 + @scores[8], scores_90 = scores_90 + @scores[9],
        status = CASE WHEN status = 'created' THEN status
        WHEN NOT ($batch_all) THEN 'evaluating'
        WHEN completed + @completed = 0 AND failed + @failed > 0
        THEN 'failed' ELSE 'completed' END, completed_at = CASE
        WHEN status <> 'created' AND $batch_all THEN COALESCE(completed_at,
        @now) END
    WHERE org = @org AND id = @id
    RETURNING status, completed + failed, total

-- What is not text, nor for a language model, waits for a worker: its turn in
-- the queue comes with its deadline only, which ends it.
$batch_either = (SELECT CASE WHEN content_type = 'text'
        OR model IS NOT NULL THEN $1 ELSE $2 END FROM batches
        WHERE org = :org AND id = :id)

$batch_queue_at = $batch_either(:now, :callback_deadline)

$batch_deadline = $batch_either(:deadline, :callback_deadline)

$batch_columns = id, status, content_type, priority, created_at, started_at,
        completed_at, total, completed, failed, escalated, last_seq, score_sum,
        score_count, scores_00 AS scores[0], scores_10 AS scores[1],
        scores_20 AS scores[2], scores_30 AS scores[3], scores_40 AS scores[4],
        scores_50 AS scores[5], scores_60 AS scores[6], scores_70 AS scores[7],
        scores_80 AS scores[8], scores_90 AS scores[9], judge_ids,
        judge_versions, name


%op batch_check bulk
% each=judges:njudges
SELECT @{1 AS found, version, content_type}
    FROM judges
    WHERE org = :org AND id = @id AND deleted_at IS NULL
% each=contents:ncontents
SELECT @{1 AS found, file_type, status}
    FROM contents
    WHERE org = :org AND id = @id


%op batch_create write step
%
INSERT INTO batches (org, id, status, content_type, priority, created_at,
        started_at, total, judge_ids, judge_versions, name)
    VALUES (:org, :row.id, :row.status, :row.content_type, :row.priority,
        :row.created_at, :row.started_at?, :row.total, :row.judge_ids,
        :row.judge_versions, :row.name)
%
INSERT INTO batch_texts (org, batch_id, description, content_ids)
    VALUES (:org, :row.id, :row.description, :row.content_ids)
% each=inlined:ninlined
INSERT INTO contents (org, id, file_type, status, size, created_at, name,
        description, metadata, text_content)
    VALUES (:org, @id, @file_type, @status, @size, @created_at, @name,
        @description, @metadata, @text_content)
% of=judge_batch_judge_t unless_changed=NOT_FOUND
INSERT OR IGNORE INTO evaluations (org, id, status, queue_at, priority,
        content_id, judge_id, judge_version, batch_id, created_at, deadline,
        model, samples, fresh)
    VALUES (:org, :ids[], 'processing', @wanted.queue_at?, :row.priority,
        (SELECT id FROM contents WHERE org = :org AND id = :content_id),
        (SELECT id FROM judges WHERE org = :org AND id = @id
        AND deleted_at IS NULL), @version, :row.id, :row.created_at,
        @wanted.deadline, @wanted.model, @wanted.samples?, @wanted.fresh?)
% when=waits
UPDATE evaluations
    SET queue_at = deadline
    WHERE org = :org AND batch_id = :row.id AND queue_at IS NULL
        AND model IS NULL


%op batch_start write read
%
UPDATE batches
    SET started_at = :now, status = CASE WHEN total = 0 THEN 'completed'
        ELSE 'evaluating' END, completed_at = CASE WHEN total = 0 THEN :now END
    WHERE org = :org AND id = :id AND status = 'created'
    RETURNING status
% when=!changed unless_rows=NOT_FOUND if_rows=CONFLICT
SELECT 1 FROM batches WHERE org = :org AND id = :id
%
UPDATE evaluations
    SET created_at = :now, deadline = $batch_deadline,
        queue_at = $batch_queue_at
    WHERE org = :org AND batch_id = :id


%op batch_retry write step
%
UPDATE evaluations
    SET status = 'processing', deadline = $batch_deadline, attempts = 0,
        owner = NULL, last_error = NULL, evaluated_at = NULL,
        overall_score = NULL, error_code = NULL, batch_seq = NULL,
        queue_at = $batch_queue_at
    WHERE org = :org AND batch_id = :id AND status = 'failed'
% when=!changed unless_rows=NOT_FOUND if_rows=CONFLICT
SELECT 1 FROM batches WHERE org = :org AND id = :id
% of=judge_batch_delta_t
$batch_count


-- A thing goes at once and what hangs on it in slices, of which the first is
-- taken with it: then the operation is run again.
-- $deletion_noted(KIND, WHAT IS LEFT)
$deletion_noted = INSERT INTO deletions (org, kind, id)
    SELECT :org, '$1', :id
    WHERE EXISTS ($2)

$deletion_over = DELETE
    FROM deletions
    WHERE org = :org AND kind = '$1' AND id = :id
        AND NOT EXISTS ($2)

$of_batch = SELECT id FROM evaluations WHERE org = :org AND batch_id = :id

$slice_of_batch = ($of_batch ORDER BY id LIMIT $JUDGE_DELETION_ROWS)


%op batch_delete write
% when=!again unless_changed=NOT_FOUND
DELETE FROM batches WHERE org = :org AND id = :id
% when=!again
DELETE FROM batch_texts WHERE org = :org AND batch_id = :id
% when=!again
DELETE FROM feedback_sessions WHERE org = :org AND batch_id = :id
%
DELETE FROM feedback WHERE org = :org AND evaluation_id IN $slice_of_batch
%
DELETE FROM examples WHERE org = :org AND evaluation_id IN $slice_of_batch
%
DELETE FROM evaluations WHERE org = :org AND id IN $slice_of_batch
% when=!again
$deletion_noted(batch, $of_batch)
% when=again
$deletion_over(batch, $of_batch)


%op deletion_next inline
% unless_rows=NOT_FOUND
SELECT :{org AS at, kind, id}
    FROM deletions
    ORDER BY org, kind, id LIMIT 1


%op batch_find inline
% row=row unless_rows=NOT_FOUND
SELECT @{$batch_columns} FROM batches WHERE org = :org AND id = :id
% when=!brief
SELECT :{description AS row.description, content_ids AS row.content_ids}
    FROM batch_texts
    WHERE org = :org AND batch_id = :id


$batch_list =
    SELECT @{$batch_columns, (SELECT description FROM batch_texts t
        WHERE t.org = batches.org AND t.batch_id = batches.id) AS description}
    FROM batches $1
    WHERE org = :org AND id < coalesce(:page.before, '~')
        AND (:status IS NULL OR status = :status) $2
    ORDER BY id DESC LIMIT :page.limit + 1

-- Most of them are completed; the others have an index.

%op batch_list bulk page step
% list=rows engine=sqlite
$batch_list(INDEXED BY batches_open, AND status <> 'completed'
        AND status = :status)
% list=rows
$batch_list(,)


%op batch_failures bulk
% list=rows most=JUDGE_BATCH_FAILURES
SELECT @{COALESCE(error_code, 'UNKNOWN') AS code, COUNT(*) AS count}
    FROM evaluations
    WHERE org = :org AND batch_id = :id AND status = 'failed'
    GROUP BY error_code
    ORDER BY COUNT(*) DESC, error_code LIMIT $JUDGE_BATCH_FAILURES


%op batch_items bulk page
% list=rows
SELECT @{batch_seq AS seq, id, content_id, judge_id, status,
        overall_score AS overall_score?scored, error_code}
    FROM evaluations
    WHERE org = :org AND batch_id = :id AND batch_seq > :after
    ORDER BY batch_seq LIMIT :page.limit + 1


%op batch_results bulk page read
% list=rows of=judge_evaluation_row_t
SELECT @{$evaluation_columns, (SELECT name FROM contents c
        WHERE c.org = evaluations.org AND c.id = evaluations.content_id) AS -}
    FROM evaluations
    WHERE org = :org AND batch_id = :id AND id > coalesce(:after, '')
    ORDER BY id LIMIT :page.limit + 1


%op batch_criteria bulk
% each=judge_ids
SELECT :{criteria AS :criteria[]}
    FROM judge_versions
    WHERE org = :org AND judge_id = :judge_ids[] AND version = :versions[]
