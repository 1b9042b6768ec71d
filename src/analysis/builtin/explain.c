/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "base/text/utf8.h"
#include "analysis/builtin/explain.h"
#include "analysis/text/language.h"
#include "analysis/text/say.h"


/* What feedback has at most. */
#define JUDGE_NAME_BYTES     60        /* of a name or a quote in a sentence */
#define JUDGE_PASSAGE_BYTES  240       /* of the quote of a passage */
#define JUDGE_REMARKS        5         /* strengths, and so on */
#define JUDGE_EXAMPLES       3         /* of a kind of fault in a sentence */
#define JUDGE_SHOWN          4         /* numbers of a criterion */
#define JUDGE_NUMBERS        2         /* of these in a sentence */

#define JUDGE_POINTS_LEAST   3.0       /* what takes off less is left out */

/* The spots of some kinds, which often several criteria show, and the sentence
 * about them. */
typedef struct {
    uint64_t          kinds;           /* a bit each: judge_found_e */
    judge_passage_t  *passages;
    size_t            n;
    judge_str_t       sentence;
} judge_places_t;

/* What all criteria share. */
typedef struct {
    judge_places_t  *places;
    size_t           n;
} judge_explained_t;

/* A position in a text, which only goes forward. */
typedef struct {
    size_t  bytes;
    size_t  chars;                     /* before these bytes */
} judge_position_t;

_Static_assert(JUDGE_FOUND_KINDS <= 64, "a bit for each kind of spot");

#define judge_explain_say(g, english)  judge_say((g)->language, english)


/* Returns the kinds of spots that a feature counts, a bit for each. */

static uint64_t
judge_explain_counts(size_t feature)
{
    const judge_feature_t  *row = &judge_features[feature];

    return row->counted == 0 ? 0
           : ((2ull << (row->counted_last - row->counted)) - 1)
             << row->counted;
}


/* Returns the kinds of spots that took points off, a bit for each; a feature
 * with fewer than usual did not. */

static uint64_t
judge_explain_faults(const judge_aspect_score_t *a)
{
    size_t                         i;
    uint64_t                       kinds = 0;
    const judge_aspect_feature_t  *f = a->aspect->features;

    for (i = 0; i < a->aspect->nfaults; i++) {
        kinds |= judge_explain_counts(a->aspect->faults[i].feature);
    }

    for (i = 0; i < a->aspect->nfeatures; i++) {
        if (f[i].weight < 0 && a->points[i] < -JUDGE_POINTS_LEAST) {
            kinds |= judge_explain_counts(f[i].feature);
        }
    }

    return kinds;
}


/* Returns where tokens are, in characters.  Counting goes on from the last
 * position, or from the beginning if the tokens stand before it. */

static judge_check_passage_t
judge_explain_passage(const judge_text_t *t, size_t first, size_t end,
    judge_position_t *last)
{
    size_t                 begin = t->tokens[first].begin;
    judge_check_passage_t  passage;

    if (begin < last->bytes) {
        *last = (judge_position_t) { 0, 0 };
    }

    last->chars += judge_utf8_length((judge_str_t) {
                       begin - last->bytes, t->str.data + last->bytes });
    last->bytes = begin;

    passage.quote = (judge_str_t) { t->tokens[end - 1].end - begin,
                                    t->str.data + begin };
    passage.quote = judge_utf8_prefix(passage.quote, JUDGE_PASSAGE_BYTES);
    passage.start = last->chars;
    passage.end = passage.start + judge_utf8_length(passage.quote);

    return passage;
}


/* Sets *places to the passages of a criterion, NULL if there are none.
 * Criteria with the same kinds share them. */

static judge_rc_e
judge_explain_passages(const judge_ground_t *g, const judge_aspect_score_t *a,
    judge_explained_t *e, judge_places_t **places)
{
    size_t                  i, n;
    uint64_t                kinds = judge_explain_faults(a);
    judge_places_t         *p;
    judge_position_t        last = { 0, 0 };
    const judge_measure_t  *m = g->m;

    *places = NULL;

    for (i = 0, n = 0; i < m->nspots; i++) {
        n += kinds >> m->spots[i].kind & 1;
    }

    if (n == 0 || m->text->nbad > 0) {
        return JUDGE_OK;
    }

    for (i = 0; i < e->n; i++) {
        if (e->places[i].kinds == kinds) {
            *places = &e->places[i];
            return JUDGE_OK;
        }
    }

    p = &e->places[e->n];
    p->passages = judge_array_alloc(g->arena, n, sizeof(judge_passage_t));
    if (p->passages == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, p->kinds = kinds; i < m->nspots; i++) {
        if (kinds >> m->spots[i].kind & 1) {
            p->passages[p->n++] = (judge_passage_t) {
                .place = judge_explain_passage(m->text, m->spots[i].first,
                                               m->spots[i].end, &last),
                .note = judge_str_c(judge_explain_say(g,
                                      judge_found_names[m->spots[i].kind]))
            };
        }
    }

    *places = p;
    e->n++;

    return JUDGE_OK;
}


