-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The nodes' shares of the limits of a fleet, in units of the limit, until
-- `expires`; fair: the share in proportion to the node's use; others: the
-- number of other nodes that used the limit lately.  The row without a name
-- has the latest time of any node; each lease changes it, so that only one
-- node leases at a time.

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
