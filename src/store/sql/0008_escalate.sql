-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- When a judge asks a language model although the built-in engine has a score;
-- why it was asked, and what the score was; how many of a batch were asked.

ALTER TABLE judge_versions ADD COLUMN escalate TEXT;
ALTER TABLE evaluations ADD COLUMN escalated BIGINT;
ALTER TABLE evaluations ADD COLUMN first_score REAL;
ALTER TABLE batches ADD COLUMN escalated BIGINT NOT NULL DEFAULT 0;
