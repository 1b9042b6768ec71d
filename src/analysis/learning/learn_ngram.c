/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Words, pairs and triples of them, hashed into buckets (Weinberger et al.
 * 2009) and weighted by 1 + ln(count) and by how few texts have them.
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "analysis/learning/learn_parts.h"
#include "analysis/text/math.h"


#define JUDGE_NGRAM_ROOM    (24u << 20)        /* of all texts together */


static size_t judge_ngram_hashes(judge_str_t text, uint32_t *buckets);
static void judge_ngram_sort(uint32_t *buckets, size_t n);
static bool judge_ngram_count(judge_ngram_set_t *grams,
    const judge_learn_set_t *set);
static void judge_ngram_weigh(judge_ngram_set_t *grams);


/* Letters, digits and whatever is not ASCII make a word, in lower case. */

static size_t
judge_ngram_hashes(judge_str_t text, uint32_t *buckets)
{
    size_t         i, n, words;
    uint64_t       word, last[2], joined;
    unsigned char  c;

    n = words = 0;
    word = 0;
    last[0] = last[1] = 0;

    for (i = 0; i <= text.len && words < JUDGE_NGRAM_WORDS; i++) {
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

        joined = word;
        buckets[n++] = (uint32_t) ((joined ^ (joined >> 32)) * 2654435761u)
                       >> (32 - JUDGE_BUCKET_BITS);

        if (words > 0) {
            joined = (joined ^ last[0]) * JUDGE_FNV_PRIME + 1;
            buckets[n++] = (uint32_t) ((joined ^ (joined >> 29)) * 2654435761u)
                           >> (32 - JUDGE_BUCKET_BITS);
        }

        if (words > 1) {
            joined = (joined ^ last[1]) * JUDGE_FNV_PRIME + 2;
            buckets[n++] = (uint32_t) ((joined ^ (joined >> 27)) * 2654435761u)
                           >> (32 - JUDGE_BUCKET_BITS);
        }

        last[1] = last[0];
        last[0] = word;
        word = 0;
        words++;
    }

    return n;
}


/* By radix, a byte at a time: buckets have two. */

static void
judge_ngram_sort(uint32_t *buckets, size_t n)
{
    size_t     i, from[257];
    unsigned   shift;
    uint32_t   other[3 * JUDGE_NGRAM_WORDS], *in, *out;

    in = buckets;
    out = other;

    for (shift = 0; shift < 16; shift += 8) {
        memset(from, 0, sizeof(from));

        for (i = 0; i < n; i++) {
            from[(in[i] >> shift & 255) + 1]++;
        }
        for (i = 0; i < 256; i++) {
            from[i + 1] += from[i];
        }
        for (i = 0; i < n; i++) {
            out[from[in[i] >> shift & 255]++] = in[i];
        }

        in = other;
        out = buckets;
    }
}


size_t
judge_ngrams(judge_str_t text, const float *idf, judge_ngram_t *out)
{
    size_t    i, n, distinct;
    double    length;
    uint32_t  buckets[3 * JUDGE_NGRAM_WORDS];

    n = text.data ? judge_ngram_hashes(text, buckets) : 0;
    judge_ngram_sort(buckets, n);

    distinct = 0;
    for (i = 0; i < n; i++) {
        if (distinct && out[distinct - 1].bucket == buckets[i]) {
            out[distinct - 1].value += 1;
        } else {
            out[distinct++] = (judge_ngram_t) { buckets[i], 1 };
        }
    }

    if (idf == NULL) {
        return distinct;
    }

    length = 0;
    for (i = 0; i < distinct; i++) {
        out[i].value = out[i].value > 1
                       ? (float) ((1 + judge_ln((double) out[i].value))
                                  * (double) idf[out[i].bucket])
                       : idf[out[i].bucket];
        length += (double) out[i].value * out[i].value;
    }

    length = length > 0 ? sqrt(length) : 1;
    for (i = 0; i < distinct; i++) {
        out[i].value = (float) (out[i].value / length);
    }

    return distinct;
}


bool
judge_ngram_set(judge_ngram_set_t *grams, const judge_learn_set_t *set)
{
    memset(grams, 0, sizeof(judge_ngram_set_t));
    grams->nitems = set->nitems;

    if (set->texts == NULL) {
        return true;
    }

    grams->at = calloc(set->nitems + 1, sizeof(size_t));
    grams->idf = calloc(JUDGE_NGRAMS, sizeof(float));

    if (grams->at == NULL || grams->idf == NULL
        || !judge_ngram_count(grams, set))
    {
        judge_ngram_set_free(grams);
        return false;
    }

    judge_ngram_weigh(grams);

    return true;
}


void
judge_ngram_set_free(judge_ngram_set_t *grams)
{
    free(grams->at);
    free(grams->grams);
    free(grams->idf);
    memset(grams, 0, sizeof(judge_ngram_set_t));
}


/* Plain counts of each text, as long as there is room; grams->idf counts the
 * texts that have a bucket. */

static bool
judge_ngram_count(judge_ngram_set_t *grams, const judge_learn_set_t *set)
{
    size_t          i, j, n, total, room;
    judge_ngram_t  *larger, text[3 * JUDGE_NGRAM_WORDS];

    total = room = 0;

    for (i = 0; i < set->nitems; i++) {
        grams->at[i] = total;
        n = total < JUDGE_NGRAM_ROOM ? judge_ngrams(set->texts[i], NULL, text)
                                     : 0;

        if (total + n > room) {
            room = 2 * (total + n) + 1024;
            larger = realloc(grams->grams, room * sizeof(judge_ngram_t));
            if (larger == NULL) {
                return false;
            }
            grams->grams = larger;
        }

        for (j = 0; j < n; j++) {
            grams->idf[text[j].bucket] += 1;
            grams->grams[total + j] = text[j];
        }

        grams->covered += n > 0;
        total += n;
    }

    grams->at[set->nitems] = total;

    return true;
}


/* A bucket of a single text predicts nothing about others: it weighs 0. */

static void
judge_ngram_weigh(judge_ngram_set_t *grams)
{
    size_t          i, j;
    double          length;
    judge_ngram_t  *g;

    for (j = 0; j < JUDGE_NGRAMS; j++) {
        grams->idf[j] = grams->idf[j] < 2
                        ? 0
                        : (float) (1 + judge_ln((1.0 + grams->covered)
                                                / (1.0 + grams->idf[j])));

        /* As it will be stored. */
        grams->idf[j] = floorf(grams->idf[j] * JUDGE_IDF_UNIT + 0.5f)
                        / JUDGE_IDF_UNIT;
    }

    for (i = 0; i < grams->nitems; i++) {
        length = 0;
        for (j = grams->at[i]; j < grams->at[i + 1]; j++) {
            g = &grams->grams[j];
            g->value = (float) ((1 + judge_ln(g->value))
                                * grams->idf[g->bucket]);
            length += (double) g->value * g->value;
        }

        length = length > 0 ? sqrt(length) : 1;
        for (j = grams->at[i]; j < grams->at[i + 1]; j++) {
            grams->grams[j].value = (float) (grams->grams[j].value / length);
        }
    }
}
