-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Operations on many scores at once: estimates, drift and canaries.


-- The evaluations whose ids are greater than $1 and less than :until.
$scores_of_judge = evaluations INDEXED BY evaluations_judge_done
    WHERE org = :org AND judge_id = :judge_id AND status = 'completed'
        AND id > $1 AND id < :until

$scores_of_batch = evaluations INDEXED BY evaluations_batch
    WHERE org = :org AND batch_id = :batch_id AND id > $1 AND id < :until

-- Skips :stride - 1 entries of the index at a time, so that only the selected
-- evaluations are read from the table.
$score_list =
    WITH RECURSIVE taken (id, n) AS (SELECT :after, 0 UNION ALL
        SELECT (SELECT id FROM $1 ORDER BY id LIMIT 1 OFFSET :stride - 1),
            n + 1 FROM taken WHERE taken.id IS NOT NULL AND n < :limit)
    SELECT @{taken.id, $result(e, body, bodies) AS body#packed,
        e.review > 0 AS review, e.status = 'completed'
        AND e.judge_id = :judge_id AS counts}
    FROM taken
    CROSS
    JOIN evaluations e ON e.org = :org AND e.id = taken.id
    WHERE taken.id > :after
    ORDER BY taken.id


%op score_count bulk
% when=!batch_id
SELECT :{COUNT(*) AS count, MAX(id) AS last}
    FROM (SELECT id FROM $scores_of_judge(:after)
        ORDER BY id LIMIT :limit) AS ready
% when=batch_id
SELECT :{COUNT(*) AS count, MAX(id) AS last}
    FROM (SELECT id FROM $scores_of_batch(:after)
        ORDER BY id LIMIT :limit) AS ready


%op score_list bulk
% when=!batch_id list=rows limit=limit
$score_list($scores_of_judge(taken.id))
% when=batch_id list=rows limit=limit
$score_list($scores_of_batch(taken.id))


-- Finds the judge and the route whose scores are due to be compared.

%op hours_peek inline
%
SELECT :{org AS due_org, judge_id AS due, route AS due_route,
        queue_at AS due_at}
    FROM drifts
    WHERE queue_at <= :now
    ORDER BY queue_at LIMIT 1


-- `drifts` has a row for each route of a judge, and one ('') for all together.

$counted_route = CASE WHEN EXISTS (SELECT 1 FROM drifts WHERE org = @org
        AND judge_id = @judge_id AND route = @route)
        OR (SELECT COUNT(*) FROM drifts WHERE org = @org
        AND judge_id = @judge_id) <= $JUDGE_ROUTES THEN @route
        ELSE 'other' END

$drift_is_due = ON CONFLICT (org, judge_id, route)
    DO UPDATE SET queue_at = excluded.queue_at
        WHERE drifts.queue_at IS NULL
            OR drifts.queue_at > excluded.queue_at

-- Scores of two versions of the engine can't be compared: when another version
-- gives its first scores, canaries and the measurement of drift start anew.

$engine_is_new = NOT EXISTS (SELECT 1 FROM engines WHERE version = :engine)
        AND EXISTS (SELECT 1 FROM engines)

%op hours_write write
%
DELETE FROM canary_scores WHERE $engine_is_new
%
UPDATE canaries SET n = 0, created_at = :now WHERE $engine_is_new
%
INSERT INTO engines (version, since)
    SELECT :engine, CASE WHEN EXISTS (SELECT 1 FROM engines)
        THEN :now / 3600000 ELSE 0 END
    WHERE NOT EXISTS (SELECT 1 FROM engines WHERE version = :engine)
    ON CONFLICT DO NOTHING
% each=rows
INSERT INTO drifts (org, judge_id, route, queue_at, strong)
    VALUES (@org, @judge_id, '', :due_at, 0)
    $drift_is_due
% each=rows
INSERT INTO drifts (org, judge_id, route, queue_at, strong)
    VALUES (@org, @judge_id, $counted_route, :due_at, 0)
    $drift_is_due
% each=rows
INSERT INTO score_hours (org, judge_id, route, hour, criterion_id, bin, n)
    VALUES (@org, @judge_id, $counted_route, @hour, @criterion_id, @bin, @n)
    ON CONFLICT (org, judge_id, route, hour, criterion_id, bin)
    DO UPDATE SET n = score_hours.n + excluded.n


