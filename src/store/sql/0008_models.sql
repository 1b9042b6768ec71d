-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- Evaluations by language models: which model is wanted (NULL: the built-in
-- engine), in how many samples, and whether a stored answer will not do.
-- answer_key is what an answer depends on; who asks the same finds it there.
-- Those that wait for a model have a queue of their own, so that the others
-- are found behind any number of them.

ALTER TABLE evaluations ADD COLUMN model TEXT;
ALTER TABLE evaluations ADD COLUMN samples BIGINT;
ALTER TABLE evaluations ADD COLUMN fresh BIGINT;
ALTER TABLE evaluations ADD COLUMN answer_key TEXT;

DROP INDEX evaluations_queue;

CREATE INDEX evaluations_queue ON evaluations (priority, queue_at)
    WHERE queue_at IS NOT NULL AND model IS NULL;
CREATE INDEX evaluations_queue_model ON evaluations (priority, queue_at)
    WHERE queue_at IS NOT NULL AND model IS NOT NULL;
CREATE INDEX evaluations_answers ON evaluations (answer_key)
    WHERE answer_key IS NOT NULL;
