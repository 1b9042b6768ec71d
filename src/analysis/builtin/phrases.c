/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The words for the features and for what is found.
 */


#include "analysis/builtin/phrases.h"


const judge_phrase_t  judge_phrases[JUDGE_FEATURES] = {
    [JUDGE_F_WORDS] = {
        .one = "1 word",
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
        .none = "no sentence over 35 words",
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
        .one = "1 different word",
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
        .none = "no rare words",
        .one = "1 rare word",
        .text = "%s different rare words", .logarithm = true,
        .if_low = "Use more specific words in place of common ones." },
    [JUDGE_F_ACADEMIC] = {
        .none = "no academic words",
        .text = "%s % academic words", .scale = 100, .decimals = 1,
        .if_low = "Use the terms of the subject." },
    [JUDGE_F_VAGUE] = {
        .none = "no vague words",
        .text = "%s % vague words", .scale = 100, .decimals = 1,
        .found = JUDGE_FOUND_VAGUE,
        .if_high = "Put exact words for the vague ones." },
    [JUDGE_F_INTENSIFIERS] = {
        .none = "no intensifiers such as \"very\"",
        .text = "%s % intensifiers such as \"very\"", .scale = 100,
        .decimals = 1, .if_high = "Leave out words like \"very\" and "
                                  "\"really\"." },
    [JUDGE_F_INFORMAL] = {
        .none = "no informal words",
        .text = "%s % informal words", .scale = 100, .decimals = 1,
        .found = JUDGE_FOUND_INFORMAL,
        .if_high = "Replace the informal words." },
    [JUDGE_F_CONTRACTIONS] = {
        .none = "no contractions",
        .text = "%s contractions in 100 words", .decimals = 1,
        .if_high = "Write contractions out." },
    [JUDGE_F_DERIVED] = {
        .none = "no nouns like \"education\"",
        .text = "%s nouns like \"education\" in 100 words", .decimals = 1,
        .if_low = "Name things and actions by nouns of the subject." },
    [JUDGE_F_SENSORY] = {
        .none = "no words for the senses",
        .text = "%s % words for the senses", .scale = 100, .decimals = 1,
        .if_low = "Let the reader see, hear and feel what is told." },
    [JUDGE_F_MISSPELLED_ROOT] = {
        .none = "no misspelled or unknown words",
        .text = "%s misspelled or unknown words in 100", .decimals = 1,
        .squared = true,
        .found = JUDGE_FOUND_MISSPELLED,
        .if_high = "Check the spelling of these words." },
    [JUDGE_F_APOSTROPHES] = {
        .none = "no missing apostrophes",
        .text = "%s missing apostrophes in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_APOSTROPHE,
        .if_high = "Put apostrophes into contractions." },
    [JUDGE_F_SMALL_STARTS] = {
        .none = "no sentence beginning with a small letter",
        .text = "%s % of the sentences beginning with a small letter",
        .scale = 100, .found = JUDGE_FOUND_SMALL_START,
        .if_high = "Begin each sentence with a capital." },
    [JUDGE_F_SMALL_I] = {
        .none = "no small letters where a capital belongs",
        .text = "%s small letters in 100 words where a capital belongs",
        .decimals = 1, .found = JUDGE_FOUND_SMALL_I,
        .if_high = "Write \"I\" and names with a capital." },
    [JUDGE_F_SHOUTED] = {
        .none = "no words in capitals",
        .text = "%s words in capitals of 100", .decimals = 1,
        .found = JUDGE_FOUND_SHOUTED,
        .if_low = NULL, .if_high = "Write words in small letters." },
    [JUDGE_F_SPACING] = {
        .none = "no wrong spaces at punctuation",
        .text = "%s wrong spaces at punctuation in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_SPACING,
        .if_high = "Put a space behind commas and full stops, and none "
                   "before them." },
    [JUDGE_F_MARKS_REPEATED] = {
        .none = "no repeated punctuation marks",
        .text = "%s repeated punctuation marks in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_MARKS,
        .if_high = "Use one punctuation mark at a time." },
    [JUDGE_F_UNFINISHED] = {
        .none = "no sentence without a mark at the end",
        .text = "%s % of the sentences without a mark at the end",
        .scale = 100, .found = JUDGE_FOUND_UNFINISHED,
        .if_high = "End each sentence with its punctuation mark." },
    [JUDGE_F_CONVENTION_SLIPS] = {
        .none = "no slips of spelling, capitals and punctuation found",
        .text = "%s slips of spelling, capitals and punctuation in 100 words",
        .decimals = 1,
        .found = JUDGE_FOUND_MISSPELLED, .last = JUDGE_FOUND_UNFINISHED,
        .if_high = "Proofread capitals, spaces and punctuation." },
    [JUDGE_F_GRAMMAR_SLIPS] = {
        .none = "no slips of agreement, verb form, number and article found",
        .text = "%s slips of agreement, verb form, number and article in 100 "
                "words", .decimals = 2,
        .found = JUDGE_FOUND_AGREEMENT, .last = JUDGE_FOUND_DOUBLED,
        .if_high = "Check that verbs agree with their subjects and nouns "
                   "with their numbers and articles." },
    [JUDGE_F_NO_VERB] = {
        .none = "no sentence without a verb",
        .text = "%s % of the sentences without a verb", .scale = 100,
        .found = JUDGE_FOUND_NO_VERB,
        .if_high = "Give each sentence a verb." },
    [JUDGE_F_RUN_ON] = {
        .none = "no sentence running on without a pause",
        .text = "%s % of the sentences running on without a pause",
        .scale = 100, .found = JUDGE_FOUND_RUN_ON,
        .if_high = "Part the sentences that run on, by full stops or "
                   "commas." },
    [JUDGE_F_MARK_KINDS] = {
        .none = "no punctuation besides the full stop",
        .one = "1 kind of punctuation besides the full stop",
        .text = "%s kinds of punctuation besides the full stop",
        .if_low = "Use the punctuation that the sentences call for: commas, "
                  "colons, question marks." },
    [JUDGE_F_COMMAS] = {
        .none = "no commas",
        .text = "%s commas in 100 words", .decimals = 1,
        .if_low = "Set commas behind openings and between clauses." },
    [JUDGE_F_OPENINGS] = {
        .text = "%s % of the sentences opening with a word of their own",
        .scale = 100, .if_low = "Open sentences in different ways." },
    [JUDGE_F_PASSIVE] = {
        .none = "no passives",
        .text = "%s passives in a sentence", .decimals = 2,
        .if_low = "Vary the sentences, also by the passive." },
    [JUDGE_F_PREPOSITIONS] = {
        .text = "%s % prepositions", .scale = 100,
        .if_low = "Put more information into noun phrases." },
    [JUDGE_F_CONNECTIVES] = {
        .none = "no connectives",
        .text = "%s connectives in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_UNLINKED,
        .if_low = "Say how a sentence follows from the one before: because, "
                  "however, for example." },
    [JUDGE_F_CONNECTIVE_TYPES] = {
        .none = "no connectives",
        .one = "1 connective",
        .text = "%s different connectives", .logarithm = true,
        .found = JUDGE_FOUND_CONNECTIVE,
        .if_low = "Link sentences and paragraphs with more connectives." },
    [JUDGE_F_OVERLAP] = {
        .none = "no sentence taking up a word of the one before",
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
        .none = "no concluding words",
        .text = "concluding words",
        .if_low = "Conclude, and show it: in conclusion, overall." },
    [JUDGE_F_ORDERED] = {
        .none = "no words that order, such as \"first\"",
        .one = "1 word that orders, such as \"first\"",
        .text = "%s words that order, such as \"first\"", .logarithm = true,
        .if_low = "Show the order of the thoughts: first, second, finally." },
    [JUDGE_F_PARAGRAPHING] = {
        .none = "no paragraphs",
        .text = "a balance of the paragraphs of %s (0 to 1)", .decimals = 2,
        .if_low = "Part the text into several paragraphs of like size, one "
                  "thought each." },
    [JUDGE_F_REPEATED_TRIPLES] = {
        .none = "no run of three words said before",
        .text = "%s % of the runs of three words said before",
        .scale = 100, .decimals = 1, .found = JUDGE_FOUND_REPEATED,
        .if_high = "Leave out what is said twice." },
    [JUDGE_F_REPEATED_SENTENCES] = {
        .none = "no sentence said before",
        .text = "%s % of the sentences said before", .scale = 100,
        .if_high = "Leave out the sentences that come again." },
    [JUDGE_F_MODEL_GAIN] = {
        .text = "a predictability of the wording of %s by a model of English",
        .decimals = 2,
        .found = JUDGE_FOUND_IMPROBABLE,
        .if_low = "Reword what is unusual in English: which word goes with "
                  "which." },
    [JUDGE_F_MODEL_UNSEEN_COMMON] = {
        .none = "no pair of common words unknown to a model of English",
        .text = "%s % of the pairs of common words unknown to a model of "
                "English", .scale = 100, .decimals = 1,
        .found = JUDGE_FOUND_ODD_PAIR,
        .if_high = "Check the pairs of words that are unusual in "
                   "English." },
    [JUDGE_F_MODEL_UNIGRAM] = {
        .text = "an average word probability of %s (log10)", .decimals = 2,
        .if_low = "Check the words that are unusual." },
    [JUDGE_F_NUMBERS] = {
        .none = "no figures",
        .text = "%s figures in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_FIGURE, .if_low = "Give figures." },
    [JUDGE_F_QUOTED] = {
        .none = "no quotations",
        .text = "%s % of the words in quotation marks", .scale = 100,
        .found = JUDGE_FOUND_QUOTATION, .if_low = "Quote the sources." },
    [JUDGE_F_CITES] = {
        .none = "no named sources",
        .text = "%s named sources in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_CITATION,
        .if_low = "Name the source of each fact." },
    [JUDGE_F_EXAMPLES] = {
        .none = "no examples announced",
        .text = "%s examples announced in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_EXAMPLE,
        .if_low = "Support general statements by examples." },
    [JUDGE_F_EVIDENCE_WORDS] = {
        .none = "no words for evidence",
        .text = "%s words for evidence in 100", .decimals = 1,
        .if_low = "Say what each claim rests on: studies, reports, "
                  "observations." },
    [JUDGE_F_REPORTED] = {
        .none = "no verbs that report others' words",
        .text = "%s verbs that report others' words in 100 words",
        .decimals = 1, .if_low = "Say who states what." },
    [JUDGE_F_NAMES] = {
        .none = "no names",
        .text = "%s names in 100 words", .decimals = 1,
        .if_low = "Name the people, places and works that are meant." },
    [JUDGE_F_HEDGES] = {
        .none = "no hedges",
        .text = "%s hedges in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_HEDGE,
        .if_high = "Leave out hedges where the facts are sure." },
    [JUDGE_F_BOOSTERS] = {
        .none = "no words of certainty",
        .text = "%s words of certainty in 100", .decimals = 1,
        .if_low = "State plainly what is certain." },
    [JUDGE_F_OPINIONS] = {
        .none = "no words of opinion",
        .text = "%s words of opinion in 100", .decimals = 1,
        .found = JUDGE_FOUND_OPINION,
        .if_low = "State the position clearly." },
    [JUDGE_F_CONCESSIONS] = {
        .none = "no concessions to other views",
        .text = "%s concessions to other views in 100 words", .decimals = 1,
        .if_low = "Answer what others would say against it." },
    [JUDGE_F_REASONS] = {
        .none = "no words that give reasons",
        .text = "%s words that give reasons in 100", .decimals = 1,
        .found = JUDGE_FOUND_REASON,
        .if_low = "Give the reasons: because, therefore, as a result." },
    [JUDGE_F_NARRATIVE] = {
        .none = "no words of story-telling",
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
        .none = "no pleasant words",
        .text = "%s pleasant words in 100", .decimals = 1,
        .found = JUDGE_FOUND_POSITIVE,
        .if_low = "Choose more positive words." },
    [JUDGE_F_NEGATIVE] = {
        .none = "no unpleasant words",
        .text = "%s unpleasant words in 100", .decimals = 1,
        .found = JUDGE_FOUND_NEGATIVE,
        .if_high = "Choose less negative words." },
    [JUDGE_F_EMOTION] = {
        .none = "no words of feeling",
        .text = "%s words of feeling in 100", .decimals = 1,
        .if_low = "Name the feelings." },
    [JUDGE_F_POLITE] = {
        .none = "no polite words",
        .text = "%s polite words in 100", .decimals = 1,
        .found = JUDGE_FOUND_POLITE,
        .if_low = "Add courtesies: please, thank you." },
    [JUDGE_F_INSULTS] = {
        .none = "no insults",
        .text = "%s insults in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_INSULT, .if_high = "Leave out the insults." },
    [JUDGE_F_EXCLAMATIONS] = {
        .none = "no exclamation marks",
        .text = "%s % of the sentences ending with \"!\"", .scale = 100,
        .if_high = "Use full stops for exclamation marks.",
        .if_low = NULL },
    [JUDGE_F_QUESTIONS] = {
        .none = "no questions",
        .text = "%s % of the sentences being questions", .scale = 100,
        .if_high = "State rather than ask." },
    [JUDGE_F_FIRST_PERSON] = {
        .none = "no words of the first person",
        .text = "%s words of the first person in 100", .decimals = 1,
        .if_high = "Speak of the matter rather than of yourself." },
    [JUDGE_F_SECOND_PERSON] = {
        .none = "no words of the second person",
        .text = "%s words of the second person in 100", .decimals = 1,
        .if_low = "Speak to the reader.",
        .if_high = "Do not address the reader." },
    [JUDGE_F_NEGATIONS] = {
        .none = "no negations",
        .text = "%s negations in 100 words", .decimals = 1,
        .if_high = "Say what is, rather than what is not." },
    [JUDGE_F_PRONOUNS] = {
        .none = "no pronouns",
        .text = "%s % pronouns", .scale = 100,
        .if_low = "Speak of persons." },
    [JUDGE_F_TOPIC_WORDS] = {
        .none = "none of the rubric's topic words",
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
        .none = "nothing taken word by word from the source",
        .one = "stretches of 1 word on average taken from the source",
        .text = "stretches of %s words on average taken from the source",
        .logarithm = true, .if_low = "Keep nearer to the source's wording." },
    [JUDGE_F_SOURCE_NOVEL_NAMES] = {
        .none = "no names that the source lacks",
        .text = "%s names in 100 words that the source lacks", .decimals = 1,
        .found = JUDGE_FOUND_NOVEL_NAME,
        .if_high = "Check the names against the source." },
    [JUDGE_F_SOURCE_NOVEL_NUMBERS] = {
        .none = "no numbers that the source lacks",
        .text = "%s numbers in 100 words that the source lacks",
        .decimals = 1, .found = JUDGE_FOUND_NOVEL_NUMBER,
        .if_high = "Check the numbers against the source." },
    [JUDGE_F_SOURCE_NOVEL_SENTENCE] = {
        .none = "no topic words that the source lacks",
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
        .none = "no pairs of words foreign to the source and to English",
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
        .none = "no pair of words said before",
        .text = "%s % of the pairs of words said before", .scale = 100,
        .found = JUDGE_FOUND_REPEATED,
        .if_high = "Leave out what is said twice." },
    [JUDGE_F_TOP_WORD] = {
        .text = "%s % of the topic words being one and the same",
        .scale = 100, .if_high = "Vary the word that comes most often." },
    [JUDGE_F_DOUBLED] = {
        .none = "no doubled words",
        .text = "%s doubled words in 100 words", .decimals = 1,
        .found = JUDGE_FOUND_DOUBLED, .if_high = "Leave out words that "
                                                 "stand twice." },
    [JUDGE_F_SUBORDINATION] = {
        .none = "no subordinating words",
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


const char *const  judge_found_names[JUDGE_FOUND_KINDS] = {
    [JUDGE_FOUND_MISSPELLED] = "spelling",
    [JUDGE_FOUND_APOSTROPHE] = "an apostrophe is missing",
    [JUDGE_FOUND_SMALL_START] = "begins with a small letter",
    [JUDGE_FOUND_SMALL_I] = "a capital is missing",
    [JUDGE_FOUND_ODD_CAPITAL] = "a capital inside the sentence",
    [JUDGE_FOUND_SHOUTED] = "all in capitals",
    [JUDGE_FOUND_SPACING] = "spaces at punctuation",
    [JUDGE_FOUND_MARKS] = "repeated marks",
    [JUDGE_FOUND_UNFINISHED] = "no mark at the end",
    [JUDGE_FOUND_AGREEMENT] = "agreement of subject and verb",
    [JUDGE_FOUND_VERB_FORM] = "form of the verb",
    [JUDGE_FOUND_NUMBER] = "singular and plural",
    [JUDGE_FOUND_ARTICLE] = "article",
    [JUDGE_FOUND_DOUBLED] = "doubled word",
    [JUDGE_FOUND_NO_VERB] = "no verb",
    [JUDGE_FOUND_RUN_ON] = "runs on",
    [JUDGE_FOUND_VAGUE] = "vague",
    [JUDGE_FOUND_INFORMAL] = "informal",
    [JUDGE_FOUND_ODD_PAIR] = "unusual pair of words",
    [JUDGE_FOUND_IMPROBABLE] = "least probable wording",
    [JUDGE_FOUND_UNLINKED] = "takes up nothing from the one before",
    [JUDGE_FOUND_REPEATED] = "said before",
    [JUDGE_FOUND_INSULT] = "insult",
    [JUDGE_FOUND_NOVEL_NAME] = "not in the source",
    [JUDGE_FOUND_NOVEL_NUMBER] = "not in the source",
    [JUDGE_FOUND_NOVEL_SENTENCE] = "words that the source lacks",
    [JUDGE_FOUND_NOVEL_PAIR] = "joined neither in the source nor in English"
};
