/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The n-grams of a text are its words and pairs of words, hashed into buckets
 * (Weinberger et al. 2009).  A bucket has 1 + ln(count). */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"
#include "analysis/text/math.h"


#define JUDGE_NGRAM_ROOM    (24u << 20)        /* n-grams of all texts */


/* How often a text has each bucket; without its bit a count is not set. */
typedef struct {
    uint64_t  bits[JUDGE_NGRAMS / 64];
    uint16_t  count[JUDGE_NGRAMS];
} judge_ngram_counts_t;


static void
judge_ngram_add(judge_ngram_counts_t *c, uint64_t hash, unsigned shift)
{
    uint32_t   bucket = (uint32_t) ((hash ^ (hash >> shift)) * 2654435761u)
                        >> (32 - JUDGE_BUCKET_BITS);
    uint64_t  *bits = &c->bits[bucket / 64], bit = 1ull << bucket % 64;

    c->count[bucket] = *bits & bit ? (uint16_t) (c->count[bucket] + 1) : 1;
    *bits |= bit;
}


/* Words are runs of letters, digits, "'" and bytes beyond ASCII. */

static void
judge_ngram_count(judge_str_t text, judge_ngram_counts_t *counts)
{
    size_t         i, words;
    uint64_t       word, last = 0;
    unsigned char  c;

    for (i = 0, words = 0, word = 0;
         i <= text.len && words < JUDGE_NGRAM_WORDS; i++)
    {
        c = i < text.len ? (unsigned char) text.data[i] : ' ';
        c = c >= 'A' && c <= 'Z' ? (unsigned char) (c + 32) : c;

        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '\''
            || c >= 0x80)
        {
            word = judge_fnv_byte(word ? word : JUDGE_FNV_START, c);
            continue;
        }

        if (word == 0) {
            continue;
        }

        judge_ngram_add(counts, word, 32);

        if (words > 0) {
            judge_ngram_add(counts, (word ^ last) * JUDGE_FNV_PRIME + 1, 29);
        }

        last = word;
        word = 0;
        words++;
    }
}


size_t
judge_ngrams(judge_str_t text, judge_ngram_t *out)
{
    size_t                i, n;
    double                value, length;
    uint32_t              bucket;
    uint64_t              left;
    judge_ngram_counts_t  counts;

    if (text.len == 0) {
        return 0;
    }

    memset(counts.bits, 0, sizeof(counts.bits));
    judge_ngram_count(text, &counts);

    for (i = 0, n = 0, length = 0; i < JUDGE_NGRAMS / 64; i++) {
        for (left = counts.bits[i]; left != 0; left &= left - 1) {
            bucket = (uint32_t) (i * 64) + (uint32_t) __builtin_ctzll(left);
            value = counts.count[bucket];
            value = value > 1 ? 1 + judge_ln(value) : 1;
            out[n++] = (judge_ngram_t) { bucket, (float) value };
            length += value * value;
        }
    }

    length = sqrt(length);
    for (i = 0; i < n; i++) {
        out[i].value = (float) ((double) out[i].value / length);
    }

    return n;
}


/* Takes texts in their order until JUDGE_NGRAM_ROOM is reached. */

bool
judge_ngram_set(judge_ngram_set_t *grams, const judge_learn_set_t *set,
    bool wanted)
{
    size_t         i, n, total;
    judge_ngram_t  text[JUDGE_NGRAM_MOST];

    grams->offsets = calloc(set->nitems + 1, sizeof(size_t));
    if (grams->offsets == NULL || set->texts == NULL || !wanted) {
        return grams->offsets != NULL;
    }

    for (i = total = 0; i < set->nitems; i++) {
        n = total < JUDGE_NGRAM_ROOM ? judge_ngrams(set->texts[i], text) : 0;
        grams->covered += n > 0;
        total += n;
        grams->offsets[i + 1] = total;
    }

    grams->grams = malloc((total + 1) * sizeof(judge_ngram_t));
    if (grams->grams == NULL) {
        return false;
    }

    for (i = 0; i < set->nitems; i++) {
        if (grams->offsets[i] < grams->offsets[i + 1]) {
            (void) judge_ngrams(set->texts[i],
                                grams->grams + grams->offsets[i]);
        }
    }

    return true;
}
