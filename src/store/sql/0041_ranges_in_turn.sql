-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Organizations take turns with the ranges of their batches.

CREATE INDEX queue_ranges_in_turn ON queue_ranges (priority, org, queue_at);
