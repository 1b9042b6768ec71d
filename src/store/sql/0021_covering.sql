-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Covering indexes: waiting rows are counted without reading them.  Otherwise
-- SQLite would read each row to check its model, though the index implies it.

DROP INDEX evaluations_queue;
DROP INDEX evaluations_queue_model;
CREATE INDEX evaluations_queue ON evaluations (priority, queue_at, model)
    WHERE queue_at IS NOT NULL AND model IS NULL;
CREATE INDEX evaluations_queue_model
    ON evaluations (priority, queue_at, model)
    WHERE queue_at IS NOT NULL AND model IS NOT NULL;
