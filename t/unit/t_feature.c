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
        { JUDGE_F_TYPES, "dog Dog cat", 1.098612 },
        { JUDGE_F_TYPES_ROOT, "dog dog cat cat cat dog dog cat", 0.5 },
        { JUDGE_F_UNFINISHED, "It is right now", 1 },
        { JUDGE_F_COMMAS, "a, b, c, d", 75 },
        { JUDGE_F_SENTENCE_WORDS, "One two three. Four.", 1.252763 },
        { JUDGE_F_WORD_LETTERS, "a cat entered 2 houses", 4.873397 },
        { JUDGE_F_CASUAL, "Yeah, we don't know :-)", 75 },
        { JUDGE_F_CASUAL, "We don\u2019t… \U0001F600 (us)", 100 },
        { JUDGE_F_CASUAL, "We do not know (all) of it ©", 0 },
        { JUDGE_F_COURTESIES, "Thank you, we would like it", 100.0 / 3 },
        { JUDGE_F_COURTESIES, "Could you please come? No thanks", 100.0 / 3 },
        { JUDGE_F_REPROACHES, "Why is that nonsense", 50 },
        { JUDGE_F_EXCLAMATIONS, "It is! It is.", 0.5 },
        { JUDGE_F_NUMBERS, "He won 3 of 10", 200.0 / 3 },
        { JUDGE_F_INSULTS, "You are stupid", 100.0 / 3 },
        { JUDGE_F_CONNECTIVE_KINDS, "However, he came", 1 }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        double  got = value(rows[i].text, rows[i].feature);

        t_ok(fabs(got - rows[i].value) < 1e-4,
             "%s: %s: %.5f is the expected %.5f",
             judge_features[rows[i].feature].name, rows[i].text, got,
             rows[i].value);
    }
}


/* What is wrong is found, once. */

