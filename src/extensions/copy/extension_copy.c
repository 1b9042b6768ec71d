/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/service/extension.h"


/* The extension is only the command "judge copy": nginx calls none of it. */

const judge_extension_t  judge_extension_copy = {
    .name = "copy"
};
