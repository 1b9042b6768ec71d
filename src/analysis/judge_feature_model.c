/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How probable a statistical model of English finds each word behind the one
 * before it: bigrams, and for pairs that it lacks the word alone times a
 * constant (Brants, T. et al. 2007, "stupid backoff").
 */


#include "analysis/judge_feature.h"


#define JUDGE_BACKOFF        0.4       /* -log10 of 0.4 */
#define JUDGE_UNKNOWN        7.0       /* -log10, a word it does not know */
#define JUDGE_COMMON         112       /* rarity: 1 of 3,000 words */
#define JUDGE_SENTENCE_MIN   5         /* words */


typedef struct {
    judge_measure_t  *m;
    double            sum, alone;      /* -log10, with and without context */
    double            worst;           /* of the sentences, mean of a word */
    double            means, squares;  /* of the sentences */
    double            oddest;
    uint32_t          words, pairs, unseen, common, common_unseen, sentences;
    size_t            odd;             /* second token of the oddest pair */
    size_t            improbable;      /* the worst sentence */
} judge_model_t;


static void judge_model_sentence(judge_model_t *x, size_t index);
static double judge_model_word(judge_model_t *x, const judge_type_t *before,
    const judge_type_t *type, size_t i);


judge_rc_e
judge_measure_model(judge_measure_t *m)
{
    size_t               i;
    double               n, mean;
    judge_model_t        x = { .m = m };
    const judge_text_t  *t;

    t = m->text;

    for (i = 0; i < t->nsentences; i++) {
        judge_model_sentence(&x, i);
    }

    if (x.odd > 0) {
        judge_found(m, JUDGE_FOUND_ODD_PAIR, x.odd - 1, x.odd + 1);
    }

    if (x.sentences > 0) {
        judge_found(m, JUDGE_FOUND_IMPROBABLE,
                    t->sentences[x.improbable].first,
                    t->sentences[x.improbable].end);
    }

    n = x.words;
    mean = judge_share(x.means, x.sentences);
    x.squares = judge_share(x.squares, x.sentences) - mean * mean;

    m->v[JUDGE_F_MODEL] = (float) -judge_share(x.sum, n);
    m->v[JUDGE_F_MODEL_UNIGRAM] = (float) -judge_share(x.alone, n);
    m->v[JUDGE_F_MODEL_GAIN] = (float) judge_share(x.alone - x.sum, n);
    m->v[JUDGE_F_MODEL_UNSEEN] = (float) judge_share(x.unseen, x.pairs);
    m->v[JUDGE_F_MODEL_UNSEEN_COMMON] =
        (float) judge_share(x.common_unseen, x.common);
    m->v[JUDGE_F_MODEL_SENTENCE_LOW] =
        (float) (x.sentences > 0 ? -x.worst : -judge_share(x.sum, n));
    m->v[JUDGE_F_MODEL_SPREAD] =
        (float) sqrt(x.squares > 0 ? x.squares : 0);

    return JUDGE_OK;
}


static void
judge_model_sentence(judge_model_t *x, size_t index)
{
    size_t                   i;
    double                   sum, cost;
    uint32_t                 words;
    const judge_text_t      *t;
    const judge_type_t      *type, *before;
    const judge_sentence_t  *s;

    t = x->m->text;
    s = &t->sentences[index];
    before = NULL;
    sum = 0;
    words = 0;

    for (i = s->first; i < s->end; i++) {
        if (t->tokens[i].kind != JUDGE_TOKEN_WORD) {

            /* a comma is not in the model; what stands behind it is */
            before = t->tokens[i].mark == ',' ? before : NULL;
            continue;
        }

        type = &t->types[t->tokens[i].type];
        cost = judge_model_word(x, before, type, i);
        sum += cost;
        words++;
        before = type;
    }

    x->sum += sum;
    x->words += words;

    if (words < JUDGE_SENTENCE_MIN) {
        return;
    }

    sum /= words;
    x->sentences++;
    x->means += sum;
    x->squares += sum * sum;

    if (sum > x->worst) {
        x->worst = sum;
        x->improbable = index;
    }
}


static double
judge_model_word(judge_model_t *x, const judge_type_t *before,
    const judge_type_t *type, size_t i)
{
    bool      common, first;
    double    alone;
    unsigned  step;

    alone = type->rarity == JUDGE_RARITY_UNKNOWN ? JUDGE_UNKNOWN
                                                 : type->rarity / 32.0;
    x->alone += alone;
    first = (x->m->text->tokens[i].flags & JUDGE_T_START) != 0;

    if (type->rarity == JUDGE_RARITY_UNKNOWN
        || (!first && (before == NULL
                       || before->rarity == JUDGE_RARITY_UNKNOWN)))
    {
        return alone;
    }

    step = judge_word_pair(judge_hash_join(first ? JUDGE_SENTENCE_HASH
                                                 : before->hash,
                                           type->hash));

    common = !first && type->rarity < JUDGE_COMMON
             && before->rarity < JUDGE_COMMON;
    x->pairs++;
    x->common += common;

    if (step > 0) {
        return (step - 0.5) / 5;
    }

    x->unseen++;
    x->common_unseen += common;

    /* of common words that never meet, the most common are the oddest */

    if (common && x->m->text->tokens[i - 1].kind == JUDGE_TOKEN_WORD
        && 16 - before->rarity / 32.0 - alone > x->oddest)
    {
        x->oddest = 16 - before->rarity / 32.0 - alone;
        x->odd = i;
    }

    return alone + JUDGE_BACKOFF;
}
