/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Similarities of a text to a reference by the names that OpenAI's graders
 * have for them, from 0 to 1; each is what a public implementation computes:
 *
 *   fuzzy_match    RapidFuzz, fuzz.ratio: 2 * the longest common subsequence
 *                  of characters / the length of both
 *   bleu           SacreBLEU, sentence_bleu with its defaults
 *   gleu           NLTK, sentence_gleu of the words of SacreBLEU
 *   rouge_1 to _5  rouge-score without stems: F1 of n-grams of words
 *   rouge_l        the same of their longest common subsequence
 *   meteor         NLTK, meteor_score with words that are the same in small
 *                  letters, without stems and synonyms
 *   cosine         of sums of the vectors of English words (vectors.h)
 *
 * Letters beyond ASCII count as letters in ROUGE, which rouge-score drops.
 */


#include <math.h>
#include <string.h>

#include "base/core/allowance.h"
#include "base/core/hash.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/checks/similar.h"
#include "analysis/text/char.h"
#include "analysis/text/math.h"
#include "analysis/text/vectors.h"
#include "extensions/openai/openai_grader.h"


#define JUDGE_LIKENESS_BYTES   400000  /* of a text that are read */
#define JUDGE_LIKENESS_BYTE    50      /* steps for one, where time is not
                                          quadratic */
#define JUDGE_LIKENESS_TYPES   16000   /* words whose vectors are added, so */
#define JUDGE_LIKENESS_REPEAT  4       /* often at most: 32 bits hold it */

/* The parameters of METEOR (Lavie and Agarwal 2007), as NLTK has them. */
#define JUDGE_LIKENESS_ALPHA   0.9
#define JUDGE_LIKENESS_BETA    3
#define JUDGE_LIKENESS_GAMMA   0.5

/* How a text is taken apart. */
typedef enum {
    JUDGE_LIKENESS_CHARS,
    JUDGE_LIKENESS_TOKENS,             /* 13a of SacreBLEU: marks, too */
    JUDGE_LIKENESS_SMALL,              /* the same in small letters */
    JUDGE_LIKENESS_WORDS               /* letters and digits, small */
} judge_likeness_taken_e;

typedef enum {
    JUDGE_LIKENESS_BETWEEN,            /* words */
    JUDGE_LIKENESS_WITHIN,             /* a word */
    JUDGE_LIKENESS_ALONE               /* a word by itself */
} judge_likeness_place_e;

typedef struct {
    judge_likeness_taken_e    taken;
    size_t                    n;       /* words of an n-gram; 0: time is
                                          quadratic */
    judge_rc_e              (*measure)(judge_arena_t *arena,
                                       const judge_like_seq_t *a,
                                       const judge_like_seq_t *b, size_t n,
                                       double *out);    /* NULL: cosine */
} judge_likeness_t;


judge_str_t
judge_openai_small(judge_arena_t *arena, judge_str_t s)
{
    char          bytes[4];
    uint32_t      c, small;
    judge_buf_t   buf;
    const char   *p = s.data, *end = s.data + s.len;

    judge_buf_init(&buf, arena);

    while (p < end) {
        c = judge_utf8_next(&p, end);
        small = c < 0x80 ? (uint32_t) judge_ascii_lower((char) c)
                         : judge_char_lower(c);
        judge_buf_append(&buf, bytes, judge_utf8_put(bytes,
                                                     small ? small : c));
    }

    return judge_buf_view(&buf);
}


/* --- Taking apart -------------------------------------------------------- */

static bool
judge_likeness_blank(uint32_t c)
{
    return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85
           || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a)
           || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f
           || c == 0x3000;
}


/* Whether 13a makes a token of it: of dots and commas but between digits, of a
 * hyphen after a digit, of other marks of ASCII but the apostrophe. */

static bool
judge_likeness_mark(uint32_t c, uint32_t before, uint32_t after)
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


static judge_likeness_place_e
judge_likeness_place(judge_likeness_taken_e taken, uint32_t before, uint32_t c,
    uint32_t after)
{
    if (taken == JUDGE_LIKENESS_CHARS) {
        return JUDGE_LIKENESS_ALONE;
    }

    if (taken == JUDGE_LIKENESS_WORDS) {
        return c < 0x80 ? judge_ascii_digit((char) c)
                          || judge_ascii_letter((char) c)
                        : judge_char_is_letter(c);
    }

    return judge_likeness_mark(c, before, after) ? JUDGE_LIKENESS_ALONE
           : judge_likeness_blank(c) ? JUDGE_LIKENESS_BETWEEN
                                     : JUDGE_LIKENESS_WITHIN;
}


