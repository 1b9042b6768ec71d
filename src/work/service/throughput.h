/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The number of evaluations that end per second, in memory that all workers
 * share.  Seconds without any are ignored: they don't show the capacity. */


#ifndef JUDGE_THROUGHPUT_H
#define JUDGE_THROUGHPUT_H


#include "store/store_batch.h"
#include "work/service/service.h"


#define JUDGE_THROUGHPUT_SLOTS  64

/* In shared memory, zeroed. */
struct judge_throughput {
    uint64_t  slots[JUDGE_THROUGHPUT_SLOTS];  /* second << 32 | count */
};

/* Counts; any worker, at any time, without a lock. */
void judge_throughput_add(judge_throughput_t *throughput, size_t ended,
    judge_ms_t now);

/* When the batch will have ended at the present rate.  0: nothing was measured
 * yet, or the batch is not under way, or not of text: the speed of external
 * workers is unknown. */
judge_ms_t judge_throughput_estimate(const judge_service_t *service,
    const judge_batch_row_t *row);


#endif /* JUDGE_THROUGHPUT_H */
