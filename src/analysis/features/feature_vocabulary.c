/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How rich the vocabulary is.
 *
 * Carroll, J. B. (1964): types / sqrt(2 * tokens).  Covington, M. A., &
 * McFall, J. D. (2010): the moving-average ratio.  McCarthy, P. M., & Jarvis,
 * S. (2010): MTLD, the mean length of stretches that keep a ratio of 0.72.
 */


#include <string.h>

#include "analysis/features/feature.h"


#define JUDGE_WINDOW      50
#define JUDGE_MTLD_RATIO  0.72
#define JUDGE_SENSES      (JUDGE_W_ACADEMIC | JUDGE_W_VAGUE                   \
                           | JUDGE_W_INTENSIFIER | JUDGE_W_INFORMAL           \
                           | JUDGE_W_SENSORY)
#define JUDGE_RARE        160          /* 1 of 100,000 words */
#define JUDGE_LONG_TYPE   8            /* letters */
#define JUDGE_MANNER      5


static judge_rc_e judge_vocabulary_diversity(judge_measure_t *m);
static double judge_window_ratio(const uint32_t *words, size_t n,
    uint32_t *counts);
static double judge_mtld(const uint32_t *words, size_t n, bool backwards,
    uint32_t *stamps);
static void judge_vocabulary_rarity(judge_measure_t *m);
static void judge_vocabulary_classes(judge_measure_t *m);


judge_rc_e
judge_measure_vocabulary(judge_measure_t *m)
{
    judge_vocabulary_rarity(m);
    judge_vocabulary_classes(m);

    return judge_vocabulary_diversity(m);
}


static judge_rc_e
judge_vocabulary_diversity(judge_measure_t *m)
{
    size_t               i, n;
    uint32_t            *words, *stamps;
    const judge_text_t  *t;

    t = m->text;

    words = judge_array_alloc(m->arena, t->nwords + 1, sizeof(uint32_t));
    stamps = judge_array_alloc(m->arena, t->ntypes + 1, sizeof(uint32_t));

    if (words == NULL || stamps == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, n = 0; i < t->ntokens; i++) {
        if (judge_token_is_word(&t->tokens[i])) {
            words[n++] = t->tokens[i].type;
        }
    }

    for (i = 0; i < t->ntypes; i++) {
        m->n[JUDGE_F_TYPES] += t->types[i].kind != JUDGE_TOKEN_NUMBER;
    }

    m->v[JUDGE_F_TYPES_ROOT] =
        (float) judge_share(m->n[JUDGE_F_TYPES], sqrt(2 * (double) n));
    m->v[JUDGE_F_WINDOW_RATIO] = (float) judge_window_ratio(words, n, stamps);

    memset(stamps, 0, t->ntypes * sizeof(uint32_t));
    m->v[JUDGE_F_MTLD] = (float) (judge_mtld(words, n, false, stamps) / 2);

    memset(stamps, 0, t->ntypes * sizeof(uint32_t));
    m->v[JUDGE_F_MTLD] += (float) (judge_mtld(words, n, true, stamps) / 2);

    return JUDGE_OK;
}


static double
judge_window_ratio(const uint32_t *words, size_t n, uint32_t *counts)
{
    size_t    i, types, windows;
    uint64_t  sum;

    sum = 0;
    types = 0;
    windows = 0;

    for (i = 0; i < n; i++) {
        types += counts[words[i]]++ == 0;

        if (i >= JUDGE_WINDOW) {
            types -= --counts[words[i - JUDGE_WINDOW]] == 0;
        }

        if (i + 1 >= JUDGE_WINDOW) {
            sum += types;
            windows++;
        }
    }

    if (windows == 0) {
        return judge_share((double) types, (double) n);
    }

    return (double) sum / ((double) windows * JUDGE_WINDOW);
}


static double
judge_mtld(const uint32_t *words, size_t n, bool backwards, uint32_t *stamps)
{
    size_t    i, length;
    double    factors, ratio;
    uint32_t  round, types, word;

    factors = 0;
    round = 1;
    types = 0;
    length = 0;
    ratio = 1;

    for (i = 0; i < n; i++) {
        word = words[backwards ? n - 1 - i : i];
        types += stamps[word] != round;
        stamps[word] = round;
        ratio = (double) types / (double) ++length;

        if (ratio <= JUDGE_MTLD_RATIO) {
            factors += 1;
            round++;
            types = 0;
            length = 0;
            ratio = 1;
        }
    }

    factors += (1 - ratio) / (1 - JUDGE_MTLD_RATIO);

    /* without any repetition the measure has no end */

    return judge_clamp((double) n / (factors > 0.1 ? factors : 0.1), 0, 250);
}


