/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Who judges a criterion, by its words. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/aspects/method.h"
#include "tap.h"


#define SLOTS  8                       /* words of a term, at most */

static judge_arena_t  *arena;


static judge_criterion_t
chosen(const char *name, const char *description, bool model)
{
    judge_criterion_t  c = { .weight = 1 };

    c.name = judge_str_c(name);
    c.description = judge_str_c(description);

    if (judge_method_choose(arena, &c, model) != JUDGE_OK) {
        abort();
    }

    return c;
}


/* "spelling", where that aspect measures it; of the other end of an aspect
 * what people call it. */

static const char *
measured(const char *name, const char *description)
{
    judge_criterion_t  c = chosen(name, description, false);

    return c.judged_by != JUDGE_BY_MEASURES
           ? judge_judged_by_names[c.judged_by]
           : c.aspect->opposite ? c.aspect->called : c.aspect->name;
}


static void
is_measured(const char *name, const char *description, const char *by)
{
    t_is_str(judge_str_c(measured(name, description)), by,
             "who judges is chosen by the words: %s%s%s", name,
             description[0] ? " | " : "", description);
}


/* --- The terms of the registry ------------------------------------------- */

/* Words that ask for nothing by themselves, by language. */

static const struct {
    const char  *language, *name;
} around[] = {
    { "en", "Overall %s" }, { "en", "Very good %s" },
    { "en", "The %s of the essay" }, { "en", "%s throughout" },
    { "en", "Needs %s" }, { "en", "Standard %s" },
    { "de", "Sehr gute %s" }, { "de", "%s durchgehend" },
    { "es", "Muy buena %s" }, { "fr", "Très bonne %s" },
    { "pt", "Muito boa %s" }
};

static char  language[8];


/* A term by itself and among such words: how often it is not the aspect's. */

static size_t
astray(const char *term, const char *aspect)
{
    char         name[256] = "";
    size_t       i, n;
    const char  *by;

    by = measured(term, "");
    n = strcmp(by, aspect) != 0;

    for (i = 0; i < sizeof(around) / sizeof(around[0]) && n == 0; i++) {
        if (strcmp(around[i].language, language) == 0) {
            (void) snprintf(name, sizeof(name), around[i].name, term);
            by = measured(name, "");
            n += strcmp(by, aspect) != 0;
        }
    }

    if (n > 0) {
        printf("# %s, %s: %s\n", term, name, by);
    }

    return n;
}


/* All that the words of a line stand for: "a|b" is two, "(c)" may be left out,
 * of "d*" the beginning is enough, "#" is a number. */

static size_t
expand(char *slots[], size_t n, size_t i, const char *before,
    const char *aspect, size_t *terms)
{
    bool    optional;
    char    term[256], slot[128], *word, *rest;
    size_t  wrong;

    if (i == n) {
        (*terms)++;
        return astray(before, aspect);
    }

    optional = slots[i][0] == '(';
    (void) snprintf(slot, sizeof(slot), "%s", slots[i] + optional);
    slot[strcspn(slot, "*)")] = '\0';
    wrong = optional ? expand(slots, n, i + 1, before, aspect, terms) : 0;

    for (rest = slot; (word = strsep(&rest, "|")) != NULL; /* void */) {
        (void) snprintf(term, sizeof(term), "%s%s%s", before,
                        before[0] ? " " : "",
                        word[0] == '#' ? "15" : word);
        wrong += expand(slots, n, i + 1, term, aspect, terms);
    }

    return wrong;
}


static void
test_terms(const judge_aspect_t *aspect)
{
    bool         own = false;
    char         path[80], line[256], *slots[SLOTS], *rest;
    size_t       n, languages, terms, wrong;
    FILE        *in;
    const char  *by = aspect->opposite ? aspect->called : aspect->name;

    (void) snprintf(path, sizeof(path), "src/analysis/aspects/%s.txt",
                    aspect->name);
    in = fopen(path, "r");
    if (in == NULL) {
        abort();
    }

    languages = 0;
    terms = 0;
    wrong = 0;

    while (fgets(line, sizeof(line), in)) {
        line[strcspn(line, "\n")] = '\0';

        if (sscanf(line, "terms %2s", language) == 1
            || sscanf(line, "opposite terms %2s", language) == 1)
        {
            own = (line[0] == 'o') == aspect->opposite;
            languages += own;
            continue;
        }

        if (line[0] == '\0' || line[0] == '#' || !own) {
            continue;
        }

        for (rest = line, n = 0; n < SLOTS && (slots[n] = strsep(&rest, " "));
             n++)
        {
            /* void */
        }

        wrong += expand(slots, n, 0, "", by, &terms);
    }

    (void) fclose(in);
    t_is_int((int64_t) languages, aspect->opposite ? 1
             : aspect == &judge_aspects[JUDGE_ASPECT_POLITENESS] ? 3 : 5,
             "%s has terms in five languages, politeness and the other end of"
             " an aspect in those that they are judged in", by);
    t_ok(terms >= 10, "%s has %zu terms", by, terms);
    t_is_int((int64_t) wrong, 0, "%s is measured by each of them, whatever"
             " is said beside", by);
}


