/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Statements that the source has the other way round: a clause that shares
 * its words with a clause of the source, but negates it where that does not,
 * has the opposite of one of its words, or another day or number.
 */


#include <string.h>

#include "analysis/features/feature.h"
#include "analysis/text/language.h"
#include "base/core/hash.h"


#define JUDGE_CLAUSES        512       /* of each text are compared */
#define JUDGE_CLAUSE_WORDS   24        /* topic words of each */
#define JUDGE_CLAUSE_SHARED  0.5      /* of them, at least */
#define JUDGE_CLAUSE_LEAST   2


typedef enum {
    JUDGE_OPPOSITE_NONE,
    JUDGE_OPPOSITE_PAIR,
    JUDGE_OPPOSITE_EXCLUDES
} judge_opposite_e;

typedef struct {
    uint32_t  first;                   /* of the words of the wording */
    uint32_t  end;
    uint32_t  stems[JUDGE_CLAUSE_WORDS];
    uint8_t   opposites[JUDGE_CLAUSE_WORDS][2];      /* classes; 0: none */
    uint32_t  numbers;                 /* a bit for each word */
    uint32_t  groups[JUDGE_CLAUSE_WORDS];  /* of numbers: before a comma */
    uint32_t  negated;                 /* those next to a negation */
    uint8_t   n;
    uint8_t   negations;
} judge_clause_t;


static judge_clause_t *judge_clauses(judge_arena_t *arena,
    const judge_wording_t *w, size_t *n);
static void judge_clause_word(judge_clause_t *clause,
    const judge_wording_t *w, size_t i);
static bool judge_clause_ends(const judge_wording_t *w, size_t i);
static bool judge_clause_contradicts(const judge_clause_t *a,
    const judge_clause_t *b);
static bool judge_clause_renumbers(const judge_clause_t *own,
    const judge_clause_t *near, const judge_clause_t *source, size_t n);
static uint32_t judge_clause_numbers(const judge_clause_t *clause,
    const judge_clause_t *other);
static uint32_t judge_clause_digits(judge_str_t word, char low, char high);
static bool judge_clause_restates(const judge_clause_t *negated,
    const judge_clause_t *plain);
static judge_opposite_e judge_clause_opposite(const uint8_t *a,
    const uint8_t *b);
static const judge_clause_t *judge_clause_nearest(const judge_clause_t *own,
    const judge_clause_t *clauses, size_t n);


