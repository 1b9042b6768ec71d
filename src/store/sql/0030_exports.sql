-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The span of the request that made an evaluation, as in its "traceparent";
-- those of a batch have the batch's.

ALTER TABLE evaluations ADD COLUMN trace TEXT;
ALTER TABLE batches ADD COLUMN trace TEXT;

-- Evaluations that have ended and that are still to be exported, where
-- nginx.conf says so; queue_at: when, or the end of the lease of who does.

CREATE TABLE exports (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    queue_at        BIGINT  NOT NULL,
    noted_at        BIGINT  NOT NULL,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE INDEX exports_queue ON exports (queue_at);