static void
judge_vocabulary_rarity(judge_measure_t *m)
{
    size_t               i;
    double               sum;
    uint32_t             n, rare, above, counts[256];
    const judge_text_t  *t;
    const judge_type_t  *type;

    t = m->text;
    memset(counts, 0, sizeof(counts));
    sum = 0;
    n = 0;
    rare = 0;

    for (i = 0; i < t->ntypes; i++) {
        type = &t->types[i];

        /* names and misspelled words are rare for other reasons */

        if (!type->content || type->rarity == JUDGE_RARITY_UNKNOWN
            || !(type->form & JUDGE_W_KNOWN) || (type->form & JUDGE_W_NAME)
            || (type->name && !type->lower))
        {
            continue;
        }

        counts[type->rarity]++;
        sum += type->rarity;
        rare += type->rarity >= JUDGE_RARE;
        n++;
    }

    for (i = 255, above = 0; i > 0 && (above += counts[i]) * 10 <= n; i--) {
        /* void */
    }

    m->v[JUDGE_F_RARITY] = (float) (judge_share(sum, n) / 32);
    m->v[JUDGE_F_RARITY_HIGH] = n > 0 ? (float) i / 32 : 0;
    m->v[JUDGE_F_RARE_WORDS] = (float) judge_share(rare, n);
    m->n[JUDGE_F_RARE_TYPES] = rare;
}


/* Nouns made of other words: "education", "happiness", "security". */

static bool
judge_is_derived(const judge_text_t *t, const judge_type_t *type)
{
    size_t              i;
    judge_str_t         word;
    static const struct {
        size_t      len;
        const char *text;
    } endings[] = {
        { 4, "tion" }, { 4, "sion" }, { 4, "ness" }, { 4, "ment" },
        { 3, "ity" }, { 4, "ance" }, { 4, "ence" }, { 3, "ism" }
    };

    if (type->chars < 7 || !(type->form & JUDGE_W_KNOWN)) {
        return false;
    }

    word = judge_token_str(t, &t->tokens[type->first]);

    if (word.data[word.len - 1] == 's' && word.data[word.len - 2] != 's') {
        word.len--;
    }

    for (i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        if (word.len > endings[i].len
            && word.data[word.len - 1] == endings[i].text[endings[i].len - 1]
            && memcmp(word.data + word.len - endings[i].len, endings[i].text,
                      endings[i].len) == 0)
        {
            return true;
        }
    }

    return false;
}


/* "slowly", but not "family", "apply". */

static bool
judge_is_manner(const judge_text_t *t, const judge_type_t *type)
{
    judge_str_t  word;

    if (type->chars < JUDGE_MANNER || (type->form & JUDGE_W_KNOWN) == 0
        || (type->form & (JUDGE_W_NOUN | JUDGE_W_VERB)))
    {
        return false;
    }

    word = judge_token_str(t, &t->tokens[type->first]);

    return memcmp(word.data + word.len - 2, "ly", 2) == 0;
}


/* "don't", "they're", but not "dog's". */

static bool
judge_is_contraction(const judge_text_t *t, const judge_type_t *type)
{
    judge_str_t  word;

    if (!(type->form & (JUDGE_W_BE | JUDGE_W_HAVE | JUDGE_W_DO
                        | JUDGE_W_MODAL | JUDGE_W_PRONOUN)))
    {
        return false;
    }

    word = judge_token_str(t, &t->tokens[type->first]);

    return memchr(word.data, '\'', word.len) != NULL
           || (type->chars < word.len
               && memchr(word.data, 0xe2, word.len) != NULL);
}


static void
judge_vocabulary_classes(judge_measure_t *m)
{
    size_t               i, k;
    uint32_t             count;
    judge_text_t        *t;
    const judge_type_t  *type;
    static const struct {
        uint64_t         sense;
        judge_feature_e  feature;
        judge_found_e    found;
    } rows[] = {
        { JUDGE_W_ACADEMIC, JUDGE_F_ACADEMIC, JUDGE_FOUND_NONE },
        { JUDGE_W_VAGUE, JUDGE_F_VAGUE, JUDGE_FOUND_VAGUE },
        { JUDGE_W_INTENSIFIER, JUDGE_F_INTENSIFIERS, JUDGE_FOUND_NONE },
        { JUDGE_W_INFORMAL, JUDGE_F_INFORMAL, JUDGE_FOUND_INFORMAL },
        { JUDGE_W_SENSORY, JUDGE_F_SENSORY, JUDGE_FOUND_NONE }
    };

    t = m->text;

    for (i = 0; i < t->ntypes; i++) {
        type = &t->types[i];
        count = type->count;

        if (type->kind == JUDGE_TOKEN_NUMBER) {
            continue;
        }

        m->n[JUDGE_F_CONTENT_SHARE] += type->content ? count : 0;
        m->n[JUDGE_F_LONG_TYPES] += type->chars >= JUDGE_LONG_TYPE;
        m->n[JUDGE_F_ADVERBS] += judge_is_manner(t, type);
        m->n[JUDGE_F_DERIVED] += judge_is_derived(t, type) ? count : 0;
        m->n[JUDGE_F_CONTRACTIONS] += judge_is_contraction(t, type) ? count
                                                                    : 0;

        if (!(type->sense & JUDGE_SENSES)) {
            continue;
        }

        for (k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
            if (!(type->sense & rows[k].sense)) {
                continue;
            }

            if (rows[k].found == JUDGE_FOUND_NONE) {
                m->n[rows[k].feature] += count;
                continue;
            }

            judge_found(m, rows[k].found, type->first, type->first + 1);
            m->found[rows[k].found] += count - 1;
        }
    }
}
