-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Feedback, and the training examples made from it.


%op feedback_targets bulk
% each=targets read=feedback_targets_read
SELECT @{1 AS found, CASE WHEN e.error_code = 'NOT_JUDGED'
        THEN 'completed' ELSE e.status END AS status,
        e.judge_id, e.judge_version, e.evaluated_at,
        $result(e, body, bodies) AS -}
    FROM evaluations e
    WHERE e.org = :org AND e.id = @id AND (:batch_id IS NULL
        OR e.batch_id = :batch_id)


%op feedback_create write
% when=session.id
INSERT INTO feedback_sessions (org, id, batch_id, submitted_by, submitted_at,
        accepted, rejected, retrain, notify_email, notify_url)
    VALUES (:org, :session.id, :session.batch_id, :submitted_by, :now, :count,
        :session.rejected, :session.retrain, :session.notify_email,
        :session.notify_url)
% each=rows unless_changed=NOT_FOUND
INSERT INTO feedback (org, id, evaluation_id, judge_id, judge_version,
        content_id, batch_id, session_id, type, criterion_specific, severity,
        rating, approved, submitted_by, submitted_by_person, submitted_at,
        queue_at,
        target_criteria, given_scores, content)
    SELECT org, @id, id, judge_id, judge_version, content_id, batch_id,
        :session.id, @type, @criterion_specific, @severity, @rating?rated,
        CAST(@approved?decided AS BIGINT), :submitted_by, @submitted_by_person,
        :now, :now,
        @target_criteria, @given_scores, @content
    FROM evaluations
    WHERE org = :org AND id = @evaluation_id
        AND (status = 'completed' OR error_code = 'NOT_JUDGED')


$feedback_columns = id, type, criterion_specific, severity, submitted_by,
        submitted_by_person, submitted_at, updated_by, updated_by_person,
        updated_at, processed, processing_notes, target_criteria, content

$feedback_found = org = :org AND id = :row.id

$feedback_examples_gone = DELETE FROM examples
    WHERE org = :org AND evaluation_id = :row.evaluation_id
        AND feedback_id = :row.id

$session_counted = RETURNING processed, accepted, rejected, batch_id,
        submitted_at, notify_url, notify_email


-- Whether :blind may see the entry.  Somebody who annotates sees only own
-- entries until enough people have given feedback on the evaluation.

$feedback_seen = (:blind IS NULL OR submitted_by_person = :blind
        OR NOT EXISTS (SELECT 1 FROM annotation_items i
        JOIN annotation_queues q ON q.org = i.org AND q.id = i.queue_id
        WHERE i.org = feedback.org
        AND i.evaluation_id = feedback.evaluation_id
        AND $annotation_done_by < q.people))


%op feedback_find inline of=judge_feedback_one_t
% row=row unless_rows=NOT_FOUND
SELECT @{evaluation_id, $feedback_columns}
    FROM feedback
    WHERE $feedback_found AND $feedback_seen


-- The entry will be processed again, and counted again for its session.
-- updated_at always grows, so that a worker that is processing the entry
-- notices the change.

%op feedback_change write of=judge_feedback_one_t
%
UPDATE feedback_sessions
    SET processed = processed - 1
    WHERE org = :org AND id = (SELECT session_id FROM feedback
        WHERE $feedback_found AND processed = 1 $locked)
% unless_rows=NOT_FOUND
UPDATE feedback
    SET criterion_specific = :row.criterion_specific, severity = :row.severity,
        rating = :row.rating?rated,
        approved = CAST(:row.approved?decided AS BIGINT),
        target_criteria = :row.target_criteria,
        given_scores = :row.given_scores, content = :row.content,
        updated_by = :row.updated_by,
        updated_by_person = :row.updated_by_person,
        updated_at = CASE WHEN updated_at >= :now THEN updated_at + 1
        ELSE :now END, processed = 0, processing_notes = NULL, attempts = 0,
        queue_at = :now
    WHERE $feedback_found
    RETURNING :{updated_at AS row.updated_at, processed AS row.processed,
        processing_notes AS row.processing_notes}
%
$feedback_examples_gone


-- An entry that was not processed yet now counts as processed for its session.

%op feedback_delete write of=judge_feedback_one_t
% unless_rows=NOT_FOUND
DELETE FROM feedback
    WHERE $feedback_found AND $feedback_seen
    RETURNING :{evaluation_id AS row.evaluation_id,
        processed AS row.processed, session_id AS session.id}
%
$feedback_examples_gone
% when=session.id,!row.processed read=feedback_delete_read
UPDATE feedback_sessions
    SET processed = processed + 1
    WHERE org = :org AND id = :session.id
    $session_counted


