-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Of a job that refits a version, whose model was learned from the scores of
-- another engine: the identity of the new one.  There is one job for each.

ALTER TABLE training_jobs ADD COLUMN refits BIGINT;

CREATE UNIQUE INDEX training_jobs_refits
    ON training_jobs (org, judge_id, base_version, refits)
    WHERE refits IS NOT NULL;

-- The versions of the built-in engine whose scores are counted, and the hour
-- (since 1970) of the first score; 0: unknown.  Scores that are stored already
-- are of a version before the sixth.

CREATE TABLE engines (
    version         TEXT    NOT NULL PRIMARY KEY,
    since           BIGINT  NOT NULL
) WITHOUT ROWID;

INSERT INTO engines
    SELECT 'before 6', 0 WHERE EXISTS (SELECT 1 FROM score_hours);
