/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <string.h>

#include "api/judges/criteria.h"
#include "extensions/compare/paired.h"


#define JUDGE_PAIRED_EVEN  1e-9        /* votes that differ by rounding only */


static void
judge_paired_clear(judge_paired_t *pairs)
{
    memset(pairs->signs, JUDGE_PAIRED_UNASKED,
           pairs->batch->n * pairs->batch->n * pairs->ntargets);
}


judge_rc_e
judge_paired_init(judge_arena_t *arena, const judge_compared_batch_t *batch,
    judge_paired_t *pairs)
{
    size_t  n;

    *pairs = (judge_paired_t) { .batch = batch,
                               .ntargets = batch->criteria.count + 1 };
    n = batch->n * batch->n * pairs->ntargets;
    pairs->signs = judge_array_alloc(arena, n, sizeof(int8_t));
    pairs->asked = judge_array_alloc(arena, pairs->ntargets, sizeof(bool));
    if (pairs->signs == NULL || pairs->asked == NULL) {
        return JUDGE_NOMEM;
    }

    judge_paired_clear(pairs);

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

    pairs->calls += (size_t) row->calls;
    pairs->tokens += (size_t) row->tokens;
    signs = judge_paired_signs(pairs, (size_t) row->first,
                              (size_t) row->second);
    pairs->asked[0] = true;
    signs[0] = judge_json_get(root, "error") ? JUDGE_PAIRED_FAILED : 0;

    for (v = root->type == JUDGE_JSON_OBJECT ? root->first : NULL; v;
         v = v->next)
    {
        for (t = 1; t < pairs->ntargets; t++) {
            if (v->type == JUDGE_JSON_INTEGER
                && judge_str_eq(v->key, criteria[t - 1].id))
            {
                signs[t] = (int8_t) ((v->integer > 0) - (v->integer < 0));
                pairs->asked[t] = true;
            }
        }
    }

    return JUDGE_OK;
}


