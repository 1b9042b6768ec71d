/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The similarity of a text to a reference, from 0 to 1:
 *
 *   levenshtein  1 - distance / length of the longer one, in characters
 *   rouge_n      F1 of the n-grams of words (Lin 2004)
 *   rouge_l      F1 of the longest common subsequence of words (ibid.)
 *   bleu         n-grams of 1 to 4 words, with the penalty for brevity; from
 *                2 on with 1 added to both counts (Lin and Och 2004)
 *   gleu         the lesser of precision and recall of all n-grams of 1 to 4
 *                words (Wu et al. 2016)
 *   chrf         F2 of the n-grams of 1 to 6 characters without spaces, the
 *                mean of both shares over n (Popović 2015)
 *
 * Words are compared without regard to capitals, and without punctuation.
 */


#include <math.h>

#include "base/text/utf8.h"
#include "analysis/checks/check_type.h"
#include "analysis/checks/similar.h"
#include "analysis/text/math.h"


#define JUDGE_LIKE_WORDS  4            /* in an n-gram of BLEU, at most */
#define JUDGE_LIKE_CHARS  6            /* in an n-gram of chrF, at most */
#define JUDGE_LIKE_SORT   200          /* steps for a token, of all n-grams */


static judge_rc_e
judge_like_words(judge_arena_t *arena, judge_str_t s, judge_like_seq_t *out)
{
    size_t        i;
    judge_text_t  t;

    if (judge_text_parse(&t, arena, s) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    out->n = 0;
    out->hash = judge_array_alloc(arena, t.ntokens + 1, sizeof(uint64_t));
    if (out->hash == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t.ntokens && out->n < JUDGE_LIKE_GRAMS; i++) {
        if (t.tokens[i].type != JUDGE_NO_TYPE) {
            out->hash[out->n++] = t.types[t.tokens[i].type].hash;
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_like_sequence(judge_checked_t *c, judge_str_t s, int mode,
    judge_like_seq_t *out)
{
    size_t       most;
    uint32_t     ch;
    const char  *p, *end;

    s = judge_utf8_prefix(s, 8 * JUDGE_LIKE_GRAMS);

    if (!judge_allowance_take(c->allowance, JUDGE_CHECK_BYTE * s.len)) {
        return JUDGE_BUSY;
    }

    if (mode != JUDGE_LIKE_LEVENSHTEIN && mode != JUDGE_LIKE_CHRF) {
        return judge_like_words(c->scratch, s, out);
    }

    most = mode == JUDGE_LIKE_CHRF ? JUDGE_LIKE_GRAMS : JUDGE_LIKE_TABLE;
    out->n = 0;
    out->hash = judge_array_alloc(c->scratch, most, sizeof(uint64_t));
    if (out->hash == NULL) {
        return JUDGE_NOMEM;
    }

    p = s.data;
    end = s.data + s.len;

    while (p < end && out->n < most) {
        ch = judge_utf8_next(&p, end);

        if (mode == JUDGE_LIKE_LEVENSHTEIN
            || (ch != ' ' && ch != '\n' && ch != '\r' && ch != '\t'))
        {
            out->hash[out->n++] = ch;
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_like_bleu(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, double *like)
{
    size_t               n;
    double               logs, add;
    judge_rc_e           rc;
    judge_like_counts_t  k;

    *like = 0;

    for (n = 1, logs = 0; n <= JUDGE_LIKE_WORDS; n++) {
        rc = judge_like_grams(arena, a, b, n, &k);
        if (rc != JUDGE_OK) {
            return rc;
        }

        add = n > 1;
        if (k.both + add == 0) {
            return JUDGE_OK;
        }

        logs += log((k.both + add) / (k.text + add)) / JUDGE_LIKE_WORDS;
    }

    *like = exp(logs + fmin(0, 1 - judge_share((double) b->n,
                                               (double) a->n)));

    return JUDGE_OK;
}


static double
judge_like_f(double precision, double recall, double beta)
{
    return judge_share((1 + beta * beta) * precision * recall,
                       beta * beta * precision + recall);
}


static judge_rc_e
judge_like_chrf(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, double *like)
{
    size_t               n, lengths = 0;
    double               precision = 0, recall = 0;
    judge_rc_e           rc;
    judge_like_counts_t  k;

    for (n = 1; n <= JUDGE_LIKE_CHARS; n++) {
        rc = judge_like_grams(arena, a, b, n, &k);
        if (rc != JUDGE_OK) {
            return rc;
        }

        precision += judge_share(k.both, k.text);
        recall += judge_share(k.both, k.reference);
        lengths += k.text > 0 || k.reference > 0;
    }

    *like = judge_like_f(judge_share(precision, (double) lengths),
                         judge_share(recall, (double) lengths), 2);

    return JUDGE_OK;
}


static judge_rc_e
judge_like_measure(judge_checked_t *c, const judge_check_t *check,
    const judge_like_seq_t *a, const judge_like_seq_t *b, double *like)
{
    int             mode = check->type->mode;
    size_t          n;
    judge_rc_e      rc;
    judge_arena_t  *arena = c->scratch;

    n = mode == JUDGE_LIKE_LEVENSHTEIN || mode == JUDGE_LIKE_ROUGE_L
        ? judge_like_most(a->n) * judge_like_most(b->n)
        : JUDGE_LIKE_SORT * (a->n + b->n);

    if (!judge_allowance_take(c->allowance, n)) {
        return JUDGE_BUSY;
    }

    switch (mode) {

    case JUDGE_LIKE_LEVENSHTEIN:
        rc = judge_like_table(arena, a, b, true, &n);
        *like = 1 - judge_share((double) n, fmax((double) a->n,
                                                 (double) b->n));
        return rc;

    case JUDGE_LIKE_ROUGE_L:
        return judge_like_longest(arena, a, b, 0, like);

    case JUDGE_LIKE_ROUGE_N:
        return judge_like_rouge(arena, a, b, check->words, like);

    case JUDGE_LIKE_GLEU:
        return judge_like_gleu(arena, a, b, JUDGE_LIKE_WORDS, like);

    case JUDGE_LIKE_BLEU:
        return judge_like_bleu(arena, a, b, like);

    default:
        return judge_like_chrf(arena, a, b, like);
    }
}


/* The similarity to the most similar reference. */

static judge_rc_e
judge_like_best(judge_checked_t *c, const judge_check_t *check, double *best)
{
    double              like = 0;
    size_t              i, n;
    judge_rc_e          rc;
    judge_like_seq_t    a, b;
    const judge_str_t  *references;

    references = check->ntexts ? check->texts : c->references;
    n = check->ntexts ? check->ntexts : c->nreferences;
    *best = 0;
    rc = JUDGE_OK;

    for (i = 0; i < n && rc == JUDGE_OK; i++) {
        judge_arena_reset(c->scratch);
        rc = judge_like_sequence(c, judge_checked_within(c), check->type->mode,
                                 &a);
        if (rc == JUDGE_OK) {
            rc = judge_like_sequence(c,
                                     judge_str_trim(references[i], " \t\r\n"),
                                     check->type->mode, &b);
        }
        if (rc == JUDGE_OK) {
            rc = judge_like_measure(c, check, &a, &b, &like);
        }
        if (rc == JUDGE_OK && like > *best) {
            *best = like;
        }
    }

    return rc;
}


judge_rc_e
judge_check_likeness(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    double      best;
    judge_rc_e  rc;

    if (check->ntexts == 0 && c->nreferences == 0) {
        return judge_check_say(c, r, (double) NAN,
                               "There is no reference to compare it with.");
    }

    rc = judge_like_best(c, check, &best);
    if (rc != JUDGE_OK) {
        return rc;
    }

    /* The tolerance lets 0.6 meet a bound of 0.6 despite rounding errors. */
    return judge_check_say(c, r, judge_check_within(best + 1e-9,
                                                    check->number, false),
                           "%.2f like the reference by %s; at least %.2f asked"
                           " for.", best, check->type->one, check->number);
}
