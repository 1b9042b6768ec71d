-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- Evaluations that external workers judge.  Such a one waits with queue_at at
-- its deadline, which ends it; whoever has claimed it holds work_lease until
-- work_until.

ALTER TABLE evaluations ADD COLUMN work_until BIGINT;
ALTER TABLE evaluations ADD COLUMN work_lease TEXT;

CREATE INDEX evaluations_work ON evaluations (org, priority, created_at)
    WHERE queue_at = deadline AND model IS NULL;

-- A few small pictures of what was judged, as the worker saw it.

CREATE TABLE evaluation_frames (
    org             TEXT    NOT NULL,
    evaluation_id   TEXT    NOT NULL,
    position        BIGINT  NOT NULL,
    at_ms           BIGINT  NOT NULL,
    jpeg            BLOB    NOT NULL,
    PRIMARY KEY (org, evaluation_id, position)
);

CREATE TRIGGER evaluations_deleted AFTER DELETE ON evaluations BEGIN
    DELETE FROM evaluation_frames
        WHERE org = OLD.org AND evaluation_id = OLD.id;
END;
