/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The aspects: what their scores depend on, and what is not judged. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text/utf8.h"
#include "analysis/aspects/method.h"
#include "analysis/text/language.h"
#include "tap.h"


#define ASPECTS  (JUDGE_ASPECTS - 1)

static judge_arena_t      *arena;
static judge_criterion_t   all[ASPECTS];           /* an aspect each */

static const char  text[] =
    "The town council closed the old library in March because the roof let"
    " in the rain. Since then, children have done their homework in the"
    " school, and older people have had to take a bus to the next town.\n\n"
    "First, the council should repair the roof, for it is cheaper than a new"
    " house. Second, the school could lend its largest room to readers in the"
    " evening. However, nobody has asked the teachers yet, although most of"
    " them live nearby and some have offered to help.";

static const char  source[] =
    "The council of the town closed its library in March. Rain had come"
    " through the roof. Teachers of the school offered help, and the mayor,"
    " Anna Lopez, promised 40,000 euros for repairs.";

static const char  question[] = "What should the council do for readers?";


/* --- Scores -------------------------------------------------------------- */

static judge_verdict_t
scored(const judge_rubric_t *rubric, judge_item_t item)
{
    judge_scorer_t   *scorer;
    judge_verdict_t   verdict;

    scorer = judge_scorer_create(arena, rubric);

    if (scorer == NULL
        || judge_score(scorer, &item, arena, &verdict) != JUDGE_OK
        || judge_explain(&verdict) != JUDGE_OK)
    {
        abort();
    }

    return verdict;
}


/* By all aspects at once, in their order. */

static judge_criterion_score_t *
by_all(const char *words, const char *from, const char *asked)
{
    judge_item_t    item = { .text = judge_str_c(words) };
    judge_rubric_t  rubric = { .criteria = all, .ncriteria = ASPECTS };

    item.source = from ? judge_str_c(from) : item.source;
    item.question = asked ? judge_str_c(asked) : item.question;

    return scored(&rubric, item).scores - 1;       /* by judge_aspect_e */
}


static judge_criterion_score_t
by(judge_aspect_e aspect, const char *words)
{
    return by_all(words, NULL, NULL)[aspect];
}


static bool
same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) < 1e-9;
}


/* --- The registry -------------------------------------------------------- */

static void
test_registry(void)
{
    size_t                 i, k;
    double                 weights;
    const judge_aspect_t  *a;

    for (i = 1; i < JUDGE_ASPECTS; i++) {
        a = &judge_aspects[i];

        for (k = 0, weights = 0; k < a->nfeatures; k++) {
            weights += a->features[k].languages
                       & 1ull << JUDGE_LANGUAGE_ENGLISH
                       ? fabs((double) a->features[k].weight) : 0;
            t_ok(a->features[k].spread > 0, "%s: %s has a spread", a->name,
                 judge_features[a->features[k].feature].name);
        }

        t_ok(fabs(weights - 1) < 0.01,
             "%s: the weights of its features in English add up to 1: %.3f",
             a->name, weights);
        t_ok(a->nfaults > 0 ? a->rate > 0 : a->high > a->low,
             "%s has a scale", a->name);
        t_ok(a->full[0] && a->half[0] && a->zero[0],
             "%s says what 100, 50 and 0 are", a->name);
        t_ok(a->words >= 1 && a->languages != 0, "%s has texts to judge",
             a->name);
    }
}


/* --- What a score depends on --------------------------------------------- */

/* Neither a judge's name, description and references, nor other criteria, nor
 * how the criterion is described, move a score. */

