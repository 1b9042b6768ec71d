/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Feedback put together: of a criterion, and of the whole verdict.
 */


#include <string.h>

#include "analysis/builtin/explain.h"


#define JUDGE_FACTS         3          /* of a criterion */
#define JUDGE_REMARKS       5          /* strengths and so on, at most */
#define JUDGE_EFFECT_CLEAR  0.35       /* of what moves a score clearly */
#define JUDGE_EFFECT_SMALL  0.15       /* less is not mentioned */
#define JUDGE_WORDS_FEW     25
#define JUDGE_KNOWN_FEW     0.5


typedef struct {
    judge_measure_t        *m;
    const judge_effects_t  *effects;   /* of the criteria */
    judge_verdict_t        *verdict;
    bool                    used[JUDGE_FEATURES];
} judge_remarks_t;


static void judge_explain_facts(judge_buf_t *b, const judge_measure_t *m,
    const judge_effect_t *effects, size_t n);
static void judge_explain_compared(judge_buf_t *b, const judge_measure_t *m,
    const judge_trait_match_t *match);
static void judge_explain_band(judge_buf_t *b,
    const judge_criterion_t *criterion,
    double score);
static void judge_explain_next(judge_buf_t *b, const judge_measure_t *m,
    const judge_effect_t *effects, size_t n);
static bool judge_effect_high(const judge_measure_t *m,
    const judge_effect_t *effect);
static judge_str_t judge_explain_summary(const judge_measure_t *m,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict);
static judge_rc_e judge_explain_remarks(judge_remarks_t *r,
    const judge_rubric_t *rubric);
static judge_rc_e judge_explain_remark(judge_remarks_t *r,
    const judge_criterion_t *criterion, const judge_effect_t *effect,
    bool good);
static void judge_explain_suggestion(judge_verdict_t *verdict,
    judge_str_t advice);


void
judge_effects(judge_effects_t *effects, const judge_measure_t *m,
    const judge_trait_match_t *match)
{
    size_t               i, k, n;
    double               value, effect;
    judge_effect_t      *list;
    const judge_term_t  *term;

    list = effects->list;
    n = 0;

    for (i = 0; i < match->n; i++) {
        term = judge_trait_terms(m, match->traits[i]);

        for ( /* void */ ; term->shape != JUDGE_TERM_END; term++) {
            for (k = 0; k < n; k++) {
                if (list[k].term->feature == term->feature) {
                    break;
                }
            }

            if (k < n || n == JUDGE_EFFECTS) {
                continue;
            }

            /* what is near the middle is neither good nor bad */

            value = judge_term_value(m, term);
            value = fabs(value) < JUDGE_EFFECT_SMALL ? 0 : value;

            effect = match->weights[i] * (double) term->weight * value;

            for (k = n++; k > 0 && list[k - 1].effect > effect; k--) {
                list[k] = list[k - 1];
            }

            list[k] = (judge_effect_t) { term, effect };
        }
    }

    effects->n = n;
}


judge_str_t
judge_explain_criterion(const judge_measure_t *m,
    const judge_criterion_t *criterion, const judge_trait_match_t *match,
    const judge_effects_t *effects, double score)
{
    size_t       i;
    judge_buf_t  b;

    judge_buf_init(&b, m->arena);
    if (!match->fits) {
        judge_buf_c(&b, "Nothing that is measured fits this criterion by its "
                        "name or description; the score is that of the "
                        "text's general quality. ");
    } else {
        judge_buf_c(&b, "Measured as ");

        for (i = 0; i < match->n; i++) {
            judge_buf_c(&b, i == 0 ? "" : i + 1 < match->n ? ", " : " and ");
            judge_buf_c(&b, judge_traits[match->traits[i]].name);
        }

        judge_buf_c(&b, ". ");
    }

    judge_explain_compared(&b, m, match);
    judge_explain_band(&b, criterion, score);
    judge_explain_facts(&b, m, effects->list, effects->n);
    judge_explain_next(&b, m, effects->list, effects->n);

    return judge_buf_view(&b);
}


/* What it was compared with, or that there was nothing to compare with. */

static void
judge_explain_compared(judge_buf_t *b, const judge_measure_t *m,
    const judge_trait_match_t *match)
{
    if (m->nreferences > 0) {
        judge_buf_printf(b, "%.0f %% of the score is ",
                         100 * judge_reference_share(m, match));
        judge_explain_feature(b, m, JUDGE_F_REFERENCE_COSINE);
        judge_buf_c(b, ". ");

    } else if (m->source == NULL
               && judge_traits[match->traits[0]].compares)
    {
        judge_buf_c(b, "There is no source and no reference to compare with; "
                       "what can be told from the text alone stands in. ");
    }
}


