-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- What a judge gave where people say what would be right.  Unknown in examples
-- that were stored before.

ALTER TABLE examples ADD COLUMN given REAL;
