/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <limits.h>
#include <zlib.h>

#include "api/http/gzip.h"


#define JUDGE_GZIP_RATIO  32
#define JUDGE_GZIP_FREE   65536        /* output bytes of any ratio */

struct judge_gzip {
    z_stream  z;
    uint64_t  in, out;                 /* bytes of all members */
    bool      ended;                   /* a member, and maybe all */
};


static void *
judge_gzip_alloc(void *arena, unsigned n, unsigned size)
{
    return judge_alloc(arena, (size_t) n * size);
}


static void
judge_gzip_free(void *arena, void *p)
{
}


judge_gzip_t *
judge_gzip_create(judge_arena_t *a)
{
    judge_gzip_t  *gzip;

    gzip = judge_calloc(a, sizeof(judge_gzip_t));
    if (gzip == NULL) {
        return NULL;
    }

    gzip->z.zalloc = judge_gzip_alloc;
    gzip->z.zfree = judge_gzip_free;
    gzip->z.opaque = a;

    /* + 16: with the header of gzip, not that of zlib */
    return inflateInit2(&gzip->z, MAX_WBITS + 16) == Z_OK ? gzip : NULL;
}


judge_rc_e
judge_gzip_step(judge_gzip_t *gzip, judge_str_t *data, char *out, size_t size,
    size_t *n)
{
    int        rc;
    size_t     len;
    z_stream  *z = &gzip->z;

    *n = 0;

    if (gzip->ended && data->len) {    /* another member begins */
        (void) inflateReset(z);        /* which fails only without a state */
    }

    len = data->len < UINT_MAX ? data->len : UINT_MAX;

    z->next_in = (Bytef *) data->data;
    z->avail_in = (uInt) len;
    z->next_out = (Bytef *) out;
    z->avail_out = (uInt) size;

    rc = inflate(z, Z_NO_FLUSH);

    *data = judge_str_from(*data, len - z->avail_in);
    *n = size - z->avail_out;
    gzip->in += len - z->avail_in;
    gzip->out += *n;
    gzip->ended = rc == Z_STREAM_END;

    if (rc == Z_MEM_ERROR) {
        return JUDGE_NOMEM;
    }

    /* Z_BUF_ERROR: there was nothing to do. */
    if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR) {
        return JUDGE_INVALID;
    }

    return gzip->out > JUDGE_GZIP_FREE
           && gzip->out / JUDGE_GZIP_RATIO > gzip->in
           ? JUDGE_BUSY : JUDGE_OK;
}


bool
judge_gzip_ended(const judge_gzip_t *gzip)
{
    return gzip->ended;
}
