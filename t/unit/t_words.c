/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What is known of words: the generated table, endings, stems, pairs. */


#include <string.h>

#include "analysis/text/words.h"
#include "tap.h"


static judge_word_t
know(const char *text)
{
    judge_str_t   lower;
    judge_word_t  word;

    lower = judge_str_c(text);
    judge_word_know(lower, judge_word_hash(lower), &word);

    return word;
}


static uint64_t
both(const char *one, const char *two)
{
    return judge_hash_join(judge_word_hash(judge_str_c(one)),
                           judge_word_hash(judge_str_c(two)));
}


static unsigned
pair(const char *one, const char *two)
{
    return judge_word_step(judge_wordpairs, both(one, two));
}


static unsigned
triple(const char *one, const char *two, const char *three)
{
    return judge_word_step(judge_wordtriples, judge_hash_join(both(one, two),
        judge_word_hash(judge_str_c(three))));
}


static void
test_known(void)
{
    size_t  i;

    static const char *const  right[] = {
        "the", "house", "colour", "color", "organise", "organize",
        "children's", "don't", "happily", "unhappiness", "recyclable", "a",
        "i", "antiwar", "cyberattack", "grandmother's", NULL
    };

    static const char *const  wrong[] = {
        "teh", "recieve", "thier", "goed", "childs", "xqzzt", "becuase",
        "enviroment", "definately", "", NULL
    };

    for (i = 0; right[i] != NULL; i++) {
        t_ok(know(right[i]).form & JUDGE_W_KNOWN, "\"%s\" is known", right[i]);
    }

    for (i = 0; wrong[i] != NULL; i++) {
        t_ok(!(know(wrong[i]).form & JUDGE_W_KNOWN),
             "\"%s\" is not known", wrong[i]);
    }
}


static void
test_classes(void)
{
    t_ok(know("went").form & JUDGE_W_PAST, "\"went\" is known as a past");
    t_ok(!(know("went").form & JUDGE_W_PARTICIPLE),
         "\"went\" is not known as a participle");
    t_ok(know("goes").form & JUDGE_W_VERB_S,
         "\"goes\" is known as a third person");
    t_ok(know("books").form & JUDGE_W_PLURAL,
         "\"books\" is known as a plural");
    t_ok(know("english").form & JUDGE_W_MONTH,
         "\"english\" is known to want a capital");
    t_ok(know("paris").form & JUDGE_W_NAME, "\"paris\" is known as a name");
    t_ok(know("happy").sense & JUDGE_W_POSITIVE,
         "\"happy\" has a positive sense");
    t_ok(!(know("unhappy").sense & JUDGE_W_POSITIVE),
         "\"unhappy\" has no positive sense");
    t_ok(know("however").sense & JUDGE_W_ADVERSATIVE,
         "\"however\" announces a contrast");
    t_ok(know("dont").sense & JUDGE_W_SLIP_APOSTROPHE,
         "\"dont\" is known as a slip of the apostrophe");
    t_ok(know("quick").form & JUDGE_W_ADJECTIVE,
         "\"quick\" is known as an adjective, as \"quickly\" is made of it");
}


static void
test_rarity(void)
{
    t_ok(know("the").rarity < know("house").rarity
         && know("house").rarity < know("obfuscate").rarity,
         "\"the\", \"house\" and \"obfuscate\" are ever rarer");
    t_ok(know("the").rarity > 32 && know("the").rarity < 64,
         "\"the\" is between one of 10 and one of 100 words");
    t_is_int(know("xqzzt").rarity, JUDGE_RARITY_UNKNOWN,
             "a word that is not known has the rarity of such words");
}


static void
test_stems(void)
{
    size_t  i;

    static const char *const  same[][2] = {
        { "argue", "argued" }, { "argue", "arguing" }, { "book", "books" },
        { "study", "studies" }, { "happy", "happily" },
        { "organize", "organization" }, { "stop", "stopped" },
        { "grammar", "grammars" }, { "clear", "clearly" }
    };

    static const char *const  other[][2] = {
        { "book", "cook" }, { "class", "clay" }, { "is", "as" },
        { "on", "one" }
    };

    for (i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        t_ok(judge_word_stem(judge_str_c(same[i][0]))
             == judge_word_stem(judge_str_c(same[i][1])),
             "\"%s\" and \"%s\" have one stem", same[i][0], same[i][1]);
    }

    for (i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
        t_ok(judge_word_stem(judge_str_c(other[i][0]))
             != judge_word_stem(judge_str_c(other[i][1])),
             "\"%s\" and \"%s\" have two stems", other[i][0], other[i][1]);
    }

    t_ok(judge_word_stem(JUDGE_STR("")) != 0,
         "the stem of an empty word is never 0");
}


static void
test_phrases(void)
{
    size_t  i;
    static const struct {
        const char  *word;
        int          syllables;
    } rows[] = {
        { "cat", 1 }, { "table", 2 }, { "house", 1 }, { "education", 4 },
        { "", 1 }
    };

    t_ok(judge_phrase_find(both("for", "example")) & JUDGE_W_EXEMPLIFYING,
         "\"for example\" is a phrase that announces an example");
    t_ok(judge_phrase_find(both("for", "house")) == 0,
         "\"for house\" is no phrase");

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_int(judge_word_syllables(judge_str_c(rows[i].word)),
                 rows[i].syllables, "\"%s\" has its syllables",
                 rows[i].word);
    }
}


static void
test_pairs(void)
{
    t_ok(pair("of", "the") > 0, "\"of the\" is a known pair");
    t_ok(pair("united", "states") > 0, "\"united states\" is a known pair");
    t_ok(pair("united", "states") < pair("of", "course"),
         "\"states\" is surer behind \"united\" than \"course\" behind "
         "\"of\"");
    t_is_int(pair("went", "children"), 0,
             "\"went children\" is not a known pair");
    t_ok(pair("the", "of") != pair("of", "the"),
         "the order of a pair matters");
    t_ok(triple("one", "of", "the") > 0, "\"one of the\" is a known triple");
    t_ok(triple("one", "of", "the") < pair("of", "the"),
         "three words tell more than two");
    t_is_int(triple("the", "of", "one"), 0,
             "\"the of one\" is not a known triple");
    t_ok(judge_word_step(judge_wordpairs, judge_hash_join(JUDGE_SENTENCE_HASH,
                                         judge_word_hash(JUDGE_STR("the"))))
         > 0, "a sentence begins with the");
    t_ok(JUDGE_SENTENCE_HASH == judge_word_hash(JUDGE_STR("<s>")),
         "the hash of a beginning is that of the model's word");
}


int
main(void)
{
    test_known();
    test_classes();
    test_rarity();
    test_stems();
    test_phrases();
    test_pairs();

    return t_done();
}