judge_rc_e
judge_paired_read(judge_arena_t *arena, const judge_compared_batch_t *batch,
    const judge_pair_answer_t *rows, size_t n,
    const judge_compared_item_t *texts, judge_paired_t *pairs)
{
    size_t      i, t, asked;
    judge_rc_e  rc;

    rc = judge_paired_init(arena, batch, pairs);

    for (i = 0; i < n && rc == JUDGE_OK; i++) {
        rc = judge_paired_add(arena, pairs, &rows[i]);
    }

    for (t = 1, asked = 0; t < pairs->ntargets && rc == JUDGE_OK; t++) {
        asked += pairs->asked[t];
    }

    for (t = 0; t < pairs->ntargets && rc == JUDGE_OK && asked == 0; t++) {
        pairs->asked[t] = texts->by_model[t];
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
judge_paired_criterion(const judge_paired_t *pairs,
    const judge_candidate_t *compared, size_t a, size_t b, size_t t)
{
    bool                      differ;
    const judge_candidate_t  *list = compared + t * pairs->batch->n;

    return pairs->asked[t] ? judge_paired_both(pairs, a, b, t, &differ)
                           : judge_comparison_sign(&list[a], &list[b]);
}


int
judge_paired_sign(const judge_paired_t *pairs,
    const judge_candidate_t *compared, size_t a, size_t b, size_t target)
{
    int                           sign;
    bool                          differ;
    size_t                        t;
    double                        votes;
    const judge_criterion_row_t  *criteria = pairs->batch->criteria.items;

    if (compared[a].same == compared[b].same) {
        return 0;
    }

    sign = judge_paired_both(pairs, a, b, 0, &differ);
    if (sign) {
        return sign;                   /* failed or not asked */
    }

    if (target) {
        return judge_paired_criterion(pairs, compared, a, b, target);
    }

    for (t = 1, votes = 0; t < pairs->ntargets; t++) {
        sign = judge_paired_criterion(pairs, compared, a, b, t);
        votes += sign == JUDGE_PAIRED_UNASKED ? 0
                 : sign * (criteria[t - 1].weight.set
                           ? criteria[t - 1].weight.value : 1);
    }

    return (votes > JUDGE_PAIRED_EVEN) - (votes < -JUDGE_PAIRED_EVEN);
}


/* --- The order ----------------------------------------------------------- */

/* Sorts the different texts by descending score, those without a score
 * last. */

static size_t
judge_paired_begin(const judge_candidate_t *list, size_t n, size_t *queue)
{
    size_t  i, k, count;
    double  score, other;

    for (i = 0, count = 0; i < n; i++) {
        if (list[i].same != i) {
            continue;
        }

        score = isnan(list[i].score) ? -1 : list[i].score;

        for (k = count++; k > 0; k--) {
            other = list[queue[k - 1]].score;
            if ((isnan(other) ? -1 : other) >= score) {
                break;
            }
            queue[k] = queue[k - 1];
        }
        queue[k] = i;
    }

    return count;
}


/* Finds the place of a text among those already placed; false: an answer is
 * missing.  *tie: others share the place. */

static bool
judge_paired_place(const judge_paired_t *pairs,
    const judge_candidate_t *compared, size_t target, const size_t *heads,
    size_t one, judge_paired_order_t *out, size_t *place, bool *tie)
{
    int     sign;
    size_t  low, high, at;

    *tie = false;
    low = 0;
    high = out->places;

    while (low < high) {
        at = high == out->places ? high - 1 : (low + high) / 2;
        sign = judge_paired_sign(pairs, compared, one, heads[at], target);

        if (sign == JUDGE_PAIRED_UNASKED || sign == JUDGE_PAIRED_FAILED) {
            out->state = sign == JUDGE_PAIRED_FAILED ? JUDGE_PAIRED_STUCK
                                                    : JUDGE_PAIRED_ASK;
            out->ask[0] = one;
            out->ask[1] = heads[at];
            return false;
        }

        if (sign == 0) {
            *tie = true;
            low = high = at;
        } else if (sign > 0) {
            high = at;
        } else {
            low = at + 1;
        }
    }

    *place = low;

    return true;
}


static void
judge_paired_insert(judge_paired_order_t *out, size_t *heads, size_t n,
    size_t one, size_t place, bool tie)
{
    size_t  i;

    if (!tie) {
        for (i = out->places++; i > place; i--) {
            heads[i] = heads[i - 1];
            out->members[i] = out->members[i - 1];
        }

        for (i = 0; i < n; i++) {
            out->place[i] += out->place[i] < JUDGE_COMPARED_MAX
                             && out->place[i] >= place;
        }

        heads[place] = one;
        out->members[place] = 0;
    }

    out->members[place]++;
    out->place[one] = place;
}


void
judge_paired_order(const judge_paired_t *pairs,
    const judge_candidate_t *compared, size_t target,
    judge_paired_order_t *out)
{
    bool                      tie;
    size_t                    i, count, place, n = pairs->batch->n;
    size_t                    queue[JUDGE_COMPARED_MAX];
    size_t                    heads[JUDGE_COMPARED_MAX];
    const judge_candidate_t  *list = compared + target * n;

    *out = (judge_paired_order_t) { .state = JUDGE_PAIRED_SETTLED };
    for (i = 0; i < n; i++) {
        out->place[i] = JUDGE_COMPARED_MAX;
    }

    count = judge_paired_begin(list, n, queue);

    for (i = 0; i < count
                && judge_paired_place(pairs, compared, target, heads, queue[i],
                                     out, &place, &tie); i++)
    {
        judge_paired_insert(out, heads, n, queue[i], place, tie);
    }

    for (i = 0; i < n; i++) {
        out->place[i] = out->place[list[i].same];
    }
}


/* --- Who is the best ----------------------------------------------------- */

/* By how much the score of the first place exceeds the best of the others. */

static double
judge_paired_difference(const judge_candidate_t *list, size_t n,
    const judge_paired_order_t *order, size_t leader)
{
    size_t  i;
    double  next;

    for (i = 0, next = NAN; i < n; i++) {
        next = order->place[i] ? fmax(next, list[i].score) : next;
    }

    return list[leader].score - next;
}


/* Texts in the first place share JUDGE_PAIRED_SURE; the others share the rest,
 * which decreases from place to place. */

static void
judge_paired_probable(const judge_paired_order_t *order,
    const judge_candidate_t *list, size_t n, judge_comparison_t *out)
{
    size_t  i, k;
    double  rest, mass[JUDGE_COMPARED_MAX];

    for (i = 0, rest = 0; i < order->places; i++) {
        mass[i] = pow((1 - JUDGE_PAIRED_SURE) / JUDGE_PAIRED_SURE, (double) i);
        rest += i ? mass[i] * (double) order->members[i] : 0;
    }

    for (i = 0; i < n; i++) {
        k = order->place[list[i].same];
        out->best[i] = k == 0 ? (order->places > 1 ? JUDGE_PAIRED_SURE : 1)
                                / (double) order->members[0]
                              : (1 - JUDGE_PAIRED_SURE) * mass[k] / rest;
    }
}


void
judge_paired_compare(const judge_paired_t *pairs,
    const judge_candidate_t *compared, size_t target, double level,
    const char *open, judge_comparison_t *out)
{
    size_t                    i, n = pairs->batch->n;
    judge_paired_order_t      order;
    const judge_candidate_t  *list = compared + target * n;

    *out = (judge_comparison_t) { .verdict = "undecided",
                                  .difference = NAN, .probability = NAN };
    for (i = 0; i < n; i++) {
        out->best[i] = NAN;
    }

    judge_paired_order(pairs, compared, target, &order);

    if (order.state != JUDGE_PAIRED_SETTLED) {
        out->reason = order.state == JUDGE_PAIRED_STUCK ? "not_judged" : open;
        return;
    }

    for (i = 0; order.place[i] > 0; i++) { /* void */ }

    out->leader = i;
    out->difference = judge_paired_difference(list, n, &order, i);
    judge_paired_probable(&order, list, n, out);
    out->probability = out->best[i];

    if (order.members[0] > 1) {
        out->verdict = "tie";
        out->reason = "equal_pairs";
        out->difference = 0;

    } else if (out->probability < level) {
        out->reason = "close";

    } else {
        for (i++; i < n && order.place[i] > 0; i++) { /* void */ }

        out->verdict = i < n ? "tie" : "decided";
        out->reason = i < n ? "equal_text" : NULL;
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


/* --- Many items ---------------------------------------------------------- */

static void
judge_paired_item(const judge_paired_t *pairs, size_t item,
    const judge_candidate_t *compared, judge_paired_items_t *out)
{
    size_t                i, t, n = pairs->batch->n, place;
    judge_paired_order_t  order;

    for (t = 0; t < pairs->ntargets; t++) {
        judge_paired_bias(pairs, t, &out->bias[t]);

        if (out->asked[t]) {
            judge_paired_order(pairs, compared, t, &order);
        }

        for (i = 0; i < n && out->asked[t]; i++) {
            place = order.place[i];
            out->scores[(item * n + i) * pairs->ntargets + t] =
                place < JUDGE_COMPARED_MAX ? -(float) place : NAN;
        }
    }
}


/* A criterion that was asked about for one item is compared so for all. */

static judge_rc_e
judge_paired_all(judge_arena_t *scratch, judge_paired_t *pairs,
    const judge_pair_answer_t *rows, size_t n, judge_paired_items_t *out)
{
    size_t      i, t;
    judge_rc_e  rc = JUDGE_OK;

    for (i = 0; i < n && rc == JUDGE_OK; i++) {
        judge_arena_reset(scratch);
        rc = judge_paired_add(scratch, pairs, &rows[i]);
    }

    for (t = 0; t < pairs->ntargets; t++) {
        out->asked[t] = pairs->asked[t];
    }
    out->tokens = (int64_t) pairs->tokens;

    return rc;
}


judge_rc_e
judge_paired_items(judge_arena_t *arena, const judge_compared_batch_t *batch,
    const judge_pair_answer_t *rows, size_t n, judge_paired_items_t *out)
{
    size_t              i, t, at, item;
    judge_rc_e          rc;
    judge_arena_t      *scratch;
    judge_paired_t      pairs;
    judge_candidate_t  *compared;

    scratch = judge_arena_create(16384);
    compared = judge_array_alloc(arena, batch->n * (batch->criteria.count + 1),
                                 sizeof(judge_candidate_t));
    rc = scratch && compared ? judge_paired_init(arena, batch, &pairs)
                             : JUDGE_NOMEM;
    if (rc == JUDGE_OK) {
        rc = judge_paired_all(scratch, &pairs, rows, n, out);
    }

    for (item = 0, at = 0; item < out->items && rc == JUDGE_OK && n; item++) {
        judge_paired_clear(&pairs);
        judge_arena_reset(scratch);

        for ( /* void */ ; at < n && (size_t) rows[at].item == item
                           && rc == JUDGE_OK; at++)
        {
            rc = judge_paired_add(scratch, &pairs, &rows[at]);
        }

        for (i = 0; i < batch->n; i++) {
            for (t = 0; t < pairs.ntargets; t++) {
                compared[t * batch->n + i] = (judge_candidate_t) {
                    .score = (double) out->scores[(item * batch->n + i)
                                                  * pairs.ntargets + t],
                    .same = out->same[item * batch->n + i]
                };
            }
        }

        judge_paired_item(&pairs, item, compared, out);
    }

    judge_arena_destroy(scratch);

    return rc;
}
