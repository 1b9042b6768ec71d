-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Evaluations as external workers see them: store_external.h.


-- Of a content c and a version v of a judge; and of an evaluation e with them.
$work_columns_rest = c.file_type AS content.file_type, c.size AS content.size,
        c.name AS content.name, c.file_path AS content.file_path,
        c.file_url AS content.file_url, c.metadata AS content.metadata,
        v.name AS judge_name, v.description AS judge_description, v.criteria

$work_columns = e.id, e.content_id, e.content_id AS content.id, e.judge_id,
        e.judge_version, e.batch_id, e.priority, e.attempts, e.created_at,
        e.deadline, $work_columns_rest

-- What may be claimed of one class, the oldest first, and found in that order.
$work_class =
    SELECT *
    FROM (SELECT e.id, e.attempts, e.priority, e.created_at
        FROM evaluations e INDEXED BY evaluations_work CROSS
        JOIN contents c ON c.org = e.org AND c.id = e.content_id
        WHERE e.org = :org AND e.priority = $1 AND e.queue_at = e.deadline
        AND e.model IS NULL AND e.owner IS NULL AND e.deadline > :now
        AND coalesce(e.work_until, 0) <= :now
        AND c.file_type IN (:filter.kinds[0], :filter.kinds[1],
        :filter.kinds[2]) AND ((:filter.sources & 1
        AND c.file_path IS NOT NULL) OR (:filter.sources & 2
        AND c.file_path IS NULL)) ORDER BY e.created_at LIMIT $2)

$work_classes = $work_class(0, $1)
    UNION ALL $work_class(1, $1)
    UNION ALL $work_class(2, $1)

-- Behind an update that changed nothing: whether it is there at all.
$work_there = SELECT 1 FROM evaluations WHERE org = :org AND id = :id

$work_mine = org = :org AND id = :id AND work_lease = :owner
        AND status = 'processing'


%op work_peek bulk
% engine=sqlite
SELECT :{EXISTS ($work_classes(1)) AS pending}


-- Chooses, ends what has been tried too often, takes, and reads what is needed
-- to work on it.

%op work_claim write
% list=found:nfound limit=limit engine=sqlite
SELECT @{id AS self}
    FROM ($work_classes(:limit)) AS ready
    ORDER BY CASE WHEN (:now - created_at) / :aging >= priority THEN 0
        ELSE priority - (:now - created_at) / :aging END, created_at
    LIMIT :limit
% each=found:nfound
UPDATE evaluations
    SET deadline = :now, queue_at = :now
    WHERE org = :org AND id = @self AND attempts >= :attempts
% each=found:nfound list=items limit=limit
UPDATE evaluations
    SET work_until = :lease.until, work_lease = :lease.owner,
        work_progress = NULL, attempts = attempts + 1
    WHERE org = :org AND id = @self AND deadline > :now
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
        attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END
    WHERE $work_mine
% when=!changed unless_rows=NOT_FOUND if_rows=CONFLICT
$work_there


%op frame_put write of=judge_keyframe_put_t
%
INSERT INTO evaluation_frames (org, evaluation_id, position, at_ms, jpeg)
    SELECT org, id, :position, :at, :jpeg#blob
    FROM evaluations
    WHERE $work_mine
    ON CONFLICT (org, evaluation_id, position) DO UPDATE SET at_ms = :at,
        jpeg = :jpeg#blob
% when=!changed unless_rows=NOT_FOUND if_rows=CONFLICT
$work_there


%op frame_list inline of=judge_keyframe_list_t
% unless_rows=NOT_FOUND
$work_there
% list=rows most=JUDGE_KEYFRAMES_MAX
SELECT @{position, at_ms AS at, length(jpeg) AS size}
    FROM evaluation_frames
    WHERE org = :org AND evaluation_id = :id
    ORDER BY position


%op frame_find bulk of=judge_keyframe_find_t
% unless_rows=NOT_FOUND
SELECT :{jpeg}
    FROM evaluation_frames
    WHERE org = :org AND evaluation_id = :id AND position = :position