/* Appends a sentence with a name or a quote, which is cut where it is long. */

static void
judge_explain_quote(judge_buf_t *b, const char *english,
    const judge_ground_t *g, judge_str_t s)
{
    judge_str_t  cut = judge_utf8_prefix(s, JUDGE_NAME_BYTES);

    judge_buf_printf(b, judge_explain_say(g, english), judge_str_args(cut),
                     cut.len < s.len ? "…" : "");
}


/* Returns "Found: 3. spelling: “teh”, “libary” (2); article: “a apple”." */

static judge_str_t
judge_explain_found(const judge_ground_t *g, const judge_places_t *places)
{
    size_t                  i, n, kind, left = places->n;
    judge_buf_t             b;
    const char             *name;
    const judge_passage_t  *p;

    judge_buf_init(&b, g->arena);
    judge_buf_printf(&b, judge_explain_say(g, "Found: %zu."), left);

    for (kind = 1; left > 0 && kind < JUDGE_FOUND_KINDS; kind++) {
        if (!(places->kinds >> kind & 1)) {
            continue;
        }

        name = judge_explain_say(g, judge_found_names[kind]);

        for (i = 0, n = 0; i < places->n; i++) {
            p = &places->passages[i];

            if (p->note.data == name && n++ < JUDGE_EXAMPLES) {
                judge_buf_c(&b, n > 1 ? "" : " ");
                judge_buf_printf(&b, n > 1 ? ", " : judge_explain_say(g,
                                             "%s: %.*s"), name, 0, "");
                judge_explain_quote(&b, "“%.*s%s”", g, p->place.quote);
            }
        }

        if (n > 1) {
            judge_buf_printf(&b, " (%zu)", n);
        }

        left -= n;
        judge_buf_c(&b, n == 0 ? "" : left > 0 ? ";" : ".");
    }

    return judge_buf_view(&b);
}


/* Returns the number that people read for a feature. */

double
judge_explain_value(const judge_feature_t *row, double value)
{
    double  unit = row->decimals == 0 ? 1 : row->decimals == 1 ? 10 : 100;

    if (row->logarithm) {
        value = judge_exp(value) - 1;
    }

    value = row->scale != 0 ? value * (double) row->scale : value;

    return floor(judge_clamp(value, -1e12, 1e12) * unit + 0.5) / unit;
}


/* Sets the numbers that moved a score most. */

static judge_rc_e
judge_explain_measures(const judge_ground_t *g, const judge_aspect_score_t *a,
    judge_criterion_score_t *s)
{
    size_t                         i, k, n, order[JUDGE_ASPECT_FEATURES];
    double                         low;
    const judge_feature_t         *row;
    const judge_aspect_feature_t  *f = a->aspect->features;

    for (i = 0, n = 0; i < a->aspect->nfeatures; i++) {
        if (judge_features[f[i].feature].called && fabs(a->points[i]) > 0) {
            for (k = n++; k > 0 && fabs(a->points[order[k - 1]])
                                   < fabs(a->points[i]); k--)
            {
                order[k] = order[k - 1];
            }

            order[k] = i;
        }
    }

    s->nmeasures = n < JUDGE_SHOWN ? n : JUDGE_SHOWN;
    s->measures = judge_array_alloc(g->arena, s->nmeasures + 1,
                                    sizeof(judge_shown_t));

    for (i = 0; s->measures != NULL && i < s->nmeasures; i++) {
        f = &a->aspect->features[order[i]];
        row = &judge_features[f->feature];
        low = (double) (f->mean - f->spread);
        low = row->logarithm || row->unit != JUDGE_UNIT_NONE ? fmax(low, 0)
                                                             : low;
        s->measures[i] = (judge_shown_t) {
            .name = judge_say(g->language, row->called),
            .percent = row->scale >= 100,
            .raises = a->points[order[i]] > 0,
            .value = judge_explain_value(row, (double) g->m->v[f->feature]),
            .low = judge_explain_value(row, low),
            .high = judge_explain_value(row, (double) (f->mean + f->spread))
        };
    }

    return s->measures != NULL ? JUDGE_OK : JUDGE_NOMEM;
}


/* Where no place can be shown, appends what was counted without one, or the
 * numbers that moved the score most: only those that raise a good score or
 * lower a bad one, and else those that move it as the greatest one does. */

