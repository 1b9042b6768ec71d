/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The features' names, and the order in which the families run.
 */


#include "analysis/judge_engine.h"
#include "analysis/judge_feature.h"


static judge_rc_e judge_measure_senses(judge_measure_t *m);
static size_t judge_sense_at(const judge_text_t *t, size_t i,
    uint64_t *sense);


static judge_rc_e (*const  judge_families[])(judge_measure_t *m) = {
    judge_measure_length,
    judge_measure_vocabulary,
    judge_measure_spelling,
    judge_measure_grammar,
    judge_measure_syntax,
    judge_measure_cohesion,
    judge_measure_repeat,
    judge_measure_model,
    judge_measure_evidence,
    judge_measure_tone,
    judge_measure_topic,
    judge_measure_source,
    judge_measure_support
};

static const char *const  judge_feature_names[JUDGE_FEATURES] = {
    [JUDGE_F_WORDS] = "words",
    [JUDGE_F_SENTENCES] = "sentences",
    [JUDGE_F_PARAGRAPHS] = "paragraphs",
    [JUDGE_F_SENTENCE_WORDS] = "sentence_words",
    [JUDGE_F_SENTENCE_SPREAD] = "sentence_spread",
    [JUDGE_F_SENTENCE_LONGEST] = "sentence_longest",
    [JUDGE_F_LONG_SENTENCES] = "long_sentences",
    [JUDGE_F_PARAGRAPH_WORDS] = "paragraph_words",
    [JUDGE_F_LARGEST_PARAGRAPH] = "largest_paragraph",
    [JUDGE_F_WORD_LETTERS] = "word_letters",
    [JUDGE_F_WORD_SYLLABLES] = "word_syllables",
    [JUDGE_F_LONG_WORDS] = "long_words",
    [JUDGE_F_FLESCH] = "flesch",
    [JUDGE_F_GRADE] = "grade",
    [JUDGE_F_TYPES] = "types",
    [JUDGE_F_TYPES_ROOT] = "types_root",
    [JUDGE_F_WINDOW_RATIO] = "window_ratio",
    [JUDGE_F_MTLD] = "mtld",
    [JUDGE_F_CONTENT_SHARE] = "content_share",
    [JUDGE_F_RARITY] = "rarity",
    [JUDGE_F_RARITY_HIGH] = "rarity_high",
    [JUDGE_F_RARE_WORDS] = "rare_words",
    [JUDGE_F_RARE_TYPES] = "rare_types",
    [JUDGE_F_ACADEMIC] = "academic",
    [JUDGE_F_VAGUE] = "vague",
    [JUDGE_F_INTENSIFIERS] = "intensifiers",
    [JUDGE_F_INFORMAL] = "informal",
    [JUDGE_F_CONTRACTIONS] = "contractions",
    [JUDGE_F_SENSORY] = "sensory",
    [JUDGE_F_DERIVED] = "derived",
    [JUDGE_F_MISSPELLED] = "misspelled",
    [JUDGE_F_MISSPELLED_TYPES] = "misspelled_types",
    [JUDGE_F_MISSPELLED_ROOT] = "misspelled_root",
    [JUDGE_F_APOSTROPHES] = "apostrophes",
    [JUDGE_F_SMALL_STARTS] = "small_starts",
    [JUDGE_F_SMALL_I] = "small_i",
    [JUDGE_F_ODD_CAPITALS] = "odd_capitals",
    [JUDGE_F_SHOUTED] = "shouted",
    [JUDGE_F_SPACING] = "spacing",
    [JUDGE_F_MARKS_REPEATED] = "marks_repeated",
    [JUDGE_F_UNFINISHED] = "unfinished",
    [JUDGE_F_CONVENTION_SLIPS] = "convention_slips",
    [JUDGE_F_AGREEMENT] = "agreement",
    [JUDGE_F_VERB_FORM] = "verb_form",
    [JUDGE_F_NUMBER] = "number",
    [JUDGE_F_ARTICLES] = "articles",
    [JUDGE_F_DOUBLED] = "doubled",
    [JUDGE_F_NO_VERB] = "no_verb",
    [JUDGE_F_RUN_ON] = "run_on",
    [JUDGE_F_GRAMMAR_SLIPS] = "grammar_slips",
    [JUDGE_F_SUBORDINATION] = "subordination",
    [JUDGE_F_CLAUSE_WORDS] = "clause_words",
    [JUDGE_F_RELATIVES] = "relatives",
    [JUDGE_F_PREPOSITIONS] = "prepositions",
    [JUDGE_F_COORDINATION] = "coordination",
    [JUDGE_F_COMMAS] = "commas",
    [JUDGE_F_MARK_KINDS] = "mark_kinds",
    [JUDGE_F_OPENINGS] = "openings",
    [JUDGE_F_ANDS_FIRST] = "ands_first",
    [JUDGE_F_PASSIVE] = "passive",
    [JUDGE_F_PRONOUNS] = "pronouns",
    [JUDGE_F_ARTICLE_SHARE] = "article_share",
    [JUDGE_F_MODALS] = "modals",
    [JUDGE_F_CONNECTIVES] = "connectives",
    [JUDGE_F_CONNECTIVE_KINDS] = "connective_kinds",
    [JUDGE_F_CONNECTIVE_TYPES] = "connective_types",
    [JUDGE_F_OVERLAP] = "overlap",
    [JUDGE_F_OVERLAP_DEGREE] = "overlap_degree",
    [JUDGE_F_GIVEN] = "given",
    [JUDGE_F_PARAGRAPH_OVERLAP] = "paragraph_overlap",
    [JUDGE_F_FRAME] = "frame",
    [JUDGE_F_DEMONSTRATIVES] = "demonstratives",
    [JUDGE_F_CONCLUDING] = "concluding",
    [JUDGE_F_ORDERED] = "ordered",
    [JUDGE_F_PARAGRAPHING] = "paragraphing",
    [JUDGE_F_REPEATED_PAIRS] = "repeated_pairs",
    [JUDGE_F_REPEATED_TRIPLES] = "repeated_triples",
    [JUDGE_F_REPEATED_FIVES] = "repeated_fives",
    [JUDGE_F_REPEATED_SENTENCES] = "repeated_sentences",
    [JUDGE_F_TOP_WORD] = "top_word",
    [JUDGE_F_MODEL] = "model",
    [JUDGE_F_MODEL_UNIGRAM] = "model_unigram",
    [JUDGE_F_MODEL_GAIN] = "model_gain",
    [JUDGE_F_MODEL_UNSEEN] = "model_unseen",
    [JUDGE_F_MODEL_UNSEEN_COMMON] = "model_unseen_common",
    [JUDGE_F_MODEL_TRIPLES] = "model_triples",
    [JUDGE_F_MODEL_SENTENCE_LOW] = "model_sentence_low",
    [JUDGE_F_MODEL_SPREAD] = "model_spread",
    [JUDGE_F_NUMBERS] = "numbers",
    [JUDGE_F_QUOTED] = "quoted",
    [JUDGE_F_CITES] = "cites",
    [JUDGE_F_EXAMPLES] = "examples",
    [JUDGE_F_EVIDENCE_WORDS] = "evidence_words",
    [JUDGE_F_REPORTED] = "reported",
    [JUDGE_F_NAMES] = "names",
    [JUDGE_F_HEDGES] = "hedges",
    [JUDGE_F_BOOSTERS] = "boosters",
    [JUDGE_F_OPINIONS] = "opinions",
    [JUDGE_F_CONCESSIONS] = "concessions",
    [JUDGE_F_REASONS] = "reasons",
    [JUDGE_F_NARRATIVE] = "narrative",
    [JUDGE_F_VALENCE] = "valence",
    [JUDGE_F_AROUSAL] = "arousal",
    [JUDGE_F_DOMINANCE] = "dominance",
    [JUDGE_F_POSITIVE] = "positive",
    [JUDGE_F_NEGATIVE] = "negative",
    [JUDGE_F_EMOTION] = "emotion",
    [JUDGE_F_POLITE] = "polite",
    [JUDGE_F_INSULTS] = "insults",
    [JUDGE_F_EXCLAMATIONS] = "exclamations",
    [JUDGE_F_QUESTIONS] = "questions",
    [JUDGE_F_FIRST_PERSON] = "first_person",
    [JUDGE_F_SECOND_PERSON] = "second_person",
    [JUDGE_F_NEGATIONS] = "negations",
    [JUDGE_F_TOPIC_WORDS] = "topic_words",
    [JUDGE_F_TOPIC_DENSITY] = "topic_density",
    [JUDGE_F_REFERENCES] = "references",
    [JUDGE_F_REFERENCE_COSINE] = "reference_cosine",
    [JUDGE_F_REFERENCE_RECALL] = "reference_recall",
    [JUDGE_F_REFERENCE_PAIRS] = "reference_pairs",
    [JUDGE_F_SOURCE] = "source",
    [JUDGE_F_SOURCE_WORDS] = "source_words",
    [JUDGE_F_SOURCE_PAIRS] = "source_pairs",
    [JUDGE_F_SOURCE_TRIPLES] = "source_triples",
    [JUDGE_F_SOURCE_COPIED] = "source_copied",
    [JUDGE_F_SOURCE_STRETCH] = "source_stretch",
    [JUDGE_F_SOURCE_LONGEST] = "source_longest",
    [JUDGE_F_SOURCE_NOVEL_NAMES] = "source_novel_names",
    [JUDGE_F_SOURCE_NOVEL_NUMBERS] = "source_novel_numbers",
    [JUDGE_F_SOURCE_NOVEL_SENTENCE] = "source_novel_sentence",
    [JUDGE_F_SOURCE_SUPPORT] = "source_support",
    [JUDGE_F_SOURCE_SUPPORT_LOW] = "source_support_low",
    [JUDGE_F_SOURCE_ODD_PAIRS] = "source_odd_pairs",
    [JUDGE_F_SOURCE_WHOLE] = "source_whole",
    [JUDGE_F_SOURCE_COSINE] = "source_cosine",
    [JUDGE_F_SOURCE_RECALL] = "source_recall",
    [JUDGE_F_SOURCE_SALIENT] = "source_salient",
    [JUDGE_F_SOURCE_LEAD] = "source_lead",
    [JUDGE_F_SOURCE_POSITION] = "source_position",
    [JUDGE_F_SOURCE_SPREAD] = "source_spread",
    [JUDGE_F_SOURCE_ORDER] = "source_order",
    [JUDGE_F_SOURCE_LENGTH] = "source_length"
};


