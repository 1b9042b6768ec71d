/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Feedback on a criterion: its matters are chosen, and put together. */


#include <string.h>

#include "analysis/builtin/explain.h"


/* Effects, where 1 is some 7 points of the score. */
#define JUDGE_PICK_LEAST  0.12         /* less is not worth a word */
#define JUDGE_PICK_CLEAR  0.3          /* a weakness of what is good */
#define JUDGE_PICK_MUCH   0.7          /* less is "some" */
#define JUDGE_PICK_MIDDLE  50.0        /* a score below has no strengths */
#define JUDGE_PICK_MANY   3            /* places; fewer are "some" */
#define JUDGE_ASPECTS_ALONE  0.6       /* of the score: traits do not count */


static void judge_explain_pick(judge_explain_t *x, size_t criterion,
    unsigned grade);
static void judge_explain_asked(const judge_explain_t *x, size_t criterion,
    uint64_t *traits, uint64_t *aspects, size_t most);
static bool judge_explain_belongs(const judge_explain_t *x, size_t criterion,
    const judge_matter_t *matter);
static const judge_clause_t *judge_explain_choice(const judge_explain_t *x,
    const judge_matter_t *matter, double effect, unsigned grade);
static void judge_explain_keep(judge_pick_t *list, size_t *n,
    const judge_pick_t *pick);
static judge_rc_e judge_explain_criterion(judge_explain_t *x,
    size_t criterion);
static void judge_explain_limits(judge_explain_t *x, judge_buf_t *b,
    size_t criterion);
static void judge_explain_choose(judge_explain_t *x, size_t criterion,
    unsigned grade, double score);
static void judge_explain_apart(judge_explain_t *x, judge_buf_t *b,
    size_t criterion, unsigned grade);
static void judge_explain_sentence(judge_explain_t *x, judge_buf_t *b,
    size_t criterion, unsigned grade);
static void judge_explain_nothing(judge_explain_t *x, judge_buf_t *b,
    size_t criterion, unsigned grade);


judge_rc_e
judge_explain(judge_verdict_t *verdict)
{
    size_t            i;
    judge_rc_e        rc;
    judge_explain_t   x;

    if (verdict->ground == NULL) {
        return JUDGE_OK;
    }

    memset(&x, 0, sizeof(x));
    x.ground = verdict->ground;
    x.m = &x.ground->m;
    x.verdict = verdict;
    x.picks = judge_array_alloc(x.m->arena, x.ground->rubric->ncriteria,
                                sizeof(judge_picks_t));
    x.asked = judge_array_alloc(x.m->arena, x.ground->rubric->ncriteria,
                                sizeof(judge_asked_t));
    if (x.picks == NULL || x.asked == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < x.ground->rubric->ncriteria; i++) {
        judge_explain_asked(&x, i, &x.asked[i].traits, &x.asked[i].aspects,
                            JUDGE_MATCHES);
        judge_explain_asked(&x, i, &x.asked[i].first_trait,
                            &x.asked[i].first_aspect, 1);
    }

    for (i = 0, rc = JUDGE_OK;
         i < x.ground->rubric->ncriteria && rc == JUDGE_OK; i++)
    {
        rc = judge_explain_criterion(&x, i);
    }

    return rc == JUDGE_OK ? judge_explain_verdict(&x) : rc;
}


