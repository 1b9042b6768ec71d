-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The webhook secrets that an organization had before its present one, each
-- valid until then.

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
