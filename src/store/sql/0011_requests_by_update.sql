-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- An evaluation for an external worker is now inserted without queue_at, which
-- the next statement sets, so that triggers on inserts are not needed: SQLite
-- starts a subprogram for such a trigger at each insert, even if its condition
-- is false.

DROP TRIGGER evaluations_kind;
DROP TRIGGER evaluations_requested;
