/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The builtin engine as a whole: scores, their reasons, hostile texts. */


#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text/utf8.h"
#include "analysis/builtin/engine.h"
#include "analysis/builtin/explain.h"
#include "tap.h"


static judge_arena_t  *arena;

static const char  good[] =
    "Public libraries deserve steady funding, because they serve everyone. "
    "According to a national survey, 62% of adults visited a library last "
    "year, and many of them came for help with job applications.\n\n"
    "First, libraries open knowledge to people who cannot afford books. For "
    "example, students without a computer at home finish their homework "
    "there. In addition, older residents learn how to use the internet "
    "safely.\n\n"
    "However, some critics argue that everything is online today. Although "
    "digital sources are convenient, they are neither complete nor free of "
    "charge. Therefore, a town that closes its library saves little and "
    "loses much.\n\n"
    "In conclusion, libraries remain essential institutions, and cities "
    "should protect their budgets.";

static const char  bad[] =
    "i thnk librarys is good becuase they has book and peoples can goes "
    "their and read ,and its good for they to learns and the the goverment "
    "dont give no money so its bad";


static judge_criterion_t  criteria[4] = {
    { .name = judge_str("Grammar"), .description = judge_str(""),
      .weight = 1 },
    { .name = judge_str("Conventions"), .description = judge_str(""),
      .weight = 2, .has_thresholds = true, .excellent = 85, .good = 70,
      .fair = 50, .poor = 25 },
    { .name = judge_str("Cohesion"), .description = judge_str(""),
      .weight = 3 },
    { .name = judge_str("Blorp"), .description = judge_str(""),
      .weight = 0.5 }
};

static judge_rubric_t  rubric = {
    .name = judge_str("Essays"), .description = judge_str(""),
    .criteria = criteria, .ncriteria = 4
};


static judge_verdict_t
score_by(const judge_rubric_t *r, const char *text, const char *source)
{
    judge_item_t      item;
    judge_scorer_t   *scorer;
    judge_verdict_t   verdict;

    item.text = judge_str_c(text);
    item.source = source == NULL ? (judge_str_t) { 0, NULL }
                                 : judge_str_c(source);
    item.question = (judge_str_t) { 0, NULL };

    scorer = judge_scorer_create(arena, r);

    if (scorer == NULL
        || judge_score(scorer, &item, arena, &verdict) != JUDGE_OK
        || judge_explain(&verdict) != JUDGE_OK)
    {
        abort();
    }

    return verdict;
}


static bool
has(judge_str_t s, const char *part)
{
    size_t  i, n;

    n = strlen(part);

    for (i = 0; i + n <= s.len; i++) {
        if (memcmp(s.data + i, part, n) == 0) {
            return true;
        }
    }

    return false;
}


static bool
any_has(const judge_str_t *list, size_t n, const char *part)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        if (has(list[i], part)) {
            return true;
        }
    }

    return false;
}


static void
test_order(void)
{
    size_t           i;
    double           sum, weights;
    judge_verdict_t  better, worse;

    better = score_by(&rubric, good, NULL);
    worse = score_by(&rubric, bad, NULL);
    sum = 0;
    weights = 0;

    for (i = 0; i < 4; i++) {
        t_ok(better.scores[i].score > worse.scores[i].score + 20,
             "criterion %zu: %.2f is far over %.2f", i,
             better.scores[i].score, worse.scores[i].score);
        t_ok(better.scores[i].score >= 0 && better.scores[i].score <= 100,
             "in range");
        t_ok(fabs(better.scores[i].score * 100
                  - round(better.scores[i].score * 100)) < 1e-6,
             "two decimals");
        sum += criteria[i].weight * better.scores[i].score;
        weights += criteria[i].weight;
    }

    t_ok(fabs(better.overall - sum / weights) < 0.006,
         "the overall score is the weighted mean");

    for (i = 0; judge_feature_name(i) != NULL; i++) {
        /* void */
    }

    t_is_int((int64_t) better.nfeatures, (int64_t) i,
             "as many features as names");
}


