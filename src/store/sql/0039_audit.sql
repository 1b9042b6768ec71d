-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Who changed what.  Nothing changes a row; rows are deleted when they are
-- old.  "fields" is a JSON array of the members that were given, "given" an
-- object of those whose values are no secrets.

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
