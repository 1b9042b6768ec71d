-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- What a model predicts from, as an identity: one of other inputs than the
-- program has is not applied.  NULL: not known, so neither.  It stands before
-- the model, which is long, so that it is read without it.

CREATE TABLE judge_models_new (
    org             TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    version         BIGINT  NOT NULL,
    job_id          TEXT    NOT NULL,
    created_at      BIGINT  NOT NULL,
    trained_until   BIGINT  NOT NULL,
    items           BIGINT  NOT NULL,
    inputs          BIGINT,
    model           BLOB    NOT NULL,
    PRIMARY KEY (org, judge_id, version)
);

INSERT INTO judge_models_new (org, judge_id, version, job_id, created_at,
        trained_until, items, model)
    SELECT org, judge_id, version, job_id, created_at, trained_until, items,
        model
    FROM judge_models;

DROP TABLE judge_models;
ALTER TABLE judge_models_new RENAME TO judge_models;
