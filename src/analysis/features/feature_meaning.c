/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How near a text is to what it should be about, to its source and to some
 * directions of meaning: by the vectors of its words (English only), and by
 * the words themselves, the rarer the more.
 */


#include <string.h>

#include "analysis/features/feature.h"
#include "analysis/text/language.h"


#define JUDGE_MEANING_KNOWN   0.6      /* of the words have vectors: English */
#define JUDGE_SUBJECT_TYPES   256      /* of a text are compared */
#define JUDGE_SUBJECT_NEAR    0.45     /* cosine of words that are not akin */
#define JUDGE_SUBJECT_AKIN    0.8      /* of a word that is met */
#define JUDGE_RARITY_GUESS    170      /* of a word that no list has */
#define JUDGE_MEANING_AHEAD   8        /* words */
#define JUDGE_MEANING_REPEAT  4        /* a word counts at most so often */


static bool judge_meaning_of(judge_meaning_t *meaning, const judge_text_t *t,
    const int8_t **vectors);
static void judge_subject_near(const judge_measure_t *m,
    const judge_subject_words_t *subject, float *met, float *near);
static double judge_subject_met(const judge_measure_t *m,
    const judge_subject_words_t *subject, const int8_t **known);
static double judge_subject_word_met(const judge_measure_t *m,
    const judge_subject_word_t *word, const int8_t **vectors, size_t n);
static void judge_subject_add(judge_subject_words_t *subject,
    const judge_type_t *type);


judge_rc_e
judge_measure_meaning(judge_measure_t *m)
{
    size_t            i, first;
    const int8_t    **vectors;
    judge_meaning_t   source;
    judge_subject_words_t   turn;
    judge_wording_t   w;

    m->meant = judge_meaning_of(&m->meaning, m->text, m->vectors);

    for (i = 0; m->meant && i < judge_axes_count; i++) {
        m->v[judge_axes[i].feature] =
            (float) judge_meaning_along(&m->meaning, &judge_axes[i]);
    }

    if (m->meant && m->source != NULL) {
        vectors = judge_meaning_vectors(m->arena, m->source);
        if (vectors == NULL) {
            return JUDGE_NOMEM;
        }

        if (judge_meaning_of(&source, m->source, vectors)) {
            m->v[JUDGE_F_SOURCE_NEAR] =
                (float) judge_meaning_cosine(&m->meaning, &source);
        }
    }

    if (m->question != NULL) {
        if (judge_wording_create(&w, m->arena, m->question) != JUDGE_OK) {
            return JUDGE_NOMEM;
        }

        first = judge_last_turn(m, &w);
        judge_subject_build(&turn, &w, first, w.n);
        judge_subject_near(m, &turn, &m->v[JUDGE_F_QUESTION_MET],
                           &m->v[JUDGE_F_QUESTION_NEAR]);
        m->v[JUDGE_F_TOPIC_MET] = m->v[JUDGE_F_QUESTION_MET];
        m->v[JUDGE_F_TOPIC_NEAR] = m->v[JUDGE_F_QUESTION_NEAR];

        if (first > 0) {
            judge_subject_build(&turn, &w, 0, w.n);
            judge_subject_near(m, &turn, &m->v[JUDGE_F_TOPIC_MET],
                               &m->v[JUDGE_F_TOPIC_NEAR]);
        }
    }

    return JUDGE_OK;
}


static void
judge_subject_near(const judge_measure_t *m,
    const judge_subject_words_t *subject,
    float *met, float *near)
{
    *met = (float) judge_subject_met(m, subject,
                                     m->meant ? m->vectors : NULL);
    *near = m->meant ? (float) judge_meaning_cosine(&m->meaning,
                                                    &subject->meaning) : 0;
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


/* False: it is not English, as far as is known. */

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


void
judge_subject_build(judge_subject_words_t *subject, const judge_wording_t *w,
    size_t first, size_t end)
{
    size_t               i;
    const int8_t        *vector;
    const judge_type_t  *type;

    memset(subject, 0, sizeof(judge_subject_words_t));

    for (i = first; i < end; i++) {
        type = &w->text->types[w->text->tokens[w->tokens[i]].type];
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


/* The commonest word gives way. */

static void
judge_subject_add(judge_subject_words_t *subject, const judge_type_t *type)
{
    size_t                 i, least;
    judge_subject_word_t  *word;

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

        if (word->weight >= type->rarity) {
            return;
        }
    }

    word->stem = type->stem;
    word->vector = judge_vector(type->hash);
    word->weight = type->rarity == JUDGE_RARITY_UNKNOWN ? JUDGE_RARITY_GUESS
                                                        : type->rarity;
}


/* The share of the subject's words that the text has, by how rare they are;
 * akin words count in part.  Known: the vectors of its types, or NULL. */

static double
judge_subject_met(const judge_measure_t *m,
    const judge_subject_words_t *subject,
    const int8_t **known)
{
    size_t               i, n;
    double               met, all;
    const int8_t        *vectors[JUDGE_SUBJECT_TYPES];

    for (i = 0, n = 0; known != NULL && i < m->text->ntypes
                       && n < JUDGE_SUBJECT_TYPES; i++)
    {
        if (m->text->types[i].content && known[i] != NULL) {
            vectors[n++] = known[i];
        }
    }

    for (i = 0, met = 0, all = 0; i < subject->n; i++) {
        all += subject->words[i].weight;
        met += subject->words[i].weight
               * judge_subject_word_met(m, &subject->words[i], vectors, n);
    }

    return judge_share(met, all);
}


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


/* Behind the last "Name:"; in a dialogue without names the last line. */

size_t
judge_last_turn(const judge_measure_t *m, const judge_wording_t *w)
{
    size_t                i, line, token;
    const judge_token_t  *tokens;

    tokens = w->text->tokens;

    for (i = w->n, line = 0; i > 1; i--) {
        token = w->tokens[i - 1];

        if (token + 1 < w->text->ntokens && tokens[token + 1].mark == ':'
            && tokens[token].flags & JUDGE_T_CAPITAL && w->n - i > 1)
        {
            return i;
        }

        if (line == 0 && tokens[token].flags & (JUDGE_T_LINE | JUDGE_T_BLANK))
        {
            line = i - 1;
        }
    }

    return m->dialogue != NULL ? line : 0;
}
