/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The console: pages for people (docs/console.md). */


#include "work/service/extension.h"


extern const judge_extension_t  judge_extension_console;

const judge_extension_t  judge_extension_console = { .name = "console" };