static void
test_alone(void)
{
    size_t                    i;
    judge_str_t               reference = JUDGE_STR("Bread is baked.");
    judge_item_t              item = { .text = judge_str_c(text) };
    judge_rubric_t            rubric;
    judge_verdict_t           verdict;
    judge_criterion_t         c;
    judge_criterion_score_t  *among;

    item.source = judge_str_c(source);
    item.question = judge_str_c(question);
    among = by_all(text, source, question);

    for (i = 1; i < JUDGE_ASPECTS; i++) {
        t_ok(among[i].score >= 0 && among[i].score <= 100,
             "%s: a score lies between 0 and 100: %.2f", judge_aspects[i].name,
             among[i].score);

        memset(&rubric, 0, sizeof(rubric));
        c = all[i - 1];
        rubric.criteria = &c;
        rubric.ncriteria = 1;
        verdict = scored(&rubric, item);
        t_ok(same(verdict.scores[0].score, among[i].score),
             "%s: other criteria do not change a score",
             judge_aspects[i].name);

        c.description = JUDGE_STR("How well it does so, in the eyes of a"
                                  " careful reader.");
        c.weight = 7;
        rubric.name = JUDGE_STR("Essays about libraries");
        rubric.description = JUDGE_STR("Angry letters about bread and rain.");
        rubric.references = &reference;
        rubric.nreferences = 1;
        verdict = scored(&rubric, item);
        t_ok(same(verdict.scores[0].score, among[i].score),
             "%s: the judge's own description does not change a score",
             judge_aspects[i].name);
    }
}


/* A source or a question moves only what is compared with it. */

static void
test_beside(void)
{
    size_t                    i;
    judge_criterion_score_t  *bare, *beside;
    static const struct {
        const char  *from, *asked;
    } rows[] = {
        { source, NULL }, { NULL, question }, { source, question },
        { "Who closed the library?", NULL }, { "A: Hi. B: Oh no!", NULL },
        { "", "" }, { "Der Rat schloss die Bücherei im März.", "Warum?" }
    };
    size_t                    k;

    bare = by_all(text, NULL, NULL);

    for (k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
        beside = by_all(text, rows[k].from, rows[k].asked);

        for (i = 1; i < JUDGE_ASPECTS; i++) {
            if (judge_aspects[i].beside == JUDGE_BESIDE_NOTHING) {
                t_ok(same(bare[i].score, beside[i].score),
                     "%s: %.2f does not change beside row %zu: %.2f",
                     judge_aspects[i].name, bare[i].score, k, beside[i].score);
            }
        }
    }
}


/* --- Registers ----------------------------------------------------------- */

static void
test_registers(void)
{
    size_t  i;
    double  formal, casual;
    static const char *const  rows[][2] = {
        { "We would be grateful if you could confirm the date of delivery.",
          "Hey guys, can't you just tell us when it's coming?!" },
        { "Wir bitten Sie, uns den Termin der Lieferung zu bestätigen.",
          "Hallo, sag uns doch mal, wann du das Zeug lieferst!" },
        { "Le rogamos que nos confirme la fecha de entrega del pedido.",
          "Oye tío, ¿nos dices cuándo vas a traer eso? ¡Vale!" },
        { "Nous vous prions de nous confirmer la date de la livraison.",
          "Salut, tu nous dis quand tu apportes ton truc ? On attend !" }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        formal = by(JUDGE_ASPECT_FORMALITY, rows[i][0]).score;
        casual = by(JUDGE_ASPECT_FORMALITY, rows[i][1]).score;
        t_ok(formal > casual + 10,
             "a letter to a firm is more formal than a call: %.2f, %.2f: %s",
             formal, casual, rows[i][0]);
    }
}


static void
test_politeness(void)
{
    size_t  i;
    double  polite, plain, rude;
    static const char *const  rows[][3] = {
        { "Dear Ms Hart, thank you for writing. Could you please send us the"
          " form? We hope to help you soon.",
          "Send us the form. The office needs it by Friday.",
          "Why did you never send the form? Obviously you don't read." },
        { "Estimada señora, gracias por su carta. ¿Podría enviarnos el"
          " formulario, por favor?",
          "Tiene que enviar el formulario a la oficina antes del viernes.",
          "Usted nunca envía nada. Es absurdo y totalmente ridículo." },
        { "Bonjour Madame, merci pour votre lettre. Pourriez-vous nous envoyer"
          " le formulaire, s'il vous plaît ?",
          "Il faut envoyer le formulaire à notre bureau avant vendredi.",
          "Pourquoi n'avez-vous rien envoyé ? C'est franchement ridicule." }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        polite = by(JUDGE_ASPECT_POLITENESS, rows[i][0]).score;
        plain = by(JUDGE_ASPECT_POLITENESS, rows[i][1]).score;
        rude = by(JUDGE_ASPECT_POLITENESS, rows[i][2]).score;
        t_ok(polite > plain + 10 && plain > rude + 10,
             "thanks are more polite than an order, and that than a reproach:"
             " %.2f, %.2f, %.2f: %s", polite, plain, rude, rows[i][0]);
    }
}


