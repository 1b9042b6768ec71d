/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria from descriptions: the files of t/data/criteria, whose first line
 * may be options ("options: type=video max=3"), and requests by hand.
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/criteria/criteria_parse.h"
#include "golden.h"
#include "tap.h"


static void
criterion_facts(golden_t *g, const judge_parsed_criterion_t *c, size_t n)
{
    size_t  i;

    golden_fact(g, c->name, "%zu name", n);
    golden_fact(g, c->name, "name");
    golden_fact(g, c->description, "%zu description", n);
    golden_fact(g, c->description, "%s description", c->name.data);
    golden_number(g, c->weight, "%zu weight", n);
    golden_number(g, c->weight, "%s weight", c->name.data);
    golden_number(g, c->excellent, "%s excellent", c->name.data);
    golden_number(g, c->good, "%s good", c->name.data);
    golden_number(g, c->fair, "%s fair", c->name.data);
    golden_number(g, c->poor, "%s poor", c->name.data);

    for (i = 0; i < c->nexamples; i++) {
        golden_fact(g, c->examples[i], "%s example", c->name.data);
    }
}


/* What holds of every answer. */

static bool
sound(const judge_parsed_criteria_t *out)
{
    bool                             ok;
    size_t                           i, k;
    double                           sum;
    const judge_parsed_criterion_t  *c;

    ok = out->confidence >= 0 && out->confidence <= 1
         && out->ncriteria <= JUDGE_PARSE_CRITERIA;
    sum = 0;

    for (i = 0; i < out->ncriteria; i++) {
        c = &out->criteria[i];
        sum += c->weight;
        ok &= c->name.len > 0 && c->name.len <= 200
              && c->description.len > 0 && c->description.len <= 5000
              && c->weight > 0 && c->excellent <= 100
              && c->excellent >= c->good && c->good >= c->fair
              && c->fair >= c->poor && c->poor >= 0 && c->nexamples <= 10;

        for (k = 0; k < i; k++) {
            ok &= !judge_str_eq(c->name, out->criteria[k].name);
        }
    }

    return ok && (out->ncriteria == 0 || fabs(sum - 1) < 1e-6);
}


static void
options(judge_str_t *text, judge_parse_request_t *request)
{
    const char  *end, *at;

    memset(request, 0, sizeof(judge_parse_request_t));
    request->weights = true;
    request->thresholds = true;

    if (!judge_str_starts(*text, JUDGE_STR("options:"))) {
        return;
    }

    end = memchr(text->data, '\n', text->len);
    at = memmem(text->data, (size_t) (end - text->data), "max=", 4);

    if (at != NULL) {
        request->max_criteria = (unsigned) atoi(at + 4);
    }

    at = memmem(text->data, (size_t) (end - text->data), "type=", 5);

    if (at != NULL) {
        request->content_type = judge_str_index(judge_parse_types,
            JUDGE_PARSE_IMAGE,
            (judge_str_t) { strcspn(at + 5, " \n"), at + 5 });
    }

    text->len -= (size_t) (end + 1 - text->data);
    text->data = end + 1;
}


static void
description_file(golden_t *g, judge_arena_t *arena, judge_str_t text)
{
    size_t                   i;
    judge_str_t              error;
    judge_parsed_criteria_t  out;
    judge_parse_request_t    request;

    options(&text, &request);
    request.description = text;

    if (judge_criteria_parse(arena, &request, &out, &error) != JUDGE_OK) {
        return;
    }

    t_ok(sound(&out), "sound");
    golden_number(g, (double) out.ncriteria, "count");
    golden_number(g, out.confidence, "confidence");

    for (i = 0; i < out.ncriteria; i++) {
        criterion_facts(g, &out.criteria[i], i + 1);
    }

    for (i = 0; i < out.nsuggestions; i++) {
        golden_fact(g, out.suggestions[i], "suggest");
    }
}


static void
test_request(judge_arena_t *arena)
{
    char                     *large;
    judge_str_t               error;
    judge_parsed_criteria_t   out;
    judge_parse_request_t     request = { .content_type = JUDGE_PARSE_TEXT };

    request.description = JUDGE_STR("Judge clarity, tone and accuracy.");
    t_is_int(judge_criteria_parse(arena, &request, &out, &error), JUDGE_OK,
             "a sentence");
    t_is_int((int64_t) out.ncriteria, 3, "has three");
    t_ok(!out.weights && !out.thresholds, "neither weights nor thresholds");
    t_ok(sound(&out), "sound");

    request.description = (judge_str_t) { 0, NULL };
    t_is_int(judge_criteria_parse(arena, &request, &out, &error), JUDGE_OK,
             "an absent description");
    t_ok(out.ncriteria == 0 && out.confidence == 0 && out.nsuggestions > 0,
         "has none, and says so");

    request.description = JUDGE_STR("clear \xff");
    t_is_int(judge_criteria_parse(arena, &request, &out, &error),
             JUDGE_INVALID, "no UTF-8");
    t_is_str(error, "description: expected UTF-8", "and why");

    large = judge_alloc(arena, JUDGE_PARSE_MAX + 1);
    memset(large, 'x', JUDGE_PARSE_MAX + 1);
    request.description = (judge_str_t) { JUDGE_PARSE_MAX + 1, large };
    t_is_int(judge_criteria_parse(arena, &request, &out, &error),
             JUDGE_INVALID, "too long");
}


/* As much as is allowed, of what might cost most. */

static void
test_large(judge_arena_t *arena)
{
    char                     *p;
    size_t                    i, k, len;
    judge_str_t               error;
    judge_parsed_criteria_t   out;
    judge_parse_request_t     request = { .weights = true };
    static const char *const  units[] = {
        "clarity, ", "clarity twice as important as tone and ", "a",
        "judge on for by ", "- item\n", "(((", "\"\"'' ", "1) a 2) b ",
        "**x** ", "The text should and ", "over over ", "30% ",
        "as important ", "# h\n", "|a|b\n", "for example such as ",
        "at least between 1 and 2 or ", ".. . . ", "a:\n", "no not never ",
        "judge the text on ", "make sure that ", "it should be ", "l'",
        "der Text soll ", "claridad y "
    };

    p = judge_alloc(arena, JUDGE_PARSE_MAX + 1);

    for (k = 0; k < sizeof(units) / sizeof(units[0]); k++) {
        len = strlen(units[k]);

        for (i = 0; i + len <= JUDGE_PARSE_MAX; i += len) {
            memcpy(p + i, units[k], len);
        }

        request.description = (judge_str_t) { i, p };
        t_is_int(judge_criteria_parse(arena, &request, &out, &error), JUDGE_OK,
                 "64 KiB of \"%.*s\"", (int) strcspn(units[k], "\n"),
                 units[k]);
        t_ok(sound(&out), "sound");
    }
}


int
main(int argc, char **argv)
{
    size_t          files;
    judge_arena_t  *arena;

    arena = judge_arena_create(65536);
    if (arena == NULL) {
        return 1;
    }

    files = golden_run("t/data/criteria", ".txt", description_file);
    t_ok(files >= 160, "%zu files", files);

    test_request(arena);
    test_large(arena);

    judge_arena_destroy(arena);

    return t_done();
}
