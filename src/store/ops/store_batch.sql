-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Batches.


-- Whether the batch has ended: not while its failures are being queued again.
$batch_all = completed + @completed + failed + @failed >= total + @total
        AND NOT EXISTS (SELECT 1 FROM unfinished u WHERE u.org = @org
        AND u.kind = 'retrying' AND u.id = @id)

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
        WHEN completed + @completed = 0 THEN 'failed' ELSE 'completed' END,
        completed_at = CASE
        WHEN status <> 'created' AND $batch_all THEN COALESCE(completed_at,
        @now) END
    WHERE org = @org AND id = @id
    RETURNING status, completed + failed, total

-- Media that no language model judges wait for an external worker: their
-- queue_at is their deadline, when the service ends them as failed.
$batch_either = (SELECT CASE WHEN content_type = 'text'
        OR model IS NOT NULL THEN $1 ELSE $2 END FROM batches
        WHERE org = :org AND id = :id)

$batch_queue_at = $batch_either(:at, :callback_deadline)

$batch_deadline = $batch_either(:deadline, :callback_deadline)

$batch_columns = id, status, content_type, priority, created_at, started_at,
        completed_at, total, completed, failed, escalated, last_seq, score_sum,
        score_count, scores_00 AS scores[0], scores_10 AS scores[1],
        scores_20 AS scores[2], scores_30 AS scores[3], scores_40 AS scores[4],
        scores_50 AS scores[5], scores_60 AS scores[6], scores_70 AS scores[7],
        scores_80 AS scores[8], scores_90 AS scores[9], judge_ids,
        judge_versions, name


%op batch_check bulk
%
SELECT :{default_model} FROM org_settings WHERE org = :org
% each=judges:njudges
SELECT @{j.version AS active.version, j.content_type AS active.content_type,
        $judge_active_model AS active.model, v.samples AS active.samples}
    FROM judges j
    JOIN judge_versions v ON $judge_active
    WHERE j.org = :org AND j.id = @active.judge_id AND j.deleted_at IS NULL
% each=contents:ncontents
SELECT @{1 AS found, file_type, status}
    FROM contents
    WHERE org = :org AND id = @id


$batch_content = INSERT INTO contents (org, id, file_type, status, size,
        created_at, name, description, metadata, text_content)
    VALUES (:org, @id, @file_type, @status, @size, @created_at, @name,
        @description, @metadata, @text_content)

$batch_texts = org = :org AND kind = 'texts' AND id = :id

$batch_judge = (SELECT id FROM judges WHERE org = :org
        AND id = @active.judge_id AND deleted_at IS NULL)

%op batch_texts write
% when=!continued
INSERT INTO unfinished (org, kind, id, until, first, last)
    VALUES (:org, 'texts', :id, :until, :first, :last)
% when=continued unless_changed=BUSY
UPDATE unfinished SET until = :until WHERE $batch_texts AND done = 0
% each=rows:count
$batch_content


-- Deletes the texts, except those that are used by another evaluation or by a
-- batch whose evaluations are still being made.
%op batch_texts_drop write
% unless_changed=NOT_FOUND
UPDATE unfinished SET done = 1 WHERE $batch_texts AND until <= :now
%
DELETE
    FROM contents
    WHERE org = :org AND id IN (SELECT c.id FROM unfinished u, contents c
        WHERE u.org = :org AND u.kind = 'texts' AND u.id = :id
        AND c.org = :org AND c.id BETWEEN u.first AND u.last
        AND NOT EXISTS (SELECT 1 FROM evaluations e WHERE e.org = :org
        AND e.content_id = c.id) AND c.id NOT IN (SELECT n.value
        FROM unfinished m CROSS JOIN batch_texts t
        CROSS JOIN json_each(t.content_ids) n
        WHERE m.org = :org AND m.kind = 'making' AND t.org = :org
        AND t.batch_id = m.id) LIMIT $JUDGE_SLICE_TEXTS)
