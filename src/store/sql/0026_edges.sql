-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- What became of the entries of a session is asked for.

CREATE INDEX feedback_session ON feedback (org, session_id, id)
    WHERE session_id IS NOT NULL;

-- Attempts that external workers gave back: they use up none.

ALTER TABLE evaluations ADD COLUMN given_back BIGINT NOT NULL DEFAULT 0;
