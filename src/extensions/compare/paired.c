/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <string.h>

#include "api/judges/criteria.h"
#include "extensions/compare/paired.h"


#define JUDGE_PAIRED_EVEN  1e-9        /* votes that differ by rounding only */


judge_rc_e
judge_paired_init(judge_arena_t *arena, const judge_compared_batch_t *batch,
    judge_paired_t *pairs)
{
    size_t  n;

    *pairs = (judge_paired_t) { .batch = batch,
                                .ntargets = batch->criteria.count + 1 };
    n = batch->n * pairs->ntargets;
    pairs->compared = judge_array_alloc(arena, n, sizeof(judge_candidate_t));
    n *= batch->n;
    pairs->signs = judge_array_alloc(arena, n, sizeof(int8_t));
    pairs->asked = judge_array_alloc(arena, pairs->ntargets, sizeof(bool));
    if (pairs->compared == NULL || pairs->signs == NULL
        || pairs->asked == NULL)
    {
        return JUDGE_NOMEM;
    }

    memset(pairs->signs, JUDGE_PAIRED_UNASKED, n);

    return JUDGE_OK;
}


int8_t *
judge_paired_signs(const judge_paired_t *pairs, size_t first, size_t second)
{
    return pairs->signs + (first * pairs->batch->n + second) * pairs->ntargets;
}


judge_rc_e
judge_paired_add(judge_arena_t *arena, judge_paired_t *pairs,
    const judge_pair_answer_t *row)
{
    size_t                        t;
    int8_t                       *signs;
    judge_rc_e                    rc;
    judge_json_t                 *root;
    const judge_json_t           *v;
    const judge_criterion_row_t  *criteria = pairs->batch->criteria.items;

    if ((uint64_t) row->first >= pairs->batch->n
        || (uint64_t) row->second >= pairs->batch->n)
    {
        return JUDGE_OK;
    }

    rc = judge_json_parse(arena, row->answer, &root, NULL);
    if (rc != JUDGE_OK) {
        return rc == JUDGE_NOMEM ? rc : JUDGE_OK;
    }

    pairs->tokens += row->tokens;
    signs = judge_paired_signs(pairs, (size_t) row->first,
                               (size_t) row->second);
    pairs->asked[0] = true;
    signs[0] = judge_json_get(root, "error") ? JUDGE_PAIRED_FAILED : 0;

    for (t = 1; t < pairs->ntargets; t++) {
        v = judge_json_find(root, criteria[t - 1].id);
        if (v && v->type == JUDGE_JSON_INTEGER) {
            signs[t] = (int8_t) ((v->integer > 0) - (v->integer < 0));
            pairs->asked[t] = true;
        }
    }

    return JUDGE_OK;
}


judge_rc_e
judge_paired_read(judge_arena_t *arena, const judge_compared_batch_t *batch,
    const judge_scored_t *scored, const judge_comparison_load_t *load,
    size_t cell, size_t *at, judge_paired_t *pairs)
{
    judge_rc_e  rc;

    rc = judge_paired_init(arena, batch, pairs);
    if (rc == JUDGE_OK) {
        judge_scored_item(scored, cell, pairs->compared);
    }

    for ( /* void */ ; rc == JUDGE_OK && *at < load->nanswers
                       && load->answers[*at].item
                          == load->first + (int64_t) cell; ++*at)
    {
        rc = judge_paired_add(arena, pairs, &load->answers[*at]);
    }

    return rc;
}


int
judge_paired_both(const judge_paired_t *pairs, size_t a, size_t b, size_t t,
    bool *differ)
{
    int8_t  forward, reverse;

    forward = judge_paired_signs(pairs, a, b)[t];
    reverse = judge_paired_signs(pairs, b, a)[t];
    *differ = forward != -reverse;

    return forward > 1 || reverse > 1 ? (forward > reverse ? forward : reverse)
           : *differ ? 0 : forward;
}


/* Returns the sign by one criterion; target > 0. */

static int
judge_paired_criterion(const judge_paired_t *pairs, size_t a, size_t b,
    size_t t)
{
    bool                      differ;
    const judge_candidate_t  *list = pairs->compared + t * pairs->batch->n;

    return pairs->asked[t] ? judge_paired_both(pairs, a, b, t, &differ)
                           : judge_comparison_sign(&list[a], &list[b]);
}


int
judge_paired_sign(const judge_paired_t *pairs, size_t a, size_t b,
    size_t target)
{
    int                           sign;
    bool                          differ;
    size_t                        t;
    double                        votes;
    const judge_criterion_row_t  *criteria = pairs->batch->criteria.items;

    if (pairs->compared[a].same == pairs->compared[b].same) {
        return 0;
    }

    sign = judge_paired_both(pairs, a, b, 0, &differ);
    if (sign) {
        return sign;                   /* failed or not asked */
    }

    if (target) {
        return judge_paired_criterion(pairs, a, b, target);
    }

    for (t = 1, votes = 0; t < pairs->ntargets; t++) {
        sign = judge_paired_criterion(pairs, a, b, t);
        votes += sign == JUDGE_PAIRED_UNASKED ? 0
                 : sign * (criteria[t - 1].weight.set
                           ? criteria[t - 1].weight.value : 1);
    }

    return (votes > JUDGE_PAIRED_EVEN) - (votes < -JUDGE_PAIRED_EVEN);
}


/* --- The order ----------------------------------------------------------- */

