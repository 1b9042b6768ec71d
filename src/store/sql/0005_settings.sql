-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- What an organization has set; NULL is what it has not.  Its webhook secret
-- stands with the organization; here is the one before it, good for a while.

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
    webhook_enabled      BIGINT,
    webhooks_updated_at  BIGINT,
    previous_secret      TEXT,
    previous_until       BIGINT
) WITHOUT ROWID;
