-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The object store's identifier of an upload in parts.

ALTER TABLE uploads ADD COLUMN multipart TEXT;
