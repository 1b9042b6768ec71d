/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "base/core/hash.h"
#include "work/service/metrics.h"


static size_t judge_metrics_place(judge_str_t id);


void
judge_metrics_add(judge_metrics_t *metrics, judge_metric_e metric,
    uint64_t n)
{
    __atomic_fetch_add(&metrics->counters[metric], n, __ATOMIC_RELAXED);
}


uint64_t
judge_metrics_get(const judge_metrics_t *metrics, judge_metric_e metric)
{
    return __atomic_load_n(&metrics->counters[metric], __ATOMIC_RELAXED);
}


void
judge_metrics_ended(judge_metrics_t *metrics, judge_str_t id,
    judge_str_t status)
{
    if (judge_str_eq_c(status, "completed")) {
        judge_metrics_add(metrics, JUDGE_METRIC_COMPLETED, 1);
    } else if (judge_str_eq_c(status, "failed")) {
        judge_metrics_add(metrics, JUDGE_METRIC_FAILED, 1);
    }

    __atomic_fetch_add(&metrics->endings[judge_metrics_place(id)], 1,
                       __ATOMIC_RELEASE);
}


uint64_t
judge_metrics_endings(const judge_metrics_t *metrics, judge_str_t id)
{
    return __atomic_load_n(&metrics->endings[judge_metrics_place(id)],
                           __ATOMIC_ACQUIRE);
}


static size_t
judge_metrics_place(judge_str_t id)
{
    return judge_fnv(JUDGE_FNV_START, id.data, id.len)
           % JUDGE_METRICS_ENDINGS;
}
