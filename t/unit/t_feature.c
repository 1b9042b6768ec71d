/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The families of features on small texts: values and directions. */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/builtin/engine.h"
#include "analysis/features/feature.h"
#include "tap.h"


static judge_arena_t    *arena;
static judge_text_t      text, source;
static judge_measure_t   m;


static void
measure_with(const char *bytes, const char *from)
{
    memset(&m, 0, sizeof(judge_measure_t));
    m.arena = arena;
    m.text = &text;

    if (from != NULL) {
        m.source = &source;

        if (judge_text_parse(&source, arena, judge_str_c(from)) != JUDGE_OK) {
            abort();
        }
    }

    if (judge_text_parse(&text, arena, judge_str_c(bytes)) != JUDGE_OK
        || judge_measure_text(&m) != JUDGE_OK)
    {
        abort();
    }
}


static double
value(const char *bytes, judge_feature_e feature)
{
    measure_with(bytes, NULL);

    return (double) m.v[feature];
}


static double
value_from(const char *bytes, const char *from, judge_feature_e feature)
{
    measure_with(bytes, from);

    return (double) m.v[feature];
}


static void
is(double got, double want, const char *name)
{
    t_ok(fabs(got - want) < 1e-4, "%s: %.5f, expected %.5f", name, got, want);
}


/* Values that can be told by hand. */

static void
test_values(void)
{
    size_t  i;
    static const struct {
        judge_feature_e  feature;
        const char      *text;
        double           value;
    } rows[] = {
        { JUDGE_F_WORDS, "one two three", 1.386294 },
        { JUDGE_F_SENTENCES, "One. Two.", 1.098612 },
        { JUDGE_F_PARAGRAPHS, "One.\n\nTwo.", 1.098612 },
        { JUDGE_F_SENTENCE_WORDS, "One two. Three four five six.", 3 },
        { JUDGE_F_SENTENCE_SPREAD, "One two. Three four five six.",
          1.0 / 3 },
        { JUDGE_F_SENTENCE_LONGEST, "One two. Three four five six.", 4 },
        { JUDGE_F_LARGEST_PARAGRAPH, "One.\n\nTwo three four.", 0.75 },
        { JUDGE_F_WORD_LETTERS, "a bcd", 2 },
        { JUDGE_F_LONG_WORDS, "seventy eggs", 0.5 },
        { JUDGE_F_TYPES, "dog Dog cat", 1.098612 },
        { JUDGE_F_TYPES_ROOT, "dog dog cat cat cat dog dog cat", 0.5 },
        { JUDGE_F_WINDOW_RATIO, "dog dog cat cat", 0.5 },
        { JUDGE_F_CONTENT_SHARE, "the dog of the house", 0.4 },
        { JUDGE_F_MISSPELLED, "teh dog and teh xqzzt", 60 },
        { JUDGE_F_APOSTROPHES, "They dont know it", 25 },
        { JUDGE_F_SMALL_I, "And i know that i am", 100.0 / 3 },
        { JUDGE_F_SMALL_STARTS, "this is not right. But this one is.", 0.5 },
        { JUDGE_F_SPACING, "Yes ,it is right", 25 },
        { JUDGE_F_MARKS_REPEATED, "It is right!!", 100.0 / 3 },
        { JUDGE_F_UNFINISHED, "It is right now", 1 },
        { JUDGE_F_AGREEMENT, "Now he go there", 25 },
        { JUDGE_F_AGREEMENT, "Now they realizes it", 25 },
        { JUDGE_F_AGREEMENT, "So the students is here", 20 },
        { JUDGE_F_VERB_FORM, "He can has it", 25 },
        { JUDGE_F_VERB_FORM, "We want to went", 25 },
        { JUDGE_F_NUMBER, "I saw many idea", 25 },
        { JUDGE_F_NUMBER, "I saw a ideas", 25 },
        { JUDGE_F_ARTICLES, "I ate a apple", 25 },
        { JUDGE_F_ARTICLES, "I read an book", 25 },
        { JUDGE_F_DOUBLED, "I saw the the house", 20 },
        { JUDGE_F_COMMAS, "a, b, c, d", 75 },
        { JUDGE_F_MARK_KINDS, "a, b; c: d? e! (f) -- \"g\"", 8 },
        { JUDGE_F_CONTRACTIONS, "They don't know the dog's name", 100.0 / 6 },
        { JUDGE_F_CONTRACTIONS, "We\xe2\x80\x99re here", 50 },
        { JUDGE_F_QUESTIONS, "Is it? It is.", 0.5 },
        { JUDGE_F_EXCLAMATIONS, "It is! It is.", 0.5 },
        { JUDGE_F_NUMBERS, "He won 3 of 10", 40 * 5.0 / 3 },
        { JUDGE_F_QUOTED, "he said \"go now\"", 0.5 },
        { JUDGE_F_INSULTS, "You are stupid", 100.0 / 3 },
        { JUDGE_F_REPEATED_SENTENCES,
          "The dog sat down there. The dog sat down there.", 0.5 },
        { JUDGE_F_TOP_WORD, "dog dog dog cat", 0.75 },
        { JUDGE_F_CONNECTIVES, "However, he came", 100.0 / 3 },
        { JUDGE_F_OVERLAP, "The dog barked. A dog ran.", 1 },
        { JUDGE_F_OVERLAP, "The dog barked. Trees grow.", 0 },
        { JUDGE_F_GIVEN, "The dog barked. The dog ran.", 0.25 }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        double  got = value(rows[i].text, rows[i].feature);

        t_ok(fabs(got - rows[i].value) < 1e-4,
             "%s: %s: %.5f, expected %.5f",
             judge_feature_name(rows[i].feature), rows[i].text, got,
             rows[i].value);
    }
}


