/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "analysis/builtin/judged_by.h"


const char *const  judge_judged_by_names[JUDGE_BY_KINDS] = {
    "auto", "checks", "measures", "model", "corrections", "nothing", "worker"
};


judge_judged_by_e
judge_judged_by_find(judge_str_t name)
{
    size_t  i;

    for (i = 0; i < JUDGE_BY_KINDS; i++) {
        if (judge_str_eq_c(name, judge_judged_by_names[i])) {
            break;
        }
    }

    return (judge_judged_by_e) i;
}