static void
test_wrong(void)
{
    size_t  i, kind, all;
    static const struct {
        judge_found_e  kind;
        const char    *text;
        uint32_t       count;
    } rows[] = {
        { JUDGE_FOUND_MISSPELLED, "teh dog and teh xqzzt", 2 },
        { JUDGE_FOUND_UNKNOWN, "Eat a zorvat and a zorvat", 1 },
        { JUDGE_FOUND_APOSTROPHE, "They dont know it", 1 },
        { JUDGE_FOUND_APOSTROPHE, "Your ticket ID is 7, and id like more", 1 },
        { JUDGE_FOUND_SMALL_I, "And i know that i am", 2 },
        { JUDGE_FOUND_SMALL_START, "this is not right. But this one is.", 1 },
        { JUDGE_FOUND_SMALL_I, "We re-send it on monday", 1 },
        { JUDGE_FOUND_ODD_CAPITAL, "On Black-Friday we met our friends", 0 },
        { JUDGE_FOUND_SPACING, "Yes ,it is right", 1 },
        { JUDGE_FOUND_SPACING, "Thanks :-) We fixed it ; so it is", 1 },
        { JUDGE_FOUND_UNFINISHED, "It is here. We will see you there", 1 },
        { JUDGE_FOUND_UNFINISHED, "It is here. Yours sincerely, Ann Lee", 0 },
        { JUDGE_FOUND_UNFINISHED, "It is here. Kind regards Ann Lee", 0 },
        { JUDGE_FOUND_UNFINISHED, "It is here for you :)", 0 },
        { JUDGE_FOUND_MISSPELLED, "He could of been here", 1 },
        { JUDGE_FOUND_MISSPELLED, "Could we, or could of course we", 0 },
        { JUDGE_FOUND_MISSPELLED, "Their is more, and its a car", 2 },
        { JUDGE_FOUND_MISSPELLED, "A wish of his was our IT and yours", 0 },
        { JUDGE_FOUND_MISSPELLED, "It is more then that, to much work", 2 },
        { JUDGE_FOUND_MISSPELLED, "This led to much more, and then to it", 0 },
        { JUDGE_FOUND_MISSPELLED, "Thank you for you're help", 1 },
        { JUDGE_FOUND_MISSPELLED, "Go in before they're here", 0 },
        { JUDGE_FOUND_MARKS, "It is right!!", 1 },
        { JUDGE_FOUND_AGREEMENT, "Now he go there", 1 },
        { JUDGE_FOUND_AGREEMENT, "Now they realizes it", 1 },
        { JUDGE_FOUND_AGREEMENT, "I are not here", 1 },
        { JUDGE_FOUND_MISSPELLED, "Teh cat is in the house of my friend", 1 },
        { JUDGE_FOUND_MISSPELLED, "Wehn it rains we are in the house", 1 },
        { JUDGE_FOUND_MISSPELLED, "Recieved your mail, thank you for it", 1 },
        { JUDGE_FOUND_MISSPELLED, "Shoud you come, we are in the house", 1 },
        { JUDGE_FOUND_MISSPELLED, "Malgrés la pluie, nous sommes venus chez"
          " vous hier soir.", 1 },
        { JUDGE_FOUND_MISSPELLED, "Grasias por la ayuda que me dio ayer por"
          " la tarde.", 1 },
        { JUDGE_FOUND_MISSPELLED, "Wir danken Ihnen für dieses schöne"
          " Beispeil und die Arbeit.", 1 },
        { JUDGE_FOUND_MISSPELLED, "Selmane, Xerxo et Tomasz sont venus chez"
          " vous hier soir.", 0 },
        { JUDGE_FOUND_SMALL_I, "Véase la pág. 3, p. ej. el cuadro n.º 2 de"
          " nuestra carta.", 0 },
        { JUDGE_FOUND_MISSPELLED, "La policía tiene que vigilarlo, dice la"
          " gatita de la casa.", 0 },
        { JUDGE_FOUND_MISSPELLED, "Le nom vient du grec ἄγγελος et du russe"
          " войнá, dit le livre de la maison.", 0 },
        { JUDGE_FOUND_AGREEMENT, "So the students is here", 1 },
        { JUDGE_FOUND_VERB_FORM, "He can has it", 1 },
        { JUDGE_FOUND_VERB_FORM, "We want to went", 1 },
        { JUDGE_FOUND_NUMBER, "I saw many idea", 1 },
        { JUDGE_FOUND_NUMBER, "I saw a ideas", 1 },
        { JUDGE_FOUND_ARTICLE, "I ate a apple", 1 },
        { JUDGE_FOUND_ARTICLE, "I read an book", 1 },
        { JUDGE_FOUND_DOUBLED, "I saw the the house", 1 },
        { JUDGE_FOUND_INSULT, "You are stupid", 1 },
        { JUDGE_FOUND_INSULT, "You are an Idiot, you Moron", 2 },
        { JUDGE_FOUND_INSULT, "Hello Dick, this is Moby Dick", 0 }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        measure_with(rows[i].text, NULL);
        t_is_int(m.found[rows[i].kind], rows[i].count, rows[i].text);

        for (kind = 1, all = 0; kind < JUDGE_FOUND_KINDS; kind++) {
            all += m.found[kind];
        }

        t_is_int((int64_t) m.nspots, (int64_t) all,
                 "each fault has its place: %s", rows[i].text);
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
        "I think it is a good idea to read books every day.",
        "She suggested that he take the earlier train.",
        "My friend and I are here, and he and I are happy with it.",
        "Thoma is in the house of my friend Wihlem. Brian said so."
    };

    for (i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
        t_is_near(value(right[i], JUDGE_F_GRAMMAR_SLIPS), 0, 1e-4,
                  "no slip of grammar is found: %s", right[i]);
        t_is_near((double) m.v[JUDGE_F_CONVENTION_SLIPS], 0, 1e-4,
                  "no slip of form is found: %s", right[i]);
    }
}


/* What people do not write as sentences, and what is no text of theirs. */

