/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A model's criteria, held to the clauses of the description: none may be lost
 * and none turned round.
 */


#include <string.h>

#include "analysis/text/math.h"
#include "analysis/criteria/criteria_parts.h"


static void
judge_keep_put(judge_prose_t *p, judge_parsed_criterion_t *to,
    const judge_parsed_criterion_t *clause, judge_criteria_say_e why)
{
    double  weight = to->weight;

    *to = *clause;
    to->weight = (weight > 0) ? weight : clause->weight;
    judge_criteria_say(p, true, why, clause->name);
}


/* Every word of the clause is in some criterion; the one with most of them
 * says no where the clause does. */

static void
judge_keep_clause(judge_prose_t *p, const judge_parsed_criterion_t *clause,
    judge_parsed_criteria_t *answer, size_t n, size_t max)
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
        rest = judge_str_printf(p->arena, "%.*s. %.*s", (int) rest.len,
                                rest.data, (int) clause->description.len,
                                clause->description.data);
        p->failed |= rest.data == NULL;
    }

    memset(shared, 0, sizeof(shared));

    while ((word = judge_words_content(p, &rest)).data != NULL) {
        for (i = 0, found = false; i < n; i++) {
            if (judge_words_in(p, word, c[i].name)
                || judge_words_in(p, word, c[i].description))
            {
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
    }
}


judge_rc_e
judge_criteria_keep(judge_arena_t *arena,
    const judge_parse_request_t *request,
    const judge_parsed_criteria_t *parsed, judge_parsed_criteria_t *answer)
{
    size_t                     i, k, max;
    double                     weights[JUDGE_WEIGHTS];
    judge_prose_t             *p;
    judge_parsed_criterion_t  *c;

    p = judge_calloc(arena, sizeof(judge_prose_t));
    c = judge_array_alloc(arena, JUDGE_PARSE_CRITERIA + 1,
                          sizeof(judge_parsed_criterion_t));

    if (p == NULL || c == NULL) {
        return JUDGE_NOMEM;
    }

    p->arena = arena;
    p->language = parsed->language;
    max = request->max_criteria ? request->max_criteria
                                : JUDGE_PARSE_CRITERIA;
    k = answer->ncriteria;
    memcpy(c, answer->criteria, k * sizeof(judge_parsed_criterion_t));
    answer->criteria = c;

    for (i = 0; i < parsed->ncriteria && !p->failed; i++) {
        judge_keep_clause(p, &parsed->criteria[i], answer, k, max);
    }

    for (i = 0; i < answer->ncriteria; i++) {
        weights[i] = c[i].weight;

        for (k = 0; k < i; k++) {      /* the name of a clause put in */
            if (judge_str_eq(c[k].name, c[i].name)) {
                c[i].name = judge_str_printf(p->arena, "%.*s (%zu)",
                                (int) c[i].name.len, c[i].name.data, i + 1);
                p->failed |= c[i].name.data == NULL;
            }
        }
    }

    judge_weights_round(weights, answer->ncriteria);

    for (i = 0; i < answer->ncriteria; i++) {
        c[i].weight = weights[i];
    }

    answer->questions = p->questions;
    answer->nquestions = p->nquestions;

    return p->failed ? JUDGE_NOMEM : JUDGE_OK;
}
