/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria from a description, step by step, and the result: weights, limit,
 * thresholds, the confidence in them, and what to say to the writer.
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/text/math.h"
#include "analysis/criteria/criteria_parts.h"


#define JUDGE_REPORT_MANY  12          /* criteria that are too many */


const judge_str_t  judge_parse_types[JUDGE_PARSE_IMAGE + 1] = {
    judge_str("text"), judge_str("video"), judge_str("audio"),
    judge_str("image")
};


/* What counts least goes first when there are too many. */

static void
judge_criteria_limit(judge_prose_t *p)
{
    size_t          max = p->request->max_criteria;
    judge_draft_t  *f, *least;

    max = (max == 0 || max > JUDGE_PARSE_CRITERIA) ? JUDGE_PARSE_CRITERIA
                                                   : max;

    while (p->nfound > max) {
        for (f = least = p->found; f < p->found + p->nfound; f++) {
            least = (f->result <= least->result + 1e-9) ? f : least;
        }

        if (p->lost++ < 3) {
            judge_criteria_say(p, false, JUDGE_SAY_LEFT_OUT, least->name);
        }

        p->nfound--;
        memmove(least, least + 1, (size_t) (p->found + p->nfound - least)
                                  * sizeof(judge_draft_t));
    }
}


static void
judge_criteria_suggest(judge_prose_t *p, bool weighed)
{
    if (p->nfound <= 1) {
        judge_criteria_say(p, false, p->nfound ? JUDGE_SAY_ONLY_ONE
                                     : JUDGE_SAY_NOTHING, JUDGE_STR(""));

    } else if (p->request->weights && !weighed) {
        judge_criteria_say(p, false, JUDGE_SAY_NO_WEIGHTS, JUDGE_STR(""));
    }

    if (p->nfound > JUDGE_REPORT_MANY) {
        judge_criteria_say(p, false, JUDGE_SAY_MANY,
                           judge_str_printf(p->arena, "%zu", p->nfound));
    }

    if (p->foreign) {
        judge_criteria_say(p, false, JUDGE_SAY_FOREIGN, JUDGE_STR(""));
    }
}


/* How surely the criteria are those that are meant. */

static double
judge_criteria_confidence(const judge_prose_t *p)
{
    double  sure;

    sure = 0.9 - 0.5 * judge_share((double) p->nquestions,
                                   (double) p->nfound);
    sure *= (p->nfound == 1) ? 0.8 : 1;
    sure *= p->foreign ? 0.5 : 1;
    sure *= (p->lost > 0) ? 0.8 : 1;

    return (p->nfound == 0) ? 0 : judge_round2(judge_clamp(sure, 0.05, 1));
}


void
judge_criteria_round(judge_parsed_criterion_t *criteria, size_t n)
{
    size_t  i;
    double  weights[JUDGE_WEIGHTS];

    for (i = 0; i < n; i++) {
        weights[i] = criteria[i].weight;
    }

    judge_weights_round(weights, n);

    for (i = 0; i < n; i++) {
        criteria[i].weight = weights[i];
    }
}


static void
judge_criteria_report(judge_prose_t *p, judge_parsed_criteria_t *out)
{
    int             strict;
    bool            weighed = judge_weigh_all(p);
    size_t          i;

    judge_criteria_limit(p);

    out->criteria = judge_array_alloc(p->arena, p->nfound + 1,
                                      sizeof(judge_parsed_criterion_t));
    p->failed |= out->criteria == NULL;

    for (i = 0; i < p->nfound && !p->failed; i++) {
        strict = p->found[i].strict;
        out->criteria[i] = (judge_parsed_criterion_t) {
            .name = p->found[i].name,
            .description = p->found[i].description,
            .weight = p->found[i].result,
            .excellent = 90 + 5 * strict,
            .good = strict > 0 ? 85 : strict < 0 ? 70 : 75,
            .fair = 60 + 10 * strict, .poor = 40 + 10 * strict };
    }

    judge_criteria_round(out->criteria, p->failed ? 0 : p->nfound);

    judge_criteria_suggest(p, weighed);
    *out = (judge_parsed_criteria_t) {
        .criteria = out->criteria, .ncriteria = p->nfound,
        .weights = p->request->weights, .thresholds = p->request->thresholds,
        .confidence = judge_criteria_confidence(p), .language = p->language,
        .suggestions = p->notes, .nsuggestions = p->nnotes,
        .questions = p->questions, .nquestions = p->nquestions };
}


judge_rc_e
judge_criteria_parse(judge_arena_t *arena,
    const judge_parse_request_t *request, judge_parsed_criteria_t *out,
    judge_str_t *error)
{
    judge_prose_t  *p;

    memset(out, 0, sizeof(judge_parsed_criteria_t));

    if (request->description.len > JUDGE_PARSE_MAX
        || judge_utf8_check(request->description) < request->description.len)
    {
        *error = (request->description.len > JUDGE_PARSE_MAX)
                 ? JUDGE_STR("description: expected at most 65536 bytes")
                 : JUDGE_STR("description: expected UTF-8");
        return JUDGE_INVALID;
    }

    p = judge_calloc(arena, sizeof(judge_prose_t));

    if (p == NULL) {
        return JUDGE_NOMEM;
    }

    p->arena = arena;
    p->allowance = judge_words_allowance();
    p->request = request;
    judge_words_language(p, request->description);
    judge_criteria_lines(p, request->description);
    judge_criteria_report(p, out);

    if (p->allowance.refused && !p->failed) {
        *error = JUDGE_STR("description: expected fewer words or blanks in a"
                           " row; it takes too many steps to read");
        return JUDGE_INVALID;
    }

    return p->failed ? JUDGE_NOMEM : JUDGE_OK;
}


