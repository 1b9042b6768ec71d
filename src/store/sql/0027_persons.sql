-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- The person who gave feedback, as named by the application that sent it.

ALTER TABLE feedback ADD COLUMN submitted_by_person TEXT;