static judge_rc_e
judge_explain_criterion(judge_explain_t *x, size_t criterion)
{
    double                    score;
    unsigned                  grade;
    judge_rc_e                rc;
    judge_buf_t               b;
    judge_picks_t            *picks;
    const judge_matter_t     *step;
    judge_criterion_score_t  *s;

    s = &x->verdict->scores[criterion];
    score = s->nchecks > 0 ? s->judged : s->score;

    if (isnan(score) || x->ground->rubric->criteria[criterion].decided) {
        return JUDGE_OK;
    }

    grade = judge_explain_grade(&x->ground->rubric->criteria[criterion],
                                score);
    picks = &x->picks[criterion];
    judge_explain_pick(x, criterion, grade);
    judge_explain_choose(x, criterion, grade, score);

    judge_buf_init(&b, x->m->arena);
    judge_buf_str(&b, s->feedback);    /* of its checks */
    judge_buf_c(&b, b.len > 0 ? " " : "");
    judge_explain_limits(x, &b, criterion);
    judge_explain_apart(x, &b, criterion, grade);

    step = judge_explain_advised(x, picks);

    if (step != NULL) {
        judge_buf_c(&b, " ");
        (void) judge_explain_step(x, &b, step);
    }

    s->feedback = judge_buf_view(&b);
    rc = b.failed ? JUDGE_NOMEM : judge_explain_passages(x, criterion);

    return rc == JUDGE_OK ? judge_explain_measures(x, criterion) : rc;
}


/* The matters of a criterion that moved its score most, both ways. */

static void
judge_explain_pick(judge_explain_t *x, size_t criterion, unsigned grade)
{
    size_t                  i;
    double                  by[JUDGE_FEATURES] = { 0 };
    judge_pick_t            pick;
    judge_picks_t          *picks;
    const uint8_t          *f;
    const judge_effects_t  *effects;

    picks = &x->picks[criterion];
    memset(picks, 0, sizeof(judge_picks_t));
    effects = &x->ground->effects[criterion];

    for (i = 0; i < effects->n; i++) {
        by[effects->list[i].feature] = effects->list[i].effect;
    }

    for (i = 0; i < judge_matters_n; i++) {
        pick.matter = &judge_matters[i];

        if (!judge_explain_belongs(x, criterion, pick.matter)) {
            continue;
        }

        for (f = pick.matter->features, pick.effect = 0; *f < JUDGE_FEATURES;
             f++)
        {
            pick.effect += by[*f];
            x->own[*f] = (uint8_t) (criterion + 1);
        }

        pick.clause = judge_explain_choice(x, pick.matter, pick.effect,
                                           grade);

        if (pick.clause == NULL) {
            continue;
        }

        if (x->used[i]) {
            if (fabs(pick.effect) > fabs(picks->top.effect)) {
                picks->top = pick;
            }

        } else if (pick.effect > 0) {
            judge_explain_keep(picks->good, &picks->ngood, &pick);

        } else {
            judge_explain_keep(picks->bad, &picks->nbad, &pick);
        }
    }
}


/* The traits and the aspects that a criterion asks for plainly, `most` of
 * each.  "Correct" and "exact" are also words of criteria of language. */

static void
judge_explain_asked(const judge_explain_t *x, size_t criterion,
    uint64_t *traits, uint64_t *aspects, size_t most)
{
    size_t                       i, at;
    bool                         direct;
    double                       share;
    const judge_trait_match_t   *match;
    const judge_reader_match_t  *seen;

    match = &x->ground->matches[criterion];
    seen = &x->ground->seen[criterion];
    direct = match->fits && judge_traits[match->traits[0]].direct;
    *traits = 0;
    *aspects = 0;

    for (i = 0, share = 0; i < seen->n && i < most; i++) {
        at = (size_t) (judge_reader_asked(x->m, seen->aspects[i])
                       - judge_aspects);

        if (!(direct && (at == JUDGE_ASPECT_CORRECT
                         || at == JUDGE_ASPECT_SPECIFIC))
            && judge_aspects[at].share > 0)
        {
            share += seen->weights[i] * (double) judge_aspects[at].share;
            *aspects |= 1ull << at;
        }
    }

    for (i = 0; share < JUDGE_ASPECTS_ALONE && i < match->n && i < most; i++) {
        *traits |= match->fits || *aspects == 0 ? 1ull << match->traits[i]
                                                : 0;
    }
}


/* What belongs to another criterion above all is left to that one. */

