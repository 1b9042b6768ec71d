/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Which examples are shown: the ones most alike, of those that say the same
 * one, never beyond the budget, always the same. */


#include <math.h>
#include <string.h>

#include "analysis/llm/fewshot.h"
#include "analysis/llm/prompt.h"
#include "tap.h"


#define T_BEES  "the bees make honey in the hive and the queen lays eggs"
#define T_CARS  "a car needs fuel and its engine turns the wheels on a road"
#define T_RAIN  "rain falls from clouds where water has cooled in the sky"


static const float  t_scores[] = { 90, NAN };


static judge_fewshot_t
t_item(const char *text, uint32_t group)
{
    return (judge_fewshot_t) { .text = judge_str_c(text), .scores = t_scores,
                             .group = group };
}


static void
test_choice(judge_arena_t *a)
{
    size_t               n, again, chosen[JUDGE_FEWSHOT_MOST],
                         same[JUDGE_FEWSHOT_MOST];
    uint32_t             apart;
    judge_str_t          text = JUDGE_STR("why do bees make honey? for the"
                                          " queen and her eggs");
    judge_fewshot_t        items[] = {
        t_item(T_CARS, 1), t_item(T_BEES, 2), t_item(T_BEES, 3),
        t_item(T_RAIN, 4), t_item("bees are kept for their honey", 5)
    };
    judge_fewshot_pool_t  *pool;

    pool = judge_fewshot_create(a, items, 5);
    t_ok(pool != NULL, "a pool of examples can be made");

    t_is_int(judge_fewshot_choose(pool, a, text, NULL, chosen, &n), JUDGE_OK,
             "examples can be chosen for a text");
    t_is_int((int64_t) n, JUDGE_FEWSHOT_MOST,
             "as many examples are shown as may be");
    t_is_int((int64_t) chosen[0], 1, "the example most alike is shown first");
    t_is_int((int64_t) chosen[1], 4,
             "the next example is another one like it");
    t_ok(chosen[2] != 2,
         "the copy of an example is not shown, as it says nothing new");

    t_is_int(judge_fewshot_choose(pool, a, text, NULL, same, &again), JUDGE_OK,
             "examples can be chosen a second time");
    t_ok(n == again && memcmp(chosen, same, n * sizeof(size_t)) == 0,
         "the same examples are chosen for the same text");

    apart = 2;
    (void) judge_fewshot_choose(pool, a, text, &apart, chosen, &n);
    t_is_int((int64_t) chosen[0], 2,
             "an example of the group to be kept apart is not shown");

    (void) judge_fewshot_choose(pool, a, JUDGE_STR(""), NULL, chosen, &n);
    t_ok(n > 0, "a text without words has some examples, too");
}


static void
test_budget(judge_arena_t *a)
{
    char                   text[4000];
    size_t                 i, n, chosen[JUDGE_FEWSHOT_MOST];
    int64_t                tokens;
    judge_fewshot_t        items[20];
    judge_fewshot_pool_t  *pool;

    for (i = 0; i < sizeof(text); i++) {
        text[i] = i % 6 == 5 ? ' ' : (char) ('a' + (i * i / 7) % 26);
    }

    for (i = 0; i < 20; i++) {
        items[i] = t_item("", (uint32_t) i);
        items[i].text = (judge_str_t) { 3000 - 10 * i, text + i };
    }

    pool = judge_fewshot_create(a, items, 20);
    (void) judge_fewshot_choose(pool, a, items[0].text, NULL, chosen, &n);

    for (i = 0, tokens = 0; i < n; i++) {
        tokens += judge_prompt_tokens(items[chosen[i]].text);
    }

    t_ok(n >= 1 && n < JUDGE_FEWSHOT_MOST,
         "%zu of long examples are shown, not all that may be", n);
    t_ok(tokens <= JUDGE_FEWSHOT_TOKENS,
         "the examples stay within their budget: %d tokens", (int) tokens);

    items[0].text = (judge_str_t) { 0, NULL };
    t_ok(judge_fewshot_create(a, items, 0) == NULL,
         "a pool without examples can't be made");
    t_ok(judge_fewshot_create(a, items, JUDGE_FEWSHOT_ITEMS + 1) == NULL,
         "a pool of too many examples can't be made");
}


static void
test_excerpt(judge_arena_t *a)
{
    judge_str_t  s;

    s = judge_fewshot_excerpt(a, JUDGE_STR("short"), 20);
    t_is_str(s, "short", "an excerpt of a short text is the text");
    s = judge_fewshot_excerpt(a, JUDGE_STR("a\xc3\xa4\xc3\xa4\xc3\xa4"), 6);
    t_is_str(s, "a\xc3\xa4\xe2\x80\xa6",
             "an excerpt is cut between characters");
    t_ok(s.len <= 6, "an excerpt is not longer than asked for");
}


int
main(void)
{
    judge_arena_t  *a;

    a = judge_arena_create(65536);
    test_choice(a);
    test_budget(a);
    test_excerpt(a);
    judge_arena_destroy(a);

    return t_done();
}
