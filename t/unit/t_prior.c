/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What is thought of a text before anything was learned: comparing it with the
 * reference, general quality, aspects, other languages; what is a dialogue.
 */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/builtin/dialogue.h"
#include "analysis/builtin/prior.h"
#include "tap.h"


static judge_arena_t  *arena;

static const char  article[] =
    "The council of Springfield met on Monday. It approved a bridge over the "
    "Green River, to be built within two years.\n"
    "The mayor welcomed the decision. Critics had asked for a tunnel, which "
    "would have cost three times as much.";


static judge_text_t *
parsed(const char *text)
{
    judge_text_t  *t;

    t = judge_calloc(arena, sizeof(judge_text_t));

    if (t == NULL
        || judge_text_parse(t, arena, judge_str_c(text)) != JUDGE_OK)
    {
        abort();
    }

    return t;
}


static judge_prior_t *
prior(const char *text)
{
    judge_prior_t    *p;
    judge_measure_t  *m;

    m = judge_calloc(arena, sizeof(judge_measure_t));
    p = judge_calloc(arena, sizeof(judge_prior_t));

    if (m == NULL || p == NULL) {
        abort();
    }

    m->arena = arena;
    m->text = parsed(text);

    if (judge_measure(m) != JUDGE_OK) {
        abort();
    }

    judge_prior(p, m, judge_references);

    return p;
}


/* Of general quality and aspects; levelled: as a reader would have it. */

static double
scored(const char *text, const char *criterion, bool levelled)
{
    size_t                     n;
    judge_prior_t             *p;
    judge_trait_match_t        match;
    judge_effect_t             list[JUDGE_FEATURES];
    judge_trait_match_word_t  *table;

    table = judge_trait_match_table(arena);

    if (table == NULL
        || judge_trait_match(&match, table, arena, judge_str_c(criterion),
                             judge_str_c("")) != JUDGE_OK)
    {
        abort();
    }

    p = prior(text);
    n = judge_prior_effects(p, &match, list);

    if (levelled) {
        judge_prior_level(p, &match, 1, list, n);
    }

    return judge_prior_score(list, n);
}


static double
score(const char *text, const char *criterion)
{
    return scored(text, criterion, false);
}


static void
test_reference(void)
{
    size_t                    i, k, rows, bad;
    double                    last, next;
    const judge_reference_t  *row;

    for (i = 0, rows = 0, bad = 0; i < JUDGE_FEATURES; i++) {
        row = &judge_references[i];
        rows += row->n > 0;

        for (k = 1; k < row->n; k++) {
            bad += !(row->knots[k].value > row->knots[k - 1].value)
                   || !(row->knots[k].score > row->knots[k - 1].score);
        }
    }

    t_ok(rows > 50 && bad == 0, "%zu features are compared, ascending", rows);

    row = &judge_references[JUDGE_F_WORDS];
    last = -5;
    bad = 0;

    for (i = 0; i < 400; i++) {
        next = judge_reference_score(row, (double) i / 20 - 4);
        bad += next < last || fabs(next) > 4;
        last = next;
    }

    t_is_int((int64_t) bad, 0, "more words never score less, within bounds");
    t_ok(judge_reference_score(row, judge_ln(3001))
         > judge_reference_score(row, judge_ln(1501)),
         "texts longer than any of the reference are told apart");
}


/* A slip in ten words says less than ten slips in a hundred. */

static void
test_rates(void)
{
    float            v[JUDGE_FEATURES];
    double           few, many;
    judge_text_t     text;
    judge_measure_t  m;

    memset(&m, 0, sizeof(m));
    memset(&text, 0, sizeof(text));
    memset(v, 0, sizeof(v));
    m.text = &text;
    m.v = v;
    v[JUDGE_F_GRAMMAR_SLIPS] = 10;
    v[JUDGE_F_SENTENCE_WORDS] = 7;

    text.nwords = 10;
    few = judge_reference_value(&m, JUDGE_F_GRAMMAR_SLIPS, 1);
    text.nwords = 100;
    many = judge_reference_value(&m, JUDGE_F_GRAMMAR_SLIPS, 1);

    t_ok(fabs(few - 2.5) < 1e-9 && fabs(many - 7) < 1e-9,
         "rates are drawn as if by 50 words: %.3f, %.3f", few, many);
    t_ok(fabs(judge_reference_value(&m, JUDGE_F_SENTENCE_WORDS, 1) - 7)
         < 1e-9, "what is no rate is not");
    t_ok(judge_features[JUDGE_F_NAMES].merit
         && !judge_features[JUDGE_F_GRAMMAR_SLIPS].merit,
         "of what there should be more, the words of before have none");
}


