/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/service/extension.h"


/* The routes are only in locations with judge_openai, whose module serves
 * them. */

const judge_extension_t  judge_extension_openai = { .name = "openai" };
