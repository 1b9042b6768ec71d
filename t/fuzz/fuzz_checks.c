/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The checks of a criterion, up to the first line break, on the text behind
 * it: JSON Schemas, expressions, and texts that should be JSON, XML, YAML and
 * so on.  Checks that are taken decide on any text within their allowance,
 * and each has a result.
 */


#include <stdlib.h>
#include <string.h>

#include "analysis/checks/checks.h"
#include "analysis/builtin/engine.h"
#include "base/text/utf8.h"


#define FUZZ_STEPS  1000000


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
fuzz_apply(judge_arena_t *arena, judge_rubric_t *rubric, judge_str_t text)
{
    size_t             i;
    judge_item_t       item = { .text = text };
    judge_verdict_t    verdict = { .overall = 70 };
    judge_allowance_t  allowance = judge_checks_allowance(0);

    allowance.steps = FUZZ_STEPS;
    verdict.scores = judge_calloc(arena, sizeof(judge_criterion_score_t));

    if (verdict.scores == NULL) {
        return;
    }

    verdict.scores[0].score = 70;
    verdict.scores[0].feedback = JUDGE_STR("judged");
    verdict.summary = JUDGE_STR("summary");

    if (judge_checks_apply(arena, rubric, &item, &verdict, &allowance)
        != JUDGE_OK
        || !(verdict.scores[0].score >= 0 && verdict.scores[0].score <= 100))
    {
        abort();
    }

    for (i = 0; i < verdict.scores[0].nchecks; i++) {
        if (judge_check_result(&verdict.scores[0].checks[i]) == NULL) {
            abort();
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge_str_t      checks, criteria, text;
    const uint8_t   *line;
    judge_arena_t   *arena;
    judge_rubric_t   rubric;

    line = memchr(data, '\n', size);
    if (line == NULL) {
        return 0;
    }

    arena = judge_arena_create(4096);
    if (arena == NULL) {
        return 0;
    }

    checks = (judge_str_t) { (size_t) (line - data), (const char *) data };
    text = (judge_str_t) { size - checks.len - 1, (const char *) line + 1 };
    text.len = judge_utf8_check(text);
    criteria = judge_str_printf(arena, "[{\"criterion_id\":\"c\",\"name\":"
                   "\"n\",\"description\":\"d\",\"decided\":true,\"checks\":"
                   "[%.*s]}]", (int) checks.len, checks.data);

    if (judge_utf8_check(checks) == checks.len
        && judge_rubric_read(arena, JUDGE_STR("j"), JUDGE_STR("d"), criteria,
                             &rubric) == JUDGE_OK
        && judge_checks_rubric(arena, arena, &rubric) == JUDGE_OK
        && rubric.ncriteria == 1)
    {
        fuzz_apply(arena, &rubric, text);
    }

    judge_arena_destroy(arena);

    return 0;
}
