-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Who changed what.  Rows are never changed, and deleted when they are old.
-- "fields" is a JSON array of the names of the members in the request, "given"
-- an object of those members whose values are no secrets.

CREATE TABLE audit (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    at              BIGINT  NOT NULL,
    key_id          TEXT    NOT NULL,
    person          TEXT,
    action          TEXT    NOT NULL,
    object          TEXT    NOT NULL,
    fields          TEXT,
    given           TEXT,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE INDEX audit_age ON audit (at);
