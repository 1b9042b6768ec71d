/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <string.h>

#include "base/core/hash.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/checks/similar.h"
#include "analysis/text/char.h"
#include "analysis/text/math.h"
#include "analysis/text/vectors.h"
#include "extensions/openai/openai_similarity.h"


#define JUDGE_OPENAI_WORDS   4         /* in an n-gram of BLEU, at most */
#define JUDGE_OPENAI_BYTES   400000    /* of a text that are read */
#define JUDGE_OPENAI_TYPES   16000     /* words whose vectors are added, so */
#define JUDGE_OPENAI_REPEAT  4         /* often at most: 32 bits hold it */

/* The parameters of METEOR (Lavie and Agarwal 2007), as NLTK has them. */
#define JUDGE_OPENAI_ALPHA   0.9
#define JUDGE_OPENAI_BETA    3
#define JUDGE_OPENAI_GAMMA   0.5

/* How a text is taken apart. */
typedef enum {
    JUDGE_OPENAI_OF_CHARS,
    JUDGE_OPENAI_OF_WORDS,             /* letters and digits, small */
    JUDGE_OPENAI_OF_TOKENS,            /* 13a of SacreBLEU: marks, too */
    JUDGE_OPENAI_OF_SMALL              /* the same in small letters */
} judge_openai_of_e;


const char *const  judge_openai_metrics[] = {
    "cosine", "fuzzy_match", "bleu", "gleu", "meteor", "rouge_1", "rouge_2",
    "rouge_3", "rouge_4", "rouge_5", "rouge_l", NULL
};


const char *
judge_openai_metric_note(judge_openai_metric_e metric)
{
    switch (metric) {

    case JUDGE_OPENAI_COSINE:
        return "cosine: of the word vectors of this service, which are of"
               " English words, and not of text-embedding-3-large";

    case JUDGE_OPENAI_METEOR:
        return "meteor: of words that are the same in small letters, without"
               " stems and synonyms";

    default:
        return NULL;
    }
}


/* --- Taking apart -------------------------------------------------------- */

static bool
judge_openai_like_blank(uint32_t c)
{
    return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85
           || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a)
           || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f
           || c == 0x3000;
}


/* Whether 13a makes a token of it: of dots and commas but between digits, of a
 * hyphen behind a digit, of other marks of ASCII but the apostrophe. */

static bool
judge_openai_like_mark(uint32_t c, uint32_t before, uint32_t after)
{
    bool  digit = before < 0x80 && judge_ascii_digit((char) before);

    if (c == '.' || c == ',') {
        return !digit || after >= 0x80 || !judge_ascii_digit((char) after);
    }

    return c == '-' ? digit
                    : c > ' ' && c < 0x7f && c != '\''
                      && !judge_ascii_digit((char) c)
                      && !judge_ascii_letter((char) c);
}


static bool
judge_openai_like_letter(uint32_t c)
{
    return c < 0x80 ? judge_ascii_digit((char) c)
                      || judge_ascii_letter((char) c)
                    : judge_char_is_letter(c);
}


/* The entities that 13a reads, at most one character of them at p. */

static uint32_t
judge_openai_like_next(const char **p, const char *end)
{
    size_t  i;

    static const struct {
        judge_str_t  name;
        uint32_t     c;
    } entities[] = {
        { judge_str("&quot;"), '"' }, { judge_str("&amp;"), '&' },
        { judge_str("&lt;"), '<' }, { judge_str("&gt;"), '>' }
    };

    for (i = 0; **p == '&' && i < sizeof(entities) / sizeof(entities[0]); i++)
    {
        if (judge_str_starts((judge_str_t) { (size_t) (end - *p), *p },
                             entities[i].name))
        {
            *p += entities[i].name.len;
            return entities[i].c;
        }
    }

    return judge_utf8_next(p, end);
}


static void
judge_openai_like_end(judge_like_seq_t *out, uint64_t *hash, bool *open)
{
    if (*open && out->n < JUDGE_LIKE_GRAMS) {
        out->of[out->n++] = judge_mix(*hash);
    }

    *open = false;
    *hash = JUDGE_FNV_START;
}


