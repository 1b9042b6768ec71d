/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Which of some names a mistyped one was meant to be. */


#ifndef JUDGE_NEAREST_H
#define JUDGE_NEAREST_H


#include "base/core/str.h"


#define JUDGE_NEAREST_LEN  64          /* longer names are near to none */
#define JUDGE_FAR          SIZE_MAX

/*
 * How far a name is from what was written: edits, of which a swap of two
 * neighbours is one (optimal string alignment; Damerau 1964).  Case, '_' and
 * '-' don't count, so that contentId is content_id.  JUDGE_FAR where more than
 * a third is edited, unless one begins or ends with the other.
 */
size_t judge_nearness(judge_str_t written, judge_str_t name);


#endif /* JUDGE_NEAREST_H */
