/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria are matched to traits by stems: a word of the name counts more
 * than a word of the description.
 */


#include <string.h>

#include "analysis/builtin/trait.h"
#include "analysis/text/language.h"


#define JUDGE_NAME_WEIGHT  6
#define JUDGE_TRAIT_SHARE  0.45  /* of the best; less is left out */
#define JUDGE_REFERENCES_COUNT  0.35   /* of a score, where there are some */
#define JUDGE_REFERENCES_MAIN   0.8    /* where it is what is asked for */


/* A word of a trait. */
struct judge_trait_match_word {
    uint32_t  stem;                    /* 0: the last */
    uint8_t   trait;
    uint8_t   factor;
};


static judge_rc_e judge_trait_match_words(double *points,
    const judge_trait_match_word_t *table, judge_arena_t *arena,
    judge_str_t words, double weight);
static void judge_trait_match_best(judge_trait_match_t *match,
    const double *points);


judge_trait_match_word_t *
judge_trait_match_table(judge_arena_t *arena)
{
    size_t                     row, n, len;
    const char                *p;
    judge_trait_match_word_t  *table;

    for (row = 0, n = 1; row < JUDGE_TRAITS; row++) {
        for (p = judge_traits[row].words, n++; *p != '\0'; p++) {
            n += *p == ' ';
        }
    }

    table = judge_array_alloc(arena, n, sizeof(judge_trait_match_word_t));
    if (table == NULL) {
        return NULL;
    }

    for (row = 0, n = 0; row < JUDGE_TRAITS; row++) {
        for (p = judge_traits[row].words; *p != '\0'; n++) {
            table[n].trait = (uint8_t) row;
            table[n].factor = *p == '!' ? 2 : 1;
            p += *p == '!';

            len = strcspn(p, " ");
            table[n].stem = judge_word_stem((judge_str_t) { len, p });

            p += len;
            p += *p == ' ';
        }
    }

    return table;
}


judge_rc_e
judge_trait_match(judge_trait_match_t *match,
    const judge_trait_match_word_t *table,
    judge_arena_t *arena, judge_str_t name, judge_str_t description)
{
    size_t      i;
    double      points[JUDGE_TRAITS];
    judge_rc_e  rc;

    memset(match, 0, sizeof(judge_trait_match_t));
    memset(points, 0, sizeof(points));

    rc = judge_trait_match_words(points, table, arena, name,
                                 JUDGE_NAME_WEIGHT);

    if (rc == JUDGE_OK) {
        rc = judge_trait_match_words(points, table, arena, description, 1);
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    for (i = 0; i < JUDGE_TRAITS; i++) {
        match->fits = match->fits || points[i] > 0;
    }

    if (!match->fits) {
        points[JUDGE_TRAIT_GENERAL] = 1;
    }

    judge_trait_match_best(match, points);

    return JUDGE_OK;
}


static judge_rc_e
judge_trait_match_words(double *points, const judge_trait_match_word_t *table,
    judge_arena_t *arena, judge_str_t words, double weight)
{
    size_t                           i;
    judge_text_t                     t;
    const judge_type_t              *type;
    const judge_trait_match_word_t  *word;

    if (words.len == 0) {
        return JUDGE_OK;
    }

    /* the table's words are compared as those of English, too */

    if (judge_text_parse_as(&t, arena, words, JUDGE_LANGUAGE_ENGLISH)
        != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t.ntypes; i++) {
        type = &t.types[i];

        for (word = table; word->stem != 0; word++) {

            /* a long description does not count more than a short one */

            if (type->kind == JUDGE_TOKEN_WORD && word->stem == type->stem) {
                points[word->trait] += weight * word->factor
                                        / sqrt((double) t.nwords);
            }
        }
    }

    return JUDGE_OK;
}


static void
judge_trait_match_best(judge_trait_match_t *match, const double *points)
{
    size_t  i, k, best;
    double  sum, last;

    sum = 0;
    last = 1e9;
    best = JUDGE_TRAITS;

    for (k = 0; k < JUDGE_MATCHES; k++) {
        size_t  next = JUDGE_TRAITS;

        for (i = 0; i < JUDGE_TRAITS; i++) {

            /* in the order of points, of equals in that of the traits */

            if (points[i] > 0
                && (points[i] < last || (points[i] == last && i > best))
                && (next == JUDGE_TRAITS || points[i] > points[next]))
            {
                next = i;
            }
        }

        if (next == JUDGE_TRAITS
            || (k > 0 && points[next]
                         < JUDGE_TRAIT_SHARE * points[match->traits[0]]))
        {
            break;
        }

        match->traits[k] = (uint8_t) next;
        match->weights[k] = points[next];
        match->n = k + 1;
        sum += points[next];
        last = points[next];
        best = next;
    }

    for (k = 0; k < match->n; k++) {
        match->weights[k] /= sum;
    }
}


const judge_term_t *
judge_trait_terms(const judge_measure_t *m, judge_trait_e trait)
{
    const judge_trait_t  *a;

    a = &judge_traits[trait];

    return m->source != NULL && a->with_source != NULL ? a->with_source
                                                       : a->terms;
}


double
judge_reference_share(const judge_measure_t *m,
    const judge_trait_match_t *match)
{
    size_t  i;
    double  share;

    if (m->nreferences == 0) {
        return 0;
    }

    share = JUDGE_REFERENCES_COUNT;

    for (i = 0; i < match->n && m->source == NULL; i++) {
        if (judge_traits[match->traits[i]].compares) {
            share += match->weights[i]
                     * (JUDGE_REFERENCES_MAIN - JUDGE_REFERENCES_COUNT);
        }
    }

    return share;
}