static bool
judge_explain_belongs(const judge_explain_t *x, size_t criterion,
    const judge_matter_t *matter)
{
    size_t                i;
    const judge_asked_t  *asked;

    asked = &x->asked[criterion];

    if (!(matter->traits & asked->traits)
        && !(matter->aspects & asked->aspects))
    {
        return false;
    }

    if (matter->own_traits & asked->first_trait
        || matter->own_aspects & asked->first_aspect)
    {
        return true;
    }

    for (i = 0; i < x->ground->rubric->ncriteria; i++) {
        if (matter->own_traits & x->asked[i].first_trait
            || matter->own_aspects & x->asked[i].first_aspect)
        {
            return false;
        }
    }

    return true;
}


/* NULL: there is nothing to say. */

static const judge_clause_t *
judge_explain_choice(const judge_explain_t *x, const judge_matter_t *matter,
    double effect, unsigned grade)
{
    bool                   few;
    size_t                 n;
    const judge_clause_t  *clause;

    if (fabs(effect) < JUDGE_PICK_LEAST || x->m->text->nwords < matter->words
        || !judge_measured(x->m, matter->features[0])
        || (effect < 0 && matter->where != JUDGE_FEATURES
            && !(x->m->v[matter->where] > 0))
        || (effect < 0 && -effect < (double) matter->least))
    {
        return NULL;
    }

    clause = effect > 0 ? &matter->good : &matter->bad;
    n = judge_explain_found(x, clause);
    few = clause->shown ? n < JUDGE_PICK_MANY || n * 100 < x->m->text->nwords
                        : grade >= 2 && effect > -JUDGE_PICK_MUCH;

    if (clause->shown && n == 0) {
        return NULL;
    }

    if (effect < 0 && matter->none.text != NULL
        && judge_explain_found(x, &matter->good) == 0)
    {
        clause = &matter->none;

    } else if (effect < 0 && matter->some.text != NULL && few) {
        clause = &matter->some;
    }

    return clause->text != NULL ? clause : NULL;
}


/* Into a list of JUDGE_PICKS, by size. */

static void
judge_explain_keep(judge_pick_t *list, size_t *n, const judge_pick_t *pick)
{
    size_t  i;

    for (i = *n; i > 0 && fabs(list[i - 1].effect) < fabs(pick->effect); i--) {
        if (i < JUDGE_PICKS) {
            list[i] = list[i - 1];
        }
    }

    if (i < JUDGE_PICKS) {
        list[i] = *pick;
        *n += *n < JUDGE_PICKS;
    }
}


/* Of what was picked the two of the feedback; the others are left to other
 * criteria. */

static void
judge_explain_choose(judge_explain_t *x, size_t criterion, unsigned grade,
    double score)
{
    size_t          i;
    judge_picks_t  *p;

    p = &x->picks[criterion];

    if (grade <= 1 && (p->nbad > 0 || score < JUDGE_PICK_MIDDLE)) {
        p->ngood = 0;

    } else if (p->ngood > 0 && p->nbad > 0
               && (grade <= 2 || p->bad[0].effect <= -JUDGE_PICK_CLEAR))
    {
        p->ngood = 1;
        p->nbad = 1;

    } else if (p->ngood > 0) {
        p->nbad = 0;

    } else if (grade >= 2 && p->nbad > 0) {
        p->nbad = 1;
    }

    for (i = 0; i < p->ngood; i++) {
        x->used[p->good[i].matter - judge_matters]
            = (uint8_t) (criterion + 1);
    }

    for (i = 0; i < p->nbad; i++) {
        x->used[p->bad[i].matter - judge_matters]
            = (uint8_t) (criterion + 1);
    }
}


/* What the score can't tell. */

