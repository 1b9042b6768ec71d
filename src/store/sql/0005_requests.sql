-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The view no longer calls a function (instr): if a trigger calls one, SQLite
-- copies every page that an insert changes, because the function may fail.
-- Whether the organization has subscribed is found out when the rows are read.

DROP VIEW work_wanted;

CREATE VIEW work_wanted AS
    SELECT e.org AS org, e.id AS evaluation_id FROM evaluations e
    JOIN contents c ON c.org = e.org AND c.id = e.content_id
    JOIN org_settings s ON s.org = e.org
    WHERE c.file_type <> 'text' AND s.webhook_url IS NOT NULL
        AND coalesce(s.webhook_enabled, 1) <> 0;