static void
test_form(void)
{
    size_t  i;

    static const struct {
        const char  *text;
        double       slips;            /* of spelling and the like */
    } rows[] = {
        { "Sehr geehrte Frau M\xc3\xbcller,\n\nwir best\xc3\xa4tigen den"
          " Eingang Ihrer K\xc3\xbcndigung. Das Vertragsverh\xc3\xa4ltnis"
          " endet im Juni.", 0 },
        { "Dear Sir or Madam,\n\nwe thank you for the letter. It is here.",
          1 },
        { "Dear Sir or Madam,\n\nThank you for your letter. It is here.\n\n"
          "With many thanks and kind regards,\nTom Fields", 0 },
        { "We have it here.\n\nKind regards\n\nThe people of the house", 0 },
        { "You need:\n- 2 cups of white flour\n- three large red apples\n\n"
          "1. Heat the milk until it is warm.\n2. whisk the eggs and the"
          " milk\n", 0 },
        { "Take these with you:\nhalf a litre of milk\nthree large red"
          " apples", 0 },
        { "# What you need to know\n\nThis is a text about the house.", 0 },
        { "What you need to know\n\nThis is a text about the house.", 0 },
        { "The rain is on the hill and the house,\nthe wind is on the sea;"
          "\nand all the day the small grey mouse\nis waiting here for me,",
          0 },
        { "This is a text about the house\n\nIt is one that is long and that"
          " has no mark at the end of the line where it should have it", 1 },
        { "The house is here. we like it and the people in it", 2 },
        { "<p>The <b>house</b> is here.</p>\n<p title=\"a &gt; b\">It is"
          "&nbsp;old.</p>", 0 },
        { "If a <b and c> d then it is so.", 0 },
        { "The h\xe2\x80\x8bou\xc2\xadse is\xe2\x80\x8b here.", 0 },
        { "The iPhone and the eBay shop are here.", 0 },
        { "iPhone and iPad are good things to have.", 0 },
        { "It is ok to be here at 10 pm.", 0 },
        { "Take paracetamol and metformin with the quinoa.", 0 },
        { "The tihng is here.", 1 }, { "We eat zorvat in the house.", 0.4 }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        (void) value(rows[i].text, JUDGE_F_CONVENTION_SLIPS);
        t_is_near((double) m.v[JUDGE_F_CONVENTION_SLIPS]
                  * (double) m.text->nwords / 100, rows[i].slips, 1e-4,
                  "text %zu has as many slips of form as are expected", i);
    }

    t_is_near(value("<p>The <i>old</i> house.</p>", JUDGE_F_TYPES),
              value("The old house.", JUDGE_F_TYPES), 1e-4,
              "tags are no words");
    t_is_near(value("The ho\xe2\x80\x8buse of the house.", JUDGE_F_TYPES),
              value("The house of the house.", JUDGE_F_TYPES), 1e-4,
              "what has no width makes no other word");
}


/* A text is none the better for being shouted. */

