/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Measures how near a text is to its subject and to the axes of meaning: by
 * the vectors of its words, which only English has, and by the words that it
 * shares with its subject, where rare ones count more.
 */


#include <string.h>

#include "analysis/features/feature.h"
#include "analysis/text/language.h"


#define JUDGE_MEANING_KNOWN   0.6      /* so many have vectors: English */
#define JUDGE_SUBJECT_TYPES   256      /* types of a text that are compared */
#define JUDGE_SUBJECT_NEAR    0.45     /* cosine of words that are not akin */
#define JUDGE_SUBJECT_AKIN    0.8      /* what the most akin word counts */
#define JUDGE_RARITY_GUESS    170      /* of a word that no list has */
#define JUDGE_MEANING_AHEAD   8        /* types from prefetch to look-up */
#define JUDGE_MEANING_REPEAT  4        /* a word counts at most so often */


/* The subject of a text is the rarest topic words of what it answers. */

#define JUDGE_SUBJECT_WORDS  16

typedef struct {
    uint32_t       stem;
    uint8_t        weight;             /* 1 to 255: how rare it is */
    const int8_t  *vector;             /* NULL: it has none */
} judge_subject_word_t;

typedef struct {
    judge_subject_word_t  words[JUDGE_SUBJECT_WORDS];
    size_t                n;
    judge_meaning_t       meaning;     /* of all words, not only of these */
} judge_subject_t;


/* Adds up the vectors of a text; false: they mean nothing, because it is not
 * known to be English. */

static bool
judge_meaning_of(judge_meaning_t *meaning, const judge_text_t *t,
    const int8_t **vectors)
{
    size_t               i, n, words;
    const judge_type_t  *type;

    memset(meaning, 0, sizeof(judge_meaning_t));
    words = 0;

    for (i = 0; i < t->ntypes; i++) {
        type = &t->types[i];
        words += type->kind == JUDGE_TOKEN_WORD;
        n = type->count > JUDGE_MEANING_REPEAT ? JUDGE_MEANING_REPEAT
                                               : type->count;

        if (vectors[i] != NULL) {
            judge_meaning_add(meaning, vectors[i],
                              judge_vector_weights[type->rarity]
                              * (unsigned) n);
        }
    }

    return meaning->words > 0
           && (t->language == JUDGE_LANGUAGE_ENGLISH
               || (double) meaning->words
                  >= JUDGE_MEANING_KNOWN * (double) words);
}


/* Where the subject is full, its commonest word gives way to a rarer one. */

static void
judge_subject_add(judge_subject_t *subject, const judge_type_t *type)
{
    size_t                 i, least;
    uint8_t                weight;
    judge_subject_word_t  *word;

    weight = type->rarity == JUDGE_RARITY_UNKNOWN ? JUDGE_RARITY_GUESS
                                                  : type->rarity;

    for (i = 0, least = 0; i < subject->n; i++) {
        if (subject->words[i].stem == type->stem) {
            return;
        }

        if (subject->words[i].weight < subject->words[least].weight) {
            least = i;
        }
    }

    if (subject->n < JUDGE_SUBJECT_WORDS) {
        word = &subject->words[subject->n++];

    } else {
        word = &subject->words[least];

        if (word->weight >= weight) {
            return;
        }
    }

    *word = (judge_subject_word_t) { type->stem, weight,
                                     judge_vector(type->hash) };
}


static void
judge_subject_build(judge_subject_t *subject, const judge_text_t *t)
{
    size_t               i;
    const int8_t        *vector;
    const judge_type_t  *type;

    memset(subject, 0, sizeof(judge_subject_t));

    for (i = 0; i < t->ntokens; i++) {
        if (t->tokens[i].type == JUDGE_NO_TYPE) {
            continue;
        }

        type = &t->types[t->tokens[i].type];
        vector = judge_vector(type->hash);

        if (vector != NULL) {
            judge_meaning_add(&subject->meaning, vector,
                              judge_vector_weights[type->rarity]);
        }

        if (type->content && type->chars > 2) {
            judge_subject_add(subject, type);
        }
    }
}


/* Returns 1 where the text has the word, less where a vector is akin. */

static double
judge_subject_word_met(const judge_measure_t *m,
    const judge_subject_word_t *word, const int8_t **vectors, size_t n)
{
    size_t  i;
    double  near, best;

    for (i = 0; i < m->text->ntypes; i++) {
        if (m->text->types[i].stem == word->stem) {
            return 1;
        }
    }

    if (word->vector == NULL) {
        return 0;
    }

    for (i = 0, best = 0; i < n; i++) {
        near = judge_vector_cosine(word->vector, vectors[i]);
        best = near > best ? near : best;
    }

    return best < JUDGE_SUBJECT_NEAR
           ? 0 : JUDGE_SUBJECT_AKIN * (best - JUDGE_SUBJECT_NEAR)
                 / (1 - JUDGE_SUBJECT_NEAR);
}


/* Returns the share of the subject's words that the text has, weighted by how
 * rare they are. */

static double
judge_subject_met(const judge_measure_t *m, const judge_subject_t *subject)
{
    size_t         i, n;
    double         met, all;
    const int8_t  *vectors[JUDGE_SUBJECT_TYPES];

    for (i = 0, n = 0; m->meant && i < m->text->ntypes
                       && n < JUDGE_SUBJECT_TYPES; i++)
    {
        if (m->text->types[i].content && m->vectors[i] != NULL) {
            vectors[n++] = m->vectors[i];
        }
    }

    for (i = 0, met = 0, all = 0; i < subject->n; i++) {
        all += subject->words[i].weight;
        met += subject->words[i].weight
               * judge_subject_word_met(m, &subject->words[i], vectors, n);
    }

    return judge_share(met, all);
}


void
judge_measure_meaning(judge_measure_t *m)
{
    size_t           i;
    judge_subject_t  subject;

    m->meant = judge_meaning_of(&m->meaning, m->text, m->vectors);

    for (i = 0; m->meant && i < judge_axes_count; i++) {
        m->v[judge_axes[i].feature] =
            (float) judge_meaning_cosine(&m->meaning,
                                         &judge_axes[i].direction);
    }

    if (m->question == NULL) {
        return;
    }

    judge_subject_build(&subject, m->question);
    m->v[JUDGE_F_TOPIC_MET] = (float) judge_subject_met(m, &subject);

    if (m->meant) {
        m->v[JUDGE_F_TOPIC_NEAR] =
            (float) judge_meaning_cosine(&m->meaning, &subject.meaning);
    }
}


const int8_t **
judge_meaning_vectors(judge_arena_t *arena, const judge_text_t *t)
{
    size_t               i;
    const int8_t       **vectors;
    const judge_type_t  *type;

    vectors = judge_array_alloc(arena, t->ntypes + 1, sizeof(int8_t *));

    if (vectors == NULL
        || (t->language != JUDGE_LANGUAGE_ENGLISH
            && t->language != JUDGE_LANGUAGE_UNKNOWN))
    {
        return vectors;
    }

    for (i = 0; i < t->ntypes; i++) {
        type = &t->types[i];

        if (i + JUDGE_MEANING_AHEAD < t->ntypes) {
            judge_vector_prefetch(type[JUDGE_MEANING_AHEAD].hash);
        }

        if (type->kind == JUDGE_TOKEN_WORD) {
            vectors[i] = judge_vector(type->hash);
            __builtin_prefetch(vectors[i]);
        }
    }

    return vectors;
}
