-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Partial indexes, by which lists find rows with rare values among many.

CREATE INDEX contents_media ON contents (org, file_type, id)
    WHERE file_type <> 'text';
CREATE INDEX contents_rare ON contents (org, status, id)
    WHERE status <> 'ready';
CREATE INDEX evaluations_review ON evaluations (org, id) WHERE review > 0;
CREATE INDEX evaluations_judge_review ON evaluations (org, judge_id, id)
    WHERE review > 0;
DROP INDEX evaluations_judge;
CREATE INDEX evaluations_judge_done ON evaluations (org, judge_id, id)
    WHERE status = 'completed';
CREATE INDEX evaluations_judge_open ON evaluations (org, judge_id, id)
    WHERE status = 'processing';
CREATE INDEX deliveries_type ON deliveries (org, type, id);
DROP INDEX deliveries_failed;
CREATE INDEX deliveries_open ON deliveries (org, status, id)
    WHERE status <> 'delivered';

-- work_kind is the kind of content for an external worker: 2 video, 4 audio, 6
-- image, plus 1 if there is a file.  It is set when the evaluation first waits
-- for a worker, and is kept, so that a callback finds the evaluation.
-- work_until is NULL if no worker has a lease; expired leases are ended by the
-- next claim.

ALTER TABLE evaluations ADD COLUMN work_kind BIGINT;

UPDATE evaluations SET work_kind = (SELECT CASE file_type
        WHEN 'video' THEN 2 WHEN 'audio' THEN 4 WHEN 'image' THEN 6 END
        + (file_path IS NOT NULL) FROM contents c
        WHERE c.org = evaluations.org AND c.id = evaluations.content_id)
    WHERE (org, id) IN (SELECT e.org, e.id FROM contents c
        JOIN evaluations e ON e.org = c.org AND e.content_id = c.id
        WHERE c.file_type <> 'text');

DROP INDEX evaluations_work;
DROP INDEX evaluations_called;
CREATE INDEX evaluations_work
    ON evaluations (org, work_kind, priority, created_at)
    WHERE queue_at = deadline AND model IS NULL AND work_until IS NULL;
CREATE INDEX evaluations_held ON evaluations (org, work_until)
    WHERE queue_at = deadline AND model IS NULL AND work_until IS NOT NULL;
CREATE INDEX evaluations_called ON evaluations (id)
    WHERE work_kind IS NOT NULL;

CREATE TRIGGER evaluations_kind AFTER INSERT ON evaluations
    WHEN NEW.queue_at = NEW.deadline AND NEW.model IS NULL
BEGIN
    UPDATE evaluations SET work_kind = (SELECT CASE file_type
            WHEN 'video' THEN 2 WHEN 'audio' THEN 4 WHEN 'image' THEN 6 END
            + (file_path IS NOT NULL)
            FROM contents c WHERE c.org = NEW.org AND c.id = NEW.content_id)
        WHERE org = NEW.org AND id = NEW.id;
END;

CREATE TRIGGER evaluations_kind_later AFTER UPDATE OF queue_at ON evaluations
    WHEN NEW.queue_at = NEW.deadline AND NEW.model IS NULL
        AND OLD.queue_at IS NULL
BEGIN
    UPDATE evaluations SET work_kind = (SELECT CASE file_type
            WHEN 'video' THEN 2 WHEN 'audio' THEN 4 WHEN 'image' THEN 6 END
            + (file_path IS NOT NULL)
            FROM contents c WHERE c.org = NEW.org AND c.id = NEW.content_id)
        WHERE org = NEW.org AND id = NEW.id;
END;