static void
test_scores(void)
{
    static const char  sad[] = "I am sad. It hurts.";
    static const char  glad[] = "I am happy. I love it.";
    static const char  italian[] =
        "La cultura di un popolo riflette la sua storia. Per questo le scuole "
        "devono insegnare le tradizioni di ogni regione, affinché i giovani "
        "non perdano la memoria dei loro antenati.";

    t_ok(score(article, "Grammar") > score("the council meet monday .it "
                                           "approve bridge", "Grammar"),
         "grammar");
    t_ok(score(article, "Detail") > score("The council met.", "Detail"),
         "detail");
    t_ok(score(glad, "Mood") > score(sad, "Mood") + 20, "mood");
    t_ok(fabs(score(sad, "Mood") - score("I am sad. It hurts. I am sad. It "
                                         "hurts.", "Mood")) < 5,
         "length has no part in a mood");
    t_ok(prior(article)->english > 0.99, "this is English");
    t_ok(prior(italian)->english < 0.01, "and this is not");
    t_ok(score(italian, "Coesão") > score("A cultura.", "Coesão"),
         "which is scored by what any language has");
    t_ok(fabs(judge_prior_score(NULL, 0) - 50) < 1e-9,
         "without anything to say, the middle");
}


/* What is usual in long texts is no merit; their order stays. */

static void
test_levels(void)
{
    FILE    *in;
    char     path[64], *text;
    size_t   i, n;
    double   before, now, last, least;

    static const char *const  worse[] = { "my-weekend", "best-pet",
                                          "night-buses", "repair-cafe" };

    for (i = 0, last = least = 0; i < 4; i++) {
        (void) snprintf(path, sizeof(path), "t/data/essays/%s.txt", worse[i]);
        in = fopen(path, "r");
        text = judge_calloc(arena, 8192);

        if (in == NULL || text == NULL) {
            abort();
        }

        n = fread(text, 1, 8191, in);
        fclose(in);
        before = scored(text, "Overall quality", false);
        now = scored(text, "Overall quality", true);
        t_ok(n > 800 && now > last && before > least && now <= before,
             "%s: %.0f, %.0f", worse[i], before, now);
        t_ok(i > 1 ? now > 70 : now < 60, "as a reader would have it");
        last = now;
        least = before;
    }

    t_ok(fabs(scored(article, "Overall quality", true)
              - scored(article, "Overall quality", false)) < 8,
         "a short text without slips stays nearly what it was");
}


static void
test_dialogues(void)
{
    size_t  i;
    static const struct {
        const char  *text;
        bool         is;
    } rows[] = {
        { "User: My parcel is late.\nAgent: Which number does it have?",
          true },
        { "Customer: The lamp arrived broken.", true },
        { "How do I change the oil of my car?", true },
        { "Hi, how are you?\nFine, thanks. I just came back from a walk.",
          true },
        { article, false },
        { "The report: sales rose by 4 % in May.\nCosts fell.\nThe board is "
          "content with the results of the year so far.", false },
        { "", false }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_ok(judge_is_dialogue(parsed(rows[i].text)) == rows[i].is,
             "%sa dialogue: \"%.30s\"", rows[i].is ? "" : "not ",
             rows[i].text);
    }
}


int
main(void)
{
    arena = judge_arena_create(1 << 16);

    test_reference();
    test_rates();
    test_scores();
    test_levels();
    test_dialogues();

    judge_arena_destroy(arena);

    return t_done();
}
