-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Of a judge's version: which evaluations people should review, as JSON; NULL:
-- not set.  Of an evaluation: why people should review it, as bits
-- (JUDGE_REVIEW_... in store.h); NULL: it was judged by an older program.

ALTER TABLE judge_versions ADD COLUMN review TEXT;
ALTER TABLE evaluations ADD COLUMN review BIGINT;
