-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Results have a compact form, with a dictionary of its own: an older program
-- must not read the store.

SELECT 1;