static void
test_capitals(void)
{
    size_t  i, k;

    static const char *const  texts[][2] = {
        { "Your parcel left our house on Monday. It is at the door by now.",
          "YOUR PARCEL LEFT OUR HOUSE ON MONDAY. IT IS AT THE DOOR BY NOW." },
        { "We ate a apple here, but i liked teh other one.",
          "WE ATE A APPLE HERE, BUT i LIKED TEH OTHER ONE." }
    };

    static const judge_feature_e  features[] = {
        JUDGE_F_NAMES, JUDGE_F_RARITY, JUDGE_F_CONVENTION_SLIPS,
        JUDGE_F_GRAMMAR_SLIPS
    };

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        for (k = 0; k < sizeof(features) / sizeof(features[0]); k++) {
            t_is_near(value(texts[i][1], features[k]),
                      value(texts[i][0], features[k]), 1e-4,
                      "%s is the same in capitals: %s",
                      judge_features[features[k]].name, texts[i][0]);
        }
    }

    t_is_near(value("The NASA and the ESA said so.", JUDGE_F_NAMES),
              200.0 / 7, 1e-4, "capitals among others are names");
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
        { JUDGE_F_VAGUE, "Some stuff and things are good.",
          "Seven oaks shade our orchard." },
        { JUDGE_F_MODEL_GAIN, "I would like to go to the end of the world.",
          "World like the to end go I the would of to." },
        { JUDGE_F_MODEL_UNSEEN_COMMON, "The house went be a year went be.",
          "it was one of the best" },
        { JUDGE_F_CONNECTIVE_KINDS, "First, it rained. However, he went. "
          "Therefore, he got wet. For example, his hat.",
          "And it rained. And he went. And he got wet." },
        { JUDGE_F_PARAGRAPHING, "One two three.\n\nFour five six.\n\n"
          "Seven eight nine.", "One two three four five six seven." },
        { JUDGE_F_VALENCE, "What a wonderful, happy day!",
          "What a terrible, sad day!" },
        { JUDGE_F_VALENCE, "It was happy.", "It was not happy." },
        { JUDGE_F_FIRST_PERSON, "I gave my book to us.",
          "He gave the book to them." }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        double  more = value(rows[i].more, rows[i].feature);
        double  less = value(rows[i].less, rows[i].feature);

        t_ok(more > less,
             "%s: the first text has more, %.4f over %.4f",
             judge_features[rows[i].feature].name, more, less);
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
    const char  *copy, *own, *wrong;

    copy = "The city council of Springfield approved a new bridge on Monday.";
    own = "A bridge over the Green River was approved by the council.";
    wrong = "Mayor Robert Chen sold 75 tanks to Brazil in 1998.";

    t_is_near(value(copy, JUDGE_F_SOURCE_TRIPLES), 0, 1e-4,
              "a text without a source has no runs of one");
    t_is_near(value_from(copy, article, JUDGE_F_SOURCE_TRIPLES), 1, 1e-4,
              "all runs of three are the source's");
    t_is_near((double) m.v[JUDGE_F_SOURCE_SUPPORT], 1, 1e-4,
              "one sentence of the source bears the copy");
    t_is_near((double) m.v[JUDGE_F_SOURCE_ODD_PAIRS], 0, 1e-4,
              "nothing in the copy is odd");
    t_is_near((double) m.v[JUDGE_F_SOURCE_LEAD], 8.0 / 19, 1e-4,
              "the copy has some of the source's beginning");

    t_ok(value_from(own, article, JUDGE_F_SOURCE_TRIPLES) < 0.5,
         "own words have fewer runs of the source");
    t_ok(m.v[JUDGE_F_SOURCE_NOVEL_NAMES] < 1e-6f,
         "own words have no name that the source lacks");
    t_ok(value_from(own, article, JUDGE_F_SOURCE_SUPPORT)
         > value_from(wrong, article, JUDGE_F_SOURCE_SUPPORT),
         "own words have more of the source's than what is invented");

    t_ok(m.v[JUDGE_F_SOURCE_NOVEL_NAMES] > 0,
         "invented words have names that the source lacks");
    t_ok(m.v[JUDGE_F_SOURCE_SUPPORT] < 0.5f,
         "invented words have no support by the source");

    t_ok(value_from(article, article, JUDGE_F_SOURCE_SALIENT)
         > value_from(copy, article, JUDGE_F_SOURCE_SALIENT),
         "the more is taken, the more is covered");
    t_is_near(value_from(article, article, JUDGE_F_SOURCE_SALIENT), 1, 1e-4,
              "a source is covered by itself");
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
    t_is_near(value_from(b.data, b.data, JUDGE_F_SOURCE_TRIPLES), 1, 1e-4,
              "one word 100,000 times is covered by itself");
}


/* What is asked about is met, and near. */

