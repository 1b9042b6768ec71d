/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The words of a criterion are of four kinds: terms, which name an aspect;
 * qualifiers, which ask for nothing by themselves ("clear", "throughout", "of
 * the essay"); requirements ("must", "mentions"); and all others.  A criterion
 * is measured where its name is the term of one aspect, or where its name
 * says nothing and its description is made of terms of one aspect alone.  With
 * such a name, a short description asks for something else or for the contrary
 * where it negates the aspect or narrows it ("American spelling"); of a long
 * one, as raters get it, nobody knows all words.
 */


#include <string.h>

#include "analysis/aspects/method.h"
#include "analysis/text/phrase.h"
#include "analysis/text/say.h"


#define JUDGE_METHOD_BRIEF  12         /* words of a short description */

/* They lead from a term to what it is about ("of the"). */
#define JUDGE_METHOD_LEADS                                                    \
    (JUDGE_W_ARTICLE | JUDGE_W_DETERMINER | JUDGE_W_PREPOSITION)

/* They begin what a fault is done to. */
#define JUDGE_METHOD_OBJECTS                                                  \
    (JUDGE_W_ARTICLE | JUDGE_W_DETERMINER)


/* What is found in a name, or in a sentence of a description. */
typedef struct {
    uint64_t  aspects;                 /* a bit for each that is named */
    bool      required;
    bool      others;                  /* it has words of the last kind, or is
                                          negated */
    bool      negated;                 /* or does not matter; the lack of a
                                          fault is not meant */
    bool      narrowed;                /* by such a word; or indifferent */
    bool      fault;                   /* it speaks of errors */
} judge_clause_words_t;

typedef struct {
    judge_clause_words_t  name;
    judge_clause_words_t  all;         /* of the description */
    uint64_t              named;       /* aspects that all its sentences with
                                          content name */
    size_t                strange;     /* sentences that ask for something
                                          else than the name */
    bool                  brief;       /* the description is short */
} judge_criterion_words_t;


/* --- Words --------------------------------------------------------------- */

static judge_rc_e
judge_method_read(judge_arena_t *scratch, judge_str_t str, judge_wording_t *w)
{
    judge_text_t  *t = judge_calloc(scratch, sizeof(judge_text_t));

    return t && judge_text_parse(t, scratch, str) == JUDGE_OK
           ? judge_wording_create(w, scratch, t) : JUDGE_NOMEM;
}


/*
 * Reads the words of one sentence, from the first; returns the first word of
 * the next sentence.  Terms of the aspects in "own" are narrowed by another
 * term or by an unknown word before them ("American spelling"), and by one
 * that follows ("respects privacy", "faithful to the brand"), without a mark
 * between.  A sentence that states a fault ("It is toxic", "insults the
 * reader") asks for it, which no aspect measures.
 */

static size_t
judge_method_clause(const judge_wording_t *w, size_t first, uint64_t own,
    judge_clause_words_t *clause)
{
    bool                 negated = false, fault = false, before = false;
    bool                 after = false, states = false, done = false, named;
    size_t               i, k, end;
    const uint8_t       *classes;
    const judge_type_t  *type;

    for (i = first; i < w->n && w->sentences[i] == w->sentences[first];
         i = end)
    {
        classes = judge_pattern_at(&judge_criterion_patterns, w, i, &end);

        if (i > first && w->tokens[i] > w->tokens[i - 1] + 1) {
            before = after = false;    /* what a mark parts narrows nothing */
        }

        if (classes == NULL) {
            end = i + 1;
            type = &w->text->types[w->text->tokens[w->tokens[i]].type];
            clause->others |= type->content;
            clause->narrowed |= after && type->content;
            before = type->content;
            after &= (type->form & JUDGE_METHOD_LEADS) != 0;
            negated |= (type->form & JUDGE_W_NEGATION) != 0;
            states |= (type->form & (done ? JUDGE_METHOD_OBJECTS
                                     : JUDGE_W_BE | JUDGE_W_HAVE)) != 0;
            states &= fault || !(type->content
                                 || (type->form & JUDGE_W_PREPOSITION));
            done = false;
            continue;
        }

        named = done = false;

        for (k = 0; k < 2 && classes[k] != JUDGE_ASPECT_NONE; k++) {
            if (classes[k] < JUDGE_ASPECTS) {
                clause->aspects |= 1ull << classes[k];
                named |= (own >> classes[k] & 1) != 0;
            }

            done |= classes[k] == JUDGE_TERM_FAULT;
        }

        fault |= done;

        clause->fault |= fault;
        states &= fault || classes[0] < JUDGE_ASPECTS;
        clause->narrowed |= named && before;
        before = !named && classes[0] < JUDGE_ASPECTS;
        after = named;
        clause->required |= classes[0] == JUDGE_TERM_REQUIREMENT;
        clause->negated |= classes[0] == JUDGE_TERM_INDIFFERENCE;
        clause->narrowed |= classes[0] == JUDGE_TERM_INDIFFERENCE;
    }

    clause->negated |= fault ? (clause->required || states) && !negated
                             : negated;
    clause->others |= clause->negated;

    return i;
}


static void
judge_method_add(judge_criterion_words_t *words,
    const judge_clause_words_t *clause)
{
    bool  named = (clause->aspects & words->name.aspects) != 0;

    words->all.aspects |= clause->aspects;
    words->all.others |= clause->others;
    words->all.required |= clause->required;
    words->strange += (clause->required && !named && !clause->fault)
                      || (words->brief && (clause->narrowed
                                           || (clause->negated && named)));

    if (clause->others || clause->required || clause->aspects) {
        words->named &= clause->aspects;
    }
}


static judge_rc_e
judge_method_words(judge_arena_t *scratch, const judge_criterion_t *c,
    judge_criterion_words_t *words)
{
    size_t                i;
    judge_wording_t       w;
    judge_clause_words_t  clause;

    if (judge_method_read(scratch, c->name, &w) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < w.n; ) {
        i = judge_method_clause(&w, i, 0, &words->name);
    }

    if (judge_method_read(scratch, c->description, &w) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    words->name.others |= words->name.required;
    words->named = ~0ull;
    words->brief = w.n <= JUDGE_METHOD_BRIEF
                   && !(c->description.len <= c->name.len + 1
                        && judge_str_casestarts(c->description, c->name));

    /* a word in quotes is none of an aspect: 'uses "we" consistently' */
    words->all.others = judge_str_find(c->description, JUDGE_STR("\""))
                        || judge_str_find(c->description, JUDGE_STR("“"))
                        || judge_str_find(c->description, JUDGE_STR("„"))
                        || judge_str_find(c->description, JUDGE_STR("«"));

    for (i = 0; i < w.n; ) {
        memset(&clause, 0, sizeof(clause));
        i = judge_method_clause(&w, i, words->name.aspects, &clause);
        judge_method_add(words, &clause);
    }

    return JUDGE_OK;
}


/* --- The choice ---------------------------------------------------------- */

/* Returns the only aspect of a set, or none.  Grammar stands for itself and
 * spelling, as it counts slips of spelling as well. */

static judge_aspect_e
judge_method_only(uint64_t aspects)
{
    if (aspects == (1ull << JUDGE_ASPECT_GRAMMAR
                    | 1ull << JUDGE_ASPECT_SPELLING))
    {
        return JUDGE_ASPECT_GRAMMAR;
    }

    return aspects != 0 && (aspects & (aspects - 1)) == 0
           ? (judge_aspect_e) __builtin_ctzll(aspects) : JUDGE_ASPECT_NONE;
}


/* Returns the aspect that measures the criterion, or none. */

static judge_aspect_e
judge_method_aspect(const judge_criterion_t *c,
    const judge_criterion_words_t *words)
{
    size_t  i, checks;

    for (i = 0, checks = 0; i < c->nchecks; i++) {
        checks += c->checks[i].described;
    }

    if (!words->name.others && words->name.aspects != 0) {
        return words->strange > checks ? JUDGE_ASPECT_NONE
               : judge_method_only(words->name.aspects);
    }

    return words->all.others || words->all.required
           || words->named == ~0ull
           || (words->name.aspects & ~words->all.aspects) != 0
           ? JUDGE_ASPECT_NONE : judge_method_only(words->all.aspects);
}


static judge_rc_e
judge_method_measures(judge_arena_t *arena, judge_criterion_t *c,
    judge_aspect_e aspect)
{
    c->judged_by = JUDGE_BY_MEASURES;
    c->aspect = &judge_aspects[aspect];
    c->reason = judge_str_printf(arena, "It asks for %s, which is measured in"
                                 " the text.", c->aspect->called);

    return c->reason.data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_method_nothing(judge_arena_t *arena, judge_criterion_t *c,
    const judge_criterion_words_t *words, bool model)
{
    uint64_t  aspects = words->name.aspects | words->all.aspects;

    c->judged_by = model ? JUDGE_BY_MODEL : JUDGE_BY_NOTHING;
    c->lacks = (aspects & (aspects - 1)) != 0
        ? JUDGE_TRANSLATED("It asks for several things at once.")
        : aspects != 0
        ? JUDGE_TRANSLATED("It asks for more than a measurement of the text"
                           " shows.")
        : JUDGE_TRANSLATED("No measurement of the text shows what it asks"
                           " for.");
    c->helps = c->nchecks > 0 && !c->checks[0].described  /* given first */
        ? JUDGE_TRANSLATED("With judge_by “checks” its checks decide; a model"
                           " can judge it.")
        : c->untaught ? judge_untaught_reason
        : JUDGE_TRANSLATED("A check, a language model or 25 corrections can"
                           " judge it.");
    c->reason = model
        ? judge_str_printf(arena, "%.*s, so the language model judges it.",
                           (int) strlen(c->lacks) - 1, c->lacks)
        : judge_str_printf(arena, "%s %s", c->lacks, c->helps);

    return c->reason.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Has the criterion judged by what its judge_by asks for. */

static judge_rc_e
judge_method_wanted(judge_arena_t *arena, judge_criterion_t *c,
    judge_aspect_e aspect, bool model)
{
    c->judged_by = c->judge_by;
    c->decided = c->judge_by == JUDGE_BY_CHECKS;
    c->reason = JUDGE_STR("The judge asks for it.");

    switch (c->judge_by) {

    case JUDGE_BY_CHECKS:
        c->reason = c->nchecks > 0 ? c->reason
                    : JUDGE_STR("expected checks, by which it can be judged");
        return c->nchecks > 0 ? JUDGE_OK : JUDGE_INVALID;

    case JUDGE_BY_MEASURES:
        if (aspect != JUDGE_ASPECT_NONE) {
            return judge_method_measures(arena, c, aspect);
        }

        c->reason = JUDGE_STR("expected a criterion that asks for one thing"
                              " that is measured, such as “Grammar”");
        return JUDGE_INVALID;

    case JUDGE_BY_MODEL:
        c->reason = model ? c->reason
                    : JUDGE_STR("The judge asks for a language model, and none"
                                " is named.");
        return JUDGE_OK;

    default:
        return JUDGE_OK;
    }
}


judge_rc_e
judge_method_choose(judge_arena_t *arena, judge_criterion_t *c, bool model)
{
    judge_rc_e               rc;
    judge_arena_t           *scratch;
    judge_aspect_e           aspect;
    judge_criterion_words_t  words;

    memset(&words, 0, sizeof(words));
    scratch = judge_arena_create(16 * 1024);
    rc = scratch ? judge_method_words(scratch, c, &words) : JUDGE_NOMEM;
    judge_arena_destroy(scratch);

    if (rc != JUDGE_OK) {
        return rc;
    }

    aspect = judge_method_aspect(c, &words);

    if (c->judge_by != JUDGE_BY_AUTO) {
        return judge_method_wanted(arena, c, aspect, model);
    }

    if (c->decided) {
        c->judged_by = JUDGE_BY_CHECKS;
        c->reason = JUDGE_STR("Its checks decide all that it asks for.");
        return JUDGE_OK;
    }

    return aspect != JUDGE_ASPECT_NONE
           ? judge_method_measures(arena, c, aspect)
           : judge_method_nothing(arena, c, &words, model);
}


judge_rc_e
judge_method_media(judge_criterion_t *c, bool model)
{
    c->decided = false;
    c->nchecks = 0;

    if (c->judge_by == JUDGE_BY_AUTO) {
        c->judged_by = model ? JUDGE_BY_MODEL : JUDGE_BY_WORKER;
        c->reason = model
            ? JUDGE_STR("The language model looks at the content.")
            : JUDGE_STR("Only texts are measured here; an external worker"
                        " judges this content.");
        return JUDGE_OK;
    }

    if (c->judge_by == JUDGE_BY_MODEL || c->judge_by == JUDGE_BY_CORRECTIONS) {
        return judge_method_wanted(NULL, c, JUDGE_ASPECT_NONE, model);
    }

    c->judged_by = c->judge_by;
    c->reason = JUDGE_STR("expected auto, model or corrections; only texts are"
                          " checked and measured");
    return JUDGE_INVALID;
}


/* --- A whole rubric ------------------------------------------------------ */

judge_rc_e
judge_method_rubric(judge_arena_t *arena, judge_rubric_t *rubric, bool model)
{
    size_t  i;

    for (i = 0; i < rubric->ncriteria; i++) {
        if (rubric->criteria[i].judged_by == JUDGE_BY_AUTO
            && judge_method_choose(arena, &rubric->criteria[i], model)
               == JUDGE_NOMEM)
        {
            return JUDGE_NOMEM;
        }
    }

    return JUDGE_OK;
}


judge_rc_e
judge_method_asked(judge_arena_t *arena, const judge_rubric_t *rubric,
    bool all, judge_rubric_t *asked, size_t **at)
{
    size_t                    i;
    const judge_criterion_t  *c;

    *asked = *rubric;
    asked->ncriteria = 0;
    asked->criteria = judge_array_alloc(arena, rubric->ncriteria,
                                        sizeof(judge_criterion_t));
    *at = judge_array_alloc(arena, rubric->ncriteria, sizeof(size_t));
    if (asked->criteria == NULL || *at == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < rubric->ncriteria; i++) {
        c = &rubric->criteria[i];

        if (all ? c->judged_by != JUDGE_BY_CHECKS
                : c->judged_by == JUDGE_BY_MODEL
                  || c->judged_by == JUDGE_BY_NOTHING)
        {
            (*at)[asked->ncriteria] = i;
            asked->criteria[asked->ncriteria++] = *c;
        }
    }

    return JUDGE_OK;
}
