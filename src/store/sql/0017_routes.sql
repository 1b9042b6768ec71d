-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Scores by the hour are counted when evaluations end, and by the route of
-- traffic that was judged; empty: it was no traffic.

CREATE TABLE routes_hours (
    org             TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    route           TEXT    NOT NULL,
    hour            BIGINT  NOT NULL,
    criterion_id    TEXT    NOT NULL,
    bin             BIGINT  NOT NULL,
    n               BIGINT  NOT NULL,
    PRIMARY KEY (org, judge_id, route, hour, criterion_id, bin)
) WITHOUT ROWID;

INSERT INTO routes_hours
    SELECT org, judge_id, '', hour, criterion_id, bin, n FROM score_hours;

DROP TABLE score_hours;
ALTER TABLE routes_hours RENAME TO score_hours;

-- A row for each route of a judge, and one, with an empty route, for all.

CREATE TABLE routes_drifts (
    org             TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    route           TEXT    NOT NULL,
    queue_at        BIGINT,
    strong          BIGINT  NOT NULL,
    PRIMARY KEY (org, judge_id, route)
) WITHOUT ROWID;

INSERT INTO routes_drifts
    SELECT org, judge_id, '', queue_at, strong FROM drifts;

DROP TABLE drifts;
ALTER TABLE routes_drifts RENAME TO drifts;

CREATE INDEX drifts_queue ON drifts (queue_at) WHERE queue_at IS NOT NULL;

DROP TABLE score_cursor;
