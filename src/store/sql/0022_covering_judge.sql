-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- A covering index, as in 0021: the completed evaluations of a judge are
-- counted without reading their rows.

DROP INDEX evaluations_judge_done;
CREATE INDEX evaluations_judge_done
    ON evaluations (org, judge_id, id, status) WHERE status = 'completed';
