-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The language models that judge together (JSON); the version's model is
-- "panel" then.  NULL: one model, or none.

ALTER TABLE judge_versions ADD COLUMN panel TEXT;
