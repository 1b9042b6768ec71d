/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/reference.h"


#define JUDGE_SPREAD_LEAST  0.25
#define JUDGE_KNOT_LEAST    1e-7       /* between values */


typedef struct {
    double  value;
    double  weight;
} judge_weighed_t;

/* Normal scores of the quantiles (k + 0.5) / 33, of the upper half. */
static const double  judge_normals[] = {
    0.000, 0.076, 0.153, 0.230, 0.309, 0.389, 0.473, 0.560, 0.651, 0.748,
    0.852, 0.967, 1.097, 1.248, 1.434, 1.691, 2.166
};


static bool judge_reference_row(const judge_kind_t *kinds, size_t nkinds,
    size_t feature, judge_reference_t *row);
static bool judge_reference_uses(const judge_kind_t *kind, size_t feature);
static double judge_reference_at(const float *features, size_t feature,
    double drawn);
static size_t judge_reference_values(const judge_kind_t *kinds,
    size_t nkinds, size_t feature, double drawn, judge_weighed_t *values);
static void judge_reference_knots(judge_reference_t *row,
    const judge_weighed_t *values, size_t n);
static double judge_reference_spread(const judge_kind_t *kinds,
    size_t nkinds, size_t feature, const judge_reference_t *row);


bool
judge_reference_make(const judge_kind_t *kinds, size_t nkinds,
    judge_reference_t *rows)
{
    size_t  i;

    memset(rows, 0, JUDGE_FEATURES * sizeof(judge_reference_t));

    for (i = 0; i < JUDGE_FEATURES; i++) {
        if (judge_features[i].called != NULL
            && !judge_reference_row(kinds, nkinds, i, &rows[i]))
        {
            return false;
        }
    }

    return true;
}


static bool
judge_reference_row(const judge_kind_t *kinds, size_t nkinds, size_t feature,
    judge_reference_t *row)
{
    size_t            i, n;
    double            mean, total;
    judge_weighed_t  *values;

    for (i = 0, n = 0; i < nkinds; i++) {
        n += kinds[i].n;
    }

    values = malloc((n + 1) * sizeof(judge_weighed_t));
    if (values == NULL) {
        return false;
    }

    /* the mean of what is no merit is that of the roots squared, if any */

    n = judge_reference_values(kinds, nkinds, feature, -1, values);

    for (i = 0, mean = 0, total = 0; i < n; i++) {
        mean += values[i].weight * values[i].value
                * (judge_features[feature].squared ? values[i].value : 1);
        total += values[i].weight;
    }

    row->drawn = judge_features[feature].merit
                 ? 0 : (float) judge_share(mean, total);
    n = judge_reference_values(kinds, nkinds, feature, (double) row->drawn,
                               values);
    judge_reference_knots(row, values, n);
    free(values);

    if (row->n > 0) {
        row->spread = (float) judge_reference_spread(kinds, nkinds, feature,
                                                     row);
    }

    return true;
}


/* Likeness to a source is measured where there is one. */

static bool
judge_reference_uses(const judge_kind_t *kind, size_t feature)
{
    return strncmp(judge_features[feature].name, "source", 6) != 0
           || (kind->n > 0 && kind->features[0][JUDGE_F_SOURCE] > 0);
}


/* drawn below 0: as it was measured. */

static double
judge_reference_at(const float *features, size_t feature, double drawn)
{
    float            v[JUDGE_FEATURES];
    judge_text_t     text;
    judge_measure_t  m;

    if (drawn < 0) {
        return (double) features[feature];
    }

    memset(&m, 0, sizeof(judge_measure_t));
    memset(&text, 0, sizeof(judge_text_t));
    memcpy(v, features, sizeof(v));
    m.text = &text;
    m.v = v;
    text.nwords = (size_t) (judge_exp((double) v[JUDGE_F_WORDS]) - 0.5);

    return judge_reference_value(&m, feature, drawn);
}


static int
judge_weighed_compare(const void *a, const void *b)
{
    double  x = ((const judge_weighed_t *) a)->value;
    double  y = ((const judge_weighed_t *) b)->value;

    return (x > y) - (x < y);
}


