-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Ended evaluations that are exported: claimed, read and deleted.


%op export_peek inline of=judge_peek_t
%
SELECT :{1 AS pending} FROM exports WHERE queue_at <= :now LIMIT 1


%op export_claim write
% list=rows limit=claim.limit unless_rows=NOT_FOUND
UPDATE exports
    SET queue_at = :claim.lease.until
    WHERE (org, id) IN (SELECT org, id FROM exports
        WHERE queue_at <= :claim.now
        ORDER BY queue_at LIMIT :claim.limit $skip_locked)
    RETURNING @{org, id, noted_at}


%op export_load bulk
% each=rows
SELECT @{1 AS found, $result(e, body, bodies) AS body#packed,
        coalesce(e.trace, b.trace) AS trace, c.metadata,
        v.name AS judge_name, v.review, v.criteria}
    FROM evaluations e
    JOIN contents c ON c.org = e.org AND c.id = e.content_id
    JOIN judge_versions v ON v.org = e.org AND v.judge_id = e.judge_id
        AND v.version = e.judge_version
    LEFT
    JOIN batches b ON b.org = e.org AND b.id = e.batch_id
    WHERE e.org = @org AND e.id = @id AND e.status <> 'processing'


%op export_finish write
% each=rows
DELETE
    FROM exports
    WHERE org = @org AND id = @id AND queue_at = :until AND @repeat = 0
% each=rows
UPDATE exports
    SET queue_at = :repeat_at
    WHERE org = @org AND id = @id AND queue_at = :until
