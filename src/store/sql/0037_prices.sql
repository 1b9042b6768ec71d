-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- What language models cost: an object of numbers by their names (JSON).

ALTER TABLE org_settings ADD COLUMN prices TEXT;
