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


#include "analysis/text/math.h"
#include "analysis/text/text.h"


typedef enum {

    /* feature_length.c */
    JUDGE_F_WORDS,                 /* ln(1 + words) */
    JUDGE_F_SENTENCES,             /* ln(1 + sentences) */
    JUDGE_F_PARAGRAPHS,            /* ln(1 + paragraphs) */
    JUDGE_F_SENTENCE_WORDS,        /* words in a sentence, mean */
    JUDGE_F_SENTENCE_SPREAD,       /* standard deviation over the mean */
    JUDGE_F_SENTENCE_LONGEST,      /* words */
    JUDGE_F_LONG_SENTENCES,        /* share of those over 35 words */
    JUDGE_F_PARAGRAPH_WORDS,       /* words in a paragraph, mean */
    JUDGE_F_LARGEST_PARAGRAPH,     /* share of the words that it holds */
    JUDGE_F_WORD_LETTERS,          /* letters in a word, mean */
    JUDGE_F_WORD_SYLLABLES,
    JUDGE_F_LONG_WORDS,            /* share of words over 6 letters */
    JUDGE_F_FLESCH,                /* reading ease, 0 to about 100 */
    JUDGE_F_GRADE,                 /* Flesch-Kincaid grade */

    /* feature_vocabulary.c */
    JUDGE_F_TYPES,                 /* ln(1 + distinct words) */
    JUDGE_F_TYPES_ROOT,            /* types / sqrt(2 * words) */
    JUDGE_F_WINDOW_RATIO,          /* types / words in windows of 50 */
    JUDGE_F_MTLD,
    JUDGE_F_CONTENT_SHARE,         /* words of the topic, of all */
    JUDGE_F_RARITY,                /* -log10 of the share of English; mean
                                      over distinct words of the topic */
    JUDGE_F_RARITY_HIGH,           /* the same, 90th percentile */
    JUDGE_F_RARE_WORDS,            /* distinct rare words, of distinct */
    JUDGE_F_RARE_TYPES,            /* ln(1 + distinct rare words) */
    JUDGE_F_ACADEMIC,              /* share of words */
    JUDGE_F_VAGUE,
    JUDGE_F_INTENSIFIERS,
    JUDGE_F_INFORMAL,
    JUDGE_F_CONTRACTIONS,          /* of 100 words */
    JUDGE_F_SENSORY,
    JUDGE_F_DERIVED,               /* nouns like "education", of words */

    /* feature_spelling.c; of 100 words unless noted */
    JUDGE_F_MISSPELLED,
    JUDGE_F_MISSPELLED_TYPES,      /* of 100 distinct words */
    JUDGE_F_MISSPELLED_ROOT,       /* the root of MISSPELLED */
    JUDGE_F_APOSTROPHES,           /* "dont" */
    JUDGE_F_SMALL_STARTS,          /* share of sentences */
    JUDGE_F_SMALL_I,               /* i, and months and names of languages */
    JUDGE_F_ODD_CAPITALS,          /* a capital inside a sentence */
    JUDGE_F_SHOUTED,               /* words in capitals */
    JUDGE_F_SPACING,               /* "word ,next" */
    JUDGE_F_MARKS_REPEATED,        /* "!!!" */
    JUDGE_F_UNFINISHED,            /* sentences without a mark at the end */
    JUDGE_F_CONVENTION_SLIPS,      /* all of the above together */

    /* feature_grammar.c; of 100 words */
    JUDGE_F_AGREEMENT,             /* "he have" */
    JUDGE_F_VERB_FORM,             /* "to went", "can goes" */
    JUDGE_F_NUMBER,                /* "many thing", "a books" */
    JUDGE_F_ARTICLES,              /* "a apple" */
    JUDGE_F_DOUBLED,               /* "the the" */
    JUDGE_F_NO_VERB,               /* share of sentences */
    JUDGE_F_RUN_ON,                /* share of sentences */
    JUDGE_F_GRAMMAR_SLIPS,         /* all but the last two together */

    /* feature_syntax.c */
    JUDGE_F_SUBORDINATION,         /* in a sentence */
    JUDGE_F_CLAUSE_WORDS,          /* words for one finite verb */
    JUDGE_F_RELATIVES,             /* of 100 words */
    JUDGE_F_PREPOSITIONS,          /* share of words */
    JUDGE_F_COORDINATION,          /* and, but, or, so; share of words */
    JUDGE_F_COMMAS,                /* of 100 words */
    JUDGE_F_MARK_KINDS,            /* kinds of punctuation, 0 to 8 */
    JUDGE_F_OPENINGS,              /* share of sentences that open anew */
    JUDGE_F_ANDS_FIRST,            /* sentences that open with and, but, so */
    JUDGE_F_PASSIVE,               /* in a sentence */
    JUDGE_F_PRONOUNS,              /* share of words */
    JUDGE_F_ARTICLE_SHARE,
    JUDGE_F_MODALS,

    /* feature_cohesion.c */
    JUDGE_F_CONNECTIVES,           /* of 100 words */
    JUDGE_F_CONNECTIVE_KINDS,      /* of the seven kinds */
    JUDGE_F_CONNECTIVE_TYPES,      /* ln(1 + different ones) */
    JUDGE_F_OVERLAP,               /* sentences that take up a word of the
                                      topic from the one before, share */
    JUDGE_F_OVERLAP_DEGREE,        /* Dice of neighbouring sentences */
    JUDGE_F_GIVEN,                 /* topic words that came before ("given") */
    JUDGE_F_PARAGRAPH_OVERLAP,     /* Dice of neighbouring paragraphs */
    JUDGE_F_FRAME,                 /* the end takes up the beginning */
    JUDGE_F_DEMONSTRATIVES,        /* of 100 words */
    JUDGE_F_CONCLUDING,            /* 1: something concludes */
    JUDGE_F_ORDERED,               /* ln(1 + words that order) */
    JUDGE_F_PARAGRAPHING,          /* how near to the usual three to seven
                                      of balanced size, 0 to 1 */

    /* feature_repeat.c */
    JUDGE_F_REPEATED_PAIRS,        /* share of pairs of words seen before */
    JUDGE_F_REPEATED_TRIPLES,
    JUDGE_F_REPEATED_FIVES,
    JUDGE_F_REPEATED_SENTENCES,    /* share */
    JUDGE_F_TOP_WORD,              /* share of its topic words */

    /* feature_ngram.c */
    JUDGE_F_MODEL,                 /* log10 of a word's probability, mean */
    JUDGE_F_MODEL_UNIGRAM,         /* without regard to the word before */
    JUDGE_F_MODEL_GAIN,            /* by knowing the word before */
    JUDGE_F_MODEL_UNSEEN,          /* share of pairs it does not know */
    JUDGE_F_MODEL_UNSEEN_COMMON,   /* the same, of pairs of common words */
    JUDGE_F_MODEL_TRIPLES,         /* share of runs of three that it knows */
    JUDGE_F_MODEL_SENTENCE_LOW,    /* of the least probable sentence */
    JUDGE_F_MODEL_SPREAD,          /* over the sentences */

    /* feature_evidence.c; of 100 words */
    JUDGE_F_NUMBERS,
    JUDGE_F_QUOTED,                /* share of words */
    JUDGE_F_CITES,                 /* links, "(Smith, 2001)", "according to" */
    JUDGE_F_EXAMPLES,
    JUDGE_F_EVIDENCE_WORDS,
    JUDGE_F_REPORTED,
    JUDGE_F_NAMES,
    JUDGE_F_HEDGES,
    JUDGE_F_BOOSTERS,
    JUDGE_F_OPINIONS,
    JUDGE_F_CONCESSIONS,
    JUDGE_F_REASONS,               /* causal connectives */
    JUDGE_F_NARRATIVE,

    /* feature_tone.c */
    JUDGE_F_VALENCE,               /* -1 to 1 */
    JUDGE_F_AROUSAL,
    JUDGE_F_DOMINANCE,
    JUDGE_F_POSITIVE,              /* of 100 words */
    JUDGE_F_NEGATIVE,
    JUDGE_F_EMOTION,
    JUDGE_F_POLITE,
    JUDGE_F_INSULTS,
    JUDGE_F_EXCLAMATIONS,          /* in a sentence */
    JUDGE_F_QUESTIONS,
    JUDGE_F_FIRST_PERSON,
    JUDGE_F_SECOND_PERSON,
    JUDGE_F_NEGATIONS,

    /* feature_topic.c: the criteria's words and the references */
    JUDGE_F_TOPIC_WORDS,           /* share of the rubric's topic words met */
    JUDGE_F_TOPIC_DENSITY,         /* of 100 words */
    JUDGE_F_REFERENCES,            /* references there are, 0 or 1 */
    JUDGE_F_REFERENCE_COSINE,      /* of the nearest */
    JUDGE_F_REFERENCE_RECALL,      /* topic words of it that are met */
    JUDGE_F_REFERENCE_PAIRS,       /* pairs of words shared, of the text's */

    /* feature_source.c: all 0 without a source */
    JUDGE_F_SOURCE,                /* 1: there is one */
    JUDGE_F_SOURCE_WORDS,          /* topic words that the source has */
    JUDGE_F_SOURCE_PAIRS,          /* pairs of words, likewise */
    JUDGE_F_SOURCE_TRIPLES,
    JUDGE_F_SOURCE_COPIED,         /* words in copied stretches of 4 and
                                      more, share */
    JUDGE_F_SOURCE_STRETCH,        /* ln(1 + mean length of the stretches) */
    JUDGE_F_SOURCE_LONGEST,        /* ln(1 + longest) */
    JUDGE_F_SOURCE_NOVEL_NAMES,    /* of 100 words */
    JUDGE_F_SOURCE_NOVEL_NUMBERS,
    JUDGE_F_SOURCE_NOVEL_SENTENCE, /* topic words the source lacks, worst
                                      sentence, share */
    JUDGE_F_SOURCE_SUPPORT,        /* topic words of a sentence that one
                                      sentence of the source has, mean */
    JUDGE_F_SOURCE_SUPPORT_LOW,    /* ... of the worst sentence */
    JUDGE_F_SOURCE_ODD_PAIRS,      /* pairs of words that neither the source
                                      nor the model of English has, share */
    JUDGE_F_SOURCE_WHOLE,          /* beginnings and ends of sentences that
                                      are such in the source, share */
    JUDGE_F_SOURCE_COSINE,         /* of the rare words above all */
    JUDGE_F_SOURCE_RECALL,         /* of its topic words, by how often */
    JUDGE_F_SOURCE_SALIENT,        /* of its 20 most frequent */
    JUDGE_F_SOURCE_LEAD,           /* of the topic words in its first tenth */
    JUDGE_F_SOURCE_POSITION,       /* where the matches stand, mean 0 to 1 */
    JUDGE_F_SOURCE_SPREAD,         /* ... and their standard deviation */
    JUDGE_F_SOURCE_ORDER,          /* sentences in the source's order */
    JUDGE_F_SOURCE_LENGTH,         /* ln of words over the source's */

    JUDGE_FEATURES
} judge_feature_e;

