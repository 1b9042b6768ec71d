-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Suggestions for the wording of a judge's criteria.  queue_at: when a worker
-- may claim one, the end of its lease while one has it, NULL when it has
-- ended.  model: that of a language model that writes wordings; NULL: none.
-- tried: a wording was measured, so that later ones need more evidence.
-- result (JSON) does not quote feedback, which may be deleted.

CREATE TABLE suggestions (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    version         BIGINT  NOT NULL,
    criterion_id    TEXT,
    model           TEXT,
    status          TEXT    NOT NULL,
    created_at      BIGINT  NOT NULL,
    created_by      TEXT    NOT NULL,
    completed_at    BIGINT,
    queue_at        BIGINT,
    owner           TEXT,
    attempts        BIGINT  NOT NULL DEFAULT 0,
    tried           BIGINT  NOT NULL DEFAULT 0,
    result          TEXT,
    PRIMARY KEY (org, id)
);

CREATE INDEX suggestions_judge ON suggestions (org, judge_id, id);
CREATE INDEX suggestions_queue
    ON suggestions (queue_at) WHERE queue_at IS NOT NULL;
