/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/service/metrics.h"


struct judge_metrics {
    uint64_t  counters[JUDGE_METRIC_COUNT];
};


size_t
judge_metrics_size(void)
{
    return sizeof(judge_metrics_t);
}


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
judge_metrics_ended(judge_metrics_t *metrics, judge_str_t status)
{
    if (judge_str_eq_c(status, "completed")) {
        judge_metrics_add(metrics, JUDGE_METRIC_COMPLETED, 1);
    } else if (judge_str_eq_c(status, "failed")) {
        judge_metrics_add(metrics, JUDGE_METRIC_FAILED, 1);
    }
}
