/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/checks/similar.h"
#include "analysis/text/math.h"
#include "analysis/text/text.h"


judge_rc_e
judge_like_table(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, bool edits, size_t *out)
{
    bool       same;
    size_t     i, k, na, nb;
    uint16_t  *row, left, above, here, best;

    na = judge_like_most(a->n);
    nb = judge_like_most(b->n);
    *out = 0;

    row = judge_array_alloc(arena, nb + 1, sizeof(uint16_t));
    if (row == NULL) {
        return JUDGE_NOMEM;
    }

    for (k = 0; edits && k <= nb; k++) {
        row[k] = (uint16_t) k;
    }

    for (i = 1; i <= na; i++) {
        above = row[0];                /* row i - 1, column k - 1 */
        row[0] = edits ? (uint16_t) i : 0;
        left = row[0];

        for (k = 1; k <= nb; k++) {
            here = row[k];
            same = a->hash[i - 1] == b->hash[k - 1];

            if (edits) {
                best = left < here ? left : here;
                best = (uint16_t) (best + 1);
                above = (uint16_t) (above + !same);
                best = above < best ? above : best;
            } else {
                best = left > here ? left : here;
                best = same ? (uint16_t) (above + 1) : best;
            }

            above = here;
            row[k] = best;
            left = best;
        }
    }

    *out = row[nb];

    return JUDGE_OK;
}


static int
judge_like_order(const void *a, const void *b)
{
    uint64_t  x = *(const uint64_t *) a, y = *(const uint64_t *) b;

    return (x > y) - (x < y);
}


/* The n-grams of a sequence, as hashes, sorted. */

static judge_rc_e
judge_like_sorted(judge_arena_t *arena, const judge_like_seq_t *s, size_t n,
    judge_like_seq_t *out)
{
    size_t    i, k;
    uint64_t  hash;

    out->n = s->n < n ? 0 : s->n - n + 1;
    out->hash = judge_array_alloc(arena, out->n + 1, sizeof(uint64_t));
    if (out->hash == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < out->n; i++) {
        for (hash = n, k = 0; k < n; k++) {
            hash = judge_hash_join(hash, s->hash[i + k]);
        }
        out->hash[i] = hash;
    }

    qsort(out->hash, out->n, sizeof(uint64_t), judge_like_order);

    return JUDGE_OK;
}


judge_rc_e
judge_like_grams(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, size_t n, judge_like_counts_t *out)
{
    size_t            i, k;
    judge_like_seq_t  x, y;

    memset(out, 0, sizeof(judge_like_counts_t));

    if (judge_like_sorted(arena, a, n, &x) != JUDGE_OK
        || judge_like_sorted(arena, b, n, &y) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    out->text = (double) x.n;
    out->reference = (double) y.n;

    for (i = 0, k = 0; i < x.n && k < y.n; ) {
        if (x.hash[i] == y.hash[k]) {
            out->both++;
            i++;
            k++;
        } else if (x.hash[i] < y.hash[k]) {
            i++;
        } else {
            k++;
        }
    }

    return JUDGE_OK;
}


judge_rc_e
judge_like_longest(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, size_t n, double *out)
{
    judge_rc_e  rc;

    rc = judge_like_table(arena, a, b, false, &n);
    *out = judge_share(2 * (double) n, (double) (judge_like_most(a->n)
                                                 + judge_like_most(b->n)));

    return rc;
}


judge_rc_e
judge_like_rouge(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, size_t n, double *out)
{
    judge_rc_e           rc;
    judge_like_counts_t  k;

    rc = judge_like_grams(arena, a, b, n, &k);
    *out = judge_share(2 * k.both, k.text + k.reference);

    return rc;
}


judge_rc_e
judge_like_gleu(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, size_t n, double *out)
{
    judge_rc_e           rc = JUDGE_OK;
    judge_like_counts_t  k, all = { 0, 0, 0 };

    for ( /* void */ ; n > 0 && rc == JUDGE_OK; n--) {
        rc = judge_like_grams(arena, a, b, n, &k);
        all.text += k.text;
        all.reference += k.reference;
        all.both += k.both;
    }

    *out = judge_share(all.both, fmax(all.text, all.reference));

    return rc;
}
