-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The language in which a judge gives feedback; NULL: the text's.

ALTER TABLE judge_versions ADD COLUMN feedback_language TEXT;