static size_t
judge_reference_values(const judge_kind_t *kinds, size_t nkinds,
    size_t feature, double drawn, judge_weighed_t *values)
{
    size_t  i, k, n;

    for (k = 0, n = 0; k < nkinds; k++) {
        if (!judge_reference_uses(&kinds[k], feature)) {
            continue;
        }

        for (i = 0; i < kinds[k].n; i++, n++) {
            values[n].value = judge_reference_at(kinds[k].features[i],
                                                 feature, drawn);
            values[n].weight = 1 / (double) kinds[k].n;
        }
    }

    qsort(values, n, sizeof(judge_weighed_t), judge_weighed_compare);

    return n;
}


static double
judge_reference_normal(size_t k)
{
    return k < JUDGE_KNOTS / 2 ? -judge_normals[JUDGE_KNOTS / 2 - k]
                               : judge_normals[k - JUDGE_KNOTS / 2];
}


/* Quantiles; those that are equal become one, with their mean score. */

static void
judge_reference_knots(judge_reference_t *row, const judge_weighed_t *values,
    size_t n)
{
    size_t  i, k, same;
    double  passed, total, value;

    for (i = 0, total = 0; i < n; i++) {
        total += values[i].weight;
    }

    for (k = 0, i = 0, passed = 0, same = 0; k < JUDGE_KNOTS && n > 0; k++) {
        while (i + 1 < n
               && passed + values[i].weight
                  < total * ((double) k + 0.5) / JUDGE_KNOTS)
        {
            passed += values[i++].weight;
        }

        value = values[i].value;

        /* what nearly all texts lack is told from what few have */

        if (k == JUDGE_KNOTS - 1 && row->n == 1
            && (float) value <= row->knots[0].value)
        {
            value = values[n - 1].value;
        }

        if (row->n > 0
            && value <= (double) row->knots[row->n - 1].value
                        + JUDGE_KNOT_LEAST)
        {
            same++;

        } else {
            row->knots[row->n++] = (judge_knot_t) { (float) value, 0 };
            same = 1;
        }

        row->knots[row->n - 1].score
            += (float) ((judge_reference_normal(k)
                         - (double) row->knots[row->n - 1].score)
                        / (double) same);
    }

    row->n = row->n < 2 ? 0 : row->n;
}


static double
judge_reference_spread(const judge_kind_t *kinds, size_t nkinds,
    size_t feature, const judge_reference_t *row)
{
    size_t  i, k, n;
    double  mean, square, score, sum;

    for (k = 0, n = 0, sum = 0; k < nkinds; k++) {
        if (!judge_reference_uses(&kinds[k], feature)) {
            continue;
        }

        mean = 0;
        square = 0;

        for (i = 0; i < kinds[k].n; i++) {
            score = judge_reference_score(row,
                        judge_reference_at(kinds[k].features[i], feature,
                                           (double) row->drawn));
            mean += score / (double) kinds[k].n;
            square += score * score / (double) kinds[k].n;
        }

        sum += sqrt(judge_clamp(square - mean * mean, 0, 16));
        n++;
    }

    sum = judge_share(sum, (double) n);

    return sum < JUDGE_SPREAD_LEAST ? JUDGE_SPREAD_LEAST : sum;
}


/* Digits enough for a float of any size, and no exponent. */

static void
judge_reference_number(double value, char *out, size_t size)
{
    snprintf(out, size, "%.*f",
             fabs(value) >= 100 ? 4 : fabs(value) >= 1 ? 6 : 8, value);
}


void
judge_reference_print(const judge_reference_t *rows)
{
    int                       width;
    char                      number[40], word[64];
    size_t                    i, k;
    const judge_reference_t  *row;

    for (i = 0; i < JUDGE_FEATURES; i++) {
        row = &rows[i];

        if (row->n == 0) {
            continue;
        }

        judge_reference_number((double) row->drawn, number, sizeof(number));
        printf("%s %s %.4f", judge_features[i].name, number,
               (double) row->spread);

        for (k = 0, width = 80; k < row->n; k++) {
            judge_reference_number((double) row->knots[k].value, number,
                                   sizeof(number));
            snprintf(word, sizeof(word), " %s:%.4f", number,
                     (double) row->knots[k].score);
            width += (int) strlen(word);

            if (width > 79) {
                printf("\n   ");
                width = 3 + (int) strlen(word);
            }

            printf("%s", word);
        }

        printf("\n");
    }
}
