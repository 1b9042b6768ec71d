-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Who gave feedback by the key of an application, as that says.

ALTER TABLE feedback ADD COLUMN submitted_by_person TEXT;
