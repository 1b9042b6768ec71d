/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Feedback on the whole text, and the numbers behind the scores. */


#include <string.h>

#include "analysis/builtin/explain.h"
#include "analysis/text/language.h"


#define JUDGE_REMARKS       5          /* strengths and so on, at most */
#define JUDGE_SHOWN         3          /* measures of a criterion */
#define JUDGE_SHOWN_LEAST   0.12       /* of the effect */
#define JUDGE_SHOWN_OWN     4          /* what is asked for counts so much */
#define JUDGE_SHOWN_NORMAL  1.28       /* four of five texts lie within */
#define JUDGE_WORDS_FEW     25


static judge_str_t judge_explain_summary(judge_explain_t *x);
static void judge_explain_limits(judge_explain_t *x, judge_buf_t *b);
static judge_str_t judge_explain_remark(judge_explain_t *x, size_t criterion,
    const judge_pick_t *pick, bool step);
static void judge_explain_measure(judge_explain_t *x,
    const judge_effect_t *effect, judge_shown_t *shown);
static double judge_explain_value(const judge_feature_t *row, double value);


judge_rc_e
judge_explain_verdict(judge_explain_t *x)
{
    size_t            i;
    judge_str_t       remark;
    judge_picks_t    *p;
    judge_verdict_t  *v;

    v = x->verdict;
    v->summary = judge_explain_summary(x);
    v->strengths = judge_array_alloc(x->m->arena, JUDGE_REMARKS,
                                     sizeof(judge_str_t));
    v->weaknesses = judge_array_alloc(x->m->arena, JUDGE_REMARKS,
                                      sizeof(judge_str_t));
    v->suggestions = judge_array_alloc(x->m->arena, JUDGE_REMARKS,
                                       sizeof(judge_str_t));

    if (v->summary.data == NULL || v->strengths == NULL
        || v->weaknesses == NULL || v->suggestions == NULL)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < x->ground->rubric->ncriteria; i++) {
        p = &x->picks[i];

        if (p->ngood > 0 && v->nstrengths < JUDGE_REMARKS) {
            remark = judge_explain_remark(x, i, &p->good[0], false);
            v->strengths[v->nstrengths++] = remark;
        }

        if (p->nbad > 0 && v->nweaknesses < JUDGE_REMARKS) {
            remark = judge_explain_remark(x, i, &p->bad[0], false);
            v->weaknesses[v->nweaknesses++] = remark;
            remark = judge_explain_remark(x, i, &p->bad[0], true);

            if (remark.len > 0) {
                v->suggestions[v->nsuggestions++] = remark;
            }
        }
    }

    return JUDGE_OK;
}


/* "Evidence: it says where its claims come from." */

static judge_str_t
judge_explain_remark(judge_explain_t *x, size_t criterion,
    const judge_pick_t *pick, bool step)
{
    judge_buf_t  b;

    judge_buf_init(&b, x->m->arena);
    judge_buf_str(&b, x->ground->rubric->criteria[criterion].name);

    if (!step) {
        x->last = NULL;
        judge_explain_clause(x, &b, ":", pick->clause);
        judge_buf_c(&b, ".");

    } else {
        judge_explain_clause(x, &b, ":", NULL);

        if (!judge_explain_step(x, &b,
                                judge_explain_advised(x,
                                                      &x->picks[criterion])))
        {
            return JUDGE_STR("");
        }
    }

    return judge_buf_view(&b);
}


/* How the text does, and where work on it begins: two sentences.  What is said
 * of the scores already stays before them, what they can't tell follows. */

static judge_str_t
judge_explain_summary(judge_explain_t *x)
{
    size_t                    i, best, worst;
    unsigned                  grade;
    judge_buf_t               b;
    const judge_criterion_t  *criteria;
    const judge_criterion_score_t  *s;
    static const char  *alone[] = {
        "This text falls far short of what was asked.",
        "This text still needs work.",
        "This text is on its way.",
        "This is a good text.",
        "This is a very good text."
    };
    static const char  *with[] = {
        "This text falls far short of what was asked; %s comes off best.",
        "This text still needs work; %s is its best side so far.",
        "This text is on its way, and furthest in %s.",
        "This is a good text, at its best in %s.",
        "This is a very good text, above all in %s."
    };
    static const char  *next[] = {
        "Begin again with %s, where most is to be gained.",
        "Most would be gained by working on %s first.",
        "Work on %s would take it further.",
        "It could still grow in %s.",
        "Even %s leaves little to wish for."
    };

    criteria = x->ground->rubric->criteria;
    s = x->verdict->scores;
    best = 0;
    worst = 0;
    judge_buf_init(&b, x->m->arena);
    judge_buf_str(&b, x->verdict->summary);

    for (i = 1; i < x->ground->rubric->ncriteria; i++) {
        best = s[i].score > s[best].score ? i : best;
        worst = s[i].score < s[worst].score ? i : worst;
    }

    grade = judge_explain_grade(x->ground->rubric->ncriteria == 1
                                ? criteria : NULL, x->verdict->overall);

    if (best == worst) {
        judge_buf_c(&b, judge_explain_say(x, alone[grade]));

    } else {
        judge_explain_named(x, &b, with[grade], criteria[best].name);
        judge_buf_c(&b, " ");
        judge_explain_named(x, &b, next[judge_explain_grade(&criteria[worst],
                                                            s[worst].score)],
                            criteria[worst].name);
    }

    judge_explain_limits(x, &b);

    return judge_buf_view(&b);
}


