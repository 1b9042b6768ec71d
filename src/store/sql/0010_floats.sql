-- Copyright (C) The Judge Authors
-- SPDX-License-Identifier: BSD-2-Clause

-- Nothing changes but what results are packed by from here on, which older
-- programs can't read: they are to refuse the store.

SELECT 1;
