-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Clients read the entries of a session.

CREATE INDEX feedback_session ON feedback (org, session_id, id)
    WHERE session_id IS NOT NULL;

-- Attempts that external workers gave back, which do not count as attempts.

ALTER TABLE evaluations ADD COLUMN given_back BIGINT NOT NULL DEFAULT 0;
