-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- How far a worker is with an evaluation, in percent, as it says.  One that
-- waits for workers anew is nobody's.

ALTER TABLE evaluations ADD COLUMN work_progress REAL;

CREATE TRIGGER evaluations_waiting
    AFTER UPDATE OF queue_at ON evaluations
    WHEN NEW.queue_at = NEW.deadline AND NEW.model IS NULL
        AND OLD.queue_at IS NULL
        AND (NEW.work_until IS NOT NULL OR NEW.work_progress IS NOT NULL)
BEGIN
    UPDATE evaluations
        SET work_until = NULL, work_lease = NULL, work_progress = NULL
        WHERE org = NEW.org AND id = NEW.id;
END;
