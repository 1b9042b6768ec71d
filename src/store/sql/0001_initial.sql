-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- The first schema.  Times are milliseconds since 1970; identifiers sort by
-- time, so a primary key (org, id) is also the order of every list.  Long
-- columns stand last, so that reading the others does not touch them; and
-- tables that have some keep their row numbers, because without them SQLite
-- reads all of a long row just to compare its key with another.
--
-- Rows that wait for a worker are their own queue: queue_at is when a row may
-- be claimed (the end of its lease while a worker holds it), NULL when it has
-- ended.

-- --- The service, organizations and keys ----------------------------------

CREATE TABLE service_secrets (
    name            TEXT    NOT NULL PRIMARY KEY,
    value           BLOB    NOT NULL
) WITHOUT ROWID;

-- One row, written to find out whether the store takes a write.

CREATE TABLE probes (
    id              BIGINT  NOT NULL PRIMARY KEY,
    at              BIGINT  NOT NULL
) WITHOUT ROWID;

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

-- The settings of an organization; NULL: not set.  Addresses in events begin
-- with base_url, the service's address when the webhooks were last set.  The
-- webhook secret is in the organization's row; here is the former one, which
-- is valid until previous_until.

CREATE TABLE org_settings (
    org                  TEXT    NOT NULL PRIMARY KEY,
    default_model        TEXT,
    max_tokens           BIGINT,
    temperature          REAL,
    requests_per_minute  BIGINT,
    tokens_per_minute    BIGINT,
    fallback_models      TEXT,
    llm_updated_at       BIGINT,
    webhook_url          TEXT,
    webhook_events       TEXT,
    base_url             TEXT,
    webhook_enabled      BIGINT,
    webhooks_updated_at  BIGINT,
    previous_secret      TEXT,
    previous_until       BIGINT
) WITHOUT ROWID;

-- The answers to requests with an Idempotency-Key.

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

-- --- Judges ---------------------------------------------------------------

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

-- model names the language model, or the built-in engine, that judges by this
-- version unless a request names another; NULL: the organization's default.

CREATE TABLE judge_versions (
    org             TEXT    NOT NULL,
    judge_id        TEXT    NOT NULL,
    version         BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL,
    criteria_count  BIGINT  NOT NULL,
    model           TEXT,
    samples         BIGINT,
    name            TEXT    NOT NULL,
    changes_summary TEXT    NOT NULL,
    description     TEXT    NOT NULL,
    criteria        TEXT    NOT NULL,
    reference_uris  TEXT,
    PRIMARY KEY (org, judge_id, version)
);

-- --- Contents and files ---------------------------------------------------

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

-- Uploads whose file is awaited (status waiting), or was received and must be
-- read (received).  queue_at is when a worker may claim one: when it has been
-- received or has expired, or when the lease of the worker that reads it
-- (owner) ends.