/* What is right is not blamed. */

static void
test_right(void)
{
    size_t  i;

    static const char *const  right[] = {
        "He goes there, and they go home.",
        "Let him go now. Did she have it? That I was there is true.",
        "If I were you, I would not have gone.",
        "An hour ago a European won a one-time prize at a university.",
        "One of the students has left; many of them were happy.",
        "She had had enough of all that that man said.",
        "Dr. Smith paid $3.50 for it, i.e. too much.",
        "The three book shops open at 10:30 on Monday.",
        "These are the best of the first ones.",
        "\xe2\x80\x9cWe don\xe2\x80\x99t know,\xe2\x80\x9d said Anna\xe2\x80"
        "\x99s friend Jos\xc3\xa9.",
        "I think it is a good idea to read books every day."
    };

    for (i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
        is(value(right[i], JUDGE_F_GRAMMAR_SLIPS), 0, right[i]);
        is((double) m.v[JUDGE_F_CONVENTION_SLIPS], 0, "... nor of form");
    }
}


/* The first text has more of the feature than the second. */

static void
test_directions(void)
{
    size_t  i;
    static const struct {
        judge_feature_e  feature;
        const char      *more, *less;
    } rows[] = {
        { JUDGE_F_FLESCH, "The cat sat. The dog ran.",
          "Institutional accountability necessitates comprehensive "
          "documentation of administrative responsibilities." },
        { JUDGE_F_GRADE, "Institutional accountability necessitates "
          "comprehensive documentation.", "The cat sat. The dog ran." },
        { JUDGE_F_RARITY, "The archipelago obfuscates taxonomy.",
          "The people make good things." },
        { JUDGE_F_MTLD, "Every single word here differs from all others "
          "that this line holds, so nothing repeats itself at all.",
          "the dog the dog the dog the dog the dog the dog the dog" },
        { JUDGE_F_ACADEMIC, "We analyze the data and evaluate the concept.",
          "We look at the dog and eat the cake." },
        { JUDGE_F_VAGUE, "Some stuff and things are good.",
          "Seven oaks shade our orchard." },
        { JUDGE_F_MODEL_GAIN, "I would like to go to the end of the world.",
          "World like the to end go I the would of to." },
        { JUDGE_F_MODEL_UNIGRAM, "The man was in the house.",
          "Xqzzt brrgl womf snirt." },
        { JUDGE_F_MODEL_UNSEEN_COMMON, "The house went be a year went be.",
          "it was one of the best" },
        { JUDGE_F_SUBORDINATION, "He came because she asked him when it "
          "rained.", "He came. She asked him. It rained." },
        { JUDGE_F_PASSIVE, "The house was built. It was sold.",
          "They built the house. They sold it." },
        { JUDGE_F_RUN_ON, "He went home and he did it and then he was there "
          "and he could not see and it was dark and so he had to go to bed "
          "and that was all there was.",
          "He went home, and he did it." },
        { JUDGE_F_CONNECTIVE_KINDS, "First, it rained. However, he went. "
          "Therefore, he got wet. For example, his hat.",
          "And it rained. And he went. And he got wet." },
        { JUDGE_F_CONCLUDING, "In conclusion, it is so.", "It is so." },
        { JUDGE_F_PARAGRAPHING, "One two three.\n\nFour five six.\n\n"
          "Seven eight nine.", "One two three four five six seven." },
        { JUDGE_F_REPEATED_TRIPLES, "the big dog ran and the big dog ran",
          "the big dog ran and a small cat sat" },
        { JUDGE_F_EXAMPLES, "For example, such as this.", "It is this." },
        { JUDGE_F_EVIDENCE_WORDS, "A study found evidence in the data.",
          "I like it very much." },
        { JUDGE_F_CITES, "It is known (Smith, 2001).", "It is known." },
        { JUDGE_F_HEDGES, "Perhaps it may be so.", "It is so." },
        { JUDGE_F_REASONS, "It is true because of this.", "It is true." },
        { JUDGE_F_VALENCE, "What a wonderful, happy day!",
          "What a terrible, sad day!" },
        { JUDGE_F_VALENCE, "It was happy.", "It was not happy." },
        { JUDGE_F_POLITE, "Please help me, thank you.", "Help me now." },
        { JUDGE_F_FIRST_PERSON, "I gave my book to us.",
          "He gave the book to them." }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        double  more = value(rows[i].more, rows[i].feature);
        double  less = value(rows[i].less, rows[i].feature);

        t_ok(more > less, "%s: %.4f over %.4f",
             judge_feature_name(rows[i].feature), more, less);
    }
}


