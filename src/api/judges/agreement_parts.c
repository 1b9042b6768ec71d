/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <stdlib.h>

#include "api/judges/agreement_parts.h"


const char *const  judge_cascade_names[JUDGE_CASCADE_COUNT] = {
    "as_decided", "builtin_alone", "model", "builtin_there"
};


/* --- Among people -------------------------------------------------------- */

static void
judge_agreement_people_score(const judge_opinion_t *rows, size_t n,
    size_t turn, float *human, float *pred, judge_ratings_t *ratings)
{
    size_t  i;
    double  one;

    for (i = 0; i < n; i++) {
        ratings->n++;
        ratings->sum += rows[i].score;
        ratings->squares += rows[i].score * rows[i].score;
    }

    one = rows[turn % n].score;
    *pred = (float) one;
    *human = (float) ((ratings->sum - one) / (double) (n - 1));
}


judge_rc_e
judge_agreement_people(judge_arena_t *arena, const judge_opinion_list_t *list,
    const judge_str_t *criteria, size_t ncriteria, const double *pass,
    judge_agreement_t *targets)
{
    size_t                  i, end, t, offset, nitems, ntargets;
    float                  *human, *pred;
    judge_ratings_t        *ratings;
    judge_agreement_set_t   set;
    const judge_opinion_t  *rows = list->rows;

    ntargets = ncriteria + 1;

    for (i = 0, nitems = 0; i < list->count; i++) {
        nitems += i == 0 || !judge_str_eq(rows[i].evaluation_id,
                                          rows[i - 1].evaluation_id);
    }

    human = judge_array_alloc(arena, nitems * ntargets + 1, sizeof(float));
    pred = judge_array_alloc(arena, nitems * ntargets + 1, sizeof(float));
    ratings = judge_array_alloc(arena, nitems * ntargets + 1,
                                sizeof(judge_ratings_t));
    if (human == NULL || pred == NULL || ratings == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < nitems * ntargets; i++) {
        human[i] = NAN;
        pred[i] = NAN;
    }

    for (i = 0, nitems = 0; i < list->count; i = end) {
        nitems += i == 0 || !judge_str_eq(rows[i].evaluation_id,
                                          rows[i - 1].evaluation_id);

        for (end = i; end < list->count
                      && judge_str_eq(rows[end].evaluation_id,
                                      rows[i].evaluation_id)
                      && judge_str_eq(rows[end].criterion_id,
                                      rows[i].criterion_id); end++)
        {
            /* void */
        }

        t = rows[i].criterion_id.len
            ? judge_str_index(criteria, ncriteria, rows[i].criterion_id)
            : ncriteria;

        if ((t < ncriteria || rows[i].criterion_id.len == 0) && end - i > 1) {
            offset = (nitems - 1) * ntargets + t;
            judge_agreement_people_score(rows + i, end - i, nitems,
                                         &human[offset], &pred[offset],
                                         &ratings[offset]);
        }
    }

    set = (judge_agreement_set_t) {
        .nitems = nitems, .ntargets = ntargets, .nmean = ncriteria,
        .human = human, .pred = pred, .ratings = ratings, .pass = pass
    };

    return judge_agreement(arena, &set, targets);
}


/* --- Of what is escalated ------------------------------------------------ */

/* Returns the item's score under that policy; NaN: it is not counted. */

static float
judge_agreement_cascade_pred(const judge_training_data_t *l,
    judge_cascade_e which, size_t i)
{
    float                         shown;
    const judge_training_item_t  *item = &l->items[i];

    shown = l->shown[i * l->ntargets + l->ncriteria];

    if (!item->decided) {
        return NAN;
    }

    switch (which) {
    case JUDGE_CASCADE_DECIDED:
        return shown;

    case JUDGE_CASCADE_BUILTIN:
        return isnan(item->builtin) ? shown : item->builtin;

    case JUDGE_CASCADE_MODEL:
        return isnan(item->builtin) ? NAN : shown;

    default:
        return item->builtin;
    }
}


judge_rc_e
judge_agreement_cascade(judge_arena_t *arena, const judge_agreement_set_t *all,
    const judge_training_data_t *l, const double *weights,
    judge_agreement_t agree[JUDGE_CASCADE_COUNT])
{
    float                  *human, *pred;
    size_t                  i, which;
    judge_rc_e              rc;
    judge_agreement_t       both[2];
    judge_agreement_set_t   set = *all;

    human = judge_array_alloc(arena, l->n + 1, sizeof(float));
    pred = judge_array_alloc(arena, l->n + 1, sizeof(float));
    if (human == NULL || pred == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < l->n; i++) {
        human[i] = judge_training_data_people(l, i,
                                              &l->target[i * l->ntargets],
                                              weights);
    }

    set.ntargets = set.nmean = 1;
    set.human = human;
    set.pred = pred;
    set.pass = &all->pass[l->ncriteria];

    for (which = 0, rc = JUDGE_OK; which < JUDGE_CASCADE_COUNT
                                   && rc == JUDGE_OK; which++)
    {
        for (i = 0; i < l->n; i++) {
            pred[i] = judge_agreement_cascade_pred(l, (judge_cascade_e) which,
                                                   i);
        }

        rc = judge_agreement(arena, &set, both);
        agree[which] = both[0];
    }

    return rc;
}


