-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause
--
-- What a version of a judge wants to be judged by, unless a request says
-- otherwise: a model by its name, or the built-in engine (NULL: what the
-- organization has set), in how many samples.

ALTER TABLE judge_versions ADD COLUMN model TEXT;
ALTER TABLE judge_versions ADD COLUMN samples BIGINT;