/*
 * A feature and the words of feedback about it.  The version is that of the
 * definition: it is raised whenever a text may get another value than before,
 * be it by the code, the word lists or the model of English.  What judges have
 * learned depends on it.
 */
typedef struct {
    const char  *name;
    uint32_t     version;
    const char  *text;                 /* "%s misspelled words in 100"; NULL
                                          where no trait uses the feature */
    const char  *none;                 /* instead, where the number is 0 */
    const char  *one;                  /* instead, where it is 1; where it
                                          counts without decimals */
    const char  *if_low;               /* advice; NULL: none */
    const char  *if_high;
    float        scale;                /* of the number; 0: 1 */
    uint8_t      decimals;
    uint8_t      found;                /* where: a judge_found_e ... */
    uint8_t      last;                 /* ... to this one, if not 0 */
    bool         logarithm;            /* ln(1 + x) is measured, x is shown */
    bool         squared;              /* a root is measured */
} judge_feature_t;

extern const judge_feature_t  judge_features[JUDGE_FEATURES];


/* What is found at a place. */

typedef enum {
    JUDGE_FOUND_NONE,
    JUDGE_FOUND_MISSPELLED,
    JUDGE_FOUND_APOSTROPHE,
    JUDGE_FOUND_SMALL_START,
    JUDGE_FOUND_SMALL_I,
    JUDGE_FOUND_ODD_CAPITAL,
    JUDGE_FOUND_SHOUTED,
    JUDGE_FOUND_SPACING,
    JUDGE_FOUND_MARKS,
    JUDGE_FOUND_UNFINISHED,
    JUDGE_FOUND_AGREEMENT,
    JUDGE_FOUND_VERB_FORM,
    JUDGE_FOUND_NUMBER,
    JUDGE_FOUND_ARTICLE,
    JUDGE_FOUND_DOUBLED,
    JUDGE_FOUND_NO_VERB,
    JUDGE_FOUND_RUN_ON,
    JUDGE_FOUND_LONG_SENTENCE,
    JUDGE_FOUND_VAGUE,
    JUDGE_FOUND_INFORMAL,
    JUDGE_FOUND_CONNECTIVE,
    JUDGE_FOUND_UNLINKED,              /* a sentence without a tie */
    JUDGE_FOUND_REPEATED,
    JUDGE_FOUND_ODD_PAIR,              /* least probable pair of words */
    JUDGE_FOUND_IMPROBABLE,            /* least probable sentence */
    JUDGE_FOUND_FIGURE,
    JUDGE_FOUND_QUOTATION,
    JUDGE_FOUND_CITATION,
    JUDGE_FOUND_EXAMPLE,
    JUDGE_FOUND_REASON,
    JUDGE_FOUND_OPINION,
    JUDGE_FOUND_HEDGE,
    JUDGE_FOUND_POSITIVE,
    JUDGE_FOUND_NEGATIVE,
    JUDGE_FOUND_INTENSE,
    JUDGE_FOUND_POLITE,
    JUDGE_FOUND_INSULT,
    JUDGE_FOUND_NOVEL_NAME,
    JUDGE_FOUND_NOVEL_NUMBER,
    JUDGE_FOUND_NOVEL_SENTENCE,
    JUDGE_FOUND_NOVEL_PAIR,
    JUDGE_FOUND_COPIED,

    JUDGE_FOUND_KINDS
} judge_found_e;

