/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Putting texts in order by pairs: what is asked for, how often, and what
 * comes of answers that do not fit each other. */


#include <stdio.h>
#include <string.h>

#include "api/judges/criteria.h"
#include "extensions/compare/paired.h"
#include "tap.h"


#define T_MOST  16

static judge_arena_t           *t_arena;
static judge_criterion_row_t    t_criteria[2];
static judge_compared_batch_t   t_batch;
static judge_paired_t           t_pairs;
static unsigned                 t_seed = 1;


static unsigned
t_random(unsigned n)
{
    t_seed = t_seed * 1664525 + 1013904223;

    return (t_seed >> 16) % n;
}


/* n texts, the first of which has the highest score. */

static bool
t_begin(size_t n)
{
    size_t  i, t;

    judge_arena_reset(t_arena);
    t_criteria[0].id = JUDGE_STR("c1");
    t_criteria[1].id = JUDGE_STR("c2");
    t_batch = (judge_compared_batch_t) { .n = n };
    t_batch.criteria.items = t_criteria;
    t_batch.criteria.count = 2;

    if (judge_paired_init(t_arena, &t_batch, &t_pairs) != JUDGE_OK) {
        return false;
    }

    for (t = 0; t < 3; t++) {
        for (i = 0; i < n; i++) {
            t_pairs.compared[t * n + i] = (judge_candidate_t) {
                .score = 90 - (double) i, .same = i
            };
        }
    }

    return true;
}


static bool
t_answer(size_t first, size_t second, const char *answer)
{
    judge_pair_answer_t  row = {
        .first = (int64_t) first, .second = (int64_t) second, .calls = 1,
        .tokens = 10, .answer = judge_str_c(answer)
    };

    return judge_paired_add(t_arena, &t_pairs, &row) == JUDGE_OK;
}


static bool
t_sign(size_t first, size_t second, int sign)
{
    char  text[40];

    (void) snprintf(text, sizeof(text), "{\"c1\":%d,\"c2\":%d}", sign, sign);

    return t_answer(first, second, text);
}


/* Asks until the order is settled, and returns how many pairs that took; with
 * worths in `worth`, or else what chance says of each order. */

static size_t
t_settle(const size_t *worth, judge_paired_order_t *order)
{
    int     sign;
    size_t  asked, a, b;

    for (asked = 0; asked <= T_MOST * T_MOST; asked++) {
        judge_paired_order(&t_pairs, 0, order);
        if (order->state != JUDGE_PAIRED_ASK) {
            break;
        }

        a = order->ask[0];
        b = order->ask[1];
        sign = worth ? (worth[a] > worth[b]) - (worth[a] < worth[b])
                     : (int) t_random(3) - 1;
        (void) t_sign(a, b, sign);
        (void) t_sign(b, a, worth ? -sign : (int) t_random(3) - 1);
    }

    return asked;
}


/* Whether each place is that of the worth; equal ones share it. */

static bool
t_right(const judge_paired_order_t *order, const size_t *worth, size_t n)
{
    size_t  i, k;

    for (i = 0; i < n; i++) {
        for (k = 0; k < n; k++) {
            if ((worth[i] > worth[k]) != (order->place[i] < order->place[k])) {
                return false;
            }
        }
    }

    return order->state == JUDGE_PAIRED_SETTLED;
}


static void
t_swap(size_t *a, size_t *b)
{
    size_t  kept = *a;

    *a = *b;
    *b = kept;
}


/* All permutations of the worths, by Heap's algorithm. */

static void
t_permute(size_t *worth, size_t k, size_t n, size_t *least, size_t *most,
    bool *right)
{
    size_t                i, asked;
    judge_paired_order_t  order;

    if (k <= 1) {
        if (!t_begin(n)) {
            *right = false;
            return;
        }
        asked = t_settle(worth, &order);
        *least = asked < *least ? asked : *least;
        *most = asked > *most ? asked : *most;
        *right = *right && t_right(&order, worth, n);
        return;
    }

    for (i = 0; i < k; i++) {
        t_permute(worth, k - 1, n, least, most, right);
        t_swap(&worth[k % 2 ? 0 : i], &worth[k - 1]);
    }
}


