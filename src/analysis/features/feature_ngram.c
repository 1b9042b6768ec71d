/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Measures how probable each word is behind the two before it, by an n-gram
 * model of English: it takes the trigram, else the bigram, else the word alone
 * ("stupid backoff", Brants et al. 2007, but without its constant, so that a
 * pair that the model lacks counts neither for nor against the text).
 */


#include <string.h>

#include "analysis/features/feature.h"
#include "analysis/text/lexicon.h"


#define JUDGE_NGRAM_UNKNOWN   7.0      /* -log10, of a word that it lacks */
#define JUDGE_NGRAM_COMMON    112      /* rarity: 1 of 3,000 words */
#define JUDGE_NGRAM_AHEAD     16       /* words from prefetch to look-up */
#define JUDGE_CLASSES_MIDDLE  0.65     /* the gain of English where the one by
                                          classes is 0, and of 1 of it */
#define JUDGE_CLASSES_SPREAD  0.3


/* A word that is going to be looked up. */
typedef struct {
    uint64_t  pair, triple;            /* joined hashes of those that end with
                                          it; 0: there is none */
    double    alone;                   /* -log10, without context */
    bool      common;                  /* the pair is of common words */
} judge_ngram_word_t;

typedef struct {
    judge_measure_t     *m;
    const judge_type_t  *two, *one;    /* the words two and one before; NULL:
                                          unknown, or a mark parts them */
    bool                 second;       /* `one` begins its sentence */
    double               sum, alone;   /* -log10, with and without context */
    uint32_t             words, common, common_unseen;   /* pairs of common
                                          words, and those that it lacks */
    judge_ngram_word_t   ahead[JUDGE_NGRAM_AHEAD]; /* a ring of words */
} judge_ngram_walk_t;


/* Returns the class of a word or of a mark that parts sentences or clauses; 0:
 * the token has none.  `classes` keeps those of types. */

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


/* In the languages with a lexicon, measures the gain of each word's class by
 * the class before it, on the scale of English, where ordinary prose has about
 * .68. */

static void
judge_ngram_classes(judge_measure_t *m, const judge_lexicon_t *lexicon)
{
    size_t                i, n;
    double                sum;
    uint64_t              before, here, *classes;
    const judge_text_t   *t = m->text;
    const judge_token_t  *token;

    classes = judge_array_alloc(m->arena, t->ntypes, sizeof(uint64_t));
    if (classes == NULL) {
        m->rc = JUDGE_NOMEM;
        return;
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
}


/* Returns -log10 of a word's probability. */

static double
judge_ngram_find(judge_ngram_walk_t *walk, const judge_ngram_word_t *n)
{
    unsigned  step;

    step = n->triple != 0 ? judge_word_step(judge_wordtriples, n->triple) : 0;
    step = step == 0 && n->pair != 0
           ? judge_word_step(judge_wordpairs, n->pair) : step;
    walk->common_unseen += step == 0 && n->common;

    return step > 0 ? (step - 0.5) / 5 : n->alone;
}


/* The tables are larger than the caches.  So the memory for a word is only
 * fetched here, and the word is looked up JUDGE_NGRAM_AHEAD words later. */

static void
judge_ngram_word(judge_ngram_walk_t *walk, const judge_type_t *type,
    bool first)
{
    uint64_t             hash;
    judge_ngram_word_t  *n = &walk->ahead[walk->words % JUDGE_NGRAM_AHEAD];

    if (walk->words++ >= JUDGE_NGRAM_AHEAD) {
        walk->sum += judge_ngram_find(walk, n);
    }

    *n = (judge_ngram_word_t) { .alone = JUDGE_NGRAM_UNKNOWN };

    if (type->rarity != JUDGE_RARITY_UNKNOWN) {
        n->alone = type->rarity / 32.0;

        if (walk->one != NULL || first) {
            n->common = walk->one != NULL && type->rarity < JUDGE_NGRAM_COMMON
                        && walk->one->rarity < JUDGE_NGRAM_COMMON;
            walk->common += n->common && !first;

            hash = first ? JUDGE_SENTENCE_HASH : walk->one->hash;
            n->pair = judge_hash_join(hash, type->hash);

            if (walk->two != NULL || walk->second) {
                hash = judge_hash_join(walk->second ? JUDGE_SENTENCE_HASH
                                                    : walk->two->hash, hash);
                n->triple = judge_hash_join(hash, type->hash);
            }
        }

        judge_word_step_prefetch(n->pair, n->triple);
    }

    walk->alone += n->alone;
}


static void
judge_ngram_sentence(judge_ngram_walk_t *walk, const judge_sentence_t *s)
{
    bool                 first;
    size_t               i;
    const judge_text_t  *t = walk->m->text;
    const judge_type_t  *type;

    walk->two = NULL;
    walk->one = NULL;
    walk->second = false;

    for (i = s->first; i < s->end; i++) {
        if (t->tokens[i].kind != JUDGE_TOKEN_WORD) {

            /* the model was made of texts without commas */

            if (t->tokens[i].mark != ',') {
                walk->two = NULL;
                walk->one = NULL;
            }

            walk->second = false;
            continue;
        }

        first = (t->tokens[i].flags & JUDGE_T_START) != 0;
        type = &t->types[t->tokens[i].type];
        judge_ngram_word(walk, type, first);
        walk->second = first;
        walk->two = walk->one;
        walk->one = type->rarity == JUDGE_RARITY_UNKNOWN ? NULL : type;
    }
}


void
judge_measure_model(judge_measure_t *m)
{
    size_t                  i;
    judge_ngram_walk_t      walk = { .m = m };
    const judge_text_t     *t = m->text;
    const judge_lexicon_t  *lexicon = judge_lexicon(t->language);

    if (lexicon != NULL) {
        judge_ngram_classes(m, lexicon);
        return;
    }

    for (i = 0; i < t->nsentences; i++) {
        judge_ngram_sentence(&walk, &t->sentences[i]);
    }

    i = walk.words > JUDGE_NGRAM_AHEAD ? walk.words - JUDGE_NGRAM_AHEAD : 0;

    for ( /* void */ ; i < walk.words; i++) {
        walk.sum += judge_ngram_find(&walk,
                                     &walk.ahead[i % JUDGE_NGRAM_AHEAD]);
    }

    m->v[JUDGE_F_MODEL] = (float) -judge_share(walk.sum, walk.words);
    m->v[JUDGE_F_MODEL_GAIN] = (float) judge_share(walk.alone - walk.sum,
                                                   walk.words);
    m->v[JUDGE_F_MODEL_UNSEEN_COMMON] =
        (float) judge_share(walk.common_unseen, walk.common);
}
