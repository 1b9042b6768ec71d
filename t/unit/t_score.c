/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The builtin engine as a whole: scores, their reasons, hostile texts. */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "analysis/builtin/engine.h"
#include "analysis/builtin/conversation.h"
#include "analysis/builtin/explain.h"
#include "../api/fault.h"
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
    item.reference = (judge_str_t) { 0, NULL };

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
any_has(const judge_str_t *list, size_t n, const char *part)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        if (t_finds(list[i], part)) {
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

    for (i = 0; i < 3; i++) {
        t_ok(better.scores[i].score > worse.scores[i].score + 20,
             "criterion %zu: %.2f is far over %.2f", i,
             better.scores[i].score, worse.scores[i].score);
        t_ok(better.scores[i].score >= 0 && better.scores[i].score <= 100,
             "criterion %zu: the score lies between 0 and 100", i);
        t_ok(fabs(better.scores[i].score * 100
                  - round(better.scores[i].score * 100)) < 1e-6,
             "criterion %zu: the score has two decimals", i);
        t_is_int(better.scores[i].judged_by, JUDGE_BY_MEASURES,
                 "criterion %zu is judged by measures", i);
        sum += criteria[i].weight * better.scores[i].score;
        weights += criteria[i].weight;
    }

    t_ok(isnan(better.scores[3].score), "what nothing measures has no score");
    t_is_int(better.scores[3].judged_by, JUDGE_BY_NOTHING,
             "a criterion that nothing measures is judged by nothing");
    t_ok(better.scores[3].feedback.len == 0
         && t_finds(better.scores[3].reason, "25 corrections"),
         "the reason says that corrections would help");
    t_ok(fabs(better.overall - sum / weights) < 0.006,
         "the overall score is the weighted mean of what is judged");
    t_ok(fabs(better.coverage - 0.92) < 0.001,
         "6 of the weight of 6.5 are judged: %.2f", better.coverage);

    t_is_int((int64_t) better.nfeatures, JUDGE_FEATURES,
             "all features are measured");
}


/* Two criteria that ask for the same show the same places, whose place in the
 * content is moved once. */

static void
test_same_places(void)
{
    size_t             start;
    judge_rubric_t     twice = rubric;
    judge_verdict_t    v;
    judge_criterion_t  two[2] = { criteria[1], criteria[1] };

    twice.criteria = two;
    twice.ncriteria = 2;
    v = score_by(&twice, bad, NULL);
    start = v.scores[0].npassages > 0
            ? v.scores[0].passages[0].place.start : 0;
    judge_verdict_shift(&twice, &v, 10);

    t_ok(v.scores[1].npassages > 0
         && v.scores[0].npassages == v.scores[1].npassages
         && v.scores[0].passages[0].place.start == start + 10
         && v.scores[1].passages[0].place.start == start + 10,
         "places that two criteria show are moved once");
    t_ok(judge_str_eq(v.scores[0].feedback, v.scores[1].feedback),
         "two criteria say the same of places that both show");
}


static void
test_feedback(void)
{
    size_t            i;
    bool              thnk = false;
    judge_verdict_t   v;
    judge_passage_t  *p;

    v = score_by(&rubric, bad, NULL);

    t_ok(t_finds(v.scores[0].feedback, "Found: ")
         && t_finds(v.scores[0].feedback, "agreement of subject and verb"),
         "feedback names the kind of fault: %.*s",
         (int) v.scores[0].feedback.len, v.scores[0].feedback.data);
    t_ok(t_finds(v.scores[1].feedback, "spelling: “thnk”, "),
         "the feedback quotes what is misspelt");
    t_ok(t_finds(v.scores[2].feedback, "Found: "),
         "feedback names what lowered cohesion: %.*s",
         (int) v.scores[2].feedback.len, v.scores[2].feedback.data);

    for (i = 0; i < v.scores[1].npassages; i++) {
        p = &v.scores[1].passages[i];
        thnk |= judge_str_eq_c(p->place.quote, "thnk") && p->place.start == 2
                && p->place.end == 6 && p->note.len > 0;
    }

    t_ok(thnk, "a misspelt word has a passage with its place in the text");
    t_ok(v.scores[2].nmeasures > 0 && !v.scores[2].measures[0].raises
         && v.scores[2].measures[0].low < v.scores[2].measures[0].high,
         "the first number of a low score is one that lowers it");
    t_is_str(v.summary, "Best: “Grammar”. Weakest: “Cohesion”. Judged"
             " were 3 of 4 criteria.",
             "the summary names the best and the weakest, and how many were "
             "judged");
    t_ok(any_has(v.weaknesses, v.nweaknesses, "Grammar: Found: "),
         "a weakness names its criterion");
    t_ok(any_has(v.suggestions, v.nsuggestions, "Conventions: “"),
         "a suggestion names a place");

    v = score_by(&rubric, good, NULL);
    t_ok(v.nsuggestions == 0,
         "nothing is suggested where nothing was found");
}


