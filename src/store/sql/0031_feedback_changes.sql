-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Who changed an entry of feedback last, and when.  A changed entry counts as
-- new feedback, so that jobs that learn only from new feedback read it.

ALTER TABLE feedback ADD COLUMN updated_at BIGINT;
ALTER TABLE feedback ADD COLUMN updated_by TEXT;
ALTER TABLE feedback ADD COLUMN updated_by_person TEXT;

DROP INDEX feedback_judge;
CREATE INDEX feedback_judge
    ON feedback (org, judge_id, COALESCE(updated_at, submitted_at));
