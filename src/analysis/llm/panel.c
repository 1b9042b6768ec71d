/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/text/ascii.h"
#include "analysis/llm/panel.h"
#include "analysis/text/math.h"


/* The least mean squared error that counts, in squared points: whoever errs
 * less gets no more weight, because people give whole points. */
#define JUDGE_PANEL_EXACT  1.0


const char *const  judge_panel_takes[] = {
    "mean", "median", "majority", "weighted", NULL
};


judge_rc_e
judge_panel_read(judge_arena_t *arena, judge_str_t json, judge_panel_t *panel)
{
    size_t               take;
    judge_rc_e           rc;
    judge_json_t        *root;
    const judge_json_t  *v;

    memset(panel, 0, sizeof(judge_panel_t));
    panel->within = JUDGE_PANEL_WITHIN;

    if (json.data == NULL) {
        return JUDGE_OK;
    }

    rc = judge_json_parse(arena, json, &root, NULL);
    if (rc != JUDGE_OK || root->type != JUDGE_JSON_OBJECT) {
        return rc == JUDGE_NOMEM ? rc : JUDGE_OK;
    }

    take = judge_str_index_c(judge_panel_takes,
                             judge_json_string(root, "take"));
    panel->take = judge_panel_takes[take] ? (judge_panel_take_e) take
                                          : JUDGE_PANEL_MEAN;

    v = judge_json_get(root, "agree_within");
    panel->within = v ? judge_json_double(v) : panel->within;

    v = judge_json_get(root, "models");
    for (v = v ? v->first : NULL; v && panel->n < JUDGE_PANEL_MEMBERS;
         v = v->next)
    {
        if (v->type == JUDGE_JSON_STRING) {
            panel->models[panel->n++] = v->string;
        }
    }

    return JUDGE_OK;
}


size_t
judge_panel_needed(const judge_panel_t *panel)
{
    return panel->n < 4 ? 2 : (panel->n + 1) / 2;
}


static double
judge_panel_mean(const double *scores, size_t n)
{
    size_t  i;
    double  sum;

    for (i = 0, sum = 0; i < n; i++) {
        sum += scores[i];
    }

    return sum / (double) n;
}


/* The median of sorted scores. */

static double
judge_panel_median(const double *scores, size_t n)
{
    return (scores[(n - 1) / 2] + scores[n / 2]) / 2;
}


/* Whether a set of n scores is a better majority than the best one, which
 * begins at a lower score. */

static bool
judge_panel_better(const double *best, size_t nbest, const double *scores,
    size_t n, double median)
{
    double  span, least;

    if (n != nbest) {
        return n > nbest;
    }

    span = scores[n - 1] - scores[0];
    least = best[n - 1] - best[0];

    return span != least ? span < least
           : fabs(judge_panel_mean(scores, n) - median)
             < fabs(judge_panel_mean(best, n) - median);
}


static double
judge_panel_majority(const double *scores, size_t n, double within)
{
    size_t  i, k, best, size;
    double  median;

    median = judge_panel_median(scores, n);

    for (i = 0, best = 0, size = 0; i < n; i++) {
        for (k = i; k < n && scores[k] - scores[i] <= within; k++) {
            /* void */
        }

        if (size == 0 || judge_panel_better(&scores[best], size, &scores[i],
                                            k - i, median))
        {
            best = i;
            size = k - i;
        }
    }

    return size > 1 ? judge_panel_mean(&scores[best], size) : median;
}


double
judge_panel_score(const judge_panel_t *panel,
    const judge_panel_scores_t *scores, const double *weights)
{
    size_t  i, n;
    double  sum, weights_sum, score, weight, sorted[JUDGE_PANEL_MEMBERS];

    for (i = 0, n = 0, sum = 0, weights_sum = 0; i < scores->n; i++) {
        score = scores->members[i].score;

        if (!isnan(score)) {
            weight = weights && panel->take == JUDGE_PANEL_WEIGHTED
                     ? weights[i] : 1;
            sorted[n++] = score;
            sum += weight * score;
            weights_sum += weight;
        }
    }

    qsort(sorted, n, sizeof(double), judge_by_double);

    score = panel->take == JUDGE_PANEL_MEDIAN ? judge_panel_median(sorted, n)
            : panel->take == JUDGE_PANEL_MAJORITY
            ? judge_panel_majority(sorted, n, panel->within)
            : sum / weights_sum;

    return round(score * 100) / 100;
}


void
judge_panel_weights(const double *squares, size_t members, size_t n,
    double *weights)
{
    size_t  i;
    double  share, all;

    share = n < JUDGE_PANEL_LEAST
            ? 0 : (double) n / ((double) n + JUDGE_PANEL_PRIOR);

    for (i = 0, all = 0; i < members; i++) {
        weights[i] = n ? 1 / fmax(squares[i] / (double) n, JUDGE_PANEL_EXACT)
                       : 1;
        all += weights[i];
    }

    for (i = 0; i < members; i++) {
        weights[i] = share * weights[i] / all
                     + (1 - share) / (double) members;
    }
}


/* Returns the letters with which a name begins after its provider. */

static judge_str_t
judge_panel_family(judge_str_t name, judge_str_t *provider)
{
    size_t       n;
    const char  *slash;

    *provider = (judge_str_t) { 0, NULL };
    slash = name.len ? memchr(name.data, '/', name.len) : NULL;

    if (slash) {
        *provider = (judge_str_t) { (size_t) (slash - name.data), name.data };
        name.len -= provider->len + 1;
        name.data += provider->len + 1;
    }

    for (n = 0; n < name.len && judge_ascii_letter(name.data[n]); n++) {
        /* void */
    }

    return (judge_str_t) { n, name.data };
}


bool
judge_panel_related(judge_str_t a, judge_str_t b)
{
    judge_str_t  family_a, family_b, provider_a, provider_b;

    family_a = judge_panel_family(a, &provider_a);
    family_b = judge_panel_family(b, &provider_b);

    return (provider_a.len && judge_str_caseeq(provider_a, provider_b))
           || (family_a.len && judge_str_caseeq(family_a, family_b));
}