% when=!changed
DELETE FROM unfinished WHERE $batch_texts


-- The evaluations of a large batch follow in slices.  Evaluations for external
-- workers are inserted, then queued by an update, because triggers fire on it.
%op batch_create write end=batch_create_end
%
INSERT INTO batches (org, id, status, content_type, priority, created_at,
        started_at, total, judge_ids, judge_versions, name, trace, systems,
        pairs, pairs_at)
    VALUES (:org, :row.id, :row.status, :row.content_type, :row.priority,
        :row.created_at, :row.started_at?, :row.total, :row.judge_ids,
        :row.judge_versions, :row.name, :trace, :systems, :pairs?,
        :pairs_at?)
%
INSERT INTO batch_texts (org, batch_id, description, content_ids)
    VALUES (:org, :row.id, :row.description, :row.content_ids)
% each=inlined:ninlined
$batch_content
% of=judge_batch_judge_t step=batch_pair unless_changed=NOT_FOUND together
INSERT OR IGNORE INTO evaluations (org, id, status, queue_at, priority,
        content_id, judge_id, judge_version, batch_id, created_at, deadline,
        model, samples, fresh)
    VALUES (:org, :ids[], 'processing', @wanted.queue_at?, :row.priority,
        (SELECT id FROM contents WHERE org = :org AND id = :content_id),
        $batch_judge, @active.version, :row.id, :row.created_at,
        @wanted.deadline, @wanted.model, @wanted.samples?, @wanted.fresh?)
% when=waits,!large
UPDATE evaluations
    SET queue_at = deadline, deadline = deadline
    WHERE org = :org AND batch_id = :row.id AND queue_at IS NULL
        AND model IS NULL
% each=judges:njudges when=large unless_changed=NOT_FOUND
INSERT OR IGNORE INTO making_judges (org, batch_id, n, judge_id, version,
        queue_at, deadline, model, samples, fresh)
    VALUES (:org, :row.id, :turn, $batch_judge, @active.version,
        @wanted.queue_at?, @wanted.deadline, @wanted.model, @wanted.samples?,
        @wanted.fresh?)
% when=large
INSERT INTO unfinished (org, kind, id, until, first, total)
    VALUES (:org, 'making', :row.id, :until, :first, :contents)
% when=waits,large
INSERT INTO unfinished (org, kind, id, until, last, now, deadline,
        callback_deadline)
    VALUES (:org, 'starting', :row.id, :until, '', :row.created_at,
        :waits_until, :waits_until)
% when=stored unless_changed=BUSY
DELETE
    FROM unfinished
    WHERE org = :org AND kind = 'texts' AND id = :row.id AND done = 0


%op batch_start write
% read=batch_started
UPDATE batches
    SET started_at = :now, status = CASE WHEN total = 0 THEN 'completed'
        ELSE 'evaluating' END, completed_at = CASE WHEN total = 0 THEN :now END
    WHERE org = :org AND id = :id AND status = 'created'
    RETURNING status
% when=!changed unless_rows=NOT_FOUND if_rows=CONFLICT
SELECT 1 FROM batches WHERE org = :org AND id = :id
%
INSERT INTO unfinished (org, kind, id, until, last, now, deadline,
        callback_deadline)
    VALUES (:org, 'starting', :id, :now + $JUDGE_SLICE_LEASE, '', :now,
        :deadline, :callback_deadline)


-- Queues again only what has failed so far: `done` is the last batch_seq now.
%op batch_retry write
%
INSERT INTO unfinished (org, kind, id, until, done, now, deadline,
        callback_deadline)
    SELECT org, 'retrying', id, :now + $JUDGE_SLICE_LEASE, last_seq, :now,
        :deadline, :callback_deadline
    FROM batches
    WHERE org = :org AND id = :id AND failed > 0
    ON CONFLICT (org, kind, id) DO UPDATE SET until = excluded.until,
        first = NULL, last = NULL, done = excluded.done, total = NULL,
        now = excluded.now, deadline = excluded.deadline,
        callback_deadline = excluded.callback_deadline
