/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "analysis/builtin/engine.h"
#include "analysis/criteria/lint.h"
#include "api/judges/criteria.h"


#define JUDGE_ADVICE_HEAVY  0.8        /* share that hides other criteria */
#define JUDGE_ADVICE_LIGHT  0.02


typedef struct {
    judge_json_writer_t          *w;
    judge_arena_t                *arena;
    const judge_criterion_row_t  *rows;
    size_t                        n;
    double                        weights;         /* their sum */
    bool                          begun;           /* the member has begun */
} judge_advice_t;


static double
judge_advice_weight(const judge_criterion_row_t *c)
{
    return c->weight.set ? c->weight.value : 1;
}


static bool
judge_advice_by(const judge_criterion_row_t *c, judge_judged_by_e by)
{
    return judge_judged_by_find(c->judged_by) == by;
}


/* Writes a sentence; without memory for it, nothing. */

static void
judge_advice_add(judge_advice_t *a, judge_str_t sentence)
{
    if (sentence.data) {
        if (!a->begun) {
            judge_json_key_array(a->w, "advice");
            a->begun = true;
        }
        judge_json_str(a->w, sentence);
    }
}


/* Two criteria of one measurement, which their reasons name, have the same
 * score in every text. */

static void
judge_advice_overlap(judge_advice_t *a, const judge_criterion_row_t *c)
{
    const judge_criterion_row_t  *d;

    for (d = a->rows; d < c; d++) {
        if (judge_advice_by(c, JUDGE_BY_MEASURES)
            && judge_advice_by(d, JUDGE_BY_MEASURES)
            && judge_str_eq(c->judged_by_reason, d->judged_by_reason))
        {
            judge_advice_add(a, judge_str_printf(a->arena, "\"%.*s\" and"
                " \"%.*s\" are one measurement: they have the same score in"
                " every text.  Leave one out.", judge_str_args(d->name),
                judge_str_args(c->name)));
            return;
        }

        if (judge_str_caseeq(c->description, d->description)) {
            judge_advice_add(a, judge_str_printf(a->arena, "\"%.*s\" and"
                " \"%.*s\" ask for the same.  Leave one out, or describe how"
                " they differ.", judge_str_args(d->name),
                judge_str_args(c->name)));
            return;
        }
    }
}


static void
judge_advice_weights(judge_advice_t *a, const judge_criterion_row_t *c)
{
    double  share;

    share = a->weights > 0 ? judge_advice_weight(c) / a->weights : 1;

    if (a->n > 2 && share >= JUDGE_ADVICE_HEAVY) {
        judge_advice_add(a, judge_str_printf(a->arena, "\"%.*s\" has %.0f %%"
            " of the weight: the other criteria hardly change the overall"
            " score.", judge_str_args(c->name), 100 * share));

    } else if (share <= JUDGE_ADVICE_LIGHT) {
        judge_advice_add(a, judge_str_printf(a->arena, "\"%.*s\" has %.2g %%"
            " of the weight: between its worst and its best score the overall"
            " score changes by %.2g points.", judge_str_args(c->name),
            100 * share, 100 * share));
    }
}


/* A criterion that people or models read must ask for one clear thing. */

static void
judge_advice_words(judge_advice_t *a, const judge_criterion_row_t *c)
{
    judge_str_t  one, other;

    if (judge_advice_by(c, JUDGE_BY_CHECKS)
        || judge_advice_by(c, JUDGE_BY_MEASURES))
    {
        return;
    }

    if (judge_lint_several(c->description, &one, &other)) {
        if (one.len) {
            judge_advice_add(a, judge_str_printf(a->arena, "\"%.*s\" asks for"
                " several things (\"%.*s\" and \"%.*s\"), and its one score"
                " won't say which of them is missing.  Make each of them a"
                " criterion.", judge_str_args(c->name), judge_str_args(one),
                judge_str_args(other)));
        } else {
            judge_advice_add(a, judge_str_printf(a->arena, "\"%.*s\" asks"
                " several questions and gets one score.  Make each of them a"
                " criterion.", judge_str_args(c->name)));
        }

    } else if (judge_lint_vague(c->description)) {
        judge_advice_add(a, judge_str_printf(a->arena, "\"%.*s\" names nothing"
            " that can be seen in a text: two readers will not agree on a"
            " score.  Say what a text with a low and one with a high score is"
            " like.", judge_str_args(c->name)));
    }
}


void
judge_advice_write(judge_json_writer_t *w, judge_arena_t *arena,
    const judge_list_t *criteria)
{
    size_t          i;
    judge_advice_t  a = { w, arena, criteria->items, criteria->count, 0,
                          false };

    for (i = 0; i < a.n; i++) {
        a.weights += judge_advice_weight(&a.rows[i]);
    }

    for (i = 0; i < a.n; i++) {
        judge_advice_overlap(&a, &a.rows[i]);
        judge_advice_weights(&a, &a.rows[i]);
        judge_advice_words(&a, &a.rows[i]);
    }

    if (a.begun) {
        judge_json_array_end(w);
    }
}
