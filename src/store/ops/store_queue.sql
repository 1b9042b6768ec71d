-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Operations by which workers of the service claim and end evaluations.


-- Row locks, which only an engine with several concurrent writers needs: these
-- comments are SQL in PostgreSQL.  $locked waits for a row that another
-- transaction has locked, $skip_locked skips that row.
$locked = /* FOR UPDATE */

$skip_locked = /* FOR UPDATE SKIP LOCKED */

-- Other transactions may have locked the first rows: PostgreSQL examines more.
$spare = /* + 256 */

-- $queue_class(PRIORITY, MODEL): the oldest due rows of one class.  Those of
-- all classes are sorted by $queue_urgency, which falls by 1 per :aging ms.
$queue_class =
    SELECT *
    FROM (SELECT org, id, priority, queue_at, created_at,
        attempts > 0 AND model IS NULL AND deadline > :now AS retry
        FROM evaluations
        WHERE priority = $1 AND queue_at IS NOT NULL AND model IS $2
        AND queue_at <= :now AND (:fresh = 0 OR attempts = 0
        OR model IS NOT NULL OR deadline <= :now) ORDER BY queue_at
        LIMIT CASE WHEN :limit > :models THEN :limit ELSE :models END + :more)

$queue_classes = $queue_class(0, $1)
    UNION ALL $queue_class(1, $1)
    UNION ALL $queue_class(2, $1)

$queue_urgency = CASE WHEN (:now - created_at) / :aging >= priority THEN 0
        ELSE priority - (:now - created_at) / :aging END

$queue_order = ORDER BY $queue_urgency, queue_at, org, id

-- Whether an evaluation is more urgent than the range that was chosen.
$queue_before = CASE WHEN $queue_urgency < coalesce(:range.urgency, 3)
        THEN 1 ELSE 0 END

-- $queue_taken(CANDIDATES, LIMIT): candidates that no other transaction locks.
$queue_taken = (SELECT org, id, attempts > 0 AND model IS NULL
        AND deadline > :now AS retry, CASE WHEN model IS NULL
        THEN $queue_before ELSE 0 END AS before FROM evaluations
        WHERE (org, id) IN (SELECT org, id FROM ($1 $queue_order
        LIMIT $2 + :more) AS first) AND queue_at <= :now
        $queue_order LIMIT $2 $skip_locked)

-- $queue_range(PRIORITY, LIMIT): ranges of organizations after the last served
-- one; and of the first organizations, in case that none follows.
$queue_range = SELECT * FROM (SELECT * FROM queue_ranges
        WHERE priority = $1 AND org > coalesce(:served, '')
        AND queue_at <= :now ORDER BY org, queue_at LIMIT $2)
    UNION ALL SELECT * FROM (SELECT * FROM queue_ranges
        WHERE priority = $1 AND org <= coalesce(:served, '')
        AND queue_at <= :now ORDER BY org, queue_at LIMIT $2)

$queue_ranges = $queue_range(0, $1) UNION ALL $queue_range(1, $1)
    UNION ALL $queue_range(2, $1)

$queue_range_order = ORDER BY $queue_urgency, CASE WHEN org
        > coalesce(:served, '') THEN 0 ELSE 1 END, org, queue_at, first

$range_found = org = :range.org AND batch_id = :range.batch_id
        AND first = :range.first

-- Evaluations of a range that have not ended and are not queued by themselves.
$range_rows = org = :range.org
        AND id BETWEEN :range.first AND :range.last AND status = 'processing'
        AND queue_at IS NULL AND model IS NULL

$queue_release = UPDATE evaluations
    SET queue_at = :now, owner = NULL, attempts = CASE WHEN :left > 0
        AND attempts > 0 AND model IS NULL THEN attempts - 1 ELSE attempts END
    WHERE priority IN (0, 1, 2) AND queue_at IS NOT NULL AND model IS $1
        AND queue_at > :now AND queue_at <= :until AND owner IS NOT NULL
        AND (:owner IS NULL OR owner = :owner)

$range_release = UPDATE queue_ranges
    SET queue_at = :now, owner = NULL, attempts = CASE WHEN :left > 0
        AND attempts > 0 THEN attempts - 1 ELSE attempts END
    WHERE priority IN (0, 1, 2) AND queue_at > :now AND queue_at <= :until
        AND owner IS NOT NULL AND (:owner IS NULL OR owner = :owner)

$queue_count = (SELECT COUNT(*) FROM (SELECT 1 FROM evaluations
        WHERE priority = $1 AND queue_at IS NOT NULL AND model $2
        AND queue_at $3 :now LIMIT $JUDGE_QUEUE_DEPTH_MAX))