/* What is wrong at a place; NULL: the feature's words suffice. */
extern const char *const  judge_found_names[JUDGE_FOUND_KINDS];

#define JUDGE_PLACES  1

typedef struct {
    uint32_t  first;                   /* tokens first .. end - 1 */
    uint32_t  end;
} judge_place_t;

typedef struct {
    uint32_t       count;              /* all that were found */
    judge_place_t  places[JUDGE_PLACES];             /* the first of them */
} judge_found_t;

/* A set of hashes that are not 0. */
typedef struct {
    uint64_t  *slots;
    size_t     mask;
} judge_pairs_t;

/* A reference or the rubric's words, made ready to be compared with. */
typedef struct {
    uint32_t       *stems;             /* hash table, 0: free */
    uint32_t       *counts;            /* of the stem in the same slot */
    size_t          nstems;            /* distinct */
    size_t          slots;             /* a power of two */
    judge_pairs_t   pairs;             /* of words */
    double          norm;              /* of the vector of root counts */
} judge_topic_t;

typedef struct {
    judge_arena_t        *arena;
    judge_text_t         *text;
    judge_text_t         *source;      /* NULL: none */
    const judge_topic_t  *rubric;
    const judge_topic_t  *references;
    size_t                nreferences;
    uint64_t             *forms;       /* of the tokens */
    uint64_t             *senses;      /* of the tokens; a phrase's stand at
                                          its first word, 0 at the others */
    uint8_t              *spans;       /* tokens of the phrase; 1: a word */
    float                *v;           /* JUDGE_FEATURES of them */
    judge_found_t         found[JUDGE_FOUND_KINDS];
} judge_measure_t;


