/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/service/extension.h"


/* The route is only in locations with judge_mcp, whose module serves it. */

const judge_extension_t  judge_extension_mcp = { .name = "mcp" };
