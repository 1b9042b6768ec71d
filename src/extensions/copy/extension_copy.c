/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/service/extension.h"


/* All of it is a command of the tool, "judge copy"; nginx does not need it. */

const judge_extension_t  judge_extension_copy = {
    .name = "copy"
};