static void
test_feedback(void)
{
    size_t            i;
    bool              thnk = false;
    judge_verdict_t   v;
    judge_passage_t  *p;

    v = score_by(&rubric, bad, NULL);

    t_ok(has(v.scores[0].feedback, "Very weak: verbs, numbers"), "what is");
    t_ok(has(v.scores[0].feedback, "Check at “"), "what to do, and where");
    t_ok(has(v.scores[1].feedback, "capitals and punctuation"), "why");

    for (i = 0; i < v.scores[1].npassages; i++) {
        p = &v.scores[1].passages[i];
        thnk |= judge_str_eq_c(p->at.quote, "thnk") && p->at.start == 2
                && p->at.end == 6 && !p->strength && p->note.len > 0;
    }

    t_ok(thnk, "the place of another");
    t_ok(v.scores[1].nmeasures > 0 && !v.scores[1].measures[0].raises
         && v.scores[1].measures[0].typical, "the number behind it");
    t_ok(has(v.scores[3].feedback, "Nothing that is measured fits “Blorp”"),
         "a criterion that nothing fits says so");

    t_ok(has(v.summary, "falls far short of what was asked"), "the summary");
    t_ok(v.nweaknesses > 0 && v.nsuggestions > 0, "something is weak");
    t_ok(any_has(v.weaknesses, v.nweaknesses, "Conventions: "),
         "a weakness names its criterion");

    v = score_by(&rubric, good, NULL);
    t_ok(v.nstrengths > 0, "something is strong");
    t_ok(!any_has(v.strengths, v.nstrengths, " no "), "no absence is");
    t_ok(!any_has(v.weaknesses, v.nweaknesses, "misspelt"),
         "no weakness is invented");
}


static void
test_bands(void)
{
    size_t  i;
    static const struct {
        double       excellent, good, fair, poor;
        const char  *says;
    } rows[] = {
        { 4, 3, 2, 1, "Very good: " },
        { 100, 3, 2, 1, "Good: " },
        { 100, 99.5, 2, 1, "Fair: " },
        { 100, 99, 98, 1, "Weak, but " },
        { 100, 99, 98, 97, "Very weak, but " }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_verdict_t    v;
        judge_criterion_t  c = criteria[1];
        judge_rubric_t     r = rubric;

        c.excellent = rows[i].excellent;
        c.good = rows[i].good;
        c.fair = rows[i].fair;
        c.poor = rows[i].poor;
        r.criteria = &c;
        r.ncriteria = 1;

        v = score_by(&r, good, NULL);
        t_ok(has(v.scores[0].feedback, rows[i].says), "%s", rows[i].says);
    }
}


static void
test_empty(void)
{
    size_t  i, k;
    static const struct {
        const char  *text, *says;
    } rows[] = {
        { "", "The text is empty" },
        { " \n\t ", "The text is empty" },
        { "!!! ... ???", "The text has no words" },
        { "\xf0\x9f\x98\x80", "The text has no words" }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_verdict_t  v = score_by(&rubric, rows[i].text, NULL);

        t_ok(v.overall <= 0 && v.overall >= 0, "0: text %zu", i);

        for (k = 0; k < 4; k++) {
            t_ok(v.scores[k].score <= 0 && v.scores[k].score >= 0
                 && has(v.scores[k].feedback, rows[i].says),
                 "a criterion says so");
        }

        t_ok(has(v.summary, rows[i].says), "the summary says so");
        t_ok(v.nstrengths == 0 && v.nweaknesses == 1, "nothing is strong");
    }
}


static void
test_notes(void)
{
    judge_verdict_t  v;

    v = score_by(&rubric, "Too short.", NULL);
    t_ok(has(v.summary, "too short"), "a short text is called short");

    v = score_by(&rubric, "Il cane corre sul prato perch\xc3\xa9 ha visto la "
                 "sua palla e la vuole riprendere.", NULL);
    t_ok(has(v.summary, "Of texts in Italian"),
         "another language is named");

    v = score_by(&rubric, good, NULL);
    t_ok(!has(v.summary, "not recognized")
         && !has(v.summary, "too short"), "not where it is wrong");
}