static const char  article[] =
    "The city council of Springfield approved a new bridge on Monday. The "
    "bridge will cost 40 million dollars and cross the Green River. Mayor "
    "Anna Lopez said that work starts in June. Residents of the old town "
    "fear noise and traffic. Engineers expect that the bridge opens in 2027.";


static void
test_source(void)
{
    const char  *copy, *own, *wrong, *cut;

    copy = "The city council of Springfield approved a new bridge on Monday.";
    own = "A bridge over the Green River was approved by the council.";
    wrong = "Mayor Robert Chen sold 75 tanks to Brazil in 1998.";
    cut = "of Springfield approved a new bridge on. said that work starts.";

    is(value(copy, JUDGE_F_SOURCE), 0, "no source");
    is(value_from(copy, article, JUDGE_F_SOURCE), 1, "a source");
    is((double) m.v[JUDGE_F_SOURCE_PAIRS], 1, "all pairs are the source's");
    is((double) m.v[JUDGE_F_SOURCE_COPIED], 1, "all is copied");
    is((double) m.v[JUDGE_F_SOURCE_SUPPORT], 1, "one sentence bears it");
    is((double) m.v[JUDGE_F_SOURCE_WHOLE], 1, "a whole sentence");
    is((double) m.v[JUDGE_F_SOURCE_POSITION], 0, "from the beginning");
    is((double) m.v[JUDGE_F_SOURCE_ODD_PAIRS], 0, "nothing odd");

    t_ok(value_from(own, article, JUDGE_F_SOURCE_PAIRS)
         < value_from(copy, article, JUDGE_F_SOURCE_PAIRS),
         "own words, fewer pairs of the source");
    t_ok(value_from(own, article, JUDGE_F_SOURCE_WORDS)
         > value_from(wrong, article, JUDGE_F_SOURCE_WORDS),
         "... but more of its words than what is invented");

    t_ok(value_from(wrong, article, JUDGE_F_SOURCE_NOVEL_NUMBERS) > 0,
         "numbers that the source lacks");
    t_is_int(m.found[JUDGE_FOUND_NOVEL_NUMBER], 2, "75 and 1998");
    t_ok(m.v[JUDGE_F_SOURCE_NOVEL_NAMES] > 0, "names that it lacks");
    t_ok(m.v[JUDGE_F_SOURCE_NOVEL_SENTENCE] > 0.5f, "a sentence of its own");
    t_ok(m.v[JUDGE_F_SOURCE_SUPPORT] < 0.5f, "that nothing bears");

    t_ok(value_from(cut, article, JUDGE_F_SOURCE_WHOLE) < 0.5,
         "pieces are not whole");

    t_ok(value_from(article, article, JUDGE_F_SOURCE_RECALL)
         > value_from(copy, article, JUDGE_F_SOURCE_RECALL),
         "the more is taken, the more is covered");
    is(value_from(article, article, JUDGE_F_SOURCE_SALIENT), 1,
       "all is covered by all");
    is((double) m.v[JUDGE_F_SOURCE_LENGTH], 0, "as long as the source");
    is((double) m.v[JUDGE_F_SOURCE_COSINE], 1, "like itself");
}


