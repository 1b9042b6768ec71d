-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- What waits is counted without a look at its row, which SQLite else takes to
-- see the model again that the index was made for.

DROP INDEX evaluations_queue;
DROP INDEX evaluations_queue_model;
CREATE INDEX evaluations_queue ON evaluations (priority, queue_at, model)
    WHERE queue_at IS NOT NULL AND model IS NULL;
CREATE INDEX evaluations_queue_model
    ON evaluations (priority, queue_at, model)
    WHERE queue_at IS NOT NULL AND model IS NOT NULL;