/* In other languages long sentences, long words and commas count, and the
 * grade; what English alone has does not. */

static void
test_plain(void)
{
    size_t  i;
    double  plain, hard;
    static const char *const  rows[][2] = {
        { "Der Antrag ist kurz. Sie füllen ihn aus. Dann schicken Sie ihn an"
          " das Amt.",
          "Die Antragstellung erfolgt unter Beifügung sämtlicher"
          " erforderlicher Unterlagen, sofern diese, ungeachtet etwaiger"
          " Ausnahmeregelungen, der Behörde noch nicht vorliegen." },
        { "El papel es corto. Usted lo llena en casa. Luego lo lleva a la"
          " oficina.",
          "La solicitud deberá presentarse acompañada de la documentación"
          " acreditativa correspondiente, salvo que, excepcionalmente, esta"
          " obrase ya en poder de la administración." },
        { "Le papier est court. Vous le remplissez chez vous. Puis vous le"
          " portez à la mairie.",
          "La demande doit être accompagnée des pièces justificatives"
          " correspondantes, à moins que, exceptionnellement, celles-ci ne"
          " soient déjà détenues par l'administration compétente." },
        { "O papel é curto. Você preenche em casa. Depois leva o papel para"
          " a prefeitura.",
          "O requerimento deverá ser acompanhado da documentação"
          " comprobatória correspondente, salvo se, excepcionalmente, esta"
          " já se encontrar em poder da administração." }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        plain = by(JUDGE_ASPECT_PLAIN, rows[i][0]).score;
        hard = by(JUDGE_ASPECT_PLAIN, rows[i][1]).score;
        t_ok(plain > 75 && hard < 25,
             "plain language is plainer than that of offices: %.2f, %.2f: %s",
             plain, hard, rows[i][0]);
    }
}


/* --- Faults -------------------------------------------------------------- */

static const judge_aspect_e  with_faults[] = {
    JUDGE_ASPECT_SPELLING, JUDGE_ASPECT_GRAMMAR, JUDGE_ASPECT_RESPECT
};


static void
test_clean(void)
{
    size_t                   i, k;
    judge_criterion_score_t  s;
    static const char *const  texts[] = {
        text, source, "Yes.", "He goes there, and they go home.",
        "We thank you for your order. It costs 39 euros and comes on Monday.",
        "If I were you, I would not have gone.",
        "Dr. Smith paid $3.50 for it, i.e. too much.",
        "Our garden is small. It has three trees, because my father planted"
        " them."
    };

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        for (k = 0; k < 3; k++) {
            s = by(with_faults[k], texts[i]);
            t_ok(s.score >= 95 && s.score <= 100 && s.npassages == 0,
                 "%s: a clean text has at least 95 and no passages: %.2f",
                 judge_aspects[with_faults[k]].name, s.score);
            t_is_str(s.feedback, "Nothing wrong was found.",
                     "%s: the feedback says that nothing is wrong",
                     judge_aspects[with_faults[k]].name);
        }
    }
}


/* Numbers are said with what is usual, and only those that speak for what the
 * score says. */

