-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The progress of work that takes more than one transaction.  kind: batch,
-- content, judge (deleting them); making, starting, retrying (evaluations of a
-- batch); texts (of a batch that will be created, deleted if it is not).
-- until: end of the lease of the worker that goes on with it.

ALTER TABLE deletions RENAME TO unfinished;
ALTER TABLE unfinished ADD COLUMN until BIGINT NOT NULL DEFAULT 0;
ALTER TABLE unfinished ADD COLUMN first TEXT;
ALTER TABLE unfinished ADD COLUMN last TEXT;
ALTER TABLE unfinished ADD COLUMN done BIGINT NOT NULL DEFAULT 0;
ALTER TABLE unfinished ADD COLUMN total BIGINT;
ALTER TABLE unfinished ADD COLUMN now BIGINT;
ALTER TABLE unfinished ADD COLUMN deadline BIGINT;
ALTER TABLE unfinished ADD COLUMN callback_deadline BIGINT;

-- The judges of a batch, until all its evaluations have been made.

CREATE TABLE making_judges (
    org             TEXT    NOT NULL,
    batch_id        TEXT    NOT NULL,
    n               BIGINT  NOT NULL,
    judge_id        TEXT    NOT NULL,
    version         BIGINT  NOT NULL,
    queue_at        BIGINT,
    deadline        BIGINT  NOT NULL,
    model           TEXT,
    samples         BIGINT,
    fresh           BIGINT,
    PRIMARY KEY (org, batch_id, n)
) WITHOUT ROWID;
