/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <brotli/decode.h>
#include <stdlib.h>
#include <zlib.h>

#include "extensions/traffic/inflate.h"


#define JUDGE_INFLATE_ZLIB   45056     /* bytes that zlib needs, roughly */
#define JUDGE_INFLATE_SLACK  262144
#define JUDGE_INFLATE_WINDOW  (6u << 20)    /* bytes of br, at least */

struct judge_inflate {
    z_stream             z;
    BrotliDecoderState  *br;           /* NULL: use z */
    bool                 deflate;      /* maybe without zlib's header */
    bool                 refused;      /* br needs more than `most` */
    bool                 ended;        /* the data so far are complete */
    size_t               held;
    size_t               most;
};


/* A body determines how much memory br needs: a few bytes can ask for 16 MB.
 * The size of a block precedes it, so that release() can subtract it. */

static void *
judge_inflate_alloc(void *data, size_t size)
{
    size_t           *p;
    judge_inflate_t  *own = data;

    if (size > own->most || own->held > own->most - size) {
        own->refused = true;
        return NULL;
    }

    p = malloc(size + 16);
    if (p == NULL) {
        return NULL;
    }

    *p = size;
    own->held += size;

    return (char *) p + 16;
}


static void
judge_inflate_release(void *data, void *p)
{
    size_t           *piece;
    judge_inflate_t  *own = data;

    if (p) {
        piece = (size_t *) (void *) ((char *) p - 16);
        own->held -= *piece;
        free(piece);
    }
}


judge_rc_e
judge_inflate_create(judge_str_t coding, size_t max, judge_inflate_t **out)
{
    bool              br, deflate, made;
    judge_inflate_t  *own;

    br = judge_str_caseeq(coding, JUDGE_STR("br"));
    deflate = judge_str_caseeq(coding, JUDGE_STR("deflate"));

    if (!br && !deflate && !judge_str_caseeq(coding, JUDGE_STR("gzip"))
        && !judge_str_caseeq(coding, JUDGE_STR("x-gzip")))
    {
        return JUDGE_NOT_FOUND;
    }

    own = calloc(1, sizeof(judge_inflate_t));
    if (own == NULL) {
        return JUDGE_NOMEM;
    }

    own->deflate = deflate;
    own->most = 2 * max + JUDGE_INFLATE_SLACK;

    if (br && own->most < JUDGE_INFLATE_WINDOW) {
        own->most = JUDGE_INFLATE_WINDOW;
    }

    if (br) {
        own->br = BrotliDecoderCreateInstance(judge_inflate_alloc,
                                                  judge_inflate_release,
                                                  own);
        made = own->br != NULL;
    } else {
        own->held = JUDGE_INFLATE_ZLIB;
        made = inflateInit2(&own->z, MAX_WBITS + (deflate ? 0 : 16))
               == Z_OK;
    }

    if (!made) {
        free(own);
        return JUDGE_NOMEM;
    }

    *out = own;

    return JUDGE_OK;
}


void
judge_inflate_free(judge_inflate_t *own)
{
    if (own == NULL) {
        return;
    }

    if (own->br) {
        BrotliDecoderDestroyInstance(own->br);
    } else {
        (void) inflateEnd(&own->z);
    }

    free(own);
}


bool
judge_inflate_ended(const judge_inflate_t *own)
{
    return own->ended;
}


size_t
judge_inflate_size(const judge_inflate_t *own)
{
    return own ? own->held : 0;
}


static judge_rc_e
judge_inflate_brotli(judge_inflate_t *own, judge_str_t *data, char *out,
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
    rc = BrotliDecoderDecompressStream(own->br, &left, &from, &room, &to,
                                       NULL);
    *data = judge_str_from(*data, data->len - left);
    *n = size - room;

    if (rc == BROTLI_DECODER_RESULT_ERROR) {
        return own->refused ? JUDGE_BUSY : JUDGE_INVALID;
    }

    own->ended = rc == BROTLI_DECODER_RESULT_SUCCESS;

    return JUDGE_OK;
}


/* "deflate" should have zlib's header, but some servers omit it.  More data
 * may follow the end of gzip data, because clients read that, too. */

judge_rc_e
judge_inflate_step(judge_inflate_t *own, judge_str_t *data, char *out,
    size_t size, size_t *n)
{
    int        rc;
    z_stream  *z = &own->z;

    *n = 0;

    if (own->ended) {
        if (data->len == 0) {
            return JUDGE_OK;
        }
        if (own->br || own->deflate || inflateReset(z) != Z_OK) {
            return JUDGE_INVALID;
        }
        own->ended = false;
    }

    if (own->br) {
        return judge_inflate_brotli(own, data, out, size, n);
    }

    if (own->deflate && data->len && z->total_in == 0
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

    own->ended = rc == Z_STREAM_END;

    return JUDGE_OK;
}
