-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- Feedback, and what is learnt from it.  given_scores are the scores that an
-- entry speaks about, so that it can be turned into examples by itself;
-- queue_at is when it may be (its lease's end while somebody does), NULL when
-- that is done.  rating and approved repeat what stands in the content, for
-- summaries.

CREATE TABLE feedback (
    org                 TEXT    NOT NULL,
    id                  TEXT    NOT NULL,
    evaluation_id       TEXT    NOT NULL,
    judge_id            TEXT    NOT NULL,
    judge_version       BIGINT  NOT NULL,
    content_id          TEXT    NOT NULL,
    batch_id            TEXT,
    session_id          TEXT,
    type                TEXT    NOT NULL,
    criterion_specific  BIGINT  NOT NULL,
    severity            TEXT,
    rating              REAL,
    approved            BIGINT,
    submitted_by        TEXT    NOT NULL,
    submitted_at        BIGINT  NOT NULL,
    queue_at            BIGINT,
    attempts            BIGINT  NOT NULL DEFAULT 0,
    processed           BIGINT  NOT NULL DEFAULT 0,
    processing_notes    TEXT,
    target_criteria     TEXT    NOT NULL,
    given_scores        TEXT    NOT NULL,
    content             TEXT    NOT NULL,
    PRIMARY KEY (org, id)
);

CREATE INDEX feedback_queue ON feedback (queue_at) WHERE queue_at IS NOT NULL;
CREATE INDEX feedback_evaluation ON feedback (org, evaluation_id, id);
CREATE INDEX feedback_judge ON feedback (org, judge_id, submitted_at);

-- Entries that were submitted together, with what was wished for.

CREATE TABLE feedback_sessions (
    org                 TEXT    NOT NULL,
    id                  TEXT    NOT NULL,
    batch_id            TEXT    NOT NULL,
    submitted_by        TEXT    NOT NULL,
    submitted_at        BIGINT  NOT NULL,
    accepted            BIGINT  NOT NULL,
    rejected            BIGINT  NOT NULL,
    retrain             BIGINT  NOT NULL,
    notify_email        BIGINT  NOT NULL,
    notify_url          TEXT,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE INDEX feedback_sessions_batch ON feedback_sessions (org, batch_id);

-- Examples in the order in which training reads them: all of an evaluation's
-- criterion together.  criterion_id is empty for the overall score.

CREATE TABLE examples (
    org                 TEXT    NOT NULL,
    judge_id            TEXT    NOT NULL,
    evaluation_id       TEXT    NOT NULL,
    criterion_id        TEXT    NOT NULL,
    feedback_id         TEXT    NOT NULL,
    content_id          TEXT    NOT NULL,
    judge_version       BIGINT  NOT NULL,
    kind                TEXT    NOT NULL,
    target              REAL    NOT NULL,
    weight              REAL    NOT NULL,
    created_at          BIGINT  NOT NULL,
    PRIMARY KEY (org, judge_id, evaluation_id, criterion_id, feedback_id)
) WITHOUT ROWID;

CREATE INDEX examples_evaluation ON examples (org, evaluation_id);