static const char  article[] =
    "The city council of Springfield approved a new bridge on Monday. The "
    "bridge will cost 40 million dollars and cross the Green River. Mayor "
    "Anna Lopez said that work starts in June. Residents of the old town "
    "fear noise and traffic. Engineers expect that the bridge opens in 2027.";


static void
test_source(void)
{
    judge_verdict_t    right, wrong;
    judge_criterion_t  c[2] = {
        { .name = judge_str("Consistency"), .description = judge_str(""),
          .weight = 1 },
        { .name = judge_str("Coverage"), .description = judge_str(""),
          .weight = 1 }
    };
    judge_rubric_t     r = {
        .name = judge_str(""), .description = judge_str(""), .criteria = c,
        .ncriteria = 2
    };

    right = score_by(&r, "Springfield's council approved a new bridge over "
                     "the Green River, which will cost 40 million dollars "
                     "and opens in 2027.", article);
    wrong = score_by(&r, "Mayor Robert Chen sold 75 tanks to Brazil, and the "
                     "army of Portugal marched into Berlin in 1998.",
                     article);

    t_ok(right.scores[0].score > wrong.scores[0].score + 30,
         "consistency: %.2f over %.2f", right.scores[0].score,
         wrong.scores[0].score);
    t_ok(right.scores[1].score > wrong.scores[1].score + 30,
         "coverage: %.2f over %.2f", right.scores[1].score,
         wrong.scores[1].score);
    t_ok(has(wrong.scores[0].feedback, "the source does not"),
         "what it lacks is named");

    wrong = score_by(&r, "Springfield's council approved a new bridge over "
                     "the Green River, which will cost 40 million dollars "
                     "and the.", article);
    t_ok(right.scores[1].score > wrong.scores[1].score + 5,
         "a summary that breaks off: %.2f over %.2f", right.scores[1].score,
         wrong.scores[1].score);

    wrong = score_by(&r, "A bridge was approved.", article);
    t_ok(right.scores[1].score > wrong.scores[1].score + 20,
         "a summary of few words: %.2f over %.2f", right.scores[1].score,
         wrong.scores[1].score);
    t_ok(!has(right.scores[0].feedback, "Without a source"),
         "no word of what is there");

    right = score_by(&r, good, "");
    t_ok(right.overall > 0, "an empty source is as none");
    t_ok(has(right.scores[0].feedback, "Without a source"),
         "that there is none is said");
}


static void
test_references(void)
{
    judge_str_t      texts[2] = { judge_str("Bread is baked of flour and "
                                            "water in an oven.") };
    judge_rubric_t   r = rubric;
    judge_verdict_t  without, with;

    texts[1] = judge_str_c(good);

    without = score_by(&r, good, NULL);
    r.references = texts;
    r.nreferences = 1;
    with = score_by(&r, good, NULL);
    t_ok(with.overall < without.overall, "unlike the reference: lower");
    t_ok(has(with.scores[0].feedback, "the reference texts"),
         "which is said: %.*s", (int) with.scores[0].feedback.len,
         with.scores[0].feedback.data);

    r.nreferences = 2;
    with = score_by(&r, good, NULL);
    t_ok(with.overall > without.overall, "like one of two: higher");
}


static bool
is_same(const judge_verdict_t *a, const judge_verdict_t *b)
{
    size_t  i;

    for (i = 0; i < 4; i++) {
        if (memcmp(&a->scores[i].score, &b->scores[i].score, sizeof(double))
            || !judge_str_eq(a->scores[i].feedback, b->scores[i].feedback))
        {
            return false;
        }
    }

    return judge_str_eq(a->summary, b->summary)
           && memcmp(a->features, b->features,
                     a->nfeatures * sizeof(float)) == 0;
}


static void
test_same(void)
{
    judge_verdict_t  one, two;

    one = score_by(&rubric, good, article);
    (void) score_by(&rubric, bad, NULL);
    two = score_by(&rubric, good, article);
    t_ok(is_same(&one, &two), "the same text, the same verdict");
}


