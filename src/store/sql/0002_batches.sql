-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- Batches.  Their counts change in the transactions that change their
-- evaluations, so that both are always the same.  score_sum is in hundredths,
-- which add up exactly.  What is long and never changes stands in a table of
-- its own, because a row is written anew whenever one of its counts changes.

CREATE TABLE batches (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    content_type    TEXT    NOT NULL,
    priority        BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL,
    started_at      BIGINT,
    completed_at    BIGINT,
    total           BIGINT  NOT NULL,
    completed       BIGINT  NOT NULL DEFAULT 0,
    failed          BIGINT  NOT NULL DEFAULT 0,
    last_seq        BIGINT  NOT NULL DEFAULT 0,
    score_sum       BIGINT  NOT NULL DEFAULT 0,
    score_count     BIGINT  NOT NULL DEFAULT 0,
    scores_00       BIGINT  NOT NULL DEFAULT 0,
    scores_10       BIGINT  NOT NULL DEFAULT 0,
    scores_20       BIGINT  NOT NULL DEFAULT 0,
    scores_30       BIGINT  NOT NULL DEFAULT 0,
    scores_40       BIGINT  NOT NULL DEFAULT 0,
    scores_50       BIGINT  NOT NULL DEFAULT 0,
    scores_60       BIGINT  NOT NULL DEFAULT 0,
    scores_70       BIGINT  NOT NULL DEFAULT 0,
    scores_80       BIGINT  NOT NULL DEFAULT 0,
    scores_90       BIGINT  NOT NULL DEFAULT 0,
    judge_ids       TEXT    NOT NULL,
    judge_versions  TEXT    NOT NULL,
    name            TEXT    NOT NULL,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE TABLE batch_texts (
    org             TEXT    NOT NULL,
    batch_id        TEXT    NOT NULL,
    description     TEXT,
    content_ids     TEXT    NOT NULL,
    PRIMARY KEY (org, batch_id)
);

-- batch_seq numbers the evaluations of a batch as they end.

ALTER TABLE evaluations ADD COLUMN error_code TEXT;
ALTER TABLE evaluations ADD COLUMN batch_seq BIGINT;

CREATE INDEX evaluations_batch_seq ON evaluations (org, batch_id, batch_seq)
    WHERE batch_seq IS NOT NULL;
CREATE INDEX evaluations_batch_failed
    ON evaluations (org, batch_id, error_code)
    WHERE status = 'failed' AND batch_id IS NOT NULL;