/* Runs were once compared to their ends for each word, which took hours. */

static void
test_source_long(void)
{
    size_t       i;
    judge_buf_t  b;

    judge_buf_init(&b, arena);

    for (i = 0; i < 100000; i++) {
        judge_buf_c(&b, "a ");
    }

    judge_buf_append(&b, "", 1);
    is(value_from(b.data, b.data, JUDGE_F_SOURCE_COPIED), 1,
       "one word 100,000 times, against itself");
}


/* The question's last turn is met, and near. */

static void
test_questions(void)
{
    judge_text_t  asked;

    if (judge_text_parse(&asked, arena, JUDGE_STR("A: Hello. B: Does the wall"
                                                  " fall?"))
        != JUDGE_OK)
    {
        abort();
    }

    measure_with("Walls fall.", NULL);
    m.question = &asked;
    t_is_int(judge_measure_text(&m), JUDGE_OK, "beside a question");
    is((double) m.v[JUDGE_F_QUESTION_MET], 1, "all words of the last turn");
    t_ok((double) m.v[JUDGE_F_QUESTION_NEAR] > 0.7, "and near it: %.3f",
         (double) m.v[JUDGE_F_QUESTION_NEAR]);

    measure_with("A recipe for soup.", NULL);
    m.question = &asked;
    t_is_int(judge_measure_text(&m), JUDGE_OK, "beside another question");
    is((double) m.v[JUDGE_F_QUESTION_MET], 0, "none");
    m.question = NULL;
}


static void
test_long(void)
{
    is(value("She slowly and calmly told her family. They slowly left.",
             JUDGE_F_ADVERBS), 2, "adverbs, each once");
    is(value("Education and education are reputable.", JUDGE_F_LONG_TYPES),
       2, "long words, each once");
    is(value("I had never seen it. He would see, but she can.",
             JUDGE_F_VERB_GROUPS), 2, "groups of verbs");
    is(value("It rained. We left the house.", JUDGE_F_LAST_WORDS), log(5),
       "words of the last sentence");
    is(value("It rained and we saw the.", JUDGE_F_BROKEN), 1,
       "no sentence ends with an article");
    is(value("We asked what it came from", JUDGE_F_BROKEN), 1,
       "nor, without a mark, with a preposition");
    is(value("We asked what it came from.", JUDGE_F_BROKEN), 0,
       "with one it may");
}


/* No feature stands still: over a few texts, some of them beside a question,
 * each takes two values at least. */

