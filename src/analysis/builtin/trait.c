/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What each trait is made of.  Weights are small whole numbers, set by what
 * is known of the features, not fitted; middles and spreads are those of
 * ordinary English prose.
 */


#include "analysis/builtin/trait.h"


#define JUDGE_GAIN              2.0
#define JUDGE_REFERENCES_COUNT  0.35   /* of a score, where there are some */
#define JUDGE_REFERENCES_MAIN   0.8    /* where it is what is asked for */

#define more(feature, weight, middle, spread)                                 \
    { JUDGE_TERM_MORE, JUDGE_F_##feature, weight, middle, spread }
#define less(feature, weight, middle, spread)                                 \
    { JUDGE_TERM_LESS, JUDGE_F_##feature, weight, middle, spread }
#define near(feature, weight, middle, spread)                                 \
    { JUDGE_TERM_NEAR, JUDGE_F_##feature, weight, middle, spread }
#define end                                                                   \
    { JUDGE_TERM_END, 0, 0, 0, 0 }


static const judge_term_t  judge_grammar_terms[] = {
    more(MODEL_GAIN, 5, 0.68f, 0.13f),
    less(GRAMMAR_SLIPS, 2, 0.4f, 0.5f),
    less(CONVENTION_SLIPS, 2, 4, 4),
    less(MISSPELLED_ROOT, 1, 1, 1),
    less(MODEL_UNSEEN_COMMON, 1, 0.006f, 0.008f),
    less(RUN_ON, 1, 0.15f, 0.2f),
    more(RARITY, 1, 3.9f, 0.2f),
    more(MTLD, 1, 60, 20),
    more(TYPES, 1, 5, 0.4f),
    end
};

static const judge_term_t  judge_conventions_terms[] = {
    less(CONVENTION_SLIPS, 4, 4, 4),
    less(MISSPELLED_ROOT, 3, 1, 1),
    less(SMALL_STARTS, 1, 0.1f, 0.2f),
    more(MODEL_GAIN, 3, 0.68f, 0.13f),
    less(SMALL_I, 1, 0.3f, 0.8f),
    less(SPACING, 1, 0.5f, 1),
    less(RUN_ON, 1, 0.15f, 0.2f),
    more(COMMAS, 1, 3.5f, 2.2f),
    more(RARITY, 1, 3.9f, 0.2f),
    more(TYPES, 1, 5, 0.4f),
    end
};

static const judge_term_t  judge_vocabulary_terms[] = {
    more(TYPES, 3, 5, 0.4f),
    more(RARITY, 2, 3.9f, 0.2f),
    more(RARE_TYPES, 2, 2, 0.7f),
    more(MTLD, 2, 60, 20),
    more(TYPES_ROOT, 1, 5.2f, 0.9f),
    more(MODEL_GAIN, 3, 0.68f, 0.13f),
    less(MISSPELLED_ROOT, 2, 1, 1),
    less(CONVENTION_SLIPS, 1, 4, 4),
    more(ACADEMIC, 1, 0.03f, 0.02f),
    more(DERIVED, 1, 1.8f, 1.5f),
    less(VAGUE, 1, 0.07f, 0.03f),
    end
};

static const judge_term_t  judge_syntax_terms[] = {
    more(MODEL_GAIN, 4, 0.68f, 0.13f),
    more(TYPES, 2, 5, 0.4f),
    less(CONVENTION_SLIPS, 2, 4, 4),
    less(RUN_ON, 1, 0.15f, 0.2f),
    less(LONG_SENTENCES, 1, 0.2f, 0.2f),
    less(GRAMMAR_SLIPS, 1, 0.4f, 0.5f),
    more(PASSIVE, 1, 0.08f, 0.1f),
    more(MTLD, 2, 60, 20),
    more(RARITY, 1, 3.9f, 0.2f),
    more(CONNECTIVE_TYPES, 1, 2.3f, 0.4f),
    more(MARK_KINDS, 1, 2, 1.2f),
    end
};

static const judge_term_t  judge_cohesion_terms[] = {
    more(CONNECTIVE_TYPES, 4, 2.3f, 0.4f),
    more(MODEL_GAIN, 3, 0.68f, 0.13f),
    more(TYPES, 2, 5, 0.4f),
    more(CONCLUDING, 1, 0.5f, 0.5f),
    more(PARAGRAPHING, 2, 0.7f, 0.3f),
    more(FRAME, 1, 0.4f, 0.2f),
    more(ORDERED, 1, 0.7f, 0.7f),
    less(CONVENTION_SLIPS, 2, 4, 4),
    less(RUN_ON, 1, 0.15f, 0.2f),
    more(RARITY, 1, 3.9f, 0.2f),
    near(OVERLAP, 1, 0.65f, 0.4f),
    end
};

static const judge_term_t  judge_phraseology_terms[] = {
    more(MODEL_GAIN, 5, 0.68f, 0.13f),
    more(TYPES, 3, 5, 0.4f),
    more(MTLD, 2, 60, 20),
    less(MODEL_UNSEEN_COMMON, 1, 0.006f, 0.008f),
    less(CONVENTION_SLIPS, 2, 4, 4),
    less(GRAMMAR_SLIPS, 1, 0.4f, 0.5f),
    more(RARITY, 1, 3.9f, 0.2f),
    more(PASSIVE, 1, 0.08f, 0.1f),
    more(CONNECTIVE_TYPES, 1, 2.3f, 0.4f),
    end
};

static const judge_term_t  judge_organization_terms[] = {
    more(PARAGRAPHING, 3, 0.5f, 0.4f),
    more(TYPES, 2, 5, 0.5f),
    more(CONNECTIVE_TYPES, 1, 2.5f, 0.5f),
    more(ORDERED, 1, 0.7f, 0.7f),
    more(CONCLUDING, 1, 0.5f, 0.5f),
    more(FRAME, 1, 0.35f, 0.25f),
    less(REPEATED_SENTENCES, 1, 0.02f, 0.05f),
    end
};

static const judge_term_t  judge_clarity_terms[] = {
    less(LONG_SENTENCES, 2, 0.15f, 0.2f),
    less(VAGUE, 1, 0.07f, 0.04f),
    less(GRAMMAR_SLIPS, 2, 0.8f, 1),
    less(CONVENTION_SLIPS, 2, 5, 5),
    less(RUN_ON, 1, 0.15f, 0.2f),
    near(FLESCH, 1, 65, 30),
    more(CONNECTIVES, 1, 4, 2),
    end
};

static const judge_term_t  judge_readability_terms[] = {
    more(FLESCH, 3, 60, 20),
    less(SENTENCE_WORDS, 2, 20, 8),
    less(LONG_WORDS, 1, 0.22f, 0.08f),
    less(RARE_WORDS, 1, 0.2f, 0.15f),
    less(CONVENTION_SLIPS, 1, 5, 5),
    end
};

static const judge_term_t  judge_quote_check_terms[] = {
    more(EVIDENCE_WORDS, 2, 0.8f, 0.8f),
    more(NUMBERS, 2, 0.6f, 0.8f),
    more(CITES, 2, 0.1f, 0.3f),
    more(EXAMPLES, 2, 0.4f, 0.4f),
    more(QUOTED, 1, 0.02f, 0.05f),
    more(NAMES, 1, 1, 1.5f),
    more(REPORTED, 1, 0.4f, 0.5f),
    more(WORDS, 2, 5.8f, 0.6f),
    end
};

static const judge_term_t  judge_argument_terms[] = {
    more(REASONS, 2, 1.2f, 0.8f),
    more(TYPES, 2, 5, 0.5f),
    more(CONCESSIONS, 1, 0.1f, 0.2f),
    more(OPINIONS, 1, 1.5f, 1.2f),
    more(EVIDENCE_WORDS, 1, 0.8f, 0.8f),
    more(EXAMPLES, 1, 0.4f, 0.4f),
    more(CONNECTIVE_TYPES, 1, 2.5f, 0.5f),
    more(ACADEMIC, 1, 0.04f, 0.03f),
    less(INSULTS, 1, 0.2f, 0.3f),
    end
};

static const judge_term_t  judge_development_terms[] = {
    more(WORDS, 3, 5.6f, 0.8f),
    more(TYPES, 2, 5, 0.5f),
    more(RARE_TYPES, 1, 2.2f, 0.9f),
    more(EXAMPLES, 1, 0.4f, 0.4f),
    more(EVIDENCE_WORDS, 1, 0.8f, 0.8f),
    less(VAGUE, 1, 0.07f, 0.04f),
    less(REPEATED_TRIPLES, 1, 0.05f, 0.05f),
    end
};

static const judge_term_t  judge_conciseness_terms[] = {
    less(WORDS, 2, 5, 1.2f),
    less(REPEATED_TRIPLES, 2, 0.05f, 0.05f),
    less(VAGUE, 1, 0.07f, 0.04f),
    less(INTENSIFIERS, 1, 0.015f, 0.015f),
    less(SENTENCE_WORDS, 1, 20, 8),
    more(CONTENT_SHARE, 1, 0.45f, 0.08f),
    more(WINDOW_RATIO, 1, 0.78f, 0.06f),
    end
};

static const judge_term_t  judge_formality_terms[] = {
    less(INFORMAL, 2, 0.008f, 0.01f),
    less(CONTRACTIONS, 1, 0.8f, 1),
    less(FIRST_PERSON, 1, 3, 3),
    less(SECOND_PERSON, 1, 1.5f, 2),
    less(EXCLAMATIONS, 1, 0.03f, 0.08f),
    more(WORD_LETTERS, 2, 4.5f, 0.4f),
    more(ACADEMIC, 1, 0.04f, 0.03f),
    more(PREPOSITIONS, 1, 0.11f, 0.03f),
    less(CONVENTION_SLIPS, 1, 5, 5),
    end
};

static const judge_term_t  judge_politeness_terms[] = {
    less(INSULTS, 4, 0.15f, 0.2f),
    more(POLITE, 3, 0.5f, 1),
    more(VALENCE, 2, 0, 0.5f),
    less(SHOUTED, 1, 0.5f, 1),
    less(MARKS_REPEATED, 1, 0.2f, 0.5f),
    end
};

static const judge_term_t  judge_positivity_terms[] = {
    more(VALENCE, 4, 0, 0.4f),
    more(POSITIVE, 1, 3, 3),
    less(NEGATIVE, 2, 2, 3),
    less(NEGATIONS, 1, 1.5f, 2),
    less(INSULTS, 1, 0.15f, 0.2f),
    end
};

static const judge_term_t  judge_intensity_terms[] = {
    more(AROUSAL, 3, 0, 0.2f),
    more(EXCLAMATIONS, 3, 0.05f, 0.15f),
    more(EMOTION, 2, 4, 4),
    more(SHOUTED, 1, 0.3f, 1),
    more(PRONOUNS, 1, 0.1f, 0.08f),
    less(ACADEMIC, 1, 0.03f, 0.03f),
    more(INTENSIFIERS, 1, 0.015f, 0.015f),
    end
};

static const judge_term_t  judge_confidence_terms[] = {
    more(DOMINANCE, 3, 0, 0.2f),
    more(VALENCE, 3, 0, 0.4f),
    less(NEGATIVE, 1, 2, 3),
    more(SECOND_PERSON, 1, 1.5f, 2),
    more(BOOSTERS, 1, 0.8f, 0.8f),
    less(HEDGES, 1, 1.2f, 1),
    less(QUESTIONS, 1, 0.08f, 0.15f),
    end
};

static const judge_term_t  judge_liveliness_terms[] = {
    more(SENSORY, 2, 0.008f, 0.008f),
    more(WINDOW_RATIO, 2, 0.78f, 0.06f),
    more(RARE_WORDS, 1, 0.2f, 0.15f),
    more(SENTENCE_SPREAD, 1, 0.55f, 0.2f),
    more(EMOTION, 1, 4, 4),
    more(NARRATIVE, 1, 0.6f, 0.8f),
    less(VAGUE, 1, 0.07f, 0.04f),
    more(TYPES, 1, 5, 0.5f),
    end
};

static const judge_term_t  judge_fluency_terms[] = {
    less(GRAMMAR_SLIPS, 2, 0.8f, 1),
    less(CONVENTION_SLIPS, 2, 5, 5),
    less(RUN_ON, 1, 0.15f, 0.2f),
    more(MODEL_UNIGRAM, 1, -2.8f, 0.15f),
    less(REPEATED_TRIPLES, 1, 0.05f, 0.05f),
    near(SENTENCE_WORDS, 1, 19, 10),
    more(TYPES, 1, 5, 0.5f),
    end
};

static const judge_term_t  judge_fluency_source[] = {
    more(SOURCE_TRIPLES, 2, 0.5f, 0.3f),
    less(SOURCE_ODD_PAIRS, 3, 0.04f, 0.05f),
    more(SOURCE_SUPPORT_LOW, 1, 0.7f, 0.2f),
    more(SOURCE_WHOLE, 1, 0.5f, 0.3f),
    near(SENTENCE_WORDS, 2, 22, 8),
    less(REPEATED_PAIRS, 1, 0.05f, 0.05f),
    less(DOUBLED, 1, 0.1f, 0.3f),
    less(UNFINISHED, 1, 0.1f, 0.2f),
    more(OPENINGS, 1, 0.8f, 0.2f),
    end
};

static const judge_term_t  judge_coherence_terms[] = {
    more(CONNECTIVE_TYPES, 1, 2.5f, 0.5f),
    more(OVERLAP, 2, 0.65f, 0.3f),
    more(PARAGRAPHING, 1, 0.5f, 0.4f),
    more(TYPES, 2, 5, 0.5f),
    less(RUN_ON, 1, 0.15f, 0.2f),
    less(CONVENTION_SLIPS, 1, 5, 5),
    less(REPEATED_SENTENCES, 1, 0.02f, 0.05f),
    end
};

static const judge_term_t  judge_coherence_source[] = {
    near(SENTENCE_WORDS, 3, 24, 8),
    more(SOURCE_STRETCH, 2, 2.5f, 0.8f),
    more(SOURCE_ORDER, 2, 0.8f, 0.2f),
    more(SOURCE_WHOLE, 2, 0.6f, 0.3f),
    less(REPEATED_PAIRS, 2, 0.05f, 0.05f),
    less(SOURCE_SPREAD, 1, 0.13f, 0.1f),
    less(TOP_WORD, 1, 0.08f, 0.03f),
    more(SUBORDINATION, 1, 0.4f, 0.4f),
    less(UNFINISHED, 1, 0.1f, 0.2f),
    end
};

static const judge_term_t  judge_faithfulness_terms[] = {
    more(SOURCE_WORDS, 2, 0.85f, 0.12f),
    more(SOURCE_PAIRS, 2, 0.6f, 0.25f),
    more(SOURCE_SUPPORT, 2, 0.65f, 0.2f),
    more(SOURCE_STRETCH, 1, 2, 0.8f),
    less(SOURCE_ODD_PAIRS, 2, 0.06f, 0.06f),
    less(SOURCE_NOVEL_SENTENCE, 1, 0.25f, 0.2f),
    less(SOURCE_NOVEL_NAMES, 1, 0.5f, 1),
    less(SOURCE_NOVEL_NUMBERS, 2, 0.5f, 1),
    end
};

static const judge_term_t  judge_coverage_terms[] = {
    more(SOURCE_RECALL, 3, 0.35f, 0.15f),
    more(SOURCE_SALIENT, 3, 0.4f, 0.2f),
    more(SOURCE_LEAD, 1, 0.4f, 0.25f),
    more(SOURCE_COSINE, 2, 0.5f, 0.2f),
    end
};

static const judge_term_t  judge_relevance_source[] = {
    more(SOURCE_SALIENT, 2, 0.5f, 0.2f),
    more(SOURCE_RECALL, 2, 0.35f, 0.1f),
    more(SOURCE_LEAD, 1, 0.5f, 0.25f),
    more(SOURCE_COSINE, 1, 0.55f, 0.1f),
    more(SOURCE_STRETCH, 2, 2.5f, 0.8f),
    near(SENTENCE_WORDS, 2, 24, 8),
    less(SOURCE_SPREAD, 1, 0.13f, 0.1f),
    less(SOURCE_POSITION, 1, 0.2f, 0.15f),
    less(REPEATED_TRIPLES, 1, 0.03f, 0.04f),
    less(TOP_WORD, 1, 0.08f, 0.03f),
    more(SUBORDINATION, 1, 0.4f, 0.4f),
    end
};

static const judge_term_t  judge_relevance_terms[] = {
    more(TOPIC_WORDS, 2, 0.15f, 0.15f),
    more(GIVEN, 1, 0.5f, 0.15f),
    more(OVERLAP, 1, 0.65f, 0.3f),
    more(TYPES, 2, 5, 0.5f),
    end
};

static const judge_term_t  judge_likeness_terms[] = {
    more(REFERENCE_COSINE, 3, 0.25f, 0.2f),
    more(REFERENCE_RECALL, 1, 0.3f, 0.25f),
    more(REFERENCE_PAIRS, 1, 0.15f, 0.15f),
    end
};

static const judge_term_t  judge_general_terms[] = {
    more(MODEL_GAIN, 4, 0.68f, 0.13f),
    more(TYPES, 3, 5, 0.4f),
    less(CONVENTION_SLIPS, 2, 4, 4),
    less(MISSPELLED_ROOT, 1, 1, 1),
    less(GRAMMAR_SLIPS, 1, 0.4f, 0.5f),
    less(RUN_ON, 1, 0.15f, 0.2f),
    more(CONNECTIVE_TYPES, 2, 2.3f, 0.4f),
    more(RARITY, 1, 3.9f, 0.2f),
    more(MTLD, 1, 60, 20),
    more(PARAGRAPHING, 1, 0.7f, 0.3f),
    end
};

static const judge_term_t  judge_general_source[] = {
    more(SOURCE_SALIENT, 1, 0.5f, 0.2f),
    more(SOURCE_RECALL, 1, 0.35f, 0.1f),
    more(SOURCE_STRETCH, 2, 2.5f, 0.8f),
    more(SOURCE_SUPPORT, 1, 0.85f, 0.12f),
    more(SOURCE_ORDER, 1, 0.8f, 0.2f),
    more(SOURCE_WHOLE, 1, 0.6f, 0.3f),
    less(SOURCE_ODD_PAIRS, 1, 0.03f, 0.04f),
    near(SENTENCE_WORDS, 2, 24, 8),
    less(REPEATED_PAIRS, 1, 0.05f, 0.05f),
    less(UNFINISHED, 1, 0.1f, 0.2f),
    end
};


const judge_trait_t   judge_traits[JUDGE_TRAITS] = {
    [JUDGE_TRAIT_GENERAL] = {
        .name = "general quality", .terms = judge_general_terms,
        .with_source = judge_general_source },
    [JUDGE_TRAIT_GRAMMAR] = {
        .name = "grammar", .terms = judge_grammar_terms },
    [JUDGE_TRAIT_CONVENTIONS] = {
        .name = "spelling and punctuation",
        .terms = judge_conventions_terms },
    [JUDGE_TRAIT_VOCABULARY] = {
        .name = "vocabulary", .terms = judge_vocabulary_terms },
    [JUDGE_TRAIT_SYNTAX] = {
        .name = "sentence structure", .terms = judge_syntax_terms },
    [JUDGE_TRAIT_COHESION] = {
        .name = "cohesion", .terms = judge_cohesion_terms },
    [JUDGE_TRAIT_PHRASEOLOGY] = {
        .name = "phrasing", .terms = judge_phraseology_terms },
    [JUDGE_TRAIT_ORGANIZATION] = {
        .name = "organization", .terms = judge_organization_terms },
    [JUDGE_TRAIT_CLARITY] = {
        .name = "clarity", .terms = judge_clarity_terms },
    [JUDGE_TRAIT_READABILITY] = {
        .name = "readability", .terms = judge_readability_terms },
    [JUDGE_TRAIT_EVIDENCE] = {
        .name = "evidence", .terms = judge_quote_check_terms },
    [JUDGE_TRAIT_ARGUMENT] = {
        .name = "argument", .terms = judge_argument_terms },
    [JUDGE_TRAIT_DEVELOPMENT] = {
        .name = "development", .terms = judge_development_terms },
    [JUDGE_TRAIT_CONCISENESS] = {
        .name = "conciseness", .terms = judge_conciseness_terms },
    [JUDGE_TRAIT_FORMALITY] = {
        .name = "formality", .terms = judge_formality_terms },
    [JUDGE_TRAIT_POLITENESS] = {
        .name = "politeness", .terms = judge_politeness_terms },
    [JUDGE_TRAIT_POSITIVITY] = {
        .name = "positive feeling", .terms = judge_positivity_terms },
    [JUDGE_TRAIT_INTENSITY] = {
        .name = "intensity of feeling", .terms = judge_intensity_terms },
    [JUDGE_TRAIT_CONFIDENCE] = {
        .name = "confidence", .terms = judge_confidence_terms },
    [JUDGE_TRAIT_LIVELINESS] = {
        .name = "liveliness", .terms = judge_liveliness_terms },
    [JUDGE_TRAIT_FLUENCY] = {
        .name = "fluency", .terms = judge_fluency_terms,
        .with_source = judge_fluency_source },
    [JUDGE_TRAIT_COHERENCE] = {
        .name = "coherence", .terms = judge_coherence_terms,
        .with_source = judge_coherence_source },
    [JUDGE_TRAIT_FAITHFULNESS] = {
        .name = "faithfulness to the source",
        .terms = judge_general_terms,
        .with_source = judge_faithfulness_terms, .compares = true },
    [JUDGE_TRAIT_COVERAGE] = {
        .name = "coverage of the source",
        .terms = judge_development_terms,
        .with_source = judge_coverage_terms, .compares = true },
    [JUDGE_TRAIT_RELEVANCE] = {
        .name = "relevance", .terms = judge_relevance_terms,
        .with_source = judge_relevance_source, .compares = true },
    [JUDGE_TRAIT_LIKENESS] = {
        .name = "likeness to the references",
        .terms = judge_likeness_terms }
};


const judge_term_t *
judge_trait_terms(const judge_measure_t *m, judge_trait_e trait)
{
    const judge_trait_t  *a;

    a = &judge_traits[trait];

    return m->source != NULL && a->with_source != NULL ? a->with_source
                                                       : a->terms;
}


double
judge_term_value(const judge_measure_t *m, const judge_term_t *term)
{
    double  x;

    x = ((double) m->v[term->feature] - (double) term->middle)
        / (double) term->spread;

    switch (term->shape) {

    case JUDGE_TERM_MORE:
        return judge_squash(x);

    case JUDGE_TERM_LESS:
        return -judge_squash(x);

    default:
        return judge_squash(1 - fabs(x));
    }
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


double
judge_trait_score(const judge_measure_t *m, judge_trait_e trait)
{
    double               sum, weights;
    const judge_term_t  *term;

    sum = 0;
    weights = 0;

    for (term = judge_trait_terms(m, trait); term->shape != JUDGE_TERM_END;
         term++)
    {
        sum += (double) term->weight * judge_term_value(m, term);
        weights += (double) term->weight;
    }

    return 50 + 50 * judge_squash(JUDGE_GAIN * sum / weights);
}
