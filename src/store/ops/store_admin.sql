-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Operations for administrators of a store.


-- $lost(TABLE, OTHER, CONDITION): rows that refer to missing rows of OTHER.
$lost =
    SELECT count(*) || ' rows of $1 refer to rows of $2 that are not there'
        AS text
    FROM $1 a
    WHERE NOT EXISTS (SELECT 1 FROM $2 b WHERE $3)
    HAVING count(*) > 0

$lost_org = $lost($1, organizations, b.id = a.org)

$lost_evaluation = $lost($1, evaluations, b.org = a.org
        AND b.id = a.evaluation_id)

-- $table(NAME, TIME): the statement defines `size` in a WITH clause.
$table =
    SELECT '$1' AS name, count(*) AS rows, (SELECT sum(bytes) FROM size
        WHERE size.name = '$1') AS bytes, min($2) AS oldest, max($2) AS newest
    FROM $1

-- $of(TABLE): the number of rows that belong to the organization `o`.
$of = (SELECT count(*) FROM $1 t WHERE t.org = o.id)


%op store_version inline
%
SELECT :{user_version AS version} FROM pragma_user_version
%= postgresql
SELECT version FROM judge_schema


-- Whether the content of `e` was to be uploaded, and never was.  Before
-- retries looked whether there is a content, they ended as CONTENT_MISSING.
$never_came = (e.last_error LIKE '%"UPLOAD_EXPIRED"%'
        OR e.last_error LIKE '%"CONTENT_MISSING"%')

$lost_rows =
    $lost_org(api_keys)
    UNION ALL $lost_org(people)
    UNION ALL $lost_org(audit)
    UNION ALL $lost_org(annotation_queues)
    UNION ALL $lost_org(judges)
    UNION ALL $lost_org(contents)
    UNION ALL $lost(judges, judge_versions, b.org = a.org
        AND b.judge_id = a.id AND b.version = a.version)
    UNION ALL SELECT count(*)
        || ' rows of evaluations refer to rows of contents that are not there'
        FROM evaluations e WHERE NOT EXISTS (SELECT 1 FROM contents c
        WHERE c.org = e.org AND c.id = e.content_id)
        AND NOT EXISTS (SELECT 1 FROM uploads u WHERE u.org = e.org
        AND u.id = e.content_id AND u.status = 'waiting')
        AND NOT (e.status = 'failed' AND $never_came)
        HAVING count(*) > 0 AND NOT EXISTS (SELECT 1 FROM unfinished)
    UNION ALL $lost(evaluations, judge_versions, b.org = a.org
        AND b.judge_id = a.judge_id AND b.version = a.judge_version)
    UNION ALL $lost_evaluation(results)
    UNION ALL SELECT count(*)
        || ' evaluations refer to results that are not there'
        FROM evaluations e WHERE result IS NOT NULL AND NOT EXISTS (SELECT 1
        FROM results_together t WHERE t.org = e.org
        AND t.number = e.result / 64)
        HAVING count(*) > 0
    UNION ALL SELECT count(*)
        || ' rows of results_together hold other results than evaluations'
        || ' refer to'
        FROM results_together t LEFT JOIN (SELECT org, result / 64 AS number,
        count(*) AS n FROM evaluations WHERE result IS NOT NULL GROUP BY 1, 2)
        USING (org, number) WHERE kept <> coalesce(n, 0) HAVING count(*) > 0
    UNION ALL $lost_evaluation(evaluation_frames)
    UNION ALL $lost_evaluation(feedback)
    UNION ALL $lost_evaluation(examples)
    UNION ALL $lost(batch_texts, batches, b.org = a.org
        AND b.id = a.batch_id)
    UNION ALL $lost(preferences, batches, b.org = a.org
        AND b.id = a.batch_id)
    UNION ALL $lost(pair_answers, batches, b.org = a.org
        AND b.id = a.batch_id)
    UNION ALL SELECT count(*)
        || ' batches count other evaluations than they have'
        FROM batches b WHERE total <> (SELECT count(*) FROM evaluations e
        WHERE e.org = b.org AND e.batch_id = b.id)
        AND NOT EXISTS (SELECT 1 FROM unfinished) HAVING count(*) > 0


%op store_pages bulk of=judge_store_check_t
% list=rows most=JUDGE_CHECK_ROWS
SELECT @{text}
    FROM (SELECT integrity_check AS text
        FROM pragma_integrity_check($JUDGE_CHECK_ROWS)
        WHERE integrity_check <> 'ok'
    UNION ALL SELECT 'a row of ' || "table" || ' refers to a row of '
        || parent || ' that is not there' FROM pragma_foreign_key_check)
    LIMIT $JUDGE_CHECK_ROWS / 2
