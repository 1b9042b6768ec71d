/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>

#include "analysis/learning/agreement.h"


typedef struct {
    uint32_t  group;
    uint32_t  item;
} judge_agreement_member_t;


static int
judge_agreement_by_group(const void *a, const void *b)
{
    const judge_agreement_member_t  *x = a, *y = b;

    return x->group != y->group ? (x->group < y->group ? -1 : 1)
           : x->item < y->item ? -1 : x->item > y->item;
}


uint32_t *
judge_agreement_units(judge_arena_t *arena, const judge_agreement_set_t *set,
    size_t most, size_t *n)
{
    size_t                     i, groups;
    uint32_t                  *unit;
    judge_agreement_member_t  *order;

    unit = judge_array_alloc(arena, set->nitems + 1, sizeof(uint32_t));
    order = judge_array_alloc(arena, set->nitems + 1,
                              sizeof(judge_agreement_member_t));
    if (unit == NULL || order == NULL) {
        return NULL;
    }

    for (i = 0; i < set->nitems; i++) {
        order[i] = (judge_agreement_member_t) {
            set->group ? set->group[i] : (uint32_t) i, (uint32_t) i
        };
    }

    qsort(order, set->nitems, sizeof(judge_agreement_member_t),
          judge_agreement_by_group);

    for (i = 0, groups = 0; i < set->nitems; i++) {
        groups += i == 0 || order[i].group != order[i - 1].group;
        unit[order[i].item] = (uint32_t) groups - 1;
    }

    *n = groups < most ? groups : most;

    for (i = 0; groups > *n && i < set->nitems; i++) {
        unit[i] = (uint32_t) ((uint64_t) unit[i] * *n / groups);
    }

    return unit;
}
