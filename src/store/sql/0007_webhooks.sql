-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- The outbox of webhooks.  A delivery is inserted with what it tells of, in
-- one transaction.  queue_at is when it may be claimed (its lease's end while
-- somebody delivers it), NULL when it has ended.  url is empty where it goes
-- to the address in the organization's settings.  What is long never changes
-- and stands in a table of its own, in the order in which it came.

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

-- Where deliveries are pending: queue_at is when the first of them is due,
-- or blocked_until while the address does not answer.  Here a worker sees at
-- one look who has something to be delivered, however much it is.

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