%= postgresql
SELECT '' AS text WHERE false


%op store_check bulk
% list=rows most=JUDGE_CHECK_ROWS
SELECT @{text} FROM ($lost_rows) AS lost LIMIT $JUDGE_CHECK_ROWS / 2


%op file_list bulk
% list=rows most=JUDGE_FILE_ROWS when=!references
SELECT @{rowid, file_path AS path}
    FROM contents
    WHERE rowid > :after AND file_path IS NOT NULL
    ORDER BY rowid LIMIT $JUDGE_FILE_ROWS
% list=rows most=JUDGE_FILE_ROWS when=references
SELECT @{rowid, file_path AS path}
    FROM reference_texts
    WHERE rowid > :after AND file_path IS NOT NULL
    ORDER BY rowid LIMIT $JUDGE_FILE_ROWS


$tables =
    $table(organizations, created_at)
    UNION ALL $table(api_keys, created_at)
    UNION ALL $table(people, created_at)
    UNION ALL $table(audit, at)
    UNION ALL $table(annotation_queues, created_at)
    UNION ALL $table(judges, created_at)
    UNION ALL $table(judge_versions, created_at)
    UNION ALL $table(contents, created_at)
    UNION ALL $table(uploads, created_at)
    UNION ALL $table(reference_texts, created_at)
    UNION ALL $table(batches, created_at)
    UNION ALL $table(batch_texts, CAST(NULL AS BIGINT))
    UNION ALL $table(preferences, submitted_at)
    UNION ALL $table(pair_answers, answered_at)
    UNION ALL $table(evaluations, created_at)
    UNION ALL $table(results, CAST(NULL AS BIGINT))
    UNION ALL $table(results_together, CAST(NULL AS BIGINT))
    UNION ALL $table(evaluation_frames, CAST(NULL AS BIGINT))
    UNION ALL $table(feedback, submitted_at)
    UNION ALL $table(examples, created_at)
    UNION ALL $table(training_jobs, created_at)
    UNION ALL $table(training_logs, at)
    UNION ALL $table(suggestions, created_at)
    UNION ALL $table(judge_calibrators, created_at)
    UNION ALL $table(deliveries, created_at)
    UNION ALL $table(delivery_bodies, CAST(NULL AS BIGINT))
    UNION ALL $table(idempotency, created_at)


%op table_stats bulk
% list=rows most=JUDGE_TABLE_ROWS
WITH size(name, bytes) AS MATERIALIZED (SELECT s.tbl_name, sum(d.pgsize)
        FROM dbstat('main', 1) d JOIN sqlite_schema s ON s.name = d.name
        GROUP BY s.tbl_name)
    SELECT @{name, rows, bytes, oldest, newest} FROM ($tables)
%= postgresql
WITH size(name, bytes) AS (SELECT tablename,
        pg_total_relation_size(format('%I.%I', schemaname, tablename))
        FROM pg_tables WHERE schemaname = current_schema())
    SELECT name, rows, bytes, oldest, newest FROM ($tables) AS every


%op org_stats bulk
% list=rows most=JUDGE_ORG_STATS
SELECT @{id, name, $of(judges) AS judges, $of(contents) AS contents,
        (SELECT coalesce(sum(size), 0) FROM contents c WHERE c.org = o.id)
        AS bytes,
        $of(evaluations) AS evaluations, (SELECT count(*) FROM evaluations e
        WHERE e.org = o.id AND e.status = 'processing') AS waiting,
        $of(feedback) AS feedback, $of(deliveries) AS deliveries,
        (SELECT min(created_at) FROM contents c WHERE c.org = o.id) AS oldest}
    FROM organizations o
    ORDER BY id LIMIT $JUDGE_ORG_STATS


-- --- Deleting old rows ------------------------------------------------------

-- Each operation deletes old rows of the organization `org_id`, if their ids
-- are greater than `after` and at most `last`.  Batches are counted last,
-- because the other statements select rows by the status of their batch.

$expire_org =
    SELECT :{min(id) AS org_id}
    FROM organizations
    WHERE id >= :from AND NOT (:skip = 1 AND id = :from)

-- $expire_window(TABLE)
$expire_window =
    SELECT :{max(id) AS last, count(*) AS looked}
    FROM (SELECT id FROM $1 WHERE org = :org_id AND id > :after AND id < :until
        ORDER BY id LIMIT :limit)

$expire_rows = org = :org_id AND id > :after AND id <= :last

