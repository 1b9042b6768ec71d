/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Who judges a criterion, by the names of the interface. */


#ifndef JUDGE_JUDGED_BY_H
#define JUDGE_JUDGED_BY_H


#include "base/core/str.h"


typedef enum {
    JUDGE_BY_AUTO,                     /* to be chosen: method.h */
    JUDGE_BY_CHECKS,
    JUDGE_BY_MEASURES,                 /* an aspect of the registry */
    JUDGE_BY_MODEL,
    JUDGE_BY_CORRECTIONS,
    JUDGE_BY_NOTHING,
    JUDGE_BY_WORKER,                   /* an external one, of media */
    JUDGE_BY_KINDS
} judge_judged_by_e;


/* "auto", "checks", … */
extern const char *const  judge_judged_by_names[JUDGE_BY_KINDS];

/* JUDGE_BY_KINDS: there is none of that name. */
judge_judged_by_e judge_judged_by_find(judge_str_t name);


#endif /* JUDGE_JUDGED_BY_H */
