/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The table of the features, and the order in which the families run.
 */


#include "analysis/builtin/engine.h"
#include "analysis/features/feature.h"
#include "analysis/features/identity.h"


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

/*
 * The version is that of the definition: it is raised whenever a text may get
 * another value than before, be it by the code, the word lists or the model
 * of English.  What judges have learned depends on it.
 */

static const struct {
    const char  *name;
    uint32_t     version;
} judge_feature_rows[JUDGE_FEATURES] = {
    [JUDGE_F_WORDS] = { "words", 1 },
    [JUDGE_F_SENTENCES] = { "sentences", 1 },
    [JUDGE_F_PARAGRAPHS] = { "paragraphs", 1 },
    [JUDGE_F_SENTENCE_WORDS] = { "sentence_words", 1 },
    [JUDGE_F_SENTENCE_SPREAD] = { "sentence_spread", 1 },
    [JUDGE_F_SENTENCE_LONGEST] = { "sentence_longest", 1 },
    [JUDGE_F_LONG_SENTENCES] = { "long_sentences", 1 },
    [JUDGE_F_PARAGRAPH_WORDS] = { "paragraph_words", 1 },
    [JUDGE_F_LARGEST_PARAGRAPH] = { "largest_paragraph", 1 },
    [JUDGE_F_WORD_LETTERS] = { "word_letters", 1 },
    [JUDGE_F_WORD_SYLLABLES] = { "word_syllables", 1 },
    [JUDGE_F_LONG_WORDS] = { "long_words", 1 },
    [JUDGE_F_FLESCH] = { "flesch", 1 },
    [JUDGE_F_GRADE] = { "grade", 1 },
    [JUDGE_F_TYPES] = { "types", 1 },
    [JUDGE_F_TYPES_ROOT] = { "types_root", 1 },
    [JUDGE_F_WINDOW_RATIO] = { "window_ratio", 1 },
    [JUDGE_F_MTLD] = { "mtld", 1 },
    [JUDGE_F_CONTENT_SHARE] = { "content_share", 1 },
    [JUDGE_F_RARITY] = { "rarity", 1 },
    [JUDGE_F_RARITY_HIGH] = { "rarity_high", 1 },
    [JUDGE_F_RARE_WORDS] = { "rare_words", 1 },
    [JUDGE_F_RARE_TYPES] = { "rare_types", 1 },
    [JUDGE_F_ACADEMIC] = { "academic", 1 },
    [JUDGE_F_VAGUE] = { "vague", 1 },
    [JUDGE_F_INTENSIFIERS] = { "intensifiers", 1 },
    [JUDGE_F_INFORMAL] = { "informal", 1 },
    [JUDGE_F_CONTRACTIONS] = { "contractions", 1 },
    [JUDGE_F_SENSORY] = { "sensory", 1 },
    [JUDGE_F_DERIVED] = { "derived", 1 },
    [JUDGE_F_MISSPELLED] = { "misspelled", 1 },
    [JUDGE_F_MISSPELLED_TYPES] = { "misspelled_types", 1 },
    [JUDGE_F_MISSPELLED_ROOT] = { "misspelled_root", 1 },
    [JUDGE_F_APOSTROPHES] = { "apostrophes", 1 },
    [JUDGE_F_SMALL_STARTS] = { "small_starts", 1 },
    [JUDGE_F_SMALL_I] = { "small_i", 1 },
    [JUDGE_F_ODD_CAPITALS] = { "odd_capitals", 1 },
    [JUDGE_F_SHOUTED] = { "shouted", 1 },
    [JUDGE_F_SPACING] = { "spacing", 1 },
    [JUDGE_F_MARKS_REPEATED] = { "marks_repeated", 1 },
    [JUDGE_F_UNFINISHED] = { "unfinished", 1 },
    [JUDGE_F_CONVENTION_SLIPS] = { "convention_slips", 1 },
    [JUDGE_F_AGREEMENT] = { "agreement", 1 },
    [JUDGE_F_VERB_FORM] = { "verb_form", 1 },
    [JUDGE_F_NUMBER] = { "number", 1 },
    [JUDGE_F_ARTICLES] = { "articles", 1 },
    [JUDGE_F_DOUBLED] = { "doubled", 1 },
    [JUDGE_F_NO_VERB] = { "no_verb", 1 },
    [JUDGE_F_RUN_ON] = { "run_on", 1 },
    [JUDGE_F_GRAMMAR_SLIPS] = { "grammar_slips", 1 },
    [JUDGE_F_SUBORDINATION] = { "subordination", 1 },
    [JUDGE_F_CLAUSE_WORDS] = { "clause_words", 1 },
    [JUDGE_F_RELATIVES] = { "relatives", 1 },
    [JUDGE_F_PREPOSITIONS] = { "prepositions", 1 },
    [JUDGE_F_COORDINATION] = { "coordination", 1 },
    [JUDGE_F_COMMAS] = { "commas", 1 },
    [JUDGE_F_MARK_KINDS] = { "mark_kinds", 1 },
    [JUDGE_F_OPENINGS] = { "openings", 1 },
    [JUDGE_F_ANDS_FIRST] = { "ands_first", 1 },
    [JUDGE_F_PASSIVE] = { "passive", 1 },
    [JUDGE_F_PRONOUNS] = { "pronouns", 1 },
    [JUDGE_F_ARTICLE_SHARE] = { "article_share", 1 },
    [JUDGE_F_MODALS] = { "modals", 1 },
    [JUDGE_F_CONNECTIVES] = { "connectives", 1 },
    [JUDGE_F_CONNECTIVE_KINDS] = { "connective_kinds", 1 },
    [JUDGE_F_CONNECTIVE_TYPES] = { "connective_types", 1 },
    [JUDGE_F_OVERLAP] = { "overlap", 1 },
    [JUDGE_F_OVERLAP_DEGREE] = { "overlap_degree", 1 },
    [JUDGE_F_GIVEN] = { "given", 1 },
    [JUDGE_F_PARAGRAPH_OVERLAP] = { "paragraph_overlap", 1 },
    [JUDGE_F_FRAME] = { "frame", 1 },
    [JUDGE_F_DEMONSTRATIVES] = { "demonstratives", 1 },
    [JUDGE_F_CONCLUDING] = { "concluding", 1 },
    [JUDGE_F_ORDERED] = { "ordered", 1 },
    [JUDGE_F_PARAGRAPHING] = { "paragraphing", 1 },
    [JUDGE_F_REPEATED_PAIRS] = { "repeated_pairs", 1 },
    [JUDGE_F_REPEATED_TRIPLES] = { "repeated_triples", 1 },
    [JUDGE_F_REPEATED_FIVES] = { "repeated_fives", 1 },
    [JUDGE_F_REPEATED_SENTENCES] = { "repeated_sentences", 1 },
    [JUDGE_F_TOP_WORD] = { "top_word", 1 },
    [JUDGE_F_MODEL] = { "model", 1 },
    [JUDGE_F_MODEL_UNIGRAM] = { "model_unigram", 1 },
    [JUDGE_F_MODEL_GAIN] = { "model_gain", 1 },
    [JUDGE_F_MODEL_UNSEEN] = { "model_unseen", 1 },
    [JUDGE_F_MODEL_UNSEEN_COMMON] = { "model_unseen_common", 1 },
    [JUDGE_F_MODEL_TRIPLES] = { "model_triples", 1 },
    [JUDGE_F_MODEL_SENTENCE_LOW] = { "model_sentence_low", 1 },
    [JUDGE_F_MODEL_SPREAD] = { "model_spread", 1 },
    [JUDGE_F_NUMBERS] = { "numbers", 1 },
    [JUDGE_F_QUOTED] = { "quoted", 1 },
    [JUDGE_F_CITES] = { "cites", 1 },
    [JUDGE_F_EXAMPLES] = { "examples", 1 },
    [JUDGE_F_EVIDENCE_WORDS] = { "evidence_words", 1 },
    [JUDGE_F_REPORTED] = { "reported", 1 },
    [JUDGE_F_NAMES] = { "names", 1 },
    [JUDGE_F_HEDGES] = { "hedges", 1 },
    [JUDGE_F_BOOSTERS] = { "boosters", 1 },
    [JUDGE_F_OPINIONS] = { "opinions", 1 },
    [JUDGE_F_CONCESSIONS] = { "concessions", 1 },
    [JUDGE_F_REASONS] = { "reasons", 1 },
    [JUDGE_F_NARRATIVE] = { "narrative", 1 },
    [JUDGE_F_VALENCE] = { "valence", 1 },
    [JUDGE_F_AROUSAL] = { "arousal", 1 },
    [JUDGE_F_DOMINANCE] = { "dominance", 1 },
    [JUDGE_F_POSITIVE] = { "positive", 1 },
    [JUDGE_F_NEGATIVE] = { "negative", 1 },
    [JUDGE_F_EMOTION] = { "emotion", 1 },
    [JUDGE_F_POLITE] = { "polite", 1 },
    [JUDGE_F_INSULTS] = { "insults", 1 },
    [JUDGE_F_EXCLAMATIONS] = { "exclamations", 1 },
    [JUDGE_F_QUESTIONS] = { "questions", 1 },
    [JUDGE_F_FIRST_PERSON] = { "first_person", 1 },
    [JUDGE_F_SECOND_PERSON] = { "second_person", 1 },
    [JUDGE_F_NEGATIONS] = { "negations", 1 },
    [JUDGE_F_TOPIC_WORDS] = { "topic_words", 1 },
    [JUDGE_F_TOPIC_DENSITY] = { "topic_density", 1 },
    [JUDGE_F_REFERENCES] = { "references", 1 },
    [JUDGE_F_REFERENCE_COSINE] = { "reference_cosine", 1 },
    [JUDGE_F_REFERENCE_RECALL] = { "reference_recall", 1 },
    [JUDGE_F_REFERENCE_PAIRS] = { "reference_pairs", 1 },
    [JUDGE_F_SOURCE] = { "source", 1 },
    [JUDGE_F_SOURCE_WORDS] = { "source_words", 1 },
    [JUDGE_F_SOURCE_PAIRS] = { "source_pairs", 1 },
    [JUDGE_F_SOURCE_TRIPLES] = { "source_triples", 1 },
    [JUDGE_F_SOURCE_COPIED] = { "source_copied", 1 },
    [JUDGE_F_SOURCE_STRETCH] = { "source_stretch", 1 },
    [JUDGE_F_SOURCE_LONGEST] = { "source_longest", 1 },
    [JUDGE_F_SOURCE_NOVEL_NAMES] = { "source_novel_names", 1 },
    [JUDGE_F_SOURCE_NOVEL_NUMBERS] = { "source_novel_numbers", 1 },
    [JUDGE_F_SOURCE_NOVEL_SENTENCE] = { "source_novel_sentence", 1 },
    [JUDGE_F_SOURCE_SUPPORT] = { "source_support", 1 },
    [JUDGE_F_SOURCE_SUPPORT_LOW] = { "source_support_low", 1 },
    [JUDGE_F_SOURCE_ODD_PAIRS] = { "source_odd_pairs", 1 },
    [JUDGE_F_SOURCE_WHOLE] = { "source_whole", 1 },
    [JUDGE_F_SOURCE_COSINE] = { "source_cosine", 1 },
    [JUDGE_F_SOURCE_RECALL] = { "source_recall", 1 },
    [JUDGE_F_SOURCE_SALIENT] = { "source_salient", 1 },
    [JUDGE_F_SOURCE_LEAD] = { "source_lead", 1 },
    [JUDGE_F_SOURCE_POSITION] = { "source_position", 1 },
    [JUDGE_F_SOURCE_SPREAD] = { "source_spread", 1 },
    [JUDGE_F_SOURCE_ORDER] = { "source_order", 1 },
    [JUDGE_F_SOURCE_LENGTH] = { "source_length", 1 }
};


size_t
judge_feature_count(void)
{
    return JUDGE_FEATURES;
}


const char *
judge_feature_name(size_t index)
{
    return index < JUDGE_FEATURES ? judge_feature_rows[index].name : NULL;
}


uint32_t
judge_feature_version(size_t index)
{
    return index < JUDGE_FEATURES ? judge_feature_rows[index].version : 0;
}


uint64_t
judge_feature_identity(void)
{
    size_t    i;
    uint64_t  identity = JUDGE_FNV_START;

    for (i = 0; i < JUDGE_FEATURES; i++) {
        identity = judge_identity_add(identity, judge_feature_rows[i].name,
                                      judge_feature_rows[i].version);
    }

    return identity;
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
