/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/checks/similar.h"
#include "analysis/text/char.h"
#include "analysis/text/math.h"
#include "analysis/text/text.h"
#include "analysis/text/vectors.h"


#define JUDGE_LIKE_TABLE   4000        /* words or characters compared where
                                          time is quadratic */
#define JUDGE_LIKE_GRAMS   50000       /* and where it is not quadratic */
#define JUDGE_LIKE_READ    4           /* steps for a byte that is read */
#define JUDGE_LIKE_SORT    200         /* steps for a word or a character, of
                                          all n-grams */
#define JUDGE_LIKE_TYPES   16000       /* words whose vectors are added, so */
#define JUDGE_LIKE_REPEAT  4           /* often at most: 32 bits hold it */

/* The parameters of METEOR (Lavie and Agarwal 2007), as NLTK has them. */
#define JUDGE_LIKE_ALPHA   0.9
#define JUDGE_LIKE_BETA    3
#define JUDGE_LIKE_GAMMA   0.5

/* How a text is taken apart. */
typedef enum {
    JUDGE_LIKE_CHARS,
    JUDGE_LIKE_CLOSE,                  /* characters, without blanks */
    JUDGE_LIKE_WORDS,                  /* as features are measured of them */
    JUDGE_LIKE_TOKENS,                 /* 13a of SacreBLEU: marks, too */
    JUDGE_LIKE_SMALL,                  /* the same in small letters */
    JUDGE_LIKE_RUNS                    /* of letters and digits, small;
                                          ideographs one by one */
} judge_like_taken_e;

typedef enum {
    JUDGE_LIKE_BETWEEN,                /* words */
    JUDGE_LIKE_WITHIN,                 /* a word */
    JUDGE_LIKE_ALONE                   /* a word by itself */
} judge_like_place_e;

/* A sequence of words or of characters, as hashes. */
typedef struct {
    uint64_t     *hash;
    size_t        n;
    judge_text_t  text;                /* of _WORDS */
} judge_like_seq_t;

/* What is compared. */
typedef struct {
    judge_arena_t       *arena;
    judge_like_taken_e   taken;
    size_t               n;            /* words of an n-gram, at most */
    judge_like_seq_t     a;            /* the text */
    judge_like_seq_t     b;            /* the reference */
} judge_like_pair_t;

/* How many n-grams each of the two has, and how many they share. */
typedef struct {
    double  text;
    double  reference;
    double  both;
} judge_like_counts_t;

typedef struct {
    judge_like_taken_e   taken;
    size_t               n;            /* 0: time is quadratic */
    judge_rc_e         (*measure)(const judge_like_pair_t *p, double *out);
} judge_like_measure_t;


/* --- Taking apart -------------------------------------------------------- */

static judge_rc_e
judge_like_words(judge_arena_t *arena, judge_str_t s, judge_like_seq_t *out)
{
    size_t         i;
    judge_text_t  *t = &out->text;

    if (judge_text_parse(t, arena, s) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    out->n = 0;
    out->hash = judge_array_alloc(arena, t->ntokens + 1, sizeof(uint64_t));
    if (out->hash == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t->ntokens && out->n < JUDGE_LIKE_GRAMS; i++) {
        if (t->tokens[i].type != JUDGE_NO_TYPE) {
            out->hash[out->n++] = t->types[t->tokens[i].type].hash;
        }
    }

    return JUDGE_OK;
}


static bool
judge_like_blank(uint32_t c)
{
    return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85
           || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a)
           || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f
           || c == 0x3000;
}


/* Whether 13a makes a token of it: of dots and commas but between digits, of a
 * hyphen after a digit, of other marks of ASCII but the apostrophe. */

static bool
judge_like_mark(uint32_t c, uint32_t before, uint32_t after)
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


static judge_like_place_e
judge_like_place(judge_like_taken_e taken, uint32_t before, uint32_t c,
    uint32_t after)
{
    if (taken == JUDGE_LIKE_CHARS) {
        return JUDGE_LIKE_ALONE;
    }

    if (taken == JUDGE_LIKE_CLOSE) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t'
               ? JUDGE_LIKE_BETWEEN : JUDGE_LIKE_ALONE;
    }

    if (taken == JUDGE_LIKE_RUNS) {
        return judge_char_is_ideograph(c) ? JUDGE_LIKE_ALONE
               : c < 0x80 ? judge_ascii_digit((char) c)
                            || judge_ascii_letter((char) c)
                          : judge_char_is_letter(c);
    }

    return judge_like_mark(c, before, after) ? JUDGE_LIKE_ALONE
           : judge_like_blank(c) ? JUDGE_LIKE_BETWEEN
                                     : JUDGE_LIKE_WITHIN;
}