/* The thresholds of a criterion say what is a strength, and what a
 * weakness. */

static void
test_bands(void)
{
    size_t             i;
    judge_verdict_t    v;
    judge_rubric_t     r = rubric;
    judge_criterion_t  c = criteria[1];
    static const struct {
        double    excellent, good, fair, poor;
        unsigned  grade;
    } rows[] = {
        { 4, 3, 2, 1, 4 }, { 100, 3, 2, 1, 3 }, { 100, 99.5, 2, 1, 2 },
        { 100, 99.9, 99.8, 1, 1 }, { 100, 99.9, 99.8, 99.7, 0 }
    };

    r.criteria = &c;
    r.ncriteria = 1;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        c.excellent = rows[i].excellent;
        c.good = rows[i].good;
        c.fair = rows[i].fair;
        c.poor = rows[i].poor;

        v = score_by(&r, "The children went home becuase it was raining.",
                     NULL);
        t_is_int(judge_explain_grade(&c, v.scores[0].score), rows[i].grade,
                 "%.2f is of grade %u", v.scores[0].score, rows[i].grade);
        t_ok(v.nstrengths == (rows[i].grade >= 3)
             && v.nweaknesses == (rows[i].grade <= 1),
             "a grade of %u is told as strength, weakness or neither",
             rows[i].grade);
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

        t_ok(v.overall <= 0 && v.overall >= 0,
             "a text without words has an overall score of 0: text %zu", i);

        for (k = 0; k < 3; k++) {
            t_ok(v.scores[k].score <= 0 && v.scores[k].score >= 0
                 && t_finds(v.scores[k].feedback, rows[i].says),
                 "criterion %zu says that there are no words: text %zu", k, i);
        }

        t_ok(isnan(v.scores[3].score), "what nothing judges has no score");
        t_ok(t_finds(v.summary, rows[i].says), "the summary says so");
        t_ok(v.nstrengths == 0 && v.nweaknesses == 1,
             "a text without words has a weakness and no strength");
    }
}


/* Where nothing is judged there is no overall score. */

