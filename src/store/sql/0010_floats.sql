-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The schema does not change.  Results are packed in a new format from this
-- version on: older programs can't read it, and must refuse the store.

SELECT 1;
