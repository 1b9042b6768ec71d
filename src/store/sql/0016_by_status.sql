-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Batches and jobs by their status: there are few of them beside evaluations,
-- so that these cost little.

DROP INDEX batches_open;
CREATE INDEX batches_status ON batches (org, status, id);
CREATE INDEX training_jobs_status ON training_jobs (org, status, id);
CREATE INDEX training_jobs_judge_status
    ON training_jobs (org, judge_id, status, id);