$range_count = (SELECT coalesce(sum(size), 0) FROM (SELECT size
        FROM queue_ranges WHERE $3 = 0 AND priority = $1 AND queue_at $2 :now
        LIMIT $JUDGE_QUEUE_DEPTH_MAX))

$queue_both = min($queue_count($1, $2, <=) + $range_count($1, <=, $3),
        $JUDGE_QUEUE_DEPTH_MAX) AS due[$3][$1],
    min($queue_count($1, $2, >) + $range_count($1, >, $3),
        $JUDGE_QUEUE_DEPTH_MAX) AS later[$3][$1]

$queue_counts =
    SELECT :{$queue_both(0, $1, $2), $queue_both(1, $1, $2),
        $queue_both(2, $1, $2)}


-- One statement for each queue: the built-in engine's, the models', ranges.

%op queue_peek inline
%
SELECT :{1 AS pending}
    FROM evaluations
    WHERE priority IN (0, 1, 2) AND queue_at IS NOT NULL AND model IS NULL
        AND queue_at <= :now LIMIT 1
% when=!pending,models
SELECT :{1 AS pending}
    FROM evaluations
    WHERE priority IN (0, 1, 2) AND queue_at IS NOT NULL
        AND model IS NOT NULL AND queue_at <= :now LIMIT 1
% when=!pending,ranges
SELECT :{1 AS pending}
    FROM queue_ranges
    WHERE priority IN (0, 1, 2) AND queue_at <= :now LIMIT 1


-- $next(TABLE, CONDITION): the earliest queue_at, by one search of an index.
$next = SELECT min(queue_at) AS at FROM $1 WHERE $2 queue_at IS NOT NULL
$next_judged = $next($1, :evaluates = 1 AND $2)
$next_urgent = $next_judged(evaluations, priority = $1 AND model IS NULL AND)
    UNION ALL $next_judged(evaluations, priority = $1 AND model IS NOT NULL
        AND) UNION ALL $next_judged(queue_ranges, priority = $1 AND)

%op queue_due inline
%
SELECT :{coalesce(min(at), 0) AS due}
    FROM ($next_urgent(0) UNION ALL $next_urgent(1)
        UNION ALL $next_urgent(2)
        UNION ALL $next(uploads, ) UNION ALL $next(feedback, )
        UNION ALL $next_judged(training_jobs, ) UNION ALL $next(drifts, )
        UNION ALL $next(exports, ) UNION ALL $next(webhook_endpoints, )
        UNION ALL $next(openai_objects, )
        UNION ALL $next_judged(suggestions, )
        UNION ALL SELECT min(pairs_at) AS at FROM batches
        WHERE :evaluates = 1 AND pairs_at IS NOT NULL
        AND completed_at IS NOT NULL) AS queues


-- Claims the evaluations that are as urgent as the most urgent range, and that
-- range as a whole unless :limit evaluations are more urgent.  Organizations
-- with equally urgent ranges are served in turn.  A range whose lease has
-- expired is split into single evaluations, because one of them may crash
-- processes.  In RETURNING, SQLite 3.40 gives 1 for "model IS NOT NULL" even
-- if model is NULL.

%op queue_claim write
%
SELECT :{org AS range.org, batch_id AS range.batch_id, first AS range.first,
        last AS range.last, attempts AS range.attempts, $queue_urgency AS
        range.urgency}
    FROM ($queue_ranges(1)) AS ready $queue_range_order LIMIT 1
%= postgresql
SELECT org, batch_id, first, last, attempts, $queue_urgency
    FROM queue_ranges
    WHERE (org, batch_id, first) IN (SELECT org, batch_id, first
        FROM ($queue_ranges(64)) AS ready) AND queue_at <= :now
    $queue_range_order LIMIT 1 $skip_locked
% step=queue_claim_choose read=queue_claim_chosen
SELECT org, id, retry, before
    FROM (SELECT * FROM (SELECT *, $queue_before AS before
        FROM ($queue_classes(NULL)) AS ready
        WHERE :range.first IS NULL OR $queue_urgency <= :range.urgency
        $queue_order LIMIT :limit) UNION ALL SELECT * FROM (SELECT *,
        0 AS before FROM ($queue_classes(NOT NULL)) AS asking $queue_order
        LIMIT :models)) AS ready