/* --- The choice ---------------------------------------------------------- */

static const char *const  unmeasured[] = {
    "Clarity", "Style", "Voice", "Quality", "Tone", "Not arrogant",
    "Must mention the price", "Cortesia", "Engaging", "Humour",
    "Writing quality", "Good", "Overall", "Empathy", "Honesty", "Argument",
    "Persuasive", "Not grammatical", "No grammar", "Respectful but funny",
    "Grammar and style", "Structure and vocabulary", "Rich", "Varied", "Must",
    "Errors", "Höflichkeit", "Muss den Preis nennen", "Claridad", "Clarté",
    "Clareza", "Qwertz", "123", "!", ""
};


static void
test_nothing(void)
{
    size_t             i;
    judge_criterion_t  c;

    for (i = 0; i < sizeof(unmeasured) / sizeof(unmeasured[0]); i++) {
        c = chosen(unmeasured[i], "", false);
        t_is_int(c.judged_by, JUDGE_BY_NOTHING,
                 "“%s” is measured by nothing", unmeasured[i]);
        t_ok(c.aspect == NULL && c.reason.len > 0
             && memmem(c.reason.data, c.reason.len, "25 corrections", 14),
             "the reason of “%s” tells that corrections would help",
             unmeasured[i]);

        c = chosen(unmeasured[i], "", true);
        t_is_int(c.judged_by, JUDGE_BY_MODEL,
                 "“%s” is judged by a model that is named", unmeasured[i]);
    }

    c = chosen("Grammar", "", true);
    t_is_int(c.judged_by, JUDGE_BY_MEASURES,
             "what is measured costs no model");
    t_is_str(c.reason, "It asks for grammar, which is measured in the text.",
             "the reason says what the criterion asks for");

    c = chosen("Wording", "Uses \"we\" consistently.", false);
    t_is_int(c.judged_by, JUDGE_BY_NOTHING,
             "a word in quotes is none of an aspect");
}


/* A description counts where the name says nothing, and refuses where it
 * requires something else. */

