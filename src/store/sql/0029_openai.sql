-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Objects of OpenAI's interface: evals, their runs (parent is the eval) and
-- files.  queue_at: when a worker may claim one, to run it, or to delete it
-- with its children.  body does not change; progress changes while it runs.

CREATE TABLE openai_objects (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    kind            TEXT    NOT NULL,
    parent          TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    created_at      BIGINT  NOT NULL,
    updated_at      BIGINT  NOT NULL,
    queue_at        BIGINT,
    owner           TEXT,
    attempts        BIGINT  NOT NULL DEFAULT 0,
    name            TEXT,
    metadata        TEXT,
    progress        TEXT,
    body            TEXT    NOT NULL,
    PRIMARY KEY (org, id)
);

CREATE INDEX openai_objects_kind
    ON openai_objects (org, kind, parent, id);
CREATE INDEX openai_objects_updated
    ON openai_objects (org, kind, parent, updated_at, id);
CREATE INDEX openai_objects_queue
    ON openai_objects (queue_at) WHERE queue_at IS NOT NULL;

-- The items of a run with their results, and the bytes of a file.

CREATE TABLE openai_items (
    org             TEXT    NOT NULL,
    parent          TEXT    NOT NULL,
    position        BIGINT  NOT NULL,
    status          TEXT    NOT NULL,
    created_at      BIGINT  NOT NULL,
    item            TEXT    NOT NULL,
    result          TEXT,
    PRIMARY KEY (org, parent, position)
);