%= postgresql
SELECT org, id, retry, before
    FROM $queue_taken(SELECT * FROM ($queue_classes(NULL)) AS ready
        WHERE :range.first IS NULL OR $queue_urgency <= :range.urgency,
        :limit) AS own
    UNION ALL SELECT org, id, retry, before
    FROM $queue_taken(SELECT * FROM ($queue_classes(NOT NULL)) AS asking,
        :models) AS asked
% of=judge_job_t step=queue_claim_alone together
UPDATE evaluations
    SET queue_at = :lease.until, owner = :lease.owner, attempts = attempts + 1
    WHERE org = @org AND id = @id
    RETURNING @{attempts, created_at, deadline, content_id, judge_id,
        judge_version, batch_id, coalesce(model, '') <> '' AS by_model}
% when=whole read=queue_claim_whole
SELECT id, created_at, deadline, content_id, judge_id, judge_version
    FROM evaluations
    WHERE $range_rows
    ORDER BY id LIMIT $JUDGE_RANGE_ROWS
% when=whole step=queue_claim_lease
UPDATE queue_ranges
    SET queue_at = :lease.until, owner = :lease.owner, attempts = attempts + 1
    WHERE $range_found
% when=broken
UPDATE evaluations
    SET queue_at = :now, attempts = :range.attempts
    WHERE $range_rows
% when=broken
DELETE FROM queue_ranges WHERE $range_found


-- Reads a text once for consecutive jobs with the same content, and a judge
-- once for all jobs; the last statement is for models and external workers.

%op queue_load bulk end=queue_load_end
% of=judge_job_t step=queue_load_step
SELECT @{1 AS found, text_content, metadata, file_type, file_path}
    FROM contents
    WHERE org = @org AND id = @content_id
% of=judge_job_t step=queue_load_step
SELECT @{v.name AS judge_name, v.description AS judge_description,
        v.feedback_language, v.review, v.escalate, v.scope, v.panel,
        v.criteria, k.version AS canary, k.share}
    FROM judge_versions v
    LEFT
    JOIN canaries k ON k.org = v.org AND k.judge_id = v.judge_id
        AND k.base = v.version AND k.n < $JUDGE_CANARY_PAIRS
    WHERE v.org = @org AND v.judge_id = @judge_id
        AND v.version = @judge_version
% of=judge_job_t read=queue_load_reference step=queue_load_step
SELECT t.text_content, t.id, t.extension, t.status, t.reason
    $references_of(@org, @judge_id, @judge_version)
    ORDER BY f.position LIMIT $JUDGE_REFERENCES_MAX
% of=judge_job_t step=queue_load_step
SELECT @{model, samples, fresh, escalated, first_score, given_back,
        last_error}
    FROM evaluations
    WHERE org = @org AND id = @id


-- Evaluations of a range have no lease of their own, so the first statement
-- checks that this owner still has the lease of the range.
$canary_pair = org = @org AND judge_id = @judge_id AND base = @base
        AND version = @version AND EXISTS (SELECT 1 FROM evaluations e
        WHERE e.org = @org AND e.id = @id)

%op queue_finish write
% when=range.first unless_rows=NOT_FOUND
SELECT 1 FROM queue_ranges WHERE $range_found AND owner = :owner $locked
% step=queue_finish_last
SELECT :{max(coalesce(max(number), 0), 0 * :nrows) AS last}
    FROM results_together
%= postgresql
SELECT judge_numbers(:nrows)
% each=results step=queue_finish_step read=queue_finish_read together changed
UPDATE evaluations
    SET status = @status, result = @result?, queue_at = @queue_at?,
        evaluated_at = @evaluated_at?,
        overall_score = @overall_score?scored, review = @review?scored,
        last_error = @last_error,
        error_code = @error_code, owner = NULL, answer_key = @answer_key,
        model = coalesce(@model, model),
        judge_version = coalesce(@judge_version?, judge_version),
        escalated = coalesce(@escalated?, escalated),
        first_score = CASE WHEN @escalated > 0 THEN @first_score
        ELSE first_score END,
        attempts = attempts + :range.attempts - @uncounted,
        given_back = given_back + @given_back, batch_seq = CASE
        WHEN @status <> 'processing' THEN (SELECT b.last_seq + :turn + 1
        FROM batches b WHERE b.org = @org AND b.id = evaluations.batch_id
        $locked) END
    WHERE org = @org AND id = @id AND CASE WHEN :range.first IS NULL
        THEN owner = :owner ELSE queue_at IS NULL END
        AND status = 'processing'
