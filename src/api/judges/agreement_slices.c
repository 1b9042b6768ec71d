/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "api/judges/agreement_slices.h"


static int judge_agreement_slices_by_value(const void *a, const void *b);
static int judge_agreement_slices_by_size(const void *a, const void *b);


/* Measures one slice; its scratch memory is freed before the next one. */

static judge_rc_e
judge_agreement_slice(judge_arena_t *arena, const judge_training_data_t *data,
    const double *pass, judge_agreement_slice_t *slice)
{
    size_t                  i, n, t;
    float                  *human, *pred;
    uint32_t               *group;
    judge_rc_e              rc;
    judge_arena_t          *scratch;
    judge_agreement_set_t   set;

    t = data->ntargets;
    scratch = judge_arena_create(256 * 1024);
    if (scratch == NULL) {
        return JUDGE_NOMEM;
    }

    slice->agree = judge_array_alloc(arena, t + 1, sizeof(judge_agreement_t));
    human = judge_array_alloc(scratch, slice->nitems * t, sizeof(float));
    pred = judge_array_alloc(scratch, slice->nitems * t, sizeof(float));
    group = judge_array_alloc(scratch, slice->nitems, sizeof(uint32_t));

    if (slice->agree == NULL || human == NULL || pred == NULL
        || group == NULL)
    {
        judge_arena_destroy(scratch);
        return JUDGE_NOMEM;
    }

    for (i = slice->first, n = 0; i < data->n && n < slice->nitems; i++) {
        if (data->items[i].slice.data
            && judge_str_eq(data->items[i].slice, slice->value))
        {
            memcpy(human + n * t, data->target + i * t, t * sizeof(float));
            memcpy(pred + n * t, data->shown + i * t, t * sizeof(float));
            group[n++] = data->items[i].group;
        }
    }

    set = (judge_agreement_set_t) {
        .nitems = n, .ntargets = t, .nmean = data->ncriteria, .human = human,
        .pred = pred, .pass = pass, .group = group, .intervals = true
    };

    rc = judge_agreement(scratch, &set, slice->agree);
    judge_arena_destroy(scratch);

    return rc;
}


judge_rc_e
judge_agreement_slices(judge_arena_t *arena,
    const judge_training_data_t *data, const double *pass,
    judge_agreement_slice_t slices[JUDGE_AGREEMENT_SLICES], size_t *n,
    size_t *all)
{
    size_t                    i, found;
    judge_rc_e                rc;
    judge_agreement_slice_t  *list;

    list = judge_array_alloc(arena, data->n + 1,
                             sizeof(judge_agreement_slice_t));
    if (list == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, found = 0; i < data->n; i++) {
        if (data->items[i].slice.data) {
            list[found++] = (judge_agreement_slice_t) {
                .value = data->items[i].slice, .nitems = 1, .first = i
            };
        }
    }

    qsort(list, found, sizeof(judge_agreement_slice_t),
          judge_agreement_slices_by_value);

    for (i = 0, *all = 0; i < found; i++) {
        if (*all && judge_str_eq(list[*all - 1].value, list[i].value)) {
            list[*all - 1].nitems++;
        } else {
            list[(*all)++] = list[i];
        }
    }

    qsort(list, *all, sizeof(judge_agreement_slice_t),
          judge_agreement_slices_by_size);

    *n = *all < JUDGE_AGREEMENT_SLICES ? *all : JUDGE_AGREEMENT_SLICES;

    for (i = 0, rc = JUDGE_OK; rc == JUDGE_OK && i < *n; i++) {
        slices[i] = list[i];
        rc = judge_agreement_slice(arena, data, pass, &slices[i]);
    }

    return rc;
}


/* Items with the same value are sorted by their index. */

static int
judge_agreement_slices_by_value(const void *a, const void *b)
{
    int                             order;
    size_t                          shorter;
    const judge_agreement_slice_t  *x = a, *y = b;

    shorter = x->value.len < y->value.len ? x->value.len : y->value.len;
    order = memcmp(x->value.data, y->value.data, shorter);

    if (order == 0) {
        order = (x->value.len > y->value.len) - (x->value.len < y->value.len);
    }

    return order ? order : (x->first > y->first) - (x->first < y->first);
}


static int
judge_agreement_slices_by_size(const void *a, const void *b)
{
    const judge_agreement_slice_t  *x = a, *y = b;

    return x->nitems != y->nitems ? (x->nitems < y->nitems ? 1 : -1)
           : (x->first > y->first) - (x->first < y->first);
}