%op feedback_list bulk page
%
SELECT :{COUNT(*) AS total, COUNT(*) FILTER (WHERE type = 'correction') AS
        corrections, COUNT(*) FILTER (WHERE approved = 1) AS approvals,
        COUNT(*) FILTER (WHERE approved = 0) AS rejections,
        COUNT(*) FILTER (WHERE type = 'comment') AS comments,
        COUNT(rating) AS ratings, SUM(rating) AS rating_sum}
    FROM feedback
    WHERE org = :org AND evaluation_id = :evaluation_id AND $feedback_seen
% list=rows
SELECT @{$feedback_columns}
    FROM feedback
    WHERE org = :org AND evaluation_id = :evaluation_id
        AND id < coalesce(:page.before, '~') AND (:type IS NULL
        OR type = :type) AND $feedback_seen
    ORDER BY id DESC LIMIT :page.limit + 1


%op feedback_session_find bulk page
% unless_rows=NOT_FOUND
SELECT :{batch_id, submitted_by, submitted_at, accepted, rejected}
    FROM feedback_sessions
    WHERE org = :org AND id = :id
%
SELECT :{COUNT(*) AS total, COUNT(*) FILTER (WHERE processed = 0) AS pending}
    FROM feedback
    WHERE org = :org AND session_id = :id
% list=rows
SELECT @{evaluation_id, $feedback_columns}
    FROM feedback
    WHERE org = :org AND session_id = :id
        AND id < coalesce(:page.before, '~') AND $feedback_seen
    ORDER BY id DESC LIMIT :page.limit + 1


%op feedback_peek inline of=judge_peek_t
%
SELECT :{EXISTS (SELECT 1 FROM feedback WHERE queue_at <= :now) AS pending}


%op feedback_claim write
% list=jobs limit=claim.limit unless_rows=NOT_FOUND
UPDATE feedback
    SET queue_at = :claim.lease.until, attempts = attempts + 1
    WHERE (org, id) IN (SELECT org, id FROM feedback
        WHERE queue_at <= :claim.now ORDER BY queue_at LIMIT :claim.limit
        $skip_locked)
    RETURNING @{org AS row.org, id AS row.id,
        evaluation_id AS row.evaluation_id, judge_id AS row.judge_id,
        judge_version AS row.judge_version, type AS row.type,
        criterion_specific AS row.criterion_specific, severity AS row.severity,
        submitted_by AS row.submitted_by,
        submitted_by_person AS row.submitted_by_person,
        submitted_at AS row.submitted_at,
        updated_by AS row.updated_by,
        updated_by_person AS row.updated_by_person,
        updated_at AS row.updated_at, attempts,
        target_criteria AS row.target_criteria,
        given_scores AS row.given_scores, content AS row.content}
% each=jobs
SELECT @{1 AS judge_deleted}
    FROM judges
    WHERE org = @row.org AND id = @row.judge_id AND deleted_at IS NOT NULL


-- Ends the entries, counts them for their sessions, and stores the examples of
-- the entries that the first statement has ended.

%op feedback_finish write
% each=jobs when=@notes read=feedback_finish_ended
UPDATE feedback
    SET processed = 1, queue_at = NULL, processing_notes = @notes
    WHERE org = @row.org AND id = @row.id AND processed = 0
        AND COALESCE(updated_at, 0) = @row.updated_at
    RETURNING session_id
% chain=sessions read=feedback_finish_counted
UPDATE feedback_sessions
    SET processed = processed + @ended
    WHERE org = @org AND id = @id
    $session_counted
% of=judge_example_t step=feedback_finish_example
INSERT INTO examples (org, judge_id, evaluation_id, criterion_id, feedback_id,
        content_id, judge_version, kind, target, weight, given, created_at)
    SELECT f.org, f.judge_id, f.evaluation_id, @criterion_id, f.id,
        f.content_id, f.judge_version, @kind, @target, @weight, @given?known,
        COALESCE(f.updated_at, f.submitted_at)
    FROM feedback f
    JOIN judges j ON j.org = f.org AND j.id = f.judge_id
    WHERE f.org = :entry_org AND f.id = :entry_id AND j.deleted_at IS NULL


-- A page of the evaluations that examples are about, and the sums of these by
-- the formula in store_feedback.h.

$taught = (SELECT evaluation_id AS id, MAX(judge_version) AS judge_version
        FROM examples
        WHERE org = :org AND judge_id = :judge_id
            AND evaluation_id > coalesce(:after, '')
            AND evaluation_id < coalesce((SELECT max(id) || '~'
            FROM evaluations WHERE org = :org AND batch_id = :batch_id),
            :before, '~')
            AND (:batch_id IS NULL OR EXISTS (SELECT 1 FROM evaluations b
            WHERE b.org = :org AND b.id = evaluation_id
                AND b.batch_id = :batch_id))
        GROUP BY evaluation_id ORDER BY evaluation_id LIMIT :limit)

