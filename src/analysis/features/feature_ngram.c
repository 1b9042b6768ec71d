/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How probable a statistical model of English finds each word behind the two
 * before it: a trigram, else a bigram, else the word alone ("stupid backoff",
 * Brants et al. 2007, without its constant, so that a pair that is not in the
 * model counts neither for nor against the text).
 */


#include <string.h>

#include "analysis/features/feature.h"
#include "analysis/text/lexicon.h"


#define JUDGE_UNKNOWN       7.0        /* -log10, a word it does not know */
#define JUDGE_COMMON        112        /* rarity: 1 of 3,000 words */
#define JUDGE_AHEAD         12         /* tokens, more than two */
#define JUDGE_CLASSES_MIDDLE  0.65     /* of English, for a gain of 0 */
#define JUDGE_CLASSES_SPREAD  0.3


typedef struct {
    judge_measure_t     *m;
    const judge_type_t  *two, *one;    /* the words before; NULL: none that
                                          it knows, or a mark between */
    bool                 second;       /* `one` begins its sentence */
    double               sum, alone;   /* -log10, with and without context */
    uint32_t             words, common, common_unseen;
} judge_llm_t;


/* The class of a word, of a mark that parts sentences; 0: it has none. */

static uint64_t
judge_ngram_class(const judge_text_t *t, const judge_token_t *token,
    const judge_lexicon_t *lexicon, uint64_t *classes)
{
    char       lower[JUDGE_LOWER_MAX];
    uint64_t  *class;

    if (token->kind == JUDGE_TOKEN_WORD) {
        class = &classes[token->type];

        if (*class == 0) {
            *class = judge_lexicon_class(lexicon,
                                         judge_lexicon_lower(t, token, lower));
        }

        return *class;
    }

    if (token->mark <= ' ' || strchr(".!?,;:", token->mark) == NULL) {
        return 0;
    }

    return judge_word_hash((judge_str_t) { 1, t->str.data + token->begin });
}


/* The other languages: the gain of each class of words by the one before it;
 * brought to the scale of English, where ordinary prose has about .68. */

static judge_rc_e
judge_ngram_classes(judge_measure_t *m, const judge_lexicon_t *lexicon)
{
    size_t                i, n;
    double                sum;
    uint64_t              before, here, *classes;
    const judge_text_t   *t = m->text;
    const judge_token_t  *token;

    classes = judge_array_alloc(m->arena, t->ntypes, sizeof(uint64_t));
    if (classes == NULL) {
        return JUDGE_NOMEM;
    }

    before = judge_word_hash(JUDGE_STR("."));

    for (i = 0, n = 0, sum = 0; i < t->ntokens; i++) {
        token = &t->tokens[i];

        here = judge_ngram_class(t, token, lexicon, classes);

        if (here == 0) {
            continue;
        }

        sum += judge_lexicon_gain(lexicon, before, here);
        before = here;
        n++;
    }

    m->v[JUDGE_F_MODEL_GAIN] =
        (float) (JUDGE_CLASSES_MIDDLE
                 + JUDGE_CLASSES_SPREAD * judge_share(sum, (double) n));

    return JUDGE_OK;
}


/* The tables are larger than the caches. */

static void
judge_ngram_ahead(const judge_text_t *t, size_t i)
{
    size_t    k;
    uint64_t  hash[3];

    if (i >= t->ntokens) {
        return;
    }

    for (k = 0; k < 3; k++) {
        if (t->tokens[i - k].type == JUDGE_NO_TYPE) {
            return;
        }

        hash[k] = t->types[t->tokens[i - k].type].hash;
    }

    judge_word_ahead(judge_hash_join(hash[1], hash[0]),
                     judge_hash_join(judge_hash_join(hash[2], hash[1]),
                                     hash[0]));
}


/* -log10 of the word's probability. */

static double
judge_ngram_word(judge_llm_t *x, const judge_type_t *type, size_t i)
{
    bool      first, common;
    double    alone;
    unsigned  step;
    uint64_t  hash, before;

    if (type->rarity == JUDGE_RARITY_UNKNOWN) {
        x->alone += JUDGE_UNKNOWN;
        return JUDGE_UNKNOWN;
    }

    alone = type->rarity / 32.0;
    x->alone += alone;
    first = (x->m->text->tokens[i].flags & JUDGE_T_START) != 0;

    if (x->one == NULL && !first) {
        return alone;
    }

    common = x->one != NULL && type->rarity < JUDGE_COMMON
             && x->one->rarity < JUDGE_COMMON;
    hash = first ? JUDGE_SENTENCE_HASH : x->one->hash;
    x->common += common && !first;

    if (x->two != NULL || x->second) {
        before = x->second ? JUDGE_SENTENCE_HASH : x->two->hash;
        step = judge_word_triple(judge_hash_join(
                   judge_hash_join(before, hash), type->hash));

        if (step > 0) {
            return (step - 0.5) / 5;
        }
    }

    step = judge_word_pair(judge_hash_join(hash, type->hash));

    if (step > 0) {
        return (step - 0.5) / 5;
    }

    x->common_unseen += common;

    return alone;
}


static void
judge_ngram_sentence(judge_llm_t *x, const judge_sentence_t *s)
{
    size_t               i;
    const judge_text_t  *t = x->m->text;
    const judge_type_t  *type;

    x->two = NULL;
    x->one = NULL;
    x->second = false;

    for (i = s->first; i < s->end; i++) {
        if (t->tokens[i].kind != JUDGE_TOKEN_WORD) {

            /* a comma is not in the model; what stands after it is */

            if (t->tokens[i].mark != ',') {
                x->two = NULL;
                x->one = NULL;
            }

            x->second = false;
            continue;
        }

        judge_ngram_ahead(t, i + JUDGE_AHEAD);

        type = &t->types[t->tokens[i].type];
        x->sum += judge_ngram_word(x, type, i);
        x->words++;
        x->second = (t->tokens[i].flags & JUDGE_T_START) != 0;
        x->two = x->one;
        x->one = type->rarity == JUDGE_RARITY_UNKNOWN ? NULL : type;
    }
}


judge_rc_e
judge_measure_model(judge_measure_t *m)
{
    size_t                  i;
    judge_llm_t             x = { .m = m };
    const judge_text_t     *t = m->text;
    const judge_lexicon_t  *lexicon = judge_lexicon(t->language);

    if (lexicon != NULL) {
        return judge_ngram_classes(m, lexicon);
    }

    for (i = 0; i < t->nsentences; i++) {
        judge_ngram_sentence(&x, &t->sentences[i]);
    }

    m->v[JUDGE_F_MODEL] = (float) -judge_share(x.sum, x.words);
    m->v[JUDGE_F_MODEL_GAIN] = (float) judge_share(x.alone - x.sum, x.words);
    m->v[JUDGE_F_MODEL_UNSEEN_COMMON] =
        (float) judge_share(x.common_unseen, x.common);

    return JUDGE_OK;
}