/* The entities that 13a reads, at most one character of them at p. */

static uint32_t
judge_like_next(const char **p, const char *end)
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
judge_like_sequence(judge_arena_t *arena, judge_str_t s,
    judge_like_taken_e taken, judge_like_seq_t *out)
{
    bool                     tokens;
    size_t                   most;
    uint32_t                 c, before, after;
    uint64_t                 hash = JUDGE_FNV_START;
    const char              *p, *end, *peek;
    judge_like_place_e   place;

    if (taken == JUDGE_LIKE_WORDS) {
        return judge_like_words(arena, s, out);
    }

    if (taken >= JUDGE_LIKE_SMALL) {
        s = judge_char_lowered(arena, s);
    }

    tokens = taken == JUDGE_LIKE_TOKENS || taken == JUDGE_LIKE_SMALL;
    most = taken == JUDGE_LIKE_CHARS ? JUDGE_LIKE_TABLE : JUDGE_LIKE_GRAMS;
    most = s.len < most ? s.len : most;

    out->n = 0;
    out->hash = judge_array_alloc(arena, most + 1, sizeof(uint64_t));
    if (out->hash == NULL || s.data == NULL) {
        return JUDGE_NOMEM;
    }

    p = s.data;
    end = s.data + s.len;

    for (before = ' '; p < end && out->n < most; before = c) {
        c = tokens ? judge_like_next(&p, end)
                   : judge_utf8_next(&p, end);
        peek = p;
        after = p < end ? judge_utf8_next(&peek, end) : ' ';

        if (tokens && c == '-' && after == '\n') {
            p = peek;                  /* a word that goes on in a new line */
            c = before;
            continue;
        }

        place = judge_like_place(taken, before, c, after);

        if (place != JUDGE_LIKE_WITHIN && hash != JUDGE_FNV_START) {
            out->hash[out->n++] = judge_mix(hash);
            hash = JUDGE_FNV_START;
        }

        if (place == JUDGE_LIKE_WITHIN) {
            hash = judge_fnv(hash, &c, sizeof(c));

        } else if (place == JUDGE_LIKE_ALONE && out->n < most) {
            out->hash[out->n++] = judge_mix(judge_fnv(hash, &c, sizeof(c)));
        }
    }

    if (hash != JUDGE_FNV_START && out->n < most) {
        out->hash[out->n++] = judge_mix(hash);
    }

    return JUDGE_OK;
}


/* --- Measures ------------------------------------------------------------ */

static inline size_t
judge_like_most(size_t n)
{
    return n < JUDGE_LIKE_TABLE ? n : JUDGE_LIKE_TABLE;
}


/* Computes the edit distance, or the length of the longest common subsequence,
 * of the first JUDGE_LIKE_TABLE of each. */

