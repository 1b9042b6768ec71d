-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- A job that fits a version again because its model is of another engine has
-- here the identity of the engine that it is for: one of each.

ALTER TABLE training_jobs ADD COLUMN refits BIGINT;

CREATE UNIQUE INDEX training_jobs_refits
    ON training_jobs (org, judge_id, base_version, refits)
    WHERE refits IS NOT NULL;

-- The versions of the built-in engine that scores were counted of, and the
-- hour (since 1970) of the first; 0: they may be of any time.  In a store with
-- scores these are of a version before the sixth.

CREATE TABLE engines (
    version         TEXT    NOT NULL PRIMARY KEY,
    since           BIGINT  NOT NULL
) WITHOUT ROWID;

INSERT INTO engines
    SELECT 'before 6', 0 WHERE EXISTS (SELECT 1 FROM score_hours);
