-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- What a judge has completed is counted without a look at each row: as with
-- the queue (0021), the index has what it was made for.

DROP INDEX evaluations_judge_done;
CREATE INDEX evaluations_judge_done
    ON evaluations (org, judge_id, id, status) WHERE status = 'completed';
