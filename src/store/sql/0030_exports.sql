-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The "traceparent" of the request that created an evaluation; those of a
-- batch have the batch's.

ALTER TABLE evaluations ADD COLUMN trace TEXT;
ALTER TABLE batches ADD COLUMN trace TEXT;

-- Ended evaluations that must be exported, if nginx.conf configures exports;
-- queue_at: when, or the end of the lease of the worker that exports them.

CREATE TABLE exports (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    queue_at        BIGINT  NOT NULL,
    noted_at        BIGINT  NOT NULL,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE INDEX exports_queue ON exports (queue_at);