static void
test_questions(void)
{
    judge_text_t  asked;

    if (judge_text_parse(&asked, arena, JUDGE_STR("Does the wall fall?"))
        != JUDGE_OK)
    {
        abort();
    }

    measure_with("Walls fall.", NULL);
    m.question = &asked;
    t_is_int(judge_measure_text(&m), JUDGE_OK,
             "a text can be measured beside a question");
    t_is_near((double) m.v[JUDGE_F_TOPIC_MET], 1, 1e-4,
              "all words of the question are met");
    t_ok((double) m.v[JUDGE_F_TOPIC_NEAR] > 0.7,
         "a text that answers stands near the question: %.3f",
         (double) m.v[JUDGE_F_TOPIC_NEAR]);

    measure_with("A recipe for soup.", NULL);
    m.question = &asked;
    t_is_int(judge_measure_text(&m), JUDGE_OK,
             "a text can be measured beside a question that it does not "
             "answer");
    t_is_near((double) m.v[JUDGE_F_TOPIC_MET], 0, 1e-4,
              "no word of another question is met");
    m.question = NULL;
}


/* The subject has 16 words; no list of rarities has one of these. */

static void
test_question_foreign(void)
{
    judge_text_t  asked;

    if (judge_text_parse(&asked, arena, JUDGE_STR("Eichhörnchen Waschbären"
            " Fledermäuse Schildkröten Regenwürmer Heuschrecken Nashörner"
            " Giraffen Krokodile Pinguine Schmetterlinge Meerschweinchen"
            " Papageien Wildschweine Maulwürfe Murmeltiere und"
            " Stachelschweine")) != JUDGE_OK)
    {
        abort();
    }

    measure_with("Eichhörnchen und Waschbären", NULL);
    m.question = &asked;
    t_is_int(judge_measure_text(&m), JUDGE_OK,
             "a text can be measured beside a foreign question");
    t_is_near((double) m.v[JUDGE_F_TOPIC_MET], 2.0 / 16, 1e-4,
              "the first words of a foreign question stay in its subject");
    m.question = NULL;
}


static void
test_long(void)
{
    t_is_near(value("Education and education are reputable.",
                    JUDGE_F_LONG_TYPES),
              2, 1e-4, "a long word counts once");
    t_is_near(value("It rained and we saw the.", JUDGE_F_BROKEN), 1, 1e-4,
              "no sentence ends with an article");
    t_is_near(value("We asked what it came from", JUDGE_F_BROKEN), 1, 1e-4,
              "no sentence without a mark ends with a preposition");
    t_is_near(value("We asked what it came from.", JUDGE_F_BROKEN), 0, 1e-4,
              "a sentence with a mark may end with a preposition");
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
          "darling, there is hope. The hill is obviously not calm.",
          "A calm hill." },
        { "Trees town shade plant summer shops birds people outside money "
          "water hill nature benefit", "A calm hill." }
    };

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        measure_with(texts[i][0], texts[i][1]);

        if (i > 0) {
            m.question = &source;
            t_is_int(judge_measure_text(&m), JUDGE_OK,
                     "text %zu can be measured with a question", i);
        }

        for (k = 0; k < JUDGE_FEATURES; k++) {
            moved[k] = moved[k] || (i > 0 && memcmp(&m.v[k], &first[k],
                                                    sizeof(float)) != 0);
            first[k] = m.v[k];
        }
    }

    for (k = 0, still = 0; k < JUDGE_FEATURES; k++) {
        if (!moved[k]) {
            t_ok(false, "%s moves between some texts", judge_features[k].name);
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
            same += strcmp(judge_features[i].name, judge_features[k].name)
                    == 0;
        }
    }

    t_is_int((int64_t) same, 0, "no two features have one name");

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        measure_with(texts[i], texts[(i + 1) % 15]);

        for (k = 0, wild = 0; k < JUDGE_FEATURES; k++) {
            wild += !(fabsf(m.v[k]) < 1000);
        }

        t_is_int((int64_t) wild, 0,
                 "all features of text %zu are finite and small", i);
    }
}


int
main(void)
{
    arena = judge_arena_create(1 << 16);

    test_values();
    test_wrong();
    test_right();
    test_form();
    test_capitals();
    test_directions();
    test_source();
    test_source_long();
    test_questions();
    test_question_foreign();
    test_long();
    test_moves();
    test_all();

    judge_arena_destroy(arena);

    return t_done();
}