static void
judge_openai_like_read(judge_str_t s, judge_openai_of_e of,
    judge_like_seq_t *out)
{
    bool         open = false, alone, tokens = of >= JUDGE_OPENAI_OF_TOKENS;
    uint32_t     c, before, after, small;
    uint64_t     hash = JUDGE_FNV_START;
    const char  *p = s.data, *end = s.data + s.len, *peek;

    for (before = ' '; p < end; before = c) {
        c = tokens ? judge_openai_like_next(&p, end)
                   : judge_utf8_next(&p, end);
        peek = p;
        after = p < end ? judge_utf8_next(&peek, end) : ' ';

        if (tokens && c == '-' && after == '\n') {
            p = peek;                  /* a word that goes on in a new line */
            c = before;
            continue;
        }

        alone = tokens && judge_openai_like_mark(c, before, after);

        if (alone || (tokens ? judge_openai_like_blank(c)
                             : !judge_openai_like_letter(c)))
        {
            judge_openai_like_end(out, &hash, &open);
        }

        if (alone || (tokens ? !judge_openai_like_blank(c)
                             : judge_openai_like_letter(c)))
        {
            small = of == JUDGE_OPENAI_OF_TOKENS ? 0 : judge_char_lower(c);
            small = small ? small : c;

            if (of != JUDGE_OPENAI_OF_TOKENS && c < 0x80) {
                small = (uint32_t) judge_ascii_lower((char) c);
            }

            hash = judge_fnv(hash, &small, sizeof(small));
            open = true;
        }

        if (alone) {
            judge_openai_like_end(out, &hash, &open);
        }
    }

    judge_openai_like_end(out, &hash, &open);
}


static judge_rc_e
judge_openai_like_sequence(judge_arena_t *arena, judge_str_t s,
    judge_openai_of_e of, judge_like_seq_t *out)
{
    size_t       most;
    const char  *p, *end;

    s = judge_utf8_prefix(s, JUDGE_OPENAI_BYTES);
    most = of == JUDGE_OPENAI_OF_CHARS ? JUDGE_LIKE_TABLE : JUDGE_LIKE_GRAMS;
    most = s.len < most ? s.len : most;

    out->n = 0;
    out->of = judge_array_alloc(arena, most + 1, sizeof(uint64_t));
    if (out->of == NULL) {
        return JUDGE_NOMEM;
    }

    if (of != JUDGE_OPENAI_OF_CHARS) {
        judge_openai_like_read(s, of, out);
        return JUDGE_OK;
    }

    for (p = s.data, end = s.data + s.len; p < end && out->n < most; ) {
        out->of[out->n++] = judge_utf8_next(&p, end);
    }

    return JUDGE_OK;
}


/* --- Measures ------------------------------------------------------------ */

/* 2 * the longest common subsequence / the length of both. */

static judge_rc_e
judge_openai_like_longest(judge_arena_t *arena, judge_like_seq_t *a,
    judge_like_seq_t *b, double *out)
{
    size_t      n;
    judge_rc_e  rc;

    a->n = a->n < JUDGE_LIKE_TABLE ? a->n : JUDGE_LIKE_TABLE;
    b->n = b->n < JUDGE_LIKE_TABLE ? b->n : JUDGE_LIKE_TABLE;

    rc = judge_like_table(arena, a, b, false, &n);
    *out = judge_share(2 * (double) n, (double) (a->n + b->n));

    return rc;
}


/* The smoothing is "exp": the k-th n that nothing is shared of counts as
 * 1 / 2^k shared ones.  An n of which the text has none ends it. */