static void
test_unjudged(void)
{
    judge_verdict_t  v;
    judge_rubric_t   r = rubric;

    r.criteria = &criteria[3];
    r.ncriteria = 1;
    v = score_by(&r, good, NULL);
    t_ok(isnan(v.overall) && v.coverage <= 0,
         "a criterion that is not measured leaves no overall score");
    t_ok(v.nstrengths == 0 && v.nweaknesses == 0 && v.nsuggestions == 0,
         "without a score neither strengths nor weaknesses are named");
    t_is_str(v.summary, "Judged were 0 of 1 criteria.",
             "the summary says that none of the criteria was judged");

    r.criteria = &criteria[2];
    v = score_by(&r, "Too short.", NULL);
    t_ok(isnan(v.overall) && t_finds(v.scores[0].reason, "too short"),
         "a text that is too short to be judged says so");
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
         "facts of the source get more for consistency: %.2f over %.2f",
         right.scores[0].score, wrong.scores[0].score);
    t_ok(right.scores[1].score > wrong.scores[1].score + 25,
         "a summary of the source gets more for coverage: %.2f over %.2f",
         right.scores[1].score, wrong.scores[1].score);
    t_ok(wrong.scores[0].feedback.len > 0,
         "feedback says what the source does not bear: %.*s",
         (int) wrong.scores[0].feedback.len, wrong.scores[0].feedback.data);

    wrong = score_by(&r, "Springfield's council approved a new bridge over "
                     "the Green River, which will cost 40 million dollars "
                     "and the.", article);
    t_ok(right.scores[1].score > wrong.scores[1].score,
         "a summary that breaks off gets less: %.2f over %.2f",
         right.scores[1].score, wrong.scores[1].score);

    wrong = score_by(&r, "A bridge was approved.", article);
    t_ok(right.scores[1].score > wrong.scores[1].score + 20,
         "a summary of few words gets less for coverage: %.2f over %.2f",
         right.scores[1].score, wrong.scores[1].score);

    right = score_by(&r, good, "Bridge: approved by the council on Monday."
                     " River: Green River. Costs: 40 million dollars.");
    t_ok(!isnan(right.scores[0].score), "notes with labels are a source");

    right = score_by(&r, good, "Anna: Will you build the bridge?\n"
                     "Tom: I will, and it will cost 40 million dollars.");
    t_ok(isnan(right.scores[0].score)
         && t_finds(right.scores[0].reason, "no document"),
         "a dialogue is none, and the reason says so");

    right = score_by(&r, good, "");
    t_ok(isnan(right.overall), "an empty source is as none");
    t_ok(t_finds(right.scores[0].reason, "metadata.source has no"),
         "the reason says that there is no source");

    right = score_by(&r, good, "Der Rat von Springfield hat am Montag den Bau"
                     " einer neuen Brücke über den Fluss beschlossen, die 40"
                     " Millionen kosten soll.");
    t_ok(isnan(right.scores[0].score)
         && t_finds(right.scores[0].reason, "in the language of the text"),
         "a translation is not measured by words that it can't share");
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
    t_ok(is_same(&one, &two), "the same text gets the same verdict");
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

        t_ok(isnan(v.overall) || (v.overall >= 0 && v.overall <= 100),
             "20 KB of one thing have a score or none: %zu", i);
        t_ok(judge_utf8_check(v.summary) == v.summary.len
             && judge_utf8_check(v.scores[1].feedback)
                == v.scores[1].feedback.len, "the answer is UTF-8");
        judge_arena_reset(arena);
    }
}


/* Passages are quoted only out of UTF-8, wherever its breach is. */

static void
test_breaches(void)
{
    size_t           i, k;
    judge_verdict_t  v;
    static const char *const  texts[] = {
        "we seen teh page http://a.example/\xff twice and more",
        "we seen teh <b \xff>page</b> twice and more"
    };

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        v = score_by(&rubric, texts[i], NULL);

        for (k = 0; k < rubric.ncriteria; k++) {
            t_ok(judge_utf8_check(v.scores[k].feedback)
                 == v.scores[k].feedback.len
                 && v.scores[k].npassages == 0,
                 "feedback is UTF-8, whatever a link or a tag has");
        }
    }
}


/* Without memory there is no scorer, rather than one that lacks something. */

static void
test_memory(void)
{
    bool               struck;
    unsigned           n;
    judge_scorer_t    *scorer;
    judge_criterion_t  unjudged = {
        .name = judge_str("Blorp"), .description = judge_str(""), .weight = 1,
        .judged_by = JUDGE_BY_NOTHING, .reason = judge_str("Nothing does.")
    };
    judge_rubric_t     one = { .name = judge_str("One"),
                               .description = judge_str(""),
                               .criteria = &unjudged, .ncriteria = 1 };

    for (n = 1, struck = true; struck; n++) {
        (void) t_memory_count(true);
        t_memory_arm(n);
        scorer = judge_scorer_create(arena, &one);
        (void) t_memory_count(false);
        struck = t_memory_disarm();
        t_ok((scorer == NULL) == struck,
             "a scorer is made unless allocation %u fails", n);
    }
}


int
main(void)
{
    arena = judge_arena_create(1 << 16);

    test_order();
    test_same_places();
    test_feedback();
    test_bands();
    test_empty();
    test_unjudged();
    test_source();
    test_same();
    test_hostile();
    test_breaches();
    test_memory();

    judge_arena_destroy(arena);

    return t_done();
}