% each=rows:nrows when=@number
INSERT INTO results_together (number, kept, features, bodies, org)
    VALUES (@number, @kept, @features#blob, @bodies#blob, @org)
% of=judge_result_t step=queue_finish_lost
INSERT INTO results_gone (org, result) VALUES (@org, @result)
% chain=batches read=batch_count_read
$batch_count
% when=range.first
DELETE
    FROM queue_ranges
    WHERE $range_found AND NOT EXISTS (SELECT 1 FROM evaluations
        WHERE $range_rows)
% each=pairs:npairs
UPDATE canaries
    SET n = n + 1
    WHERE $canary_pair AND NOT EXISTS (SELECT 1 FROM canary_scores s
        WHERE s.org = @org AND s.judge_id = @judge_id
        AND s.evaluation_id = @id)
% each=pairs:npairs
INSERT INTO canary_scores (org, judge_id, evaluation_id, scores)
    SELECT org, judge_id, @id, @scores#blob
    FROM canaries
    WHERE $canary_pair
    ON CONFLICT (org, judge_id, evaluation_id) DO NOTHING


-- Deletes results from the rows that several share, and rows without any left.

%op results_gone write
% step=results_gone_step read=results_gone_read
SELECT at, kept, features, bodies, gone, first.org
    FROM (SELECT org, result / 64 AS at, SUM(CAST(1 AS BIGINT)
        << CAST(result % 64 AS INTEGER)) AS gone
        FROM results_gone WHERE (org, result) >= (:org_id, :from)
        GROUP BY org, result / 64 ORDER BY org, at LIMIT 1) AS first
    LEFT
    JOIN results_together t ON t.org = first.org AND number = at
% chain=rows when=@kept
UPDATE results_together
    SET kept = @kept, features = @features#blob, bodies = @bodies#blob
    WHERE org = @org AND number = @number AND @kept > 0
% chain=rows when=!@kept
DELETE
    FROM results_together
    WHERE org = @org AND number = @number AND @kept = 0
%
DELETE FROM results_gone


-- The queue_at of a claimed row is the end of its lease: rows up to :now may
-- be claimed anyway, and rows after :until wait for external workers and are
-- not read, because there may be many.  Slices of batches have no owner, so
-- that they are released only with those of all owners (:owner absent).

%op queue_release write
%
$queue_release(NULL)
%
$queue_release(NOT NULL)
%
$range_release
%
UPDATE webhook_endpoints
    SET queue_at = CASE WHEN blocked_until > :now THEN blocked_until
        ELSE :now END
    WHERE (org, url) IN (SELECT org, url FROM deliveries WHERE owner > ''
        AND (:owner IS NULL OR owner = :owner))
%
UPDATE deliveries
    SET queue_at = :now, owner = NULL
    WHERE owner > '' AND (:owner IS NULL OR owner = :owner)
%
UPDATE training_jobs
    SET queue_at = :now, owner = NULL
    WHERE queue_at > :now AND owner IS NOT NULL AND (:owner IS NULL
        OR owner = :owner)
%
UPDATE uploads
    SET queue_at = :now, owner = NULL
    WHERE queue_at > :now AND owner IS NOT NULL AND (:owner IS NULL
        OR owner = :owner)
%
UPDATE openai_objects
    SET queue_at = :now, owner = NULL
    WHERE queue_at > :now AND owner IS NOT NULL AND (:owner IS NULL
        OR owner = :owner)
%
UPDATE batches
    SET pairs_at = :now, pairs_owner = NULL
    WHERE pairs_at > :now AND completed_at IS NOT NULL
        AND pairs_owner IS NOT NULL AND (:owner IS NULL
        OR pairs_owner = :owner)
%
UPDATE suggestions
    SET queue_at = :now, owner = NULL
    WHERE queue_at > :now AND owner IS NOT NULL AND (:owner IS NULL
        OR owner = :owner)
% when=!owner
UPDATE unfinished SET until = :now WHERE until > :now


-- One statement for each of the queues: the built-in engine's, the models'.

%op queue_depth bulk
%
$queue_counts(IS NULL, 0)
%
$queue_counts(IS NOT NULL, 1)


%op queue_prolong write
% each=rows
UPDATE evaluations
    SET queue_at = :lease.until
    WHERE org = @org AND id = @id AND owner = :lease.owner
        AND status = 'processing'
    RETURNING @{1 AS held}


%op queue_held bulk
% each=rows
SELECT @{1 AS held}
    FROM evaluations
    WHERE org = @org AND id = @id AND status = 'processing'


%op answer_find inline
% unless_rows=NOT_FOUND
SELECT :{$result(e, body, bodies) AS body#packed}
    FROM evaluations e
    WHERE e.answer_key = :key AND e.org = :org LIMIT 1
