/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Descriptions of criteria, and what they require.  The first byte chooses
 * the type of the content and how many criteria there may be.  What must hold:
 * weights add up to 1, thresholds fall, names and descriptions are not empty,
 * and what is decided has checks.
 */


#include <math.h>
#include <stdlib.h>

#include "base/text/utf8.h"
#include "analysis/checks/require.h"
#include "analysis/criteria/criteria_parse.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
fuzz_check(const judge_parsed_criteria_t *out)
{
    size_t                           i;
    double                           sum;
    const judge_parsed_criterion_t  *c;

    sum = 0;

    for (i = 0; i < out->ncriteria; i++) {
        c = &out->criteria[i];
        sum += c->weight;

        if (c->name.len == 0 || c->description.len == 0
            || judge_utf8_check(c->name) < c->name.len
            || judge_utf8_check(c->description) < c->description.len
            || judge_utf8_length(c->name) > 200
            || c->description.len > 5000 || c->weight <= 0
            || c->excellent > 100 || c->excellent < c->good
            || c->good < c->fair || c->fair < c->poor || c->poor < 0)
        {
            abort();
        }
    }

    if ((out->ncriteria > 0 && fabs(sum - 1) > 1e-6)
        || !(out->confidence >= 0 && out->confidence <= 1))
    {
        abort();
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool                      decided;
    judge_str_t               error;
    judge_list_t              checks = { NULL, 0, false };
    judge_arena_t            *arena;
    judge_parsed_criteria_t   out;
    judge_parse_request_t     request;

    if (size == 0) {
        return 0;
    }

    arena = judge_arena_create(4096);
    if (arena == NULL) {
        return 0;
    }

    request.description = (judge_str_t) { size - 1,
                                          (const char *) data + 1 };
    request.content_type = (judge_parse_type_e) (data[0] % 4);
    request.max_criteria = data[0] / 4;
    request.weights = true;
    request.thresholds = true;

    if (judge_criteria_parse(arena, &request, &out, &error) == JUDGE_OK) {
        fuzz_check(&out);
    }

    if (judge_require_merge(arena, JUDGE_STR("Criterion"), request.description,
                            &checks, &decided) != JUDGE_OK
        || (decided && checks.count == 0))
    {
        abort();
    }

    judge_arena_destroy(arena);

    return 0;
}