static void
test_numbers(void)
{
    judge_criterion_score_t  s;

    s = by(JUDGE_ASPECT_PLAIN, "This lamp clips onto a book or a bed. Its warm"
           " light falls on the page. The arm bends, and it is made of steel."
           " It weighs as much as an apple, so you can take it with you.");
    t_ok(s.score > 50 && t_finds(s.feedback, "Speaks for it: ")
         && t_finds(s.feedback, ", usually ")
         && !t_finds(s.feedback, "against"),
         "a plain text has numbers that speak for it: %.*s",
         (int) s.feedback.len, s.feedback.data);

    s = by(JUDGE_ASPECT_PLAIN, "The device facilitates illumination in a"
           " multiplicity of domestic configurations, notwithstanding the"
           " comparatively negligible articulation of individual requirements"
           " regarding optimised positioning.");
    t_ok(s.score < 50 && t_finds(s.feedback, "Speaks against it: ")
         && t_finds(s.feedback, ", usually ")
         && !t_finds(s.feedback, "Speaks for"),
         "numbers speak against a text that is not plain: %.*s",
         (int) s.feedback.len, s.feedback.data);

    s = by(JUDGE_ASPECT_GRAMMAR, "Mill Bridge in Arden will be closed from"
           " March to September, because two of its five pillars have cracks."
           " Buses will cross at Station Road, twelve minutes longer.");
    t_ok(s.score < 95 && s.npassages == 0
         && t_finds(s.feedback, "Speaks against it: pairs of common words"),
         "what took points off is named where it has no place: %.*s",
         (int) s.feedback.len, s.feedback.data);
}


static void
test_passages(void)
{
    size_t                   i;
    judge_str_t              quote;
    judge_check_passage_t   *place;
    judge_criterion_score_t  s;
    static const char  eight[] =
        "Teh council closed the libary in March. We recieve becuase of it a"
        " letter definately. The goverment shuold pay for the repiars.";
    static const char *const  quotes[] = {
        "Teh", "libary", "recieve", "becuase", "definately", "goverment",
        "shuold", "repiars"
    };

    s = by(JUDGE_ASPECT_SPELLING, eight);
    t_is_int((int64_t) s.npassages, 8, "eight faults have eight passages");

    for (i = 0; i < s.npassages && i < 8; i++) {
        place = &s.passages[i].place;
        quote = (judge_str_t) { place->end - place->start,
                                eight + place->start };
        t_is_str(s.passages[i].place.quote, quotes[i],
                 "passage %zu names its fault, in the text's order", i);
        t_is_str(quote, quotes[i],
                 "passage %zu stands where its fault is in the text", i);
        t_ok(s.passages[i].note.len > 0,
             "passage %zu has a word on what is wrong", i);
    }

    t_is_str(s.feedback, "Found: 8. spelling: “Teh”, “libary”, “recieve”"
             " (8).",
             "feedback has the number of faults, and the first three");

    s = by(JUDGE_ASPECT_RESPECT, "You are an idiot. This stupid fool wrote"
                                 " it, you moron.");
    t_is_int((int64_t) s.npassages, 4,
             "a text of four insults has four passages");
    t_ok(s.score < 50,
         "a text full of insults scores less than 50: %.2f", s.score);

    s = by(JUDGE_ASPECT_GRAMMAR, "They is late. He go home. I has an idea.");
    t_is_int((int64_t) s.npassages, 3,
             "a text of three faults of grammar has three passages");
    t_ok(s.score < 50,
         "a text of three faults of grammar scores less than 50: %.2f",
         s.score);
}


/* The nth word of a text that has six letters or more, the first one small
 * (a name may be written in any way), with two letters exchanged; false: there
 * are fewer. */

static bool
misspell(char *words, size_t nth)
{
    char    c, *p;
    size_t  len;

    for (p = words; *p != '\0'; p += len + (p[len] != '\0')) {
        len = strcspn(p, " .,\n");

        if (len >= 6 && *p >= 'a' && nth-- == 0) {
            c = p[2];
            p[2] = p[3];
            p[3] = c;

            return true;
        }
    }

    return false;
}


/* One misspelt word more never raises the score, in whatever order they
 * come. */