/* --- Of the members of a panel ------------------------------------------- */

/* The score that a member gave, or the panel, if the row is the last one. */

static float
judge_agreement_panel_pred(const judge_training_data_t *data, size_t item,
    size_t row, size_t c)
{
    size_t  k;

    if (row < data->nmembers) {
        return judge_training_data_member(data, item, row)[c];
    }

    for (k = 0; k < data->nmembers; k++) {
        if (!isnan(judge_training_data_member(data, item, k)[c])) {
            return data->shown[item * data->ntargets + c];
        }
    }

    return NAN;
}


judge_rc_e
judge_agreement_panel(judge_arena_t *arena, const judge_agreement_set_t *all,
    const judge_training_data_t *data, judge_agreement_t *agree)
{
    float                  *pred;
    size_t                  i, c, nt, row;
    judge_rc_e              rc;
    judge_agreement_set_t   set = *all;

    nt = data->ntargets;
    set.pred = pred = judge_array_alloc(arena, data->n * nt + 1,
                                        sizeof(float));
    if (pred == NULL) {
        return JUDGE_NOMEM;
    }

    for (row = 0, rc = JUDGE_OK; rc == JUDGE_OK && row <= data->nmembers;
         row++)
    {
        for (i = 0; i < data->n; i++) {
            for (c = 0; c < data->ncriteria; c++) {
                pred[i * nt + c] = judge_agreement_panel_pred(data, i, row, c);
            }
            pred[i * nt + c] = NAN;    /* members give no overall score */
        }

        rc = judge_agreement(arena, &set, &agree[row * (nt + 1)]);
    }

    return rc;
}


/* --- By values of the metadata ------------------------------------------- */

static int
judge_agreement_slices_by_size(const void *a, const void *b)
{
    const judge_agreement_slice_t  *x = a, *y = b;

    return x->nitems != y->nitems ? (x->nitems < y->nitems ? 1 : -1)
           : (x->first > y->first) - (x->first < y->first);
}


/* Measures one slice; its scratch memory is freed before the next one. */

static judge_rc_e
judge_agreement_slice(judge_arena_t *arena, const judge_agreement_set_t *all,
    const judge_training_data_t *data, judge_agreement_slice_t *slice)
{
    float                  *human;
    size_t                  i, k, n, t;
    judge_rc_e              rc;
    judge_arena_t          *scratch;
    judge_agreement_set_t   set = *all;

    t = data->ntargets;
    scratch = judge_arena_create(256 * 1024);
    if (scratch == NULL) {
        return JUDGE_NOMEM;
    }

    slice->agree = judge_array_alloc(arena, t + 1, sizeof(judge_agreement_t));
    set.human = human = judge_array_alloc(scratch, data->n * t, sizeof(float));
    rc = JUDGE_NOMEM;

    if (slice->agree && human) {
        for (i = 0; i < data->n; i++) {
            for (k = 0; k < t; k++) {
                n = i * t + k;
                human[n] = data->items[i].slice.data
                           && judge_str_eq(data->items[i].slice, slice->value)
                           ? data->target[n] : NAN;
            }
        }
        rc = judge_agreement(scratch, &set, slice->agree);
    }

    judge_arena_destroy(scratch);

    return rc;
}


judge_rc_e
judge_agreement_slices(judge_arena_t *arena, const judge_agreement_set_t *all,
    const judge_training_data_t *data,
    judge_agreement_slice_t slices[JUDGE_AGREEMENT_SLICES], size_t *n,
    size_t *values)
{
    size_t                    i, k;
    judge_rc_e                rc;
    judge_str_t               value;
    judge_agreement_slice_t  *list;

    list = judge_array_alloc(arena, data->n + 1,
                             sizeof(judge_agreement_slice_t));
    if (list == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, *values = 0; i < data->n; i++) {
        value = data->items[i].slice;
        if (value.data == NULL) {
            continue;
        }

        for (k = 0; k < *values && !judge_str_eq(list[k].value, value); k++) {
            /* void */
        }

        *values += k == *values;
        list[k].value = value;
        list[k].first = list[k].nitems ? list[k].first : i;
        list[k].nitems++;
    }

    qsort(list, *values, sizeof(judge_agreement_slice_t),
          judge_agreement_slices_by_size);

    *n = *values < JUDGE_AGREEMENT_SLICES ? *values : JUDGE_AGREEMENT_SLICES;

    for (i = 0, rc = JUDGE_OK; rc == JUDGE_OK && i < *n; i++) {
        slices[i] = list[i];
        rc = judge_agreement_slice(arena, all, data, &slices[i]);
    }

    return rc;
}
