-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- What a bucket calls an upload that comes in parts.

ALTER TABLE uploads ADD COLUMN multipart TEXT;
