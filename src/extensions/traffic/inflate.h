/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Compressed bodies, piece by piece: gzip and deflate by zlib, br by
 * Google's decoder. */


#ifndef JUDGE_INFLATE_H
#define JUDGE_INFLATE_H


#include "base/core/str.h"


typedef struct judge_inflate  judge_inflate_t;

/*
 * For a Content-Encoding; of the heap.  JUDGE_NOT_FOUND: one that is not known
 * here; JUDGE_NOMEM.  br takes at most twice `max` bytes and 256 KB, what
 * asks for more is JUDGE_BUSY when it is read.
 */
judge_rc_e judge_inflate_create(judge_str_t coding, size_t max,
    judge_inflate_t **inflate);
void judge_inflate_free(judge_inflate_t *inflate);

/* Takes bytes from `data`, and sets *n to how many came out; if these are
 * `size`, or bytes are left, there may be more of the same data.
 * JUDGE_INVALID, JUDGE_BUSY. */
judge_rc_e judge_inflate_step(judge_inflate_t *inflate, judge_str_t *data,
    char *out, size_t size, size_t *n);

/* What was taken is complete, though gzip may go on. */
bool judge_inflate_ended(const judge_inflate_t *inflate);

size_t judge_inflate_size(const judge_inflate_t *inflate);         /* bytes */


#endif /* JUDGE_INFLATE_H */
