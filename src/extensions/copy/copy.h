/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Copies all rows of a store, or those of an organization, to another store of
 * any engine.  The source may be in use: the copy reads one snapshot of it. */


#ifndef JUDGE_COPY_H
#define JUDGE_COPY_H


#include "base/core/str.h"


typedef struct {
    judge_str_t  name;
    int64_t      rows[2];              /* in the source, in the target */
    uint64_t     digests[2];           /* the order of rows has no effect */
} judge_copy_table_t;

typedef struct {
    judge_str_t           source;      /* names, see judge_store_open() */
    judge_str_t           target;      /* it is made if it is new */
    judge_str_t           org;         /* absent: copy all */
    judge_copy_table_t   *tables;      /* by name */
    size_t                ntables;
    judge_str_t           error;       /* a sentence, on failure */
} judge_copy_t;


/*
 * Rows of the target with the same key are overwritten, others remain: an
 * aborted copy can be repeated, and a second copy adds what has changed.
 * Tables without a key (logs) are emptied first, so a target that has other
 * organizations than the source takes only `org` from it.  Allocates in
 * `arena`.  JUDGE_CONFLICT: all was copied, but a table differs from its
 * source.
 */
judge_rc_e judge_store_copy(judge_arena_t *arena, judge_copy_t *copy);


#endif /* JUDGE_COPY_H */