static void
judge_explain_numbers(const judge_ground_t *g, judge_buf_t *b,
    const judge_aspect_score_t *a, const judge_criterion_score_t *s)
{
    bool                    raises;
    size_t                  i, n, at = b->len;
    const judge_shown_t    *m = s->measures;
    const judge_feature_t  *row;

    for (i = 0; i < a->aspect->nfaults; i++) {
        n = a->aspect->faults[i].feature;
        row = &judge_features[n];

        if (row->counted == 0 && g->m->v[n] > 0) {
            judge_buf_printf(b, "%s %s: %g%s.",
                             judge_explain_say(g, "Speaks against it:"),
                             judge_explain_say(g, row->called),
                             judge_explain_value(row, (double) g->m->v[n]),
                             row->scale >= 100 ? " %" : "");
            judge_say_numbers(g->language, b, at);
            return;
        }
    }

    if (s->nmeasures == 0 || (a->aspect->nfaults > 0 && !(a->faults > 0))) {
        judge_buf_c(b, judge_explain_say(g, "Nothing wrong was found."));
        return;
    }

    raises = s->score >= 50 && (s->score >= 70 || m[0].raises);
    for (i = 0; i < s->nmeasures && m[i].raises != raises; i++) { /* void */ }

    raises = i == s->nmeasures ? !raises : raises;
    judge_buf_c(b, judge_explain_say(g, raises ? "Speaks for it:"
                                               : "Speaks against it:"));

    for (i = 0, n = 0; i < s->nmeasures && n < JUDGE_NUMBERS; i++) {
        if (m[i].raises == raises) {
            judge_buf_c(b, n++ > 0 ? "; " : " ");
            judge_buf_printf(b, judge_explain_say(g, "%s: %g%s, usually %g to"
                                                     " %g"),
                             m[i].name, m[i].value, m[i].percent ? " %" : "",
                             m[i].low, m[i].high);
        }
    }

    judge_buf_c(b, ".");
    judge_say_numbers(g->language, b, at);
}


/* Appends what was learned, and why the score is capped. */

static void
judge_explain_end(const judge_verdict_t *v, judge_buf_t *b,
    const judge_criterion_score_t *s)
{
    size_t  k;
    double  cap = 100;

    if (s->learned.len > 0) {
        judge_buf_c(b, b->len > 0 ? " " : "");
        judge_buf_str(b, s->learned);
    }

    for (k = 0; k < v->nflags; k++) {
        judge_buf_c(b, b->len > 0 ? " " : "");
        judge_buf_c(b, v->flags[k].reason);
        cap = fmin(cap, v->flags[k].cap);
    }

    if (cap < 100) {
        judge_buf_printf(b, " %s %g.", judge_explain_say(v->ground,
                                           "Such a text gets at most"), cap);
    }
}


static judge_rc_e
judge_explain_criterion(judge_verdict_t *v, size_t i, judge_explained_t *e)
{
    bool                         measured, alone;
    judge_buf_t                  b;
    judge_places_t              *places = NULL;
    judge_criterion_score_t     *s = &v->scores[i];
    const judge_aspect_score_t  *a = &v->ground->aspects[i];

    if (isnan(s->score) || s->judged_by == JUDGE_BY_CHECKS
        || s->judged_by == JUDGE_BY_MODEL)
    {
        return JUDGE_OK;
    }

    measured = a->aspect != NULL && !isnan(a->score);

    if (measured
        && (judge_explain_passages(v->ground, a, e, &places) != JUDGE_OK
            || judge_explain_measures(v->ground, a, s) != JUDGE_OK))
    {
        return JUDGE_NOMEM;
    }

    alone = s->feedback.len == 0 && v->nflags == 0;    /* no checks, either */
    judge_buf_init(&b, v->ground->arena);
    judge_buf_str(&b, s->feedback);

    if (places != NULL) {
        if (places->sentence.data == NULL) {
            places->sentence = judge_explain_found(v->ground, places);
        }

        s->passages = places->passages;
        s->npassages = places->n;
        if (alone && s->learned.len == 0) {
            s->feedback = places->sentence;      /* which others share */
            return s->feedback.data ? JUDGE_OK : JUDGE_NOMEM;
        }

        judge_buf_c(&b, b.len > 0 ? " " : "");
        judge_buf_str(&b, places->sentence);

    } else if (measured && alone) {
        judge_explain_numbers(v->ground, &b, a, s);
    }

    judge_explain_end(v, &b, s);
    s->feedback = judge_buf_view(&b);

    return b.failed ? JUDGE_NOMEM : JUDGE_OK;
}


/* Returns which criteria do best and worst, and how many are judged. */