/*
 * Runs all families over m->text; arena, texts, rubric and references are
 * set by the caller, the rest is made here.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_measure(judge_measure_t *m);

/* JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_topic_build(judge_topic_t *topic, judge_arena_t *arena,
    const judge_text_t *text);

/* The pair of words that ends at token i, as a hash; 0: there is none. */
uint64_t judge_pair_at(const judge_text_t *t, size_t i);

/* For at most `max` hashes.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_pairs_create(judge_pairs_t *pairs, judge_arena_t *arena,
    size_t max);
bool judge_pairs_add(judge_pairs_t *pairs, uint64_t hash); /* false: had it */
bool judge_pairs_has(const judge_pairs_t *pairs, uint64_t hash);

/* How often the topic has the stem. */
uint32_t judge_topic_count(const judge_topic_t *topic, uint32_t stem);


/* The families; a text has at least one word when they run. */

judge_rc_e judge_measure_length(judge_measure_t *m);
judge_rc_e judge_measure_vocabulary(judge_measure_t *m);
judge_rc_e judge_measure_spelling(judge_measure_t *m);
judge_rc_e judge_measure_grammar(judge_measure_t *m);
judge_rc_e judge_measure_syntax(judge_measure_t *m);
judge_rc_e judge_measure_cohesion(judge_measure_t *m);
judge_rc_e judge_measure_repeat(judge_measure_t *m);
judge_rc_e judge_measure_model(judge_measure_t *m);
judge_rc_e judge_measure_evidence(judge_measure_t *m);
judge_rc_e judge_measure_tone(judge_measure_t *m);
judge_rc_e judge_measure_topic(judge_measure_t *m);
judge_rc_e judge_measure_source(judge_measure_t *m);
judge_rc_e judge_measure_support(judge_measure_t *m);


/* What the families share. */

static inline void
judge_found(judge_measure_t *m, judge_found_e kind, size_t first, size_t end)
{
    judge_found_t  *f;

    f = &m->found[kind];

    if (f->count < JUDGE_PLACES) {
        f->places[f->count] = (judge_place_t) { (uint32_t) first,
                                                (uint32_t) end };
    }

    f->count++;
}

/* Of 100 words. */

static inline float
judge_per_100(const judge_text_t *t, double n)
{
    return (float) judge_share(100 * n, (double) t->nwords);
}


#endif /* JUDGE_FEATURE_H */
