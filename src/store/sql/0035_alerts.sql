-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Rules on the scores of a judge (JSON), and their state: since when it is so,
-- and the last value, computed from n results; negative: not known.

CREATE TABLE alerts (
    org             TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    name            TEXT    NOT NULL,
    position        BIGINT  NOT NULL,
    rule            TEXT    NOT NULL,
    firing          BIGINT  NOT NULL,
    since           BIGINT  NOT NULL,
    value           REAL    NOT NULL,
    n               BIGINT  NOT NULL,
    PRIMARY KEY (org, judge_id, name)
) WITHOUT ROWID;
