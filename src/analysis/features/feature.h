/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What is measured in a text: the dense features, and the passages where
 * something was found.  One family of features is one file and one function
 * here; judge_measure() runs them all.
 */


#ifndef JUDGE_FEATURE_H
#define JUDGE_FEATURE_H


#include "analysis/features/feature_list.h"
#include "analysis/text/math.h"
#include "analysis/text/phrase.h"
#include "analysis/text/text.h"
#include "analysis/text/vectors.h"


/* What becomes of the count of a feature; see features.txt. */
typedef enum {
    JUDGE_UNIT_NONE,                   /* it is not counted */
    JUDGE_UNIT_COUNT,
    JUDGE_UNIT_100_WORDS,
    JUDGE_UNIT_WORD,
    JUDGE_UNIT_SENTENCE
} judge_unit_e;

/* A feature and the words of feedback about it, as features.txt has them. */
typedef struct {
    const char  *name;
    uint32_t     version;
    uint8_t      unit;
    uint8_t      counted;              /* a judge_found_e, to ... */
    uint8_t      counted_last;
    const char  *called;               /* by people; NULL: nothing */
    float        scale;                /* 0: 1 */
    uint8_t      decimals;
    bool         logarithm;
    bool         any_language;         /* not only of English */
    bool         tables;               /* of languages with tables, too */
} judge_feature_t;

extern const judge_feature_t  judge_features[JUDGE_FEATURES];


/* What is wrong at a place; NULL: what is said of it is enough. */
extern const char *const  judge_found_names[JUDGE_FOUND_KINDS];

/* A place where something is wrong, in the order they were found. */
typedef struct {
    uint32_t  first;                   /* tokens first .. end - 1 */
    uint32_t  end;
    uint8_t   kind;                    /* judge_found_e */
} judge_spot_t;

#define JUDGE_SPOTS  512               /* of a text are kept, at most */

/* A set of hashes that are not 0. */
typedef struct {
    uint64_t  *slots;
    size_t     mask;
} judge_pairs_t;

/* The words of a text, made ready to be compared with. */
typedef struct {
    judge_pairs_t   stems;
    uint32_t       *counts;            /* of the stem in the same slot */
    judge_pairs_t   pairs;             /* of words */
} judge_topic_t;

typedef struct {
    judge_arena_t        *arena;
    judge_text_t         *text;
    judge_text_t         *source;      /* NULL: none */
    judge_text_t         *dialogue;    /* that the text answers; NULL: none */
    judge_text_t         *question;    /* that the text answers; NULL: none */
    uint64_t             *forms;       /* of the tokens */
    uint64_t             *senses;      /* of the tokens; a phrase's stand at
                                          its first word */
    const int8_t        **vectors;     /* of the types, NULL where there is
                                          none; only of what may be English */
    judge_meaning_t       meaning;     /* of the text */
    bool                  meant;       /* it is known */
    float                *v;           /* JUDGE_FEATURES of them */
    double                n[JUDGE_FEATURES];         /* those with a unit */
    uint32_t              found[JUDGE_FOUND_KINDS];  /* how many */
    judge_spot_t         *spots;
    size_t                nspots;
} judge_measure_t;


/*
 * Runs all families over m->text; arena and texts are set by the caller, the
 * rest is made here.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_measure_text(judge_measure_t *m);

/* Whether the feature means anything in the language of the text; where it is
 * unknown, the text may be English.  Else it is missing, whatever is in v. */
bool judge_measured(const judge_measure_t *m, size_t feature);

/* The slot of a stem, or the free one where it would be; the last one that
 * is tried is shared. */
size_t judge_topic_slot(const judge_topic_t *topic, uint32_t stem);

/* JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_topic_build(judge_topic_t *topic, judge_arena_t *arena,
    const judge_text_t *text);

/* Of the types of a text, NULL for those that have none; NULL: memory is
 * exhausted. */
const int8_t **judge_meaning_vectors(judge_arena_t *arena,
    const judge_text_t *t);

/* The pair of words that ends at token i, as a hash; 0: there is none. */
uint64_t judge_pair_at(const judge_text_t *t, size_t i);

/* For at most `max` hashes.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_pairs_create(judge_pairs_t *pairs, judge_arena_t *arena,
    size_t max);
bool judge_pairs_add(judge_pairs_t *pairs, uint64_t hash); /* false: had it */
bool judge_pairs_has(const judge_pairs_t *pairs, uint64_t hash);

/* The share of a text's triples of words that stand in `of`.  JUDGE_OK or
 * JUDGE_NOMEM. */
judge_rc_e judge_triples_share(judge_arena_t *arena, const judge_text_t *t,
    const judge_text_t *of, double *share);

/* Whether a smaller share of them stands there for the first time. */
judge_rc_e judge_triples_repeat(judge_arena_t *arena, const judge_text_t *t,
    double share, bool *repeats);

/* How often the topic has the stem. */
uint32_t judge_topic_count(const judge_topic_t *topic, uint32_t stem);


/* The families; a text has at least one word when they run. */

judge_rc_e judge_measure_length(judge_measure_t *m);
judge_rc_e judge_measure_vocabulary(judge_measure_t *m);
judge_rc_e judge_measure_spelling(judge_measure_t *m);
judge_rc_e judge_measure_grammar(judge_measure_t *m);
judge_rc_e judge_measure_cohesion(judge_measure_t *m);
judge_rc_e judge_measure_model(judge_measure_t *m);
judge_rc_e judge_measure_tone(judge_measure_t *m);
judge_rc_e judge_measure_source(judge_measure_t *m);
judge_rc_e judge_measure_meaning(judge_measure_t *m);

/* What the families share. */

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
