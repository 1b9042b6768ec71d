-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The part of a conversation that a judge judges; NULL: its last answer.

ALTER TABLE judge_versions ADD COLUMN scope TEXT;
