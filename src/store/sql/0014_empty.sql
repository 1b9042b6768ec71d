-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Batches whose evaluations were all deleted, for retention.

CREATE INDEX batches_empty ON batches (org, id) WHERE total = 0;
