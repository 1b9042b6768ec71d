-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- Files: what has been promised a place (waiting), what has come and is to be
-- read (received); and what judges take as references.  queue_at is when an
-- upload is to be looked at: once it has come, or when its time is over.

CREATE TABLE service_secrets (
    name            TEXT    NOT NULL PRIMARY KEY,
    value           BLOB    NOT NULL
) WITHOUT ROWID;

CREATE TABLE uploads (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    kind            TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    queue_at        BIGINT  NOT NULL,
    attempts        BIGINT  NOT NULL DEFAULT 0,
    created_at      BIGINT  NOT NULL,
    expires_at      BIGINT  NOT NULL,
    max_size        BIGINT  NOT NULL,
    size            BIGINT  NOT NULL DEFAULT 0,
    file_type       TEXT    NOT NULL,
    extension       TEXT    NOT NULL,
    name            TEXT    NOT NULL,
    evaluation_id   TEXT,
    file_path       TEXT,
    metadata        TEXT,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE INDEX uploads_queue ON uploads (queue_at);

CREATE TABLE reference_texts (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    created_at      BIGINT  NOT NULL,
    extension       TEXT    NOT NULL,
    file_path       TEXT,
    reason          TEXT,
    text_content    TEXT,
    PRIMARY KEY (org, id)
);

CREATE TABLE judge_references (
    org             TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    version         BIGINT  NOT NULL,
    position        BIGINT  NOT NULL,
    reference_id    TEXT    NOT NULL,
    PRIMARY KEY (org, judge_id, version, position)
) WITHOUT ROWID;

CREATE INDEX judge_references_of ON judge_references (org, reference_id);
