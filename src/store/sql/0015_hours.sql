-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Counts of the scores of a judge, by the hour (since 1970) in which they were
-- given and by bins of 5 points; bin -1: the evaluation failed.  criterion_id
-- is empty for the overall score.

CREATE TABLE score_hours (
    org             TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    hour            BIGINT  NOT NULL,
    criterion_id    TEXT    NOT NULL,
    bin             BIGINT  NOT NULL,
    n               BIGINT  NOT NULL,
    PRIMARY KEY (org, judge_id, hour, criterion_id, bin)
) WITHOUT ROWID;

-- The number of the last row whose results are counted: 1, of
-- results_together; 2, of results.  Rows are written in the order in which
-- evaluations end.  Results that are stored already are not counted.

CREATE TABLE score_cursor (
    id              BIGINT  NOT NULL PRIMARY KEY,
    position        BIGINT  NOT NULL
) WITHOUT ROWID;

INSERT INTO score_cursor
    SELECT 1, COALESCE(MAX(number), 0) FROM results_together;
INSERT INTO score_cursor
    SELECT 2, MAX(0, COALESCE(MAX(rowid), 0) - 100000) FROM results;

ALTER TABLE results_together ADD COLUMN org TEXT;

-- queue_at: when a judge's scores are compared next; strong: the last
-- comparison found a strong drift, and its event was sent.

CREATE TABLE drifts (
    org             TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    queue_at        BIGINT,
    strong          BIGINT  NOT NULL,
    PRIMARY KEY (org, judge_id)
) WITHOUT ROWID;

CREATE INDEX drifts_queue ON drifts (queue_at) WHERE queue_at IS NOT NULL;
