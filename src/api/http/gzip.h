/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Decompresses a body that comes with Content-Encoding: gzip (RFC 1952), piece
 * by piece. */


#ifndef JUDGE_GZIP_H
#define JUDGE_GZIP_H


#include "base/core/str.h"


typedef struct judge_gzip  judge_gzip_t;

/* Allocates 45 KB in the arena, which frees them.  NULL: no memory. */
judge_gzip_t *judge_gzip_create(judge_arena_t *a);

/*
 * Removes bytes from `data`, and sets *n to the size of the output.  If *n is
 * `size`, or bytes are left, this must be called again, also for the next one
 * of several members.  JUDGE_INVALID: it is not gzip, or damaged; JUDGE_NOMEM;
 * JUDGE_BUSY: the output is more than 64 KB and 32 times the input, which is
 * rare for JSON but usual for a decompression bomb.
 */
judge_rc_e judge_gzip_step(judge_gzip_t *gzip, judge_str_t *data, char *out,
    size_t size, size_t *n);

/* Whether the end of a member was read, behind which another may follow. */
bool judge_gzip_ended(const judge_gzip_t *gzip);


#endif /* JUDGE_GZIP_H */