static void
test_described(void)
{
    static const struct {
        const char  *name, *description, *by;
    } rows[] = {
        { "A", "Vocabulary is rich and varied.", "fluency" },
        { "A", "The writing is free of spelling mistakes.", "spelling" },
        { "B", "Grammar is correct. Spelling too.", "grammar" },
        { "Clarity", "Plain language and short sentences.", "plain" },
        { "Tone", "Must be respectful.", "respect" },
        { "1", "", "nothing" },
        { "A", "Funny. Good grammar.", "nothing" },
        { "A", "Funny, with good grammar.", "nothing" },
        { "A", "Mentions grammar.", "nothing" },
        { "A", "Vocabulary is rich. Endings are varied.", "nothing" },
        { "A", "Vocabulary is rich. Sentences are varied.", "fluency" },
        { "Vocabulary and fluency", "", "fluency" },
        { "Structure and content", "", "organization" },
        { "A", "Ideas are detailed. The structure is logical.",
          "organization" },
        { "Tone", "Polite and respectful.", "nothing" },
        { "Kindness", "No insults and no arrogance.", "nothing" },
        { "Grammar", "The grammar of the essay is correct.", "grammar" },
        { "Grammar", "It is judged by teachers.", "grammar" },
        { "Grammar", "Sentences are right: agreement, apostrophes, capitals.",
          "grammar" },
        { "Orthographe", "Aucune coquille.", "spelling" },
        { "Ortografía", "El texto no tiene erratas.", "spelling" },
        { "My gran understands it", "No technical terms. Everyday language.",
          "plain" },
        { "No in-house jargon", "", "plain" },
        { "Leichte Sprache", "", "plain" },
        { "Ohne Fachchinesisch", "", "plain" },
        { "Verständlichkeit", "Keine Fachbegriffe, kurze Sätze.", "plain" },
        { "Linguagem simples", "Qualquer pessoa entende, sem termos médicos.",
          "plain" },
        { "Sem juridiquês", "", "plain" },
        { "Vocabulaire simple", "", "plain" },
        { "Langage clair", "Sans jargon. Tout le monde comprend.", "plain" },
        { "Lenguaje claro", "Sin tecnicismos. Lo entiende cualquiera.",
          "plain" },
        { "Palabras sencillas", "", "plain" },
        { "Sem limites", "", "nothing" },
        { "Leichte Küche", "", "nothing" },
        { "Grammar", "Describes how a child learns.", "nothing" },
        { "Coherence", "It matches our earlier campaigns.", "nothing" },
        { "Spelling", "Slips play no role. Errors are irrelevant.",
          "nothing" },
        { "Vocabulary", "It has at least the terms of the trade.",
          "nothing" },
        { "Grammar", "Mentions the price.", "nothing" },
        { "Coherence", "The text should be well-structured.", "cohesion" },
        { "Grammar and spelling", "", "grammar" },
        { "Flawless spelling", "", "spelling" },
        { "Reads fluently", "", "fluency" },
        { "Without fabrications", "", "faithfulness" },
        { "All important points covered", "", "coverage" },
        { "Orthographe irréprochable", "", "spelling" },
        { "Acentos y ortografía", "", "spelling" },
        { "Tadellose Rechtschreibung und Zeichensetzung", "", "spelling" },
        { "Perfect timing", "", "nothing" },
        { "Polite and professional", "", "nothing" },
        { "Politeness", "The tone is empathetic.", "politeness" },
        { "Tone", "Polite. Never rude.", "politeness" },
        { "Tone", "Friendly and polite.", "nothing" },
        { "Kindness", "Warm, respectful and courteous.", "nothing" },
        { "Not polite", "", "nothing" },
        { "Ton courtois", "Pas d'insultes.", "politeness" },
        { "Cortesía", "Trata al cliente con amabilidad.", "politeness" },
        { "Cortes", "", "nothing" },
        { "Formule de politesse", "", "nothing" },
        { "Höflichkeit", "Höflicher Ton.", "nothing" },
        { "Formal register", "No slang, emojis or shouting.", "formality" },
        { "Registre soutenu", "Pas de langage familier.", "formality" },
        { "Keine Umgangssprache", "", "formality" },
        { "Formal salutation", "", "nothing" },
        { "Formal register", "Formality does not matter.", "nothing" },
        { "Informal", "", "nothing" },
        { "Register", "The text must contain slang.", "nothing" },
        { "Without typos", "", "spelling" },

        /* The contrary of what is measured. */
        { "Uses slang", "", "nothing" },
        { "More slang", "", "nothing" },
        { "Does not use slang", "", "formality" },
        { "Umgangssprachlich", "", "nothing" },
        { "Vermeidet Umgangssprache", "", "formality" },
        { "Less formal", "", "nothing" },
        { "Half formal", "", "nothing" },
        { "Too polite", "", "nothing" },
        { "Weniger förmlich", "", "nothing" },
        { "Formally correct", "", "nothing" },
        { "With typos", "", "nothing" },
        { "Spelling mistakes are OK", "", "nothing" },
        { "Few commas", "", "nothing" },
        { "Grammar", "As many errors as possible.", "nothing" },
        { "Grammar", "Errors are fine.", "nothing" },

        /* What the measure of the aspect can't see. */
        { "Keine Fremdwörter", "", "nothing" },
        { "Sin siglas", "", "nothing" },
        { "Sans sigles", "", "nothing" },
        { "Logical order", "", "nothing" },
        { "Short sentences", "", "nothing" },
        { "Plain words", "Short sentences.", "plain" },
        { "Kurze Sätze", "", "nothing" },
        { "Phrases courtes", "", "nothing" },
        { "A few sentences", "", "nothing" },
        { "Full sentences only", "", "nothing" },
        { "Varied sentences", "", "fluency" },
        { "Unbiased", "", "nothing" },
        { "Happy customers", "", "nothing" },
        { "Grammatikübung", "", "nothing" },
        { "Grammatikfehler", "", "grammar" },
        { "Only capital letters", "", "nothing" },
        { "Spelling", "British.", "nothing" },
        { "Uses US spelling", "", "nothing" },

        { "No bank jargon", "", "plain" },
        { "Sans jargon médical", "", "plain" },
        { "Kurze, klare Sätze",
          "Höchstens 15 Wörter pro Satz, keine Schachtelsätze.", "plain" },
        { "Kurze Sätze", "Ein Gedanke pro Satz, höchstens etwa 15 Wörter.",
          "plain" },
        { "Kurz", "Höchstens etwa 15 Wörter.", "nothing" },
        { "Rechtschreibung", "Keine Fehler, wir sind eine Schule.",
          "spelling" },
        { "Rechtschreibung", "Keine Fehler, das fällt auf unsere Schule"
          " zurück.", "spelling" },
        { "Ortografía", "Sin faltas ni tildes olvidadas.", "spelling" },
        { "Spelling", "Mentions our school.", "nothing" },
        { "Keeps to one subject", "", "relevance" },
        { "Correct values", "Names, dates and amounts match the note.",
          "faithfulness" },
        { "Right data", "The values match what the ticket says.",
          "faithfulness" },
        { "No detail lost", "", "coverage" },
        { "Every wish captured", "", "coverage" },

        /* Each end of an aspect has names of its own. */
        { "Intensity of feeling", "", "intensity" },
        { "Neutral", "Minutes don't judge people.", "sober wording" },
        { "Neutral minutes", "No judgements about colleagues, no sarcasm;"
          " only reports.", "sober wording" },
        { "Neutral", "Minutes carry no opinion of the person who writes"
          " them.", "sober wording" },
        { "Neutral wording", "They don't comment on how people behaved.",
          "sober wording" },
        { "Facts only", "A call note holds what was said and what happened."
          " Guesses and opinions have no place.", "sober wording" },
        { "Tone", "Neutral, without sensational language.",
          "sober wording" },
        { "Tone", "Calm to excited", "intensity" },
        { "Neutral and emotional", "", "nothing" },
        { "Neutral and correctly spelled", "", "nothing" },
        { "No opinion about the colleague Müller", "", "nothing" },
        { "Neutral", "No opinion about the colleague Müller.", "nothing" },
        { "Neutral", "It mentions no competitor.", "nothing" },
        { "Neutral", "Gender-neutral words.", "nothing" },
        { "Not neutral", "", "nothing" },
        { "Neutral", "Neutrality does not matter.", "nothing" },
        { "Climate-neutral delivery", "", "nothing" },
        { "Objective", "It states the objective.", "nothing" },
        { "Factual accuracy", "", "faithfulness" },
        { "Sachlich", "", "nothing" },

        /* A negation, or another word at a term, beside an aspect's name. */
        { "Vocabulary", "Simple vocabulary that a child knows.", "nothing" },
        { "Vocabulary", "The writer uses a rich vocabulary.", "fluency" },
        { "Relevance", "How relevant the answer is to the question.",
          "relevance" },
        { "Plain language", "Written for lawyers, not plain.", "nothing" },
        { "Plain language", "Anyone should be able to follow it.", "plain" },
        { "Development", "Not too detailed.", "nothing" },
        { "Development", "Software development experience.", "nothing" },
        { "Insults", "The satire insults the king.", "nothing" },
        { "Respect", "The text must contain insults.", "nothing" },
        { "Toxicity", "The text is toxic or insulting.", "nothing" },
        { "Insulting", "The text insults the reader.", "nothing" },
        { "Spelling", "Has spelling mistakes.", "nothing" },
        { "Grammar", "There are grammar mistakes.", "nothing" },
        { "Is toxic", "", "nothing" },
        { "Respect", "The language is not offensive.", "respect" },
        { "Respect", "Does not insult the reader.", "respect" },
        { "Spelling", "It is free of spelling mistakes.", "spelling" },
        { "Respect", "The text must not contain insults.", "respect" },
        { "Grammar", "Do not judge grammar.", "nothing" },
        { "Grammar", "The text does not have grammar mistakes.", "grammar" },
        { "Grammar", "Command of grammar with few or no errors.", "grammar" },
        { "Spelling", "Spelling does not matter.", "nothing" },
        { "Spelling", "Spelling mistakes are allowed.", "nothing" },
        { "Spelling", "American spelling.", "nothing" },
        { "Rechtschreibung", "Rechtschreibung ist egal.", "nothing" },
        { "Rechtschreibung", "Der Text hat keine Rechtschreibfehler.",
          "spelling" },
        { "Coverage", "Media coverage is mentioned.", "nothing" },
        { "Faithfulness", "Faithful to the brand.", "nothing" },
        { "Respect", "Respects privacy.", "nothing" },

        { "Grammar", "Grammar is unimportant.", "nothing" },
        { "Grammatik", "Grammatikfehler sind erlaubt.", "nothing" },

        /* Other words say in what the aspect consists. */
        { "Relevance", "The answer is about what was asked.", "relevance" },
        { "Organization", "Clear structure and linked paragraphs.",
          "organization" },
        { "Coverage", "No important point of the article is left out.",
          "coverage" },
        { "Faithfulness", "The summary doesn't add anything.",
          "faithfulness" },
        { "Development", "Ideas are explained with examples.",
          "organization" },
        { "Rechtschreibung", "Alle Wörter sind richtig geschrieben.",
          "spelling" },

        /* What is judged, or by whom, asks for nothing. */
        { "Spelling", "Letters to our customers.", "spelling" },
        { "Grammar", "Essays by learners in their first year.", "grammar" },
        { "Easy to read", "Our parish notices need to be easy to read.",
          "plain" },

        /* Raters read more words than anybody has listed. */
        { "Syntax", "Flexible and effective use of a full range of syntactic"
          " structures including simple, compound, and complex sentences;"
          " there may be rare minor and negligible errors.", "fluency" }
    };
    size_t  i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        is_measured(rows[i].name, rows[i].description, rows[i].by);
    }
}