static void
test_monotonous(void)
{
    char    words[sizeof(text)];
    size_t  i, k, n, step;
    double  before, after, first;

    for (step = 1; step <= 8; step *= 2) {         /* none divides 21 */
        (void) snprintf(words, sizeof(words), "%s", text);
        first = by(JUDGE_ASPECT_SPELLING, words).score;
        before = first;

        for (n = 0; misspell(words, n); n++) {
            (void) misspell(words, n);             /* back again */
        }

        for (i = 0, k = 0; i < n; i++) {
            (void) misspell(words, k);
            k = (k + step) % n;
            after = by(JUDGE_ASPECT_SPELLING, words).score;

            if (!(after <= before)) {
                t_ok(false,
                     "a misspelt word more raises the score, at %zu: %.2f, "
                     "then %.2f", k, before, after);
            }
            before = after;
        }

        t_ok(n == 21 && before < first - 40,
             "%zu misspelt words make a score much lower: %.2f to %.2f",
             n, first, before);
    }
}


/* What raises the score of one end of an aspect lowers that of the other; a
 * judgement on people is found by it. */

static void
test_opposite(void)
{
    static const char *const  tales[] = {
        text, "What a shame! How dare they! I hate it!",
        "The committee discussed matting and insurance. It was agreed that"
        " quotes should be obtained.",
        "The chairman droned on yet again, and nobody was really listening."
        " After this ridiculous waste it was agreed that quotes should be"
        " obtained."
    };
    size_t                    i, k;
    double                    sober[4];
    judge_criterion_score_t  *s, *one, *other;

    for (i = 0; i < 4; i++) {
        s = by_all(tales[i], NULL, NULL);
        one = &s[JUDGE_ASPECT_INTENSITY];
        other = &s[JUDGE_ASPECT_INTENSITY_OPPOSITE];
        sober[i] = other->score;

        t_ok(fabs(one->score + other->score - 100) < 0.011,
             "both ends of an aspect have 100 together: %.2f and %.2f",
             one->score, other->score);

        for (k = 0; k < one->nmeasures; k++) {
            t_ok(one->measures[k].raises != other->measures[k].raises
                 && one->measures[k].name == other->measures[k].name,
                 "“%s” speaks for one of them alone", one->measures[k].name);
        }
    }

    t_ok(sober[0] > sober[1] + 30 && sober[2] > sober[3] + 3,
         "a report is sober, a cry is not: %.2f and %.2f; nor is mockery:"
         " %.2f and %.2f", sober[0], sober[1], sober[2], sober[3]);
}


/* --- What is not judged -------------------------------------------------- */

static void
test_short(void)
{
    size_t                    i;
    judge_criterion_score_t  *s;
    const judge_aspect_t     *a;

    s = by_all("It rained.", source, question);

    for (i = 1; i < JUDGE_ASPECTS; i++) {
        a = &judge_aspects[i];
        t_ok(isnan(s[i].score) == (a->words > 2),
             "%s: a text is judged from %u words on", a->name, a->words);

        if (a->words > 2) {
            t_ok(t_finds(s[i].reason, "The text is too short; from ")
                 && t_finds(s[i].reason, a->called) && s[i].feedback.len == 0,
                 "%s: the reason tells the words it needs: %.*s", a->name,
                 (int) s[i].reason.len, s[i].reason.data);
        }
    }
}


/* Without what it is compared with; the other things are judged. */

static void
test_missing(void)
{
    size_t                    i;
    judge_criterion_score_t  *s;
    const judge_aspect_t     *a;
    static const char *const  missing[] = { "", "metadata.source",
                                            "metadata.question" };

    s = by_all(text, NULL, NULL);

    for (i = 1; i < JUDGE_ASPECTS; i++) {
        a = &judge_aspects[i];
        t_ok(isnan(s[i].score) == (a->beside != JUDGE_BESIDE_NOTHING),
             "%s: only what needs a source or question is not judged: %.2f",
             a->name, s[i].score);
        t_ok(a->beside == JUDGE_BESIDE_NOTHING
             || t_finds(s[i].reason, missing[a->beside]),
             "%s: the reason says what is missing: %.*s", a->name,
             (int) s[i].reason.len, s[i].reason.data);
    }

    s = by_all(text, source, NULL);
    t_ok(!isnan(s[JUDGE_ASPECT_RELEVANCE].score)
         && same(s[JUDGE_ASPECT_RELEVANCE].score,
                 s[JUDGE_ASPECT_COVERAGE].score),
         "what is relevant of a document is what it often speaks of");
}


