/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Pairs of texts of which any reader finds the first better: t/data/languages
 * has a file for each language that is known closer than any.  In each the
 * share below is to be right, and of every kind of pair at least one.
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/builtin/engine.h"
#include "analysis/text/language.h"
#include "tap.h"


#define PAIRS_RIGHT  10                /* of 12 */


static judge_arena_t  *arena;


static judge_verdict_t
score(judge_str_t criterion, judge_str_t text, const char *feedback)
{
    judge_item_t       item = { .text = text };
    judge_scorer_t    *scorer;
    judge_rubric_t     rubric = { .ncriteria = 1 };
    judge_verdict_t    verdict;
    judge_criterion_t  c = { .weight = 1 };

    c.name = criterion;
    rubric.feedback_language = judge_str_c(feedback);
    rubric.criteria = &c;
    scorer = judge_scorer_create(arena, &rubric);

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
    return memmem(s.data, s.len, part, strlen(part)) != NULL;
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
test_language(const char *code, const char *word)
{
    char             path[64], *data, *p;
    size_t           n, right, size;
    FILE            *in;
    judge_str_t      criterion, better, worse;
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
    right = 0;
    p = data;

    for ( ;; ) {
        criterion = block(&p, "criterion: ", "\n");
        better = block(&p, "+ ", "\n- ");
        worse = block(&p, "- ", "\n\ncriterion: ");

        if (worse.data == NULL) {
            break;
        }

        b = score(criterion, better, "");
        w = score(criterion, worse, "");
        n++;
        right += b.overall > w.overall + 1;
        t_is_str(judge_str_c(b.language), code, "%s: %.*s is detected", code,
                 (int) criterion.len, criterion.data);

        if (b.overall <= w.overall + 1) {
            printf("# %s %.*s: %.2f, %.2f\n", code, (int) criterion.len,
                   criterion.data, b.overall, w.overall);
        }

        t_ok(has(b.summary, word) && has(w.summary, word),
             "%s: the feedback is in that language", code);
    }

    t_is_int((int64_t) n, 12, "%s has twelve of them", code);
    t_ok(right >= PAIRS_RIGHT, "%s: %zu of %zu are right", code, right, n);
}


static void
test_feedback(void)
{
    static const struct {
        const char  *name, *text, *asked, *word, *note;
    } rows[] = {
        { "of English", "The children went home because it was raining hard.",
          "", "This text ", "It is too short for a sure judgement." },
        { "of English, in French",
          "The children went home because it was raining hard.", "fr",
          "texte ", "Il est trop court pour un jugement sûr." },
        { "of German, in English",
          "Die Kinder gingen nach Hause, weil es stark regnete.", "en",
          "This text ", "It is too short for a sure judgement." },
        { "of Italian",
          "I bambini sono tornati a casa perché pioveva forte.", "",
          "This text ", "This feedback is in English." },
        { "of Italian, in German",
          "I bambini sono tornati a casa perché pioveva forte.", "de-AT",
          "Text ", "was alle Sprachen gemeinsam haben." },
    };
    size_t           i;
    judge_verdict_t  v;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        v = score(JUDGE_STR("Grammar"), judge_str_c(rows[i].text),
                  rows[i].asked);
        t_ok(has(v.summary, rows[i].word) && has(v.summary, rows[i].note),
             "summary %s: %.*s", rows[i].name, (int) v.summary.len,
             v.summary.data);
    }

    v = score(JUDGE_STR("Grammar"), JUDGE_STR(""), "pt");
    t_is_str(v.summary, "O texto está vazio; não há nada a pontuar.",
             "of nothing, in Portuguese");
}


/* The words of a sentence in another order are no sentence. */

static void
test_shuffled(void)
{
    size_t             i;
    judge_verdict_t    plain, shuffled;
    static const char *const  texts[][2] = {
        { "Por la mañana fuimos al puerto y esperamos el barco. Como el viento"
          " era muy fuerte, no llegó hasta la noche.",
          "Puerto mañana y la al por barco esperamos fuimos el. Noche como"
          " hasta viento la era el llegó fuerte muy no." },
        { "Le matin nous sommes allés au port et nous avons attendu le bateau."
          " Comme le vent était très fort, il est arrivé le soir.",
          "Port le nous au matin bateau avons le et attendu sommes nous allés."
          " Soir comme fort il le vent arrivé est le très était." },
        { "De manhã fomos ao porto e esperamos pelo barco. Como o vento estava"
          " muito forte, ele só chegou à noite.",
          "Porto manhã e barco ao de pelo fomos esperamos. Noite como só muito"
          " o à ele estava vento chegou forte." }
    };

    for (i = 0; i < 3; i++) {
        plain = score(JUDGE_STR("Clarity"), judge_str_c(texts[i][0]), "en");
        shuffled = score(JUDGE_STR("Clarity"), judge_str_c(texts[i][1]),
                         "en");
        t_ok(plain.overall > shuffled.overall + 10, "shuffled: %.2f, %.2f",
             plain.overall, shuffled.overall);
    }
}


/* A judge says in its own language what texts are about. */

static void
test_topic(void)
{
    size_t             i;
    double             about, other;
    judge_item_t       item = { .text = { 0, NULL } };
    judge_rubric_t     rubric = { .ncriteria = 1 };
    judge_scorer_t    *scorer;
    judge_verdict_t    v[2];
    judge_criterion_t  c = { .name = JUDGE_STR("Inhalt"), .weight = 1 };
    static const char *const  texts[] = {
        "Fahrräder brauchen in der Stadt mehr Platz. Wer auf der Straße fahren"
        " muss, lebt gefährlich, und viele lassen ihr Fahrrad stehen.",
        "Kartoffeln brauchen im Topf nicht viel Wasser. Wer sie mit der Schale"
        " kocht, muss sie danach pellen, und viele essen sie mit Quark."
    };

    rubric.criteria = &c;
    rubric.description =
        judge_str_c("Aufsätze über Fahrräder und Straßen in der Stadt");
    scorer = judge_scorer_create(arena, &rubric);

    for (i = 0; i < 2; i++) {
        item.text = judge_str_c(texts[i]);

        if (scorer == NULL
            || judge_score(scorer, &item, arena, &v[i]) != JUDGE_OK)
        {
            abort();
        }
    }

    about = v[0].overall;
    other = v[1].overall;
    t_ok(about > other + 5, "about what the judge names: %.2f, %.2f", about,
         other);
}


int
main(void)
{
    arena = judge_arena_create(64 * 1024);

    test_language("de", "Text");
    test_language("es", "texto");
    test_language("fr", "texte");
    test_language("pt", "texto");
    test_feedback();
    test_shuffled();
    test_topic();

    judge_arena_destroy(arena);

    return t_done();
}
