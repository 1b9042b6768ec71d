/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Applies a rubric to the measurements of a medium. */


#include <math.h>
#include <string.h>

#include "extensions/media/media_trait.h"


#define JUDGE_MEDIA_STRONG  80.0
#define JUDGE_MEDIA_WEAK    60.0
#define JUDGE_MEDIA_LINES   8          /* strengths and the like, of each */


/* The state while a verdict is written. */
typedef struct {
    const judge_media_t   *media;
    const judge_rubric_t  *rubric;
    judge_arena_t         *arena;
    judge_verdict_t       *verdict;
} judge_media_verdict_t;


/* Sets the reason in place of a score that can't be measured. */

static judge_rc_e
judge_media_unmatched(judge_media_verdict_t *x, size_t i, const double *shares)
{
    size_t                    a;
    judge_buf_t               text;
    const char               *kind = judge_media_kind_name(x->media->kind);
    const char               *before = "";
    judge_criterion_score_t  *score = &x->verdict->scores[i];

    score->score = NAN;
    judge_buf_init(&text, x->arena);

    if (shares == NULL) {
        judge_buf_printf(&text, "Not measurable by this engine: nothing that"
                         " it measures in %s %s tells about this.",
                         kind[0] == 'i' || kind[0] == 'a' ? "an" : "a",
                         kind);

    } else {
        judge_buf_c(&text, "Not measurable in this file: there is nothing to"
                           " measure ");
        for (a = 0; a < JUDGE_MT_COUNT; a++) {
            if (shares[a] > 0) {
                judge_buf_printf(&text, "%s%s", before,
                                 judge_media_traits[a].name);
                before = " or ";
            }
        }
        judge_buf_c(&text, " by.");
    }

    score->feedback = judge_buf_view(&text);

    return score->feedback.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Adds a line unless it is there already. */

static void
judge_media_line(judge_str_t *lines, size_t *n, judge_str_t line)
{
    if (*n < JUDGE_MEDIA_LINES && judge_str_index(lines, *n, line) == *n) {
        lines[(*n)++] = line;
    }
}


/* Adds the lines of a strong or weak criterion; `about` is its main trait. */

static judge_rc_e
judge_media_lines(judge_media_verdict_t *x, size_t i,
    judge_media_trait_e about)
{
    judge_str_t                     line;
    judge_verdict_t                *v = x->verdict;
    const judge_criterion_score_t  *score = &v->scores[i];

    if (score->score < JUDGE_MEDIA_STRONG && score->score >= JUDGE_MEDIA_WEAK)
    {
        return JUDGE_OK;
    }

    line = judge_str_printf(x->arena, "%.*s: %.*s",
                            judge_str_args(x->rubric->criteria[i].name),
                            judge_str_args(score->feedback));
    if (line.data == NULL) {
        return JUDGE_NOMEM;
    }

    if (score->score >= JUDGE_MEDIA_STRONG) {
        judge_media_line(v->strengths, &v->nstrengths, line);
        return JUDGE_OK;
    }

    judge_media_line(v->weaknesses, &v->nweaknesses, line);
    judge_media_line(v->suggestions, &v->nsuggestions,
                     judge_str_c(judge_media_traits[about].advice));

    return JUDGE_OK;
}


static judge_rc_e
judge_media_criterion(judge_media_verdict_t *x, size_t i)
{
    size_t                    a, about;
    double                    grade, sum, shares[JUDGE_MT_COUNT];
    judge_buf_t               text;
    judge_criterion_score_t  *score = &x->verdict->scores[i];

    if (!judge_media_match(&x->rubric->criteria[i], x->media->kind, shares)) {
        return judge_media_unmatched(x, i, NULL);
    }

    judge_buf_init(&text, x->arena);
    score->score = sum = 0;
    about = JUDGE_MT_COUNT;

    for (a = 0; a < JUDGE_MT_COUNT; a++) {
        grade = shares[a] > 0 ? judge_media_grade(x->media, a) : NAN;
        if (!isnan(grade)) {
            score->score += shares[a] * grade;
            sum += shares[a];
            about = about == JUDGE_MT_COUNT || shares[a] > shares[about]
                    ? a : about;
            judge_media_describe(&text, x->media, a);
        }
    }

    if (sum <= 0) {
        return judge_media_unmatched(x, i, shares);
    }

    score->score = round(100 * score->score / sum) / 100;
    score->feedback = judge_str_trim(judge_buf_view(&text), " ");

    return score->feedback.data ? judge_media_lines(x, i, about)
                                : JUDGE_NOMEM;
}


static judge_str_t
judge_media_summary(judge_media_verdict_t *x)
{
    char                       length[24];
    size_t                     i, without;
    judge_buf_t                text;
    const double              *m = x->media->values;
    const judge_verdict_t     *v = x->verdict;
    const judge_media_kind_e   kind = x->media->kind;

    judge_buf_init(&text, x->arena);
    judge_buf_c(&text, kind == JUDGE_MEDIA_IMAGE ? "An image"
                       : kind == JUDGE_MEDIA_AUDIO ? "Sound" : "A video");

    if (!isnan(m[JUDGE_M_WIDTH])) {
        judge_buf_printf(&text, " of %.0f x %.0f pixels", m[JUDGE_M_WIDTH],
                         m[JUDGE_M_HEIGHT]);
    }

    if (!isnan(m[JUDGE_M_DURATION])) {
        judge_media_time(m[JUDGE_M_DURATION], length);
        judge_buf_printf(&text, "%s %s", isnan(m[JUDGE_M_WIDTH]) ? " of"
                                                                 : " and",
                         length);
    }

    if (!isnan(v->overall)) {
        judge_buf_printf(&text, "; overall %.4g of 100", v->overall);
    }

    for (without = 0, i = 0; i < x->rubric->ncriteria; i++) {
        without += isnan(v->scores[i].score) ? 1 : 0;
    }

    judge_buf_c(&text, ".");
    if (without) {
        judge_buf_printf(&text, " %zu of %zu criteria can't be measured.",
                         without, x->rubric->ncriteria);
    }

    if (x->media->measured > 0
        && x->media->measured < m[JUDGE_M_DURATION] - 1)
    {
        judge_media_time(x->media->measured, length);
        judge_buf_printf(&text, " Only the first %s were measured.", length);
    }

    return judge_buf_view(&text);
}


static judge_rc_e
judge_media_overall(judge_media_verdict_t *x)
{
    size_t            i;
    double            sum, weights;
    judge_verdict_t  *v = x->verdict;

    for (sum = 0, weights = 0, i = 0; i < x->rubric->ncriteria; i++) {
        if (!isnan(v->scores[i].score)) {
            sum += x->rubric->criteria[i].weight * v->scores[i].score;
            weights += x->rubric->criteria[i].weight;
        }
    }

    v->overall = weights > 0 ? round(100 * sum / weights) / 100 : NAN;
    v->summary = judge_media_summary(x);

    return v->summary.data ? JUDGE_OK : JUDGE_NOMEM;
}


judge_rc_e
judge_media_score(const judge_media_t *media, const judge_rubric_t *rubric,
    judge_arena_t *arena, judge_verdict_t *verdict)
{
    size_t                 i;
    judge_rc_e             rc;
    judge_str_t           *lines;
    judge_media_verdict_t  x = { media, rubric, arena, verdict };

    memset(verdict, 0, sizeof(judge_verdict_t));
    verdict->scores = judge_array_alloc(arena, rubric->ncriteria,
                                        sizeof(judge_criterion_score_t));
    lines = judge_array_alloc(arena, 3 * JUDGE_MEDIA_LINES,
                              sizeof(judge_str_t));
    if (verdict->scores == NULL || lines == NULL) {
        return JUDGE_NOMEM;
    }

    verdict->strengths = lines;
    verdict->weaknesses = lines + JUDGE_MEDIA_LINES;
    verdict->suggestions = lines + 2 * JUDGE_MEDIA_LINES;

    for (i = 0; i < rubric->ncriteria; i++) {
        rc = judge_media_criterion(&x, i);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return judge_media_overall(&x);
}
