/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Which traits a criterion is matched to, and that each can be spoken of. */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/builtin/prior.h"
#include "tap.h"


static judge_arena_t       *arena;
static judge_trait_match_word_t  *table;


static judge_trait_match_t
match(const char *name, const char *description)
{
    judge_trait_match_t  found;

    if (judge_trait_match(&found, table, arena, judge_str_c(name),
                          judge_str_c(description)) != JUDGE_OK)
    {
        abort();
    }

    return found;
}


static void
test_names(void)
{
    size_t  i;
    static const struct {
        const char     *name, *description;
        judge_trait_e   trait;
    } rows[] = {
        { "Grammar", "", JUDGE_TRAIT_GRAMMAR },
        { "GRAMMATICAL accuracy", "", JUDGE_TRAIT_GRAMMAR },
        { "Conventions", "", JUDGE_TRAIT_CONVENTIONS },
        { "spelling & punctuation", "", JUDGE_TRAIT_CONVENTIONS },
        { "Vocabulary", "", JUDGE_TRAIT_VOCABULARY },
        { "Word choice", "range of the vocabulary", JUDGE_TRAIT_VOCABULARY },
        { "syntax", "", JUDGE_TRAIT_SYNTAX },
        { "cohesion", "", JUDGE_TRAIT_COHESION },
        { "Phraseology", "", JUDGE_TRAIT_PHRASEOLOGY },
        { "organisation", "", JUDGE_TRAIT_ORGANIZATION },
        { "Clarity", "", JUDGE_TRAIT_CLARITY },
        { "Use of evidence", "", JUDGE_TRAIT_EVIDENCE },
        { "Persuasiveness", "", JUDGE_TRAIT_ARGUMENT },
        { "Depth", "How thorough and detailed it is.",
          JUDGE_TRAIT_DEVELOPMENT },
        { "conciseness", "", JUDGE_TRAIT_CONCISENESS },
        { "Politeness", "", JUDGE_TRAIT_POLITENESS },
        { "sentiment", "", JUDGE_TRAIT_POSITIVITY },
        { "valence", "", JUDGE_TRAIT_POSITIVITY },
        { "arousal", "", JUDGE_TRAIT_INTENSITY },
        { "dominance", "", JUDGE_TRAIT_CONFIDENCE },
        { "fluency", "", JUDGE_TRAIT_FLUENCY },
        { "coherence", "", JUDGE_TRAIT_COHERENCE },
        { "consistency", "", JUDGE_TRAIT_FAITHFULNESS },
        { "factual correctness", "", JUDGE_TRAIT_FAITHFULNESS },
        { "completeness", "", JUDGE_TRAIT_COVERAGE },
        { "relevance", "", JUDGE_TRAIT_RELEVANCE },
        { "overall quality", "", JUDGE_TRAIT_GENERAL },
        { "Ideas and content", "", JUDGE_TRAIT_DEVELOPMENT },
        { "Voice", "", JUDGE_TRAIT_LIVELINESS },
        { "Style", "", JUDGE_TRAIT_VOCABULARY },
        { "Theme", "", JUDGE_TRAIT_RELEVANCE },
        { "Proposal", "", JUDGE_TRAIT_ARGUMENT },
        { "Naturalness", "", JUDGE_TRAIT_PHRASEOLOGY },
        { "Understandable", "", JUDGE_TRAIT_CLARITY },
        { "Engagingness", "", JUDGE_TRAIT_LIVELINESS },
        { "Informativeness", "", JUDGE_TRAIT_COVERAGE },
        { "Rechtschreibung", "", JUDGE_TRAIT_CONVENTIONS },
        { "Höflichkeit", "", JUDGE_TRAIT_POLITENESS },
        { "Coherencia", "", JUDGE_TRAIT_COHERENCE },
        { "Orthographe", "", JUDGE_TRAIT_CONVENTIONS },
        { "Coesão", "", JUDGE_TRAIT_COHESION },
        { "C1", "Are the sentences free of grammar mistakes?",
          JUDGE_TRAIT_GRAMMAR },
        { "Second", "The tone must be polite and respectful.",
          JUDGE_TRAIT_POLITENESS }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_trait_match_t  found = match(rows[i].name, rows[i].description);

        t_ok(found.fits && found.traits[0] == rows[i].trait,
             "\"%s\" is %s: %s", rows[i].name,
             judge_traits[rows[i].trait].name,
             judge_traits[found.traits[0]].name);
    }
}


static void
test_several(void)
{
    size_t               i;
    double               sum;
    judge_trait_match_t  found;

    found = match("Grammar and vocabulary", "");
    t_is_int((int64_t) found.n, 2, "two traits of one name");
    t_ok(fabs(found.weights[0] - 0.5) < 1e-9, "in equal parts");

    found = match("Grammar, spelling, cohesion, evidence, tone", "");

    for (i = 0, sum = 0; i < found.n; i++) {
        sum += found.weights[i];
    }

    t_ok(found.n == JUDGE_MATCHES && fabs(sum - 1) < 1e-9,
         "no more than the limit, weights of 1 together");

    found = match("Grammar", "Vocabulary is another matter.");
    t_ok(found.traits[0] == JUDGE_TRAIT_GRAMMAR,
         "the name counts more than the description");
}


static void
test_nothing(void)
{
    size_t  i;

    static const char *const  names[] = {
        "Blorp", "", "42", "\xe4\xbd\xa0\xe5\xa5\xbd", "\xff\xfe", NULL
    };

    for (i = 0; names[i] != NULL; i++) {
        judge_trait_match_t  found = match(names[i], "");

        t_ok(!found.fits && found.n == 1
             && found.traits[0] == JUDGE_TRAIT_GENERAL,
             "nothing fits: general quality (%zu)", i);
    }
}


/* Tables that belong together are complete. */

static void
test_tables(void)
{
    size_t               i, k, bad;
    const judge_term_t  *term, *lists[2];

    for (i = 0; i < JUDGE_TRAITS; i++) {
        lists[0] = judge_traits[i].terms;
        lists[1] = judge_traits[i].with_source;
        bad = judge_traits[i].name == NULL || lists[0] == NULL;

        for (k = 0; k < 2 && !bad; k++) {
            for (term = lists[k]; term && term->shape != JUDGE_TERM_END;
                 term++)
            {
                bad += term->feature >= JUDGE_FEATURES
                       || judge_features[term->feature].called == NULL
                       || !(term->weight > 0)
                       || (!(term->spread > 0)
                           && judge_references[term->feature].n == 0);
            }
        }

        t_is_int((int64_t) bad, 0, "terms can be spoken of: %s",
                 judge_traits[i].name);
    }
}


int
main(void)
{
    arena = judge_arena_create(1 << 16);
    table = judge_trait_match_table(arena);

    test_names();
    test_several();
    test_nothing();
    test_tables();

    judge_arena_destroy(arena);

    return t_done();
}
