/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What distinguishes two versions of a judge, in words. */


#ifndef JUDGE_VERSION_DIFF_H
#define JUDGE_VERSION_DIFF_H


#include "api/judges/criteria.h"


typedef struct {
    judge_str_t   name;
    judge_str_t   description;
    judge_list_t  criteria;            /* of judge_criterion_row_t, with ids */
    judge_str_t   references;          /* JSON; absent: none */
    judge_str_t   model;               /* absent: the organization's */
    int64_t       samples;             /* 0: unsaid */
} judge_version_diff_side_t;

#define JUDGE_VERSION_DIFF_FIRST  "initial version"
#define JUDGE_VERSION_DIFF_NAMED  12   /* the rest is only counted */

/*
 *   renamed from "Tone" to "Voice"; added criterion "Depth"; changed the
 *   weight of "Clarity" from 1 to 2
 *
 * Empty: the two are equal, whatever is compared.  Data NULL: no memory.
 */
judge_str_t judge_version_diff_summary(judge_arena_t *arena,
    const judge_version_diff_side_t *before,
                                       const judge_version_diff_side_t *after);

/* Whether everything that an engine scores by is the same: then what has been
 * learned about its scores still holds. */
bool judge_version_diff_same_basis(const judge_version_diff_side_t *before,
    const judge_version_diff_side_t *after);


#endif /* JUDGE_VERSION_DIFF_H */