% when=!changed unless_rows=NOT_FOUND if_rows=CONFLICT
SELECT 1 FROM batches WHERE org = :org AND id = :id


$slice_note = org = :org AND kind = :kind AND id = :id

$slice_digit = substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
        CAST(($1 & 31) + 1 AS INTEGER), 1)

-- The n-th identifier of a range, as judge_id_nth() makes it.
$slice_id = substr(:first, 1, length(:first) - $JUDGE_ID_COUNTED)
        || $slice_digit($1 >> 20) || $slice_digit($1 >> 15)
        || $slice_digit($1 >> 10) || $slice_digit($1 >> 5) || $slice_digit($1)

-- The next :items of a list of identifiers, all of which are as long, each
-- with its quotes and a comma: the whole list would be parsed for each slice.
$slice_contents = '[' || rtrim(substr(t.content_ids,
        CAST(2 + :done * ($JUDGE_ID_LEN + 3) AS INTEGER),
        CAST(:items * ($JUDGE_ID_LEN + 3) AS INTEGER)), ',]') || ']'

$slice_ids = SELECT id FROM evaluations
    WHERE org = :org AND batch_id = :id AND id > :last
    ORDER BY id LIMIT $JUDGE_SLICE_ROWS

$slice_failed = SELECT id FROM evaluations INDEXED BY evaluations_batch_failed
    WHERE org = :org AND batch_id = :id AND status = 'failed'
        AND batch_seq <= :done LIMIT $JUDGE_SLICE_ROWS

-- Runs the next slice of making, retrying or starting, in that order.  Deleted
-- contents get no evaluations, so that the total of the batch is corrected at
-- the end.

%op batch_slice write
% unless_rows=NOT_FOUND
SELECT :{kind, kind = 'making' AS making, kind = 'starting' AS starting,
        kind = 'retrying' AS retrying, first, last, done, now AS at, deadline,
        callback_deadline, (SELECT max(1, $JUDGE_RANGE_ROWS / max(1, count(*)))
        FROM making_judges WHERE org = :org AND batch_id = :id) AS items}
    FROM unfinished
    WHERE org = :org AND kind IN ('making', 'retrying', 'starting')
        AND id = :id
    ORDER BY kind LIMIT 1 $locked
% when=making
INSERT INTO evaluations (org, id, status, queue_at, priority, content_id,
        judge_id, judge_version, batch_id, created_at, deadline, model,
        samples, fresh)
    SELECT b.org, $slice_id(((:done + c.key) * (SELECT count(*)
        FROM making_judges m WHERE m.org = :org AND m.batch_id = :id) + j.n)),
        'processing', CASE WHEN j.model IS NOT NULL THEN j.queue_at END,
        b.priority, c.value, j.judge_id, j.version, b.id, b.created_at,
        j.deadline, j.model, j.samples, j.fresh
    FROM batches b CROSS JOIN batch_texts t
        CROSS JOIN json_each($slice_contents) c CROSS JOIN making_judges j
    WHERE b.org = :org AND b.id = :id AND t.org = :org AND t.batch_id = :id
        AND EXISTS (SELECT 1 FROM contents n WHERE n.org = :org
        AND n.id = c.value) AND j.org = :org AND j.batch_id = :id
% when=making
INSERT INTO queue_ranges (org, batch_id, first, last, size, priority,
        created_at, queue_at)
    SELECT b.org, b.id, $slice_id((:done * ready.n)),
        $slice_id((ready.upto * ready.n - 1)),
        (ready.upto - :done) * ready.own, b.priority, b.created_at,
        ready.queue_at
    FROM batches b, (SELECT count(*) AS n, count(*) - count(model) AS own,
        max(CASE WHEN model IS NULL THEN queue_at END) AS queue_at,
        (SELECT CASE WHEN total < :done + :items THEN total
        ELSE :done + :items END FROM unfinished WHERE $slice_note) AS upto
        FROM making_judges WHERE org = :org AND batch_id = :id) ready
    WHERE b.org = :org AND b.id = :id AND ready.queue_at IS NOT NULL