const char *
judge_feature_name(size_t index)
{
    return index < JUDGE_FEATURES ? judge_feature_names[index] : NULL;
}


judge_rc_e
judge_measure(judge_measure_t *m)
{
    size_t      i;
    judge_rc_e  rc;

    m->v = judge_array_alloc(m->arena, JUDGE_FEATURES, sizeof(float));

    if (m->v == NULL) {
        return JUDGE_NOMEM;
    }

    if (m->text->nwords == 0) {
        return JUDGE_OK;
    }

    rc = judge_measure_senses(m);

    for (i = 0; i < sizeof(judge_families) / sizeof(judge_families[0]); i++) {
        if (rc == JUDGE_OK) {
            rc = judge_families[i](m);
        }
    }

    return rc;
}


static judge_rc_e
judge_measure_senses(judge_measure_t *m)
{
    size_t               i, n, end;
    const judge_text_t  *t;

    t = m->text;
    m->forms = judge_alloc(m->arena, t->ntokens * sizeof(uint64_t));
    m->senses = judge_array_alloc(m->arena, t->ntokens, sizeof(uint64_t));
    m->spans = judge_alloc(m->arena, t->ntokens);

    if (m->forms == NULL || m->senses == NULL || m->spans == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, end = 0; i < t->ntokens; i++) {
        n = 1;

        if (t->tokens[i].type == JUDGE_NO_TYPE) {
            m->forms[i] = 0;

        } else {
            m->forms[i] = t->types[t->tokens[i].type].form;
            n = i < end ? 1 : judge_sense_at(t, i, &m->senses[i]);
        }

        end = n > 1 ? i + n : end;
        m->spans[i] = (uint8_t) n;
    }

    return JUDGE_OK;
}


/* The sense of the longest phrase at i, or of the word alone; returns how
 * many tokens it has. */

static size_t
judge_sense_at(const judge_text_t *t, size_t i, uint64_t *sense)
{
    size_t               k, n;
    uint64_t             hash, found;
    const judge_type_t  *type;

    n = 1;
    type = &t->types[t->tokens[i].type];
    *sense = type->sense;

    if (!(type->form & JUDGE_W_PHRASE)) {
        return n;
    }

    hash = type->hash;

    for (k = 1; k < JUDGE_PHRASE_WORDS && i + k < t->ntokens; k++) {
        if (t->tokens[i + k].kind != JUDGE_TOKEN_WORD) {
            break;
        }

        hash = judge_hash_join(hash, t->types[t->tokens[i + k].type].hash);
        found = judge_phrase_find(hash);

        if (found != 0) {
            *sense = found;
            n = k + 1;
        }
    }

    return n;
}