/* Returns the text that was the first to have the place. */

static size_t
judge_paired_head(const judge_paired_order_t *order, size_t place)
{
    size_t  i;

    for (i = 0; order->place[order->queue[i]] != place; i++) { /* void */ }

    return order->queue[i];
}


/* Finds the place of a text among those already placed, unless an answer is
 * missing. */

static void
judge_paired_insert(const judge_paired_t *pairs, size_t target, size_t one,
    judge_paired_order_t *out)
{
    int     sign;
    size_t  i, low, high, at, head;

    for (low = 0, high = out->places; low < high; /* void */) {
        at = high == out->places ? high - 1 : (low + high) / 2;
        head = judge_paired_head(out, at);
        sign = judge_paired_sign(pairs, one, head, target);

        if (sign == JUDGE_PAIRED_UNASKED || sign == JUDGE_PAIRED_FAILED) {
            out->state = sign == JUDGE_PAIRED_FAILED ? JUDGE_PAIRED_STUCK
                                                     : JUDGE_PAIRED_ASK;
            out->ask[0] = one;
            out->ask[1] = head;
            return;
        }

        if (sign == 0) {
            out->place[one] = at;
            return;
        }

        low = sign > 0 ? low : at + 1;
        high = sign > 0 ? at : high;
    }

    for (i = 0; i < pairs->batch->n; i++) {
        out->place[i] += out->place[i] >= low
                         && out->place[i] < JUDGE_COMPARED_MAX;
    }

    out->place[one] = low;
    out->places++;
}


/* Begins with the highest score; texts without a score come last. */

void
judge_paired_order(const judge_paired_t *pairs, size_t target,
    judge_paired_order_t *out)
{
    double                    scores[JUDGE_COMPARED_MAX] = { 0 };
    size_t                    i, n = pairs->batch->n;
    const judge_candidate_t  *list = pairs->compared + target * n;

    *out = (judge_paired_order_t) { .state = JUDGE_PAIRED_SETTLED };

    for (i = 0; i < n; i++) {
        scores[i] = isnan(list[i].score) ? -1 : list[i].score;
        out->place[i] = JUDGE_COMPARED_MAX;
    }

    judge_comparison_sort(scores, n, out->queue);

    for (i = 0; i < n && out->state == JUDGE_PAIRED_SETTLED; i++) {
        if (list[out->queue[i]].same == out->queue[i]) {
            judge_paired_insert(pairs, target, out->queue[i], out);
        }
    }

    for (i = 0; i < n; i++) {
        out->place[i] = out->place[list[i].same];
    }
}


/* --- Who is the best ----------------------------------------------------- */

/* Sets the probabilities, and by how much the score of the first place exceeds
 * the best of the others.  Texts in the first place share JUDGE_PAIRED_SURE;
 * the others share the rest, which decreases from place to place.  Returns how
 * many different texts are in the first place. */

static size_t
judge_paired_probable(const judge_paired_order_t *order,
    const judge_candidate_t *list, size_t n, judge_comparison_t *out)
{
    size_t  i, k, texts;
    double  rest, next, mass[JUDGE_COMPARED_MAX];

    for (i = 0, texts = 0, rest = 0; i < n; i++) {
        k = order->place[i];
        mass[i] = pow((1 - JUDGE_PAIRED_SURE) / JUDGE_PAIRED_SURE, (double) k);
        texts += k == 0 && list[i].same == i;
        rest += k && list[i].same == i ? mass[i] : 0;
    }

    for (i = 0, next = NAN; i < n; i++) {
        k = order->place[i];
        out->best[i] = k == 0 ? (order->places > 1 ? JUDGE_PAIRED_SURE : 1)
                                / (double) texts
                              : (1 - JUDGE_PAIRED_SURE) * mass[i] / rest;
        next = k ? fmax(next, list[i].score) : next;
    }

    out->leader = list[judge_paired_head(order, 0)].same;
    out->probability = out->best[out->leader];
    out->difference = list[out->leader].score - next;

    return texts;
}


void
judge_paired_compare(const judge_paired_t *pairs, size_t target, double level,
    const char *open, judge_comparison_t *out)
{
    size_t                    i, first, n = pairs->batch->n;
    judge_paired_order_t      order;
    const judge_candidate_t  *list = pairs->compared + target * n;

    judge_paired_order(pairs, target, &order);

    judge_comparison_open(out, order.state == JUDGE_PAIRED_STUCK
                               ? "not_judged" : open);
    if (order.state != JUDGE_PAIRED_SETTLED) {
        return;
    }

    for (i = 0, first = 0; i < n; i++) {
        first += order.place[i] == 0;
    }

    if (judge_paired_probable(&order, list, n, out) > 1) {
        out->verdict = "tie";
        out->reason = "equal_pairs";
        out->difference = 0;
    } else {
        judge_comparison_decide(out, level, first);
    }
}


void
judge_paired_bias(const judge_paired_t *pairs, size_t target,
    judge_paired_bias_t *bias)
{
    bool    differ;
    size_t  a, b, t, last = target ? target : pairs->ntargets - 1;

    for (a = 0; a < pairs->batch->n; a++) {
        for (b = a + 1; b < pairs->batch->n; b++) {
            for (t = target ? target : 1; t <= last; t++) {
                if (judge_paired_both(pairs, a, b, t, &differ) <= 1) {
                    bias->both++;
                    bias->differ += differ;
                }
            }
        }
    }
}
