/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What is advised on a criterion by its words. */


#include <string.h>

#include "analysis/criteria/lint.h"
#include "tap.h"


typedef struct {
    const char  *description;
    const char  *one;                  /* NULL: it is one thing; "": no two
                                          words show several */
    const char  *other;
} t_several_t;

static const t_several_t  t_several[] = {
    { "Clear and polite.", "Clear", "polite" },
    { "The reply is short, friendly and to the point.", "short", "friendly" },
    { "Is it CLEAR, and professionally polite?", "CLEAR", "polite" },
    { "Well-structured and accurate", "Well-structured", "accurate" },
    { "Assesses accuracy, depth and style.", "accuracy", "depth" },
    { "Explains the delay and politely offers a refund.", "Explains",
      "offers" },
    { "Names the price while keeping calm.", "", "keeping" },
    { "Is the price named, and is it right?", "", "is" },
    { "Is it kind? Does it help?", "", NULL },

    { "It implements what was asked and follows the rules.", "implements",
      "follows" },
    { "Rejects politely and offers a way out.", "", "offers" },
    { "It is factual and cites sources.", "", "cites" },
    { "The essay is organised and ideas are connected.", "", "ideas" },
    { "It is short and the overall tone is calm.", "", "the" },
    { "Concise (<25 words) and accurate.", "Concise", "accurate" },
    { "It is clear and well-cited.", "clear", "well-cited" },

    { "Accurate and correct.", NULL, NULL },
    { "Checks if dates and names are right.", NULL, NULL },
    { "It is important that dates and names are right.", NULL, NULL },
    { "It is about sources and references.", NULL, NULL },
    { "Uses the name and not the number.", NULL, NULL },
    { "It refuses and does not comply.", NULL, NULL },
    { "Clear (and", NULL, NULL },
    { "Empathy and understanding", NULL, NULL },
    { "Clear or polite.", NULL, NULL },
    { "Clear, and written in plain words.", NULL, NULL },
    { "Salt and pepper are named.", NULL, NULL },
    { "Really kind?!?", NULL, NULL },
    { "It was written while considering costs.", NULL, NULL },
    { "Klar und freundlich", NULL, NULL },
    { "and", NULL, NULL },
    { "clear,", NULL, NULL },
    { "clear and ", NULL, NULL },
    { "", NULL, NULL }
};

static const char *const  t_vague[] = {
    "Clear.", "The text should be very good.", "Is it polite?", "Inhalt",
    "Överskådlighet", "Measures the quality of the response.",
    "A friendly tone", "Is it easy to follow?",
    "How reliable is the answer to the user?",
    "Does the response provide useful information?"
};

static const char *const  t_plain[] = {
    "Names the date.", "Avoid jargon", "Friendly to the customer",
    "Good within 80 words", "Klar und freundlich", "", "42", "?",
    "The reply is clear about the price.",
    "Grammar", "Is it brief?", "The text should be short.",
    "Measures the spelling of the response."
};


static judge_str_t
t_str(const char *s)
{
    return (judge_str_t) { strlen(s), s };
}


static void
t_lint_several(void)
{
    bool                found;
    size_t              i;
    judge_str_t         one, other;
    const t_several_t  *t;

    for (i = 0; i < sizeof(t_several) / sizeof(t_several[0]); i++) {
        t = &t_several[i];
        found = judge_lint_several(t_str(t->description), &one, &other);
        t_ok(found == (t->one != NULL)
             && (!found || judge_str_eq_c(one, t->one))
             && (t->other == NULL || judge_str_eq_c(other, t->other)),
             "\"%s\" asks for %s%s%s", t->description,
             found ? "several things" : "one thing",
             t->other ? ", as in " : "", t->other ? t->other : "");
    }
}


int
main(void)
{
    size_t       i;
    judge_str_t  one, other;
    static char  much[20000];

    t_lint_several();

    for (i = 0; i < sizeof(t_vague) / sizeof(t_vague[0]); i++) {
        t_ok(judge_lint_vague(t_str(t_vague[i])),
             "\"%s\" says nothing that can be seen", t_vague[i]);
    }

    for (i = 0; i < sizeof(t_plain) / sizeof(t_plain[0]); i++) {
        t_ok(!judge_lint_vague(t_str(t_plain[i])),
             "\"%s\" says something that can be seen", t_plain[i]);
    }

    for (i = 1; i < judge_lint_words_n; i++) {
        if (strcmp(judge_lint_words[i - 1].phrase,
                   judge_lint_words[i].phrase) >= 0)
        {
            break;
        }
    }
    t_ok(i == judge_lint_words_n, "the words are in order");

    memset(much, ',', sizeof(much) - 1);
    t_ok(!judge_lint_several(t_str(much), &one, &other)
         && !judge_lint_vague(t_str(much)),
         "a text of commas is not vague, nor several things");
    memset(much, 'a', sizeof(much) - 1);
    t_ok(!judge_lint_several(t_str(much), &one, &other),
         "a text of one long word is not several things");

    return t_done();
}
