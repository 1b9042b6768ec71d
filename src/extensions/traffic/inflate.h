/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Decompresses bodies piece by piece: gzip and deflate with zlib, br with
 * Google's decoder. */


#ifndef JUDGE_INFLATE_H
#define JUDGE_INFLATE_H


#include "base/core/str.h"


typedef struct judge_inflate  judge_inflate_t;

/*
 * Allocates a decoder for a Content-Encoding on the heap.  JUDGE_NOT_FOUND:
 * the encoding is unknown; JUDGE_NOMEM. br may use twice `max` bytes and 256
 * KB, or 6 MB if that is more; step() returns JUDGE_BUSY for a body that needs
 * more.
 */
judge_rc_e judge_inflate_create(judge_str_t coding, size_t max,
    judge_inflate_t **inflate);
void judge_inflate_free(judge_inflate_t *inflate);

/* Takes bytes from `data`, and sets *n to the size of the output.  If *n is
 * `size`, or bytes are left, call it again.  JUDGE_INVALID, JUDGE_BUSY. */
judge_rc_e judge_inflate_step(judge_inflate_t *inflate, judge_str_t *data,
    char *out, size_t size, size_t *n);

/* Whether the data so far are complete, though more gzip data may follow. */
bool judge_inflate_ended(const judge_inflate_t *inflate);

size_t judge_inflate_size(const judge_inflate_t *inflate);         /* bytes */


#endif /* JUDGE_INFLATE_H */