static void
t_orders(void)
{
    bool    right;
    size_t  n, i, least, most, worth[T_MOST];

    static const size_t  mosts[] = { 0, 0, 1, 3, 6, 9, 13 };

    for (n = 2; n <= 6; n++) {
        for (i = 0; i < n; i++) {
            worth[i] = i;
        }
        least = T_MOST * T_MOST;
        most = 0;
        right = true;
        t_permute(worth, n, n, &least, &most, &right);
        t_ok(right, "each order of %zu texts is found", n);
        t_ok(least == n - 1 && most == mosts[n],
             "the order takes %zu to %zu pairs of %zu", least, most,
             n * (n - 1) / 2);
    }
}


static void
t_many(void)
{
    bool                  right = true, settled = true;
    size_t                round, i, asked, most = 0, worth[T_MOST];
    judge_paired_order_t  order;

    for (round = 0; round < 200; round++) {
        for (i = 0; i < T_MOST; i++) {
            worth[i] = t_random(round % 2 ? 5 : 100);
        }
        right = t_begin(T_MOST) && right;
        asked = t_settle(worth, &order);
        most = asked > most ? asked : most;
        right = right && t_right(&order, worth, T_MOST);

        settled = t_begin(T_MOST) && settled;
        asked = t_settle(NULL, &order);
        settled = settled && order.state == JUDGE_PAIRED_SETTLED
                  && asked <= 60;
    }

    t_ok(right && most <= 60,
         "sixteen texts, also equal ones, take %zu pairs at most", most);
    t_ok(settled, "an order is settled by chance answers, too");
}


static void
t_answers(void)
{
    int8_t                *signs;
    judge_paired_bias_t    bias = { 0, 0 };
    judge_paired_order_t   order;

    t_ok(t_begin(2) && t_answer(0, 99, "{\"c1\":1}")
         && t_answer((size_t) -1, 0, "{\"c1\":1}")
         && t_answer(0, 1, "[1]") && t_answer(1, 0, "{\"c1\":\"first\"}"),
         "what is stored as an answer may be anything");
    signs = judge_paired_signs(&t_pairs, 1, 0);
    t_ok(signs[1] == JUDGE_PAIRED_UNASKED,
         "a stored answer that can't be read says nothing");

    t_ok(t_begin(2) && t_answer(0, 1, "{\"c1\":7,\"c2\":1,\"c9\":1}")
         && t_answer(1, 0, "{\"c1\":-3,\"c2\":1}"),
         "two texts are compared in both orders");
    judge_paired_bias(&t_pairs, 0, &bias);
    t_ok(bias.both == 2 && bias.differ == 1,
         "one of two criteria is biased by the order");
    t_ok(judge_paired_sign(&t_pairs, 0, 1, 1) == 1
         && judge_paired_sign(&t_pairs, 1, 0, 1) == -1,
         "the criterion that is not biased is decided");
    t_ok(judge_paired_sign(&t_pairs, 0, 1, 2) == 0,
         "the criterion that is biased is a tie");

    t_ok(t_begin(2) && t_sign(0, 1, 1)
         && t_answer(1, 0, "{\"error\":\"MODEL_REFUSED\"}"),
         "two texts are compared in one order, the other failed");
    judge_paired_order(&t_pairs, 0, &order);
    t_ok(order.state == JUDGE_PAIRED_STUCK,
         "one order of two settles nothing");
}


int
main(void)
{
    t_arena = judge_arena_create(65536);
    if (t_arena == NULL) {
        return 1;
    }

    t_orders();
    t_many();
    t_answers();
    judge_arena_destroy(t_arena);

    return t_done();
}
