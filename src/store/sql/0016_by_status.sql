-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Indexes of batches and jobs by status, which cost little: compared with
-- evaluations there are few of them.

DROP INDEX batches_open;
CREATE INDEX batches_status ON batches (org, status, id);
CREATE INDEX training_jobs_status ON training_jobs (org, status, id);
CREATE INDEX training_jobs_judge_status
    ON training_jobs (org, judge_id, status, id);
