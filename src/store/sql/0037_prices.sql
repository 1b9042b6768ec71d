-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The prices of language models: an object of numbers by model name (JSON).

ALTER TABLE org_settings ADD COLUMN prices TEXT;
