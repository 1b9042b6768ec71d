-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Annotation queues: evaluations that several people judge independently.  A
-- person who was given an item has a turn until the lease ends, and ends the
-- turn by giving feedback.

CREATE TABLE annotation_queues (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    name            TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    batch_id        TEXT,
    sampling        TEXT    NOT NULL,
    items           BIGINT  NOT NULL,
    people          BIGINT  NOT NULL,
    lease           BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL,
    asked_at        BIGINT  NOT NULL,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE TABLE annotation_items (
    org             TEXT    NOT NULL,
    queue_id        TEXT    NOT NULL,
    seq             BIGINT  NOT NULL,
    evaluation_id   TEXT    NOT NULL,
    PRIMARY KEY (org, queue_id, seq)
) WITHOUT ROWID;

CREATE INDEX annotation_items_evaluation
    ON annotation_items (org, evaluation_id);

CREATE TABLE annotation_turns (
    org             TEXT    NOT NULL,
    queue_id        TEXT    NOT NULL,
    seq             BIGINT  NOT NULL,
    person          TEXT    NOT NULL,
    until           BIGINT  NOT NULL,
    left_at         BIGINT,
    PRIMARY KEY (org, queue_id, seq, person)
) WITHOUT ROWID;