$hours_compared = FROM score_hours
    WHERE org = :org AND judge_id = :judge_id AND hour >= :from
        AND hour < :until AND hour > :engine_since

$before_and_now = SUM(CASE WHEN hour < :split THEN n ELSE 0 END) AS before,
        SUM(CASE WHEN hour < :split THEN 0 ELSE n END) AS now

$routes_of_judge = (SELECT route FROM drifts
        WHERE org = :org AND judge_id = :judge_id)

%op drift_counts bulk
%
SELECT :{MAX(since) AS engine_since} FROM engines
% list=rows most=JUDGE_DRIFT_ROWS when=!route
SELECT @{criterion_id, bin, $before_and_now}
    $hours_compared AND route IN $routes_of_judge
    GROUP BY criterion_id, bin
    ORDER BY criterion_id, bin LIMIT $JUDGE_DRIFT_ROWS
% list=rows most=JUDGE_DRIFT_ROWS when=route
SELECT @{criterion_id, bin, $before_and_now}
    $hours_compared AND route = :route
    GROUP BY criterion_id, bin
    ORDER BY criterion_id, bin LIMIT $JUDGE_DRIFT_ROWS
% list=routes:nroutes most=JUDGE_DRIFT_ROWS
SELECT @{route, $before_and_now}
    $hours_compared AND route IN $routes_of_judge AND route <> ''
        AND criterion_id = ''
    GROUP BY route
    ORDER BY route LIMIT $JUDGE_DRIFT_ROWS


-- All hours of a deleted judge are deleted, 1,000 rows per run.  Other judges
-- are due each day, so that old hours are deleted even without new scores.

$judge_alive = EXISTS (SELECT 1 FROM judges WHERE org = :org
        AND id = :judge_id AND deleted_at IS NULL)

$drift_has_hours = EXISTS (SELECT 1 FROM score_hours WHERE org = :org
        AND judge_id = :judge_id AND route = :route)

%op drift_finish write end=drift_finish_end
% unless_changed=CONFLICT
UPDATE drifts
    SET queue_at = CASE WHEN NOT $judge_alive THEN :now
        WHEN $drift_has_hours THEN :now + 86400000 END
    WHERE org = :org AND judge_id = :judge_id AND route = :route
        AND queue_at = :due_at
% changes=drifted
UPDATE drifts
    SET strong = :strong
    WHERE org = :org AND judge_id = :judge_id AND route = :route
        AND strong <> :strong
%
DELETE FROM score_hours
    WHERE (org, judge_id, route, hour, criterion_id, bin) IN (SELECT org,
        judge_id, route, hour, criterion_id, bin FROM score_hours
        WHERE org = :org AND judge_id = :judge_id AND route = :route
        AND hour < CASE WHEN $judge_alive THEN :oldest ELSE :now END
        LIMIT 1000)
%
DELETE FROM drifts
    WHERE org = :org AND judge_id = :judge_id AND route = :route
        AND (route <> '' OR NOT $judge_alive) AND NOT $drift_has_hours
% each=alerts:nalerts
UPDATE alerts
    SET firing = @firing, since = @since, value = @value, n = @n
    WHERE org = :org AND judge_id = :judge_id AND name = @name
        AND rule = @rule


-- --- Alerts -----------------------------------------------------------------

$judge_lives = SELECT 1 FROM judges WHERE org = :org AND id = $1
        AND deleted_at IS NULL

$alerts_of = SELECT @{name, rule, firing, since, value, n}
    FROM alerts
    WHERE org = :org AND judge_id = $1
    ORDER BY position LIMIT $JUDGE_ALERTS

$alert_keeps = $1 = CASE WHEN alerts.rule = excluded.rule THEN alerts.$1
        ELSE excluded.$1 END

%op alert_list bulk
% unless_rows=NOT_FOUND
$judge_lives(:id)
% list=rows most=JUDGE_ALERTS
$alerts_of(:id)