static void
test_foreign(void)
{
    static const char *const  unknown[] = {
        "asdf jkl qwer uiop zxcv bnm asdf jkl qwer uiop zxcv", "你好",
        "Мы отправим вашу посылку завтра утром.", "سنرسل طردك غدا",
        "x9f8 2k3j 99 01 kk2 zz9 q1w2 e3r4 t5y6", "спасибо",
        "Anna kann helfen.", "Vd. puede venir.", "El IVA es del 21 %.",
        "L'appli est gratuite.", "Sin perjuicio."
    };
    bool                      judged;
    size_t                    i, k;
    judge_criterion_score_t  *s;
    static const struct {
        const char  *text, *language, *name;
    } rows[] = {
        { "Die Kinder gingen gestern nach Hause, weil es stark regnete. Das"
          " Wasser stand danach noch lange in den Straßen der Stadt.", "de",
          "Deutsch" },
        { "Los niños volvieron a casa porque llovía mucho. El agua se quedó"
          " en las calles de la ciudad hasta la noche.", "es", "español" },
        { "Les enfants sont rentrés à la maison parce qu'il pleuvait"
          " beaucoup. L'eau est restée dans les rues jusqu'au soir.", "fr",
          "français" },
        { "As crianças voltaram para casa porque chovia muito. A água ficou"
          " nas ruas da cidade até à noite.", "pt", "português" },
        { "I bambini sono tornati a casa perché pioveva forte. L'acqua è"
          " rimasta nelle strade della città fino a sera.", "it", "Italian" },
        { "Дети вернулись домой, потому что шёл сильный дождь. Вода стояла"
          " на улицах города до вечера.", "ru", "Russian" },
        { "孩子们回家了，因为下着大雨。", "zh", "Chinese" }
    };

    for (k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
        s = by_all(rows[k].text, rows[k].text, rows[k].text);

        for (i = 1; i < JUDGE_ASPECTS; i++) {
            judged = ((i == JUDGE_ASPECT_SPELLING
                       || i == JUDGE_ASPECT_PLAIN) && k < 4)
                     || (i == JUDGE_ASPECT_FORMALITY && k < 3)
                     || (i == JUDGE_ASPECT_POLITENESS && (k == 1 || k == 2));
            t_ok(isnan(s[i].score) != judged,
                 "%s, %s: of some languages alone spelling, plain language,"
                 " courtesy and a formal register are judged: %.2f",
                 rows[k].name, judge_aspects[i].name, s[i].score);
            t_ok(judged || t_finds(s[i].reason, rows[k].name),
                 "%s, %s: the reason names the language: %.*s", rows[k].name,
                 judge_aspects[i].name, (int) s[i].reason.len,
                 s[i].reason.data);
        }
    }

    /* of no language, of one without a profile, or of one that knows more of
     * a few words than English does: nothing is English */

    for (k = 0; k < sizeof(unknown) / sizeof(unknown[0]); k++) {
        s = by_all(unknown[k], source, question);

        for (i = 1; i < JUDGE_ASPECTS; i++) {
            t_ok(isnan(s[i].score) && s[i].feedback.len == 0,
                 "“%s” is not measured as English: %s", unknown[k],
                 judge_aspects[i].name);
        }
    }

    s = by_all("dont know wher ur parcel is lol ask the post", NULL, NULL);
    t_ok(!isnan(s[JUDGE_ASPECT_RESPECT].score)
         && !isnan(s[JUDGE_ASPECT_SPELLING].score),
         "sloppy English is measured as English");

    s = by_all("Recieved ur mesage", NULL, NULL);
    t_ok(s[JUDGE_ASPECT_SPELLING].score < 50,
         "few sloppy words that no language knows are still English: %.2f",
         s[JUDGE_ASPECT_SPELLING].score);

    s = by_all("Otto and Anna met in San Francisco.", NULL, NULL);
    t_ok(s[JUDGE_ASPECT_SPELLING].score > 94,
         "names that other languages have, too, leave a text English: %.2f",
         s[JUDGE_ASPECT_SPELLING].score);

    s = by_all("Do not take simvastatin, metformin, amoxicillin, omeprazole,"
               " or warfarin with alcohol.", NULL, NULL);
    t_ok(!isnan(s[JUDGE_ASPECT_RESPECT].score),
         "English words of grammar beside names of drugs are English");

    s = by_all("El nuevo carril bici tiene tres ventajas.", NULL, NULL);
    t_ok(s[JUDGE_ASPECT_SPELLING].score > 94
         && isnan(s[JUDGE_ASPECT_GRAMMAR].score)
         && t_finds(s[JUDGE_ASPECT_GRAMMAR].reason, "español"),
         "a sentence of seven Spanish words is Spanish");
}