/* The entities that 13a reads, at most one character of them at p. */

static uint32_t
judge_likeness_next(const char **p, const char *end)
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


static judge_rc_e
judge_likeness_sequence(judge_arena_t *arena, judge_str_t s,
    judge_likeness_taken_e taken, judge_like_seq_t *out)
{
    bool                     tokens;
    size_t                   most;
    uint32_t                 c, before, after;
    uint64_t                 hash = JUDGE_FNV_START;
    const char              *p, *end, *peek;
    judge_likeness_place_e   place;

    if (taken >= JUDGE_LIKENESS_SMALL) {
        s = judge_openai_small(arena, s);
    }

    tokens = taken == JUDGE_LIKENESS_TOKENS || taken == JUDGE_LIKENESS_SMALL;
    most = taken == JUDGE_LIKENESS_CHARS ? JUDGE_LIKE_TABLE : JUDGE_LIKE_GRAMS;
    most = s.len < most ? s.len : most;

    out->n = 0;
    out->hash = judge_array_alloc(arena, most + 1, sizeof(uint64_t));
    if (out->hash == NULL || s.data == NULL) {
        return JUDGE_NOMEM;
    }

    p = s.data;
    end = s.data + s.len;

    for (before = ' '; p < end && out->n < most; before = c) {
        c = tokens ? judge_likeness_next(&p, end)
                   : judge_utf8_next(&p, end);
        peek = p;
        after = p < end ? judge_utf8_next(&peek, end) : ' ';

        if (tokens && c == '-' && after == '\n') {
            p = peek;                  /* a word that goes on in a new line */
            c = before;
            continue;
        }

        place = judge_likeness_place(taken, before, c, after);

        if (place != JUDGE_LIKENESS_WITHIN && hash != JUDGE_FNV_START) {
            out->hash[out->n++] = judge_mix(hash);
            hash = JUDGE_FNV_START;
        }

        if (place == JUDGE_LIKENESS_WITHIN) {
            hash = judge_fnv(hash, &c, sizeof(c));

        } else if (place == JUDGE_LIKENESS_ALONE && out->n < most) {
            out->hash[out->n++] = judge_mix(judge_fnv(hash, &c, sizeof(c)));
        }
    }

    if (hash != JUDGE_FNV_START && out->n < most) {
        out->hash[out->n++] = judge_mix(hash);
    }

    return JUDGE_OK;
}


/* --- Measures ------------------------------------------------------------ */

static judge_rc_e
judge_likeness_fuzzy(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, size_t n, double *out)
{
    judge_rc_e  rc;

    rc = judge_like_longest(arena, a, b, n, out);
    *out = a->n + b->n ? *out : 1;     /* nothing is as nothing is */

    return rc;
}


/* The smoothing is "exp": the k-th n that nothing is shared of counts as
 * 1 / 2^k shared ones.  An n of which the text has none ends it. */

static judge_rc_e
judge_likeness_bleu(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, size_t n, double *out)
{
    size_t               i;
    double               logs = 0, smooth = 1;
    judge_rc_e           rc;
    judge_like_counts_t  k;

    for (i = 1; i <= n; i++) {
        rc = judge_like_grams(arena, a, b, i, &k);
        if (rc != JUDGE_OK) {
            return rc;
        }

        if (k.text == 0 || (i == 1 && k.both == 0)) {
            break;                     /* of one word none: of more neither */
        }

        smooth = k.both == 0 ? smooth * 2 : smooth;
        logs += log((k.both == 0 ? 1 / smooth : k.both) / k.text);
    }

    *out = i == 1 ? 0
           : exp(logs / (double) (i - 1)
                 + fmin(0, 1 - (double) b->n / (double) a->n));

    return JUDGE_OK;
}


/* Each word of the text, from its end, gets the last such word of the
 * reference that is free; chunks are runs of pairs in the same order. */

