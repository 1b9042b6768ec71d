/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The enumerations of the interface. */


#include "api/http/enums.h"


const char *const  judge_content_types[] = {
    "text", "video", "audio", "image", NULL
};

const char *const  judge_judge_statuses[] = {
    "ready", "learning", "training", NULL
};

const char *const  judge_content_statuses[] = {
    "uploaded", "processing", "ready", "error", NULL
};

const char *const  judge_evaluation_statuses[] = {
    "processing", "completed", "failed", NULL
};

const char *const  judge_batch_statuses[] = {
    "created", "evaluating", "completed", "failed", NULL
};

const char *const  judge_key_statuses[] = {
    "active", "suspended", "expired", NULL
};

const char *const  judge_key_settings[] = {
    "active", "suspended", NULL
};


judge_str_t
judge_enum_name(const char *const *choices, judge_choice_t choice)
{
    return choice.set ? judge_str_c(choices[choice.value])
                      : (judge_str_t) { 0, NULL };
}