% when=starting
SELECT :{max(id) AS upto} FROM ($slice_ids)
% when=upto
UPDATE evaluations
    SET created_at = :at, deadline = $batch_deadline,
        queue_at = $batch_queue_at
    WHERE org = :org AND id IN ($slice_ids) AND status = 'processing'
        AND queue_at IS NULL
% when=retrying
UPDATE evaluations
    SET status = 'processing', deadline = $batch_deadline, attempts = 0,
        given_back = 0, owner = NULL, last_error = NULL, evaluated_at = NULL,
        overall_score = NULL, error_code = NULL, batch_seq = NULL,
        queue_at = $batch_queue_at
    WHERE org = :org AND id IN ($slice_failed)
% step=batch_slice_advance
UPDATE unfinished
    SET done = done + CASE kind WHEN 'making' THEN :items ELSE 0 END,
        last = :upto, until = :now + $JUDGE_SLICE_LEASE
    WHERE $slice_note
%
DELETE
    FROM unfinished
    WHERE $slice_note AND CASE kind WHEN 'making' THEN done >= total
        WHEN 'starting' THEN last IS NULL
        ELSE NOT EXISTS ($slice_failed) END
% when=making,changed
DELETE FROM making_judges WHERE org = :org AND batch_id = :id
% when=making,changed read=batch_slice_missing
SELECT (SELECT count(*) FROM evaluations WHERE org = :org AND batch_id = :id)
        - total
    FROM batches
    WHERE org = :org AND id = :id
% of=judge_batch_delta_t step=batch_slice_count read=batch_slice_counted
$batch_count


-- $deletion_noted(KIND, REMAINING ROWS): a batch, content or judge is deleted
-- at once, but its dependent rows in slices; a row of `unfinished` makes a
-- worker run the operation again.
$deletion_noted = INSERT INTO unfinished (org, kind, id)
    SELECT :org, '$1', :id
    WHERE EXISTS ($2)

$deletion_over = DELETE
    FROM unfinished
    WHERE org = :org AND kind = '$1' AND id = :id
        AND NOT EXISTS ($2)

$of_batch = SELECT id FROM evaluations WHERE org = :org AND batch_id = :id

$slice_of_batch = ($of_batch ORDER BY id LIMIT $JUDGE_DELETION_ROWS)


%op batch_delete write
% when=!continued unless_changed=NOT_FOUND
DELETE FROM batches
    WHERE org = :org AND id = :id
        AND (:compared = 0 OR systems IS NOT NULL)
% when=!continued
DELETE FROM batch_texts WHERE org = :org AND batch_id = :id
% when=!continued
DELETE FROM feedback_sessions WHERE org = :org AND batch_id = :id
% when=!continued
DELETE FROM preferences WHERE org = :org AND batch_id = :id
% when=!continued
DELETE FROM pair_answers WHERE org = :org AND batch_id = :id
% when=!continued
DELETE FROM making_judges WHERE org = :org AND batch_id = :id
% when=!continued
DELETE FROM queue_ranges WHERE org = :org AND batch_id = :id
% when=!continued
DELETE
    FROM unfinished
    WHERE org = :org AND kind IN ('making', 'retrying', 'starting')
        AND id = :id
%
DELETE FROM feedback WHERE org = :org AND evaluation_id IN $slice_of_batch
%
DELETE FROM examples WHERE org = :org AND evaluation_id IN $slice_of_batch
%
DELETE FROM evaluations WHERE org = :org AND id IN $slice_of_batch
% when=!continued
$deletion_noted(batch, $of_batch)
% when=continued
$deletion_over(batch, $of_batch)


