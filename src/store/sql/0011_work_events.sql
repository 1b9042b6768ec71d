-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- An evaluation that begins to wait for an external worker is told of to an
-- organization that has asked for it by name, whatever statement made it so.
-- The delivery's data names the evaluation; the rest is read when it is sent.

-- Where the webhooks were last set: what addresses in events begin with.
ALTER TABLE org_settings ADD COLUMN base_url TEXT;

CREATE VIEW work_requests AS SELECT NULL AS org, NULL AS evaluation_id;
CREATE VIEW work_events AS
    SELECT NULL AS org, NULL AS evaluation_id, NULL AS at, NULL AS name;

CREATE TRIGGER evaluations_requested AFTER INSERT ON evaluations
    WHEN NEW.queue_at = NEW.deadline AND NEW.model IS NULL
BEGIN
    INSERT INTO work_requests VALUES (NEW.org, NEW.id);
END;

CREATE TRIGGER evaluations_requested_later
    AFTER UPDATE OF queue_at ON evaluations
    WHEN NEW.queue_at = NEW.deadline AND NEW.model IS NULL
        AND OLD.queue_at IS NULL
BEGIN
    INSERT INTO work_requests VALUES (NEW.org, NEW.id);
END;

-- An identifier is made here: milliseconds in ten digits of base 32, and
-- sixteen random ones.

CREATE TRIGGER work_requests_wanted INSTEAD OF INSERT ON work_requests
    WHEN EXISTS (SELECT 1 FROM org_settings WHERE org = NEW.org
        AND webhook_url IS NOT NULL AND coalesce(webhook_enabled, 1) <> 0
        AND instr(webhook_events, '"evaluation.requested"') > 0)
BEGIN
    INSERT INTO work_events SELECT NEW.org, NEW.evaluation_id, at,
        substr(d, (at >> 45 & 31) + 1, 1) || substr(d, (at >> 40 & 31) + 1, 1)
        || substr(d, (at >> 35 & 31) + 1, 1)
        || substr(d, (at >> 30 & 31) + 1, 1)
        || substr(d, (at >> 25 & 31) + 1, 1)
        || substr(d, (at >> 20 & 31) + 1, 1)
        || substr(d, (at >> 15 & 31) + 1, 1)
        || substr(d, (at >> 10 & 31) + 1, 1)
        || substr(d, (at >> 5 & 31) + 1, 1) || substr(d, (at & 31) + 1, 1)
        || hex(randomblob(8))
        FROM (SELECT CAST((julianday('now') - 2440587.5) * 86400000
                          AS INTEGER) AS at,
                     '0123456789ABCDEFGHJKMNPQRSTVWXYZ' AS d)
        WHERE EXISTS (SELECT 1 FROM evaluations e JOIN contents c
            ON c.org = e.org AND c.id = e.content_id
            WHERE e.org = NEW.org AND e.id = NEW.evaluation_id
            AND c.file_type <> 'text');
END;

CREATE TRIGGER work_events_told INSTEAD OF INSERT ON work_events
BEGIN
    INSERT INTO deliveries (org, id, event_id, type, status, created_at,
                            queue_at, url)
        VALUES (NEW.org, 'whd_' || NEW.name, 'evt_' || NEW.name,
                'evaluation.requested', 'pending', NEW.at, NEW.at, '');
    INSERT INTO delivery_bodies (org, id, data)
        VALUES (NEW.org, 'whd_' || NEW.name,
                '{"evaluation_id":"' || NEW.evaluation_id || '"}');
    INSERT INTO webhook_endpoints (org, url, queue_at)
        VALUES (NEW.org, '', NEW.at)
        ON CONFLICT (org, url) DO UPDATE SET queue_at =
            max(webhook_endpoints.blocked_until, excluded.queue_at)
        WHERE webhook_endpoints.queue_at IS NULL
            OR webhook_endpoints.queue_at > excluded.queue_at;
END;