static judge_rc_e
judge_like_table(const judge_like_pair_t *p, bool edits, size_t *out)
{
    bool       same;
    size_t     i, k, na, nb;
    uint16_t  *row, left, above, here, best;

    na = judge_like_most(p->a.n);
    nb = judge_like_most(p->b.n);
    row = judge_array_alloc(p->arena, nb + 1, sizeof(uint16_t));
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
            same = p->a.hash[i - 1] == p->b.hash[k - 1];

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


static judge_rc_e
judge_like_edits(const judge_like_pair_t *p, double *out)
{
    size_t      n;
    judge_rc_e  rc;

    rc = judge_like_table(p, true, &n);
    *out = rc ? 0 : 1 - judge_share((double) n, fmax((double) p->a.n,
                                                     (double) p->b.n));

    return rc;
}


static judge_rc_e
judge_like_longest(const judge_like_pair_t *p, double *out)
{
    size_t      n;
    judge_rc_e  rc;

    rc = judge_like_table(p, false, &n);
    *out = rc ? 0 : judge_share(2 * (double) n,
                                (double) (judge_like_most(p->a.n)
                                          + judge_like_most(p->b.n)));

    return rc;
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


static judge_rc_e
judge_like_grams(const judge_like_pair_t *p, size_t n,
    judge_like_counts_t *out)
{
    size_t            i, k;
    judge_like_seq_t  x, y;

    memset(out, 0, sizeof(judge_like_counts_t));

    if (judge_like_sorted(p->arena, &p->a, n, &x) != JUDGE_OK
        || judge_like_sorted(p->arena, &p->b, n, &y) != JUDGE_OK)
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


/* Computes F1 of the n-grams. */

static judge_rc_e
judge_like_rouge(const judge_like_pair_t *p, double *out)
{
    judge_rc_e           rc;
    judge_like_counts_t  k;

    rc = judge_like_grams(p, p->n, &k);
    *out = judge_share(2 * k.both, k.text + k.reference);

    return rc;
}


/* Computes the lesser of precision and recall of all n-grams. */

static judge_rc_e
judge_like_gleu(const judge_like_pair_t *p, double *out)
{
    size_t               n;
    judge_rc_e           rc = JUDGE_OK;
    judge_like_counts_t  k, all = { 0, 0, 0 };

    for (n = p->n; n > 0 && rc == JUDGE_OK; n--) {
        rc = judge_like_grams(p, n, &k);
        all.text += k.text;
        all.reference += k.reference;
        all.both += k.both;
    }

    *out = judge_share(all.both, fmax(all.text, all.reference));

    return rc;
}


/* The smoothing of graders is "exp": the k-th n that nothing is shared of
 * counts as 1 / 2^k shared ones; an n of which the text has none ends it. */

static judge_rc_e
judge_like_bleu(const judge_like_pair_t *p, double *out)
{
    size_t               i;
    double               logs = 0, smooth = 1;
    judge_rc_e           rc;
    judge_like_counts_t  k;

    for (i = 1; i <= p->n; i++) {
        rc = judge_like_grams(p, i, &k);
        if (rc != JUDGE_OK) {
            return rc;
        }

        if (i > 1 && p->taken == JUDGE_LIKE_WORDS) {
            k.text++;
            k.both++;

        } else if (i > 1 && k.both == 0) {
            smooth *= 2;
            k.both = 1 / smooth;
        }

        if (k.text == 0 || k.both == 0) {
            break;                     /* of one word none: of more neither */
        }

        logs += log(k.both / k.text);
    }

    *out = i == 1 ? 0
           : exp(logs / (double) (i - 1)
                 + fmin(0, 1 - (double) p->b.n / (double) p->a.n));

    return JUDGE_OK;
}


static judge_rc_e
judge_like_chrf(const judge_like_pair_t *p, double *out)
{
    size_t               n, lengths = 0;
    double               precision = 0, recall = 0;
    judge_rc_e           rc;
    judge_like_counts_t  k;

    for (n = 1; n <= p->n; n++) {
        rc = judge_like_grams(p, n, &k);
        if (rc != JUDGE_OK) {
            return rc;
        }

        precision += judge_share(k.both, k.text);
        recall += judge_share(k.both, k.reference);
        lengths += k.text > 0 || k.reference > 0;
    }

    precision = judge_share(precision, (double) lengths);
    recall = judge_share(recall, (double) lengths);
    *out = judge_share(5 * precision * recall, 4 * precision + recall);

    return JUDGE_OK;
}


/* Each word of the text, from its end, gets the last such word of the
 * reference that is free; chunks are runs of pairs in the same order. */

static judge_rc_e
judge_like_meteor(const judge_like_pair_t *p, double *out)
{
    size_t     i, k, na, nb, pairs, chunks;
    double     precision, recall, mean;
    uint32_t  *of;                     /* of a word: its partner + 1 */
    bool      *taken;

    na = judge_like_most(p->a.n);
    nb = judge_like_most(p->b.n);
    *out = 0;

    of = judge_array_alloc(p->arena, na + 1, sizeof(uint32_t));
    taken = judge_array_alloc(p->arena, nb + 1, sizeof(bool));
    if (of == NULL || taken == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = na; i > 0; i--) {
        for (k = nb; k > 0; k--) {
            if (!taken[k - 1] && p->a.hash[i - 1] == p->b.hash[k - 1]) {
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
        mean = precision * recall / (JUDGE_LIKE_ALPHA * precision
                                     + (1 - JUDGE_LIKE_ALPHA) * recall);
        *out = mean * (1 - JUDGE_LIKE_GAMMA
                           * pow((double) chunks / (double) pairs,
                                 JUDGE_LIKE_BETA));
    }

    return JUDGE_OK;
}


static void
judge_like_meaning(const judge_text_t *t, judge_meaning_t *meaning)
{
    size_t         i;
    const int8_t  *vector;

    memset(meaning, 0, sizeof(judge_meaning_t));

    for (i = 0; i < t->ntypes && i < JUDGE_LIKE_TYPES; i++) {
        vector = judge_vector(t->types[i].hash);

        if (vector) {
            judge_meaning_add(meaning, vector,
                              judge_vector_weights[t->types[i].rarity]
                              * (t->types[i].count < JUDGE_LIKE_REPEAT
                                 ? t->types[i].count : JUDGE_LIKE_REPEAT));
        }
    }
}


static judge_rc_e
judge_like_cosine(const judge_like_pair_t *p, double *out)
{
    judge_meaning_t  a, b;

    judge_like_meaning(&p->a.text, &a);
    judge_like_meaning(&p->b.text, &b);
    *out = fmax(0, judge_meaning_cosine(&a, &b));

    return (p->a.n && a.words == 0) || (p->b.n && b.words == 0)
           ? JUDGE_NOT_FOUND : JUDGE_OK;
}


const char *const  judge_like_graders[] = {
    "cosine", "fuzzy_match", "bleu", "gleu", "meteor", "rouge_1", "rouge_2",
    "rouge_3", "rouge_4", "rouge_5", "rouge_l", NULL
};

static const judge_like_measure_t  judge_like_measures[] = {
    { JUDGE_LIKE_CHARS, 0, judge_like_edits },
    { JUDGE_LIKE_WORDS, 1, judge_like_rouge },
    { JUDGE_LIKE_WORDS, 0, judge_like_longest },
    { JUDGE_LIKE_WORDS, 4, judge_like_bleu },
    { JUDGE_LIKE_WORDS, 4, judge_like_gleu },
    { JUDGE_LIKE_CLOSE, 6, judge_like_chrf },

    { JUDGE_LIKE_WORDS, 1, judge_like_cosine },
    { JUDGE_LIKE_CHARS, 0, judge_like_longest },
    { JUDGE_LIKE_TOKENS, 4, judge_like_bleu },
    { JUDGE_LIKE_TOKENS, 4, judge_like_gleu },
    { JUDGE_LIKE_SMALL, 0, judge_like_meteor },
    { JUDGE_LIKE_RUNS, 1, judge_like_rouge },
    { JUDGE_LIKE_RUNS, 2, judge_like_rouge },
    { JUDGE_LIKE_RUNS, 3, judge_like_rouge },
    { JUDGE_LIKE_RUNS, 4, judge_like_rouge },
    { JUDGE_LIKE_RUNS, 5, judge_like_rouge },
    { JUDGE_LIKE_RUNS, 0, judge_like_longest }
};


/* Two texts without characters are the same one. */

judge_rc_e
judge_like(judge_arena_t *arena, judge_allowance_t *allowance, size_t measure,
    size_t n, judge_str_t text, judge_str_t reference, double *out)
{
    judge_rc_e                   rc;
    judge_like_pair_t            p;
    const judge_like_measure_t  *m = &judge_like_measures[measure];

    text = judge_utf8_prefix(text, 8 * JUDGE_LIKE_GRAMS);
    reference = judge_utf8_prefix(reference, 8 * JUDGE_LIKE_GRAMS);

    if (!judge_allowance_take(allowance, JUDGE_LIKE_READ
                                         * (text.len + reference.len)))
    {
        return JUDGE_BUSY;
    }

    p.arena = arena;
    p.taken = m->taken;
    p.n = n ? n : m->n;
    rc = judge_like_sequence(arena, text, m->taken, &p.a);
    rc = rc ? rc : judge_like_sequence(arena, reference, m->taken, &p.b);
    if (rc != JUDGE_OK) {
        return rc;
    }

    n = m->n ? JUDGE_LIKE_SORT * (p.a.n + p.b.n)
             : judge_like_most(p.a.n) * judge_like_most(p.b.n);
    if (!judge_allowance_take(allowance, n)) {
        return JUDGE_BUSY;
    }

    rc = m->measure(&p, out);
    *out = m->taken == JUDGE_LIKE_CHARS && p.a.n + p.b.n == 0 ? 1 : *out;

    return rc;
}
