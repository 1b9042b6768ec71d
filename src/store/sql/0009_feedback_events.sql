-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- How many entries of a session have been processed: with the last one its
-- event is sent.

ALTER TABLE feedback_sessions ADD COLUMN processed BIGINT NOT NULL DEFAULT 0;
