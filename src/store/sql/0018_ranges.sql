-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Evaluations of a large batch wait in ranges.  The row of a range has the
-- queue_at, the lease and the attempts of all its evaluations that have not
-- ended and have no queue_at of their own.  size: how many they were at first.

CREATE TABLE queue_ranges (
    org             TEXT    NOT NULL,
    batch_id        TEXT    NOT NULL,
    first           TEXT    NOT NULL,
    last            TEXT    NOT NULL,
    size            BIGINT  NOT NULL,
    priority        BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL,
    queue_at        BIGINT  NOT NULL,
    owner           TEXT,
    attempts        BIGINT  NOT NULL DEFAULT 0,
    PRIMARY KEY (org, batch_id, first)
) WITHOUT ROWID;

CREATE INDEX queue_ranges_queue ON queue_ranges (priority, queue_at);
