-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The former webhook secrets of an organization; each is valid until `until`.

CREATE TABLE former_secrets (
    org      TEXT    NOT NULL,
    until    BIGINT  NOT NULL,
    secret   TEXT    NOT NULL,
    PRIMARY KEY (org, until, secret)
) WITHOUT ROWID;

INSERT INTO former_secrets
    SELECT org, previous_until, previous_secret FROM org_settings
    WHERE previous_secret IS NOT NULL AND previous_until IS NOT NULL;

ALTER TABLE org_settings DROP COLUMN previous_secret;
ALTER TABLE org_settings DROP COLUMN previous_until;
