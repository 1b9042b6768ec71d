-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Deleted objects (kind: batch, content, judge) whose dependent rows are too
-- many for one transaction, and must still be deleted.

CREATE TABLE deletions (
    org             TEXT    NOT NULL,
    kind            TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    PRIMARY KEY (org, kind, id)
) WITHOUT ROWID;
