-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The names of the systems whose texts a batch has, item by item in this
-- order: a JSON array; NULL: its contents are not to be compared.

ALTER TABLE batches ADD COLUMN systems TEXT;

CREATE INDEX batches_systems ON batches (org, id) WHERE systems IS NOT NULL;

-- Which of them people prefer.  winner: its place in systems, or -1 for a tie;
-- criterion_id is empty for the whole.

CREATE TABLE preferences (
    org             TEXT    NOT NULL,
    batch_id        TEXT    NOT NULL,
    item            BIGINT  NOT NULL,
    criterion_id    TEXT    NOT NULL,
    submitted_by    TEXT    NOT NULL,
    person          TEXT    NOT NULL,
    winner          BIGINT  NOT NULL,
    submitted_at    BIGINT  NOT NULL,
    comment         TEXT,
    PRIMARY KEY (org, batch_id, item, criterion_id, submitted_by, person)
);