/* What the client asks for. */

static void
test_wanted(void)
{
    judge_check_t      check;
    judge_criterion_t  c = { .name = JUDGE_STR("Humour"), .weight = 1 };

    memset(&check, 0, sizeof(check));
    c.judge_by = JUDGE_BY_CHECKS;
    t_is_int(judge_method_choose(arena, &c, false), JUDGE_INVALID,
             "a criterion without checks can't be judged by them");
    t_ok(c.reason.len > 0, "the reason says that there are no checks");

    c.checks = &check;
    c.nchecks = 1;
    t_is_int(judge_method_choose(arena, &c, false), JUDGE_OK,
             "a criterion with a check can be judged by it");
    t_ok(c.judged_by == JUDGE_BY_CHECKS && c.decided,
         "a criterion that asks for checks is decided by them");

    c.decided = false;
    c.judge_by = JUDGE_BY_MEASURES;
    t_is_int(judge_method_choose(arena, &c, false), JUDGE_INVALID,
             "humour can't be judged by measures");
    t_ok(c.reason.len > 0, "the reason says that humour is not measured");

    c.judge_by = JUDGE_BY_MODEL;
    c.decided = true;
    t_is_int(judge_method_choose(arena, &c, true), JUDGE_OK,
             "a criterion can ask for a model");
    t_ok(c.judged_by == JUDGE_BY_MODEL && !c.decided,
         "a model judges what asks for one, whatever checks decide");

    c.judge_by = JUDGE_BY_CORRECTIONS;
    t_is_int(judge_method_choose(arena, &c, false), JUDGE_OK,
             "a criterion can ask for corrections");
    t_is_int(c.judged_by, JUDGE_BY_CORRECTIONS,
             "corrections judge what asks for them, as soon as they come");

    c.judge_by = JUDGE_BY_AUTO;
    c.decided = true;
    t_is_int(judge_method_choose(arena, &c, true), JUDGE_OK,
             "a criterion can leave open who judges it");
    t_is_int(c.judged_by, JUDGE_BY_CHECKS,
             "what checks decide needs no model");

    c.decided = false;
    t_is_int(judge_method_choose(arena, &c, false), JUDGE_OK,
             "a criterion may ask for more than its check decides");
    t_ok(c.judged_by == JUDGE_BY_NOTHING
         && memmem(c.reason.data, c.reason.len, "its checks decide", 17),
         "the reason says what makes a given check decide: %.*s",
         (int) c.reason.len, c.reason.data);
}


