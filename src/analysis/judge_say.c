/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The words for the features: what was measured, with its number; where; and
 * how to do better.
 */


#include <string.h>

#include "analysis/judge_say.h"
#include "base/judge_utf8.h"


#define JUDGE_QUOTE_BYTES  72


typedef struct {
    const char     *text;              /* "%s misspelled words in 100" */
    const char     *if_low;            /* advice */
    const char     *if_high;
    float           scale;             /* 0: 1 */
    uint8_t         decimals;
    uint8_t         found;             /* where: a judge_found_e */
    bool            logarithm;         /* ln(1 + x) was measured, x is said */
    bool            squared;           /* a root was measured */
} judge_saying_t;


static const judge_saying_t  judge_sayings[JUDGE_FEATURES] = {
    [JUDGE_F_WORDS] = {
        .text = "%s words", .logarithm = true,
        .if_low = "Write more: say what follows from each statement, and "
                  "give details.",
        .if_high = "Shorten: leave out what the reader knows already." },
    [JUDGE_F_SENTENCE_WORDS] = {
        .text = "an average sentence of %s words", .decimals = 1,
        .found = JUDGE_FOUND_LONG_SENTENCE,
        .if_low = "Join short sentences that belong together.",
        .if_high = "Split the longest sentences." },
    [JUDGE_F_SENTENCE_SPREAD] = {
        .text = "sentence lengths that vary by %s %", .scale = 100,
        .if_low = "Vary the length of the sentences." },
    [JUDGE_F_LONG_SENTENCES] = {
        .text = "%s % of the sentences over 35 words", .scale = 100,
        .found = JUDGE_FOUND_LONG_SENTENCE,
        .if_high = "Split the sentences of more than 35 words." },
    [JUDGE_F_WORD_LETTERS] = {
        .text = "an average word of %s letters", .decimals = 2,
        .if_low = "Use more exact words in place of the shortest ones." },
    [JUDGE_F_LONG_WORDS] = {
        .text = "%s % of the words longer than 6 letters", .scale = 100,
        .if_high = "Prefer short words where they say the same." },
    [JUDGE_F_FLESCH] = {
        .text = "a Flesch reading ease of %s", .decimals = 1,
        .if_low = "Shorten sentences and prefer words of few syllables." },
    [JUDGE_F_TYPES] = {
        .text = "%s different words", .logarithm = true,
        .if_low = "Develop the text further, with words that it does not "
                  "have yet." },
    [JUDGE_F_TYPES_ROOT] = {
        .text = "a corrected type-token ratio of %s", .decimals = 2,
        .if_low = "Replace words that come again and again." },
    [JUDGE_F_WINDOW_RATIO] = {
        .text = "%s % different words in any 50", .scale = 100,
        .if_low = "Replace words that come again within a few lines." },
    [JUDGE_F_MTLD] = {
        .text = "a lexical diversity (MTLD) of %s", .decimals = 1,
        .if_low = "Replace words that come again within a few lines." },
    [JUDGE_F_CONTENT_SHARE] = {
        .text = "%s % of the words carrying the topic", .scale = 100,
        .if_low = "Leave out filling words." },
    [JUDGE_F_RARITY] = {
        .text = "an average rarity of the topic words of %s (log10)",
        .decimals = 2, .if_low = "Use more specific words." },
    [JUDGE_F_RARE_WORDS] = {
        .text = "%s % of the topic words being rare ones", .scale = 100,
        .if_low = "Use more specific words.",
        .if_high = "Replace rare words by common ones, or explain them." },
    [JUDGE_F_RARE_TYPES] = {
        .text = "%s different rare words", .logarithm = true,
        .if_low = "Use more specific words in place of common ones." },
    [JUDGE_F_ACADEMIC] = {
        .text = "%s % academic words", .scale = 100, .decimals = 1,
        .if_low = "Use the terms of the subject." },
    [JUDGE_F_VAGUE] = {
        .text = "%s % vague words", .scale = 100, .decimals = 1,
        .found = JUDGE_FOUND_VAGUE,
        .if_high = "Put exact words for the vague ones." },
    [JUDGE_F_INTENSIFIERS] = {
        .text = "%s % intensifiers such as \"very\"", .scale = 100,
        .decimals = 1, .if_high = "Leave out words like \"very\" and "
                                  "\"really\"." },
    [JUDGE_F_INFORMAL] = {
        .text = "%s % informal words", .scale = 100, .decimals = 1,
        .found = JUDGE_FOUND_INFORMAL,
        .if_high = "Replace the informal words." },
    [JUDGE_F_CONTRACTIONS] = {
        .text = "%s contractions in 100 words", .decimals = 1,
        .if_high = "Write contractions out." },
    [JUDGE_F_DERIVED] = {
        .text = "%s nouns like \"education\" in 100 words", .decimals = 1,
        .if_low = "Name things and actions by nouns of the subject." },
    [JUDGE_F_SENSORY] = {
        .text = "%s % words for the senses", .scale = 100, .decimals = 1,
        .if_low = "Let the reader see, hear and feel what is told." },
    [JUDGE_F_MISSPELLED_ROOT] = {
        .text = "%s misspelled or unknown words in 100", .decimals = 1,
        .squared = true,
        .found = JUDGE_FOUND_MISSPELLED,
        .if_high = "Check the spelling of these words." },
    [JUDGE_F_APOSTROPHES] = {
        .text = "%s missing apostrophes in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_APOSTROPHE,
        .if_high = "Put apostrophes into contractions." },
    [JUDGE_F_SMALL_STARTS] = {
        .text = "%s % of the sentences beginning with a small letter",
        .scale = 100, .found = JUDGE_FOUND_SMALL_START,
        .if_high = "Begin each sentence with a capital." },
    [JUDGE_F_SMALL_I] = {
        .text = "%s small letters in 100 words where a capital belongs",
        .decimals = 1, .found = JUDGE_FOUND_SMALL_I,
        .if_high = "Write \"I\" and names with a capital." },
    [JUDGE_F_SHOUTED] = {
        .text = "%s words in capitals of 100", .decimals = 1,
        .found = JUDGE_FOUND_SHOUTED,
        .if_low = NULL, .if_high = "Write words in small letters." },
    [JUDGE_F_SPACING] = {
        .text = "%s wrong spaces at punctuation in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_SPACING,
        .if_high = "Put a space behind commas and full stops, and none "
                   "before them." },
    [JUDGE_F_MARKS_REPEATED] = {
        .text = "%s repeated punctuation marks in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_MARKS,
        .if_high = "Use one punctuation mark at a time." },
    [JUDGE_F_UNFINISHED] = {
        .text = "%s % of the sentences without a mark at the end",
        .scale = 100, .found = JUDGE_FOUND_UNFINISHED,
        .if_high = "End each sentence with its punctuation mark." },
    [JUDGE_F_CONVENTION_SLIPS] = {
        .text = "%s slips of spelling, capitals and punctuation in 100 words",
        .decimals = 1, .found = JUDGE_FOUND_ODD_CAPITAL,
        .if_high = "Proofread capitals, spaces and punctuation." },
    [JUDGE_F_GRAMMAR_SLIPS] = {
        .text = "%s slips of agreement, verb form, number and article in 100 "
                "words", .decimals = 2, .found = JUDGE_FOUND_AGREEMENT,
        .if_high = "Check that verbs agree with their subjects and nouns "
                   "with their numbers and articles." },
    [JUDGE_F_NO_VERB] = {
        .text = "%s % of the sentences without a verb", .scale = 100,
        .found = JUDGE_FOUND_NO_VERB,
        .if_high = "Give each sentence a verb." },
    [JUDGE_F_RUN_ON] = {
        .text = "%s % of the sentences running on without a pause",
        .scale = 100, .found = JUDGE_FOUND_RUN_ON,
        .if_high = "Part the sentences that run on, by full stops or "
                   "commas." },
    [JUDGE_F_MARK_KINDS] = {
        .text = "%s kinds of punctuation besides the full stop",
        .if_low = "Use the punctuation that the sentences call for: commas, "
                  "colons, question marks." },
    [JUDGE_F_COMMAS] = {
        .text = "%s commas in 100 words", .decimals = 1,
        .if_low = "Set commas behind openings and between clauses." },
    [JUDGE_F_OPENINGS] = {
        .text = "%s % of the sentences opening with a word of their own",
        .scale = 100, .if_low = "Open sentences in different ways." },
    [JUDGE_F_PASSIVE] = {
        .text = "%s passives in a sentence", .decimals = 2,
        .if_low = "Vary the sentences, also by the passive." },
    [JUDGE_F_PREPOSITIONS] = {
        .text = "%s % prepositions", .scale = 100,
        .if_low = "Put more information into noun phrases." },
    [JUDGE_F_CONNECTIVES] = {
        .text = "%s connectives in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_UNLINKED,
        .if_low = "Say how a sentence follows from the one before: because, "
                  "however, for example." },
    [JUDGE_F_CONNECTIVE_TYPES] = {
        .text = "%s different connectives", .logarithm = true,
        .found = JUDGE_FOUND_CONNECTIVE,
        .if_low = "Link sentences and paragraphs with more connectives." },
    [JUDGE_F_OVERLAP] = {
        .text = "%s % of the sentences taking up a word of the one before",
        .scale = 100, .found = JUDGE_FOUND_UNLINKED,
        .if_low = "Take up a word of the sentence before.",
        .if_high = "Move on from the words of the sentence before." },
    [JUDGE_F_GIVEN] = {
        .text = "%s % of the topic words said before", .scale = 100,
        .if_low = "Keep to the topic's words." },
    [JUDGE_F_FRAME] = {
        .text = "%s % of the end's topic words taken from the beginning",
        .scale = 100,
        .if_low = "Let the end come back to the beginning." },
    [JUDGE_F_CONCLUDING] = {
        .text = "concluding words found: %s (1 yes, 0 no)",
        .if_low = "Conclude, and show it: in conclusion, overall." },
    [JUDGE_F_ORDERED] = {
        .text = "%s words that order, such as \"first\"", .logarithm = true,
        .if_low = "Show the order of the thoughts: first, second, finally." },
    [JUDGE_F_PARAGRAPHING] = {
        .text = "a balance of the paragraphs of %s (0 to 1)", .decimals = 2,
        .if_low = "Part the text into several paragraphs of like size, one "
                  "thought each." },
    [JUDGE_F_REPEATED_TRIPLES] = {
        .text = "%s % of the runs of three words said before",
        .scale = 100, .decimals = 1, .found = JUDGE_FOUND_REPEATED,
        .if_high = "Leave out what is said twice." },
    [JUDGE_F_REPEATED_SENTENCES] = {
        .text = "%s % of the sentences said before", .scale = 100,
        .if_high = "Leave out the sentences that come again." },
    [JUDGE_F_MODEL_GAIN] = {
        .text = "words %s powers of ten more probable behind the one before "
                "than alone, by a model of English", .decimals = 2,
        .found = JUDGE_FOUND_IMPROBABLE,
        .if_low = "Reword what is unusual in English: which word goes with "
                  "which." },
    [JUDGE_F_MODEL_UNSEEN_COMMON] = {
        .text = "%s % of the pairs of common words unknown to a model of "
                "English", .scale = 100, .decimals = 1,
        .found = JUDGE_FOUND_ODD_PAIR,
        .if_high = "Check the pairs of words that are unusual in "
                   "English." },
    [JUDGE_F_MODEL_UNIGRAM] = {
        .text = "an average word probability of %s (log10)", .decimals = 2,
        .if_low = "Check the words that are unusual." },
    [JUDGE_F_NUMBERS] = {
        .text = "%s figures in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_FIGURE, .if_low = "Give figures." },
    [JUDGE_F_QUOTED] = {
        .text = "%s % of the words in quotation marks", .scale = 100,
        .found = JUDGE_FOUND_QUOTATION, .if_low = "Quote the sources." },
    [JUDGE_F_CITES] = {
        .text = "%s named sources in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_CITATION,
        .if_low = "Name the source of each fact." },
    [JUDGE_F_EXAMPLES] = {
        .text = "%s examples announced in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_EXAMPLE,
        .if_low = "Support general statements by examples." },
    [JUDGE_F_EVIDENCE_WORDS] = {
        .text = "%s words for evidence in 100", .decimals = 1,
        .if_low = "Say what each claim rests on: studies, reports, "
                  "observations." },
    [JUDGE_F_REPORTED] = {
        .text = "%s verbs that report others' words in 100 words",
        .decimals = 1, .if_low = "Say who states what." },
    [JUDGE_F_NAMES] = {
        .text = "%s names in 100 words", .decimals = 1,
        .if_low = "Name the people, places and works that are meant." },
    [JUDGE_F_HEDGES] = {
        .text = "%s hedges in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_HEDGE,
        .if_high = "Leave out hedges where the facts are sure." },
    [JUDGE_F_BOOSTERS] = {
        .text = "%s words of certainty in 100", .decimals = 1,
        .if_low = "State plainly what is certain." },
    [JUDGE_F_OPINIONS] = {
        .text = "%s words of opinion in 100", .decimals = 1,
        .found = JUDGE_FOUND_OPINION,
        .if_low = "State the position clearly." },
    [JUDGE_F_CONCESSIONS] = {
        .text = "%s concessions to other views in 100 words", .decimals = 1,
        .if_low = "Answer what others would say against it." },
    [JUDGE_F_REASONS] = {
        .text = "%s words that give reasons in 100", .decimals = 1,
        .found = JUDGE_FOUND_REASON,
        .if_low = "Give the reasons: because, therefore, as a result." },
    [JUDGE_F_NARRATIVE] = {
        .text = "%s words of story-telling in 100", .decimals = 1,
        .if_low = "Tell what happened." },
    [JUDGE_F_VALENCE] = {
        .text = "a balance of pleasant over unpleasant words of %s (-1 to 1)",
        .decimals = 2, .found = JUDGE_FOUND_NEGATIVE,
        .if_low = "Choose more positive words." },
    [JUDGE_F_AROUSAL] = {
        .text = "a balance of strong over calm words of %s (-1 to 1)",
        .decimals = 2, .found = JUDGE_FOUND_INTENSE,
        .if_low = "Choose stronger words." },
    [JUDGE_F_DOMINANCE] = {
        .text = "a balance of commanding over yielding words of %s (-1 to "
                "1)", .decimals = 2, .if_low = "Choose words of command." },
    [JUDGE_F_POSITIVE] = {
        .text = "%s pleasant words in 100", .decimals = 1,
        .found = JUDGE_FOUND_POSITIVE,
        .if_low = "Choose more positive words." },
    [JUDGE_F_NEGATIVE] = {
        .text = "%s unpleasant words in 100", .decimals = 1,
        .found = JUDGE_FOUND_NEGATIVE,
        .if_high = "Choose less negative words." },
    [JUDGE_F_EMOTION] = {
        .text = "%s words of feeling in 100", .decimals = 1,
        .if_low = "Name the feelings." },
    [JUDGE_F_POLITE] = {
        .text = "%s polite words in 100", .decimals = 1,
        .found = JUDGE_FOUND_POLITE,
        .if_low = "Add courtesies: please, thank you." },
    [JUDGE_F_INSULTS] = {
        .text = "%s insults in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_INSULT, .if_high = "Leave out the insults." },
    [JUDGE_F_EXCLAMATIONS] = {
        .text = "%s % of the sentences ending with \"!\"", .scale = 100,
        .if_high = "Use full stops for exclamation marks.",
        .if_low = NULL },
    [JUDGE_F_QUESTIONS] = {
        .text = "%s % of the sentences being questions", .scale = 100,
        .if_high = "State rather than ask." },
    [JUDGE_F_FIRST_PERSON] = {
        .text = "%s words of the first person in 100", .decimals = 1,
        .if_high = "Speak of the matter rather than of yourself." },
    [JUDGE_F_SECOND_PERSON] = {
        .text = "%s words of the second person in 100", .decimals = 1,
        .if_high = "Do not address the reader." },
    [JUDGE_F_TOPIC_WORDS] = {
        .text = "%s % of the rubric's topic words met", .scale = 100,
        .if_low = "Speak of what the rubric asks for." },
    [JUDGE_F_REFERENCE_COSINE] = {
        .text = "a likeness to the nearest reference of %s (0 to 1)",
        .decimals = 2, .if_low = "Come nearer to what the references say." },
    [JUDGE_F_REFERENCE_RECALL] = {
        .text = "%s % of the nearest reference's topic words met",
        .scale = 100, .if_low = "Cover more of what the references say." },
    [JUDGE_F_REFERENCE_PAIRS] = {
        .text = "%s % of the pairs of words shared with the nearest "
                "reference", .scale = 100,
        .if_low = "Come nearer to what the references say." },
    [JUDGE_F_SOURCE_WORDS] = {
        .text = "%s % of the topic words found in the source", .scale = 100,
        .found = JUDGE_FOUND_NOVEL_SENTENCE,
        .if_low = "Keep to what the source says." },
    [JUDGE_F_SOURCE_PAIRS] = {
        .text = "%s % of the pairs of words found in the source",
        .scale = 100, .found = JUDGE_FOUND_NOVEL_SENTENCE,
        .if_low = "Keep to what the source says." },
    [JUDGE_F_SOURCE_TRIPLES] = {
        .text = "%s % of the runs of three words found in the source",
        .scale = 100, .found = JUDGE_FOUND_NOVEL_SENTENCE,
        .if_low = "Keep nearer to the source's wording." },
    [JUDGE_F_SOURCE_STRETCH] = {
        .text = "stretches of %s words on average taken from the source",
        .logarithm = true, .if_low = "Keep nearer to the source's wording." },
    [JUDGE_F_SOURCE_NOVEL_NAMES] = {
        .text = "%s names in 100 words that the source lacks", .decimals = 1,
        .found = JUDGE_FOUND_NOVEL_NAME,
        .if_high = "Check the names against the source." },
    [JUDGE_F_SOURCE_NOVEL_NUMBERS] = {
        .text = "%s numbers in 100 words that the source lacks",
        .decimals = 1, .found = JUDGE_FOUND_NOVEL_NUMBER,
        .if_high = "Check the numbers against the source." },
    [JUDGE_F_SOURCE_NOVEL_SENTENCE] = {
        .text = "%s % of the topic words of one sentence not in the source",
        .scale = 100, .found = JUDGE_FOUND_NOVEL_SENTENCE,
        .if_high = "Check this sentence against the source." },
    [JUDGE_F_SOURCE_SUPPORT] = {
        .text = "%s % of a sentence's topic words found in one sentence of "
                "the source, on average", .scale = 100,
        .if_low = "Let each sentence say what a sentence of the source "
                  "says." },
    [JUDGE_F_SOURCE_SUPPORT_LOW] = {
        .text = "%s % of a sentence's topic words found in one sentence of "
                "the source, at worst", .scale = 100,
        .if_low = "Let each sentence say what a sentence of the source "
                  "says." },
    [JUDGE_F_SOURCE_ODD_PAIRS] = {
        .text = "%s % of the pairs of words known neither to the source nor "
                "to a model of English", .scale = 100, .decimals = 1,
        .found = JUDGE_FOUND_NOVEL_PAIR,
        .if_high = "Check where words are joined that do not go "
                   "together." },
    [JUDGE_F_SOURCE_WHOLE] = {
        .text = "%s % of the sentences' beginnings and ends being such in "
                "the source", .scale = 100,
        .if_low = "Write whole sentences rather than pieces of them." },
    [JUDGE_F_SOURCE_ORDER] = {
        .text = "%s % of what is taken up standing in the source's order",
        .scale = 100, .if_low = "Keep to the order of the source." },
    [JUDGE_F_SOURCE_SPREAD] = {
        .text = "what is taken up spread over %s % of the source",
        .scale = 100, .if_high = "Take up what stands together." },
    [JUDGE_F_REPEATED_PAIRS] = {
        .text = "%s % of the pairs of words said before", .scale = 100,
        .found = JUDGE_FOUND_REPEATED,
        .if_high = "Leave out what is said twice." },
    [JUDGE_F_TOP_WORD] = {
        .text = "%s % of the topic words being one and the same",
        .scale = 100, .if_high = "Vary the word that comes most often." },
    [JUDGE_F_DOUBLED] = {
        .text = "%s doubled words in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_DOUBLED, .if_high = "Leave out words that "
                                                 "stand twice." },
    [JUDGE_F_SUBORDINATION] = {
        .text = "%s subordinating words in a sentence", .decimals = 2,
        .if_low = "Join statements by words like \"because\" and "
                  "\"while\"." },
    [JUDGE_F_SOURCE_COSINE] = {
        .text = "a likeness to the source of %s (0 to 1)", .decimals = 2,
        .if_low = "Take up more of the source's main words." },
    [JUDGE_F_SOURCE_RECALL] = {
        .text = "%s % of the source's topic words covered, by frequency",
        .scale = 100, .if_low = "Cover more of the source." },
    [JUDGE_F_SOURCE_SALIENT] = {
        .text = "%s % of the source's most frequent topic words covered",
        .scale = 100, .if_low = "Cover what the source speaks of most." },
    [JUDGE_F_SOURCE_LEAD] = {
        .text = "%s % of the topic words of the source's beginning covered",
        .scale = 100, .if_low = "Cover what the source begins with." },
    [JUDGE_F_SOURCE_POSITION] = {
        .text = "what is taken up standing %s % into the source on average",
        .scale = 100,
        .if_high = "Take up what stands early in the source." }
};


const char *
judge_say_advice(judge_feature_e feature, bool too_high)
{
    return too_high ? judge_sayings[feature].if_high
                    : judge_sayings[feature].if_low;
}


/* With that many decimals, 0 to 2; a fixed form, faster than printf. */

static void
judge_say_number(judge_buf_t *b, double value, uint8_t decimals)
{
    char      digits[32], *p;
    uint8_t   i;
    uint64_t  n;

    p = digits + sizeof(digits);
    value *= decimals == 0 ? 1 : decimals == 1 ? 10 : 100;
    n = (uint64_t) floor(fabs(judge_clamp(value, -1e15, 1e15)) + 0.5);

    for (i = 0; i <= decimals || n > 0; i++) {
        if (i == decimals && decimals > 0) {
            *--p = '.';
        }

        *--p = (char) ('0' + n % 10);
        n /= 10;
    }

    if (value <= -0.5) {
        *--p = '-';
    }

    judge_buf_append(b, p, (size_t) (digits + sizeof(digits) - p));
}


void
judge_say_feature(judge_buf_t *b, const judge_measure_t *m,
    judge_feature_e feature)
{
    double                 value;
    const char            *p;
    const judge_saying_t  *saying;

    saying = &judge_sayings[feature];
    value = (double) m->v[feature];

    if (saying->logarithm) {
        value = judge_exp(value) - 1;
    }

    if (saying->squared) {
        value *= value;
    }

    value *= saying->scale != 0 ? (double) saying->scale : 1;
    p = strstr(saying->text, "%s");

    judge_buf_append(b, saying->text, (size_t) (p - saying->text));
    judge_say_number(b, value, saying->decimals);
    judge_buf_c(b, p + 2);
}


/* The sentence that a token belongs to, from 1. */

static size_t
judge_sentence_of(const judge_text_t *t, uint32_t token)
{
    size_t  low, high, middle;

    low = 0;
    high = t->nsentences;

    while (high - low > 1) {
        middle = (low + high) / 2;

        if (t->sentences[middle].first <= token) {
            low = middle;

        } else {
            high = middle;
        }
    }

    return low + 1;
}


/* The bytes of a passage, on one line and not too long. */

static void
judge_say_quote(judge_buf_t *b, const judge_text_t *t,
    const judge_place_t *place)
{
    size_t       begin;
    uint32_t     c;
    const char  *p, *from, *end;
    judge_str_t  all, part;

    begin = t->tokens[place->first].begin;
    all = (judge_str_t) { t->tokens[place->end - 1].end - begin,
                          t->str.data + begin };
    part = judge_utf8_prefix(all, JUDGE_QUOTE_BYTES);

    judge_buf_c(b, "\"");

    for (p = part.data, end = p + part.len; p < end; /* void */) {
        from = p;
        c = judge_utf8_next(&p, end);

        if (c == JUDGE_UTF8_INVALID || c < ' ') {
            judge_buf_c(b, c < ' ' ? " " : "?");

        } else {
            judge_buf_append(b, from, (size_t) (p - from));
        }
    }

    judge_buf_c(b, part.len < all.len ? "...\"" : "\"");
}


bool
judge_say_place(judge_buf_t *b, const judge_measure_t *m,
    judge_feature_e feature)
{
    const judge_place_t   *place;
    const judge_found_t   *found;
    const judge_saying_t  *saying;

    saying = &judge_sayings[feature];
    found = &m->found[saying->found];

    if (saying->found == JUDGE_FOUND_NONE || found->count == 0) {
        return false;
    }

    place = &found->places[0];

    judge_buf_printf(b, "sentence %zu: ",
                     judge_sentence_of(m->text, place->first));
    judge_say_quote(b, m->text, place);

    return true;
}