static judge_rc_e
judge_openai_like_bleu(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, double *out)
{
    size_t               n, orders;
    double               logs, smooth;
    judge_rc_e           rc;
    judge_like_counts_t  k;

    *out = 0;

    for (n = 1, orders = 0, logs = 0, smooth = 1; n <= JUDGE_OPENAI_WORDS;
         n++)
    {
        rc = judge_like_grams(arena, a, b, n, &k);
        if (rc != JUDGE_OK) {
            return rc;
        }

        if (k.text == 0) {
            break;
        }

        if (n == 1 && k.both == 0) {
            return JUDGE_OK;           /* then no n is shared at all */
        }

        smooth = k.both == 0 ? smooth * 2 : smooth;
        logs += log((k.both == 0 ? 1 / smooth : k.both) / k.text);
        orders++;
    }

    if (orders) {
        *out = exp(logs / (double) orders
                   + fmin(0, 1 - (double) b->n / (double) a->n));
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_openai_like_gleu(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, double *out)
{
    size_t               n;
    judge_rc_e           rc;
    judge_like_counts_t  k, all = { 0, 0, 0 };

    for (n = 1; n <= JUDGE_OPENAI_WORDS; n++) {
        rc = judge_like_grams(arena, a, b, n, &k);
        if (rc != JUDGE_OK) {
            return rc;
        }

        all.text += k.text;
        all.reference += k.reference;
        all.both += k.both;
    }

    *out = judge_share(all.both, fmax(all.text, all.reference));

    return JUDGE_OK;
}


/* Each word of the text, from its end, gets the last such word of the
 * reference that is free; chunks are runs of pairs in the same order. */

static judge_rc_e
judge_openai_like_meteor(judge_arena_t *arena, judge_like_seq_t *a,
    judge_like_seq_t *b, double *out)
{
    size_t     i, k, pairs, chunks;
    double     precision, recall, mean;
    uint32_t  *of;                     /* of a word: its partner + 1 */
    bool      *taken;

    a->n = a->n < JUDGE_LIKE_TABLE ? a->n : JUDGE_LIKE_TABLE;
    b->n = b->n < JUDGE_LIKE_TABLE ? b->n : JUDGE_LIKE_TABLE;
    *out = 0;

    of = judge_array_alloc(arena, a->n + 1, sizeof(uint32_t));
    taken = judge_array_alloc(arena, b->n + 1, sizeof(bool));
    if (of == NULL || taken == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = a->n; i > 0; i--) {
        for (k = b->n; k > 0; k--) {
            if (!taken[k - 1] && a->of[i - 1] == b->of[k - 1]) {
                taken[k - 1] = true;
                of[i - 1] = (uint32_t) k;
                break;
            }
        }
    }

    for (i = 0, pairs = 0, chunks = 0; i < a->n; i++) {
        if (of[i]) {
            pairs++;
            chunks += i == 0 || of[i - 1] == 0 || of[i] != of[i - 1] + 1;
        }
    }

    if (pairs) {
        precision = (double) pairs / (double) a->n;
        recall = (double) pairs / (double) b->n;
        mean = precision * recall / (JUDGE_OPENAI_ALPHA * precision
                                     + (1 - JUDGE_OPENAI_ALPHA) * recall);
        *out = mean * (1 - JUDGE_OPENAI_GAMMA
                           * pow((double) chunks / (double) pairs,
                                 JUDGE_OPENAI_BETA));
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_openai_like_meaning(judge_arena_t *arena, judge_str_t s,
    judge_meaning_t *meaning)
{
    size_t         i;
    judge_text_t   t;
    const int8_t  *vector;

    memset(meaning, 0, sizeof(judge_meaning_t));

    if (judge_text_parse(&t, arena, judge_utf8_prefix(s, JUDGE_OPENAI_BYTES))
        != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t.ntypes && i < JUDGE_OPENAI_TYPES; i++) {
        vector = judge_vector(t.types[i].hash);

        if (vector) {
            judge_meaning_add(meaning, vector,
                              judge_vector_weights[t.types[i].rarity]
                              * (t.types[i].count < JUDGE_OPENAI_REPEAT
                                 ? t.types[i].count : JUDGE_OPENAI_REPEAT));
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_openai_like_cosine(judge_arena_t *arena, judge_str_t text,
    judge_str_t reference, double *out)
{
    judge_meaning_t  a, b;

    if (judge_openai_like_meaning(arena, text, &a) != JUDGE_OK
        || judge_openai_like_meaning(arena, reference, &b) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    *out = fmax(0, judge_meaning_cosine(&a, &b));

    return JUDGE_OK;
}


judge_rc_e
judge_openai_similarity(judge_arena_t *arena, judge_openai_metric_e metric,
    judge_str_t text, judge_str_t reference, double *out)
{
    judge_rc_e           rc;
    judge_openai_of_e    of;
    judge_like_seq_t     a, b;
    judge_like_counts_t  k;

    *out = 0;

    if (metric == JUDGE_OPENAI_COSINE) {
        return judge_openai_like_cosine(arena, text, reference, out);
    }

    of = metric == JUDGE_OPENAI_FUZZY_MATCH ? JUDGE_OPENAI_OF_CHARS
         : metric == JUDGE_OPENAI_METEOR ? JUDGE_OPENAI_OF_SMALL
         : metric < JUDGE_OPENAI_METEOR ? JUDGE_OPENAI_OF_TOKENS
                                        : JUDGE_OPENAI_OF_WORDS;

    if (judge_openai_like_sequence(arena, text, of, &a) != JUDGE_OK
        || judge_openai_like_sequence(arena, reference, of, &b) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    switch (metric) {

    case JUDGE_OPENAI_FUZZY_MATCH:
        rc = judge_openai_like_longest(arena, &a, &b, out);
        *out = a.n + b.n ? *out : 1;   /* nothing is as nothing is */
        return rc;

    case JUDGE_OPENAI_ROUGE_L:
        return judge_openai_like_longest(arena, &a, &b, out);

    case JUDGE_OPENAI_BLEU:
        return judge_openai_like_bleu(arena, &a, &b, out);

    case JUDGE_OPENAI_GLEU:
        return judge_openai_like_gleu(arena, &a, &b, out);

    case JUDGE_OPENAI_METEOR:
        return judge_openai_like_meteor(arena, &a, &b, out);

    default:
        rc = judge_like_grams(arena, &a, &b,
                              metric - JUDGE_OPENAI_ROUGE_1 + 1, &k);
        *out = judge_share(2 * k.both, k.text + k.reference);
        return rc;
    }
}