%op example_list bulk
% list=items limit=limit
SELECT @{ready.id, ready.judge_version,
        $result(e, body, bodies) AS body#packed,
        $result(e, features, features) AS features#packed, c.name,
        c.metadata, CASE WHEN :max_text > 0
        THEN substr(CAST(c.text_content AS BLOB), 1, :max_text) END AS text,
        e.review > 0 AS review}
    FROM $taught ready
    LEFT
    JOIN evaluations e ON e.org = :org AND e.id = ready.id
        AND (e.status = 'completed' OR e.error_code = 'NOT_JUDGED')
    LEFT
    JOIN contents c ON c.org = e.org AND c.id = e.content_id
    ORDER BY ready.id
% list=rows:nrows most=JUDGE_EXAMPLE_ROWS
SELECT @{evaluation_id, criterion_id, entries, corrected + given AS weight,
        CASE WHEN corrected + given > 0
        THEN (moved + given * score) / (corrected + given)
        ELSE 0.0 END AS target, human AS human?corrected, first_at, last_at}
    FROM (SELECT evaluation_id, criterion_id, COUNT(*) AS entries,
            SUM(CASE WHEN kind = 'correction' THEN weight
                ELSE 0.0 END) AS corrected,
            SUM(CASE WHEN kind = 'correction' THEN weight * target
                ELSE 0.0 END) AS moved,
            CASE WHEN SUM(CASE WHEN kind = 'correction' THEN 0.0
                          ELSE weight END) > 0
                THEN SUM(CASE WHEN kind = 'correction' THEN 0.0
                         ELSE weight END) ELSE 0.0 END AS given,
            MAX(CASE WHEN kind = 'correction' THEN 0.0
                ELSE target END) AS score,
            AVG(CASE WHEN kind = 'correction' THEN target END) AS human,
            MIN(created_at) AS first_at, MAX(created_at) AS last_at
        FROM examples
        WHERE org = :org AND judge_id = :judge_id
            AND evaluation_id > coalesce(:after, '')
            AND evaluation_id <= (SELECT MAX(ready.id)
            FROM $taught ready)
            AND (:until? IS NULL OR created_at <= :until?)
        GROUP BY evaluation_id, criterion_id) sums
    ORDER BY evaluation_id, criterion_id LIMIT $JUDGE_EXAMPLE_ROWS


-- `shift` is the median of people's scores minus the given ones, 0 for few.
-- `width` is the distance from it at place 0.9 * (n + 1), rounded up, of n.

%op residual_list bulk
% list=rows most=JUDGE_RESIDUAL_ROWS
SELECT @{criterion_id, n, shift, width}
    FROM (SELECT criterion_id, n, shift, ABS(above - shift) AS width,
            ROW_NUMBER() OVER (PARTITION BY criterion_id
                ORDER BY ABS(above - shift)) AS place
        FROM (SELECT criterion_id, n, above,
                CASE WHEN n < $JUDGE_RESIDUAL_SHIFTED THEN 0.0
                    ELSE AVG(CASE WHEN place IN ((n + 1) / 2, (n + 2) / 2)
                             THEN above END)
                         OVER (PARTITION BY criterion_id) END AS shift
            FROM (SELECT criterion_id, above,
                    COUNT(*) OVER (PARTITION BY criterion_id) AS n,
                    ROW_NUMBER() OVER (PARTITION BY criterion_id
                        ORDER BY above) AS place
                FROM (SELECT criterion_id, judge_version, kind,
                        target - given AS above
                    FROM examples
                    WHERE org = :org AND judge_id = :judge_id
                    ORDER BY evaluation_id DESC
                    LIMIT $JUDGE_RESIDUAL_CORRECTIONS) newest
                WHERE judge_version = :version AND kind = 'correction'
                    AND above IS NOT NULL) placed) shifted) spread
    WHERE place = (9 * (n + 1) + 9) / 10


%op opinion_list bulk
% list=rows most=JUDGE_OPINIONS
SELECT @{evaluation_id, criterion_id, score}
    FROM (SELECT e.evaluation_id, e.criterion_id,
            COALESCE(f.submitted_by_person, f.submitted_by) AS person,
            AVG(e.target) AS score, COUNT(*)
            OVER (PARTITION BY e.evaluation_id, e.criterion_id) AS people
        FROM examples e
        JOIN feedback f ON f.org = e.org AND f.id = e.feedback_id
        WHERE e.org = :org AND e.judge_id = :judge_id
            AND e.evaluation_id > coalesce(:after, '')
            AND e.kind = 'correction'
        GROUP BY e.evaluation_id, e.criterion_id,
            COALESCE(f.submitted_by_person, f.submitted_by)) opinions
    WHERE people > 1
    ORDER BY evaluation_id DESC, criterion_id, person
    LIMIT $JUDGE_OPINIONS
