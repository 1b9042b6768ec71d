-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- The first schema.  Times are milliseconds since 1970; identifiers sort by
-- time, so a primary key (org, id) is also the order of every list.  Long
-- columns stand last, so that reading the others does not touch them; and
-- tables that have some keep their row numbers, because without them SQLite
-- reads all of a long row just to compare its key with another.

CREATE TABLE organizations (
    id              TEXT    NOT NULL PRIMARY KEY,
    name            TEXT    NOT NULL,
    webhook_secret  TEXT    NOT NULL,
    created_at      BIGINT  NOT NULL
) WITHOUT ROWID;

CREATE TABLE api_keys (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    hash            BLOB    NOT NULL,
    name            TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    permissions     BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL,
    expires_at      BIGINT,
    usage_month     BIGINT  NOT NULL DEFAULT 0,
    requests        BIGINT  NOT NULL DEFAULT 0,
    evaluations     BIGINT  NOT NULL DEFAULT 0,
    last_used       BIGINT,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash);

CREATE TABLE judges (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    content_type    TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    version         BIGINT  NOT NULL,
    latest          BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL,
    updated_at      BIGINT  NOT NULL,
    deleted_at      BIGINT,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE TABLE judge_versions (
    org             TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    version         BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL,
    criteria_count  BIGINT  NOT NULL,
    name            TEXT    NOT NULL,
    changes_summary TEXT    NOT NULL,
    description     TEXT    NOT NULL,
    criteria        TEXT    NOT NULL,
    reference_uris  TEXT,
    PRIMARY KEY (org, judge_id, version)
);

CREATE TABLE contents (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    file_type       TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    size            BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL,
    name            TEXT    NOT NULL,
    description     TEXT,
    file_path       TEXT,
    file_url        TEXT,
    metadata        TEXT,
    text_content    TEXT,
    PRIMARY KEY (org, id)
);

-- An evaluation is one row, and the rows are the queue: queue_at is when a
-- pending row may be claimed (its lease's end while somebody works on it),
-- NULL when it has ended.  body is the finished record as it is sent.

CREATE TABLE evaluations (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    queue_at        BIGINT,
    priority        BIGINT  NOT NULL,
    owner           TEXT,
    attempts        BIGINT  NOT NULL DEFAULT 0,
    content_id      TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    judge_version   BIGINT  NOT NULL,
    batch_id        TEXT,
    created_at      BIGINT  NOT NULL,
    deadline        BIGINT  NOT NULL,
    evaluated_at    BIGINT,
    overall_score   REAL,
    last_error      TEXT,
    features        BLOB,
    body            TEXT,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE INDEX evaluations_queue ON evaluations (priority, queue_at)
    WHERE queue_at IS NOT NULL;
CREATE INDEX evaluations_judge ON evaluations (org, judge_id, id);
CREATE INDEX evaluations_content ON evaluations (org, content_id, id);
CREATE INDEX evaluations_batch ON evaluations (org, batch_id, id)
    WHERE batch_id IS NOT NULL;

CREATE TABLE idempotency (
    org             TEXT    NOT NULL,
    key             TEXT    NOT NULL,
    fingerprint     BLOB    NOT NULL,
    created_at      BIGINT  NOT NULL,
    status          BIGINT  NOT NULL,
    body            TEXT    NOT NULL,
    PRIMARY KEY (org, key)
);

CREATE INDEX idempotency_age ON idempotency (created_at);
