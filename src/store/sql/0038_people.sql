-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The people of an organization.  A request with the key of a person, or, if
-- nginx.conf says so, with the login, is that person's; either may be NULL.

CREATE TABLE people (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    name            TEXT    NOT NULL,
    address         TEXT    NOT NULL,
    role            TEXT    NOT NULL,
    key_id          TEXT,
    login           TEXT,
    created_at      BIGINT  NOT NULL,
    updated_at      BIGINT  NOT NULL,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX people_address ON people (org, address);
CREATE UNIQUE INDEX people_key ON people (org, key_id)
    WHERE key_id IS NOT NULL;
CREATE UNIQUE INDEX people_login ON people (org, login)
    WHERE login IS NOT NULL;
