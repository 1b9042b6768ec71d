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
#define JUDGE_AHEAD         16         /* words */
#define JUDGE_CLASSES_MIDDLE  0.65     /* of English, for a gain of 0 */
#define JUDGE_CLASSES_SPREAD  0.3


/* What is looked up for a word, the joined hashes; 0: nothing. */
typedef struct {
    uint64_t  pair, triple;
    double    alone;                   /* -log10, without context */
    bool      common;                  /* the pair is of common words */
} judge_ngram_t;

typedef struct {
    judge_measure_t     *m;
    const judge_type_t  *two, *one;    /* the words before; NULL: none that
                                          it knows, or a mark between */
    bool                 second;       /* `one` begins its sentence */
    double               sum, alone;   /* -log10, with and without context */
    uint32_t             words, common, common_unseen;
    judge_ngram_t        ahead[JUDGE_AHEAD];       /* the latest words */
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


/* -log10 of the word's probability. */

static double
judge_ngram_step(judge_llm_t *x, const judge_ngram_t *n)
{
    unsigned  step;

    step = n->triple != 0 ? judge_word_step(judge_wordtriples, n->triple) : 0;
    step = step == 0 && n->pair != 0
           ? judge_word_step(judge_wordpairs, n->pair) : step;
    x->common_unseen += step == 0 && n->common;

    return step > 0 ? (step - 0.5) / 5 : n->alone;
}


/* The tables are larger than the caches: a word is looked up when the memory
 * that it needs has been on its way for some words. */

static void
judge_ngram_word(judge_llm_t *x, const judge_type_t *type, size_t i)
{
    bool            first = (x->m->text->tokens[i].flags & JUDGE_T_START) != 0;
    uint64_t        hash;
    judge_ngram_t  *n = &x->ahead[x->words % JUDGE_AHEAD];

    if (x->words++ >= JUDGE_AHEAD) {
        x->sum += judge_ngram_step(x, n);
    }

    *n = (judge_ngram_t) { .alone = JUDGE_UNKNOWN };

    if (type->rarity != JUDGE_RARITY_UNKNOWN) {
        n->alone = type->rarity / 32.0;

        if (x->one != NULL || first) {
            n->common = x->one != NULL && type->rarity < JUDGE_COMMON
                        && x->one->rarity < JUDGE_COMMON;
            x->common += n->common && !first;

            hash = first ? JUDGE_SENTENCE_HASH : x->one->hash;
            n->pair = judge_hash_join(hash, type->hash);

            if (x->two != NULL || x->second) {
                hash = judge_hash_join(x->second ? JUDGE_SENTENCE_HASH
                                                 : x->two->hash, hash);
                n->triple = judge_hash_join(hash, type->hash);
            }
        }

        judge_word_step_prefetch(n->pair, n->triple);
    }

    x->alone += n->alone;
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

        type = &t->types[t->tokens[i].type];
        judge_ngram_word(x, type, i);
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

    for (i = x.words > JUDGE_AHEAD ? x.words - JUDGE_AHEAD : 0; i < x.words;
         i++)
    {
        x.sum += judge_ngram_step(&x, &x.ahead[i % JUDGE_AHEAD]);
    }

    m->v[JUDGE_F_MODEL] = (float) -judge_share(x.sum, x.words);
    m->v[JUDGE_F_MODEL_GAIN] = (float) judge_share(x.alone - x.sum, x.words);
    m->v[JUDGE_F_MODEL_UNSEEN_COMMON] =
        (float) judge_share(x.common_unseen, x.common);

    return JUDGE_OK;
}
