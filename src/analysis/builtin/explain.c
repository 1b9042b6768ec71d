/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Feedback on each criterion that is measured, and on the whole text. */


#include <math.h>
#include <string.h>

#include "base/text/utf8.h"
#include "analysis/builtin/explain.h"
#include "analysis/text/language.h"
#include "analysis/text/say.h"


#define JUDGE_NAME_BYTES     60        /* of a name in a sentence */
#define JUDGE_PASSAGE_BYTES  240
#define JUDGE_REMARKS        5         /* strengths and so on, at most */
#define JUDGE_SHOWN          4         /* measures of a criterion */
#define JUDGE_POINTS_LEAST   3.0       /* of the score: less is left out */

typedef struct {
    judge_ground_t   *ground;
    judge_verdict_t  *verdict;
    size_t            known_byte;      /* known_char characters before it */
    size_t            known_char;
} judge_explain_t;


static judge_rc_e judge_explain_criterion(judge_explain_t *x,
    size_t criterion);
static void judge_explain_faults(judge_explain_t *x, judge_buf_t *b,
    const judge_aspect_score_t *a, const judge_criterion_score_t *s);
static void judge_explain_features(judge_explain_t *x, judge_buf_t *b,
    const judge_aspect_score_t *a);
static size_t judge_explain_most(const judge_aspect_score_t *a, bool raises);
static void judge_explain_feature(judge_explain_t *x, judge_buf_t *b,
    size_t feature);
static judge_rc_e judge_explain_passages(judge_explain_t *x,
    const judge_aspect_score_t *a, judge_criterion_score_t *s);
static bool judge_explain_counts(const judge_aspect_score_t *a, uint8_t kind);
static void judge_explain_passage(judge_explain_t *x, const judge_spot_t *spot,
    judge_passage_t *p);
static judge_rc_e judge_explain_measures(judge_explain_t *x,
    const judge_aspect_score_t *a, judge_criterion_score_t *s);
static void judge_explain_measure(judge_explain_t *x,
    const judge_aspect_score_t *a, size_t i, judge_shown_t *shown);
static double judge_explain_value(const judge_feature_t *row, double value);
static judge_rc_e judge_explain_verdict(judge_explain_t *x);
static judge_rc_e judge_explain_remarks(judge_explain_t *x, size_t criterion);
static judge_str_t judge_explain_summary(judge_explain_t *x);
static void judge_explain_named(judge_explain_t *x, judge_buf_t *b,
    const char *english, judge_str_t name);
static void judge_explain_insert(judge_buf_t *b, const char *text,
    judge_str_t inserted);

/* In the language of the feedback. */
#define judge_explain_say(x, english)                                         \
    judge_say((x)->ground->language, english)


judge_rc_e
judge_explain(judge_verdict_t *verdict)
{
    size_t           i;
    judge_rc_e       rc;
    judge_explain_t  x;

    if (verdict->ground == NULL) {
        return JUDGE_OK;
    }

    memset(&x, 0, sizeof(x));
    x.ground = verdict->ground;
    x.verdict = verdict;

    for (i = 0, rc = JUDGE_OK;
         i < x.ground->rubric->ncriteria && rc == JUDGE_OK; i++)
    {
        rc = judge_explain_criterion(&x, i);
    }

    return rc == JUDGE_OK ? judge_explain_verdict(&x) : rc;
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
    size_t                 begin;
    judge_check_passage_t  at;

    begin = t->tokens[first].begin;
    at.quote = (judge_str_t) { t->tokens[end - 1].end - begin,
                               t->str.data + begin };
    at.quote = judge_utf8_prefix(at.quote, JUDGE_PASSAGE_BYTES);
    at.start = judge_utf8_length((judge_str_t) { begin, t->str.data });
    at.end = at.start + judge_utf8_length(at.quote);

    return at;
}


/* --- Criteria ------------------------------------------------------------ */