/* --- A model's criteria, held to the clauses of the description ---------- */

static void
judge_keep_put(judge_prose_t *p, judge_parsed_criterion_t *to,
    const judge_parsed_criterion_t *clause, judge_criteria_say_e why)
{
    double  weight = to->weight;

    *to = *clause;
    to->weight = (weight > 0) ? weight : clause->weight;
    judge_criteria_say(p, true, why, clause->name);
}


/* The words of a criterion, split once, since all of the description are
 * looked for in them. */

static void
judge_keep_words(judge_prose_t *p, const judge_parsed_criterion_t *c,
    judge_buf_t *words)
{
    judge_buf_init(words, p->arena);
    judge_words_split(p, c->name, words);
    judge_words_split(p, c->description, words);
}


/* Every word of the clause is in some criterion; the one with most of them
 * says no where the clause does. */

static void
judge_keep_clause(judge_prose_t *p, const judge_parsed_criterion_t *clause,
    judge_parsed_criteria_t *answer, judge_buf_t *words, size_t n, size_t max)
{
    bool                       lost = false, found;
    size_t                     i, best = 0, shared[JUDGE_PARSE_CRITERIA + 1];
    judge_str_t                word, rest = clause->name;
    judge_parsed_criterion_t  *c = answer->criteria;

    if (memcmp(clause->name.data, judge_end(clause->description)
               - clause->name.len, (clause->name.len
                                    <= clause->description.len)
                                   ? clause->name.len : 0) != 0)
    {
        rest = judge_str_printf(p->arena, "%.*s. %.*s", judge_str_args(rest),
                                judge_str_args(clause->description));
        p->failed |= rest.data == NULL;
    }

    memset(shared, 0, sizeof(shared));

    while ((word = judge_words_content(p, &rest)).data != NULL) {
        word = judge_words_stem(p, word);

        for (i = 0, found = false; i < n; i++) {
            if (judge_words_among(word, &words[i])) {
                shared[i]++;
                found = true;
            }
        }

        lost |= !found;
    }

    for (i = 0; i < n; i++) {
        best = (shared[i] > shared[best]) ? i : best;
    }

    if (lost && answer->ncriteria < max) {
        c[answer->ncriteria].weight = 0;
        judge_keep_put(p, &c[answer->ncriteria++], clause, JUDGE_SAY_ADDED);

    } else if (lost) {
        judge_criteria_say(p, true, JUDGE_SAY_LEFT_OUT, clause->name);

    } else if (shared[best] > 0
               && judge_has(p, clause->description, NOT)
                  != (judge_has(p, c[best].description, NOT)
                      || judge_has(p, c[best].name, NOT)))
    {
        judge_keep_put(p, &c[best], clause, JUDGE_SAY_RESTORED);
        judge_keep_words(p, &c[best], &words[best]);
    }
}


judge_rc_e
judge_criteria_keep(judge_arena_t *arena,
    const judge_parse_request_t *request,
    const judge_parsed_criteria_t *parsed, judge_parsed_criteria_t *answer)
{
    size_t                     i, k, max;
    judge_buf_t                words[JUDGE_PARSE_CRITERIA];
    judge_prose_t             *p = judge_calloc(arena, sizeof(judge_prose_t));
    judge_parsed_criterion_t  *c;

    c = judge_array_alloc(arena, JUDGE_PARSE_CRITERIA + 1,
                          sizeof(judge_parsed_criterion_t));

    if (p == NULL || c == NULL) {
        return JUDGE_NOMEM;
    }

    p->arena = arena;
    p->allowance = judge_words_allowance();
    p->language = parsed->language;
    max = request->max_criteria ? request->max_criteria
                                : JUDGE_PARSE_CRITERIA;
    k = answer->ncriteria;
    memcpy(c, answer->criteria, k * sizeof(judge_parsed_criterion_t));
    answer->criteria = c;

    for (i = 0; i < k; i++) {
        judge_keep_words(p, &c[i], &words[i]);
    }

    for (i = 0; i < parsed->ncriteria && !p->failed; i++) {
        judge_keep_clause(p, &parsed->criteria[i], answer, words, k, max);
    }

    for (i = 0; i < answer->ncriteria; i++) {
        for (k = 0; k < i; k++) {      /* the name of a clause put in */
            if (judge_str_eq(c[k].name, c[i].name)) {
                c[i].name = judge_str_printf(p->arena, "%.*s (%zu)",
                                (int) c[i].name.len, c[i].name.data, i + 1);
                p->failed |= c[i].name.data == NULL;
            }
        }
    }

    judge_criteria_round(c, answer->ncriteria);

    answer->questions = p->questions;
    answer->nquestions = p->nquestions;

    return p->failed ? JUDGE_NOMEM : JUDGE_OK;
}
