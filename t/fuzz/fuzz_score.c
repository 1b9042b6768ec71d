/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Any bytes are scored: the scores are in range, the feedback is UTF-8, and a
 * second time gives the same.  A zero byte parts criterion, text and source.
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "analysis/builtin/engine.h"


#define FUZZ_CRITERIA  3               /* one of the input, and two that are
                                          measured */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static judge_str_t
fuzz_part(const char **p, const char *end)
{
    const char   *zero;
    judge_str_t   part;

    zero = *p < end ? memchr(*p, '\0', (size_t) (end - *p)) : NULL;
    zero = zero != NULL ? zero : end;

    part = (judge_str_t) { (size_t) (zero - *p), *p };
    *p = zero < end ? zero + 1 : end;

    return part;
}


static void
fuzz_check(const judge_verdict_t *v, judge_str_t name, judge_str_t text)
{
    size_t  i;

    if (!isnan(v->overall) && !(v->overall >= 0 && v->overall <= 100)) {
        abort();
    }

    /* a score with its feedback, or the reason why there is none */

    for (i = 0; i < FUZZ_CRITERIA; i++) {
        if (isnan(v->scores[i].score)
            ? v->scores[i].reason.len == 0
            : !(v->scores[i].score >= 0 && v->scores[i].score <= 100)
              || v->scores[i].feedback.len == 0)
        {
            abort();
        }
    }

    /* what is said names the criterion as it is, and quotes the text */

    if (judge_utf8_check(name) == name.len
        && judge_utf8_check(text) == text.len)
    {
        if (judge_utf8_check(v->scores[0].feedback)
            != v->scores[0].feedback.len
            || judge_utf8_check(v->summary) != v->summary.len)
        {
            abort();
        }

        for (i = 0; i < v->nweaknesses; i++) {
            if (judge_utf8_check(v->weaknesses[i]) != v->weaknesses[i].len) {
                abort();
            }
        }
    }

    for (i = 0; i < v->nfeatures; i++) {
        if (!isfinite(v->features[i])) {
            abort();
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char         *p, *end;
    judge_item_t        item;
    judge_arena_t      *arena;
    judge_scorer_t     *scorer;
    judge_verdict_t     one, two;
    judge_criterion_t   criteria[FUZZ_CRITERIA] = {
        { .weight = 1 },
        { .weight = 1, .name = JUDGE_STR("Grammar") },
        { .weight = 2, .name = JUDGE_STR("Faithfulness") }
    };
    judge_rubric_t      rubric = { .criteria = criteria,
                                   .ncriteria = FUZZ_CRITERIA };

    p = (const char *) data;
    end = p + size;

    criteria[0].name = fuzz_part(&p, end);
    criteria[0].description = criteria[0].name;
    rubric.description = criteria[0].name;
    item.text = fuzz_part(&p, end);
    item.source = fuzz_part(&p, end);
    item.question = fuzz_part(&p, end);
    item.reference = (judge_str_t) { 0, NULL };

    /* what is left is a reference */

    rubric.references = &(judge_str_t) { (size_t) (end - p), p };
    rubric.nreferences = p < end;

    arena = judge_arena_create(1 << 16);
    scorer = judge_scorer_create(arena, &rubric);

    if (scorer == NULL
        || judge_score(scorer, &item, arena, &one) != JUDGE_OK
        || judge_explain(&one) != JUDGE_OK
        || judge_score(scorer, &item, arena, &two) != JUDGE_OK
        || judge_explain(&two) != JUDGE_OK)
    {
        abort();
    }

    fuzz_check(&one, criteria[0].name, item.text);

    if (memcmp(&one.overall, &two.overall, sizeof(double)) != 0
        || memcmp(one.features, two.features,
                  one.nfeatures * sizeof(float)) != 0
        || !judge_str_eq(one.scores[0].feedback, two.scores[0].feedback))
    {
        abort();
    }

    judge_arena_destroy(arena);

    return 0;
}
