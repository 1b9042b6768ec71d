/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A compressed body that passes through a gateway: the first byte names its
 * encoding and how it is cut, the rest is the body.  Whatever it is, decoding
 * ends, within the bound on what it may become; and decoded in pieces, it is
 * the same as at once.
 */


#include <stdlib.h>
#include <string.h>

#include "extensions/traffic/inflate.h"


#define FUZZ_OUT    (256u * 1024)    /* of one body; more is not asked for */


typedef struct {
    char        *out;
    size_t       len;
    bool         ended;
    judge_rc_e   rc;
} fuzz_decoded_t;


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


/* Takes a piece in, with room for so many bytes at a time. */

static void
fuzz_step(fuzz_decoded_t *d, judge_inflate_t *inflate, judge_str_t piece,
    size_t room)
{
    size_t  n, left, want;

    do {
        left = piece.len;
        want = FUZZ_OUT - d->len < room ? FUZZ_OUT - d->len : room;
        d->rc = judge_inflate_step(inflate, &piece, d->out + d->len, want,
                                   &n);

        if (d->rc != JUDGE_OK) {
            return;
        }

        /* It takes or gives something, or there would be no end. */

        if (n > want || piece.len > left
            || (n == 0 && left != 0 && piece.len == left))
        {
            abort();
        }

        d->len += n;

    } while (d->len < FUZZ_OUT && (piece.len != 0 || n == want));
}


static void
fuzz_decode(fuzz_decoded_t *d, judge_str_t coding, judge_str_t body,
    size_t in, size_t room)
{
    judge_str_t       piece;
    judge_inflate_t  *inflate;

    d->rc = judge_inflate_create(coding, FUZZ_OUT, &inflate);

    if (d->rc != JUDGE_OK) {
        return;
    }

    while (d->rc == JUDGE_OK && body.len != 0 && d->len < FUZZ_OUT) {
        piece = (judge_str_t) { body.len < in ? body.len : in, body.data };
        body.data += piece.len;
        body.len -= piece.len;
        fuzz_step(d, inflate, piece, room);
    }

    d->ended = judge_inflate_ended(inflate);
    judge_inflate_free(inflate);
}


/* What did not fit is not compared, nor where memory has ended. */

static void
fuzz_compare(const fuzz_decoded_t *whole, const fuzz_decoded_t *pieces)
{
    if (whole->rc == JUDGE_BUSY || pieces->rc == JUDGE_BUSY
        || whole->rc == JUDGE_NOMEM || pieces->rc == JUDGE_NOMEM
        || whole->len == FUZZ_OUT || pieces->len == FUZZ_OUT)
    {
        return;
    }

    if (whole->rc != pieces->rc
        || (whole->rc == JUDGE_OK
            && (whole->ended != pieces->ended || whole->len != pieces->len
                || memcmp(whole->out, pieces->out, whole->len) != 0)))
    {
        abort();
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge_str_t               body, coding;
    fuzz_decoded_t            whole = { .rc = JUDGE_OK };
    fuzz_decoded_t            pieces = { .rc = JUDGE_OK };
    static const judge_str_t  codings[] = {
        JUDGE_STR("gzip"), JUDGE_STR("deflate"), JUDGE_STR("br"),
        JUDGE_STR("x-gzip")
    };

    if (size == 0) {
        return 0;
    }

    whole.out = malloc(FUZZ_OUT);
    pieces.out = malloc(FUZZ_OUT);

    if (whole.out != NULL && pieces.out != NULL) {
        coding = codings[data[0] & 3];
        body = (judge_str_t) { size - 1, (const char *) data + 1 };
        fuzz_decode(&whole, coding, body, size, FUZZ_OUT);
        fuzz_decode(&pieces, coding, body, 1 + (data[0] >> 4),
                    1 + (data[0] >> 2));
        fuzz_compare(&whole, &pieces);
    }

    free(whole.out);
    free(pieces.out);

    return 0;
}