static void
judge_explain_limits(judge_explain_t *x, judge_buf_t *b, size_t criterion)
{
    judge_str_t                 name;
    const judge_trait_match_t  *match;

    name = x->ground->rubric->criteria[criterion].name;
    match = &x->ground->matches[criterion];

    if (!match->fits && x->ground->seen[criterion].n == 0) {
        judge_explain_named(x, b, "Nothing that is measured fits %s; its"
                            " score is that of the writing in general.",
                            name);
        judge_buf_c(b, " ");

    } else if (x->asked[criterion].first_trait != 0
               && judge_traits[match->traits[0]].compares
               && x->m->nreferences == 0 && x->m->source == NULL
               && x->m->question == NULL)
    {
        judge_explain_named(x, b, "Without a source to compare with, %s is"
                            " judged by what the text shows by itself.",
                            name);
        judge_buf_c(b, " ");
    }
}


/* "Apart from the checks, weak: ...", where the grade of what is measured is
 * not that of the score. */

static void
judge_explain_apart(judge_explain_t *x, judge_buf_t *b, size_t criterion,
    unsigned grade)
{
    size_t                    at;
    const judge_picks_t      *p = &x->picks[criterion];
    const judge_criterion_t  *c = &x->ground->rubric->criteria[criterion];

    if (grade == judge_explain_grade(c, x->verdict->scores[criterion].score)) {
        judge_explain_sentence(x, b, criterion, grade);
        return;
    }

    judge_buf_c(b, judge_explain_say(x, "Apart from the checks,"));
    judge_buf_c(b, " ");
    at = b->len;
    judge_explain_sentence(x, b, criterion, grade);

    /* Else it begins with the criterion's name. */
    if (p->ngood + p->nbad > 0 && b->len > at && b->data[at] >= 'A'
        && b->data[at] <= 'Z')
    {
        b->data[at] += 'a' - 'A';
    }
}


/* "Good: the words are varied, but some of them are too casual here." */

static void
judge_explain_sentence(judge_explain_t *x, judge_buf_t *b, size_t criterion,
    unsigned grade)
{
    size_t                i;
    judge_picks_t        *p;
    static const char    *grades[] = {
        "Very weak:", "Weak:", "Fair:", "Good:", "Very good:"
    };
    static const char    *but[] = {
        "Very weak, but", "Weak, but", "Fair:", "Good, but", "Very good, but"
    };

    p = &x->picks[criterion];

    if (p->ngood == 0 && p->nbad == 0) {
        judge_explain_nothing(x, b, criterion, grade);
        return;
    }

    x->last = NULL;

    for (i = 0; i < p->ngood; i++) {
        judge_explain_clause(x, b, i > 0 ? ", and" : grade <= 1 ? but[grade]
                                                          : grades[grade],
                             p->good[i].clause);
    }

    for (i = 0; i < p->nbad; i++) {
        judge_explain_clause(x, b, i > 0 ? ", and" : p->ngood > 0 ? ", but"
                             : grade >= 3 ? but[grade] : grades[grade],
                             p->bad[i].clause);
    }

    judge_buf_c(b, ".");
}


/* The feedback on another criterion has it already, or there is nothing. */

static void
judge_explain_nothing(judge_explain_t *x, judge_buf_t *b, size_t criterion,
    unsigned grade)
{
    size_t                    at;
    judge_buf_t               named;
    const judge_criterion_t  *criteria;

    criteria = x->ground->rubric->criteria;

    if (x->picks[criterion].top.matter == NULL) {
        judge_explain_named(x, b, grade <= 1
                            ? "%s suffers from the writing as a whole."
                            : grade >= 3
                            ? "%s profits from the writing as a whole."
                            : "%s shows neither a clear strength nor a clear "
                              "weakness.",
                            criteria[criterion].name);
        return;
    }

    at = x->used[x->picks[criterion].top.matter - judge_matters] - 1u;
    judge_buf_init(&named, x->m->arena);
    judge_explain_named(x, &named, "What is said of %s decides",
                        criteria[at].name);
    judge_buf_str(b, judge_buf_view(&named));
    judge_buf_c(b, " ");
    judge_explain_named(x, b, "%s as well.", criteria[criterion].name);
}