static void
test_hostile(void)
{
    char             byte;
    size_t           i, k;
    judge_buf_t      b;
    judge_verdict_t  v;

    static const char *const  units[] = {
        "a", "a ", "\"", "(", ".", "A.", "\n\n", "' ", "\xff", "\xe4\xbd\xa0",
        "e\xcc\x81", "1,", "a@b ", "http://", "the the ", "I ", "\"a\" ",
        "a.\n", "of of of ", "x\xe2\x80\x99", "xy-"
    };

    for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        judge_buf_init(&b, arena);

        for (k = 0; k < 20000; k += strlen(units[i])) {
            judge_buf_c(&b, units[i]);
        }

        byte = '\0';
        judge_buf_append(&b, &byte, 1);
        v = score_by(&rubric, b.data, b.data);

        t_ok(v.overall >= 0 && v.overall <= 100, "20 KB of one thing: %zu",
             i);
        t_ok(judge_utf8_check(v.summary) == v.summary.len
             && judge_utf8_check(v.scores[1].feedback)
                == v.scores[1].feedback.len, "the answer is UTF-8");
        judge_arena_reset(arena);
    }
}


/* Whatever is handed in, as text, source and question at once: a score, soon,
 * and a reason to doubt it. */

static void
test_odd(void)
{
    char             *long_word, *many;
    size_t            i, k;
    clock_t           began;
    judge_item_t      item;
    judge_scorer_t   *scorer;
    judge_verdict_t   v;
    judge_criterion_t  asked[] = {
        { .name = judge_str("Answers the question"), .weight = 1 },
        { .name = judge_str("Faithful to the source"), .weight = 1 },
        { .name = judge_str("Empathy and a calm tone"), .weight = 1 }
    };
    judge_rubric_t    odd = { .name = judge_str("Odd"), .criteria = asked,
                              .ncriteria = 3 };
    struct {
        const char  *text;
        const char  *why;
    } texts[] = {
        { "Yes", "too short" },
        { "\xf0\x9f\x98\x80 \xf0\x9f\x8e\x89", "no words" },
        { "\xd9\x85\xd8\xb1\xd8\xad\xd8\xa8\xd8\xa7 "
          "\xd8\xa8\xd8\xa7\xd9\x84\xd8\xb9\xd8\xa7\xd9\x84\xd9\x85",
          "too short" },
        { "int main(void) { return printf(\"%d\", x_1++ * 3) ? : 0; }", "too"
          " short" },
        { "Das ist gut. This is not. Et ceci non plus. Y esto tampoco.",
          "" },
        { NULL, "" }, { NULL, "" }
    };

    long_word = judge_alloc(arena, (1 << 20) + 1);
    many = judge_alloc(arena, (1 << 20) + 1);
    scorer = judge_scorer_create(arena, &odd);

    if (long_word == NULL || many == NULL || scorer == NULL) {
        abort();
    }

    for (i = 0; i < 1 << 20; i++) {
        long_word[i] = 'a';
        many[i] = i % 2 ? ' ' : 'a';
    }

    long_word[i] = '\0';
    many[i] = '\0';
    texts[5].text = long_word;
    texts[6].text = many;

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        item.text = judge_str_c(texts[i].text);
        item.source = item.text;
        item.question = item.text;
        began = clock();
        t_is_int(judge_score(scorer, &item, arena, &v) == JUDGE_OK
                 ? judge_explain(&v) : JUDGE_NOMEM, JUDGE_OK, "text %zu",
                 i);
        t_ok(clock() - began < 20 * CLOCKS_PER_SEC, "scored soon: %.2f s",
             (double) (clock() - began) / CLOCKS_PER_SEC);
        t_ok(has(v.summary, texts[i].why), "the reason: %.*s",
             (int) v.summary.len, v.summary.data);

        for (k = 0; k < 3; k++) {
            t_ok(v.scores[k].score >= 0 && v.scores[k].score <= 100
                 && v.scores[k].feedback.len > 0, "criterion %zu: %.2f", k,
                 v.scores[k].score);
        }
    }
}


int
main(void)
{
    arena = judge_arena_create(1 << 16);

    test_order();
    test_feedback();
    test_bands();
    test_empty();
    test_notes();
    test_source();
    test_references();
    test_same();
    test_hostile();
    test_odd();

    judge_arena_destroy(arena);

    return t_done();
}