static void
judge_explain_band(judge_buf_t *b, const judge_criterion_t *criterion,
    double score)
{
    size_t  i;
    struct {
        const char *name;
        double      from;
    } bands[] = {
        { "excellent", criterion->excellent },
        { "good", criterion->good },
        { "fair", criterion->fair },
        { "poor", criterion->poor }
    };

    if (!criterion->has_thresholds) {
        return;
    }

    for (i = 0; i < 3 && score < bands[i].from; i++) {
        /* void */
    }

    if (score < bands[i].from) {
        judge_buf_printf(b, "The score of %.2f is below %s (from %.10g). ",
                         score, bands[i].name, bands[i].from);
        return;
    }

    judge_buf_printf(b, "The score of %.2f is %s (from %.10g)", score,
                     bands[i].name, bands[i].from);

    if (i > 0) {
        judge_buf_printf(b, "; %s begins at %.10g", bands[i - 1].name,
                         bands[i - 1].from);
    }

    judge_buf_c(b, ". ");
}


/* What lowers the score most, and what raises it most. */

static void
judge_explain_facts(judge_buf_t *b, const judge_measure_t *m,
    const judge_effect_t *effects, size_t n)
{
    size_t  i, low, high;

    for (low = 0; low < n && low < JUDGE_FACTS; low++) {
        if (effects[low].effect > -JUDGE_EFFECT_SMALL) {
            break;
        }

        judge_buf_c(b, low == 0 ? "Lowered by " : "; ");
        judge_explain_feature(b, m, effects[low].term->feature);
        judge_explain_middle(b, effects[low].term);
    }

    judge_buf_c(b, low > 0 ? ". " : "");

    for (high = 0, i = n; i > low && high < JUDGE_FACTS; i--, high++) {
        if (effects[i - 1].effect < JUDGE_EFFECT_SMALL) {
            break;
        }

        judge_buf_c(b, high == 0 ? "Raised by " : "; ");
        judge_explain_feature(b, m, effects[i - 1].term->feature);
    }

    judge_buf_c(b, high > 0 ? ". " : "");
}


static bool
judge_effect_high(const judge_measure_t *m, const judge_effect_t *effect)
{
    return m->v[effect->term->feature] > effect->term->middle;
}


/* The first passage that can be quoted, and the first advice. */

static void
judge_explain_next(judge_buf_t *b, const judge_measure_t *m,
    const judge_effect_t *effects, size_t n)
{
    size_t       i, at;
    const char  *advice;

    for (i = 0; i < n && effects[i].effect < -JUDGE_EFFECT_SMALL; i++) {
        at = b->len;
        judge_buf_c(b, "See ");

        if (judge_effect_high(m, &effects[i])
            && judge_explain_place(b, m, effects[i].term->feature))
        {
            judge_buf_c(b, ". ");
            break;
        }

        b->len = at;
    }

    for (i = 0; i < n && effects[i].effect < -JUDGE_EFFECT_SMALL; i++) {
        advice = judge_explain_advice(effects[i].term->feature,
                                      judge_effect_high(m, &effects[i]));

        if (advice != NULL) {
            judge_buf_printf(b, "To improve: %s", advice);
            return;
        }
    }

    if (b->len > 0 && b->data[b->len - 1] == ' ') {
        b->len--;
    }
}


judge_rc_e
judge_explain_verdict(judge_measure_t *m, const judge_rubric_t *rubric,
    const judge_effects_t *effects, judge_verdict_t *verdict)
{
    judge_remarks_t  r = { .m = m, .effects = effects, .verdict = verdict };

    verdict->summary = judge_explain_summary(m, rubric, verdict);
    if (verdict->summary.data == NULL) {
        return JUDGE_NOMEM;
    }

    verdict->strengths = judge_array_alloc(m->arena, JUDGE_REMARKS,
                                           sizeof(judge_str_t));
    verdict->weaknesses = judge_array_alloc(m->arena, JUDGE_REMARKS,
                                            sizeof(judge_str_t));
    verdict->suggestions = judge_array_alloc(m->arena, JUDGE_REMARKS,
                                             sizeof(judge_str_t));

    if (verdict->strengths == NULL || verdict->weaknesses == NULL
        || verdict->suggestions == NULL)
    {
        return JUDGE_NOMEM;
    }

    return judge_explain_remarks(&r, rubric);
}


/* Whether most words are none that the list has. */

static bool
judge_is_strange(const judge_text_t *t)
{
    size_t    i;
    uint64_t  known;

    known = 0;

    for (i = 0; i < t->ntypes; i++) {
        if ((t->types[i].form != 0 || t->types[i].sense != 0)
            && t->types[i].kind == JUDGE_TOKEN_WORD)
        {
            known += t->types[i].count;
        }
    }

    return (double) known < JUDGE_KNOWN_FEW * (double) t->nwords;
}


