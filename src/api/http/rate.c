/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/service/metrics.h"
#include "work/service/rate_limits.h"
#include "api/http/rate.h"


static long long judge_rate_seconds(judge_ms_t ms);


bool
judge_rate_admit(judge_req_t *r)
{
    judge_ms_t                        window;
    judge_token_bucket_answer_t       bucket;
    const judge_token_bucket_rate_t  *rate = &r->service->settings.rate;

    if (rate->limit == 0) {
        return true;
    }

    bucket = judge_rate_limits_take(r->service->limits, rate, r->key_id,
                                    judge_now(r->service));

    window = (rate->burst * rate->period + rate->limit - 1) / rate->limit;
    judge_reply_header(r, "RateLimit-Policy",
                       judge_str_printf(r->arena, "\"key\";q=%u;w=%lld",
                                        rate->burst,
                                        judge_rate_seconds(window)));
    judge_reply_header(r, "RateLimit",
                       judge_str_printf(r->arena, "\"key\";r=%lld;t=%lld",
                                        (long long) bucket.remaining,
                                        judge_rate_seconds(bucket.reset)));

    if (bucket.allowed) {
        return true;
    }

    judge_metrics_add(r->service->metrics, JUDGE_METRIC_LIMITED, 1);
    judge_reply_header(r, "Retry-After",
                       judge_str_printf(r->arena, "%lld",
                           judge_rate_seconds(bucket.retry_after)));
    judge_fail(r, 429, "the API key has used up its %u request%s per %s; try"
                       " again later", rate->limit,
               rate->limit == 1 ? "" : "s",
               rate->period == 1000 ? "second" : "minute");

    return false;
}


/* Rounded up: waiting for so long must be enough. */

static long long
judge_rate_seconds(judge_ms_t ms)
{
    return ms <= 0 ? 0 : (long long) (ms + 999) / 1000;
}
