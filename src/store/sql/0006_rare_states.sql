-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Indexes of rows that are always few: those that have not ended, those that
-- have failed; and the waiting evaluations for callbacks of external workers.

CREATE INDEX evaluations_open ON evaluations (org, id, judge_id)
    WHERE status = 'processing';
CREATE INDEX evaluations_failed ON evaluations (org, id)
    WHERE status = 'failed';
CREATE INDEX evaluations_judge_failed ON evaluations (org, judge_id, id)
    WHERE status = 'failed';
CREATE INDEX evaluations_called ON evaluations (id)
    WHERE queue_at = deadline AND model IS NULL;
CREATE INDEX batches_open ON batches (org, status, id)
    WHERE status <> 'completed';
