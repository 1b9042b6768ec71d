-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- What takes more than one transaction, as far as it has come.  kind: batch,
-- content, judge, which have been deleted; making, starting, retrying, of the
-- evaluations of a batch; texts, of a batch to come, which are taken back if
-- it does not.  until: nobody else goes on with it before.

ALTER TABLE deletions RENAME TO unfinished;
ALTER TABLE unfinished ADD COLUMN until BIGINT NOT NULL DEFAULT 0;
ALTER TABLE unfinished ADD COLUMN first TEXT;
ALTER TABLE unfinished ADD COLUMN last TEXT;
ALTER TABLE unfinished ADD COLUMN done BIGINT NOT NULL DEFAULT 0;
ALTER TABLE unfinished ADD COLUMN total BIGINT;
ALTER TABLE unfinished ADD COLUMN now BIGINT;
ALTER TABLE unfinished ADD COLUMN deadline BIGINT;
ALTER TABLE unfinished ADD COLUMN callback_deadline BIGINT;

-- By whom the contents of a batch are judged, while evaluations are made.

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
