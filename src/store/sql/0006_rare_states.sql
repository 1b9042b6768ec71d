-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Lists of what few rows are, however many rows there are: those that have not
-- ended, those that have failed; and which waiting evaluation a callback of an
-- external worker is about.

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
