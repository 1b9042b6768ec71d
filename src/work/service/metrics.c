/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/core/hash.h"
#include "base/core/id.h"
#include "work/service/metrics.h"


const judge_ms_t  judge_time_bounds[JUDGE_TIME_BOUNDS] = {
    1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 60000
};


uint64_t
judge_metrics_key_changes(const judge_metrics_t *metrics)
{
    return judge_metrics_get(metrics, JUDGE_METRIC_KEY_CHANGES)
           + judge_metrics_get(metrics, JUDGE_METRIC_KEY_CHANGES_RECEIVED);
}


void
judge_metrics_took(judge_metrics_t *metrics, judge_time_e what, judge_ms_t ms)
{
    size_t              i;
    judge_histogram_t  *h = &metrics->times[what];

    ms = ms > 0 ? ms : 0;              /* the clock may go back */
    for (i = 0; i < JUDGE_TIME_BOUNDS && ms > judge_time_bounds[i]; i++) {
        /* void */
    }

    __atomic_fetch_add(&h->classes[i], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&h->sum, (uint64_t) ms, __ATOMIC_RELAXED);
}


void
judge_metrics_ended(judge_metrics_t *metrics, judge_str_t id,
    judge_str_t status, judge_ms_t now)
{
    judge_metrics_took(metrics, JUDGE_TIME_EVALUATION,
                       now - judge_id_time(id));

    if (judge_str_eq_c(status, "completed")) {
        judge_metrics_add(metrics, JUDGE_METRIC_COMPLETED, 1);
    } else if (judge_str_eq_c(status, "failed")) {
        judge_metrics_add(metrics, JUDGE_METRIC_FAILED, 1);
    }

    judge_metrics_changed(metrics, id);
}


void
judge_metrics_set(const judge_service_t *service, size_t gauge, uint64_t n)
{
    if (service->worker < JUDGE_METRICS_WORKERS) {
        __atomic_store_n(&service->metrics->gauges[service->worker][gauge], n,
                         __ATOMIC_RELAXED);
    }
}


uint64_t
judge_metrics_sum(const judge_metrics_t *metrics, size_t gauge)
{
    size_t    i;
    uint64_t  sum;

    for (i = 0, sum = 0; i < JUDGE_METRICS_WORKERS; i++) {
        sum += __atomic_load_n(&metrics->gauges[i][gauge], __ATOMIC_RELAXED);
    }

    return sum;
}


void
judge_metrics_set_cache(const judge_service_t *service, judge_cache_e cache,
    size_t entries, size_t bytes)
{
    judge_metrics_set(service, JUDGE_GAUGE_ENTRIES + cache, entries);
    judge_metrics_set(service, JUDGE_GAUGE_BYTES + cache, bytes);
}


void
judge_metrics_forget(judge_metrics_t *metrics, size_t worker)
{
    memset(metrics->gauges[worker], 0, sizeof(metrics->gauges[worker]));
}


size_t
judge_metrics_place(judge_str_t id)
{
    uint64_t  hash;

    hash = judge_fnv(JUDGE_FNV_START, id.data, id.len);

    return judge_str_starts(id, JUDGE_STR("jdg_"))
           ? JUDGE_METRICS_CHANGES + hash % JUDGE_METRICS_JUDGES
           : hash % JUDGE_METRICS_CHANGES;
}


void
judge_metrics_changed_all(judge_metrics_t *metrics)
{
    size_t  i;

    for (i = 0; i < JUDGE_METRICS_CHANGES + JUDGE_METRICS_JUDGES; i++) {
        judge_metrics_changed_at(metrics, i);
    }
}


judge_str_t
judge_metrics_escape(judge_arena_t *arena, judge_str_t s)
{
    size_t       i;
    judge_buf_t  out;

    judge_buf_init(&out, arena);
    judge_buf_str(&out, JUDGE_STR(""));

    for (i = 0; i < s.len; i++) {
        if (s.data[i] == '\n') {
            judge_buf_c(&out, "\\n");
            continue;
        }

        if (s.data[i] == '"' || s.data[i] == '\\') {
            judge_buf_c(&out, "\\");
        }
        judge_buf_append(&out, &s.data[i], 1);
    }

    return judge_buf_view(&out);
}
