-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- What the nodes of a fleet have of limits that they share, in units of the
-- limit, until then; fair: what the node is to have by what it used, others:
-- so many nodes used it lately.  The row without a name has the latest time
-- that any node has brought; each lease changes it, so that one waits for the
-- other.

CREATE TABLE allowances (
    org             TEXT    NOT NULL,
    name            TEXT    NOT NULL,
    node            TEXT    NOT NULL,
    share           BIGINT  NOT NULL,
    fair            BIGINT  NOT NULL,
    others          BIGINT  NOT NULL,
    used            BIGINT  NOT NULL,
    expires         BIGINT  NOT NULL,
    PRIMARY KEY (org, name, node)
) WITHOUT ROWID;

CREATE INDEX allowances_expires ON allowances (expires);

INSERT INTO allowances VALUES ('', '', '', 0, 0, 0, 0, 0);