CREATE TABLE uploads (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    kind            TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    queue_at        BIGINT  NOT NULL,
    owner           TEXT,
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

-- Files that judges use as references.

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

-- --- Evaluations ----------------------------------------------------------

-- batch_seq numbers the evaluations of a batch as they end.
--
-- model is NULL for the built-in engine; fresh: no stored answer is used.
-- answer_key identifies all that an answer depends on: an evaluation with the
-- same key reuses the answer.  Evaluations that wait for a model have a queue
-- of their own, so that any number of them does not delay the others.
--
-- An evaluation for external workers waits with its deadline as queue_at: then
-- it fails.  The worker that has claimed it has the lease work_lease until
-- work_until; work_progress is the progress that it reported, in percent.

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
    error_code      TEXT,
    batch_seq       BIGINT,
    model           TEXT,
    samples         BIGINT,
    fresh           BIGINT,
    answer_key      TEXT,
    work_until      BIGINT,
    work_lease      TEXT,
    work_progress   REAL,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE INDEX evaluations_queue ON evaluations (priority, queue_at)
    WHERE queue_at IS NOT NULL AND model IS NULL;
CREATE INDEX evaluations_queue_model ON evaluations (priority, queue_at)
    WHERE queue_at IS NOT NULL AND model IS NOT NULL;
CREATE INDEX evaluations_work ON evaluations (org, priority, created_at)
    WHERE queue_at = deadline AND model IS NULL;

CREATE INDEX evaluations_judge ON evaluations (org, judge_id, id);
CREATE INDEX evaluations_content ON evaluations (org, content_id, id);
CREATE INDEX evaluations_answers ON evaluations (answer_key)
    WHERE answer_key IS NOT NULL;

CREATE INDEX evaluations_batch ON evaluations (org, batch_id, id)
    WHERE batch_id IS NOT NULL;
CREATE INDEX evaluations_batch_seq ON evaluations (org, batch_id, batch_seq)
    WHERE batch_seq IS NOT NULL;
CREATE INDEX evaluations_batch_failed
    ON evaluations (org, batch_id, error_code)
    WHERE status = 'failed' AND batch_id IS NOT NULL;

-- The result of an evaluation: long, written once, in the order in which
-- evaluations end.  The rows of evaluations stay short, so that few pages are
-- written when they are claimed.  body is the record as it is sent.  A result
-- is deleted with its evaluation, and when that is retried.

CREATE TABLE results (
    org             TEXT    NOT NULL,
    evaluation_id   TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    features        BLOB,
    body            TEXT    NOT NULL,
    PRIMARY KEY (org, evaluation_id)
);

-- A few small pictures of the content, made by the external worker.

CREATE TABLE evaluation_frames (
    org             TEXT    NOT NULL,
    evaluation_id   TEXT    NOT NULL,
    position        BIGINT  NOT NULL,
    at_ms           BIGINT  NOT NULL,
    jpeg            BLOB    NOT NULL,
    PRIMARY KEY (org, evaluation_id, position)
);

CREATE TRIGGER evaluations_deleted AFTER DELETE ON evaluations BEGIN
    DELETE FROM evaluation_frames
        WHERE org = OLD.org AND evaluation_id = OLD.id;
END;

CREATE TRIGGER results_deleted AFTER DELETE ON evaluations BEGIN
    DELETE FROM results WHERE org = OLD.org AND evaluation_id = OLD.id;
END;

CREATE TRIGGER results_withdrawn AFTER UPDATE OF status ON evaluations
    WHEN NEW.status = 'processing' AND OLD.status <> 'processing' BEGIN
    DELETE FROM results WHERE org = OLD.org AND evaluation_id = OLD.id;
END;

-- --- Batches and jobs -----------------------------------------------------

-- The counts of a batch change in the transactions that change its
-- evaluations, so that both are always the same.  score_sum is in hundredths,
-- which add up exactly.  Long members that never change have a table of their
-- own, because the whole row is written whenever one of its counts changes.

CREATE TABLE batches (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    content_type    TEXT    NOT NULL,
    priority        BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL,
    started_at      BIGINT,
    completed_at    BIGINT,
    total           BIGINT  NOT NULL,
    completed       BIGINT  NOT NULL DEFAULT 0,
    failed          BIGINT  NOT NULL DEFAULT 0,
    last_seq        BIGINT  NOT NULL DEFAULT 0,
    score_sum       BIGINT  NOT NULL DEFAULT 0,
    score_count     BIGINT  NOT NULL DEFAULT 0,
    scores_00       BIGINT  NOT NULL DEFAULT 0,
    scores_10       BIGINT  NOT NULL DEFAULT 0,
    scores_20       BIGINT  NOT NULL DEFAULT 0,
    scores_30       BIGINT  NOT NULL DEFAULT 0,
    scores_40       BIGINT  NOT NULL DEFAULT 0,
    scores_50       BIGINT  NOT NULL DEFAULT 0,
    scores_60       BIGINT  NOT NULL DEFAULT 0,
    scores_70       BIGINT  NOT NULL DEFAULT 0,
    scores_80       BIGINT  NOT NULL DEFAULT 0,
    scores_90       BIGINT  NOT NULL DEFAULT 0,
    judge_ids       TEXT    NOT NULL,
    judge_versions  TEXT    NOT NULL,
    name            TEXT    NOT NULL,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE TABLE batch_texts (
    org             TEXT    NOT NULL,
    batch_id        TEXT    NOT NULL,
    description     TEXT,
    content_ids     TEXT    NOT NULL,
    PRIMARY KEY (org, batch_id)
);

-- Several evaluations that were requested together but are no batch, such as
-- those of videos on social media.

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

-- --- Feedback -------------------------------------------------------------

-- given_scores are the scores that an entry is about, so that examples can be
-- made without reading the evaluation.  rating and approved are members of the
-- content, copied here for summaries.

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

-- Entries that were submitted together.  processed counts them; with the last
-- one the session's event is sent.

CREATE TABLE feedback_sessions (
    org                 TEXT    NOT NULL,
    id                  TEXT    NOT NULL,
    batch_id            TEXT    NOT NULL,
    submitted_by        TEXT    NOT NULL,
    submitted_at        BIGINT  NOT NULL,
    accepted            BIGINT  NOT NULL,
    rejected            BIGINT  NOT NULL,
    processed           BIGINT  NOT NULL DEFAULT 0,
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

-- --- Training -------------------------------------------------------------

-- queue_at is also NULL until the execution of the job is requested.  seq
-- counts the changes of a job, for clients that follow them.

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

-- What a version of a judge has learned; versions without a row give the
-- engine's scores.  trained_until is the time of the newest feedback learned
-- from.  inputs identifies what the model predicts from: if this program has
-- other inputs, or it is NULL (unknown), the model is not applied.

CREATE TABLE judge_calibrators (
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

-- --- Webhooks -------------------------------------------------------------

-- The outbox.  A delivery is inserted in the transaction of its event.  url is
-- empty if it goes to the address in the organization's settings.  The long
-- body never changes, and has a table of its own, in the order of insertion.

CREATE TABLE deliveries (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    event_id        TEXT    NOT NULL,
    type            TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    created_at      BIGINT  NOT NULL,
    queue_at        BIGINT,
    owner           TEXT,
    attempts        BIGINT  NOT NULL DEFAULT 0,
    attempted_at    BIGINT,
    delivered_at    BIGINT,
    last_status     BIGINT,
    last_error      TEXT,
    url             TEXT    NOT NULL,
    PRIMARY KEY (org, id)
) WITHOUT ROWID;

CREATE INDEX deliveries_queue ON deliveries (org, url, queue_at)
    WHERE queue_at IS NOT NULL;
CREATE INDEX deliveries_owner ON deliveries (owner) WHERE owner IS NOT NULL;
CREATE INDEX deliveries_failed ON deliveries (org, id)
    WHERE status = 'failed';
CREATE INDEX deliveries_age ON deliveries (created_at);

CREATE TABLE delivery_bodies (
    org             TEXT    NOT NULL,
    id              TEXT    NOT NULL,
    answer          TEXT,
    data            TEXT    NOT NULL,
    PRIMARY KEY (org, id)
);

-- The addresses with pending deliveries: queue_at is when the first delivery
-- is due, or blocked_until if the address does not answer.  A worker finds the
-- addresses to call by reading one row of each.

CREATE TABLE webhook_endpoints (
    org             TEXT    NOT NULL,
    url             TEXT    NOT NULL,
    queue_at        BIGINT,
    blocked_until   BIGINT  NOT NULL DEFAULT 0,
    failures        BIGINT  NOT NULL DEFAULT 0,
    PRIMARY KEY (org, url)
) WITHOUT ROWID;

CREATE INDEX webhook_endpoints_queue ON webhook_endpoints (queue_at)
    WHERE queue_at IS NOT NULL;

-- --- Requests to external workers -----------------------------------------

-- When an evaluation begins to wait for an external worker, organizations that
-- have subscribed to it by name get an event.  Triggers note it here for any
-- statement, and the runner makes the events at the end of the operation, so
-- that no rows remain after a transaction.  The table has row numbers, because
-- SQLite's update hook is only called for tables that have.

CREATE TABLE work_requests (
    org             TEXT    NOT NULL,
    evaluation_id   TEXT    NOT NULL,
    PRIMARY KEY (org, evaluation_id)
);

CREATE VIEW work_wanted AS
    SELECT e.org AS org, e.id AS evaluation_id FROM evaluations e
    JOIN contents c ON c.org = e.org AND c.id = e.content_id
    JOIN org_settings s ON s.org = e.org
    WHERE c.file_type <> 'text' AND s.webhook_url IS NOT NULL
        AND coalesce(s.webhook_enabled, 1) <> 0
        AND instr(s.webhook_events, '"evaluation.requested"') > 0;

CREATE TRIGGER evaluations_requested AFTER INSERT ON evaluations
    WHEN NEW.queue_at = NEW.deadline AND NEW.model IS NULL
BEGIN
    INSERT INTO work_requests SELECT org, evaluation_id FROM work_wanted
        WHERE org = NEW.org AND evaluation_id = NEW.id;
END;

CREATE TRIGGER evaluations_requested_later
    AFTER UPDATE OF queue_at ON evaluations
    WHEN NEW.queue_at = NEW.deadline AND NEW.model IS NULL
        AND OLD.queue_at IS NULL
BEGIN
    INSERT INTO work_requests SELECT org, evaluation_id FROM work_wanted
        WHERE org = NEW.org AND evaluation_id = NEW.id;
END;

-- An evaluation that begins to wait again has no lease of a worker.

CREATE TRIGGER evaluations_waiting
    AFTER UPDATE OF queue_at ON evaluations
    WHEN NEW.queue_at = NEW.deadline AND NEW.model IS NULL
        AND OLD.queue_at IS NULL
        AND (NEW.work_until IS NOT NULL OR NEW.work_progress IS NOT NULL)
BEGIN
    UPDATE evaluations
        SET work_until = NULL, work_lease = NULL, work_progress = NULL
        WHERE org = NEW.org AND id = NEW.id;
END;