static judge_rc_e
judge_explain_criterion(judge_explain_t *x, size_t criterion)
{
    size_t                       i;
    judge_rc_e                   rc;
    judge_buf_t                  b;
    judge_criterion_score_t     *s;
    const judge_aspect_score_t  *a;

    s = &x->verdict->scores[criterion];
    a = &x->ground->aspects[criterion];

    if (isnan(s->score) || a->aspect == NULL || isnan(a->score)
        || s->judged_by == JUDGE_BY_MODEL)
    {
        return JUDGE_OK;
    }

    rc = judge_explain_passages(x, a, s);
    if (rc == JUDGE_OK) {
        rc = judge_explain_measures(x, a, s);
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_buf_init(&b, x->ground->arena);
    judge_buf_str(&b, s->feedback);    /* of its checks */
    judge_buf_c(&b, b.len > 0 ? " " : "");

    for (i = 0; i < x->verdict->nflags; i++) {
        judge_buf_c(&b, x->verdict->flags[i].reason);
        judge_buf_c(&b, " ");
    }

    if (a->aspect->nfaults > 0) {
        judge_explain_faults(x, &b, a, s);

    } else {
        judge_explain_features(x, &b, a);
    }

    s->feedback = judge_buf_view(&b);

    return b.failed ? JUDGE_NOMEM : JUDGE_OK;
}


/* "3 faults were found: spelling (2), agreement of subject and verb." */

static void
judge_explain_faults(judge_explain_t *x, judge_buf_t *b,
    const judge_aspect_score_t *a, const judge_criterion_score_t *s)
{
    bool    any;
    size_t  kind, n, all;

    for (kind = 1, all = 0; kind < JUDGE_FOUND_KINDS; kind++) {
        if (judge_explain_counts(a, (uint8_t) kind)) {
            all += x->ground->m->found[kind];
        }
    }

    if (!(a->faults > 0) || all == 0) {
        judge_buf_c(b, judge_explain_say(x, a->faults > 0
                    ? "Some of the wording is unusual."
                    : "Nothing wrong was found."));
        return;
    }

    judge_buf_printf(b, judge_explain_say(x, "Found: %zu."), all);
    judge_buf_c(b, " ");

    for (kind = 1, any = false; kind < JUDGE_FOUND_KINDS; kind++) {
        n = x->ground->m->found[kind];

        if (n > 0 && judge_explain_counts(a, (uint8_t) kind)) {
            judge_buf_c(b, any ? ", " : "");
            judge_buf_c(b, judge_explain_say(x, judge_found_names[kind]));
            any = true;

            if (n > 1) {
                judge_buf_printf(b, " (%zu)", n);
            }
        }
    }

    judge_buf_c(b, ".");
    (void) s;
}


/* "Raised most by different words (212), lowered most by vague words (6.1 %)."
 */

static void
judge_explain_features(judge_explain_t *x, judge_buf_t *b,
    const judge_aspect_score_t *a)
{
    bool    any;
    size_t  i, most;

    for (i = 0, any = false; i < 2; i++) {
        most = judge_explain_most(a, i == 0);

        if (most < a->aspect->nfeatures) {
            judge_buf_c(b, any ? " " : "");
            judge_buf_c(b, i == 0 ? judge_explain_say(x, "For it, most of"
                                                         " all:")
                                  : judge_explain_say(x, "Against it, most of"
                                                         " all:"));
            judge_buf_c(b, " ");
            judge_explain_feature(x, b, a->aspect->features[most].feature);
            judge_buf_c(b, ".");
            any = true;
        }
    }

    if (!any) {
        judge_buf_c(b, judge_explain_say(x, "All that is measured is usual."));
    }
}


/* The feature that moved the score most one way; as many as there are: none
 * did. */

static size_t
judge_explain_most(const judge_aspect_score_t *a, bool raises)
{
    size_t  i, most;
    double  points, best;

    most = a->aspect->nfeatures;

    for (i = 0, best = JUDGE_POINTS_LEAST; i < a->aspect->nfeatures; i++) {
        points = raises ? a->points[i] : -a->points[i];

        if (points > best
            && judge_features[a->aspect->features[i].feature].called)
        {
            best = points;
            most = i;
        }
    }

    return most;
}


static void
judge_explain_feature(judge_explain_t *x, judge_buf_t *b, size_t feature)
{
    const judge_feature_t  *row = &judge_features[feature];

    judge_buf_c(b, judge_explain_say(x, row->called));
    judge_buf_printf(b, " (%.*f%s)", (int) row->decimals,
                     judge_explain_value(row,
                                     (double) x->ground->m->v[feature]),
                     row->scale >= 100 ? " %" : "");
}


/* --- Passages ------------------------------------------------------------ */

/* Whether a place of this kind counted as a fault. */

static bool
judge_explain_counts(const judge_aspect_score_t *a, uint8_t kind)
{
    size_t                  i;
    const judge_feature_t  *row;

    for (i = 0; i < a->aspect->nfaults; i++) {
        row = &judge_features[a->aspect->faults[i].feature];

        if (row->counted && kind >= row->counted && kind <= row->counted_last)
        {
            return true;
        }

        if (a->aspect->faults[i].feature == JUDGE_F_CONVENTION_SLIPS
            && kind >= JUDGE_FOUND_MISSPELLED && kind <= JUDGE_FOUND_UNFINISHED
            && kind != JUDGE_FOUND_SHOUTED)
        {
            return true;
        }
    }

    return false;
}


static judge_rc_e
judge_explain_passages(judge_explain_t *x, const judge_aspect_score_t *a,
    judge_criterion_score_t *s)
{
    size_t                  i, n;
    const judge_measure_t  *m = x->ground->m;

    for (i = 0, n = 0; i < m->nspots; i++) {
        n += judge_explain_counts(a, m->spots[i].kind);
    }

    if (n == 0 || m->text->nbad > 0) {
        return JUDGE_OK;
    }

    s->passages = judge_array_alloc(x->ground->arena, n,
                                    sizeof(judge_passage_t));
    if (s->passages == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < m->nspots; i++) {
        if (judge_explain_counts(a, m->spots[i].kind)) {
            judge_explain_passage(x, &m->spots[i],
                                  &s->passages[s->npassages++]);
        }
    }

    return JUDGE_OK;
}


/* The text is as it was stored: its bytes before a place are counted. */

static void
judge_explain_passage(judge_explain_t *x, const judge_spot_t *spot,
    judge_passage_t *p)
{
    size_t               begin;
    judge_str_t          quote, before;
    const judge_text_t  *t = x->ground->m->text;

    begin = t->tokens[spot->first].begin;
    quote = (judge_str_t) { t->tokens[spot->end - 1].end - begin,
                            t->str.data + begin };
    quote = judge_utf8_prefix(quote, JUDGE_PASSAGE_BYTES);

    if (begin < x->known_byte) {
        x->known_byte = 0;
        x->known_char = 0;
    }

    before = (judge_str_t) { begin - x->known_byte,
                             t->str.data + x->known_byte };
    x->known_char += judge_utf8_length(before);
    x->known_byte = begin;

    p->at.start = x->known_char;
    p->at.end = p->at.start + judge_utf8_length(quote);
    p->at.quote = quote;
    p->strength = false;
    p->note = judge_str_c(judge_explain_say(x, judge_found_names[spot->kind]));
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

    value = row->scale != 0 ? value * (double) row->scale : value;

    return floor(judge_clamp(value, -1e12, 1e12) * unit + 0.5) / unit;
}


/* Those that moved the score most. */

static judge_rc_e
judge_explain_measures(judge_explain_t *x, const judge_aspect_score_t *a,
    judge_criterion_score_t *s)
{
    size_t  i, k, n, order[JUDGE_ASPECT_FEATURES];

    for (i = 0, n = 0; i < a->aspect->nfeatures; i++) {
        if (judge_features[a->aspect->features[i].feature].called == NULL
            || !(fabs(a->points[i]) > 0))
        {
            continue;
        }

        for (k = n; k > 0
                    && fabs(a->points[order[k - 1]]) < fabs(a->points[i]); k--)
        {
            order[k] = order[k - 1];
        }

        order[k] = i;
        n++;
    }

    n = n < JUDGE_SHOWN ? n : JUDGE_SHOWN;
    s->measures = judge_array_alloc(x->ground->arena, n + 1,
                                    sizeof(judge_shown_t));
    if (s->measures == NULL) {
        return JUDGE_NOMEM;
    }

    for (s->nmeasures = 0; s->nmeasures < n; s->nmeasures++) {
        judge_explain_measure(x, a, order[s->nmeasures],
                              &s->measures[s->nmeasures]);
    }

    return JUDGE_OK;
}


static void
judge_explain_measure(judge_explain_t *x, const judge_aspect_score_t *a,
    size_t i, judge_shown_t *shown)
{
    double                         low, high;
    const judge_feature_t         *row;
    const judge_aspect_feature_t  *f = &a->aspect->features[i];

    row = &judge_features[f->feature];
    shown->name = judge_explain_say(x, row->called);
    shown->unit = row->scale >= 100 ? "%" : NULL;
    shown->raises = a->points[i] > 0;
    shown->value = judge_explain_value(row,
                                   (double) x->ground->m->v[f->feature]);

    low = (double) f->mean - (double) f->spread;
    high = (double) f->mean + (double) f->spread;
    low = row->logarithm || row->unit != JUDGE_UNIT_NONE ? fmax(low, 0) : low;
    shown->typical = true;
    shown->low = judge_explain_value(row, low);
    shown->high = judge_explain_value(row, high);
}


/* --- The whole ----------------------------------------------------------- */

static judge_rc_e
judge_explain_verdict(judge_explain_t *x)
{
    size_t            i;
    judge_rc_e        rc;
    judge_verdict_t  *v = x->verdict;

    if (v->summary.data != NULL) {
        return JUDGE_OK;               /* a language model has written it */
    }

    v->summary = judge_explain_summary(x);
    v->strengths = judge_array_alloc(x->ground->arena, JUDGE_REMARKS,
                                     sizeof(judge_str_t));
    v->weaknesses = judge_array_alloc(x->ground->arena, JUDGE_REMARKS,
                                      sizeof(judge_str_t));
    v->suggestions = judge_array_alloc(x->ground->arena, JUDGE_REMARKS,
                                       sizeof(judge_str_t));

    if (v->summary.data == NULL || v->strengths == NULL
        || v->weaknesses == NULL || v->suggestions == NULL)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0, rc = JUDGE_OK;
         i < x->ground->rubric->ncriteria && rc == JUDGE_OK; i++)
    {
        rc = judge_explain_remarks(x, i);
    }

    return rc;
}