%op alert_set write
% unless_rows=NOT_FOUND
$judge_lives(:judge_id)
%
UPDATE alerts SET position = -1 WHERE org = :org AND judge_id = :judge_id
% each=rows
INSERT INTO alerts (org, judge_id, name, position, rule, firing, since, value,
        n)
    VALUES (:org, :judge_id, @name, :turn, @rule, 0, 0, -1.0, 0)
    ON CONFLICT (org, judge_id, name) DO UPDATE
    SET position = excluded.position, $alert_keeps(firing),
        $alert_keeps(since), $alert_keeps(value), $alert_keeps(n),
        rule = excluded.rule
%
DELETE FROM alerts
    WHERE org = :org AND judge_id = :judge_id AND position < 0
%
INSERT INTO drifts (org, judge_id, route, queue_at, strong)
    VALUES (:org, :judge_id, '', :now, 0)
    ON CONFLICT (org, judge_id, route) DO UPDATE
    SET queue_at = CASE WHEN drifts.queue_at <= excluded.queue_at
        THEN drifts.queue_at - 1 ELSE excluded.queue_at END
% list=kept:nkept most=JUDGE_ALERTS
$alerts_of(:judge_id)


-- --- Canaries ---------------------------------------------------------------

$canary_gone = DELETE FROM canaries WHERE org = :org AND judge_id = $1

$canary_scores_gone = DELETE FROM canary_scores
    WHERE org = :org AND judge_id = $1


%op canary_create write
% unless_rows=STALE
SELECT 1 FROM judges WHERE org = :org AND id = :judge_id
        AND version = :base AND deleted_at IS NULL
% unless_changed=CONFLICT
INSERT INTO canaries (org, judge_id, base, version, share, created_at, n)
    VALUES (:org, :judge_id, :base, :version, :share, :now, 0)
    ON CONFLICT (org, judge_id) DO UPDATE SET share = excluded.share
        WHERE canaries.base = excluded.base
        AND canaries.version = excluded.version


%op canary_find bulk
% unless_rows=NOT_FOUND
SELECT :{j.version AS active, k.base, k.version, k.share, k.created_at,
         k.n AS judged,
        v.criteria, v.escalate}
    FROM canaries k
    JOIN judges j ON j.org = k.org AND j.id = k.judge_id
    JOIN judge_versions v ON v.org = k.org AND v.judge_id = k.judge_id
        AND v.version = k.base
    WHERE k.org = :org AND k.judge_id = :judge_id AND j.deleted_at IS NULL
% when=!brief list=rows most=JUDGE_CANARY_ROWS
SELECT @{evaluation_id AS id, scores}
    FROM canary_scores
    WHERE org = :org AND judge_id = :judge_id
    ORDER BY evaluation_id LIMIT $JUDGE_CANARY_ROWS
% when=!brief list=corrected:ncorrected most=JUDGE_CANARY_CORRECTIONS
SELECT @{x.evaluation_id, x.criterion_id, AVG(x.target) AS human,
        MAX(x.given) AS given, MAX(e.overall_score) AS overall}
    FROM canary_scores s
    CROSS
    JOIN examples x ON x.org = s.org AND x.judge_id = s.judge_id
        AND x.evaluation_id = s.evaluation_id
    JOIN evaluations e ON e.org = x.org AND e.id = x.evaluation_id
    WHERE s.org = :org AND s.judge_id = :judge_id
        AND x.kind = 'correction' AND x.given IS NOT NULL
        AND e.status = 'completed'
    GROUP BY x.evaluation_id, x.criterion_id
    ORDER BY x.evaluation_id, x.criterion_id
    LIMIT $JUDGE_CANARY_CORRECTIONS


%op canary_promote write
% unless_changed=CONFLICT
UPDATE judges
    SET version = :version, updated_at = :now
    WHERE org = :org AND id = :judge_id AND deleted_at IS NULL
        AND version = :base AND EXISTS (SELECT 1 FROM canaries k
        WHERE k.org = :org AND k.judge_id = :judge_id
        AND k.version = :version)
%
$canary_gone(:judge_id)
%
$canary_scores_gone(:judge_id)


%op canary_drop write
% unless_changed=NOT_FOUND
$canary_gone(:judge_id)
%
$canary_scores_gone(:judge_id)
