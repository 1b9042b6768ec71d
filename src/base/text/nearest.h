/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Finds which of several names a mistyped one probably means. */


#ifndef JUDGE_NEAREST_H
#define JUDGE_NEAREST_H


#include "base/core/str.h"


#define JUDGE_NEAREST_LEN  64          /* longer ones match no name */
#define JUDGE_FAR          SIZE_MAX

/*
 * The number of edits between two names, where a swap of neighbours is one
 * edit (optimal string alignment; Damerau 1964).  Case, '_' and '-' are
 * ignored, so that contentId equals content_id.  JUDGE_FAR: more than a third
 * is edited, and neither name begins or ends with the other.
 */
size_t judge_name_distance(judge_str_t written, judge_str_t name);


#endif /* JUDGE_NEAREST_H */