$expired_contents = (SELECT id FROM contents WHERE $expire_rows
        AND NOT EXISTS (SELECT 1 FROM evaluations e WHERE e.org = :org_id
        AND e.content_id = contents.id AND e.status = 'processing')
        AND NOT EXISTS (SELECT 1 FROM uploads u WHERE u.org = :org_id
        AND u.id = contents.id))

$expired_of_contents = (SELECT id FROM evaluations WHERE org = :org_id
        AND content_id IN $expired_contents)

$expired_results = (SELECT id FROM evaluations WHERE $expire_rows
        AND status <> 'processing'
        AND coalesce(evaluated_at, created_at) < :before
        AND NOT EXISTS (SELECT 1 FROM batches b WHERE b.org = :org_id
        AND b.id = evaluations.batch_id
        AND b.status NOT IN ('completed', 'failed')))

$expired_feedback = (SELECT id FROM feedback WHERE $expire_rows
        AND queue_at IS NULL)

-- $expired_counts(EVALUATIONS): coalesce() avoids a scan of the batch index.
$expired_counts =
    SELECT batch_id, status, overall_score
    FROM evaluations
    WHERE org = :org_id AND id IN $1 AND coalesce(batch_id, '') <> ''
    ORDER BY coalesce(batch_id, '') $locked


%op old_contents write of=judge_old_t
%
$expire_org
% when=org_id
$expire_window(contents)
% when=looked read=old_read
$expired_counts($expired_of_contents)
% when=looked
DELETE FROM feedback
    WHERE org = :org_id AND evaluation_id IN $expired_of_contents
% when=looked
DELETE FROM examples
    WHERE org = :org_id AND evaluation_id IN $expired_of_contents
% when=looked
DELETE FROM evaluations WHERE org = :org_id AND id IN $expired_of_contents
% when=looked changes=gone
DELETE FROM contents WHERE org = :org_id AND id IN $expired_contents
% chain=batches read=batch_count_read
$batch_count


%op old_results write of=judge_old_t
%
$expire_org
% when=org_id
$expire_window(evaluations)
% when=looked read=old_read
$expired_counts($expired_results)
% when=looked
DELETE FROM feedback WHERE org = :org_id AND evaluation_id IN $expired_results
% when=looked
DELETE FROM examples WHERE org = :org_id AND evaluation_id IN $expired_results
% when=looked changes=gone
DELETE FROM evaluations WHERE org = :org_id AND id IN $expired_results
% chain=batches read=batch_count_read
$batch_count


-- Dependent rows are deleted first, because these queries select them.
$empty_batches = (SELECT id FROM batches INDEXED BY batches_empty
        WHERE org = :org_id AND total = 0 AND status IN ('completed', 'failed')
        AND completed_at < :before ORDER BY id LIMIT :limit)

$empty_jobs = (SELECT id FROM jobs WHERE org = :org_id
        AND id < 'job' || substr(:until, 4) AND NOT EXISTS (SELECT 1
        FROM job_evaluations j JOIN evaluations e ON e.org = :org_id
        AND e.id = j.evaluation_id
        WHERE j.org = :org_id AND j.job_id = jobs.id)
        ORDER BY id LIMIT :limit)

%op old_empty write of=judge_old_t
%
$expire_org
% when=org_id
SELECT :{max(batches, jobs) AS looked} FROM (SELECT (SELECT count(*)
        FROM $empty_batches) AS batches, (SELECT count(*)
        FROM $empty_jobs) AS jobs)
% when=looked
DELETE FROM batch_texts WHERE org = :org_id AND batch_id IN $empty_batches
% when=looked
DELETE FROM feedback_sessions
    WHERE org = :org_id AND batch_id IN $empty_batches
% when=looked
DELETE FROM preferences WHERE org = :org_id AND batch_id IN $empty_batches
% when=looked
DELETE FROM pair_answers WHERE org = :org_id AND batch_id IN $empty_batches
% when=looked
DELETE FROM batches WHERE org = :org_id AND id IN $empty_batches
% when=looked
DELETE FROM job_evaluations WHERE org = :org_id AND job_id IN $empty_jobs
% when=looked
DELETE
    FROM jobs
    WHERE org = :org_id AND id IN $empty_jobs
        AND NOT EXISTS (SELECT 1 FROM job_evaluations j WHERE j.org = :org_id
        AND j.job_id = jobs.id)


%op old_feedback write of=judge_old_t
%
$expire_org
% when=org_id
$expire_window(feedback)
% when=looked
DELETE
    FROM examples
    WHERE org = :org_id AND evaluation_id IN (
        SELECT evaluation_id FROM feedback
        WHERE org = :org_id AND id IN $expired_feedback)
        AND feedback_id IN $expired_feedback
% when=looked changes=gone
DELETE FROM feedback WHERE org = :org_id AND id IN $expired_feedback