static judge_str_t
judge_explain_summary(const judge_verdict_t *v)
{
    size_t                          i, judged, best, worst;
    judge_buf_t                     b;
    const judge_ground_t           *g = v->ground;
    const judge_criterion_t        *criteria = g->rubric->criteria;
    const judge_criterion_score_t  *s = v->scores;

    judge_buf_init(&b, g->arena);
    judged = best = worst = 0;

    for (i = 0; i < g->rubric->ncriteria; i++) {
        if (!isnan(s[i].score)) {
            best = judged == 0 || s[i].score > s[best].score ? i : best;
            worst = judged == 0 || s[i].score < s[worst].score ? i : worst;
            judged++;
        }
    }

    if (best != worst) {
        judge_explain_quote(&b, "Best: “%.*s%s”.", g, criteria[best].name);
        judge_buf_c(&b, " ");
        judge_explain_quote(&b, "Weakest: “%.*s%s”.", g,
                            criteria[worst].name);
    }

    if (judged < i || best == worst) {
        judge_buf_c(&b, b.len ? " " : "");
        judge_buf_printf(&b, judge_explain_say(g, "Judged were %zu of %zu"
                                                  " criteria."), judged, i);
    }

    if (g->m->text->cut) {
        judge_buf_c(&b, " ");
        judge_buf_c(&b, judge_explain_say(g, "Only the beginning of this long"
                                             " text was judged."));
    }

    return judge_buf_view(&b);
}


/* Adds a criterion to the strengths or weaknesses, and to the suggestions if a
 * place is shown.  A strength whose feedback names faults has none. */

static judge_rc_e
judge_explain_remarks(judge_verdict_t *v, size_t i)
{
    unsigned                        grade;
    judge_str_t                     remark;
    const judge_passage_t          *p;
    const judge_criterion_t        *c = &v->ground->rubric->criteria[i];
    const judge_criterion_score_t  *s = &v->scores[i];

    if (isnan(s->score) || s->feedback.len == 0) {
        return JUDGE_OK;
    }

    grade = judge_explain_grade(c, s->score);
    remark = judge_str_printf(v->ground->arena, "%.*s: %.*s",
                              judge_str_args(c->name),
                              judge_str_args(s->feedback));

    if (grade >= 3 && v->nstrengths < JUDGE_REMARKS) {
        v->strengths[v->nstrengths++] =
            s->npassages > 0 || v->ground->aspects[i].faults > 0 ? c->name
                                                                 : remark;
    }

    if (grade <= 1 && v->nweaknesses < JUDGE_REMARKS) {
        v->weaknesses[v->nweaknesses++] = remark;
    }

    if (s->npassages > 0 && v->nsuggestions < JUDGE_REMARKS
        && remark.data != NULL)
    {
        p = &s->passages[0];
        remark = judge_str_printf(v->ground->arena, "%.*s: “%.*s” (%.*s)",
                                  judge_str_args(c->name),
                                  judge_str_args(p->place.quote),
                                  judge_str_args(p->note));
        v->suggestions[v->nsuggestions++] = remark;
    }

    return remark.data ? JUDGE_OK : JUDGE_NOMEM;
}


judge_rc_e
judge_explain(judge_verdict_t *v)
{
    size_t              i, n;
    judge_rc_e          rc;
    judge_ground_t     *g = v->ground;
    judge_explained_t   e = { 0 };

    n = g != NULL ? g->rubric->ncriteria : 0;
    e.places = n > 0 ? judge_array_alloc(g->arena, n, sizeof(judge_places_t))
                     : NULL;
    rc = n > 0 && e.places == NULL ? JUDGE_NOMEM : JUDGE_OK;

    for (i = 0; i < n && rc == JUDGE_OK; i++) {
        rc = judge_explain_criterion(v, i, &e);
    }

    if (n == 0 || rc != JUDGE_OK || v->summary.data != NULL) {
        return rc;                     /* or a language model has written it */
    }

    v->summary = judge_explain_summary(v);
    v->strengths = judge_array_alloc(g->arena, 3 * JUDGE_REMARKS,
                                     sizeof(judge_str_t));
    if (v->summary.data == NULL || v->strengths == NULL) {
        return JUDGE_NOMEM;
    }

    v->weaknesses = v->strengths + JUDGE_REMARKS;
    v->suggestions = v->weaknesses + JUDGE_REMARKS;

    for (i = 0; i < n && rc == JUDGE_OK; i++) {
        rc = judge_explain_remarks(v, i);
    }

    return rc;
}


unsigned
judge_explain_grade(const judge_criterion_t *criterion, double score)
{
    unsigned  grade;
    double    from[4] = { 30, 50, 70, 85 };

    if (criterion != NULL && criterion->has_thresholds) {
        from[0] = criterion->poor;
        from[1] = criterion->fair;
        from[2] = criterion->good;
        from[3] = criterion->excellent;
    }

    for (grade = 4; grade > 0 && score < from[grade - 1]; grade--) {
        /* void */
    }

    return grade;
}


judge_check_passage_t
judge_explain_place(const judge_text_t *t, size_t first, size_t end)
{
    judge_position_t  beginning = { 0, 0 };

    return judge_explain_passage(t, first, end, &beginning);
}