judge_rc_e
judge_measure_contradiction(judge_measure_t *m)
{
    size_t                 i, n, nsource;
    judge_clause_t        *clauses, *source;
    judge_wording_t        w;
    const judge_clause_t  *near;

    if (m->source == NULL) {
        return JUDGE_OK;
    }

    if (judge_wording_create(&w, m->arena, m->source) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    clauses = judge_clauses(m->arena, &m->wording, &n);
    source = judge_clauses(m->arena, &w, &nsource);

    if (clauses == NULL || source == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < n; i++) {
        near = judge_clause_nearest(&clauses[i], source, nsource);

        if (near != NULL
            && (judge_clause_contradicts(&clauses[i], near)
                || judge_clause_renumbers(&clauses[i], near, source, nsource)))
        {
            judge_found(m, JUDGE_FOUND_CONTRADICTION,
                        m->wording.tokens[clauses[i].first],
                        m->wording.tokens[clauses[i].end - 1] + 1);
        }
    }

    return JUDGE_OK;
}


static judge_clause_t *
judge_clauses(judge_arena_t *arena, const judge_wording_t *w, size_t *n)
{
    size_t           i;
    judge_clause_t  *clauses, *clause;

    clauses = judge_array_alloc(arena, JUDGE_CLAUSES, sizeof(judge_clause_t));
    if (clauses == NULL) {
        return NULL;
    }

    *n = 0;
    clause = NULL;

    for (i = 0; i < w->n; i++) {
        if (clause == NULL || (clause->n > 1 && judge_clause_ends(w, i))
            || w->sentences[i] != w->sentences[clause->first])
        {
            if (*n == JUDGE_CLAUSES) {
                break;
            }

            clause = &clauses[(*n)++];
            clause->first = (uint32_t) i;
        }

        clause->end = (uint32_t) i + 1;
        judge_clause_word(clause, w, i);
    }

    return clauses;
}


static void
judge_clause_word(judge_clause_t *clause, const judge_wording_t *w, size_t i)
{
    size_t                end;
    judge_str_t           word;
    const uint8_t        *classes;
    const judge_type_t   *type;
    const judge_token_t  *token;

    token = &w->text->tokens[w->tokens[i]];
    type = &w->text->types[token->type];
    classes = judge_pattern_at(&judge_text_patterns, w, i, &end);

    if (classes != NULL && (classes[0] == JUDGE_FOUND_NEGATION
                            || classes[1] == JUDGE_FOUND_NEGATION))
    {
        clause->negations++;
        clause->negated |= 1u << clause->n;

        /* "öffnet nicht" */

        if (w->text->language != JUDGE_LANGUAGE_ENGLISH) {
            clause->negated |= 1u << clause->n >> 1;
        }

        return;
    }

    classes = judge_pattern_at(&judge_opposite_patterns, w, i, &end);

    if ((type->content || classes != NULL) && clause->n < JUDGE_CLAUSE_WORDS) {
        clause->stems[clause->n] = type->stem;
        word = w->types[token->type].lower;

        if (word.len > 0 && word.data[0] >= '0' && word.data[0] <= '9') {
            clause->stems[clause->n] = judge_clause_digits(word, 'a', 'z');
            clause->groups[clause->n] = judge_clause_digits(word, ',', '.');
            clause->numbers |= 1u << clause->n;
        }

        if (classes != NULL) {
            memcpy(clause->opposites[clause->n], classes, 2);
        }

        clause->n++;
    }
}


/* At a comma or the like, or at a word that joins clauses. */

static bool
judge_clause_ends(const judge_wording_t *w, size_t i)
{
    size_t                k;
    const judge_type_t   *type;
    const judge_token_t  *tokens;

    tokens = w->text->tokens;

    for (k = w->tokens[i - 1] + 1; k < w->tokens[i]; k++) {
        if (tokens[k].mark == ',' || tokens[k].mark == ';'
            || tokens[k].mark == ':')
        {
            return true;
        }
    }

    type = &w->text->types[tokens[w->tokens[i]].type];

    return (type->form & (JUDGE_W_COORDINATOR | JUDGE_W_SUBORDINATOR)) != 0;
}


static bool
judge_clause_has(const judge_clause_t *clause, uint32_t stem)
{
    size_t  i;

    for (i = 0; i < clause->n; i++) {
        if (clause->stems[i] == stem) {
            return true;
        }
    }

    return false;
}


/* NULL: none shares half of its words. */

static const judge_clause_t *
judge_clause_nearest(const judge_clause_t *own, const judge_clause_t *clauses,
    size_t n)
{
    size_t                 i, k, shared, best;
    const judge_clause_t  *nearest;

    nearest = NULL;
    best = JUDGE_CLAUSE_LEAST - 1;

    for (i = 0; i < n; i++) {
        for (k = 0, shared = 0; k < own->n; k++) {
            shared += judge_clause_has(&clauses[i], own->stems[k]);
        }

        if (shared > best) {
            best = shared;
            nearest = &clauses[i];
        }
    }

    return (double) best >= JUDGE_CLAUSE_SHARED * own->n ? nearest : NULL;
}


/* Whether what it shares is negated, and not something else in it: "it was
 * shut, hardly a surprise" says that it was. */

static bool
judge_clause_negates(const judge_clause_t *own, const judge_clause_t *other)
{
    size_t  i;

    for (i = 0; i < own->n; i++) {
        if (own->negated & 1u << i
            && (own->opposites[i][0] != 0
                || judge_clause_has(other, own->stems[i])))
        {
            return true;
        }
    }

    return false;
}


static bool
judge_clause_contradicts(const judge_clause_t *a, const judge_clause_t *b)
{
    size_t            i, k;
    bool              other;
    judge_opposite_e  found;

    other = ((a->negations ^ b->negations) & 1) != 0
            && judge_clause_negates(a, b) != judge_clause_negates(b, a);

    for (i = 0; i < a->n; i++) {
        if (a->opposites[i][0] == 0 || judge_clause_has(b, a->stems[i])) {
            continue;
        }

        for (k = 0; k < b->n; k++) {
            if (b->opposites[k][0] == 0 || judge_clause_has(a, b->stems[k])) {
                continue;
            }

            found = judge_clause_opposite(a->opposites[i], b->opposites[k]);

            if (found == JUDGE_OPPOSITE_EXCLUDES) {
                return true;
            }

            if (found == JUDGE_OPPOSITE_PAIR) {
                other = !other;
                break;
            }
        }
    }

    return other && !judge_clause_restates(a, b)
           && !judge_clause_restates(b, a);
}


/* A number that the source has nowhere stands where it has another one. */

static bool
judge_clause_renumbers(const judge_clause_t *own, const judge_clause_t *near,
    const judge_clause_t *source, size_t n)
{
    size_t    i;
    uint32_t  new, gone;

    if (n == JUDGE_CLAUSES) {
        return false;                  /* there may be more */
    }

    new = judge_clause_numbers(own, near);
    gone = judge_clause_numbers(near, own);

    for (i = 0; i < n && new != 0 && gone != 0; i++) {
        new &= judge_clause_numbers(own, &source[i]);
    }

    return new != 0 && gone != 0;
}


/* Those that the other lacks, a bit for each word. */

static uint32_t
judge_clause_numbers(const judge_clause_t *clause,
    const judge_clause_t *other)
{
    size_t    i;
    uint32_t  found;

    for (i = 0, found = 0; i < clause->n; i++) {
        found |= clause->numbers & 1u << i
                 && !judge_clause_has(other, clause->stems[i])
                 && !judge_clause_has(other, clause->groups[i]) ? 1u << i : 0;
    }

    return found;
}


/* The digits alone, "10km" is "10 km", or the first of them: many sources
 * have "1,600" as "1 , 600".  To a byte from low to high. */

static uint32_t
judge_clause_digits(judge_str_t word, char low, char high)
{
    size_t  n;

    for (n = 0; n < word.len && (word.data[n] < low || word.data[n] > high);
         n++)
    {
        /* void */
    }

    return (uint32_t) judge_fnv(JUDGE_FNV_START, word.data, n);
}


/* "Closed" may be said as "you can't buy". */

static bool
judge_clause_restates(const judge_clause_t *negated,
    const judge_clause_t *plain)
{
    size_t   i, k;
    uint8_t  class;

    if (!judge_clause_negates(negated, plain)
        || judge_clause_negates(plain, negated))
    {
        return false;
    }

    for (i = 0; i < plain->n; i++) {
        class = plain->opposites[i][0];

        for (k = 0; k < negated->n && negated->opposites[k][0] != class; k++) {
            /* void */
        }

        if (class != 0 && class < JUDGE_OPPOSITE_SETS && k == negated->n) {
            return true;
        }
    }

    return false;
}


static judge_opposite_e
judge_clause_opposite(const uint8_t *a, const uint8_t *b)
{
    size_t  i, k;

    for (i = 0; i < 2 && a[i] != 0; i++) {
        for (k = 0; k < 2 && b[k] != 0; k++) {
            if (a[i] == b[k] && a[i] >= JUDGE_OPPOSITE_SETS) {
                return JUDGE_OPPOSITE_EXCLUDES;
            }

            if (a[i] != b[k] && a[i] < JUDGE_OPPOSITE_SETS
                && (a[i] + 1) / 2 == (b[k] + 1) / 2)
            {
                return JUDGE_OPPOSITE_PAIR;
            }
        }
    }

    return JUDGE_OPPOSITE_NONE;
}