/* --- Hostile texts ------------------------------------------------------- */

static void
is_safe(judge_str_t words, const char *name)
{
    bool             fine;
    size_t           i;
    clock_t          began = clock();
    judge_item_t     item = { .text = words, .source = words,
                              .question = words };
    judge_rubric_t   rubric = { .criteria = all, .ncriteria = ASPECTS };
    judge_verdict_t  v;

    v = scored(&rubric, item);
    fine = (isnan(v.overall) ? v.coverage <= 0
                             : v.overall >= 0 && v.overall <= 100)
           && judge_utf8_check(v.summary) == v.summary.len;

    for (i = 0; i < ASPECTS; i++) {
        fine = fine && (isnan(v.scores[i].score)
                        ? v.scores[i].reason.len > 0
                        : v.scores[i].score >= 0 && v.scores[i].score <= 100)
               && judge_utf8_check(v.scores[i].feedback)
                  == v.scores[i].feedback.len;
    }

    t_ok(fine, "%s: scores and words are in bounds", name);
    t_ok(clock() - began < 20 * CLOCKS_PER_SEC,
         "%s: a hostile text is scored in less than 20 seconds", name);
}


static void
test_hostile(void)
{
    size_t       i;
    judge_buf_t  b;
    static const struct {
        judge_str_t  piece;
        const char  *name;
        size_t       size;
    } rows[] = {
        { judge_str("a"), "1 MB of one letter", 1 << 20 },
        { judge_str("a "), "1 MB of one word", 1 << 20 },
        { judge_str("\0"), "100 KB of NUL bytes", 100000 },
        { judge_str("ab\0cd "), "NUL bytes within words", 100000 },
        { judge_str("\xff\xfe"), "no UTF-8", 100000 },
        { judge_str("It is\xc3 late. "), "broken UTF-8 in sentences", 100000 },
        { judge_str("teh "), "a misspelt word again and again", 100000 },
        { judge_str("idiot "), "an insult again and again", 100000 },
        { judge_str("the the "), "a doubled word again and again", 100000 },
        { judge_str(". "), "marks alone", 100000 },
        { judge_str("\n\n"), "empty lines alone", 100000 },
        { judge_str("\xf0\x9f\x98\x80"), "emoji alone", 100000 },
        { judge_str("12 "), "numbers alone", 100000 },
        { judge_str("A. B? C! "), "sentences of a letter", 100000 }
    };

    is_safe(JUDGE_STR(""), "an empty text");
    is_safe((judge_str_t) { 0, NULL }, "none at all");

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_buf_init(&b, arena);
        while (b.len < rows[i].size) {
            judge_buf_str(&b, rows[i].piece);
        }

        is_safe(judge_buf_view(&b), rows[i].name);
    }
}


int
main(void)
{
    size_t  i;

    arena = judge_arena_create(64 * 1024);

    for (i = 0; i < ASPECTS; i++) {
        all[i].name = judge_str_c(judge_aspects[i + 1].called);
        all[i].weight = 1;
        all[i].judged_by = JUDGE_BY_MEASURES;
        all[i].aspect = &judge_aspects[i + 1];
    }

    test_registry();
    test_alone();
    test_beside();
    test_registers();
    test_politeness();
    test_plain();
    test_clean();
    test_numbers();
    test_passages();
    test_monotonous();
    test_opposite();
    test_short();
    test_missing();
    test_foreign();
    test_hostile();

    judge_arena_destroy(arena);

    return t_done();
}