static void
judge_explain_limits(judge_explain_t *x, judge_buf_t *b)
{
    uint8_t              language;
    const judge_text_t  *t;

    t = x->m->text;
    language = t->language;

    if (t->cut) {
        judge_buf_printf(b, " %s", judge_explain_say(x, "Only the beginning of"
                             " this long text was judged."));
    }

    if (t->nwords < JUDGE_WORDS_FEW) {
        judge_buf_printf(b, " %s", judge_explain_say(x, "It is too short for a"
                             " sure judgement."));
    }

    if (!judge_prior_foreign(t)) {
        return;
    }

    if (language == JUDGE_LANGUAGE_UNKNOWN) {
        judge_buf_printf(b, " %s", judge_explain_say(x, "Its language was not "
                                 "recognized, so the scores mean little."));
        return;
    }

    judge_buf_c(b, " ");
    judge_buf_printf(b, judge_explain_say(x, "Of texts in %s only what"
                         " all languages have in common is judged."),
                     judge_language_name(language));

    if (x->m->feedback == language) {
        judge_buf_c(b, " This feedback is in English.");
    }
}


/* --- Measures ------------------------------------------------------------ */

/* The number that stands for a value that was measured. */

static double
judge_explain_value(const judge_feature_t *row, double value)
{
    double  unit;

    unit = row->decimals == 0 ? 1 : row->decimals == 1 ? 10 : 100;

    if (row->logarithm) {
        value = judge_exp(value) - 1;
    }

    if (row->squared) {
        value *= value;
    }

    value = row->scale != 0 ? value * (double) row->scale : value;

    return floor(judge_clamp(value, -1e12, 1e12) * unit + 0.5) / unit;
}


/* Those that moved the score most, of what the criterion asks for above all;
 * that there is none of something is no merit. */

judge_rc_e
judge_explain_measures(judge_explain_t *x, size_t criterion)
{
    size_t                    i, k, n;
    double                    size, sizes[JUDGE_SHOWN];
    const judge_effect_t     *e, *shown[JUDGE_SHOWN];
    const judge_effects_t    *effects;
    judge_criterion_score_t  *s;

    effects = &x->ground->effects[criterion];
    s = &x->verdict->scores[criterion];

    for (i = 0, n = 0; i < effects->n; i++) {
        e = &effects->list[i];

        size = fabs(e->effect) * (x->own[e->feature] == criterion + 1
                                  ? JUDGE_SHOWN_OWN : 1);

        if (fabs(e->effect) < JUDGE_SHOWN_LEAST
            || judge_features[e->feature].called == NULL
            || (e->effect > 0 && !(fabsf(x->m->v[e->feature]) > 0)))
        {
            continue;
        }

        for (k = n; k > 0 && sizes[k - 1] < size; k--) {
            if (k < JUDGE_SHOWN) {
                shown[k] = shown[k - 1];
                sizes[k] = sizes[k - 1];
            }
        }

        if (k < JUDGE_SHOWN) {
            shown[k] = e;
            sizes[k] = size;
            n += n < JUDGE_SHOWN;
        }
    }

    s->measures = judge_array_alloc(x->m->arena, JUDGE_SHOWN,
                                    sizeof(judge_shown_t));
    if (s->measures == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < n; i++) {
        judge_explain_measure(x, shown[i], &s->measures[i]);
    }

    s->nmeasures = n;

    return JUDGE_OK;
}


static void
judge_explain_measure(judge_explain_t *x, const judge_effect_t *effect,
    judge_shown_t *shown)
{
    double                    low, high;
    const judge_feature_t    *row;
    const judge_reference_t  *reference;

    row = &judge_features[effect->feature];
    reference = &x->ground->references[effect->feature];

    shown->name = judge_explain_say(x, row->called);
    shown->unit = row->scale >= 100 ? "%" : NULL;
    shown->raises = effect->effect > 0;
    shown->value = judge_explain_value(row,
                                       (double) x->m->v[effect->feature]);

    if (effect->spread > 0) {
        low = (double) effect->middle - (double) effect->spread;
        high = (double) effect->middle + (double) effect->spread;
        low = row->logarithm || row->unit != JUDGE_UNIT_NONE ? fmax(low, 0)
                                                             : low;

    } else if (reference->n >= 2) {
        low = judge_reference_quantile(reference, -JUDGE_SHOWN_NORMAL);
        high = judge_reference_quantile(reference, JUDGE_SHOWN_NORMAL);

    } else {
        return;
    }

    shown->typical = true;
    shown->low = judge_explain_value(row, low);
    shown->high = judge_explain_value(row, high);
}