/* A criterion's strength or weakness: its name and its feedback; what to do is
 * told only where a place can be shown. */

static judge_rc_e
judge_explain_remarks(judge_explain_t *x, size_t criterion)
{
    unsigned                        grade;
    judge_str_t                     remark;
    judge_verdict_t                *v = x->verdict;
    const judge_criterion_t        *c;
    const judge_criterion_score_t  *s;

    c = &x->ground->rubric->criteria[criterion];
    s = &v->scores[criterion];

    if (isnan(s->score) || s->feedback.len == 0) {
        return JUDGE_OK;
    }

    grade = judge_explain_grade(c, s->score);
    remark = judge_str_printf(x->ground->arena, "%.*s: %.*s",
                              (int) c->name.len, c->name.data,
                              (int) s->feedback.len, s->feedback.data);
    if (remark.data == NULL) {
        return JUDGE_NOMEM;
    }

    if (grade >= 3 && v->nstrengths < JUDGE_REMARKS) {
        v->strengths[v->nstrengths++] = remark;
    }

    if (grade <= 1 && v->nweaknesses < JUDGE_REMARKS) {
        v->weaknesses[v->nweaknesses++] = remark;
    }

    if (s->npassages > 0 && v->nsuggestions < JUDGE_REMARKS) {
        remark = judge_str_printf(x->ground->arena, "%.*s: “%.*s” (%.*s)",
                     (int) c->name.len, c->name.data,
                     (int) s->passages[0].at.quote.len,
                     s->passages[0].at.quote.data,
                     (int) s->passages[0].note.len, s->passages[0].note.data);
        v->suggestions[v->nsuggestions++] = remark;
    }

    return remark.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* How the text does, and what could not be judged. */

static judge_str_t
judge_explain_summary(judge_explain_t *x)
{
    size_t                          i, judged, best, worst;
    judge_buf_t                     b;
    const judge_criterion_t        *criteria;
    const judge_criterion_score_t  *s;

    criteria = x->ground->rubric->criteria;
    s = x->verdict->scores;
    best = 0;
    worst = 0;
    judge_buf_init(&b, x->ground->arena);
    judge_buf_str(&b, x->verdict->summary);

    for (i = 0, judged = 0; i < x->ground->rubric->ncriteria; i++) {
        if (isnan(s[i].score)) {
            continue;
        }

        best = judged == 0 || s[i].score > s[best].score ? i : best;
        worst = judged == 0 || s[i].score < s[worst].score ? i : worst;
        judged++;
    }

    if (judged > 1 && best != worst) {
        judge_explain_named(x, &b, "Best: %s.", criteria[best].name);
        judge_buf_c(&b, " ");
        judge_explain_named(x, &b, "Weakest: %s.", criteria[worst].name);

    } else if (judged == 1) {
        judge_explain_named(x, &b, "Judged: %s.", criteria[best].name);

    } else if (judged > 1) {
        judge_buf_c(&b, judge_explain_say(x, "All criteria are equally well"
                                          " met."));
    }

    if (judged < i) {
        judge_buf_c(&b, b.len ? " " : "");
        judge_buf_printf(&b, judge_explain_say(x, "Judged were %zu of %zu"
                                               " criteria."), judged, i);
    }

    if (x->ground->m->text->cut) {
        judge_buf_printf(&b, " %s", judge_explain_say(x, "Only the beginning"
                             " of this long text was judged."));
    }

    return judge_buf_view(&b);
}


/* A template with one "%s", for a name between quotation marks, cut where it
 * is long. */

static void
judge_explain_named(judge_explain_t *x, judge_buf_t *b, const char *english,
    judge_str_t name)
{
    judge_buf_t  cut, quoted;
    judge_str_t  part;

    part = judge_utf8_prefix(name, JUDGE_NAME_BYTES);
    judge_buf_init(&cut, x->ground->arena);
    judge_buf_str(&cut, part);
    judge_buf_c(&cut, part.len < name.len ? "…" : "");
    judge_buf_init(&quoted, x->ground->arena);
    judge_explain_insert(&quoted, judge_explain_say(x, "“%s”"),
                         judge_buf_view(&cut));
    judge_explain_insert(b, judge_explain_say(x, english),
                         judge_buf_view(&quoted));
}


/* In the place of "%s". */

static void
judge_explain_insert(judge_buf_t *b, const char *text, judge_str_t inserted)
{
    const char  *p;

    p = strstr(text, "%s");

    if (p == NULL) {
        judge_buf_c(b, text);
        return;
    }

    judge_buf_append(b, text, (size_t) (p - text));
    judge_buf_str(b, inserted);
    judge_buf_c(b, p + 2);
}
