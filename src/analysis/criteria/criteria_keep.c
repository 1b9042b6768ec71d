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


#define JUDGE_KEEP_STEM  5             /* bytes that forms of a word share */


/* A word that says what the clause is about. */

static bool
judge_keep_content(const judge_term_t *t)
{
    return t->kind == JUDGE_TERM_NUMBER
           || (t->kind == JUDGE_TERM_WORD && t->low.len > 3
               && !judge_is(t, COMMON) && !judge_is(t, NOT)
               && !judge_is(t, MODAL) && !judge_is(t, THE)
               && !judge_is(t, GLUE) && !judge_is(t, CLAUSE)
               && !judge_is(t, TIED) && !judge_is(t, IS));
}


static bool
judge_keep_has(judge_span_t s, const judge_term_t *word)
{
    size_t  n;

    n = (word->low.len < JUDGE_KEEP_STEM) ? word->low.len : JUDGE_KEEP_STEM;

    while (s.from < s.to && (s.from->low.len < n
                             || memcmp(s.from->low.data, word->low.data, n)))
    {
        s.from++;
    }

    return s.from < s.to;
}


static judge_rc_e
judge_keep_read(judge_prose_t *p, const judge_parsed_criterion_t *c,
    judge_span_t *out)
{
    judge_rc_e   rc;
    judge_str_t  text;

    text = judge_str_printf(p->arena, "%.*s\n%.*s", (int) c->name.len,
                            c->name.data, (int) c->description.len,
                            c->description.data);
    if (text.data == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_criteria_tokens(p, text);
    *out = p->tokens;

    return rc;
}


/* Without what the clause shares with others: "They should name the price". */

static judge_span_t
judge_keep_own(const judge_parsed_criterion_t *c, judge_span_t s)
{
    judge_term_t  *t;

    if (c->description.len < c->name.len
        || memcmp(c->description.data + c->description.len - c->name.len,
                  c->name.data, c->name.len) != 0)
    {
        return s;
    }

    for (t = s.from; t < s.to && t->mark != '\n'; t++) { /* void */ }

    return judge_span(s.from, t);
}


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

static judge_rc_e
judge_keep_clause(judge_prose_t *p, const judge_parsed_criterion_t *clause,
    judge_span_t *read, size_t nread, judge_parsed_criteria_t *answer,
    size_t max)
{
    bool           lost = false, found;
    size_t         i, best, shared[JUDGE_PARSE_CRITERIA] = { 0 };
    judge_rc_e     rc;
    judge_span_t   all, own;
    judge_term_t  *t;

    rc = judge_keep_read(p, clause, &all);
    if (rc != JUDGE_OK) {
        return rc;
    }

    own = judge_keep_own(clause, all);

    for (t = own.from; t < own.to; t++) {
        if (!judge_keep_content(t)) {
            continue;
        }

        for (i = 0, found = false; i < nread; i++) {
            if (judge_keep_has(read[i], t)) {
                shared[i]++;
                found = true;
            }
        }

        lost |= !found;
    }

    for (i = best = 0; i < nread; i++) {
        best = (shared[i] > shared[best]) ? i : best;
    }

    if (lost && answer->ncriteria < max) {
        answer->criteria[answer->ncriteria].weight = 0;
        judge_keep_put(p, &answer->criteria[answer->ncriteria++], clause,
                       JUDGE_SAY_ADDED);

    } else if (lost) {
        judge_criteria_say(p, true, JUDGE_SAY_LEFT_OUT, clause->name);

    } else if (shared[best] > 0
               && judge_span_negated(all) != judge_span_negated(read[best]))
    {
        judge_keep_put(p, &answer->criteria[best], clause, JUDGE_SAY_RESTORED);
        read[best] = all;
    }

    return JUDGE_OK;
}


/* The clause that was put in has the name of another criterion. */

static void
judge_keep_names(judge_prose_t *p, judge_parsed_criteria_t *answer)
{
    size_t                     i, k;
    judge_parsed_criterion_t  *c = answer->criteria;

    for (i = 0; i < answer->ncriteria; i++) {
        for (k = 0; k < i; k++) {
            if (judge_str_eq(c[k].name, c[i].name)) {
                c[i].name = judge_str_printf(p->arena, "%.*s (%zu)",
                                (int) c[i].name.len, c[i].name.data, i + 1);
                p->failed |= c[i].name.data == NULL;
            }
        }
    }
}


judge_rc_e
judge_criteria_keep(judge_arena_t *arena,
    const judge_parse_request_t *request,
    const judge_parsed_criteria_t *parsed, judge_parsed_criteria_t *answer)
{
    size_t                     i, n, max;
    double                     weights[JUDGE_WEIGHTS];
    judge_rc_e                 rc;
    judge_span_t              *read;
    judge_prose_t             *p;
    judge_parsed_criterion_t  *criteria;

    p = judge_calloc(arena, sizeof(judge_prose_t));
    read = judge_array_alloc(arena, answer->ncriteria + 1,
                             sizeof(judge_span_t));
    criteria = judge_array_alloc(arena, JUDGE_PARSE_CRITERIA + 1,
                                 sizeof(judge_parsed_criterion_t));

    if (p == NULL || read == NULL || criteria == NULL) {
        return JUDGE_NOMEM;
    }

    p->arena = arena;
    p->request = request;
    p->language = parsed->language;
    p->known = true;
    max = request->max_criteria ? request->max_criteria
                                : JUDGE_PARSE_CRITERIA;
    n = answer->ncriteria;
    memcpy(criteria, answer->criteria, n * sizeof(judge_parsed_criterion_t));
    answer->criteria = criteria;

    for (i = 0, rc = JUDGE_OK; rc == JUDGE_OK && i < n; i++) {
        rc = judge_keep_read(p, &criteria[i], &read[i]);
    }

    for (i = 0; rc == JUDGE_OK && i < parsed->ncriteria; i++) {
        rc = judge_keep_clause(p, &parsed->criteria[i], read, n, answer, max);
    }

    judge_keep_names(p, answer);

    for (i = 0; i < answer->ncriteria; i++) {
        weights[i] = criteria[i].weight;
    }

    judge_weights_round(weights, answer->ncriteria);

    for (i = 0; i < answer->ncriteria; i++) {
        criteria[i].weight = weights[i];
    }

    answer->questions = p->questions;
    answer->nquestions = p->nquestions;

    return (p->failed) ? JUDGE_NOMEM : rc;
}
