/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * All rows of a store, or those of an organization, into another one, of
 * whichever engine.  The source is read as it was when the copy began, and
 * goes on being used; what is written there meanwhile is not taken.
 */


#ifndef JUDGE_STORE_COPY_H
#define JUDGE_STORE_COPY_H


#include "base/core/str.h"


typedef struct {
    judge_str_t  name;
    int64_t      rows[2];              /* in the source, in the target */
    uint64_t     digests[2];           /* of all values, in whatever order */
} judge_copy_table_t;

typedef struct {
    judge_str_t           from;        /* as for judge_store_open(), both of */
    judge_str_t           to;          /* this program's schema */
    judge_str_t           org;         /* absent: all */
    judge_copy_table_t   *tables;      /* by name */
    size_t                ntables;
    judge_str_t           error;       /* a sentence, where it failed */
} judge_copy_t;


/*
 * Rows of the target with the same key are overwritten, others are left alone:
 * what was broken off is begun again, and a second copy brings what has
 * changed.  Everything is in `arena`.  JUDGE_CONFLICT: all is done, but a
 * table differs from its source.
 */
judge_rc_e judge_store_copy(judge_arena_t *arena, judge_copy_t *copy);


#endif /* JUDGE_STORE_COPY_H */
