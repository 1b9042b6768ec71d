-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Without a function: where a trigger calls one, SQLite keeps a copy of every
-- page that an insert changes, in case it fails.  Whether the organization
-- has asked for the event is decided when the notes are read.

DROP VIEW work_wanted;

CREATE VIEW work_wanted AS
    SELECT e.org AS org, e.id AS evaluation_id FROM evaluations e
    JOIN contents c ON c.org = e.org AND c.id = e.content_id
    JOIN org_settings s ON s.org = e.org
    WHERE c.file_type <> 'text' AND s.webhook_url IS NOT NULL
        AND coalesce(s.webhook_enabled, 1) <> 0;
