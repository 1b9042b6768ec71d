/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Languages beside English: in t/data/languages each has a file of texts that
 * are well written, "+", and the same with misspelt words, "-".
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/builtin/engine.h"
#include "analysis/text/language.h"
#include "tap.h"


#define PAIRS        12
#define PAIRS_CLEAN  10                /* nothing wrong is found in so many */


static judge_arena_t  *arena;


static judge_verdict_t
score(judge_str_t text, const char *feedback)
{
    judge_item_t       item = { .text = text };
    judge_scorer_t    *scorer;
    judge_rubric_t     rubric = { .ncriteria = 2 };
    judge_verdict_t    verdict;
    judge_criterion_t  criteria[2] = {
        { .name = JUDGE_STR("Spelling"), .weight = 1 },
        { .name = JUDGE_STR("Grammar"), .weight = 1 }
    };

    rubric.feedback_language = judge_str_c(feedback);
    rubric.criteria = criteria;
    scorer = judge_scorer_create(arena, &rubric);

    if (scorer == NULL
        || judge_score(scorer, &item, arena, &verdict) != JUDGE_OK
        || judge_explain(&verdict) != JUDGE_OK)
    {
        abort();
    }

    return verdict;
}


/* The next paragraph block behind `mark` at the beginning of a line. */

static judge_str_t
block(char **p, const char *mark, const char *end)
{
    char         *from, *to;
    judge_str_t   found = { 0, NULL };

    from = strstr(*p, mark);
    if (from == NULL) {
        return found;
    }

    from += strlen(mark);
    to = strstr(from, end);
    to = to != NULL ? to : from + strlen(from);
    found = (judge_str_t) { (size_t) (to - from), from };
    *p = to;

    return found;
}


static void
test_language(const char *code, const char *called, const char *spelling)
{
    char             path[64], *data, *p;
    size_t           n, clean, size;
    FILE            *in;
    judge_str_t      better, worse;
    judge_verdict_t  b, w;

    (void) snprintf(path, sizeof(path), "t/data/languages/%s.txt", code);
    in = fopen(path, "rb");
    data = judge_calloc(arena, 1 << 16);

    if (in == NULL || data == NULL) {
        abort();
    }

    size = fread(data, 1, (1 << 16) - 1, in);
    (void) fclose(in);
    t_ok(size > 1000, "%s has pairs", path);

    n = 0;
    clean = 0;
    p = data;

    for ( ;; ) {
        better = block(&p, "+ ", "\n- ");
        worse = block(&p, "- ", "\n\n+ ");

        if (worse.data == NULL) {
            break;
        }

        b = score(better, "");
        w = score(worse, "");
        n++;
        clean += b.scores[0].score >= 95;
        t_is_str(judge_str_c(b.language), code, "%s: text %zu is detected",
                 code, n);
        t_ok(b.overall > w.overall + 10, "%s: text %zu is spelt better: %.2f,"
             " %.2f", code, n, b.overall, w.overall);
        t_ok(isnan(b.scores[1].score) && t_finds(b.scores[1].reason, called),
             "%s: grammar is not judged", code);
        t_ok(w.scores[0].npassages > 0
             && t_finds(w.scores[0].passages[0].note, spelling)
             && t_finds(w.scores[0].feedback, spelling),
             "%s: the feedback is in that language", code);
    }

    t_is_int((int64_t) n, PAIRS, "%s has twelve pairs of texts", code);
    t_ok(clean >= PAIRS_CLEAN, "%s: nothing is wrong in %zu of %zu", code,
         clean, n);
}


/* What is told in another language than the text's. */

static void
test_feedback(void)
{
    size_t           i;
    judge_verdict_t  v;
    static const struct {
        const char  *asked, *word;
    } rows[] = {
        { "", "spelling" }, { "en", "spelling" }, { "fr", "orthographe : «" },
        { "de-AT", "Rechtschreibung" }, { "it", "spelling" },
        { "xx", "spelling" }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        v = score(JUDGE_STR("The children went home becuase it was raining."),
                  rows[i].asked);
        t_ok(t_finds(v.scores[0].feedback, rows[i].word),
             "feedback on English is given in the language for “%s”: %.*s",
             rows[i].asked, (int) v.scores[0].feedback.len,
             v.scores[0].feedback.data);
    }

    v = score(JUDGE_STR(""), "pt");
    t_is_str(v.summary, "O texto está vazio; não há nada a pontuar.",
             "the summary of an empty text is given in Portuguese");
}


int
main(void)
{
    arena = judge_arena_create(64 * 1024);

    test_language("de", "Deutsch", "Rechtschreibung");
    test_language("es", "español", "ortografía");
    test_language("fr", "français", "orthographe");
    test_language("pt", "português", "ortografia");
    test_feedback();

    judge_arena_destroy(arena);

    return t_done();
}
