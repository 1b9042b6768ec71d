-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The names of the systems whose texts a batch compares, a JSON array; each
-- item has a text of each system, in this order.  NULL: it compares none.

ALTER TABLE batches ADD COLUMN systems TEXT;

CREATE INDEX batches_systems ON batches (org, id) WHERE systems IS NOT NULL;

-- Which system's text people prefer.  winner: its index in systems; -1: a tie;
-- criterion_id is empty if the texts were compared as a whole.

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
