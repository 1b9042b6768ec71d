/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Budgets of language models. */


#include <stdlib.h>

#include "base/core/id.h"
#include "tap.h"
#include "work/service/budget.h"


#define NOW  INT64_C(1780000000000)

static const judge_str_t  a = judge_str("org_a");
static const judge_str_t  b = judge_str("org_b");


static void
test_requests(judge_budget_t *budget)
{
    int                    i;
    judge_budget_limits_t  limits = { .requests = 60 };

    for (i = 0; i < 60; i++) {
        if (judge_budget_take(budget, a, &limits, NOW, 1000000) != 0) {
            break;
        }
    }

    t_is_int(i, 60,
             "a minute's requests can be made at once, whatever their tokens");
    t_is_int(judge_budget_take(budget, a, &limits, NOW, 1), 1000,
             "the next request can be made a second later");
    t_is_int(judge_budget_take(budget, b, &limits, NOW, 1), 0,
             "another organization has a budget of its own");
    t_is_int(judge_budget_take(budget, a, &limits, NOW + 1000, 1), 0,
             "a request that was to wait can be made after its wait");

    limits.requests = 0;
    t_is_int(judge_budget_take(budget, a, &limits, NOW, 1), 0,
             "a model without a limit takes any request");
}


static void
test_tokens(judge_budget_t *budget)
{
    judge_budget_limits_t  limits = { .requests = 10, .tokens = 6000 };

    t_is_int(judge_budget_take(budget, a, &limits, NOW, 4000), 0,
             "tokens can be taken while there are enough");
    t_is_int(judge_budget_take(budget, a, &limits, NOW, 3000), 10000,
             "tokens that are missing flow in after ten seconds");

    judge_budget_correct(budget, a, &limits, NOW, 3000, 4000);
    t_is_int(judge_budget_take(budget, a, &limits, NOW, 3000), 0,
             "tokens that were paid and not used can be taken");

    judge_budget_correct(budget, a, &limits, NOW, 5000, 3000);
    t_is_int(judge_budget_take(budget, a, &limits, NOW, 1000), 30000,
             "tokens that were used beyond what was paid are owed");

    t_is_int(judge_budget_take(budget, b, &limits, NOW, 1000000), 0,
             "a request of more tokens than a minute has can be made");
    t_is_int(judge_budget_take(budget, b, &limits, NOW, 6000), 60000,
             "a request beyond a minute's tokens empties all of it");
    judge_budget_correct(budget, b, &limits, NOW, 6000, 1000000);
    t_is_int(judge_budget_take(budget, b, &limits, NOW, 6000), 60000,
             "what was never taken of an estimate is not given back");
    judge_budget_correct(budget, b, &limits, NOW, INT64_MAX, 1);
    judge_budget_correct(budget, b, &limits, NOW, INT64_MIN, INT64_MAX);
}


/* What was refused for its tokens costs no request. */

static void
test_both(judge_budget_t *budget)
{
    int                    i;
    judge_budget_limits_t  limits = { .requests = 2, .tokens = 100 };

    t_is_int(judge_budget_take(budget, a, &limits, NOW, 100), 0,
             "a request with all tokens can be made");

    for (i = 0; i < 5; i++) {
        (void) judge_budget_take(budget, a, &limits, NOW, 100);
    }

    limits.tokens = 0;
    t_is_int(judge_budget_take(budget, a, &limits, NOW, 1), 0,
             "a request that was refused for its tokens costs none");
    t_ok(judge_budget_take(budget, a, &limits, NOW, 1) > 0,
         "a third request of two can't be made");
}


static void
test_plan(judge_budget_t *budget)
{
    int                    i;
    judge_ms_t             at, last;
    judge_budget_limits_t  limits = { .requests = 60, .tokens = 6000 };

    at = judge_budget_plan(budget, a, &limits, NOW, 500, 10);
    t_is_int(at - NOW, 500, "the first request is planned for when it asks");
    at = judge_budget_plan(budget, a, &limits, NOW, 500, 10);
    t_is_int(at - NOW, 1500,
             "the second request is planned a second behind the first");
    at = judge_budget_plan(budget, a, &limits, NOW, 500, 300);
    t_is_int(at - NOW, 4500,
             "a request of many tokens is planned for when they have flowed "
             "in");
    at = judge_budget_plan(budget, a, &limits, NOW + 9000, 500, 10);
    t_is_int(at - NOW, 9500, "time that has passed does not count for a plan");

    for (i = 0, last = 0; i < 10000; i++) {
        at = judge_budget_plan(budget, a, &limits, NOW, 500, 10);
        last = at > last ? at : last;
        if (at < NOW + 500) {
            break;
        }
    }

    t_is_int(i, 10000, "no request is planned for before it asks");
    t_ok(last <= NOW + 500 + JUDGE_BUDGET_AHEAD,
         "no request is planned for too far ahead");

    limits.requests = 6000;
    limits.tokens = 0;
    at = judge_budget_plan(budget, a, &limits, NOW, 10, 10);
    t_is_int(at - NOW, 10, "a plan starts over when a limit is raised");
    at = judge_budget_plan(budget, a, &limits, NOW, 10, 10);
    t_is_int(at - NOW, 20, "a plan goes on by the limits of its start");
}


/* More organizations than slots share some: less for them, never more. */

static void
test_many(judge_budget_t *budget)
{
    int                    i, taken;
    judge_id_t             id;
    judge_budget_limits_t  limits = { .requests = 1 };

    for (i = 0, taken = 0; i < 20000; i++) {
        if (judge_id_make(&id, "org", NOW) != JUDGE_OK) {
            break;
        }
        taken += judge_budget_take(budget, judge_id_str(&id), &limits, NOW, 1)
                 == 0;
    }

    t_ok(taken > 3000 && taken <= 4096,
         "organizations that share slots get less, never more: %d of %d",
         taken, i);
}


static void
test(void (*run)(judge_budget_t *budget))
{
    judge_budget_t  *budget;

    budget = calloc(1, sizeof(judge_budget_t));
    if (budget) {
        run(budget);
    }

    free(budget);
}


int
main(void)
{
    test(test_requests);
    test(test_tokens);
    test(test_both);
    test(test_plan);
    test(test_many);

    return t_done();
}