-- Skips batches of which another worker writes slices.  The choice is random,
-- so that workers spread and one failing batch does not block the others.
%op slice_next inline
% unless_rows=NOT_FOUND
SELECT :{org AS org_id, kind, id}
    FROM unfinished
    WHERE until <= :now AND NOT EXISTS (SELECT 1 FROM unfinished o
        WHERE o.org = unfinished.org
        AND o.kind IN ('making', 'retrying', 'starting')
        AND o.id = unfinished.id AND o.until > :now)
    ORDER BY random() LIMIT 1


$batch_row =
    SELECT @{$batch_columns} FROM batches WHERE org = :org AND id = :id

$batch_row_texts =
    SELECT :{description AS row.description, content_ids AS row.content_ids}
    FROM batch_texts
    WHERE org = :org AND batch_id = :id

%op batch_find inline
% row=row unless_rows=NOT_FOUND
$batch_row
% when=!brief
$batch_row_texts


%op batch_get bulk
% row=row unless_rows=NOT_FOUND
$batch_row
% when=!brief
$batch_row_texts
% when=row.failed list=failures:nfailures most=JUDGE_BATCH_FAILURES
SELECT @{COALESCE(error_code, 'UNKNOWN') AS code, COUNT(*) AS count}
    FROM evaluations
    WHERE org = :org AND batch_id = :id AND status = 'failed'
    GROUP BY error_code
    ORDER BY COUNT(*) DESC, error_code LIMIT $JUDGE_BATCH_FAILURES


-- $batch_list(CONDITION)
$batch_list =
    SELECT @{$batch_columns, (SELECT description FROM batch_texts t
        WHERE t.org = batches.org AND t.batch_id = batches.id) AS description}
    FROM batches
    WHERE org = :org AND id < coalesce(:page.before, '~') $1
    ORDER BY id DESC LIMIT :page.limit + 1

%op batch_list bulk page
% list=rows when=status
$batch_list(AND status = :status)
% list=rows when=!status
$batch_list()


%op batch_items bulk page
% list=rows
SELECT @{batch_seq AS seq, id, content_id, judge_id, status,
        overall_score AS overall_score?scored, error_code}
    FROM evaluations
    WHERE org = :org AND batch_id = :id AND batch_seq > :after
    ORDER BY batch_seq LIMIT :page.limit + 1


$result_content = FROM contents c
        WHERE c.org = evaluations.org AND c.id = evaluations.content_id

%op batch_results bulk page
% list=rows of=judge_evaluation_row_t read=batch_results_read
SELECT @{$evaluation_columns, (SELECT name $result_content) AS -,
        CASE WHEN :excerpt > 0 THEN (SELECT metadata $result_content) END
        AS -, CASE WHEN :excerpt > 0 THEN (SELECT substr(text_content, 1,
        CAST(:excerpt AS INTEGER)) $result_content) END AS -}
    FROM evaluations INDEXED BY evaluations_batch
    WHERE org = :org AND batch_id = :id AND id > coalesce(:after, '')
    ORDER BY id LIMIT :page.limit + 1


%op batch_scores bulk page
% list=rows
SELECT @{e.id, e.content_id, $result(e, body, bodies) AS body#packed, c.name,
        c.metadata, c.size, substr(CAST(c.text_content AS BLOB), 1, :max_text)
        AS text}
    FROM evaluations e INDEXED BY evaluations_batch
    LEFT
    JOIN contents c ON c.org = e.org AND c.id = e.content_id
    WHERE e.org = :org AND e.batch_id = :id AND e.id > :after
        AND e.judge_id = :judge_id
    ORDER BY e.id LIMIT :page.limit + 1


%op batch_criteria bulk
% each=judge_ids
SELECT :{criteria AS :criteria[]}
    FROM judge_versions
    WHERE org = :org AND judge_id = :judge_ids[] AND version = :versions[]
