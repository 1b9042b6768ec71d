-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Escalation of built-in scores to a language model: the judge's rules; why an
-- evaluation was escalated, and its score before; how many of a batch were.

ALTER TABLE judge_versions ADD COLUMN escalate TEXT;
ALTER TABLE evaluations ADD COLUMN escalated BIGINT;
ALTER TABLE evaluations ADD COLUMN first_score REAL;
ALTER TABLE batches ADD COLUMN escalated BIGINT NOT NULL DEFAULT 0;