/* Names are of clients: any bytes are safe. */

static void
test_hostile(void)
{
    char               bytes[4096];
    size_t             i, k;
    judge_criterion_t  c;

    static const char *const  pieces[] = {
        "grammar ", "grammar. ", "a", "no ", "not not ", "\xff", "((((", "|*#",
        "..", "\xe2\x80\x99", "must ", "free of "
    };

    for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        for (k = 0; k + strlen(pieces[i]) < sizeof(bytes); ) {
            memcpy(bytes + k, pieces[i], strlen(pieces[i]));
            k += strlen(pieces[i]);
        }
        bytes[k] = '\0';

        c = chosen(bytes, bytes, false);
        t_ok(c.judged_by == JUDGE_BY_MEASURES
             || c.judged_by == JUDGE_BY_NOTHING,
             "4 KB of “%s” are chosen for safely: %s",
             i == 5 ? "byte 255" : pieces[i],
             judge_judged_by_names[c.judged_by]);
    }
}


int
main(void)
{
    size_t  i;

    arena = judge_arena_create(64 * 1024);

    for (i = 1; i < JUDGE_ASPECTS; i++) {
        test_terms(&judge_aspects[i]);
    }

    test_nothing();
    test_described();
    test_wanted();
    test_hostile();

    judge_arena_destroy(arena);

    return t_done();
}
