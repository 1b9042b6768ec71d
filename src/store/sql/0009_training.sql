-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- Training.  The rows of jobs are their queue: queue_at is when a job may be
-- taken up (its lease's end while somebody works on it), NULL when it is not
-- wanted yet or has ended.  seq counts what has changed, for who follows it.

CREATE TABLE training_jobs (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    type            TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    priority        BIGINT  NOT NULL,
    queue_at        BIGINT,
    owner           TEXT,
    attempts        BIGINT  NOT NULL DEFAULT 0,
    seq             BIGINT  NOT NULL DEFAULT 0,
    created_at      BIGINT  NOT NULL,
    created_by      TEXT    NOT NULL,
    executed_at     BIGINT,
    executed_by     TEXT,
    execution_id    TEXT,
    started_at      BIGINT,
    completed_at    BIGINT,
    allocation      TEXT,
    max_duration    BIGINT,
    until           BIGINT,
    base_version    BIGINT,
    new_version     BIGINT,
    deployed        BIGINT,
    items           BIGINT,
    estimate        BIGINT,
    phase           TEXT,
    epoch           BIGINT  NOT NULL DEFAULT 0,
    epochs          BIGINT  NOT NULL DEFAULT 0,
    progress        REAL    NOT NULL DEFAULT 0,
    config          TEXT    NOT NULL,
    options         TEXT    NOT NULL,
    summary         TEXT    NOT NULL,
    metrics         TEXT,
    results         TEXT,
    error           TEXT,
    PRIMARY KEY (org, id)
);

CREATE INDEX training_jobs_queue ON training_jobs (queue_at, priority)
    WHERE queue_at IS NOT NULL;
CREATE INDEX training_jobs_judge ON training_jobs (org, judge_id, id);
CREATE INDEX training_jobs_active ON training_jobs (org, judge_id)
    WHERE status IN ('preparing', 'training', 'validating');

CREATE TABLE training_epochs (
    org             TEXT    NOT NULL,
    job_id          TEXT    NOT NULL,
    epoch           BIGINT  NOT NULL,
    training_loss   REAL    NOT NULL,
    validation_loss REAL,
    PRIMARY KEY (org, job_id, epoch)
) WITHOUT ROWID;

CREATE TABLE training_logs (
    org             TEXT    NOT NULL,
    job_id          TEXT    NOT NULL,
    at              BIGINT  NOT NULL,
    level           TEXT    NOT NULL,
    message         TEXT    NOT NULL
);

CREATE INDEX training_logs_job ON training_logs (org, job_id);
CREATE INDEX training_logs_age ON training_logs (at);

CREATE TABLE training_checkpoints (
    org             TEXT    NOT NULL,
    job_id          TEXT    NOT NULL,
    state           BLOB    NOT NULL,
    PRIMARY KEY (org, job_id)
);

-- What a version of a judge has learned; versions without a row score as the
-- engine does.  trained_until is the time of the newest feedback in it.

CREATE TABLE judge_models (
    org             TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    version         BIGINT  NOT NULL,
    job_id          TEXT    NOT NULL,
    created_at      BIGINT  NOT NULL,
    trained_until   BIGINT  NOT NULL,
    items           BIGINT  NOT NULL,
    model           BLOB    NOT NULL,
    PRIMARY KEY (org, judge_id, version)
);
