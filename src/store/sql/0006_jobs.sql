-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- Several evaluations that were asked for together and are no batch, as of
-- videos on social media.

CREATE TABLE jobs (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    kind            TEXT    NOT NULL,
    created_at      BIGINT  NOT NULL,
    judge_id        TEXT    NOT NULL,
    judge_version   BIGINT  NOT NULL,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE TABLE job_evaluations (
    org             TEXT    NOT NULL,
    job_id          TEXT    NOT NULL,
    evaluation_id   TEXT    NOT NULL,
    PRIMARY KEY (org, job_id, evaluation_id)
) WITHOUT ROWID;
