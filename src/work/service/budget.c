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


static judge_token_bucket_rate_t
judge_budget_rate(int64_t limit, uint32_t share)
{
    uint32_t  n;

    n = (uint32_t) (limit < JUDGE_BUDGET_MOST ? limit : JUDGE_BUDGET_MOST);

    return (judge_token_bucket_rate_t) { .limit = n, .burst = n,
                                   .period = JUDGE_BUDGET_PERIOD,
                                   .share = share };
}


static judge_fleet_share_t
judge_budget_share(judge_budget_t *budget, judge_budget_slot_t *slot,
    judge_str_t org, const judge_budget_limits_t *limits, judge_ms_t now,
    int64_t n)
{
    judge_fleet_share_t        share = { 0, 0, false, false };
    judge_token_bucket_rate_t  rate;

    if (budget->fleet) {
        share = judge_fleet_share(budget->fleet, JUDGE_FLEET_BUDGET, org,
                                  JUDGE_STR("llm"), JUDGE_BUDGET_PERIOD, now,
                                  n);
        rate = judge_budget_rate(limits->requests, 0);
        judge_fleet_apply(&share, &slot->requests, &rate, now);
        rate = judge_budget_rate(limits->tokens, 0);
        judge_fleet_apply(&share, &slot->tokens, &rate, now);
    }

    return share;
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
    judge_fleet_share_t           share;
    judge_token_bucket_rate_t     rate;
    judge_budget_slot_t          *slot;
    judge_token_bucket_answer_t   answer;

    slot = judge_budget_slot(budget, org);
    share = judge_budget_share(budget, slot, org, limits, now,
                               limits->tokens > 0 && tokens > 0 ? tokens : 1);

    if (limits->requests > 0) {
        rate = judge_budget_rate(limits->requests, share.part);
        answer = judge_token_bucket_take(&slot->requests, &rate, now, 1);
        if (!answer.allowed) {
            wait = judge_fleet_retry(&share, answer.retry_after);
            return wait > 0 ? wait : 1;
        }
    }

    if (limits->tokens > 0) {
        rate = judge_budget_rate(limits->tokens, share.part);
        answer = judge_token_bucket_take(&slot->tokens, &rate, now,
                                         judge_budget_tokens(&rate, tokens));
        if (!answer.allowed) {
            wait = judge_fleet_retry(&share, answer.retry_after);
            wait = wait > 0 ? wait : 1;

            if (limits->requests > 0) {
                rate = judge_budget_rate(limits->requests, share.part);
                judge_token_bucket_correct(&slot->requests, &rate, now, -1);
            }

            return wait;
        }
    }

    return 0;
}


judge_budget_limits_t
judge_budget_left(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now)
{
    judge_fleet_share_t         share;
    judge_budget_slot_t        *slot;
    judge_token_bucket_rate_t   requests, tokens;

    slot = judge_budget_slot(budget, org);
    share = judge_budget_share(budget, slot, org, limits, now, 0);
    requests = judge_budget_rate(limits->requests, share.part);
    tokens = judge_budget_rate(limits->tokens, share.part);

    return (judge_budget_limits_t) {
        judge_token_bucket_take(&slot->requests, &requests, now, 0).remaining,
        judge_token_bucket_take(&slot->tokens, &tokens, now, 0).remaining
    };
}


void
judge_budget_correct(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now, int64_t used,
    int64_t estimate)
{
    int64_t                    more;
    judge_budget_slot_t       *slot;
    judge_fleet_share_t        share;
    judge_token_bucket_rate_t  rate;

    if (limits->tokens == 0) {
        return;
    }

    rate = judge_budget_rate(limits->tokens, 0);
    used = used < 0 ? 0 : used < JUDGE_BUDGET_MOST ? used : JUDGE_BUDGET_MOST;
    more = used - (estimate > 0 ? judge_budget_tokens(&rate, estimate) : 0);

    if (more != 0) {
        slot = judge_budget_slot(budget, org);
        share = judge_budget_share(budget, slot, org, limits, now,
                                   more > 0 ? more : 0);
        rate.share = share.part;
        judge_token_bucket_correct(&slot->tokens, &rate, now, more);
    }
}


/* A plan that reaches too far ahead starts over.  Callers may come too early
 * then; each of them is given another time. */

judge_ms_t
judge_budget_plan(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now, judge_ms_t wait,
    int64_t tokens)
{
    int64_t                     was, at, step, need;
    judge_fleet_share_t         share;
    judge_token_bucket_rate_t   rate;
    judge_budget_slot_t        *slot;

    slot = judge_budget_slot(budget, org);
    share = judge_budget_share(budget, slot, org, limits, now, 0);
    step = 1;

    if (limits->requests > 0) {
        rate = judge_budget_rate(limits->requests, share.part);
        step = JUDGE_BUDGET_PERIOD / rate.limit;
    }

    if (limits->tokens > 0) {
        rate = judge_budget_rate(limits->tokens, share.part);
        need = (int64_t) judge_budget_tokens(&rate, tokens)
               * JUDGE_BUDGET_PERIOD / rate.limit;
        step = need > step ? need : step;
    }

    /* Without a lease the node's future share is unknown. */
    if (share.part) {
        step = share.leased ? step * JUDGE_TOKEN_BUCKET_WHOLE / share.part
               : step < JUDGE_BUDGET_UNSURE ? step : JUDGE_BUDGET_UNSURE;
    }

    was = atomic_load(&slot->planned);

    do {
        at = was + step;
        if (at < now + wait || at > now + wait + JUDGE_BUDGET_AHEAD) {
            at = now + wait;
        }
    } while (!atomic_compare_exchange_weak(&slot->planned, &was, at));

    return at;
}
