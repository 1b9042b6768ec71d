-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Operations by which external workers claim evaluations: store_external.h.


-- Columns of a content c and a judge version v; then with an evaluation e.
$work_columns_rest = c.file_type AS content.file_type, c.size AS content.size,
        c.name AS content.name, c.file_path AS content.file_path,
        c.file_url AS content.file_url, c.metadata AS content.metadata,
        v.name AS judge_name, v.description AS judge_description, v.criteria,
        v.reference_uris

$work_columns = e.id, e.content_id, e.content_id AS content.id, e.judge_id,
        e.judge_version, e.batch_id, e.priority, e.attempts, e.created_at,
        e.deadline, $references_waiting(e) AS learning, $work_columns_rest

-- Evaluations without a lease, and those whose lease has expired.
$work_free = queue_at = deadline AND model IS NULL AND work_until IS NULL
        AND owner IS NULL AND deadline > :now

$work_late = queue_at = deadline AND model IS NULL
        AND work_until IS NOT NULL AND work_until <= :now

$work_wanted = (:filter.sources & $3 <> 0 AND '$1' IN (:filter.kinds[0],
        :filter.kinds[1], :filter.kinds[2]))

$work_either = CASE WHEN $work_wanted($1, $2, 1) THEN $2 + 1 END,
        CASE WHEN $work_wanted($1, $2, 2) THEN $2 END

-- $work_class(KIND, ITS NUMBER, work_kind, BIT OF THE SOURCE, PRIORITY): the
-- oldest evaluations of one class.
$work_class =
    SELECT *
    FROM (SELECT id, priority, created_at
        FROM evaluations INDEXED BY evaluations_work
        WHERE org = :org AND work_kind = $3 AND $work_wanted($1, $2, $4)
        AND priority = $5 AND $work_free
        ORDER BY created_at LIMIT :wanted $spare)

$work_priorities = $work_class($1, $2, $3, $4, 0)
    UNION ALL $work_class($1, $2, $3, $4, 1)
    UNION ALL $work_class($1, $2, $3, $4, 2)

$work_kind = $work_priorities($1, $2, $2 + 1, 1)
    UNION ALL $work_priorities($1, $2, $2, 2)

-- Runs if an update changed nothing: a row means a conflict, none NOT_FOUND.
$work_there = SELECT 1 FROM evaluations WHERE org = :org AND id = :id

$work_mine = org = :org AND id = :id AND work_lease = :owner
        AND status = 'processing'


%op work_peek bulk
%
SELECT :{EXISTS (SELECT 1
        FROM evaluations INDEXED BY evaluations_work
        WHERE org = :org AND work_kind IN ($work_either(video, 2),
        $work_either(audio, 4), $work_either(image, 6))
        AND priority IN (0, 1, 2) AND $work_free)
        OR EXISTS (SELECT 1 FROM evaluations INDEXED BY evaluations_held
        WHERE org = :org AND $work_late) AS pending}


-- Ends expired leases, chooses evaluations, ends those with too many attempts,
-- puts off those whose judge has an unread reference, and claims the others.
-- The first of several operations with the same filter chooses for all.
-- An expired row keeps its work_lease, so that the former owner can prolong
-- the lease until another worker claims the row.

$work_still = org = :org AND id = @id AND $work_free

%op work_claim write
% when=!shared step=work_claim_step
UPDATE evaluations
    SET work_until = NULL
    WHERE org = :org AND id IN (SELECT id
        FROM evaluations INDEXED BY evaluations_held
        WHERE org = :org AND $work_late
        ORDER BY work_until LIMIT $JUDGE_WORK_LATE)
% when=!shared list=found:nfound limit=wanted
SELECT @{id}
    FROM ($work_kind(video, 2) UNION ALL $work_kind(audio, 4)
        UNION ALL $work_kind(image, 6)) AS ready
    ORDER BY CASE WHEN (:now - created_at) / :aging >= priority THEN 0
        ELSE priority - (:now - created_at) / :aging END, created_at
    LIMIT :wanted
%= postgresql
SELECT id
    FROM evaluations
    WHERE org = :org AND $work_free AND id IN (SELECT id
        FROM ($work_kind(video, 2) UNION ALL $work_kind(audio, 4)
        UNION ALL $work_kind(image, 6)) AS ready
        ORDER BY CASE WHEN (:now - created_at) / :aging >= priority THEN 0
        ELSE priority - (:now - created_at) / :aging END, created_at
        LIMIT :wanted $spare)
    ORDER BY CASE WHEN (:now - created_at) / :aging >= priority THEN 0
        ELSE priority - (:now - created_at) / :aging END, created_at
    LIMIT :wanted $skip_locked
% when=!shared each=found:nfound
SELECT @{attempts - given_back >= :attempts AS tried,
        $references_waiting(evaluations) AS unread}
    FROM evaluations
    WHERE org = :org AND id = @id
% each=found:nfound step=work_claim_tried together
UPDATE evaluations
    SET deadline = :now, queue_at = :now
    WHERE $work_still AND attempts - given_back >= :attempts
% each=found:nfound when=unread
UPDATE evaluations
    SET work_until = :now + 2000, work_lease = NULL
    WHERE $work_still AND $references_waiting(evaluations)
% each=found:nfound list=items limit=limit
UPDATE evaluations
    SET work_until = :lease.until, work_lease = :lease.owner,
        work_progress = NULL, attempts = attempts + 1
    WHERE $work_still
    RETURNING @{id, content_id, content_id AS content.id, judge_id,
        judge_version, batch_id, priority, attempts, created_at, deadline}
% each=items
SELECT @{$work_columns_rest}
    FROM contents c, judge_versions v
    WHERE c.org = :org AND c.id = @content_id AND v.org = :org
        AND v.judge_id = @judge_id AND v.version = @judge_version


%op work_prolong write
%
UPDATE evaluations
    SET work_until = coalesce(:lease.until?, work_until),
        work_progress = coalesce(:progress?, work_progress)
    WHERE org = :org AND id = :id AND (:lease.owner IS NULL
        OR work_lease = :lease.owner) AND status = 'processing'
% when=!changed unless_rows=NOT_FOUND if_rows=CONFLICT
$work_there


%op work_release write
%
UPDATE evaluations
    SET work_until = :again_at, work_lease = NULL, work_progress = NULL,
        given_back = given_back + 1, last_error = :last_error
    WHERE $work_mine
% when=!changed unless_rows=NOT_FOUND if_rows=CONFLICT
$work_there


%op frame_put write of=judge_keyframe_put_t
%
INSERT INTO evaluation_frames (org, evaluation_id, position, at_ms, jpeg)
    SELECT org, id, :position, :media_ms, :jpeg#blob
    FROM evaluations
    WHERE $work_mine
    ON CONFLICT (org, evaluation_id, position) DO UPDATE SET at_ms = :media_ms,
        jpeg = :jpeg#blob
% when=!changed unless_rows=NOT_FOUND if_rows=CONFLICT
$work_there


%op frame_list inline of=judge_keyframe_list_t
% unless_rows=NOT_FOUND
$work_there
% list=rows most=JUDGE_KEYFRAMES_MAX
SELECT @{position, at_ms AS media_ms, length(jpeg) AS size}
    FROM evaluation_frames
    WHERE org = :org AND evaluation_id = :id
    ORDER BY position


%op frame_find bulk of=judge_keyframe_find_t
% unless_rows=NOT_FOUND
SELECT :{jpeg}
    FROM evaluation_frames
    WHERE org = :org AND evaluation_id = :id AND position = :position
