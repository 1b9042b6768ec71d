-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The language models of a panel (JSON); the model of the version is then
-- "panel".  NULL: one model judges, or none.

ALTER TABLE judge_versions ADD COLUMN panel TEXT;