static judge_str_t
judge_explain_summary(const judge_measure_t *m, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict)
{
    size_t               i, best, worst;
    judge_buf_t          b;
    const judge_text_t  *t;

    t = m->text;
    best = 0;
    worst = 0;
    judge_buf_init(&b, m->arena);

    for (i = 1; i < rubric->ncriteria; i++) {
        best = verdict->scores[i].score > verdict->scores[best].score
               ? i : best;
        worst = verdict->scores[i].score < verdict->scores[worst].score
                ? i : worst;
    }

    judge_buf_printf(&b, "%zu word%s in %zu sentence%s and %zu paragraph%s, "
                     "scored %.2f of 100 from what was measured",
                     t->nwords, t->nwords == 1 ? "" : "s",
                     t->nsentences, t->nsentences == 1 ? "" : "s",
                     t->nparagraphs, t->nparagraphs == 1 ? "" : "s",
                     verdict->overall);

    if (best != worst) {
        judge_buf_c(&b, "; highest in ");
        judge_buf_str(&b, rubric->criteria[best].name);
        judge_buf_printf(&b, " (%.2f), lowest in ",
                         verdict->scores[best].score);
        judge_buf_str(&b, rubric->criteria[worst].name);
        judge_buf_printf(&b, " (%.2f)", verdict->scores[worst].score);
    }

    judge_buf_c(&b, ".");

    if (t->cut) {
        judge_buf_printf(&b, " Only the first %zu bytes were measured.",
                         t->str.len);
    }

    if (t->nwords < JUDGE_WORDS_FEW) {
        judge_buf_c(&b, " The text is too short for measurements to be "
                        "sure.");
    }

    if (judge_is_strange(t)) {
        judge_buf_c(&b, " Most of the words are not known as English, for "
                        "which the measurements are made; the scores mean "
                        "little.");
    }

    return judge_buf_view(&b);
}


static judge_rc_e
judge_explain_remarks(judge_remarks_t *r, const judge_rubric_t *rubric)
{
    size_t                  i, k, round;
    judge_rc_e              rc;
    const judge_effect_t   *list;
    const judge_effects_t  *effects;

    /* one of each criterion first, so that none takes all the places */

    for (round = 0; round < 2; round++) {
        for (i = 0; i < rubric->ncriteria; i++) {
            effects = &r->effects[i];
            list = effects->list;
            rc = JUDGE_OK;

            for (k = 0; k < effects->n; k++) {
                if (!r->used[list[k].term->feature]) {
                    rc = judge_explain_remark(r, &rubric->criteria[i],
                                              &list[k],
                                              false);
                    break;
                }
            }

            for (k = effects->n; k > 0 && rc == JUDGE_OK; k--) {
                if (!r->used[list[k - 1].term->feature]) {
                    rc = judge_explain_remark(r, &rubric->criteria[i],
                                              &list[k - 1], true);
                    break;
                }
            }

            if (rc != JUDGE_OK) {
                return rc;
            }
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_explain_remark(judge_remarks_t *r, const judge_criterion_t *criterion,
    const judge_effect_t *effect, bool good)
{
    size_t           *n;
    judge_buf_t       b;
    const char       *advice;
    judge_verdict_t  *verdict;

    verdict = r->verdict;
    n = good ? &verdict->nstrengths : &verdict->nweaknesses;

    if (*n == JUDGE_REMARKS
        || (good ? effect->effect < JUDGE_EFFECT_CLEAR
                 : effect->effect > -JUDGE_EFFECT_CLEAR))
    {
        return JUDGE_OK;
    }

    r->used[effect->term->feature] = true;
    judge_buf_init(&b, r->m->arena);
    judge_buf_str(&b, criterion->name);
    judge_buf_c(&b, ": ");
    judge_explain_feature(&b, r->m, effect->term->feature);

    if (!good && judge_effect_high(r->m, effect)) {
        judge_buf_c(&b, "; ");

        if (!judge_explain_place(&b, r->m, effect->term->feature)) {
            b.len -= 2;
        }
    }

    judge_buf_c(&b, ".");

    if (b.failed) {
        return JUDGE_NOMEM;
    }

    (good ? verdict->strengths : verdict->weaknesses)[(*n)++]
        = judge_buf_view(&b);

    advice = good ? NULL
             : judge_explain_advice(effect->term->feature,
                                    judge_effect_high(r->m, effect));

    if (advice != NULL) {
        judge_explain_suggestion(verdict, judge_str_c(advice));
    }

    return JUDGE_OK;
}


/* Once, though several features may ask for it. */

static void
judge_explain_suggestion(judge_verdict_t *verdict, judge_str_t advice)
{
    size_t  i;

    for (i = 0; i < verdict->nsuggestions; i++) {
        if (judge_str_eq(verdict->suggestions[i], advice)) {
            return;
        }
    }

    verdict->suggestions[verdict->nsuggestions++] = advice;
}
