-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Questions to a language model which of two texts of a batch is the better
-- one, after the batch has ended.  pairs: how many may be asked; NULL: none.
-- pairs_at: when the next ones are due, or the end of the lease; NULL: no more
-- are.  pairs_tries: claims since the last answer.

ALTER TABLE batches ADD COLUMN pairs BIGINT;
ALTER TABLE batches ADD COLUMN pairs_at BIGINT;
ALTER TABLE batches ADD COLUMN pairs_owner TEXT;
ALTER TABLE batches ADD COLUMN pairs_tries BIGINT NOT NULL DEFAULT 0;

CREATE INDEX batches_pairs ON batches (pairs_at)
    WHERE pairs_at IS NOT NULL AND completed_at IS NOT NULL;

-- An answer: which of two systems' texts of an item is the better one, shown
-- in this order.  answer: JSON, by criterion 1 (the first), -1 (the second) or
-- 0; or why there is none.

CREATE TABLE pair_answers (
    org             TEXT    NOT NULL,
    batch_id        TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    item            BIGINT  NOT NULL,
    first           BIGINT  NOT NULL,
    second          BIGINT  NOT NULL,
    answered_at     BIGINT  NOT NULL,
    model           TEXT    NOT NULL,
    calls           BIGINT  NOT NULL,
    tokens          BIGINT  NOT NULL,
    answer          TEXT    NOT NULL,
    PRIMARY KEY (org, batch_id, judge_id, item, first, second)
);
