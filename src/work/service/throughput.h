/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The number of evaluations that end per second, in memory that all workers
 * share.  Seconds without any are ignored: they don't show the capacity. */


#ifndef JUDGE_THROUGHPUT_H
#define JUDGE_THROUGHPUT_H


#include "work/service/service.h"


#define JUDGE_THROUGHPUT_SLOTS  64

/* In shared memory, zeroed. */
struct judge_throughput {
    uint64_t  slots[JUDGE_THROUGHPUT_SLOTS];  /* second << 32 | count */
};

/* Counts; any worker, at any time, without a lock. */
void judge_throughput_add(judge_throughput_t *throughput, size_t ended,
    judge_ms_t now);

/* Evaluations per second; 0: nothing was measured yet. */
double judge_throughput_rate(const judge_throughput_t *throughput,
    judge_ms_t now);

/* The time when that many more will have ended; 0: unknown. */
judge_ms_t judge_throughput_estimate(const judge_throughput_t *throughput,
    int64_t left, judge_ms_t now);


#endif /* JUDGE_THROUGHPUT_H */
