-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The judge's score that an example corrects or confirms; NULL (unknown) in
-- examples that were stored before.

ALTER TABLE examples ADD COLUMN given REAL;
