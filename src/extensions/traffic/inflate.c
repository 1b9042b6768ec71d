/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <brotli/decode.h>
#include <stdlib.h>
#include <zlib.h>

#include "extensions/traffic/inflate.h"


#define JUDGE_INFLATE_ZLIB   45056     /* estimate of the memory of zlib */
#define JUDGE_INFLATE_SLACK  262144
#define JUDGE_INFLATE_WINDOW  (6u << 20)    /* limit of br, at least */

struct judge_inflate {
    z_stream             z;
    BrotliDecoderState  *br;           /* NULL: use z */
    bool                 deflate;      /* maybe without zlib's header */
    bool                 refused;      /* br needs more than `most` */
    bool                 ended;        /* the data so far are complete */
    size_t               used;
    size_t               most;
};


/* A body determines how much memory br needs: a few bytes can demand 16 MB.
 * The size of a block precedes it, so that release() can subtract it. */

static void *
judge_inflate_alloc(void *data, size_t size)
{
    size_t           *p;
    judge_inflate_t  *self = data;

    if (size > self->most || self->used > self->most - size) {
        self->refused = true;
        return NULL;
    }

    p = malloc(size + 16);
    if (p == NULL) {
        return NULL;
    }

    *p = size;
    self->used += size;

    return (char *) p + 16;
}


static void
judge_inflate_release(void *data, void *p)
{
    size_t           *piece;
    judge_inflate_t  *self = data;

    if (p) {
        piece = (size_t *) (void *) ((char *) p - 16);
        self->used -= *piece;
        free(piece);
    }
}


judge_rc_e
judge_inflate_create(judge_str_t coding, size_t max, judge_inflate_t **out)
{
    bool              br, deflate, made;
    judge_inflate_t  *self;

    br = judge_str_caseeq(coding, JUDGE_STR("br"));
    deflate = judge_str_caseeq(coding, JUDGE_STR("deflate"));

    if (!br && !deflate && !judge_str_caseeq(coding, JUDGE_STR("gzip"))
        && !judge_str_caseeq(coding, JUDGE_STR("x-gzip")))
    {
        return JUDGE_NOT_FOUND;
    }

    self = calloc(1, sizeof(judge_inflate_t));
    if (self == NULL) {
        return JUDGE_NOMEM;
    }

    self->deflate = deflate;
    self->most = 2 * max + JUDGE_INFLATE_SLACK;

    if (br && self->most < JUDGE_INFLATE_WINDOW) {
        self->most = JUDGE_INFLATE_WINDOW;
    }

    if (br) {
        self->br = BrotliDecoderCreateInstance(judge_inflate_alloc,
                                                  judge_inflate_release,
                                                  self);
        made = self->br != NULL;
    } else {
        self->used = JUDGE_INFLATE_ZLIB;
        made = inflateInit2(&self->z, MAX_WBITS + (deflate ? 0 : 16))
               == Z_OK;
    }

    if (!made) {
        free(self);
        return JUDGE_NOMEM;
    }

    *out = self;

    return JUDGE_OK;
}


void
judge_inflate_free(judge_inflate_t *self)
{
    if (self == NULL) {
        return;
    }

    if (self->br) {
        BrotliDecoderDestroyInstance(self->br);
    } else {
        (void) inflateEnd(&self->z);
    }

    free(self);
}


bool
judge_inflate_ended(const judge_inflate_t *self)
{
    return self->ended;
}


size_t
judge_inflate_size(const judge_inflate_t *self)
{
    return self ? self->used : 0;
}


static judge_rc_e
judge_inflate_brotli(judge_inflate_t *self, judge_str_t *data, char *out,
    size_t size, size_t *n)
{
    size_t               room, left;
    uint8_t             *to;
    const uint8_t       *from;
    BrotliDecoderResult  rc;

    room = size;
    left = data->len;
    to = (uint8_t *) out;
    from = (const uint8_t *) data->data;
    rc = BrotliDecoderDecompressStream(self->br, &left, &from, &room, &to,
                                       NULL);
    *data = judge_str_from(*data, data->len - left);
    *n = size - room;

    if (rc == BROTLI_DECODER_RESULT_ERROR) {
        return self->refused ? JUDGE_BUSY : JUDGE_INVALID;
    }

    self->ended = rc == BROTLI_DECODER_RESULT_SUCCESS;

    return JUDGE_OK;
}


/* "deflate" should have zlib's header, but some servers omit it.  More data
 * may follow the end of gzip data, because clients read that, too. */

judge_rc_e
judge_inflate_step(judge_inflate_t *self, judge_str_t *data, char *out,
    size_t size, size_t *n)
{
    int        rc;
    z_stream  *z = &self->z;

    *n = 0;

    if (self->ended) {
        if (data->len == 0) {
            return JUDGE_OK;
        }
        if (self->br || self->deflate || inflateReset(z) != Z_OK) {
            return JUDGE_INVALID;
        }
        self->ended = false;
    }

    if (self->br) {
        return judge_inflate_brotli(self, data, out, size, n);
    }

    if (self->deflate && data->len && z->total_in == 0
        && (data->data[0] & 0x0f) != Z_DEFLATED)
    {
        (void) inflateReset2(z, -MAX_WBITS);
    }

    z->next_in = (Bytef *) (uintptr_t) data->data;
    z->avail_in = (uInt) data->len;
    z->next_out = (Bytef *) out;
    z->avail_out = (uInt) size;
    rc = inflate(z, Z_SYNC_FLUSH);
    *data = judge_str_from(*data, data->len - z->avail_in);
    *n = size - z->avail_out;

    if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR) {
        return JUDGE_INVALID;
    }

    self->ended = rc == Z_STREAM_END;

    return JUDGE_OK;
}
