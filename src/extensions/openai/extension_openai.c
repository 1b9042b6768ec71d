/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/openai/openai_work.h"


/* The routes are only in locations with judge_openai, whose module serves
 * them; runs go on wherever evaluations do. */

const judge_extension_t  judge_extension_openai = {
    .name = "openai",
    .background = {
        .create = judge_openai_work_create,
        .destroy = judge_openai_work_destroy,
        .tick = judge_openai_work_tick,
        .stop = judge_openai_work_stop,
        .busy = judge_openai_work_busy
    }
};