static judge_rc_e
judge_likeness_meteor(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, size_t n, double *out)
{
    size_t     i, k, na, nb, pairs, chunks;
    double     precision, recall, mean;
    uint32_t  *of;                     /* of a word: its partner + 1 */
    bool      *taken;

    na = judge_like_most(a->n);
    nb = judge_like_most(b->n);
    *out = 0;

    of = judge_array_alloc(arena, na + 1, sizeof(uint32_t));
    taken = judge_array_alloc(arena, nb + 1, sizeof(bool));
    if (of == NULL || taken == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = na; i > 0; i--) {
        for (k = nb; k > 0; k--) {
            if (!taken[k - 1] && a->hash[i - 1] == b->hash[k - 1]) {
                taken[k - 1] = true;
                of[i - 1] = (uint32_t) k;
                break;
            }
        }
    }

    for (i = 0, pairs = 0, chunks = 0; i < na; i++) {
        if (of[i]) {
            pairs++;
            chunks += i == 0 || of[i - 1] == 0 || of[i] != of[i - 1] + 1;
        }
    }

    if (pairs) {
        precision = (double) pairs / (double) na;
        recall = (double) pairs / (double) nb;
        mean = precision * recall / (JUDGE_LIKENESS_ALPHA * precision
                                     + (1 - JUDGE_LIKENESS_ALPHA) * recall);
        *out = mean * (1 - JUDGE_LIKENESS_GAMMA
                           * pow((double) chunks / (double) pairs,
                                 JUDGE_LIKENESS_BETA));
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_likeness_meaning(judge_arena_t *arena, judge_str_t s,
    judge_meaning_t *meaning)
{
    size_t         i;
    judge_text_t   t;
    const int8_t  *vector;

    memset(meaning, 0, sizeof(judge_meaning_t));

    if (judge_text_parse(&t, arena, s) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t.ntypes && i < JUDGE_LIKENESS_TYPES; i++) {
        vector = judge_vector(t.types[i].hash);

        if (vector) {
            judge_meaning_add(meaning, vector,
                              judge_vector_weights[t.types[i].rarity]
                              * (t.types[i].count < JUDGE_LIKENESS_REPEAT
                                 ? t.types[i].count : JUDGE_LIKENESS_REPEAT));
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_likeness_cosine(judge_arena_t *arena, judge_str_t text,
    judge_str_t reference, double *out)
{
    judge_rc_e       rc;
    judge_meaning_t  a, b;

    rc = judge_likeness_meaning(arena, text, &a);
    rc = rc ? rc : judge_likeness_meaning(arena, reference, &b);
    *out = rc == JUDGE_OK ? fmax(0, judge_meaning_cosine(&a, &b)) : 0;

    return rc;
}


const char *const  judge_openai_likenesses[] = {
    "cosine", "fuzzy_match", "bleu", "gleu", "meteor", "rouge_1", "rouge_2",
    "rouge_3", "rouge_4", "rouge_5", "rouge_l", NULL
};

static const judge_likeness_t  judge_likeness_measures[] = {
    { .measure = NULL },               /* cosine */
    { JUDGE_LIKENESS_CHARS, 0, judge_likeness_fuzzy },
    { JUDGE_LIKENESS_TOKENS, 4, judge_likeness_bleu },
    { JUDGE_LIKENESS_TOKENS, 4, judge_like_gleu },
    { JUDGE_LIKENESS_SMALL, 0, judge_likeness_meteor },
    { JUDGE_LIKENESS_WORDS, 1, judge_like_rouge },
    { JUDGE_LIKENESS_WORDS, 2, judge_like_rouge },
    { JUDGE_LIKENESS_WORDS, 3, judge_like_rouge },
    { JUDGE_LIKENESS_WORDS, 4, judge_like_rouge },
    { JUDGE_LIKENESS_WORDS, 5, judge_like_rouge },
    { JUDGE_LIKENESS_WORDS, 0, judge_like_longest }
};


judge_rc_e
judge_openai_likeness(judge_allowance_t *allowance, size_t metric,
    judge_str_t text, judge_str_t reference, double *out)
{
    judge_rc_e               rc = JUDGE_BUSY;
    judge_arena_t           *arena;
    judge_like_seq_t         a, b;
    const judge_likeness_t  *m = &judge_likeness_measures[metric];

    text = judge_utf8_prefix(text, JUDGE_LIKENESS_BYTES);
    reference = judge_utf8_prefix(reference, JUDGE_LIKENESS_BYTES);

    if (!judge_allowance_take(allowance, JUDGE_LIKENESS_BYTE
                                         * (text.len + reference.len)))
    {
        return JUDGE_BUSY;
    }

    arena = judge_arena_create(64 * 1024);
    if (arena == NULL) {
        return JUDGE_NOMEM;
    }

    if (m->measure == NULL) {
        rc = judge_likeness_cosine(arena, text, reference, out);

    } else if (judge_likeness_sequence(arena, text, m->taken, &a) != JUDGE_OK
               || judge_likeness_sequence(arena, reference, m->taken, &b)
                  != JUDGE_OK)
    {
        rc = JUDGE_NOMEM;

    } else if (m->n || judge_allowance_take(allowance, judge_like_most(a.n)
                                                       * judge_like_most(b.n)))
    {
        rc = m->measure(arena, &a, &b, m->n, out);
    }

    judge_arena_destroy(arena);

    return rc;
}
