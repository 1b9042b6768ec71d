-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- What of a judge's evaluations a person should look at, as JSON; NULL:
-- nothing is said.  And why one should be looked at, as bits
-- (store.h: JUDGE_REVIEW_...); NULL: it was judged before there were any.

ALTER TABLE judge_versions ADD COLUMN review TEXT;
ALTER TABLE evaluations ADD COLUMN review BIGINT;