static void
test_moves(void)
{
    float   first[JUDGE_FEATURES];
    bool    moved[JUDGE_FEATURES] = { false };
    size_t  i, k, still;

    static const char *const  texts[][2] = {
        { "A word in here.", "A word in here." },
        { "In conclusion, first, some people say they can't DEFINITELY go "
          "to the stupid city ,because i dont has a apple!! For example, "
          "the study was shown (Smith, 2001), perhaps. Is it 42? \"Yes it "
          "is,\" said Anna; please, thank you.\n\nYesterday the bright "
          "archipelago, which obfuscates education, suddenly reminded we "
          "goes home home. Very good stuff; gonna see xqzzt no",
          "In the bright city it rained for 3 days. Anna said the study was "
          "shown. The archipelago, which obfuscates education, suddenly "
          "vanished." },
        { "the big red dog ran very far away. the big red dog ran very far "
          "away. And many idea. They must see them and Them. Now he go "
          "there. We want to went to the a place.\n\nThe house went be a "
          "dog. For the children of the city. A big red dog and the",
          "Then the big red dog ran away. It was big." },
        { "This is that. He came and he went and he saw and he had it and "
          "she was there when they did it and it was not over for a long "
          "time and then they were gone and that was all that there was and "
          "nobody knew what to do with it. Of the big houses on the hill. "
          "Be calm. I command you!", "A calm hill." },
        { "I can't help with that, it depends. It is your own fault, get "
          "over it. A "
          "synergy, amazing. Click here. I understand how upsetting it is. "
          "Mix bleach with vinegar. Call a doctor. We met on 14 May with 3 "
          "litres. Well done, I laughed, then wept, afraid and furious. My "
          "darling, there is hope. The hill is not calm.", "A calm hill." },
        { "Trees town shade plant summer shops birds people outside money "
          "water hill nature benefit", "A calm hill." }
    };

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        measure_with(texts[i][0], texts[i][1]);

        if (i > 0) {
            m.question = &source;
            t_is_int(judge_measure_text(&m), JUDGE_OK, "with a question");
        }

        for (k = 0; k < JUDGE_FEATURES; k++) {
            moved[k] = moved[k] || (i > 0 && memcmp(&m.v[k], &first[k],
                                                    sizeof(float)) != 0);
            first[k] = m.v[k];
        }
    }

    for (k = 0, still = 0; k < JUDGE_FEATURES; k++) {
        if (!moved[k] && k != JUDGE_F_SOURCE) {
            t_ok(false, "%s stands still", judge_feature_name(k));
            still++;
        }
    }

    t_is_int((int64_t) still, 0, "no feature stands still");
}


/* Each feature has a name of its own, and stays finite whatever the text. */

static void
test_all(void)
{
    size_t  i, k, same, wild;

    static const char *const  texts[] = {
        "a", "1", ".", "!!!", "a a a a a a a a a a a a", "\xff\xff a",
        "\xe4\xbd\xa0\xe5\xa5\xbd", "((((((", "\"\"\"\"", "a.b.c.d.e.f",
        "I I I I I", "x\n\n\n\nx", "'''", "http://", "-- -- --"
    };

    for (i = 0, same = 0; i < JUDGE_FEATURES; i++) {
        for (k = 0; k < i; k++) {
            same += strcmp(judge_feature_name(i), judge_feature_name(k)) == 0;
        }
    }

    t_is_int((int64_t) same, 0, "no two features have one name");
    t_ok(judge_feature_name(JUDGE_FEATURES) == NULL, "NULL behind the last");

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        measure_with(texts[i], texts[(i + 1) % 15]);

        for (k = 0, wild = 0; k < JUDGE_FEATURES; k++) {
            wild += !(fabsf(m.v[k]) < 1000);
        }

        t_is_int((int64_t) wild, 0, "finite and small: text %zu", i);
    }
}


int
main(void)
{
    arena = judge_arena_create(1 << 16);

    test_values();
    test_right();
    test_directions();
    test_source();
    test_source_long();
    test_questions();
    test_long();
    test_moves();
    test_all();

    judge_arena_destroy(arena);

    return t_done();
}
