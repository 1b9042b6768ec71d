-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- What has been deleted and still has rows that go with it: more than one
-- transaction should take.  kind: batch, content, judge.

CREATE TABLE deletions (
    org             TEXT    NOT NULL,
    kind            TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    PRIMARY KEY (org, kind, id)
) WITHOUT ROWID;
