/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Measures a text: its features, which are numbers, and the spots where
 * something was found.  A family of features has a file and a function;
 * judge_measure_text() runs them all.
 */


#ifndef JUDGE_FEATURE_H
#define JUDGE_FEATURE_H


#include "analysis/features/feature_list.h"
#include "analysis/text/math.h"
#include "analysis/text/phrase.h"
#include "analysis/text/text.h"
#include "analysis/text/vectors.h"


/* What a feature's count is divided by; see features.txt. */
typedef enum {
    JUDGE_UNIT_NONE,                   /* it has no count */
    JUDGE_UNIT_COUNT,                  /* nothing */
    JUDGE_UNIT_100_WORDS,
    JUDGE_UNIT_WORD,
    JUDGE_UNIT_SENTENCE
} judge_unit_e;

/* A row of features.txt. */
typedef struct {
    const char  *name;
    uint32_t     version;
    uint8_t      unit;                 /* judge_unit_e */
    uint8_t      counted;              /* the first judge_found_e that it
                                          counts, and the last; 0: none */
    uint8_t      counted_last;
    const char  *called;               /* its name for people; NULL: none */
    float        scale;                /* 0: 1 */
    uint8_t      decimals;
    bool         logarithm;
    bool         any_language;         /* it is measured in any language */
    bool         tables;               /* and in those with tables */
} judge_feature_t;

extern const judge_feature_t  judge_features[JUDGE_FEATURES];


/* What is wrong at a spot, for people. */
extern const char *const  judge_found_names[JUDGE_FOUND_KINDS];

/* A spot of a text is where something is wrong. */
typedef struct {
    uint32_t  first;                   /* tokens first .. end - 1 */
    uint32_t  end;
    uint8_t   kind;                    /* judge_found_e */
} judge_spot_t;

#define JUDGE_SPOTS  512               /* later ones are only counted */

/* A set of hashes that are not 0. */
typedef struct {
    uint64_t  *slots;
    size_t     mask;
} judge_hash_set_t;

typedef struct {
    judge_arena_t        *arena;
    judge_text_t         *text;
    judge_text_t         *source;      /* NULL: there is none */
    judge_text_t         *dialogue;    /* the source where the text answers it;
                                          NULL: it does not */
    judge_text_t         *question;    /* that the text answers, or NULL */
    uint64_t             *forms;       /* by token */
    uint64_t             *senses;      /* by token; those of a phrase are at
                                          its first word */
    const int8_t        **vectors;     /* by type; NULL for one without, and
                                          where the text can't be English */
    judge_meaning_t       meaning;     /* of the text */
    bool                  meant;       /* whether that is known */
    judge_rc_e            rc;          /* JUDGE_NOMEM once memory ran out */
    float                *v;           /* the features: JUDGE_FEATURES */
    double                n[JUDGE_FEATURES];         /* counts of those with a
                                                        unit */
    uint32_t              found[JUDGE_FOUND_KINDS];  /* how many spots */
    uint32_t              ncapital;    /* words with one that were looked up */
    judge_spot_t         *spots;       /* by family, then in text order */
    size_t                nspots;
} judge_measure_t;


/*
 * Runs all families over m->text.  The caller has set the arena and the texts,
 * and the rest to 0.  Returns JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_measure_text(judge_measure_t *m);

/* Whether a feature is measured in the language of the text, which may be
 * English where it is unknown.  If not, its number in m->v means nothing. */
bool judge_measured(const judge_measure_t *m, size_t feature);

/* Returns the vectors of the types of a text, NULL for a type without one;
 * NULL: there is no memory. */
const int8_t **judge_meaning_vectors(judge_arena_t *arena,
    const judge_text_t *t);

/* Returns a hash of the words at tokens i - 1 and i; 0: one is no word. */
uint64_t judge_pair_at(const judge_text_t *t, size_t i);

/* Makes a set for at most `max` hashes.  Returns JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_hash_set_create(judge_hash_set_t *set, judge_arena_t *arena,
    size_t max);
bool judge_hash_set_add(judge_hash_set_t *set, uint64_t hash);
                                       /* false: the set has it already */
bool judge_hash_set_has(const judge_hash_set_t *set, uint64_t hash);

/* Returns the slot of a hash, or the free one where it would be.  After
 * JUDGE_PROBES slots it is the last of them, whose hash is lost when another
 * one is added. */
size_t judge_hash_set_slot(const judge_hash_set_t *set, uint64_t hash);

/* Sets *share to that of the triples of words of t that `source` has, too.
 * Returns JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_triples_share(judge_arena_t *arena, const judge_text_t *t,
    const judge_text_t *source, double *share);

/* Sets *repeats to whether fewer than this share of the triples of words of t
 * are distinct.  Returns JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_triples_repeat(judge_arena_t *arena, const judge_text_t *t,
    double share, bool *repeats);


/* Whether token i is an emoji or the end of ":-)". */
bool judge_is_emoticon(const judge_text_t *t, size_t i);

/* The families run in this order, and only on a text with words. */

void judge_measure_length(judge_measure_t *m);
void judge_measure_vocabulary(judge_measure_t *m);
void judge_measure_spelling(judge_measure_t *m);
void judge_measure_grammar(judge_measure_t *m);
void judge_measure_cohesion(judge_measure_t *m);
void judge_measure_model(judge_measure_t *m);
void judge_measure_tone(judge_measure_t *m);
void judge_measure_source(judge_measure_t *m);
void judge_measure_meaning(judge_measure_t *m);

/* Counts a spot; one without tokens has no place to show. */

static inline void
judge_found(judge_measure_t *m, judge_found_e kind, size_t first, size_t end)
{
    m->found[kind]++;

    if (m->nspots < JUDGE_SPOTS && end > first) {
        m->spots[m->nspots++] = (judge_spot_t) { (uint32_t) first,
                                                 (uint32_t) end,
                                                 (uint8_t) kind };
    }
}


#endif /* JUDGE_FEATURE_H */
