-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- A trigger costs each update of its columns a frame of SQLite's machine,
-- though its condition fails: claiming and ending an evaluation ran four.
-- What makes an evaluation wait, at first or again, names its deadline, which
-- those do not.

DROP TRIGGER evaluations_requested_later;
DROP TRIGGER evaluations_waiting;
DROP TRIGGER evaluations_kind_later;
DROP TRIGGER results_withdrawn;

CREATE TRIGGER evaluations_waiting AFTER UPDATE OF deadline ON evaluations
    WHEN NEW.queue_at = NEW.deadline AND NEW.model IS NULL
        AND OLD.queue_at IS NULL
BEGIN
    UPDATE evaluations SET work_until = NULL, work_lease = NULL,
        work_progress = NULL, work_kind = (SELECT CASE file_type
            WHEN 'video' THEN 2 WHEN 'audio' THEN 4 WHEN 'image' THEN 6 END
            + (file_path IS NOT NULL)
            FROM contents c WHERE c.org = NEW.org AND c.id = NEW.content_id)
        WHERE org = NEW.org AND id = NEW.id;
    INSERT INTO work_requests SELECT org, evaluation_id FROM work_wanted
        WHERE org = NEW.org AND evaluation_id = NEW.id;
END;

CREATE TRIGGER results_withdrawn AFTER UPDATE OF deadline ON evaluations
    WHEN NEW.status = 'processing' AND OLD.status <> 'processing' BEGIN
    DELETE FROM results WHERE org = OLD.org AND evaluation_id = OLD.id;
    INSERT INTO results_gone SELECT OLD.org, OLD.result
        WHERE OLD.result IS NOT NULL ON CONFLICT DO NOTHING;
    UPDATE evaluations SET result = NULL
        WHERE org = NEW.org AND id = NEW.id;
END;
