-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- What clients of OpenAI's interface keep here: evals, their runs (parent is
-- the eval) and files.  queue_at: when a worker may claim it, to work off a
-- run, or to remove what was deleted with all that hangs on it.  body does not
-- change; progress does, with the run.

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

-- The items of a run, and the bytes of a file.  result: what came of an item.

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
