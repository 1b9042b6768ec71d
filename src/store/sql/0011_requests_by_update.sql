-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- An evaluation that waits for an external worker is inserted without
-- queue_at, which is set in the next statement.  A trigger that is fired by
-- every insert costs each of them a frame of SQLite's machine, though its
-- condition fails.

DROP TRIGGER evaluations_kind;
DROP TRIGGER evaluations_requested;
