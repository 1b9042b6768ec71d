/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A hash table with open addressing, by the organization's identifier.  Slots
 * are never freed: if there are more organizations than slots, some share a
 * budget, and get less than their limit but never more. */


#include "base/core/hash.h"
#include "work/service/budget.h"
#include "work/service/fleet.h"


#define JUDGE_BUDGET_PROBES  8
#define JUDGE_BUDGET_PERIOD  60000     /* ms */
#define JUDGE_BUDGET_MOST    1000000000
#define JUDGE_BUDGET_UNSURE  10        /* ms */


/* If all probed slots are taken, the last one is shared. */

static judge_budget_slot_t *
judge_budget_slot(judge_budget_t *budget, judge_str_t org)
{
    size_t                i;
    uint64_t              hash, was;
    judge_budget_slot_t  *slot;

    hash = judge_fnv(JUDGE_FNV_START, org.data, org.len);

    hash = hash ? hash : 1;
    slot = NULL;

    for (i = 0; i < JUDGE_BUDGET_PROBES; i++) {
        slot = &budget->slots[(hash + i) % JUDGE_BUDGET_SLOTS];
        was = 0;

        if (atomic_compare_exchange_strong(&slot->org, &was, hash)
            || was == hash)
        {
            return slot;
        }
    }

    return slot;
}


/* Both buckets of an organization, with their rates on this node. */

typedef struct {
    judge_budget_slot_t        *slot;
    judge_fleet_share_t         share;
    judge_token_bucket_rate_t   requests;        /* a limit of 0 is none */
    judge_token_bucket_rate_t   tokens;
} judge_budget_open_t;


static judge_token_bucket_rate_t
judge_budget_rate(int64_t limit)
{
    uint32_t  n;

    n = (uint32_t) (limit < 0 ? 0 : limit < JUDGE_BUDGET_MOST
                                    ? limit : JUDGE_BUDGET_MOST);

    return (judge_token_bucket_rate_t) { .limit = n, .burst = n,
                                         .period = JUDGE_BUDGET_PERIOD };
}


/* Adds n to the demand by which the node's share is leased. */

static judge_budget_open_t
judge_budget_open(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now, int64_t n)
{
    judge_budget_open_t  open = {
        .slot = judge_budget_slot(budget, org),
        .requests = judge_budget_rate(limits->requests),
        .tokens = judge_budget_rate(limits->tokens)
    };

    if (budget->fleet) {
        open.share = judge_fleet_share(budget->fleet, JUDGE_FLEET_BUDGET, org,
                                       JUDGE_STR("llm"), JUDGE_BUDGET_PERIOD,
                                       now, n);
        judge_fleet_apply(&open.share, &open.slot->requests, &open.requests,
                          now);
        judge_fleet_apply(&open.share, &open.slot->tokens, &open.tokens, now);
    }

    return open;
}


static uint32_t
judge_budget_tokens(const judge_token_bucket_rate_t *rate, int64_t tokens)
{
    return tokens < 1 ? 1
           : tokens > rate->limit ? rate->limit : (uint32_t) tokens;
}


judge_ms_t
judge_budget_take(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now, int64_t tokens)
{
    judge_ms_t                    wait;
    judge_budget_open_t           open;
    judge_token_bucket_answer_t   answer;

    open = judge_budget_open(budget, org, limits, now,
                             limits->tokens > 0 && tokens > 0 ? tokens : 1);
    answer = judge_token_bucket_take(&open.slot->requests, &open.requests, now,
                                     1);

    if (answer.allowed) {
        answer = judge_token_bucket_take(&open.slot->tokens, &open.tokens, now,
                                         judge_budget_tokens(&open.tokens,
                                                             tokens));
        if (answer.allowed) {
            return 0;
        }

        judge_token_bucket_correct(&open.slot->requests, &open.requests, now,
                                   -1);
    }

    wait = judge_fleet_retry(&open.share, answer.retry_after);

    return wait > 0 ? wait : 1;
}


judge_budget_limits_t
judge_budget_left(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now)
{
    judge_budget_open_t  open;

    open = judge_budget_open(budget, org, limits, now, 0);

    return (judge_budget_limits_t) {
        judge_token_bucket_take(&open.slot->requests, &open.requests, now,
                                0).remaining,
        judge_token_bucket_take(&open.slot->tokens, &open.tokens, now,
                                0).remaining
    };
}


void
judge_budget_correct(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now, int64_t used,
    int64_t estimate)
{
    int64_t                    more;
    judge_budget_open_t        open;
    judge_token_bucket_rate_t  rate;

    if (limits->tokens == 0) {
        return;
    }

    rate = judge_budget_rate(limits->tokens);
    used = used < 0 ? 0 : used < JUDGE_BUDGET_MOST ? used : JUDGE_BUDGET_MOST;
    more = used - (estimate > 0 ? judge_budget_tokens(&rate, estimate) : 0);

    if (more != 0) {
        open = judge_budget_open(budget, org, limits, now,
                                 more > 0 ? more : 0);
        judge_token_bucket_correct(&open.slot->tokens, &open.tokens, now,
                                   more);
    }
}


/* A plan that reaches too far ahead starts over.  Callers may come too early
 * then; each of them is given another time. */

judge_ms_t
judge_budget_plan(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now, judge_ms_t wait,
    int64_t tokens)
{
    int64_t              was, at, step, need;
    uint64_t             by;
    judge_budget_open_t  open;

    open = judge_budget_open(budget, org, limits, now, 0);
    step = open.requests.limit ? JUDGE_BUDGET_PERIOD / open.requests.limit : 1;

    if (open.tokens.limit) {
        need = (int64_t) judge_budget_tokens(&open.tokens, tokens)
               * JUDGE_BUDGET_PERIOD / open.tokens.limit;
        step = need > step ? need : step;
    }

    /* Without a lease the node's future share is unknown. */
    if (open.share.part) {
        step = open.share.leased
               ? step * JUDGE_TOKEN_BUCKET_WHOLE / open.share.part
               : step < JUDGE_BUDGET_UNSURE ? step : JUDGE_BUDGET_UNSURE;
    }

    by = (uint64_t) limits->requests << 32 ^ (uint64_t) limits->tokens;
    if (atomic_exchange(&open.slot->limits, by) != by) {
        atomic_store(&open.slot->planned, 0);
    }

    was = atomic_load(&open.slot->planned);

    do {
        at = was + step;
        if (at < now + wait || at > now + wait + JUDGE_BUDGET_AHEAD) {
            at = now + wait;
        }
    } while (!atomic_compare_exchange_weak(&open.slot->planned, &was, at));

    return at;
}
