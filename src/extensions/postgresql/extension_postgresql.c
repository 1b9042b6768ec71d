/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/postgresql/postgresql.h"
#include "store/store_open.h"
#include "work/service/extension.h"


const judge_database_t  judge_database_postgresql = {
    .schemes = { "postgresql://", "postgres://" },
    .driver = &judge_postgresql_driver,
    .check = judge_postgresql_check
};

const judge_extension_t  judge_extension_postgresql = {
    .name = "postgresql"
};
