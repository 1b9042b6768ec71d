-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Batches whose evaluations were all deleted: retention deletes them, too.

CREATE INDEX batches_empty ON batches (org, id) WHERE total = 0;
